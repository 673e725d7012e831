#include "test/support/oracle/rational.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* x = +-mantissa * 2^exponent with an odd mantissa; false for zero. */
static bool split(double x, uint64_t *mantissa, int *exponent, bool *negative)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52 & 0x7FF);
    *negative = bits >> 63 != 0;
    *mantissa = bits & 0xFFFFFFFFFFFFFu;
    *mantissa |= biased != 0 ? (uint64_t)1 << 52 : 0;
    *exponent = (biased != 0 ? biased : 1) - 1075;
    if (*mantissa == 0) {
        return false;
    }
    while ((*mantissa & 1) == 0) {
        *mantissa >>= 1;
        ++*exponent;
    }
    return true;
}

int rational_scale(size_t count, const double *x, int lowest)
{
    int scale = lowest;
    for (size_t i = 0; i < count; i++) {
        uint64_t mantissa;
        int exponent;
        bool negative;
        if (split(x[i], &mantissa, &exponent, &negative) && -exponent > scale) {
            scale = -exponent;
        }
    }
    return scale;
}

static void set_u64(mpz_t out, uint64_t value)
{
    mpz_import(out, 1, -1, sizeof value, 0, 0, &value);
}

void rational_scaled(mpz_t out, double x, int scale)
{
    uint64_t mantissa;
    int exponent;
    bool negative;
    if (!split(x, &mantissa, &exponent, &negative)) {
        mpz_set_ui(out, 0);
        return;
    }
    if (exponent + scale < 0) {
        abort(); /* the test's mistake */
    }
    set_u64(out, mantissa);
    mpz_mul_2exp(out, out, (mp_bitcnt_t)(exponent + scale));
    if (negative) {
        mpz_neg(out, out);
    }
}

/* a * 2^shift, for a shift that may be negative by scaling b instead. */
static void shift_either(mpz_t a, mpz_t b, int shift)
{
    if (shift >= 0) {
        mpz_mul_2exp(a, a, (mp_bitcnt_t)shift);
    } else {
        mpz_mul_2exp(b, b, (mp_bitcnt_t)-shift);
    }
}

/* The greatest e with 2^e <= a / b, for positive a and b. */
static int floor_log2(const mpz_t a, const mpz_t b)
{
    /* a / b lies between 2^(e - 1) and 2^(e + 1), both excluded. */
    const int e = (int)mpz_sizeinbase(a, 2) - (int)mpz_sizeinbase(b, 2);
    mpz_t x, y;
    mpz_init_set(x, a);
    mpz_init_set(y, b);
    shift_either(y, x, e);
    const int below = mpz_cmp(x, y) < 0;
    mpz_clears(x, y, NULL);
    return e - below;
}

/* |num / den| 2^shift rounded to so many digits, but to multiples of 2^lowest at least; infinite
 * from 2^top on. */
static double round_magnitude(const mpz_t num, const mpz_t den, int shift, int digits, int lowest,
                              int top)
{
    mpz_t a, b, quotient, rest;
    mpz_inits(a, b, quotient, rest, NULL);
    mpz_abs(a, num);
    mpz_abs(b, den);
    shift_either(a, b, shift);
    const int exponent = floor_log2(a, b);
    /* The weight of the last bit of the result. */
    const int last = exponent - digits + 1 > lowest ? exponent - digits + 1 : lowest;
    shift_either(b, a, last);
    mpz_fdiv_qr(quotient, rest, a, b);
    mpz_mul_2exp(rest, rest, 1);
    const int half = mpz_cmp(rest, b);
    if (half > 0 || (half == 0 && mpz_odd_p(quotient))) {
        mpz_add_ui(quotient, quotient, 1);
    }
    double magnitude = INFINITY;
    if (exponent < top) {
        magnitude = ldexp(mpz_get_d(quotient), last); /* exact: 2^digits at most */
        magnitude = magnitude >= ldexp(1, top) ? INFINITY : magnitude;
    }
    mpz_clears(a, b, quotient, rest, NULL);
    return magnitude;
}

float rational_round(const mpz_t num, const mpz_t den, int shift)
{
    if (mpz_sgn(num) == 0) {
        return 0;
    }
    const float rounded = (float)round_magnitude(num, den, shift, 24, -149, 128); /* exact */
    return rounded == 0 ? 0 : mpz_sgn(num) * mpz_sgn(den) < 0 ? -rounded : rounded;
}

double rational_round_double(const mpz_t num, const mpz_t den, int shift)
{
    if (mpz_sgn(num) == 0) {
        return 0;
    }
    const double rounded = round_magnitude(num, den, shift, 53, -1074, 1024);
    return rounded == 0 ? 0 : mpz_sgn(num) * mpz_sgn(den) < 0 ? -rounded : rounded;
}

void rational_set(mpq_t out, double x)
{
    const int scale = rational_scale(1, &x, -10000);
    rational_scaled(mpq_numref(out), x, scale);
    mpz_set_ui(mpq_denref(out), 1);
    shift_either(mpq_denref(out), mpq_numref(out), scale);
    mpq_canonicalize(out);
}

void big_vec_sub(big_vec *out, const big_vec *a, const big_vec *b)
{
    for (int i = 0; i < 3; i++) {
        mpz_sub(out->at[i], a->at[i], b->at[i]);
    }
}

void big_vec_cross(big_vec *out, const big_vec *a, const big_vec *b)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        mpz_mul(out->at[i], a->at[j], b->at[k]);
        mpz_submul(out->at[i], a->at[k], b->at[j]);
    }
}

void big_vec_dot(mpz_t out, const big_vec *a, const big_vec *b)
{
    mpz_set_ui(out, 0);
    for (int i = 0; i < 3; i++) {
        mpz_addmul(out, a->at[i], b->at[i]);
    }
}
