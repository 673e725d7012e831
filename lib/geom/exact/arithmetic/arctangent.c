/* The arc tangent, for winding numbers: made of operations that IEEE 754 rounds alike everywhere,
 * in the order written here.
 *
 * Let low <= high be |x| and |y| in order.  The angle with tangent low / high is that of the
 * nearest eighth, k / 8, plus that of u = (low - high k / 8) / (high + low k / 8).  The
 * series u - u^3 / 3 + u^5 / 5 ... up to u^15 is off by less than 2^-68, as |u| is at most 1/16. */
#include "lib/geom/exact/arithmetic/arctangent.h"

#include <math.h>

const double sli_arctangent_eighths[9] = { 0,
                                           0x1.fd5ba9aac2f6ep-4,
                                           0x1.f5b75f92c80ddp-3,
                                           0x1.6f61941e4def1p-2,
                                           0x1.dac670561bb4fp-2,
                                           0x1.1e00babdefeb4p-1,
                                           0x1.4978fa3269ee1p-1,
                                           0x1.700a7c5784634p-1,
                                           0x1.921fb54442d18p-1 };

/* For |u| <= 1 / 16. */
static double arctangent_series(double u)
{
    const double s = u * u;
    double sum = 0;
    for (int n = 15; n >= 3; n -= 2) {
        sum = s * ((n % 4 == 1 ? 1.0 : -1.0) / n + sum);
    }
    return u + u * sum;
}

double sli_arctangent(double y, double x)
{
    const double across = fabs(y), along = fabs(x);
    const double low = across < along ? across : along, high = across < along ? along : across;
    double angle = 0;
    if (high > 0) {
        const int k = (int)(low / high * 8 + 0.5);
        const double eighth = k * 0.125;
        angle = sli_arctangent_eighths[k] +
                arctangent_series((low - high * eighth) / (high + low * eighth));
    }
    angle = across > along ? SLI_PI / 2 - angle : angle;
    angle = x < 0 ? SLI_PI - angle : angle;
    return copysign(angle, y);
}
