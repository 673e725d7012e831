/* Numbers with an error bound and, on request, an exact value: what number.h does not inline,
 * but for the exact stage (dyadic.c) and roundings (rounding.c). */
#include "lib/geom/exact/arithmetic/number.h"

void sli_number_turn(sli_number *x, int sign)
{
    if (sign == 0) {
        x->value = x->error = 0;
        x->n = x->n > 0 ? 0 : x->n;
    }
    x->value *= sign < 0 ? -1 : 1;
    x->sign = x->n > 0 ? x->sign * sign : 0;
}

/* Of exact numbers, mantissas are divided, so that only the quotient may be out of range. */
static void divide_exact(const sli_number *x, const sli_number *y, sli_number *out)
{
    int above, below;
    const double q = sli_number_mantissa(x, &above) / sli_number_mantissa(y, &below);
    out->value = ldexp(q, above - below);
    out->error = fabs(out->value) * 0x1p-50 + SLI_LOST;
}

void sli_number_div(const sli_number *x, const sli_number *y, sli_number *out)
{
    const bool exact = x->n > 0 && y->n > 0;
    const double least = (fabs(y->value) - y->error) * (1 - 0x1p-48);
    const double q = x->value / y->value;
    if (exact) {
        divide_exact(x, y, out);
    } else if (!(least > 0) || !isfinite(x->error)) {
        out->value = 0;
        out->error = INFINITY;
    } else {
        const double carried = y->error == 0 ? 0 : fabs(q) * y->error + 0x1p-1022;
        const double lost = fabs(q) < SLI_SMALL && !sli_number_is_zero(x) ? SLI_LOST : 0;
        out->error = sli_certain((x->error + carried) / least + fabs(q) * 0x1p-53) + lost;
        out->value = q;
    }
    out->n = -1;
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

int sli_number_sign_with_root(const sli_number *a, const sli_number *b, const sli_number *c,
                              bool *unsure)
{
    sli_number root, square;
    bool doubt = false;
    sli_number_sqrt(c, &root);
    sli_number_mul(b, &root, &root);
    sli_number_add(a, &root, &root);
    const int sign = sli_number_sign(&root, &doubt);
    if (!doubt) {
        return sign;
    }
    if (a->n < 0 || b->n < 0 || c->n < 0) {
        *unsure = true;
        return 0;
    }
    const int other = c->n == 0 ? 0 : b->sign;
    if (a->sign == 0 || other == 0 || a->sign == other) {
        return a->sign != 0 ? a->sign : other;
    }
    sli_number_mul(b, b, &square);
    sli_number_mul(&square, c, &square);
    sli_number_mul(a, a, &root);
    sli_number_sub(&root, &square, &root);
    return a->sign * root.sign;
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
