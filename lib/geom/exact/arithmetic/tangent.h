/* tangent.h: the tangent of half an angle with the same bits on every machine, from + - * /
 * only, while tan differs between C libraries; for cameras.
 * Callers  hold the floating-point environment. */
#pragma once

/* tan(angle_rad / 2) for an angle in (0, pi), with a relative error of at most 1e-15. */
double sli_half_angle_tangent(float angle_rad);

/* Sine and cosine for |x| <= pi / 4 and a little more, where the terms that are left out are below
 * 1e-17. */
void sli_sine_cosine_series(double x, double *sine, double *cosine);
