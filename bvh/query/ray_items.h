/* ray_items.h: the rays or segments of a query, as kernels take them, and their hits, as callers
 * want them.  Plain arrays are read and written where they are; other layouts go through blocks. */
#pragma once

#include "bvh/kernel/kernel.h"

#include <sightline/volumes.h>

/* Plain arrays, of which one is not NULL, or directions or targets from one point. */
typedef struct sli_ray_items {
    const sl_ray *rays;
    const sl_segment *segments;
    const sl_ray_d *rays_d;
    const sl_segment_d *segments_d;
} sli_ray_items;

/* Plain arrays of hits, of which one is not NULL unless no hits are wanted. */
typedef struct sli_ray_hits {
    sl_hit *floats;
    sl_hit_d *doubles;
} sli_ray_hits;

/* The arrays themselves where a layout is plain; false: it is not, and nothing is written. */
bool sli_rays_are_plain(const sl_rays *rays, sli_ray_items *out);
bool sli_hits_are_plain(const sl_hits *hits, sli_ray_hits *out);

/* All rays share one origin in floats, and the same limits from 0 on, or all segments one end in
 * floats; fills in what kernels take. */
bool sli_rays_are_from_point(const sl_rays *rays, sli_kernel_point_to_many *out);

/* Copies items first .. first + count - 1 to a block that has capacity for count of their type. */
sli_ray_items sli_rays_gather(const sl_rays *rays, size_t first, size_t count, void *block);

/* The same for points, three numbers after three. */
bool sli_points_are_packed(const sl_points *points);
void sli_points_gather(const sl_points *points, size_t first, size_t count, void *block);

/* Copies hits first .. first + count - 1: t, prim and instance alone. */
void sli_hits_gather(const sl_hits *hits, size_t first, size_t count, const sli_ray_hits *out);

/* Copies hits 0 .. count - 1 to those from `first` on. */
void sli_hits_scatter(const sl_hits *hits, size_t first, size_t count, const sli_ray_hits *from);

/* The limit of item i, which is the t of a miss. */
static inline double sli_ray_limit(const sli_ray_items *items, size_t i)
{
    return items->rays != NULL     ? (double)items->rays[i].tmax
           : items->rays_d != NULL ? items->rays_d[i].tmax
                                   : 1;
}

/* False: item i is invalid. */
static inline bool sli_ray_exact(const sli_ray_items *items, size_t i, uint32_t flags,
                                 sli_exact_ray *out)
{
    return items->rays != NULL       ? sli_exact_ray_from_ray(&items->rays[i], flags, out)
           : items->segments != NULL ? sli_exact_ray_from_segment(&items->segments[i], flags, out)
           : items->rays_d != NULL
               ? sli_exact_ray_from_ray_d(&items->rays_d[i], flags, out)
               : sli_exact_ray_from_segment_d(&items->segments_d[i], flags, out);
}
