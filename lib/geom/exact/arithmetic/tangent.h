/* tangent.h: the tangent of half an angle with the same bits on every machine, from + - * /
 * only, while tan differs between C libraries; for cameras.
 * Callers  hold the floating-point environment. */
#pragma once

/* tan(angle_rad / 2) for an angle in (0, pi), with a relative error of at most 1e-15. */
double sli_half_angle_tangent(float angle_rad);
