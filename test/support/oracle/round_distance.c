/* Distances of segments that move from triangles, by integers. */
#include "test/support/oracle/round_distance.h"

enum { DIM_MAX = 2 };

/* A difference of two points, and the directions in which the nearest may slide. */
typedef struct pieces {
    big_vec y, span[DIM_MAX];
    int dim;
} pieces;

static void vec_init(big_vec *v)
{
    mpz_inits(v->at[0], v->at[1], v->at[2], NULL);
}

static void vec_clear(big_vec *v)
{
    mpz_clears(v->at[0], v->at[1], v->at[2], NULL);
}

static void vec_set(big_vec *out, const double x[3], int scale)
{
    for (int axis = 0; axis < 3; axis++) {
        rational_scaled(out->at[axis], x[axis], scale);
    }
}

static big_vec n_, u_, v_;
static mpz_t a_, b_, c_, d_, left_, right_;

static void room_make(void)
{
    static bool made = false;
    if (!made) {
        vec_init(&n_);
        vec_init(&u_);
        vec_init(&v_);
        mpz_inits(a_, b_, c_, d_, left_, right_, NULL);
        made = true;
    }
}

/* Takes num / den if it is less than the least so far. */
static void keep_least(round_distance *out, const mpz_t num, const mpz_t den, int slope,
                       int feature, bool *any)
{
    if (*any) {
        mpz_mul(left_, num, out->den);
        mpz_mul(right_, out->num, den);
        if (mpz_cmp(left_, right_) >= 0) {
            return;
        }
    }
    *any = true;
    mpz_set(out->num, num);
    mpz_set(out->den, den);
    out->slope = slope;
    out->feature = feature;
}

static void point_distance(const pieces *p, const round_scaled *s, int feature, round_distance *out,
                           bool *any)
{
    big_vec_dot(a_, &p->y, &p->y);
    mpz_set_ui(b_, 1);
    big_vec_dot(c_, &p->y, &s->dir);
    keep_least(out, a_, b_, mpz_sgn(c_), feature, any);
}

static void line_distance(const pieces *p, const round_scaled *s, unsigned shift, int feature,
                          round_distance *out, bool *any)
{
    const big_vec *e = &p->span[0];
    big_vec_dot(b_, e, e);
    big_vec_dot(c_, &p->y, e);
    mpz_mul_2exp(d_, b_, shift);
    if (mpz_sgn(c_) <= 0 || mpz_cmp(c_, d_) >= 0) {
        return;
    }
    big_vec_cross(&u_, &p->y, e);
    big_vec_cross(&v_, &s->dir, e);
    big_vec_dot(a_, &u_, &u_);
    big_vec_dot(c_, &u_, &v_);
    keep_least(out, a_, b_, mpz_sgn(c_), feature, any);
}

static void plane_distance(const pieces *p, const round_scaled *s, unsigned shift, bool cut,
                           int feature, round_distance *out, bool *any)
{
    big_vec_cross(&n_, &p->span[0], &p->span[1]);
    big_vec_dot(b_, &n_, &n_);
    mpz_mul_2exp(d_, b_, shift);
    mpz_set_ui(c_, 0);
    for (int i = 0; i < 2; i++) {
        big_vec_cross(&u_, i == 0 ? &p->y : &p->span[0], i == 0 ? &p->span[1] : &p->y);
        big_vec_dot(a_, &u_, &n_);
        mpz_add(c_, c_, a_);
        if (mpz_sgn(a_) <= 0 || mpz_cmp(cut ? c_ : a_, d_) >= 0) {
            return;
        }
    }
    big_vec_dot(c_, &p->y, &n_);
    big_vec_dot(d_, &s->dir, &n_);
    mpz_mul(a_, c_, c_);
    keep_least(out, a_, b_, mpz_sgn(c_) * mpz_sgn(d_), feature, any);
}

/* Whether the segment from y[0] to y[1] (less corner 0) crosses the triangle's inside. */
static bool crosses(const round_scaled *s, big_vec y[2], big_vec span[2], unsigned shift)
{
    big_vec_cross(&n_, &span[0], &span[1]);
    big_vec_dot(a_, &y[0], &n_);
    big_vec_dot(b_, &y[1], &n_);
    if (!s->capsule || mpz_sgn(a_) * mpz_sgn(b_) >= 0) {
        return false;
    }
    /* x = (y0 b - y1 a) / (b - a): its weights times (b - a) n.n 2^shift */
    mpz_sub(c_, b_, a_);
    const int turn = mpz_sgn(c_);
    big_vec x;
    vec_init(&x);
    for (int axis = 0; axis < 3; axis++) {
        mpz_mul(left_, y[0].at[axis], b_);
        mpz_mul(right_, y[1].at[axis], a_);
        mpz_sub(x.at[axis], left_, right_);
    }
    big_vec_dot(left_, &n_, &n_);
    mpz_mul(d_, left_, c_);
    mpz_mul_2exp(d_, d_, shift);
    mpz_set_ui(right_, 0);
    bool inside = true;
    for (int i = 0; i < 2; i++) {
        big_vec_cross(&u_, i == 0 ? &x : &span[0], i == 0 ? &span[1] : &x);
        big_vec_dot(a_, &u_, &n_);
        inside = inside && mpz_sgn(a_) * turn >= 0;
        mpz_add(right_, right_, a_);
    }
    mpz_sub(right_, right_, d_);
    inside = inside && mpz_sgn(right_) * turn <= 0;
    vec_clear(&x);
    return inside;
}

/* y = (end - corner) 2^shift + numerator dir. */
static void difference_at(const round_scaled *s, int end, int corner, const mpz_t numerator,
                          unsigned shift, big_vec *y)
{
    big_vec_sub(y, &s->end[end], &s->corner[corner]);
    for (int axis = 0; axis < 3; axis++) {
        mpz_mul_2exp(y->at[axis], y->at[axis], shift);
        mpz_addmul(y->at[axis], numerator, s->dir.at[axis]);
    }
}

static void distance_to_triangle(const round_scaled *s, int end, const mpz_t t, unsigned shift,
                                 round_distance *out, bool *any)
{
    static pieces p;
    static bool made = false;
    if (!made) {
        vec_init(&p.y);
        vec_init(&p.span[0]);
        vec_init(&p.span[1]);
        made = true;
    }
    big_vec_sub(&p.span[0], &s->corner[1], &s->corner[0]);
    big_vec_sub(&p.span[1], &s->corner[2], &s->corner[0]);
    difference_at(s, end, 0, t, shift, &p.y);
    plane_distance(&p, s, shift, true, 100 * end, out, any);
    for (int i = 0; i < 3; i++) {
        big_vec_sub(&p.span[0], &s->corner[(i + 1) % 3], &s->corner[i]);
        difference_at(s, end, i, t, shift, &p.y);
        line_distance(&p, s, shift, 100 * end + 10 + i, out, any);
        point_distance(&p, s, 100 * end + 20 + i, out, any);
    }
}

/* All of the axis against edges and corners. */
static void distance_of_axis(const round_scaled *s, const mpz_t t, unsigned shift,
                             round_distance *out, bool *any)
{
    static pieces p;
    static big_vec y[2], span[2];
    static bool made = false;
    if (!made) {
        vec_init(&p.y);
        for (int i = 0; i < 2; i++) {
            vec_init(&p.span[i]);
            vec_init(&y[i]);
            vec_init(&span[i]);
        }
        made = true;
    }
    for (int i = 0; i < 2; i++) {
        difference_at(s, i, 0, t, shift, &y[i]);
        big_vec_sub(&span[i], &s->corner[i + 1], &s->corner[0]);
    }
    if (crosses(s, y, span, shift)) {
        mpz_set_ui(a_, 0);
        mpz_set_ui(b_, 1);
        keep_least(out, a_, b_, 0, 300, any);
    }
    for (int i = 0; i < 3; i++) {
        big_vec_sub(&p.span[0], &s->end[0], &s->end[1]);
        big_vec_sub(&p.span[1], &s->corner[(i + 1) % 3], &s->corner[i]);
        difference_at(s, 0, i, t, shift, &p.y);
        plane_distance(&p, s, shift, false, 200 + i, out, any);
        line_distance(&p, s, shift, 210 + i, out, any);
    }
}

int round_gap_at(const round_scaled *s, const mpz_t t, unsigned shift, round_distance *out)
{
    bool any = false;
    for (int end = 0; end < (s->capsule ? 2 : 1); end++) {
        distance_to_triangle(s, end, t, shift, out, &any);
    }
    if (s->capsule) {
        distance_of_axis(s, t, shift, out, &any);
    }
    mpz_mul(right_, s->radius, s->radius);
    mpz_mul(right_, right_, out->den);
    mpz_mul_2exp(right_, right_, 2 * shift);
    return mpz_cmp(out->num, right_);
}

int round_sign_of_least(const round_scaled *s, int feature)
{
    const int kind = feature % 100 / 10, i = feature % 10, end = feature / 100;
    big_vec y, e, w;
    vec_init(&y);
    vec_init(&e);
    vec_init(&w);
    big_vec_sub(&y, &s->end[end == 2 ? 0 : end], &s->corner[i]);
    mpz_mul(left_, s->radius, s->radius);
    if (kind == 2) { /* |y x d|^2 / d^2 */
        big_vec_cross(&w, &y, &s->dir);
        big_vec_dot(a_, &w, &w);
        big_vec_dot(b_, &s->dir, &s->dir);
    } else { /* (y . (d x e))^2 / |d x e|^2; kind 1, or 210 + i */
        if (end == 2) {
            big_vec_sub(&e, &s->end[0], &s->end[1]);
        } else {
            big_vec_sub(&e, &s->corner[(i + 1) % 3], &s->corner[i]);
        }
        big_vec_cross(&w, &s->dir, &e);
        big_vec_dot(a_, &y, &w);
        mpz_mul(a_, a_, a_);
        big_vec_dot(b_, &w, &w);
    }
    mpz_mul(left_, left_, b_);
    const int sign = mpz_cmp(left_, a_);
    vec_clear(&y);
    vec_clear(&e);
    vec_clear(&w);
    return (sign > 0) - (sign < 0);
}

void round_scaled_make(const round_case *c, round_scaled *out)
{
    double all[19];
    room_make();
    int count = 0;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            all[count++] = c->corner[i][axis];
            if (i < 2) {
                all[count++] = c->end[i][axis];
            }
        }
        all[count++] = c->dir[i];
    }
    all[count++] = c->radius;
    const int scale = rational_scale((size_t)count, all, -2000);
    out->capsule = out->moves = false;
    for (int i = 0; i < 3; i++) {
        vec_init(&out->corner[i]);
        vec_set(&out->corner[i], c->corner[i], scale);
        out->capsule = out->capsule || c->end[0][i] != c->end[1][i];
        out->moves = out->moves || c->dir[i] != 0;
    }
    for (int i = 0; i < 2; i++) {
        vec_init(&out->end[i]);
        vec_set(&out->end[i], c->end[i], scale);
    }
    vec_init(&out->dir);
    vec_set(&out->dir, c->dir, scale);
    mpz_init(out->radius);
    rational_scaled(out->radius, c->radius, scale);
}

void round_scaled_clear(round_scaled *s)
{
    for (int i = 0; i < 3; i++) {
        vec_clear(&s->corner[i]);
    }
    vec_clear(&s->end[0]);
    vec_clear(&s->end[1]);
    vec_clear(&s->dir);
    mpz_clear(s->radius);
}
