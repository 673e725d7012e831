/* sixes_from_f8.h: f8_store_sixes by f8_transpose, for instruction sets without permutations of
 * two registers.  Included by these. */
#pragma once

#include <string.h>

static inline void f8_store_sixes(void *p, const f8 row[6])
{
    f8 turned[8] = { row[0], row[1], row[2], row[3], row[4], row[5], row[5], row[5] };
    f8_transpose(turned);
    for (int i = 0; i < 8; i++) {
        float words[8];
        f8_store(words, turned[i]);
        /* A store of eight words is quicker than one of six; the next six overwrite the last
         * two. */
        memcpy((char *)p + i * (int)(6 * sizeof words[0]), words,
               i < 7 ? sizeof words : 6 * sizeof words[0]);
    }
}
