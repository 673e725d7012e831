/* overlap/frustum.h: half-spaces in numbers, for the tests of frusta and planes.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/number.h"

#include <sightline/shapes.h>

/* The points x with normal . x <= offset: those behind or on a plane. */
typedef struct sli_half_space {
    sli_number normal[3], offset;
} sli_half_space;

void sli_half_space_make(const sl_plane_d *plane, bool exact, sli_half_space *out);
