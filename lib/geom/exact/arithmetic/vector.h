/* vector.h: vectors of three doubles.  Sums are taken in the order of the axes, so that every
 * file that uses them gets the same bits. */
#pragma once

#include <math.h>
#include <stdbool.h>

static inline bool sli_is_same_point(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static inline void sli_widen(const float from[3], double to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = (double)from[axis];
    }
}

static inline bool sli_are_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

static inline int sli_sign(double x)
{
    return (x > 0) - (x < 0);
}

static inline double sli_dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* out may be a or b. */
static inline void sli_cross(const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    const double z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void sli_subtract(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = a[axis] - b[axis];
    }
}

/* The length, where no square under- or overflows. */
static inline double sli_norm(const double v[3])
{
    return sqrt(sli_dot(v, v));
}

/* v over its length, or zero where it has none. */
static inline void sli_norm_divide(const double v[3], double out[3])
{
    const double length = sli_norm(v);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = length > 0 ? v[axis] / length : 0;
    }
}
