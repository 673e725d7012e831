/* Numbers with an error bound and, on request, an exact value: what number.h does not inline,
 * mostly the exact stage, in expansions. */
#include "lib/geom/exact/arithmetic/number.h"

#include "lib/base/assert.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

/* Sums of up to UNCOMPRESSED_MAX components are not compressed. */
enum { UNCOMPRESSED_MAX = 6 };

/* Sets *out to the expansion h, which is compressed or has few components. */
static void number_finish(int n, const double *h, sli_number *out)
{
    SL_ASSERT(n <= SLI_NUMBER_MAX);
    for (int i = 0; i < n; i++) {
        out->c[i] = h[i];
    }
    out->n = n;
    out->value = sli_expansion_estimate(n, h);
    out->error = n > 1 ? fabs(out->value) * 0x1p-51 : 0;
}

void sli_number_make_diff(double a, double b, sli_number *out)
{
    const sli_diff d = sli_diff_make(a, b);
    number_finish(d.n, d.c, out);
}

void sli_number_make_sum(const sli_number *x, const sli_number *y, int sign, sli_number *out)
{
    double h[2 * SLI_NUMBER_MAX];
    int n = sign > 0 ? sli_expansion_sum(x->n, x->c, y->n, y->c, h)
                     : sli_expansion_diff(x->n, x->c, y->n, y->c, h);
    n = n > UNCOMPRESSED_MAX ? sli_expansion_compress(n, h) : n;
    number_finish(n, h, out);
}

void sli_number_make_product(const sli_number *x, const sli_number *y, sli_number *out)
{
    const sli_number *longer = x->n >= y->n ? x : y, *shorter = longer == x ? y : x;
    double h[SLI_NUMBER_MAX];
    const int n = sli_expansion_product(longer->n, longer->c, shorter->n, shorter->c, h);
    number_finish(n, h, out);
}

void sli_number_turn(sli_number *x, int sign)
{
    x->value *= sign;
    x->error *= sign * sign;
    for (int i = 0; i < x->n; i++) {
        x->c[i] *= sign;
    }
    x->n = sign == 0 && x->n > 0 ? 0 : x->n;
}

void sli_number_div(const sli_number *x, const sli_number *y, sli_number *out)
{
    const double least = (fabs(y->value) - y->error) * (1 - 0x1p-48);
    const double q = x->value / y->value;
    out->n = -1;
    if (!(least > 0) || !isfinite(x->error)) {
        out->value = 0;
        out->error = INFINITY;
        return;
    }
    out->value = q;
    out->error = sli_certain((x->error + fabs(q) * y->error) / least + fabs(q) * 0x1p-53);
}

/* |sqrt(v) - sqrt(x)| = |v - x| / (sqrt(v) + sqrt(x)) <= error / sqrt(v). */
void sli_number_sqrt(const sli_number *x, sli_number *out)
{
    const double root = sqrt(x->value > 0 ? x->value : 0), error = x->error;
    const bool far_from_zero = x->value > error;
    out->error = sli_certain((far_from_zero ? error / root : sqrt(2 * error)) + root * 0x1p-53);
    out->value = root;
    out->n = -1;
}

static const sli_number one = { 1, 0, 1, { 1 } };

float sli_number_round(const sli_number *x, bool *unsure)
{
    return sli_number_round_ratio(x, &one, unsure);
}

float sli_number_round_ratio(const sli_number *x, const sli_number *y, bool *unsure)
{
    if (x->n >= 0 && y->n >= 0) {
        return y->n > 0 ? sli_expansion_round_ratio(x->n, x->c, y->n, y->c) : 0;
    }
    sli_number q;
    float rounded;
    sli_number_div(x, y, &q);
    const double margin = q.error + fabs(q.value) * 0x1p-52;
    if (sli_rounds_alike(q.value - margin, q.value + margin, &rounded)) {
        return rounded;
    }
    *unsure = true;
    return 0;
}

/* Maps floats to integers in the same order, both zeros to 0; and back. */
static int32_t rank_of(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >= 0 ? bits : INT32_MIN - bits;
}

static float of_rank(int32_t rank)
{
    const int32_t bits = rank >= 0 ? rank : INT32_MIN - rank;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

float sli_round_by_order(double low, double high, int (*order)(const void *user, double boundary),
                         const void *user)
{
    /* NaNs are not ranked by their bits: the sign of inf - inf depends on the machine. */
    int32_t from = rank_of(isnan(low) ? -INFINITY : (float)low);
    int32_t to = rank_of(isnan(high) ? INFINITY : (float)high);
    while (from < to) {
        const int32_t middle = (int32_t)(((int64_t)from + to) >> 1);
        const double below = (double)of_rank(middle), above = (double)of_rank(middle + 1);
        const double boundary = above > FLT_MAX    ? 0x1.ffffffp127
                                : below < -FLT_MAX ? -0x1.ffffffp127
                                                   : (below + above) / 2;
        const int side = order(user, boundary);
        if (side == 0) {
            return (float)boundary + 0.0f; /* the tie */
        }
        from = side > 0 ? middle + 1 : from;
        to = side > 0 ? to : middle;
    }
    return of_rank(from);
}

void sli_number_set3(const float x[3], bool exact, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(x[axis], exact, &out[axis]);
    }
}

void sli_number_diff3(const float a[3], const float b[3], bool exact, sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_diff(a[axis], b[axis], exact, &out[axis]);
    }
}

void sli_number_copy3(const sli_number x[3], sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_copy(&x[axis], &out[axis]);
    }
}

void sli_number_sub3(const sli_number a[3], const sli_number b[3], sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_sub(&a[axis], &b[axis], &out[axis]);
    }
}

void sli_number_scale3(const sli_number *by, const sli_number v[3], sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number_mul(by, &v[axis], &out[axis]);
    }
}

void sli_number_step3(const sli_number *by, const sli_number v[3], int sign, sli_number at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number step;
        sli_number_mul(by, &v[axis], &step);
        sli_number_sum(&at[axis], &step, sign, &at[axis]);
    }
}

void sli_number_dot(const sli_number a[3], const sli_number b[3], sli_number *out)
{
    sli_number x, y, z;
    sli_number_mul(&a[0], &b[0], &x);
    sli_number_mul(&a[1], &b[1], &y);
    sli_number_mul(&a[2], &b[2], &z);
    sli_number_add(&x, &y, &x);
    sli_number_add(&x, &z, out);
}

void sli_number_cross(const sli_number a[3], const sli_number b[3], sli_number out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        sli_number left, right;
        sli_number_mul(&a[j], &b[k], &left);
        sli_number_mul(&a[k], &b[j], &right);
        sli_number_sub(&left, &right, &out[axis]);
    }
}

void sli_number_normal(const sli_number across[3], const sli_number along[3],
                       const sli_number *scale, const sli_number *size, float normal[3],
                       bool *unsure)
{
    for (int axis = 0; axis < 3; axis++) {
        sli_number x;
        sli_number_mul(scale, &along[axis], &x);
        sli_number_add(&across[axis], &x, &x);
        sli_number_div(&x, size, &x);
        if (x.error > 0x1p-40) {
            *unsure = true;
        }
        normal[axis] = (float)x.value + 0.0f;
    }
}
