/* A box of any orientation around points.
 *
 * Along float axes a_i that are nearly perpendicular, a point at w from the centre has coordinates
 *     x_i = w . (a_j x a_k) / det,
 * exactly, whatever the axes are.  The centre is the midpoint between the smallest and the largest
 * coordinates, rounded; each half is the smallest float with |x_i| <= half_i for every point,
 * exactly.
 *
 * Double stage: products of floats are exact in double, so a_j x a_k has a relative error of eps.
 * Its product with w, and det, are sums of three such terms and off by at most 8 eps times the sum
 * of the terms' sizes.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996), for the axes. */
#include "lib/base/fpenv.h"
#include "lib/geom/bounds/point_set.h"
#include "lib/geom/exact/arithmetic/number.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

#define EPS 0x1p-53

/* A box, with across[i] = a_j x a_k and the sizes of the terms in it. */
typedef struct fit {
    sl_obb box;
    double across[3][3], size[3][3];
    double det, det_error;
} fit;

static void bounding_obb_prepare(fit *f)
{
    for (int i = 0; i < 3; i++) {
        const float *a = f->box.axis[(i + 1) % 3], *b = f->box.axis[(i + 2) % 3];
        for (int axis = 0; axis < 3; axis++) {
            const int j = (axis + 1) % 3, k = (axis + 2) % 3;
            const double left = (double)a[j] * (double)b[k], right = (double)a[k] * (double)b[j];
            f->across[i][axis] = left - right;
            f->size[i][axis] = fabs(left) + fabs(right);
        }
    }
    f->det = f->det_error = 0;
    for (int axis = 0; axis < 3; axis++) {
        f->det += f->box.axis[0][axis] * f->across[0][axis];
        f->det_error += 8 * EPS * fabs(f->box.axis[0][axis] * f->size[0][axis]);
    }
}

/* The middle of the points along each axis, in doubles. */
static void find_centre(const sli_point_set *points, fit *f)
{
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    double point[3];
    for (size_t n = 0; n < points->count; n++) {
        if (!sli_point_set_framed(points, n, point)) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const double *c = f->across[i];
            const double x = (point[0] * c[0] + point[1] * c[1] + point[2] * c[2]) / f->det;
            low[i] = fmin(low[i], x);
            high[i] = fmax(high[i], x);
        }
    }
    double centre[3] = { 0, 0, 0 };
    for (int i = 0; i < 9; i++) {
        centre[i % 3] += (low[i / 3] + high[i / 3]) / 2 * f->box.axis[i / 3][i % 3];
    }
    sli_point_set_unframe(points, centre, f->box.centre);
}

/* |x_i| of a point, rounded up to a float. */
static float bounding_obb_reach(const fit *f, int i, const float point[3])
{
    sli_number w[3], a[3][3], cross[3], x, det, rest;
    bool unsure = false;
    for (int axis = 0; axis < 9; axis++) {
        sli_number_set(f->box.axis[axis / 3][axis % 3], true, &a[axis / 3][axis % 3]);
    }
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(point[axis], f->box.centre[axis], true, &w[axis]);
    }
    sli_number_cross(a[(i + 1) % 3], a[(i + 2) % 3], cross);
    sli_number_dot(w, cross, &x);
    sli_number_dot(a[i], cross, &det);
    sli_number_turn(&x, sli_number_sign(&x, &unsure));
    sli_number_turn(&det, sli_number_sign(&det, &unsure));
    const float nearest = sli_number_round_ratio(&x, &det, &unsure);
    if (isinf(nearest)) {
        return nearest;
    }
    sli_number_set(nearest, true, &rest);
    sli_number_mul(&rest, &det, &rest);
    sli_number_sub(&x, &rest, &rest);
    return sli_number_sign(&rest, &unsure) > 0 ? nextafterf(nearest, INFINITY) : nearest;
}

/* w . across[i] and its error. */
static double bounding_obb_along(const fit *f, int i, const float point[3], double *error)
{
    double sum = 0, size = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double w = (double)point[axis] - (double)f->box.centre[axis];
        sum += w * f->across[i][axis];
        size += fabs(w) * f->size[i][axis];
    }
    *error = 8 * EPS * size;
    return fabs(sum);
}

/* Starts with halves that are certainly not too large, so that few points need exact arithmetic. */
static void start_halves(const sli_point_set *points, fit *f)
{
    double least[3] = { 0, 0, 0 };
    for (size_t n = 0; n < points->count; n++) {
        const float *point = sli_point_set_at(points, n);
        for (int i = 0; i < 3 && point != NULL; i++) {
            double error;
            const double x = bounding_obb_along(f, i, point, &error);
            least[i] = fmax(least[i], x - error);
        }
    }
    for (int i = 0; i < 3; i++) {
        f->box.half[i] = (float)(least[i] / (f->det + f->det_error) * (1 - 0x1p-48));
    }
}

static void find_halves(const sli_point_set *points, fit *f)
{
    start_halves(points, f);
    for (size_t n = 0; n < points->count; n++) {
        const float *point = sli_point_set_at(points, n);
        for (int i = 0; i < 3 && point != NULL; i++) {
            double error;
            const double x = bounding_obb_along(f, i, point, &error);
            const double limit = f->box.half[i] * (f->det - f->det_error) * (1 - 0x1p-48);
            if (x + error > limit) {
                f->box.half[i] = fmaxf(f->box.half[i], bounding_obb_reach(f, i, point));
            }
        }
    }
}

/* An eighth of the surface of the box; infinite if a half is. */
static double fit_box(const sli_point_set *points, fit *f)
{
    bounding_obb_prepare(f);
    find_centre(points, f);
    find_halves(points, f);
    const float *h = f->box.half;
    if (!sli_finite(h, 3)) {
        return INFINITY;
    }
    return (double)h[0] * (double)h[1] + (double)h[1] * (double)h[2] + (double)h[2] * (double)h[0];
}

static SLI_NOINLINE bool make_box(const float *xyz, const uint32_t *indices, size_t count,
                                  sl_obb *out)
{
    sli_point_set points;
    if (!sli_point_set_make(xyz, indices, count, &points)) {
        return false;
    }
    fit principal = { .det = 0 },
        upright = { .box.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
    sli_principal_axes(&points, principal.box.axis);
    const double turned_size = fit_box(&points, &principal),
                 upright_size = fit_box(&points, &upright);
    if (isinf(turned_size) && isinf(upright_size)) {
        return false;
    }
    *out = upright_size <= turned_size ? upright.box : principal.box;
    return true;
}

bool sl_obb_of_points(const float *xyz, const uint32_t *indices, size_t count, sl_obb *out)
{
    return SLI_IN_FPENV(make_box(xyz, indices, count, out));
}
