/* exact/weighted.h: values of three corners, weighted as a hit weighs them:
 * (1 - u - v) a + u b + v c.
 *
 * Multiplied out that is a sum of a and of four products of two floats.  Each of the five is a
 * multiple of 2^-298 of at most 48 bits below 2^257, so doubles hold it, and their sum is exact in
 * expansions; but most sums are settled by adding up in doubles what each addition loses.
 * Callers  hold the floating-point environment.
 * Source   Ogita, Rump and Oishi, Accurate Sum and Dot Product (2005), for the bound of the first
 *          stage. */
#pragma once

/* The exact value rounded to the nearest float, ties to even, a zero as +0; weights are finite.
 * Of values that are not all finite: NaN where one is NaN, where an infinite one has the weight 0,
 * and where infinities of both signs meet; or else the infinity, with the sign of its weight. */
float sli_weighted_float(const float values[3], float u, float v);

/* The exact value with a relative error of at most 2^-51; all are finite. */
double sli_weighted_double(const float values[3], float u, float v);
