/* Source: Clinger, How to Read Floating Point Numbers Accurately (1990), for the fast path: a
 * mantissa up to 2^53 and a power of ten up to 10^22 are exact doubles, so that one multiplication
 * or division rounds once.  Longer numbers go to decimal.c, cut to what can matter. */
#include "lib/mesh/format/number.h"

#include "lib/mesh/format/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    MANTISSA_DIGITS = 19,  /* fit in a uint64_t */
    EXACT_POWER = 22,      /* 10^22 is a double, 10^23 is not */
    LARGEST_WEIGHT = 309,  /* 1e309 is beyond the range */
    SMALLEST_WEIGHT = -325 /* 9.99e-325 is nearer to 0 than to the smallest double */
};
static const uint64_t exact_mantissa = (uint64_t)1 << 53;
static const int64_t exponent_cap = (int64_t)1 << 50; /* beyond any file's count of digits */

/* The digits of a number, taken apart: mantissa is made of the first 19 significant ones. */
typedef struct decimal {
    bool negative;
    const uint8_t *digits;         /* first digit or point */
    int64_t significant, fraction; /* counts of digits: from the first not 0; after the point */
    int64_t exponent;              /* as written */
    uint64_t mantissa;
} decimal;

static bool is_digit(const uint8_t *at, const uint8_t *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const uint8_t *read_sign(const uint8_t *at, const uint8_t *end, bool *negative)
{
    *negative = at < end && *at == '-';
    return at < end && (*at == '-' || *at == '+') ? at + 1 : at;
}

static const uint8_t *read_digits(const uint8_t *at, const uint8_t *end, decimal *number)
{
    for (; is_digit(at, end); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (number->significant < MANTISSA_DIGITS) {
            number->mantissa = number->mantissa * 10 + digit;
        }
        number->significant += number->significant > 0 || digit != 0;
    }
    return at;
}

/* Leaves *exponent at 0 where there is none; NULL where it has no digits. */
static const uint8_t *read_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent)
{
    if (at == end || (*at != 'e' && *at != 'E')) {
        return at;
    }
    bool negative;
    at = read_sign(at + 1, end, &negative);
    if (!is_digit(at, end)) {
        return NULL;
    }
    for (; is_digit(at, end); at++) {
        *exponent = *exponent < exponent_cap ? *exponent * 10 + (*at - '0') : exponent_cap;
    }
    *exponent = negative ? -*exponent : *exponent;
    return at;
}

static const uint8_t *read_decimal(const uint8_t *at, const uint8_t *end, decimal *number)
{
    number->digits = at;
    at = read_digits(at, end, number);
    const bool whole = at > number->digits;
    if (at < end && *at == '.') {
        const uint8_t *fraction = at + 1;
        at = read_digits(fraction, end, number);
        number->fraction = at - fraction;
    }
    return whole || number->fraction > 0 ? read_exponent(at, end, &number->exponent) : NULL;
}

/* mantissa * 10^exponent where that takes one rounding; false otherwise. */
static bool scale_exactly(uint64_t mantissa, int64_t exponent, double *out)
{
    static const double powers[EXACT_POWER + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    while (mantissa > exact_mantissa && mantissa % 10 == 0) {
        mantissa /= 10;
        exponent++;
    }
    /* With wider intermediate results (x87) the product would be rounded twice. */
    if (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1) {
        return false;
    }
    if (mantissa > exact_mantissa || exponent < -EXACT_POWER || exponent > EXACT_POWER) {
        return false;
    }
    *out =
        exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
    return true;
}

/* weight: the power of ten that the first significant digit stands for. */
static double scale_slowly(const decimal *number, int weight)
{
    char digits[SLI_DECIMAL_DIGITS + 1];
    int count = 0;
    const int wanted =
        number->significant < SLI_DECIMAL_DIGITS ? (int)number->significant : SLI_DECIMAL_DIGITS;
    const uint8_t *at = number->digits;
    for (; count < wanted; at++) {
        if (*at != '.' && (count > 0 || *at != '0')) {
            digits[count++] = (char)*at;
        }
    }
    for (int64_t left = number->significant - wanted; left > 0; at++) {
        left -= *at != '.';
        if (*at != '.' && *at != '0') {
            digits[count++] = '1';
            break;
        }
    }
    return sli_decimal_to_double(digits, count, weight - (count - 1));
}

static double number_scale(const decimal *number)
{
    if (number->mantissa == 0) {
        return 0.0;
    }
    const int64_t last = number->exponent - number->fraction; /* what the last digit stands for */
    const int64_t dropped =
        number->significant > MANTISSA_DIGITS ? number->significant - MANTISSA_DIGITS : 0;
    double value;
    if (dropped == 0 && scale_exactly(number->mantissa, last, &value)) {
        return value;
    }
    const int64_t weight = last + number->significant - 1;
    if (weight >= LARGEST_WEIGHT) {
        return INFINITY;
    }
    return weight <= SMALLEST_WEIGHT ? 0.0 : scale_slowly(number, (int)weight);
}

/* The first byte after word (in lower case), compared without regard to case; else NULL. */
static const uint8_t *skip_word(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; *word != '\0'; word++, at++) {
        if (at == end || (*at | 0x20) != *word) {
            return NULL;
        }
    }
    return at;
}

/* nan, nan(ind), inf, infinity. */
static const uint8_t *read_name(const uint8_t *at, const uint8_t *end, double *out)
{
    const uint8_t *after = skip_word(at, end, "nan");
    if (after != NULL) {
        const uint8_t *close = after;
        while (close < end && close - after < 32 && *close > ' ' && *close != ')') {
            close++;
        }
        const bool payload = after < end && *after == '(' && close < end && *close == ')';
        *out = NAN;
        return payload ? close + 1 : after;
    }
    *out = INFINITY;
    after = skip_word(at, end, "infinity");
    return after != NULL ? after : skip_word(at, end, "inf");
}

/* 1.#INF, 1.#IND, 1.#QNAN, 1.#SNAN, possibly with digits (1.#IND00): printf of old C libraries. */
static const uint8_t *read_microsoft(const uint8_t *at, const uint8_t *end, double *out)
{
    const uint8_t *after =
        end - at > 3 && at[0] == '1' && at[1] == '.' && at[2] == '#' ? at + 3 : NULL;
    if (after == NULL) {
        return NULL;
    }
    static const char *const names[] = { "inf", "ind", "qnan", "snan" };
    for (int i = 0; i < 4; i++) {
        const uint8_t *behind = skip_word(after, end, names[i]);
        if (behind != NULL) {
            *out = i == 0 ? INFINITY : NAN;
            while (is_digit(behind, end)) {
                behind++;
            }
            return behind;
        }
    }
    return NULL;
}

const uint8_t *sli_number_double(const uint8_t *at, const uint8_t *end, double *out)
{
    decimal number = { 0 };
    at = read_sign(at, end, &number.negative);
    double value;
    const uint8_t *after = read_microsoft(at, end, &value);
    if (after == NULL && (is_digit(at, end) || (at < end && *at == '.'))) {
        after = read_decimal(at, end, &number);
        value = after != NULL ? number_scale(&number) : 0.0;
    } else if (after == NULL) {
        after = read_name(at, end, &value);
    }
    if (after != NULL) {
        *out = number.negative ? -value : value;
    }
    return after;
}

const uint8_t *sli_number_int(const uint8_t *at, const uint8_t *end, int64_t *out)
{
    bool negative;
    at = read_sign(at, end, &negative);
    if (!is_digit(at, end)) {
        return NULL;
    }
    int64_t value = 0; /* kept negative, since there is one more of those */
    for (; is_digit(at, end); at++) {
        const int digit = *at - '0';
        value = value < (INT64_MIN + digit) / 10 ? INT64_MIN : value * 10 - digit;
    }
    *out = negative ? value : value == INT64_MIN ? INT64_MAX : -value;
    return at;
}
