/* decimal.h: any decimal number to the nearest double, in integers only: slow, but the same with
 * every C library, locale and floating-point environment. */
#pragma once

/* More digits than this never matter, except for whether one of them is not 0. */
enum { SLI_DECIMAL_DIGITS = 800 };

/* digits * 10^exponent, ties to even.  count digits, each '0' .. '9', the first not '0'; count at
 * most SLI_DECIMAL_DIGITS + 1; the value below 10^310, exponent at least -1200. */
double sli_decimal_to_double(const char *digits, int count, int exponent);
