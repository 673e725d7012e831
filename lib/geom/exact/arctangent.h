/* exact/arctangent.h: the arc tangent, the same bits on every machine: that of the C library is not. */
#ifndef SLI_GEOM_EXACT_ARCTANGENT_H
#define SLI_GEOM_EXACT_ARCTANGENT_H

/* The angle of (x, y) from the x axis, in -pi .. pi, within 2^-50; zeros of y keep their sign, and
 * the angle of (0, 0) is that zero.  Both are finite, and not beyond 2^1000 or, unless 0, below
 * 2^-900 in size.  Callers hold the floating-point environment. */
double sli_arctangent(double y, double x);

#endif
