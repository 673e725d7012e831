/* Between doubles and expansions: t, u and v of a hit in double-doubles, with a bound of their
 * error.  Nearly every t needs it that is rounded to a double, and every u and v of a small
 * triangle far away; expansions take ten times as long.
 *
 * Differences of coordinates are exact.  With the sizes of double_double.h, a minor of a
 * determinant is off by (8.01 + 3.01) u^2 of its permanent, a component times a minor by 8.01 u^2
 * more, and the sum of three by 2 * 3.01 u^2 of the determinant's permanent: 25.1 u^2 in all.
 * 32 u^2 of the permanent as computed in doubles, which is off by less than 2^-49 of itself, are
 * allowed.
 *
 * A quotient of double-doubles q = N / D is q0 = N / D in doubles and what q0 D leaves of N over D:
 * of that, at most 2.1 u |N|, the product q0 D.low, three sums and the division, by D.high alone,
 * lose less than 16 u^2 |N / D|, which is allowed; and with it the errors of N and D.
 *
 * Range: coordinates are multiples of 2^-149 no larger than FLT_MAX, so determinants and all that
 * is made on the way are multiples of 2^-447 below 2^391: products are exact where they should be.
 * A ratio is between 2^-838 and 2^838 or 0, and the parts of it are no smaller than 2^-1000. */
#include "lib/geom/exact/arithmetic/double_double.h"
#include "lib/geom/exact/intersection.h"

#include <math.h>

#define UU                0x1p-106
#define DETERMINANT_ERROR (32 * UU)
#define QUOTIENT_ERROR    (16 * UU)

static void intersection_dd_differences(const double a[3], const double b[3], sli_dd out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = sli_dd_difference(a[axis], b[axis]);
    }
}

static void intersection_dd_direction(const sli_exact_ray *ray, sli_dd out[3])
{
    const double zero[3] = { 0, 0, 0 };
    if (ray->segment) {
        intersection_dd_differences(ray->end, ray->origin, out);
    } else {
        intersection_dd_differences(ray->dir, zero, out);
    }
}

/* a x b, and the permanents of its components. */
static void intersection_dd_cross(const sli_dd a[3], const sli_dd b[3], sli_dd out[3],
                                  double permanent[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const sli_dd left = sli_dd_product(a[j], b[k]), right = sli_dd_product(a[k], b[j]);
        out[axis] = sli_dd_sum(left, sli_dd_negated(right));
        permanent[axis] = fabs(left.high) + fabs(right.high);
    }
}

/* a . n, where n is a cross product. */
static intersection_wide intersection_dd_dot(const sli_dd a[3], const sli_dd n[3],
                                             const double permanent[3])
{
    const sli_dd xy = sli_dd_sum(sli_dd_product(a[0], n[0]), sli_dd_product(a[1], n[1]));
    const sli_dd sum = sli_dd_sum(xy, sli_dd_product(a[2], n[2]));
    const double size = (fabs(a[0].high) * permanent[0] + fabs(a[1].high) * permanent[1]) +
                        fabs(a[2].high) * permanent[2];
    return (intersection_wide){ sum.high, sum.low, DETERMINANT_ERROR * (1 + 0x1p-40) * size };
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
    intersection_dd_differences(m->v[1], m->v[0], side1);
    intersection_dd_differences(m->v[2], m->v[0], side2);
    intersection_dd_differences(m->v[0], m->ray->origin, a);
    intersection_dd_cross(side1, side2, n, permanent);
    m->wide_d = intersection_dd_dot(dir, n, permanent);
    m->wide_n = intersection_dd_dot(a, n, permanent);
    m->has_wide = true;
}

/* The weight of vertex i, det(d, b, c - b) or det(d, c, c - b). */
static intersection_wide intersection_dd_weight(const intersection *m, int i)
{
    const double *b = m->v[(i + 1) % 3], *c = m->v[(i + 2) % 3];
    sli_dd dir[3], side[3], near[3], n[3];
    double permanent[3], b_size = 0, c_size = 0;
    for (int axis = 0; axis < 3; axis++) {
        b_size += fabs(m->corner[(i + 1) % 3][axis]);
        c_size += fabs(m->corner[(i + 2) % 3][axis]);
    }
    intersection_dd_direction(m->ray, dir);
    intersection_dd_differences(c, b, side);
    intersection_dd_differences(c_size < b_size ? c : b, m->ray->origin, near);
    intersection_dd_cross(near, side, n, permanent);
    return intersection_dd_dot(dir, n, permanent);
}

/* x / D as a sum of two doubles, off by no more than *error; false if nothing is known. */
static bool intersection_dd_quotient(const intersection_wide *x, const intersection_wide *d,
                                     sli_dd *q, double *error)
{
    const double least = (fabs(d->high) - d->error) * (1 - 0x1p-40);
    if (!(least > 0)) {
        return false;
    }
    const double first = x->high / d->high;
    const sli_dd product = sli_dd_of_product(first, d->high);
    const double rest = (((x->high - product.high) - product.low) + x->low) - first * d->low;
    *q = sli_dd_of_parts(first, rest / d->high);
    const double size = fabs(first);
    *error = ((x->error + size * d->error) / least + size * QUOTIENT_ERROR) * (1 + 0x1p-40);
    return true;
}

bool sli_intersection_wide_t(intersection *m, double *t)
{
    sli_dd q;
    double error;
    make_wide(m);
    if (!intersection_dd_quotient(&m->wide_n, &m->wide_d, &q, &error)) {
        return false;
    }
    /* The sums with q.low are rounded once. */
    const double margin = error + fabs(q.low) * 0x1p-52;
    const double low = q.high + (q.low - margin), high = q.high + (q.low + margin);
    *t = low == 0 ? 0.0 : low;
    return low == high;
}

static bool intersection_dd_round(const intersection_wide *x, const intersection_wide *d,
                                  float *out)
{
    sli_dd q;
    double error;
    if (!intersection_dd_quotient(x, d, &q, &error)) {
        return false;
    }
    const double margin = error + fabs(q.high) * 0x1p-51;
    return sli_rounds_alike(q.high - margin, q.high + margin, out);
}

bool sli_intersection_wide_weight(intersection *m, int i, float *weight_of)
{
    make_wide(m);
    const intersection_wide x = intersection_dd_weight(m, i);
    return intersection_dd_round(&x, &m->wide_d, weight_of);
}

bool sli_intersection_wide_float_t(intersection *m, float *t)
{
    make_wide(m);
    return intersection_dd_round(&m->wide_n, &m->wide_d, t);
}
