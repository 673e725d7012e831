/* exact/tribool.h: yes, no, or not sure yet; and many such questions of which one yes is enough.
 *
 * Questions are asked over numbers (number.h), first known in doubles only.  Those that nobody
 * could answer are asked once more after the numbers have been made exact. */
#ifndef SLI_GEOM_EXACT_TRIBOOL_H
#define SLI_GEOM_EXACT_TRIBOOL_H

#include "lib/geom/exact/number.h"

/* In this order "and" is the least, "or" the greatest. */
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

/* Whether any of the questions 0 .. count - 1 has the answer yes.  sharpen makes the numbers exact;
 * after it, no question may be left unsure.  count <= SLI_QUESTIONS. */
enum { SLI_QUESTIONS = 768 };
typedef struct sli_questions {
    void *context;
    sli_tribool (*ask)(void *context, int question);
    void (*sharpen)(void *context);
} sli_questions;
bool sli_any(const sli_questions *questions, int count);

#endif
