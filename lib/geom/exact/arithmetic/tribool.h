/* tribool.h: yes, no, or unsure; and sets of tests of which a single yes is enough.  For
 * the overlap tests.
 *
 * Tests are of numbers (number.h) that are first known in doubles only.  The tests
 * that doubles leave unsure are asked once more after the numbers have been made exact. */
#pragma once

#include "lib/geom/exact/arithmetic/number.h"

/* In this order, and is the minimum and or the maximum. */
typedef enum sli_tribool { SLI_NO = 0, SLI_UNSURE = 1, SLI_YES = 2 } sli_tribool;

static inline sli_tribool sli_and(sli_tribool a, sli_tribool b)
{
    return a < b ? a : b;
}

static inline sli_tribool sli_or(sli_tribool a, sli_tribool b)
{
    return a > b ? a : b;
}

static inline sli_tribool sli_is_positive(const sli_number *x)
{
    bool unsure = false;
    const int sign = sli_number_sign(x, &unsure);
    return unsure ? SLI_UNSURE : sign > 0 ? SLI_YES : SLI_NO;
}

static inline sli_tribool sli_is_negative(const sli_number *x)
{
    bool unsure = false;
    const int sign = sli_number_sign(x, &unsure);
    return unsure ? SLI_UNSURE : sign < 0 ? SLI_YES : SLI_NO;
}

static inline sli_tribool sli_not(sli_tribool a)
{
    return (sli_tribool)(SLI_YES - a);
}

/* a <= b */
static inline sli_tribool sli_is_at_most(const sli_number *a, const sli_number *b)
{
    sli_number difference;
    sli_number_sub(a, b, &difference);
    return sli_not(sli_is_positive(&difference));
}

/* Whether 0 <= num / den <= 1, for den > 0. */
static inline sli_tribool sli_is_fraction(const sli_number *num, const sli_number *den)
{
    return sli_and(sli_not(sli_is_negative(num)), sli_is_at_most(num, den));
}

/* Whether |x| <= half * den, for den > 0. */
static inline sli_tribool sli_is_within(const sli_number *x, const sli_number *half,
                                        const sli_number *den)
{
    sli_number limit, size;
    sli_number_copy(x, &size);
    sli_number_mul(half, den, &limit);
    sli_number_turn(&size, x->value < 0 ? -1 : 1);
    return sli_is_at_most(&size, &limit);
}

/* Whether any of the tests 0 .. count - 1 is answered with yes.  make is called
 * with true, to make the numbers exact, after which no answer may be unsure.  count <=
 * SLI_TESTS_MAX. */
enum { SLI_TESTS_MAX = 768 };
typedef struct sli_tests {
    void *context;
    sli_tribool (*answer)(void *context, int test);
    void (*make)(void *context, bool exact);
} sli_tests;
bool sli_any(const sli_tests *tests, int count);
