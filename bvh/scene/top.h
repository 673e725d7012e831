/* top.h: where the tree over the instances' boxes counts from. */
#pragma once

#include "bvh/scene/transforms.h"

/* The middle is the median of at most this many positions, which insertion sorts fast enough. */
enum { SLI_TOP_SAMPLES = 63 };

/* The median; 0 of none.  Sorts the values. */
double sli_median(double *values, size_t count);

/* Sets the world's middle, before instances are transformed. */
void sli_top_middle(const sli_given *given, size_t count, sli_world *world);

/* Sets its half, when the bounds of all instances are known.  False where the world is too wide for
 * its middle, which is then set to another: boxes have to be counted from there. */
bool sli_top_half(const sli_world_box *bounds, sli_world *world);
