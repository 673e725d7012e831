/* Turns: sine and cosine from operations that IEEE 754 rounds alike everywhere. */
#include "lib/geom/gizmo/turn.h"

#include <string.h>

/* pi / 2 in parts of 33 and 32 bits, and the rest: multiples up to 2^20 of the first two are
 * exact. */
#define QUARTER      0x1.921fb544p+0
#define QUARTER_REST 0x42d18469p-64
#define QUARTER_TAIL 0x898cc51701b839p-120

double sli_length(const double v[3])
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0) || !isfinite(largest)) {
        return largest;
    }
    int exponent;
    (void)frexp(largest, &exponent);
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double x = ldexp(v[i], -exponent);
        square += x * x;
    }
    return ldexp(sqrt(square), exponent);
}

bool sli_unit(const double v[3], double out[3])
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]) || !(largest > 0)) {
        return false;
    }
    int exponent;
    (void)frexp(largest, &exponent);
    double near_one[3];
    for (int i = 0; i < 3; i++) {
        near_one[i] = ldexp(v[i], -exponent);
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

/* For |x| <= pi / 4 and a little more, where the terms that are left out are below 1e-17. */
static void turn_series(double x, double *sine, double *cosine)
{
    double s = 1, c = 1;
    for (int power = 18; power > 0; power -= 2) {
        c = 1 - c * x * x / (power * (power - 1));
        s = 1 - s * x * x / (power * (power + 1));
    }
    *sine = s * x;
    *cosine = c;
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
    turn_series(rest, &s, &c);
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
