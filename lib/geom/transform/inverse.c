/* Inverses of transforms, and points, vectors and normals of the world in the object's space.
 *
 * The linear part times x is b: by Cramer's rule each coordinate of x is a ratio of determinants,
 * which are expansions, and the ratio is rounded once.  Columns and rows, and b, are first
 * multiplied by powers of two that bring their largest numbers close to 1.  What then is not a
 * multiple of 2^-200 is rounded to one, so that cofactors are multiples of 2^-400, both
 * determinants multiples of 2^-600 below 2^4, and have no more than SLI_DET3_MAX components.  That
 * concerns numbers below 2^-147 of those beside them alone. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/expansion.h"
#include "lib/geom/exact/arithmetic/ratio.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/transform/transform.h"

#include <string.h>

enum { COFACTOR_MAX = 4, NUMERATOR_MAX = 3 * 4 * COFACTOR_MAX };

typedef struct inverse {
    int columns[3], rows[3]; /* exponents that the linear part was levelled by */
    int n[3][3], det_n;
    double c[3][3][COFACTOR_MAX]; /* of the levelled matrix: cofactors, and the determinant */
    double det[6 * COFACTOR_MAX];
    double error; /* no answer so far is off by more */
} inverse;

static int of_product(double a, double b, double out[2])
{
    return sli_expansion_scale(a != 0, &a, b, out);
}

/* False where the determinant is 0. */
static bool inverse_make(const sl_transform *transform, inverse *out)
{
    double m[3][3], sum[6 * COFACTOR_MAX] = { 0 };
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = transform->m[i / 3][i % 3];
    }
    if (!sli_transform_level(m, out->columns, out->rows)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = sli_round_to_grid(m[i / 3][i % 3], 0x1p-200);
    }
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, i1 = (row + 1) % 3, i2 = (row + 2) % 3;
        const int k = i % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
        double left[2], right[2];
        const int left_n = of_product(m[i1][k1], m[i2][k2], left);
        const int right_n = of_product(m[i1][k2], m[i2][k1], right);
        out->n[row][k] = sli_expansion_diff(left_n, left, right_n, right, out->c[row][k]);
    }
    out->det_n = 0;
    out->error = 0;
    for (int k = 0; k < 3; k++) {
        double part[2 * COFACTOR_MAX];
        const int part_n = sli_expansion_scale(out->n[0][k], out->c[0][k], m[0][k], part);
        const int sum_n = sli_expansion_sum(part_n, part, out->det_n, out->det, sum);
        out->det_n = sli_expansion_compress(sum_n, sum);
        memcpy(out->det, sum, sizeof sum);
    }
    return out->det_n > 0;
}

/* b levelled as the rows are, and times 2^-exponent. */
static bool inverse_level(const inverse *of, const double a[3], const double less[3], sli_diff b[3],
                          int *exponent)
{
    int found = -(1 << 20);
    for (int i = 0; i < 3; i++) {
        b[i] = sli_diff_make(a[i], less[i]);
        int own = found;
        if (b[i].n > 0) {
            const double largest = b[i].c[b[i].n - 1];
            if (!isfinite(largest)) {
                return false;
            }
            (void)frexp(largest, &own);
            own -= of->rows[i];
        }
        found = own > found ? own : found;
    }
    for (int i = 0; i < 3; i++) {
        int n = 0;
        for (int j = 0; j < b[i].n; j++) {
            const double c = ldexp(b[i].c[j], -of->rows[i] - found);
            b[i].c[n] = sli_round_to_grid(c, 0x1p-200);
            n += b[i].c[n] != 0;
        }
        b[i].n = n;
    }
    *exponent = found;
    return true;
}

/* The solution for b = a - less.  False where a number is not finite. */
static bool inverse_solve(inverse *of, const double a[3], const double less[3], double out[3])
{
    sli_diff b[3];
    int exponent;
    if (!sli_are_finite(a, 3) || !sli_are_finite(less, 3) ||
        !inverse_level(of, a, less, b, &exponent)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        double num[NUMERATOR_MAX], sum[NUMERATOR_MAX], part[4 * COFACTOR_MAX];
        int n = 0;
        for (int i = 0; i < 3; i++) {
            const int part_n = sli_expansion_times_diff(of->n[i][k], of->c[i][k], &b[i], part);
            const int sum_n = sli_expansion_sum(part_n, part, n, num, sum);
            n = sli_expansion_compress(sum_n, sum);
            memcpy(num, sum, (size_t)n * sizeof *num);
        }
        const double x = n > 0 ? sli_ratio_round(n, num, of->det_n, of->det) : 0;
        const int shift = exponent - of->columns[k];
        out[k] = n > 0 ? ldexp(x, shift) : 0;
        if (!isfinite(out[k])) {
            return false;
        }
        if (n > 0 &&
            (ldexp(out[k], -shift) != x || sli_ratio_compare(n, num, of->det_n, of->det, x) != 0)) {
            of->error = fmax(of->error, fmax(fabs(out[k]) * 0x1p-53, 0x1p-1074));
        }
    }
    return true;
}

static SLI_NOINLINE bool transform_invert(const sl_transform *transform, sl_transform *out,
                                          double *error)
{
    static const double none[3] = { 0, 0, 0 };
    const double moved[3] = { transform->m[0][3], transform->m[1][3], transform->m[2][3] };
    inverse of;
    sl_transform made;
    if (!inverse_make(transform, &of)) {
        return false;
    }
    for (int k = 0; k < 4; k++) {
        const double axis[3] = { k == 0, k == 1, k == 2 };
        double column[3];
        if (!inverse_solve(&of, axis, k < 3 ? none : moved, column)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            made.m[i][k] = column[i];
        }
    }
    *out = made;
    if (error != NULL) {
        *error = of.error;
    }
    return true;
}

bool sl_transform_inverse(const sl_transform *transform, sl_transform *out, double *error)
{
    return SLI_IN_FPENV(transform_invert(transform, out, error));
}

/* Takes a normal to the object, by the transpose of the linear part. */
static bool normal_into(const sl_transform *transform, const inverse *of, const double normal[3],
                        double out[3])
{
    double n[3], sum[3] = { 0, 0, 0 };
    int shifts[3];
    if (!sli_are_finite(normal, 3)) {
        return false;
    }
    sli_normal_rescale(normal, (const int[3]){ -of->rows[0], -of->rows[1], -of->rows[2] }, n);
    for (int k = 0; k < 3; k++) {
        shifts[k] = -of->columns[k];
        for (int i = 0; i < 3; i++) {
            sum[k] += ldexp(transform->m[i][k], -of->columns[k] - of->rows[i]) * n[i];
        }
    }
    sli_normal_rescale(sum, shifts, n);
    sli_norm_divide(n, out);
    return true;
}

static SLI_NOINLINE bool transform_to_object(const sl_transform *transform, sl_coordinates kind,
                                             const double world[3], double out[3])
{
    const double moved[3] = { transform->m[0][3], transform->m[1][3], transform->m[2][3] };
    static const double none[3] = { 0, 0, 0 };
    inverse of;
    double made[3];
    if (!inverse_make(transform, &of) || !sli_are_finite(moved, 3) ||
        !(kind == SL_NORMAL ? normal_into(transform, &of, world, made)
                            : inverse_solve(&of, world, kind == SL_POINT ? moved : none, made))) {
        return false;
    }
    memcpy(out, made, sizeof made);
    return true;
}

bool sl_transform_to_object(const sl_transform *transform, sl_coordinates kind,
                            const double world[3], double out[3])
{
    return SLI_IN_FPENV(transform_to_object(transform, kind, world, out));
}
