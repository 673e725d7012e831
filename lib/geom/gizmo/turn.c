/* Turns: sine and cosine from operations that IEEE 754 rounds alike everywhere. */
#include "lib/geom/gizmo/turn.h"
#include "lib/geom/exact/arithmetic/tangent.h"

/* pi / 2 in parts of 33 and 32 bits, and the rest: multiples up to 2^20 of the first two are
 * exact. */
#define QUARTER      0x1.921fb544p+0
#define QUARTER_REST 0x42d18469p-64
#define QUARTER_TAIL 0x898cc51701b839p-120

/* v times the power of 2 that takes its largest coordinate, which is returned, to [1/2, 1). */
static double turn_level(const double v[3], double out[3], int *exponent)
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    *exponent = 0;
    if (isfinite(largest)) {
        (void)frexp(largest, exponent);
    }
    for (int i = 0; i < 3; i++) {
        out[i] = ldexp(v[i], -*exponent);
    }
    return largest;
}

double sli_length(const double v[3])
{
    double near_one[3];
    int exponent;
    const double largest = turn_level(v, near_one, &exponent);
    return largest > 0 && isfinite(largest) ? ldexp(sqrt(sli_dot(near_one, near_one)), exponent)
                                            : largest;
}

bool sli_unit(const double v[3], double out[3])
{
    double near_one[3];
    int exponent;
    if (!sli_are_finite(v, 3) || !(turn_level(v, near_one, &exponent) > 0)) {
        return false;
    }
    const double length = sqrt(sli_dot(near_one, near_one));
    for (int i = 0; i < 3; i++) {
        out[i] = near_one[i] / length + 0.0;
    }
    return true;
}

void sli_perpendicular(const double unit[3], double out[3])
{
    int least = 0;
    for (int i = 1; i < 3; i++) {
        least = fabs(unit[i]) < fabs(unit[least]) ? i : least;
    }
    double axis[3] = { 0, 0, 0 }, across[3];
    axis[least] = 1;
    sli_cross(axis, unit, across);
    (void)sli_unit(across, out);
}

/* The nearest number of quarter turns, and what is left. */
static double turn_quarters(double angle, double *rest)
{
    const double count = floor(angle * (2 / 3.14159265358979323846) + 0.5);
    const double left = ((angle - count * QUARTER) - count * QUARTER_REST) - count * QUARTER_TAIL;
    *rest = count != 0 && fabs(left) <= 0x1p-50 * fabs(count) ? 0 : left;
    return count;
}

/* count modulo 4, in 0 .. 3. */
static int turn_quadrant(double count)
{
    return (int)(count - 4 * floor(count / 4));
}

void sli_sine_cosine(double angle, double *sine, double *cosine)
{
    double rest, s, c;
    const int turned = turn_quadrant(turn_quarters(angle, &rest));
    sli_sine_cosine_series(rest, &s, &c);
    const double sines[4] = { s, c, -s, -c };
    *sine = sines[turned] + 0.0;
    *cosine = sines[(turned + 1) % 4] + 0.0;
}

void sli_turn(const double unit[3], double angle, double q[4])
{
    static const double half_sines[4] = { 0, 0x1.6a09e667f3bcdp-1, 1, 0x1.6a09e667f3bcdp-1 };
    static const double half_cosines[4] = { 1, 0x1.6a09e667f3bcdp-1, 0, -0x1.6a09e667f3bcdp-1 };
    double rest, sine, cosine;
    const int turned = turn_quadrant(turn_quarters(angle, &rest));
    if (rest == 0) {
        sine = half_sines[turned];
        cosine = half_cosines[turned];
    } else {
        sli_sine_cosine(angle / 2, &sine, &cosine);
    }
    for (int i = 0; i < 3; i++) {
        q[i] = unit[i] * sine + 0.0;
    }
    q[3] = cosine;
}
