/* Makers and products of transforms, and the corner rule: the public face of transform.h. */
#include "lib/geom/transform/transform.h"

#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"

sl_transform sl_transform_identity(void)
{
    return (sl_transform){ { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
}

static bool give_finite(const sl_transform *transform, sl_transform *out)
{
    if (!sli_are_finite(transform->m[0], 12)) {
        return false;
    }
    *out = *transform;
    return true;
}

static SLI_NOINLINE bool from_matrix(const float matrix[16], sl_transform *out)
{
    if (matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1) {
        return false;
    }
    sl_transform transform;
    for (int i = 0; i < 12; i++) {
        transform.m[i / 4][i % 4] = matrix[4 * (i % 4) + i / 4];
    }
    return give_finite(&transform, out);
}

bool sl_transform_from_matrix(const float matrix[16], sl_transform *out)
{
    return SLI_IN_FPENV(from_matrix(matrix, out));
}

/* Brings numbers close to 1 by a power of two, lest their squares over- or underflow.  Returns the
 * largest of them; -1 where one is not finite. */
static double bring_close_to_1(const double *given, int count, double *out)
{
    double largest = 0;
    int exponent;
    for (int i = 0; i < count; i++) {
        if (!isfinite(given[i])) {
            return -1;
        }
        largest = fmax(largest, fabs(given[i]));
    }
    (void)frexp(largest, &exponent);
    for (int i = 0; i < count; i++) {
        out[i] = ldexp(given[i], -exponent);
    }
    return largest;
}

/* The rotation by a quaternion of any length but 0: every element is a quotient by the same sum of
 * squares, so that those of quarter turns are quotients of equal numbers. */
static bool transform_rotate(const double quaternion[4], double r[3][3])
{
    double q[4];
    if (!(bring_close_to_1(quaternion, 4, q) > 0)) {
        return false;
    }
    const double w = q[3], ww = w * w;
    const double sum = ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + ww;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i][i] = ((q[i] * q[i] + ww) - (q[j] * q[j] + q[k] * q[k])) / sum;
        r[j][i] = 2 * (q[i] * q[j] + q[k] * w) / sum;
        r[i][j] = 2 * (q[i] * q[j] - q[k] * w) / sum;
    }
    return true;
}

static SLI_NOINLINE bool from_trs(const double translation[3], const double rotation[4],
                                  const double scale[3], sl_transform *out)
{
    static const double zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 }, still[4] = { 0, 0, 0, 1 };
    const double *t = translation != NULL ? translation : zero, *s = scale != NULL ? scale : one;
    double r[3][3];
    if (!transform_rotate(rotation != NULL ? rotation : still, r)) {
        return false;
    }
    sl_transform transform;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++) {
            transform.m[axis][k] = r[axis][k] * s[k];
        }
        transform.m[axis][3] = t[axis];
    }
    return give_finite(&transform, out);
}

bool sl_transform_from_trs(const double translation[3], const double rotation[4],
                           const double scale[3], sl_transform *out)
{
    return SLI_IN_FPENV(from_trs(translation, rotation, scale, out));
}

static SLI_NOINLINE bool transform_product(const sl_transform *outer, const sl_transform *inner,
                                           sl_transform *out)
{
    sl_transform transform;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = outer->m[axis];
        for (int k = 0; k < 4; k++) {
            const double sum =
                (row[0] * inner->m[0][k] + row[1] * inner->m[1][k]) + row[2] * inner->m[2][k];
            transform.m[axis][k] = k < 3 ? sum : sum + row[3];
        }
    }
    return give_finite(&transform, out);
}

bool sl_transform_product(const sl_transform *outer, const sl_transform *inner, sl_transform *out)
{
    return SLI_IN_FPENV(transform_product(outer, inner, out));
}

static SLI_NOINLINE bool make_corner(const sl_transform *transform, double grid,
                                     const float vertex[3], double corner[3])
{
    double step, made[3];
    if (!sli_transform_grid(grid, &step)) {
        return false;
    }
    sli_transform_corner(transform, step, vertex, made);
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(made[axis]) <= FLT_MAX)) {
            return false;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        corner[axis] = made[axis];
    }
    return true;
}

bool sl_transform_corner(const sl_transform *transform, double grid, const float vertex[3],
                         double corner[3])
{
    return SLI_IN_FPENV(make_corner(transform, grid, vertex, corner));
}

static SLI_NOINLINE bool carry_normal(const sl_transform *transform, const double normal[3],
                                      double out[3])
{
    double n[3];
    sli_upright upright;
    if (bring_close_to_1(normal, 3, n) < 0 || !sli_upright_make(transform, &upright)) {
        return false;
    }
    sli_upright_turn(&upright, n, n);
    sli_norm_divide(n, out);
    return true;
}

bool sl_transform_normal(const sl_transform *transform, const double normal[3], double out[3])
{
    return SLI_IN_FPENV(carry_normal(transform, normal, out));
}
