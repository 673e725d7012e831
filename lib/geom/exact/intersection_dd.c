/* Between doubles and expansions: t, u and v of a hit in double-doubles, with a bound of their
 * error.  Nearly every t needs it that is rounded to a double, and every u and v of a small
 * triangle far away; expansions take ten times as long. */
#include "lib/geom/exact/arithmetic/determinant_dd.h"
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

/* N and D of t. */
static void make_wide(intersection *m)
{
    if (m->has_wide) {
        return;
    }
    sli_dd dir[3], side1[3], side2[3], a[3], n[3];
    double permanent[3];
    intersection_dd_direction(m->ray, dir);
    sli_dd_differences(m->v[1], m->v[0], side1);
    sli_dd_differences(m->v[2], m->v[0], side2);
    sli_dd_differences(m->v[0], m->ray->origin, a);
    sli_dd_cross(side1, side2, n, permanent);
    m->wide_d = sli_dd_determinant(dir, n, permanent);
    m->wide_n = sli_dd_determinant(a, n, permanent);
    m->has_wide = true;
}

/* The weight of vertex i, det(d, b, c - b) or det(d, c, c - b). */
static sli_dd_known intersection_dd_weight(const intersection *m, int i)
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
    return sli_dd_determinant(dir, n, permanent);
}

bool sli_intersection_wide_t(intersection *m, double *t)
{
    sli_dd_known q;
    make_wide(m);
    return sli_dd_quotient(&m->wide_n, &m->wide_d, &q) && sli_dd_round(&q, t);
}

static bool intersection_dd_round(const sli_dd_known *x, const sli_dd_known *d, float *out)
{
    sli_dd_known q;
    if (!sli_dd_quotient(x, d, &q)) {
        return false;
    }
    const double margin = q.error + fabs(q.high) * 0x1p-51;
    return sli_rounds_alike(q.high - margin, q.high + margin, out);
}

bool sli_intersection_wide_weight(intersection *m, int i, float *weight_of)
{
    make_wide(m);
    const sli_dd_known x = intersection_dd_weight(m, i);
    return intersection_dd_round(&x, &m->wide_d, weight_of);
}

bool sli_intersection_wide_float_t(intersection *m, float *t)
{
    make_wide(m);
    return intersection_dd_round(&m->wide_n, &m->wide_d, t);
}
