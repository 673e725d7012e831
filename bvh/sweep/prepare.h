/* prepare.h: a sweep made ready for the kernels: valid, its numbers in range, its path and how far
 * the shape reaches from that.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/query/query.h"
#include "lib/geom/sweep/sweep.h"

#include <sightline/sweep.h>

typedef struct sli_prepared_sweep {
    sli_sweep sweep;
    sli_world_sweep query; /* points at sweep and options */
} sli_prepared_sweep;

/* Item `index` of an array, an sl_sweep or, of doubles, an sl_sweep_d, with its options.  False: it
 * is invalid, and meets nothing. */
bool sli_sweep_prepare(const void *given, sl_number number, const sl_options *options, size_t index,
                       sli_prepared_sweep *out);
