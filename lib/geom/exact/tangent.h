/* tangent.h: the tangent of half an angle, the same bits on every machine: only + - * / are used,
 * while tan is whatever the machine's C library makes of it.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_EXACT_TANGENT_H
#define SLI_GEOM_EXACT_TANGENT_H

/* tan(angle_rad / 2) for an angle in (0, pi), within 1e-15 of itself. */
double sli_half_angle_tangent(float angle_rad);

#endif
