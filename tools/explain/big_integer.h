/* explain/big_integer.h: exact signs by plain integer arithmetic, for explaining single answers.
 *
 * Every coordinate, a float or a double, is taken to a whole multiple of 2^-149 and is below
 * 2^128 in size, so it is a whole number of 277 bits in units of 2^-149.  Products of three
 * differences of them, and sums of a few of those, fit in 896 bits.  So plain multiplication
 * checks what the library decides with filters and expansions. */
#pragma once

#include <stdint.h>

enum { BIG_INTEGER_LIMBS = 28 };

/* Two's complement, the lowest 32 bits first. */
typedef struct big_integer {
    uint32_t limb[BIG_INTEGER_LIMBS];
} big_integer;

/* x * 2^149, to the nearest whole number, ties to even; |x| is below 2^128. */
big_integer big_integer_from_double(double x);
big_integer big_integer_add(const big_integer *a, const big_integer *b);
big_integer big_integer_subtract(const big_integer *a, const big_integer *b);
big_integer big_integer_multiply(const big_integer *a, const big_integer *b);
int big_integer_sign(const big_integer *a); /* -1, 0, 1 */

/* Correct to at least 31 bits.  Never beyond the range of a double. */
double big_integer_to_double(const big_integer *a);
