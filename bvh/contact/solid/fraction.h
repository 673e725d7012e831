/* solid/fraction.h: fractions of exact numbers, mostly compared by what they are about. */
#pragma once

#include "bvh/contact/solid/solid.h"

#include <math.h>

/* den is not 0. */
static inline sli_big_fraction sli_fraction_make(sli_bigs *bigs, sli_big num, sli_big den)
{
    sli_big_fraction out = { sli_big_turn(num, den.sign), sli_big_turn(den, den.sign), 0,
                             INFINITY };
    if (!bigs->failed) {
        out.near = sli_big_ratio(out.num, out.den);
        out.off = fabs(out.near) * 0x1p-49 + 0x1p-900;
    }
    return out;
}

/* The sign of a - b; 0 where memory ran out. */
static inline int sli_fraction_compare(sli_bigs *bigs, const sli_big_fraction *a,
                                       const sli_big_fraction *b)
{
    const double apart = a->near - b->near, off = (a->off + b->off) * (1 + 0x1p-20);
    if (fabs(apart) > off) {
        return apart > 0 ? 1 : -1;
    }
    return sli_big_cross(bigs, a->num, b->den, b->num, a->den).sign;
}
