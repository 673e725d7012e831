/* A ray or segment against a triangle, decided exactly: for single triangles, and for the triangles
 * that the filters of kernels and soups do not decide.
 *
 * With a, b, c the vertices seen from the origin o and d the direction, the weights of the three
 * vertices at the crossing point are e0 = det(d, b, c), e1 = det(d, c, a), e2 = det(d, a, b), over
 * their sum D = d . n; and t = N / D with N = det(a, b, c).  A hit has D != 0 and no two weights of
 * opposite sign.  D is negative where the front is met.
 *
 * Double stage: the bounds of predicates.c, 16 eps times the permanent.  Exact stage: expansions of
 * differences; nothing of degree 4 in floats over- or underflows.
 * Source   Shewchuk (1997); for crossings Edelsbrunner and Mucke, Simulation of Simplicity (1990).
 */
#include "lib/geom/exact/predicates.h"

#include "lib/geom/exact/expansion.h"

#include <sightline/intersect.h>

#include <math.h>

#define EPS 0x1p-53

/* A value in doubles, and a bound of its error. */
typedef struct approx {
    double value, error;
} approx;

/* What is known of one ray and triangle. */
typedef struct meeting {
    const sli_exact_ray *ray;
    const float *v[3];
    double corner[3][3]; /* v - origin, rounded */
    approx edge[3], denominator, numerator;
    int sign[3], sign_d;
    sli_decision_stage stage;
    /* Exact stage, made when first needed. */
    bool has_ratio;
    int n_n, d_n;
    double n_exact[SLI_DET3_MAX], d_exact[SLI_DET3_MAX];
} meeting;

static double cross_axis(const double p[3], const double q[3], int axis, double *permanent)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double left = p[j] * q[k], right = p[k] * q[j];
    *permanent = fabs(left) + fabs(right);
    return left - right;
}

/* det(a, b, c). */
static approx det3(const double a[3], const double b[3], const double c[3])
{
    double det = 0, permanent = 0;
    for (int axis = 0; axis < 3; axis++) {
        double minor_permanent;
        const double minor = cross_axis(b, c, axis, &minor_permanent);
        det += a[axis] * minor;
        permanent += fabs(a[axis]) * minor_permanent;
    }
    return (approx){ det, 16 * EPS * permanent };
}

static void diffs(const double a[3], const double b[3], sli_diff out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_diff_make(a[axis], b[axis]);
    }
}

static void vertex_diffs(const float v[3], const double from[3], sli_diff out[3])
{
    const double wide[3] = { v[0], v[1], v[2] };
    diffs(wide, from, out);
}

static void direction_diffs(const sli_exact_ray *ray, sli_diff out[3])
{
    const double zero[3] = { 0, 0, 0 };
    if (ray->segment) {
        diffs(ray->end, ray->origin, out);
    } else {
        diffs(ray->dir, zero, out);
    }
}

static int edge_exact(const meeting *m, int i, double h[SLI_DET3_MAX])
{
    sli_diff dir[3], from[3], to[3];
    direction_diffs(m->ray, dir);
    vertex_diffs(m->v[(i + 1) % 3], m->ray->origin, from);
    vertex_diffs(m->v[(i + 2) % 3], m->ray->origin, to);
    return sli_exact_det3(dir, from, to, h);
}

/* Numerator and denominator of t. */
static void make_ratio(meeting *m)
{
    if (m->has_ratio) {
        return;
    }
    const double v0[3] = { m->v[0][0], m->v[0][1], m->v[0][2] };
    sli_diff dir[3], side1[3], side2[3], a[3], b[3], c[3];
    direction_diffs(m->ray, dir);
    vertex_diffs(m->v[1], v0, side1);
    vertex_diffs(m->v[2], v0, side2);
    m->d_n = sli_exact_det3(dir, side1, side2, m->d_exact);
    vertex_diffs(m->v[0], m->ray->origin, a);
    vertex_diffs(m->v[1], m->ray->origin, b);
    vertex_diffs(m->v[2], m->ray->origin, c);
    m->n_n = sli_exact_det3(a, b, c, m->n_exact);
    m->has_ratio = true;
    m->stage = SLI_STAGE_EXACT;
}

/* The weight of vertex i in doubles; true if its sign is certain. */
static bool filter_weight(meeting *m, int i)
{
    m->edge[i] = det3(m->ray->dir, m->corner[(i + 1) % 3], m->corner[(i + 2) % 3]);
    m->sign[i] = m->edge[i].value > 0 ? 1 : -1;
    return fabs(m->edge[i].value) > m->edge[i].error;
}

static void settle_weight(meeting *m, int i)
{
    double h[SLI_DET3_MAX];
    const int n = edge_exact(m, i, h);
    m->stage = SLI_STAGE_EXACT;
    m->sign[i] = sli_expansion_sign(n, h);
    m->edge[i].value = sli_expansion_estimate(n, h);
    m->edge[i].error = 8 * EPS * fabs(m->edge[i].value);
}

/* The axis that the ray is parallel to; -1 for none. */
static int parallel_axis(const sli_exact_ray *ray)
{
    const double *d = ray->dir;
    const bool zero[3] = { d[0] == 0, d[1] == 0, d[2] == 0 };
    return zero[1] && zero[2] ? 0 : zero[2] && zero[0] ? 1 : zero[0] && zero[1] ? 2 : -1;
}

/* For a ray parallel to an axis, which in buildings meets edges and vertices very often: the weight
 * of vertex i is the length of d times an area in the plane perpendicular to it, which takes far
 * shorter expansions.  True if it is 0; other signs are left to settle_weight.  (The rounded
 * direction of a segment is 0 exactly where the exact one is: a difference of doubles is 0 only if
 * they are equal.) */
static bool settle_zero_along(meeting *m, int i, int axis)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const float *from = m->v[(i + 1) % 3], *to = m->v[(i + 2) % 3];
    const double *o = m->ray->origin;
    const double a[2] = { from[j], from[k] }, b[2] = { to[j], to[k] }, c[2] = { o[j], o[k] };
    if (sli_orient2d(a, b, c) != 0) {
        return false;
    }
    m->stage = SLI_STAGE_EXACT;
    m->sign[i] = 0;
    m->edge[i] = (approx){ 0, 0 };
    return true;
}

/* Finds the signs of the three weights; false as soon as two are opposite, so that the line misses.
 */
static bool find_signs(meeting *m)
{
    bool positive = false, negative = false, sure[3];
    const int axis = parallel_axis(m->ray);
    for (int i = 0; i < 3; i++) {
        sure[i] = filter_weight(m, i);
        positive |= sure[i] && m->sign[i] > 0;
        negative |= sure[i] && m->sign[i] < 0;
    }
    for (int i = 0; i < 3 && !(positive && negative); i++) {
        if (!sure[i] && (axis < 0 || !settle_zero_along(m, i, axis))) {
            settle_weight(m, i);
        }
        if (!sure[i]) {
            positive |= m->sign[i] > 0;
            negative |= m->sign[i] < 0;
        }
    }
    m->sign_d = positive ? 1 : -1;
    return positive != negative;
}

/* The sign of the first component that is not 0. */
static int first_sign(const int signs[3])
{
    return signs[0] != 0 ? signs[0] : signs[1] != 0 ? signs[1] : signs[2];
}

/* The sign of weight i, which is exactly 0, after the ray is moved by p = (e, e^2, e^3).  det(d, b
 * - p, c - p) = det(d, b, c) + p . (d x (c - b)), so the first component of d x (c - b) decides.
 * All are 0 only where the side is parallel to the ray, and then so is the triangle. */
static int moved_weight_sign(const meeting *m, int i)
{
    const float *from = m->v[(i + 1) % 3], *to = m->v[(i + 2) % 3];
    const sli_exact_ray *ray = m->ray;
    int signs[3];
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double start[2] = { ray->segment ? ray->origin[j] : 0,
                                  ray->segment ? ray->origin[k] : 0 };
        const double end[2] = { ray->segment ? ray->end[j] : ray->dir[j],
                                ray->segment ? ray->end[k] : ray->dir[k] };
        const double b[2] = { from[j], from[k] }, c[2] = { to[j], to[k] };
        sli_decision_stage stage;
        signs[axis] = sli_cross2d(start, end, b, c, &stage);
    }
    return first_sign(signs);
}

/* The sign of t - limit for the moved ray where t is exactly at the limit: N becomes (a - p) . n,
 * so the first component of n that is not 0 decides, negated.  n is not 0, since D is not. */
static int moved_limit_sign(const meeting *m)
{
    int signs[3];
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        double v[3][2];
        for (int i = 0; i < 3; i++) {
            v[i][0] = m->v[i][j];
            v[i][1] = m->v[i][k];
        }
        signs[axis] = sli_orient2d(v[0], v[1], v[2]);
    }
    return -first_sign(signs) * m->sign_d;
}

/* Whether the moved line crosses a triangle that the line touches. */
static bool crosses(const meeting *m)
{
    for (int i = 0; i < 3; i++) {
        const int sign = m->sign[i] != 0 ? m->sign[i] : moved_weight_sign(m, i);
        if (sign != m->sign_d) {
            return false;
        }
    }
    return true;
}

/* Sets low .. high to an interval that holds the exact x / D; infinite if nothing is known. */
static void ratio_interval(const meeting *m, const approx *x, double *low, double *high)
{
    const approx *d = &m->denominator;
    const double least = (fabs(d->value) - d->error) * (1 - 4 * EPS);
    if (!(least > 0)) {
        *low = -INFINITY;
        *high = INFINITY;
        return;
    }
    const double q = x->value / d->value;
    const double r =
        ((x->error + fabs(q) * d->error) / least + fabs(q) * (2 * EPS)) * (1 + 16 * EPS);
    *low = q - r;
    *high = q + r;
}

/* The sign of t - limit for t in low .. high. */
static int compare_limit(meeting *m, double low, double high, double limit)
{
    if (low > limit) {
        return 1;
    }
    if (high < limit) {
        return -1;
    }
    make_ratio(m);
    return m->sign_d * sli_expansion_compare_ratio(m->n_n, m->n_exact, m->d_n, m->d_exact, limit);
}

static bool within_limits(meeting *m, double low, double high)
{
    const sli_exact_ray *ray = m->ray;
    if (ray->tmin == INFINITY || ray->tmax == -INFINITY) {
        return false; /* the exact t is finite */
    }
    int start = isinf(ray->tmin) ? 1 : compare_limit(m, low, high, ray->tmin);
    if (start == 0 && ray->crossings) {
        start = moved_limit_sign(m);
    }
    if (start < 0 || (start == 0 && ray->open_start)) {
        return false;
    }
    int end = isinf(ray->tmax) ? -1 : compare_limit(m, low, high, ray->tmax);
    if (end == 0 && ray->crossings) {
        end = moved_limit_sign(m);
    }
    return end < 0 || (end == 0 && !ray->open_end);
}

/* Sets low .. high to an interval that holds the exact t; the signs are known. */
static void bound_t(meeting *m, double *low, double *high)
{
    m->denominator = (approx){ 0, 0 };
    for (int i = 0; i < 3; i++) { /* all of one sign, so errors just add up */
        m->denominator.value += m->edge[i].value;
        m->denominator.error += m->edge[i].error;
    }
    m->denominator.error += 4 * EPS * fabs(m->denominator.value);
    m->numerator = det3(m->corner[0], m->corner[1], m->corner[2]);
    ratio_interval(m, &m->numerator, low, high);
}

/* Decides everything but t, u, v; sets low .. high to an interval that holds t. */
static bool decide(meeting *m, int cull, double t_bound, double *low, double *high)
{
    if (!find_signs(m) || (m->ray->crossings && !crosses(m))) {
        return false;
    }
    if ((cull == SL_CULL_BACK && m->sign_d > 0) || (cull == SL_CULL_FRONT && m->sign_d < 0)) {
        return false;
    }
    bound_t(m, low, high);
    return !(*low > t_bound) && within_limits(m, *low, *high);
}

static void begin(meeting *m, const sli_exact_ray *ray, const float v0[3], const float v1[3],
                  const float v2[3])
{
    m->ray = ray;
    m->v[0] = v0;
    m->v[1] = v1;
    m->v[2] = v2;
    m->stage = SLI_STAGE_DOUBLE;
    m->has_ratio = false;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            m->corner[i][axis] = m->v[i][axis] - ray->origin[axis];
        }
    }
}

int sli_exact_ray_side(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                       const float v2[3], int cull, sli_decision_stage *stage)
{
    meeting m;
    double low, high;
    begin(&m, ray, v0, v1, v2);
    const bool hit = decide(&m, cull, INFINITY, &low, &high);
    *stage = m.stage;
    return hit ? m.sign_d : 0;
}

bool sli_exact_ray_hits(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                        const float v2[3], int cull, sli_decision_stage *stage)
{
    return sli_exact_ray_side(ray, v0, v1, v2, cull, stage) != 0;
}

/* The weight of vertex i, rounded. */
static float round_weight(meeting *m, int i)
{
    if (m->sign[i] == 0) {
        return 0;
    }
    double low, high;
    float rounded;
    ratio_interval(m, &m->edge[i], &low, &high);
    if (sli_rounds_alike(low, high, &rounded)) {
        return rounded;
    }
    make_ratio(m);
    double h[SLI_DET3_MAX];
    const int n = edge_exact(m, i, h);
    return sli_expansion_round_ratio(n, h, m->d_n, m->d_exact);
}

static uint32_t hit_flags(const meeting *m)
{
    const int zeros = (m->sign[0] == 0) + (m->sign[1] == 0) + (m->sign[2] == 0);
    return (m->sign_d > 0 ? SL_HIT_BACK : 0u) | (zeros >= 1 ? SL_HIT_EDGE : 0u) |
           (zeros >= 2 ? SL_HIT_VERTEX : 0u);
}

bool sli_exact_ray_hit(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                       const float v2[3], int cull, float t_bound, sli_exact_hit *hit)
{
    meeting m;
    double low, high;
    begin(&m, ray, v0, v1, v2);
    /* Half a step above the bound still rounds to it; two steps above it no longer can. */
    const double bound = (double)t_bound + fabs((double)t_bound) * 0x1p-22 + 0x1p-147;
    const bool found = decide(&m, cull, bound, &low, &high);
    hit->stage = m.stage;
    if (!found) {
        return false;
    }
    if (!sli_rounds_alike(low, high, &hit->t)) {
        make_ratio(&m);
        hit->t = sli_expansion_round_ratio(m.n_n, m.n_exact, m.d_n, m.d_exact);
    }
    hit->u = round_weight(&m, 1);
    hit->v = round_weight(&m, 2);
    hit->flags = hit_flags(&m);
    hit->stage = m.stage;
    return true;
}

int sli_exact_weight_sign(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                          const float v2[3], int i, sli_decision_stage *stage)
{
    meeting m;
    begin(&m, ray, v0, v1, v2);
    if (!filter_weight(&m, i)) {
        settle_weight(&m, i);
    }
    *stage = m.stage;
    return m.sign[i];
}

bool sli_exact_compare_t(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                         const float v2[3], double limit, int *sign, sli_decision_stage *stage)
{
    meeting m;
    double low, high;
    begin(&m, ray, v0, v1, v2);
    if (!find_signs(&m)) {
        return false;
    }
    bound_t(&m, &low, &high);
    m.stage = SLI_STAGE_DOUBLE;
    *sign = compare_limit(&m, low, high, limit);
    *stage = m.stage;
    return true;
}
