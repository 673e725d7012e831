/* The tangent of half an angle, for cameras: the quotient of the series of sine and cosine. */
#include "lib/geom/exact/arithmetic/tangent.h"

#define HALF_PI      1.57079632679489661923
#define HALF_PI_REST 6.12323399573676603587e-17 /* pi / 2 minus HALF_PI as a double */

void sli_sine_cosine_series(double x, double *sine, double *cosine)
{
    double s = 1, c = 1;
    for (int power = 18; power > 0; power -= 2) {
        c = 1 - c * x * x / (power * (power - 1));
        s = 1 - s * x * x / (power * (power + 1));
    }
    *sine = s * x;
    *cosine = c;
}

static double tangent_of(double x)
{
    double sine, cosine;
    sli_sine_cosine_series(x, &sine, &cosine);
    return sine / cosine;
}

double sli_half_angle_tangent(float angle_rad)
{
    const double x = (double)angle_rad / 2;
    return x <= HALF_PI / 2 ? tangent_of(x) : 1 / tangent_of((HALF_PI - x) + HALF_PI_REST);
}
