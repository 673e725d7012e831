/* bench/input/primary.h: pictures of a mesh, and what their rays hit. */
#pragma once

#include "tools/bench/input/sets.h"

/* Three pictures of the same size. */
typedef struct bench_pictures {
    uint32_t size; /* pixels each way: a multiple of 32 */
    bool orthographic;
} bench_pictures;

/* Whole tiles, spread evenly over the pictures, one alone from the middle.  Where there are fewer
 * tiles than rays want, the pictures are taken several times, through other points of the pixels.
 * False: a box in which no camera can stand. */
bool bench_primary_rays(const bench_source *source, bench_pictures pictures, size_t count,
                        sl_ray *out);

/* Where the rays of SET_PRIMARY hit, in their order; normals are turned towards the ray, and
 * front_origin lies on that side.  Free *hits.  False: out of memory. */
bool bench_primary_hits(const bench_source *source, size_t count, bench_point **hits,
                        size_t *hit_count);
