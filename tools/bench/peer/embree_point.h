/* bench/peer/embree_point.h: nearest points through Embree's rtcPointQuery. */
#pragma once

#include "tools/bench/peer/embree_api.h"

#include <sightline/mesh.h>

/* points: three floats each. */
void bench_embree_points(const bench_embree_api *embree, RTCScene scene, const sl_mesh *mesh,
                         const float *points, size_t count, float *distances);
