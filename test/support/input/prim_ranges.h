/* prim_ranges.h: topologies updated for triangles that are named one by one. */
#pragma once

#include <sightline/topology.h>
#include <stdlib.h>

static inline sl_result update_prims(sl_topology *topology, const float *xyz, const uint32_t *prims,
                                     size_t count, sl_error *error)
{
    sl_prim_range *ranges = malloc((count + 1) * sizeof *ranges);
    if (ranges == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        ranges[i] = (sl_prim_range){ prims[i], 1 };
    }
    const sl_result result = sl_topology_update(topology, xyz, ranges, count, error);
    free(ranges);
    return result;
}
