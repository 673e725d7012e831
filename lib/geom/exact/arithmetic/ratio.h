/* ratio.h: ratios of expansions against any double, and rounded to doubles: for t = N / D
 * of rays whose limits and answers are doubles.
 *
 * N and D have at most SLI_RATIO_MAX components, compressed, and are multiples of 2^-603 below
 * 2^530, as formulas of degree 4 are: so they are brought to sizes close to 2^500 by powers of two,
 * where products with numbers close to 1 have components between 2^-690 and 2^510, whatever the
 * sizes of N, D and the double were. */
#pragma once

enum { SLI_RATIO_MAX = 24 };

/* The sign of num / den - m, for any double m but a NaN; den is not 0. */
int sli_ratio_compare(int num_n, const double *num, int den_n, const double *den, double m);

/* num / den rounded to the nearest double, ties to even, a zero as +0.  The ratio of two such
 * numbers is 0 or between 2^-1000 and 2^1000. */
double sli_ratio_round(int num_n, const double *num, int den_n, const double *den);
