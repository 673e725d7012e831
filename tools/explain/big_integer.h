/* explain/big_integer.h: exact signs, the slow and obvious way, for explaining single answers.
 *
 * Every finite float is a whole multiple of 2^-149 and below 2^128 in size, so it is a whole number
 * of 277 bits in units of 2^-149.  Products of three differences of floats, and sums of a few of
 * those, fit in 896 bits.  What the library decides with filters and expansions can so be held
 * against plain multiplication. */
#ifndef TOOLS_WHOLE_H
#define TOOLS_WHOLE_H

#include <stdint.h>

enum { WHOLE_LIMBS = 28 };

/* Two's complement, the lowest 32 bits first. */
typedef struct whole {
    uint32_t limb[WHOLE_LIMBS];
} whole;

whole whole_from_float(float x); /* x * 2^149; x is finite */
whole whole_add(const whole *a, const whole *b);
whole whole_subtract(const whole *a, const whole *b);
whole whole_multiply(const whole *a, const whole *b);
int whole_sign(const whole *a); /* -1, 0, 1 */

/* Nearly: to 31 bits at least.  Never beyond the range of a double. */
double whole_to_double(const whole *a);

#endif
