/* A ray or segment against a triangle, decided exactly: for single triangles, and for the
 * triangles that the filters of kernels and soups do not decide.
 *
 * With a, b, c the vertices seen from the origin o and d the direction, the weights of the three
 * vertices at the crossing point are e0 = det(d, b, c), e1 = det(d, c, a), e2 = det(d, a, b),
 * over their sum D = d . n; and t = N / D with N = det(a, b, c).  A hit has D != 0 and no two
 * weights of opposite sign.  D is negative where the front is met.
 *
 * Double stage: the bounds of predicates.c, 16 eps times the permanent.  For corners that are
 * doubles it works from the triangle's sides: e0 = det(d, b, c - b) = det(d, c, c - b), and N
 * and D by two sides.  The products then have a side's length where they had a corner's
 * distance: a part of 1 mm that is 10^7 away has weights of 1e-6 |d|, products of 10^4 |d| and
 * so a bound of 2e-11 |d|; from the corners alone it would be 0.2 |d|, and no weight would be
 * certain.  Every factor is a difference that is rounded once, as before, and the bound is the
 * same multiple of the permanent.
 *
 * What doubles leave open is decided by how the ray lies, where it begins or ends at a vertex or in
 * the plane; in double-doubles (intersection_dd.c); or exactly (intersection.c), by expansions of
 * differences.  Origins, directions, ends and corners are multiples of 2^-149 no larger than
 * FLT_MAX, whatever digits they have, so differences are multiples of it below 2^129, and
 * determinants of three are multiples of 2^-447 below 2^390: no component over- or underflows, and
 * 17 of 53 bits each hold any of them, which is what floats need.
 * Source   Shewchuk (1997); for crossings Edelsbrunner and Mucke, Simulation of Simplicity
 *          (1990). */

#include "lib/base/inline.h"
#include "lib/geom/exact/arithmetic/ratio.h"
#include "lib/geom/exact/intersection.h"

#include <sightline/intersect.h>

#include <math.h>

static double cross_axis(const double p[3], const double q[3], int axis, double *permanent)
{
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double left = p[j] * q[k], right = p[k] * q[j];
    *permanent = fabs(left) + fabs(right);
    return left - right;
}

/* det(a, b, c). */
static approx ray_triangle_exact_det3(const double a[3], const double b[3], const double c[3])
{
    double det = 0, permanent = 0;
    for (int axis = 0; axis < 3; axis++) {
        double minor_permanent;
        const double minor = cross_axis(b, c, axis, &minor_permanent);
        det += a[axis] * minor;
        permanent += fabs(a[axis]) * minor_permanent;
    }
    return (approx){ det, 16 * SLI_EPS * permanent };
}

static double ray_triangle_exact_norm1(const double a[3])
{
    return (fabs(a[0]) + fabs(a[1])) + fabs(a[2]);
}

/* Below, from_sides is a constant wherever these are called: the compiler makes each twice.  The
 * weight of vertex i in doubles; true if its sign is certain. */
static SLI_FORCE_INLINE bool filter_weight(intersection *m, int i, bool from_sides)
{
    const double *b = m->corner[(i + 1) % 3], *c = m->corner[(i + 2) % 3];
    if (from_sides) {
        m->edge[i] = ray_triangle_exact_det3(
            m->ray->dir, ray_triangle_exact_norm1(c) < ray_triangle_exact_norm1(b) ? c : b,
            m->side[i]);
    } else {
        m->edge[i] = ray_triangle_exact_det3(m->ray->dir, b, c);
    }
    m->sign[i] = m->edge[i].value > 0 ? 1 : -1;
    return fabs(m->edge[i].value) > m->edge[i].error;
}

/* Finds the signs of the weights of a line through vertex m->at: the others' are 0.  False where
 * the line lies in the plane, as it does if it begins at one vertex and ends at another. */
static SLI_FORCE_INLINE bool find_sign_at(intersection *m, bool from_sides)
{
    const int i = m->at;
    for (int other = 0; other < 3; other++) {
        m->sign[other] = 0;
        m->edge[other] = (approx){ 0, 0 };
    }
    if (m->between) {
        return false;
    }
    if (!filter_weight(m, i, from_sides)) {
        sli_intersection_settle_weight(m, i);
    }
    m->sign_d = m->sign[i];
    return m->sign[i] != 0;
}

/* Whether a point is in the triangle's plane. */
static bool is_in_plane(intersection *m, const double point[3])
{
    double from[3], side[2][3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = m->v[0][axis] - point[axis];
        side[0][axis] = m->v[1][axis] - m->v[0][axis];
        side[1][axis] = m->v[2][axis] - m->v[0][axis];
    }
    const approx x = ray_triangle_exact_det3(from, side[0], side[1]);
    return fabs(x.value) <= x.error && sli_intersection_wide_in_plane(m, point);
}

/* Whether an open end of a segment is in the triangle's plane, which is met there, if at all: what
 * the weights are does not matter then. */
static SLI_NOINLINE bool ends_in_plane(intersection *m)
{
    const sli_exact_ray *ray = m->ray;
    return !ray->crossings && ((ray->open_end && is_in_plane(m, ray->end)) ||
                               (ray->open_start && is_in_plane(m, ray->origin)));
}

/* Finds the signs of the three weights; false as soon as two are opposite, so that the line misses.
 * ends: also where nothing but an open end can be met. */
static SLI_FORCE_INLINE bool find_signs(intersection *m, bool ends, bool from_sides)
{
    bool positive = false, negative = false, sure[3];
    if (m->at >= 0) {
        return find_sign_at(m, from_sides);
    }
    for (int i = 0; i < 3; i++) {
        sure[i] = filter_weight(m, i, from_sides);
        positive |= sure[i] && m->sign[i] > 0;
        negative |= sure[i] && m->sign[i] < 0;
    }
    if (positive && negative) {
        return false;
    }
    if (ends && !(sure[0] && sure[1] && sure[2]) && ends_in_plane(m)) {
        return false;
    }
    const int axis = sli_intersection_parallel_axis(m->ray);
    for (int i = 0; i < 3 && !(positive && negative); i++) {
        if (!sure[i] && (axis < 0 || !sli_intersection_settle_zero_along(m, i, axis))) {
            sli_intersection_settle_weight(m, i);
        }
        if (!sure[i]) {
            positive |= m->sign[i] > 0;
            negative |= m->sign[i] < 0;
        }
    }
    m->sign_d = positive ? 1 : -1;
    return positive != negative;
}

/* Sets low .. high to an interval that holds the exact x / D; infinite if nothing is known. */
static void ratio_interval(const intersection *m, const approx *x, double *low, double *high)
{
    const approx *d = &m->denominator;
    const double least = (fabs(d->value) - d->error) * (1 - 4 * SLI_EPS);
    if (!(least > 0)) {
        *low = -INFINITY;
        *high = INFINITY;
        return;
    }
    const double q = x->value / d->value;
    const double r =
        ((x->error + fabs(q) * d->error) / least + fabs(q) * (2 * SLI_EPS)) * (1 + 16 * SLI_EPS);
    *low = q - r;
    *high = q + r;
}

/* The sign of t - limit for t in low .. high. */
static int compare_limit(intersection *m, double low, double high, double limit)
{
    if (low > limit) {
        return 1;
    }
    if (high < limit) {
        return -1;
    }
    if (low == high) {
        return 0; /* an interval of one number is exact */
    }
    /* D is a multiple of 2^-447 below 2^390: a limit times it is within the range of components. */
    const bool fits = limit == 0 || (fabs(limit) >= 0x1p-500 && fabs(limit) <= 0x1p500);
    int sign;
    if (fits && sli_intersection_wide_compare(m, limit, &sign)) {
        return m->sign_d * sign;
    }
    sli_intersection_make_ratio(m);
    if (fits) {
        return m->sign_d *
               sli_expansion_compare_ratio(m->n_n, m->n_exact, m->d_n, m->d_exact, limit);
    }
    return sli_ratio_compare(m->n_n, m->n_exact, m->d_n, m->d_exact, limit);
}

static bool within_limits(intersection *m, double low, double high)
{
    const sli_exact_ray *ray = m->ray;
    if (ray->tmin == INFINITY || ray->tmax == -INFINITY) {
        return false; /* the exact t is finite */
    }
    int start = isinf(ray->tmin) ? 1 : compare_limit(m, low, high, ray->tmin);
    if (start == 0 && ray->crossings) {
        start = sli_intersection_moved_limit_sign(m);
    }
    if (start < 0 || (start == 0 && ray->open_start)) {
        return false;
    }
    int end = isinf(ray->tmax) ? -1 : compare_limit(m, low, high, ray->tmax);
    if (end == 0 && ray->crossings) {
        end = sli_intersection_moved_limit_sign(m);
    }
    return end < 0 || (end == 0 && !ray->open_end);
}

/* Sets low .. high to an interval that holds the exact t; the signs are known. */
static SLI_FORCE_INLINE void bound_t(intersection *m, double *low, double *high, bool from_sides)
{
    if (m->at >= 0) {
        *low = *high = m->at_t;
        return;
    }
    if (from_sides) { /* det(x, v1 - v0, v2 - v0) = det(x, v0 - v2, v1 - v0) */
        m->denominator = ray_triangle_exact_det3(m->ray->dir, m->side[1], m->side[2]);
        m->numerator = ray_triangle_exact_det3(m->corner[0], m->side[1], m->side[2]);
    } else {
        m->denominator = (approx){ 0, 0 };
        for (int i = 0; i < 3; i++) { /* all of one sign, so errors just add up */
            m->denominator.value += m->edge[i].value;
            m->denominator.error += m->edge[i].error;
        }
        m->denominator.error += 4 * SLI_EPS * fabs(m->denominator.value);
        m->numerator = ray_triangle_exact_det3(m->corner[0], m->corner[1], m->corner[2]);
    }
    ratio_interval(m, &m->numerator, low, high);
}

/* Decides everything but t, u, v; sets low .. high to an interval that holds t. */
static SLI_FORCE_INLINE bool ray_triangle_exact_decide(intersection *m, int cull, double t_bound,
                                                       double *low, double *high, bool from_sides)
{
    /* At a corner t is known: the plane is met there and nowhere else, unless the line lies in it.
     */
    if (m->at >= 0 && !m->ray->crossings &&
        (m->at_t > t_bound || !within_limits(m, m->at_t, m->at_t))) {
        return false;
    }
    if (!find_signs(m, true, from_sides) || (m->ray->crossings && !sli_intersection_crosses(m))) {
        return false;
    }
    if ((cull == SL_CULL_BACK && m->sign_d > 0) || (cull == SL_CULL_FRONT && m->sign_d < 0)) {
        return false;
    }
    bound_t(m, low, high, from_sides);
    return !(*low > t_bound) && within_limits(m, *low, *high);
}

static void ray_triangle_exact_begin(intersection *m, const sli_exact_ray *ray, const float v0[3],
                                     const float v1[3], const float v2[3])
{
    m->ray = ray;
    m->stage = SLI_STAGE_DOUBLE;
    m->has_ratio = m->has_wide = m->has_normal = false;
    const float *const v[3] = { v0, v1, v2 };
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double x = v[i][axis];
            m->v[i][axis] = x;
            m->corner[i][axis] = x - ray->origin[axis];
        }
    }
    sli_intersection_find_corner(m);
}

static void begin_d(intersection *m, const sli_exact_ray *ray, const double v0[3],
                    const double v1[3], const double v2[3])
{
    m->ray = ray;
    m->stage = SLI_STAGE_DOUBLE;
    m->has_ratio = m->has_wide = m->has_normal = false;
    const double *const v[3] = { v0, v1, v2 };
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            m->v[i][axis] = v[i][axis];
            m->corner[i][axis] = v[i][axis] - ray->origin[axis];
            m->side[i][axis] = v[(i + 2) % 3][axis] - v[(i + 1) % 3][axis];
        }
    }
    sli_intersection_find_corner(m);
}

/* The weight of vertex i, rounded. */
static float round_weight(intersection *m, int i)
{
    if (m->sign[i] == 0) {
        return 0;
    }
    if (m->sign[(i + 1) % 3] == 0 && m->sign[(i + 2) % 3] == 0) {
        return 1; /* on a vertex */
    }
    double low, high;
    float rounded;
    ratio_interval(m, &m->edge[i], &low, &high);
    if (sli_rounds_alike(low, high, &rounded) || sli_intersection_wide_weight(m, i, &rounded)) {
        return rounded;
    }
    sli_intersection_make_ratio(m);
    double h[SLI_DET3_MAX];
    const int n = sli_intersection_weight(m, i, h);
    return sli_expansion_round_ratio(n, h, m->d_n, m->d_exact);
}

static uint32_t hit_flags(const intersection *m)
{
    const int zeros = (m->sign[0] == 0) + (m->sign[1] == 0) + (m->sign[2] == 0);
    return (m->sign_d > 0 ? SL_HIT_BACK : 0u) | (zeros >= 1 ? SL_HIT_EDGE : 0u) |
           (zeros >= 2 ? SL_HIT_VERTEX : 0u);
}

/* Half a step above a bound still rounds to it; two steps above it no longer can. */
static double beyond_float(float t_bound)
{
    return (double)t_bound + fabs((double)t_bound) * 0x1p-22 + 0x1p-147;
}

static SLI_FORCE_INLINE bool finish_hit(intersection *m, int cull, float t_bound,
                                        sli_exact_hit *hit, bool from_sides)
{
    double low, high;
    const bool found =
        ray_triangle_exact_decide(m, cull, beyond_float(t_bound), &low, &high, from_sides);
    hit->stage = m->stage;
    if (!found) {
        return false;
    }
    if (!sli_rounds_alike(low, high, &hit->t) && !sli_intersection_wide_float_t(m, &hit->t)) {
        sli_intersection_make_ratio(m);
        hit->t = sli_expansion_round_ratio(m->n_n, m->n_exact, m->d_n, m->d_exact);
    }
    hit->u = round_weight(m, 1);
    hit->v = round_weight(m, 2);
    hit->flags = hit_flags(m);
    hit->stage = m->stage;
    return true;
}

bool sli_exact_ray_hit(const sli_exact_ray *ray, const float v0[3], const float v1[3],
                       const float v2[3], int cull, float t_bound, sli_exact_hit *hit)
{
    intersection m;
    ray_triangle_exact_begin(&m, ray, v0, v1, v2);
    return finish_hit(&m, cull, t_bound, hit, false);
}

bool sli_exact_ray_hit_d_float(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                               const double v2[3], int cull, float t_bound, sli_exact_hit *hit)
{
    intersection m;
    begin_d(&m, ray, v0, v1, v2);
    return finish_hit(&m, cull, t_bound, hit, true);
}

bool sli_exact_ray_hit_d(const sli_exact_ray *ray, const double v0[3], const double v1[3],
                         const double v2[3], int cull, double t_bound, sli_exact_hit_d *hit)
{
    intersection m;
    double low, high;
    begin_d(&m, ray, v0, v1, v2);
    /* t is 0 or at least 2^-837: two steps are 2^-51 of the bound at most. */
    const double bound = t_bound + fabs(t_bound) * 0x1p-50;
    const bool found = ray_triangle_exact_decide(&m, cull, bound, &low, &high, true);
    hit->stage = m.stage;
    if (!found) {
        return false;
    }
    if (low == high) {
        hit->t = low + 0.0; /* a zero becomes +0 */
    } else if (!sli_intersection_wide_t(&m, &hit->t)) {
        sli_intersection_make_ratio(&m);
        hit->t = sli_ratio_round(m.n_n, m.n_exact, m.d_n, m.d_exact);
    }
    hit->u = round_weight(&m, 1);
    hit->v = round_weight(&m, 2);
    hit->flags = hit_flags(&m);
    hit->stage = m.stage;
    return true;
}

/* What only decides, about corners of floats and of doubles. */
#define CORNER      float
#define NAMED(name) name
#define BEGIN       ray_triangle_exact_begin
#define FROM_SIDES  false
#include "lib/geom/exact/ray_triangle_exact.inl"
#define CORNER      double
#define NAMED(name) name##_d
#define BEGIN       begin_d
#define FROM_SIDES  true
#include "lib/geom/exact/ray_triangle_exact.inl"
