/* Between doubles and expansions: t, u and v of a hit in double-doubles, with a bound of their
 * error.  Nearly every t needs it that is rounded to a double, and every u and v of a small
 * triangle far away; expansions take ten times as long.
 *
 * Signs: a determinant larger than its error has the sign of its value.  One that is no larger is
 * mostly 0, of a ray that meets an edge or a vertex or ends in a plane.  Where all differences are
 * doubles, that is proven by their steps: if all of a vector's components are multiples of a power
 * of two, its step, the determinant of three vectors is a multiple of the product of their steps,
 * and 0 if it is less than that.  With 2^-101 of the permanent for the error, components of up to
 * some 32 bits beside their steps are enough; floats of similar size have 24.  So is a weight
 * whose side is in one line with the origin or the end, whatever digits the direction has: the
 * cross product of the side and the way there is 0, and components may have 50 bits. */
#include "lib/geom/exact/arithmetic/determinant_dd.h"
#include "lib/geom/exact/arithmetic/step.h"
#include "lib/geom/exact/intersection.h"

static void intersection_dd_direction(const sli_exact_ray *ray, sli_dd out[3])
{
    const double zero[3] = { 0, 0, 0 };
    if (ray->segment) {
        sli_dd_differences(ray->end, ray->origin, out);
    } else {
        sli_dd_differences(ray->dir, zero, out);
    }
}

static void make_normal(intersection *m)
{
    if (!m->has_normal) {
        sli_dd_differences(m->v[1], m->v[0], m->wide_side[0]);
        sli_dd_differences(m->v[2], m->v[0], m->wide_side[1]);
        sli_dd_cross(m->wide_side[0], m->wide_side[1], m->wide_normal, m->wide_permanent);
        m->has_normal = true;
    }
}

/* What det(v0 - point, v1 - v0, v2 - v0) is a multiple of. */
static double intersection_dd_side_step(const intersection *m, const double point[3])
{
    sli_dd a[3];
    sli_dd_differences(m->v[0], point, a);
    return sli_step_of_product(a, m->wide_side[0], m->wide_side[1]);
}

static sli_dd_known intersection_dd_side(intersection *m, const double point[3])
{
    sli_dd a[3];
    make_normal(m);
    sli_dd_differences(m->v[0], point, a);
    return sli_dd_determinant(a, m->wide_normal, m->wide_permanent);
}

/* False where the sign of what is a multiple of step is open. */
static bool intersection_dd_sign(const sli_dd_known *x, double step, int *sign)
{
    const double size = fabs(x->high);
    *sign = size > x->error ? (x->high > 0) - (x->high < 0) : 0;
    return size > x->error || (size + x->error) * (1 + 0x1p-40) < step;
}

/* N and D of t; N is known to be 0 of what begins in the plane. */
static void make_wide(intersection *m)
{
    sli_dd dir[3];
    int sign;
    if (m->has_wide) {
        return;
    }
    intersection_dd_direction(m->ray, dir);
    m->wide_n = intersection_dd_side(m, m->ray->origin);
    if (fabs(m->wide_n.high) <= m->wide_n.error && /* else it is not 0, whatever its step */
        intersection_dd_sign(&m->wide_n, intersection_dd_side_step(m, m->ray->origin), &sign)) {
        m->wide_n = (sli_dd_known){ 0, 0, 0 };
    }
    m->wide_d = sli_dd_determinant(dir, m->wide_normal, m->wide_permanent);
    m->has_wide = true;
}

/* The weight of vertex i, det(d, b, c - b) or det(d, c, c - b); step, unless NULL, as above. */
static sli_dd_known intersection_dd_weight(const intersection *m, int i, double *step)
{
    const double *b = m->v[(i + 1) % 3], *c = m->v[(i + 2) % 3];
    sli_dd dir[3], side[3], near[3], n[3];
    double permanent[3], b_size = 0, c_size = 0;
    for (int axis = 0; axis < 3; axis++) {
        b_size += fabs(m->corner[(i + 1) % 3][axis]);
        c_size += fabs(m->corner[(i + 2) % 3][axis]);
    }
    intersection_dd_direction(m->ray, dir);
    sli_dd_differences(c, b, side);
    sli_dd_differences(c_size < b_size ? c : b, m->ray->origin, near);
    sli_dd_cross(near, side, n, permanent);
    if (step != NULL) {
        *step = sli_step_of_product(dir, near, side);
    }
    return sli_dd_determinant(dir, n, permanent);
}

bool sli_intersection_wide_t(intersection *m, double *t)
{
    sli_dd_known q;
    make_wide(m);
    return sli_dd_quotient(&m->wide_n, &m->wide_d, &q) && sli_dd_round(&q, t);
}

/* Sets low .. high to an interval that holds x / d; false where d may be 0. */
static bool intersection_dd_between(const sli_dd_known *x, const sli_dd_known *d, double *low,
                                    double *high)
{
    sli_dd_known q;
    if (!sli_dd_quotient(x, d, &q)) {
        return false;
    }
    const double margin = q.error + fabs(q.high) * 0x1p-51;
    *low = q.high - margin;
    *high = q.high + margin;
    return true;
}

bool sli_intersection_wide_weight(intersection *m, int i, float *weight_of)
{
    make_wide(m);
    const sli_dd_known x = intersection_dd_weight(m, i, NULL);
    double low, high;
    return intersection_dd_between(&x, &m->wide_d, &low, &high) &&
           sli_rounds_alike(low, high, weight_of);
}

/* Whether the line through the vertices opposite to vertex i goes through a point: each component
 * of the cross product is off by (8.01 + 3.01) u^2 of its permanent. */
static bool intersection_dd_in_line(const intersection *m, int i, const double point[3])
{
    const double *b = m->v[(i + 1) % 3], *c = m->v[(i + 2) % 3];
    sli_dd side[3], way[3], n[3];
    double permanent[3];
    bool zero = true;
    sli_dd_differences(c, b, side);
    sli_dd_differences(b, point, way);
    sli_dd_cross(way, side, n, permanent);
    const double step = sli_step_of_two(way, side);
    for (int axis = 0; axis < 3; axis++) {
        const double error = 12 * 0x1p-106 * permanent[axis];
        zero &= (fabs(n[axis].high) + error) * (1 + 0x1p-40) < step;
    }
    return zero;
}

bool sli_intersection_wide_settle(intersection *m, int i)
{
    double step, end[3];
    int sign;
    const sli_dd_known x = intersection_dd_weight(m, i, &step);
    if (!intersection_dd_sign(&x, step, &sign) && !intersection_dd_in_line(m, i, m->ray->origin) &&
        !(sli_intersection_end(m->ray, end) && intersection_dd_in_line(m, i, end))) {
        return false;
    }
    m->sign[i] = sign;
    m->edge[i] = (approx){ x.high, x.error + fabs(x.high) * (2 * SLI_EPS) };
    if (sign == 0) {
        m->edge[i] = (approx){ 0, 0 };
    }
    return true;
}

bool sli_intersection_wide_in_plane(intersection *m, const double point[3])
{
    int sign;
    const sli_dd_known x = intersection_dd_side(m, point);
    return intersection_dd_sign(&x, intersection_dd_side_step(m, point), &sign) && sign == 0;
}

/* N - limit D, rounded by 8.01 u^2 of the product's size and 3.01 u^2 of both. */
static sli_dd_known intersection_dd_beyond(intersection *m, double limit, double *step)
{
    make_wide(m);
    const sli_dd d = { m->wide_d.high, m->wide_d.low }, n = { m->wide_n.high, m->wide_n.low };
    const sli_dd times = sli_dd_product(d, (sli_dd){ limit, 0 }), less = sli_dd_less(n, times);
    const double rounded = 12 * 0x1p-106 * (fabs(n.high) + fabs(times.high));
    const double error = m->wide_n.error + fabs(limit) * m->wide_d.error + rounded;
    sli_dd dir[3], a[3];
    intersection_dd_direction(m->ray, dir);
    sli_dd_differences(m->v[0], m->ray->origin, a);
    const double n_step = sli_step_of_product(a, m->wide_side[0], m->wide_side[1]);
    const double d_step = sli_step_of_product(dir, m->wide_side[0], m->wide_side[1]);
    *step = fmin(n_step, d_step * sli_step_power(sli_step_exponent(limit)));
    return (sli_dd_known){ less.high, less.low, error * (1 + 0x1p-40) };
}

/* Where t is 0 or 1 at a point, the side of the plane that it is on decides: N - D = det(v0 - end,
 * v1 - v0, v2 - v0), which has no size but that of the triangle if the end is near it. */
bool sli_intersection_wide_compare(intersection *m, double limit, int *sign)
{
    double step = 0, end[3];
    const bool at_point = limit == 0 || (limit == 1 && sli_intersection_end(m->ray, end));
    const double *point = limit == 0 ? m->ray->origin : end;
    const sli_dd_known x =
        at_point ? intersection_dd_side(m, point) : intersection_dd_beyond(m, limit, &step);
    step = at_point ? intersection_dd_side_step(m, point) : step;
    return intersection_dd_sign(&x, step, sign);
}

/* Often t is exactly in the middle between two floats, as the distance of two floats along an axis
 * is: then a comparison with that middle decides. */
bool sli_intersection_wide_float_t(intersection *m, float *t)
{
    double low, high;
    int sign;
    make_wide(m);
    if (!intersection_dd_between(&m->wide_n, &m->wide_d, &low, &high)) {
        return false;
    }
    if (sli_rounds_alike(low, high, t)) {
        return true;
    }
    const float below = (float)low, above = (float)high;
    const double middle = ((double)below + (double)above) / 2;
    if (isinf(above) || nextafterf(below, INFINITY) != above ||
        !sli_intersection_wide_compare(m, middle, &sign)) {
        return false;
    }
    *t = sign == 0 ? (float)middle : sign * m->sign_d < 0 ? below : above;
    *t += 0.0f;
    return true;
}
