/* fraction.h: formulas of fractions of any length (GMP), for oracles.  Every operation returns a
 * new fraction; fraction_reset releases all of them.
 * Threads  one at a time. */
#pragma once

#include <gmp.h>
#include <stdbool.h>

typedef mpq_ptr fraction;

void fraction_reset(void);

/* Releases those that were made after the mark, and no others. */
int fraction_mark(void);
void fraction_release(int mark);

fraction fraction_of(double x);
fraction fraction_add(fraction a, fraction b);
fraction fraction_sub(fraction a, fraction b);
fraction fraction_mul(fraction a, fraction b);
fraction fraction_div(fraction a, fraction b); /* b is not 0 */
int fraction_sign(fraction a);
int fraction_compare(fraction a, fraction b);
fraction fraction_abs(fraction a);

/* Rounded to the nearest float, ties to even, zero +0. */
float fraction_round(fraction a);

/* Whether x is the square root of a >= 0, rounded to the nearest float, ties to even (+0 for zero).
 */
bool fraction_is_root(float x, fraction a);

/* Vectors. */
typedef struct fraction3 {
    fraction x[3];
} fraction3;

fraction3 fraction3_of(const float x[3]);
fraction3 fraction3_of_d(const double x[3]);
fraction3 fraction3_add(fraction3 a, fraction3 b);
fraction3 fraction3_sub(fraction3 a, fraction3 b);
fraction3 fraction3_mul(fraction3 a, fraction b);
fraction fraction3_dot(fraction3 a, fraction3 b);

/* Solves m x = y, m symmetric of n <= 3 rows, by Cramer's rule; false if the determinant is 0. */
bool fraction_solve(int n, fraction m[3][3], fraction y[3], fraction x[3]);
