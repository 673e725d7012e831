/* contact/distance.h: how far two instances are apart, for clearances. */
#pragma once

#include "bvh/contact/walk/walk.h"

#include <sightline/clash.h>

typedef bool sli_walk_counts(void *context, const sli_walk_pair *pair);

/* The nearest pair of triangles that counts (counts may be NULL: each does), within the margin of
 * the walk, of which besides that the options and stats are read.  False where there is none. */
bool sli_distance_instances(const sli_walk *asked, const sli_transformed *a, uint32_t number_a,
                            const sli_transformed *b, uint32_t number_b, sli_walk_counts *counts,
                            void *context, sl_distance *out);
