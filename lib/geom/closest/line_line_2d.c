/* Lines with one another in the plane, by both of the usual methods.
 *
 * With points o1 + s d1 and o2 + t d2, and x the cross product of the plane,
 *     s = (o2 - o1) x d2 / (d1 x d2) and t = (o2 - o1) x d1 / (d1 x d2),
 * which are ratios of degree 2.  If the determinant d1 x d2 is 0, everything is decided along one
 * axis on which a path moves.
 * Source   Akenine-Moller and Haines, Real-Time Rendering (2002), 13.12, after Antonio, Faster Line
 *          Segment Intersection (1992), for the second method. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/path.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

typedef struct path {
    sli_number origin[2], dir[2];
    double min, max;
    int sign[2]; /* of dir */
} path;

typedef struct ratio {
    sli_number num, den;
} ratio;

static bool is_valid(const sl_line *a)
{
    return sli_finite(a->origin, 2) && sli_finite(a->tail, 2) && sli_finite(a->head, 2) &&
           a->tmin <= a->tmax && a->tmin < INFINITY && a->tmax > -INFINITY;
}

static void make_path(const sl_line *a, bool exact, path *out)
{
    out->min = a->tmin;
    out->max = a->tmax;
    for (int axis = 0; axis < 2; axis++) {
        sli_number_set(a->origin[axis], exact, &out->origin[axis]);
        sli_number_diff(a->head[axis], a->tail[axis], exact, &out->dir[axis]);
        out->sign[axis] = (a->head[axis] > a->tail[axis]) - (a->head[axis] < a->tail[axis]);
    }
}

static void line_line_2d_cross(const sli_number a[2], const sli_number b[2], sli_number *out)
{
    sli_number right;
    sli_number_mul(&a[0], &b[1], out);
    sli_number_mul(&a[1], &b[0], &right);
    sli_number_sub(out, &right, out);
}

/* The sign of num - limit * den. */
static int compare_numerator(const ratio *r, double limit, bool *unsure)
{
    sli_number x;
    sli_number_set(limit, r->den.n >= 0, &x);
    sli_number_mul(&x, &r->den, &x);
    sli_number_sub(&r->num, &x, &x);
    return sli_number_sign(&x, unsure);
}

/* Method 1: in doubles, compares the quotient with the limit.  Quotients are never exact, so those
 * too close to a limit are decided exactly by the numerators. */
static int compare_quotient(const ratio *r, double limit, bool *unsure)
{
    if (r->den.n >= 0) {
        return compare_numerator(r, limit, unsure) * sli_number_sign(&r->den, unsure);
    }
    sli_number q, x;
    sli_number_div(&r->num, &r->den, &q);
    sli_number_set(limit, false, &x);
    sli_number_sub(&q, &x, &q);
    return sli_number_sign(&q, unsure);
}

static bool is_between_by_dividing(const ratio *r, const path *p, bool *unsure)
{
    return (isinf(p->min) || compare_quotient(r, p->min, unsure) >= 0) &&
           (isinf(p->max) || compare_quotient(r, p->max, unsure) <= 0);
}

/* Method 2: for f > 0, s is outside its limits if d < min f or d > max f; for f < 0 both are
 * reversed. */
static bool is_between_by_signs(const ratio *r, const path *p, bool *unsure)
{
    const int f = sli_number_sign(&r->den, unsure) > 0 ? 1 : -1;
    return !(!isinf(p->min) && f * compare_numerator(r, p->min, unsure) < 0) &&
           !(!isinf(p->max) && f * compare_numerator(r, p->max, unsure) > 0);
}

static float round_ratio(const ratio *r, bool *unsure)
{
    return sli_number_round_ratio(&r->num, &r->den, unsure);
}

/* The point (origin den + dir num) / den. */
static void line_line_2d_point(const path *p, const ratio *r, float point[2], bool *unsure)
{
    for (int axis = 0; axis < 2; axis++) {
        sli_number x, step;
        sli_number_mul(&p->origin[axis], &r->den, &x);
        sli_number_mul(&p->dir[axis], &r->num, &step);
        sli_number_add(&x, &step, &x);
        point[axis] = sli_number_round_ratio(&x, &r->den, unsure);
    }
}

static void at_limit(double limit, bool exact, ratio *out)
{
    sli_number_set(limit, exact, &out->num);
    sli_number_set(1, exact, &out->den);
}

/* The parameter on the second path of the point at s on the first: along one axis, (o1 + s d1 - o2)
 * / d2. */
static void line_line_2d_carry(const path *from, double s, const path *to, int axis, ratio *out)
{
    sli_number step;
    sli_number_set(s, to->dir[axis].n >= 0, &step);
    sli_number_mul(&step, &from->dir[axis], &step);
    sli_number_sub(&from->origin[axis], &to->origin[axis], &out->num);
    sli_number_add(&out->num, &step, &out->num);
    out->den = to->dir[axis];
}

static sl_line_line_relation point_on_path(const path *point, const path *p, int axis,
                                           float *s_of_point, float *s_of_path, bool *unsure)
{
    ratio at;
    line_line_2d_carry(point, 0, p, axis, &at);
    if (!is_between_by_signs(&at, p, unsure)) {
        return SL_LINE_LINE_COLLINEAR;
    }
    *s_of_point = (float)sli_nearest_to_zero(point->min, point->max) + 0.0f;
    *s_of_path = round_ratio(&at, unsure);
    return SL_LINE_LINE_POINT;
}

/* An end of what two paths on one line share: the path that ends there, its limit, and the sign of
 * s. */
typedef struct shared_end {
    const path *path;
    double limit;
    int sign;
} shared_end;

/* Of two starts the later (end = -1), or of two ends the earlier (1), in the direction of the first
 * path; infinite if neither path has a limit there.  Fills in s and t of that end. */
static shared_end find_end(const path *a, const path *b, int axis, int end, sl_line_line_hit *hit,
                           bool *unsure)
{
    const int i = end > 0;
    const bool same = a->sign[axis] == b->sign[axis];
    const double of_a = end < 0 ? a->min : a->max;
    const double of_b = (end < 0) == same ? b->min : b->max;
    if (!isinf(of_b)) {
        ratio s;
        line_line_2d_carry(b, of_b, a, axis, &s);
        if (isinf(of_a) || compare_quotient(&s, of_a, unsure) * end < 0) {
            hit->s[i] = round_ratio(&s, unsure);
            hit->t[i] = (float)of_b + 0.0f;
            return (shared_end){
                b, of_b, sli_number_sign(&s.num, unsure) * sli_number_sign(&s.den, unsure)
            };
        }
    }
    hit->s[i] = (float)of_a + 0.0f;
    hit->t[i] = (float)(same ? of_a : -of_a);
    if (!isinf(of_a)) {
        ratio t;
        line_line_2d_carry(a, of_a, b, axis, &t);
        hit->t[i] = round_ratio(&t, unsure);
    }
    return (shared_end){ a, of_a, sli_sign(of_a) };
}

/* In the direction of the first path: whether it ends before the second begins (end = 1), or begins
 * after the second ends (-1). */
static bool is_past(const path *a, const path *b, int axis, int end, bool *unsure)
{
    const bool same = a->sign[axis] == b->sign[axis];
    const double of_a = end > 0 ? a->max : a->min;
    const double of_b = (end > 0) == same ? b->min : b->max;
    if (isinf(of_a) || isinf(of_b)) {
        return false;
    }
    ratio s;
    line_line_2d_carry(b, of_b, a, axis, &s);
    return compare_quotient(&s, of_a, unsure) * end > 0;
}

static sl_line_line_relation along_one_line(const path *a, const path *b, int axis, bool exact,
                                            sl_line_line_hit *hit, bool *unsure)
{
    if (is_past(a, b, axis, 1, unsure) || is_past(a, b, axis, -1, unsure)) {
        return SL_LINE_LINE_COLLINEAR;
    }
    const shared_end first = find_end(a, b, axis, -1, hit, unsure);
    const shared_end last = find_end(a, b, axis, 1, hit, unsure);
    const shared_end zero = { a, 0, 0 };
    const shared_end nearest = first.sign > 0 ? first : last.sign < 0 ? last : zero;
    ratio at;
    at_limit(nearest.limit, exact, &at);
    line_line_2d_point(nearest.path, &at, hit->point, unsure);
    return SL_LINE_LINE_OVERLAP;
}

/* The answer if the determinant is 0. */
static sl_line_line_relation side_by_side(const path *a, const path *b, bool exact,
                                          sl_line_line_hit *hit, bool *unsure)
{
    sli_number between[2], area;
    for (int axis = 0; axis < 2; axis++) {
        sli_number_sub(&b->origin[axis], &a->origin[axis], &between[axis]);
    }
    const bool a_moves = a->sign[0] != 0 || a->sign[1] != 0;
    const bool b_moves = b->sign[0] != 0 || b->sign[1] != 0;
    if (!a_moves && !b_moves) {
        if (sli_number_sign(&between[0], unsure) != 0 ||
            sli_number_sign(&between[1], unsure) != 0) {
            return SL_LINE_LINE_PARALLEL;
        }
        hit->s[0] = (float)sli_nearest_to_zero(a->min, a->max) + 0.0f;
        hit->t[0] = (float)sli_nearest_to_zero(b->min, b->max) + 0.0f;
        return SL_LINE_LINE_POINT;
    }
    const path *moving = a_moves ? a : b;
    line_line_2d_cross(between, moving->dir, &area);
    if (sli_number_sign(&area, unsure) != 0) {
        return SL_LINE_LINE_PARALLEL;
    }
    const int axis = moving->sign[0] != 0 ? 0 : 1;
    if (a_moves && b_moves) {
        return along_one_line(a, b, axis, exact, hit, unsure);
    }
    return a_moves ? point_on_path(b, a, axis, &hit->t[0], &hit->s[0], unsure)
                   : point_on_path(a, b, axis, &hit->s[0], &hit->t[0], unsure);
}

static void fill_point(const path *a, const path *b, const ratio *s, bool exact,
                       sl_line_line_hit *hit, bool *unsure)
{
    ratio start;
    at_limit(0, exact, &start);
    const bool a_moves = a->sign[0] != 0 || a->sign[1] != 0;
    if (s != NULL) {
        line_line_2d_point(a, s, hit->point, unsure);
    } else {
        line_line_2d_point(a_moves ? b : a, &start, hit->point,
                           unsure); /* the one that is a point */
    }
    hit->s[1] = hit->s[0];
    hit->t[1] = hit->t[0];
}

static sl_line_line_relation line_line_2d_meet(const sl_line *first, const sl_line *second,
                                               sl_line_line_method method, bool exact,
                                               sl_line_line_hit *hit, bool *unsure)
{
    path a, b;
    make_path(first, exact, &a);
    make_path(second, exact, &b);
    ratio s, t;
    line_line_2d_cross(a.dir, b.dir, &s.den);
    t.den = s.den;
    if (sli_number_sign(&s.den, unsure) == 0) {
        const sl_line_line_relation how =
            *unsure ? SL_LINE_LINE_PARALLEL : side_by_side(&a, &b, exact, hit, unsure);
        if (how == SL_LINE_LINE_POINT) {
            fill_point(&a, &b, NULL, exact, hit, unsure);
        }
        return how;
    }
    sli_number between[2];
    for (int axis = 0; axis < 2; axis++) {
        sli_number_sub(&b.origin[axis], &a.origin[axis], &between[axis]);
    }
    line_line_2d_cross(between, b.dir, &s.num);
    line_line_2d_cross(between, a.dir, &t.num);
    const bool both =
        method == SL_LINE_LINE_REJECT
            ? is_between_by_signs(&s, &a, unsure) && is_between_by_signs(&t, &b, unsure)
            : is_between_by_dividing(&s, &a, unsure) && is_between_by_dividing(&t, &b, unsure);
    if (!both) {
        return SL_LINE_LINE_BEYOND;
    }
    hit->s[0] = round_ratio(&s, unsure);
    hit->t[0] = round_ratio(&t, unsure);
    fill_point(&a, &b, &s, exact, hit, unsure);
    return SL_LINE_LINE_POINT;
}

static SLI_NOINLINE sl_line_line_relation check_and_meet(const sl_line *a, const sl_line *b,
                                                         sl_line_line_method method,
                                                         sl_line_line_hit *hit)
{
    if (!is_valid(a) || !is_valid(b)) {
        return SL_LINE_LINE_INVALID;
    }
    bool unsure = false;
    sl_line_line_hit found;
    sl_line_line_relation how = line_line_2d_meet(a, b, method, false, &found, &unsure);
    if (unsure) {
        unsure = false;
        how = line_line_2d_meet(a, b, method, true, &found, &unsure);
    }
    if (hit != NULL && how >= SL_LINE_LINE_POINT) {
        *hit = found;
    }
    return how;
}

sl_line_line_relation sl_line_line_2d(sl_line a, sl_line b, sl_line_line_method method,
                                      sl_line_line_hit *hit)
{
    return SLI_IN_FPENV(check_and_meet(&a, &b, method, hit));
}
