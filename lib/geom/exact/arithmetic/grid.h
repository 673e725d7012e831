/* grid.h: numbers rounded to multiples of a power of two; the range that exact decisions take
 * doubles in. */
#pragma once

/* The step of floats, 2^-149: every number that is decided about is a multiple of it, and no larger
 * than FLT_MAX. */
#define SLI_STEP 0x1p-149

/* Rounds x to the nearest multiple of grid (a power of two, not 0), ties to even; zeros become +0.
 * From 2^52 grid on every double is such a multiple.  Below, |x| + 2^52 grid lies between 2^52 grid
 * and 2^53 grid, where doubles are the multiples of grid, and 2^52 grid is an even one, so that
 * ties go to even multiples; the difference is exact. */
static inline double sli_round_to_grid(double x, double grid)
{
    const double large = 0x1p52 * grid;
    if (!(x < large && x > -large)) {
        return x;
    }
    const double signed_large = x < 0 ? -large : large;
    return (x + signed_large) - signed_large;
}
