/* exact/quadratic.h: where a path meets a round surface: the two roots of a t^2 + 2 b t + c,
 * ordered and rounded exactly without ever being known exactly.  For spheres and capsules.
 *
 * Whether a ratio n / d lies before, at, between or beyond the roots follows from the sign of the
 * quadratic there, a n^2 + 2 b n d + c d^2, and of its slope, (a n + b d) d.
 * Callers  hold the floating-point environment; a > 0, and the discriminant is not negative. */
#pragma once

#include "lib/geom/exact/path.h"

/* part * scale is the discriminant b^2 - a c, which itself may be of too high a degree. */
typedef struct sli_quadratic {
    sli_number a, b, c;
    sli_number part, scale; /* scale > 0 */
} sli_quadratic;

typedef enum sli_root { SLI_ROOT_ENTRY = -1, SLI_ROOT_EXIT = 1 } sli_root;

/* The sign of the root minus a ratio, given the signs of the quadratic and of its slope there. */
int sli_root_order(sli_root root, int value, int slope);

/* The sign of the root minus t, which may be infinite. */
int sli_root_compare(const sli_quadratic *q, sli_root root, double t, bool *unsure);

/* The square root of the discriminant, negative for the entry: half the distance of the roots,
 * times a. */
void sli_root_reach(const sli_quadratic *q, sli_root root, sli_number *out);

/* The root in doubles. */
void sli_root_estimate(const sli_quadratic *q, sli_root root, sli_number *out);

/* The root, and origin + root * along, rounded to the nearest float.  origin is a float. */
float sli_root_t(const sli_quadratic *q, sli_root root, bool *unsure);
float sli_root_coordinate(const sli_quadratic *q, sli_root root, double origin,
                          const sli_number *along, bool *unsure);
