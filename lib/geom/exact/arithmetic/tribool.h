/* tribool.h: yes, no, or unsure; and sets of questions of which a single yes is enough.  For
 * the overlap tests.
 *
 * Questions are asked about numbers (number.h) that are first known in doubles only.  The questions
 * that doubles leave unsure are asked once more after the numbers have been made exact. */
#ifndef SLI_GEOM_EXACT_TRIBOOL_H
#define SLI_GEOM_EXACT_TRIBOOL_H

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

/* Whether any of the questions 0 .. count - 1 is answered with yes.  sharpen makes the numbers
 * exact, after which no answer may be unsure.  count <= SLI_QUESTIONS_MAX. */
enum { SLI_QUESTIONS_MAX = 768 };
typedef struct sli_questions {
    void *context;
    sli_tribool (*answer)(void *context, int question);
    void (*sharpen)(void *context);
} sli_questions;
bool sli_any(const sli_questions *questions, int count);

#endif
