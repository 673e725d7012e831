/* frustum.h: what the frustum tests share.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_OVERLAP_FRUSTUM_H
#define SLI_GEOM_OVERLAP_FRUSTUM_H

#include "lib/geom/exact/number.h"

#include <sightline/shapes.h>

typedef struct sli_half_space {
    sli_number normal[3], offset;
} sli_half_space;

void sli_half_space_make(const sl_plane *plane, bool exact, sli_half_space *out);

#endif
