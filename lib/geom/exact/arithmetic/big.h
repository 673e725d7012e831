/* big.h: exact numbers of any size, for formulas of a degree that expansions do not reach: binary
 * fractions whose digits lie in an arena.  For pieces of triangles and the points in them
 * (bvh/contact).
 *
 * A number is a value: it is passed around and never changes, and its digits live as long as the
 * arena.  Where memory runs out, `failed` is set, and numbers are 0 from there on: a caller looks
 * at it once, at the end.
 * Cost     a product takes time in the product of the lengths, a sum in the longer one.
 * Source   Knuth, The Art of Computer Programming 2 (1997), 4.3.1. */
#pragma once

#include "lib/base/arena.h"

/* sign * the sum of limb[i] * 2^(64 (first + i)); neither end is a limb of 0. */
typedef struct sli_big {
    const uint64_t *limb;
    int n, first;
    int sign; /* -1, 0 or 1; where it is 0, n is 0, too */
} sli_big;

typedef struct sli_bigs {
    sli_arena arena;
    bool failed;
} sli_bigs;

sli_big sli_big_of(sli_bigs *bigs, double x); /* finite */
sli_big sli_big_add(sli_bigs *bigs, sli_big x, sli_big y);
sli_big sli_big_sub(sli_bigs *bigs, sli_big x, sli_big y);
sli_big sli_big_mul(sli_bigs *bigs, sli_big x, sli_big y);

/* x as it is, turned or 0, as the sign says: 1, -1 or 0. */
sli_big sli_big_turn(sli_big x, int sign);

/* a b - c d. */
sli_big sli_big_cross(sli_bigs *bigs, sli_big a, sli_big b, sli_big c, sli_big d);

/* Vectors: a - b of doubles, a x b, which is neither of them, and a . b. */
void sli_big_differences(sli_bigs *bigs, const double a[3], const double b[3], sli_big out[3]);
void sli_big_vector_cross(sli_bigs *bigs, const sli_big a[3], const sli_big b[3], sli_big out[3]);
sli_big sli_big_dot(sli_bigs *bigs, const sli_big a[3], const sli_big b[3]);

/* x / y within 2^-50 of it and 2^-1000; y is not 0, and |x / y| is less than 2^900. */
double sli_big_ratio(sli_big x, sli_big y);
