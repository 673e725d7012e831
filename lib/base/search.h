/* search.h: binary search. */
#pragma once

#include <stddef.h>

/* The first i of low .. high - 1 for which a condition holds, which then holds for all that follow;
 * high where it holds for none. */
#define SLI_FIRST(i, low, high, condition)                                                         \
    __extension__({                                                                                \
        size_t sli_begin = (low), sli_end = (high);                                                \
        while (sli_begin < sli_end) {                                                              \
            const size_t i = sli_begin + (sli_end - sli_begin) / 2;                                \
            if (condition) {                                                                       \
                sli_end = i;                                                                       \
            } else {                                                                               \
                sli_begin = i + 1;                                                                 \
            }                                                                                      \
        }                                                                                          \
        sli_begin;                                                                                 \
    })
