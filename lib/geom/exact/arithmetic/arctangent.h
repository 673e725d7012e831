/* arctangent.h: the arc tangent, for winding numbers; unlike that of C libraries it has the
 * same bits on every machine. */
#pragma once

/* The angle of (x, y) from the x axis in radians, -pi .. pi, within 2^-50; a zero y keeps its sign,
 * and the angle of (0, 0) is that zero.  |x| and |y| are 0 or between 2^-900 and 2^1000.  Callers
 * hold the floating-point environment. */
double sli_arctangent(double y, double x);

/* Half a turn, rounded. */
#define SLI_PI 0x1.921fb54442d18p+1

/* The arc tangents of k / 8, rounded to nearest, from which it starts. */
extern const double sli_arctangent_eighths[9];
