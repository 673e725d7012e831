/* Directions that stand upright on surfaces, carried by a transform: by the transpose of the
 * inverse, which is the matrix of cofactors over the determinant, of which only the sign matters.
 *
 * Columns and rows are first multiplied by powers of two that bring their largest elements close to
 * 1, and the direction by their inverses: that changes no rounding, and nothing over- or
 * underflows, whatever the scales of the transform.  The cofactors are rounded once, from twice the
 * digits of doubles, so the direction is off by less than 2^-48 times the condition of the linear
 * part: by 2^-28 where a scene accepts the transform. */
#include "lib/geom/exact/arithmetic/double_double.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/transform/transform.h"

#include <stdlib.h>

/* The exponent of the largest of three; false where there is none, or one is not finite. */
static bool exponent_of(double a, double b, double c, int *exponent)
{
    const double largest = fmax(fmax(fabs(a), fabs(b)), fabs(c));
    if (!(largest > 0) || !isfinite(a) || !isfinite(b) || !isfinite(c)) {
        return false;
    }
    (void)frexp(largest, exponent);
    return true;
}

bool sli_transform_level(double m[3][3], int columns[3], int rows[3])
{
    for (int k = 0; k < 3; k++) {
        if (!exponent_of(m[0][k], m[1][k], m[2][k], &columns[k])) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            m[i][k] = ldexp(m[i][k], -columns[k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!exponent_of(m[i][0], m[i][1], m[i][2], &rows[i])) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            m[i][k] = ldexp(m[i][k], -rows[i]);
        }
    }
    return true;
}

/* The matrix of cofactors and the sign of the determinant; 0 where twice the digits of doubles do
 * not tell it from none: each product of three is off by less than 2^-97 of itself. */
static int normal_cofactors(const double m[3][3], double out[3][3])
{
    sli_dd det = { 0, 0 };
    double size = 0;
    for (int i = 0; i < 3; i++) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int k = 0; k < 3; k++) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            const sli_dd left = sli_dd_of_product(m[i1][k1], m[i2][k2]);
            const sli_dd right = sli_dd_of_product(m[i1][k2], m[i2][k1]);
            const sli_dd cofactor = sli_dd_sum(left, sli_dd_negated(right));
            out[i][k] = cofactor.high;
            if (i == 0) {
                det = sli_dd_sum(det, sli_dd_product((sli_dd){ m[0][k], 0 }, cofactor));
                size += fabs(m[0][k]) * (fabs(left.high) + fabs(right.high));
            }
        }
    }
    const bool sure = fabs(det.high) > size * 0x1p-95 + 0x1p-900;
    return !sure ? 0 : det.high > 0 ? 1 : -1;
}

void sli_normal_rescale(const double x[3], const int shift[3], double out[3])
{
    double digits[3];
    int exponent[3], most = -(1 << 20);
    for (int i = 0; i < 3; i++) {
        digits[i] = frexp(x[i], &exponent[i]);
        exponent[i] -= shift[i];
        most = digits[i] != 0 && exponent[i] > most ? exponent[i] : most;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = digits[i] != 0 ? ldexp(digits[i], exponent[i] - most) : 0;
    }
}

/* Transforms that need levelling are rare: of the others the exponents go into the matrix. */
static bool is_plain(const sli_upright *upright)
{
    enum { MOST = 50 };
    for (int i = 0; i < 3; i++) {
        if (abs(upright->columns[i]) > MOST || abs(upright->rows[i]) > MOST) {
            return false;
        }
    }
    return true;
}

static bool is_still(const sl_transform *transform)
{
    for (int i = 0; i < 9; i++) {
        if (transform->m[i / 3][i % 3] != (i % 4 == 0 ? 1 : 0)) {
            return false;
        }
    }
    return true;
}

bool sli_upright_make(const sl_transform *transform, sli_upright *out)
{
    double m[3][3];
    for (int i = 0; i < 9; i++) {
        m[i / 3][i % 3] = transform->m[i / 3][i % 3];
    }
    const int sign = sli_transform_level(m, out->columns, out->rows)
                         ? normal_cofactors((const double(*)[3])m, out->c)
                         : 0;
    out->still = is_still(transform);
    out->flat = sign == 0;
    if (out->flat) {
        return false;
    }
    out->plain = is_plain(out);
    for (int i = 0; i < 9; i++) {
        const int shift = out->plain ? out->columns[i % 3] + out->rows[i / 3] : 0;
        out->c[i / 3][i % 3] = sign * ldexp(out->c[i / 3][i % 3], -shift);
    }
    return true;
}

void sli_upright_turn(const sli_upright *upright, const double normal[3], double out[3])
{
    double n[3] = { normal[0], normal[1], normal[2] };
    if (!upright->plain) {
        sli_normal_rescale(normal, upright->columns, n);
    }
    for (int i = 0; i < 3; i++) {
        const double *c = upright->c[i];
        out[i] = sli_dot(c, n);
    }
    if (!upright->plain) {
        sli_normal_rescale(out, upright->rows, out);
    }
}

void sli_upright_unit(const sli_upright *upright, double normal[3])
{
    if (upright->still || !isfinite(normal[0]) || !isfinite(normal[1]) || !isfinite(normal[2])) {
        return;
    }
    double turned[3] = { 0, 0, 0 };
    if (!upright->flat) {
        sli_upright_turn(upright, normal, turned);
    }
    sli_norm_divide(turned, normal);
}
