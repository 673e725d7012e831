/* bench/primary.h: three pictures of a mesh, and what their rays hit. */
#ifndef TOOLS_BENCH_PRIMARY_H
#define TOOLS_BENCH_PRIMARY_H

#include "tools/bench/sets.h"

/* Whole tiles, spread evenly over the pictures, one alone from the middle.  False: a box in which
 * no camera can stand. */
bool bench_primary_rays(const bench_source *source, size_t count, sl_ray *out);

/* Where those rays hit, in their order; normals are turned towards the ray, and front_origin lies
 * on that side.  Free *hits.  False: out of memory. */
bool bench_primary_hits(const bench_source *source, size_t count, sl_surface **hits,
                        size_t *hit_count);

#endif
