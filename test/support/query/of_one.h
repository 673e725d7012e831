/* of_one.h: queries about one ray, segment, point or volume that are calls about arrays of one. */
#pragma once

#include <sightline/mesh_repair.h>
#include <sightline/points.h>
#include <sightline/rays.h>
#include <sightline/volumes.h>

/* The bounds of a tree over triangles, which are made of floats. */
static inline sl_aabb bounds_in_floats(const sl_bvh *bvh)
{
    const sl_aabb_d box = sl_bvh_bounds(bvh);
    sl_aabb out;
    for (int axis = 0; axis < 3; axis++) {
        out.min[axis] = (float)box.min[axis];
        out.max[axis] = (float)box.max[axis];
    }
    return out;
}

static inline sl_hit_d hit_in_doubles(const sl_hit *hit)
{
    return (sl_hit_d){ .t = hit->t,
                       .u = hit->u,
                       .v = hit->v,
                       .prim = hit->prim,
                       .instance = hit->instance,
                       .flags = hit->flags };
}

/* Any, with the work that it takes. */
static inline bool any_of_one(const sl_bvh *bvh, sl_rays one, const sl_options *options,
                              sl_stats *stats)
{
    uint8_t any;
    sl_bvh_any_many(bvh, one, options, &any, NULL, NULL, stats);
    return any != 0;
}

static inline bool closest_of_one(const sl_bvh *bvh, sl_rays one, const sl_options *options,
                                  sl_hits hit)
{
    sl_bvh_closest_many(bvh, one, options, hit, NULL, NULL);
    return *hit.prim != SL_NONE;
}

/* From the hit to the one after it, which takes its place. */
static inline bool next_of_one(const sl_bvh *bvh, sl_rays one, const sl_options *options,
                               sl_hits hit)
{
    sl_bvh_next_many(bvh, one, options, hit, NULL, NULL);
    return *hit.prim != SL_NONE;
}

/* All, with the work that it takes; sl_hits_of(NULL) only counts. */
static inline size_t all_of_one(const sl_bvh *bvh, sl_rays one, const sl_options *options,
                                sl_hits hits, size_t capacity, sl_stats *stats)
{
    uint64_t total;
    sl_bvh_all_many(bvh, one, options, hits, capacity, &total, NULL, stats);
    return (size_t)total;
}

/* The rays, all of which end at the same t. */
static inline sl_rays rays_until(sl_rays rays, const void *tmax)
{
    rays.tmax = tmax;
    rays.tmax_stride = SL_SAME;
    return rays;
}

static inline size_t nearest_k_of_one_d(const sl_bvh *bvh, const double point[3],
                                        float max_distance, const sl_options *options,
                                        sl_nearest_d *out, size_t k)
{
    uint64_t found;
    sl_bvh_nearest_k_many(bvh, sl_points_of(point, 1, SL_DOUBLE), max_distance, options,
                          sl_nearests_of(out, SL_DOUBLE), k, &found, NULL, NULL);
    return (size_t)found;
}

static inline size_t within_of_one_d(const sl_bvh *bvh, const double point[3], float radius,
                                     const sl_options *options, sl_nearest_d *out, size_t capacity)
{
    uint64_t total;
    sl_bvh_within_many(bvh, sl_points_of(point, 1, SL_DOUBLE), radius, options,
                       sl_nearests_of(out, SL_DOUBLE), capacity, &total, NULL, NULL);
    return (size_t)total;
}

static inline size_t inside_of_one_d(const sl_bvh *bvh, const double point[3],
                                     const sl_options *options, uint32_t *instances,
                                     size_t capacity)
{
    uint64_t total;
    sl_bvh_inside_many(bvh, sl_points_of(point, 1, SL_DOUBLE), options, instances, capacity, &total,
                       NULL, NULL);
    return (size_t)total;
}

static inline bool winding_of_one(const sl_bvh *bvh, const sl_boundary *boundary,
                                  const float point[3], const sl_options *options, sl_inside *out)
{
    sl_inside found = { .crossings = 0 };
    (void)sl_bvh_winding(bvh, boundary, point, 1, options, &found, NULL, NULL);
    if (out != NULL) {
        *out = found;
    }
    return found.inside;
}

static inline size_t overlap_all_of_one_d(const sl_bvh *bvh, const sl_volume_d *volume,
                                          const sl_options *options, sl_triangle_ref *refs,
                                          size_t capacity)
{
    uint64_t total;
    sl_bvh_overlap_all_many(bvh, sl_volumes_of(volume, 1, SL_DOUBLE), options, refs, capacity,
                            &total, NULL, NULL);
    return (size_t)total;
}

static inline bool self_overlaps(const sl_bvh *bvh, uint32_t prim, const sl_options *options)
{
    uint8_t touches = 0;
    (void)sl_bvh_self_overlap_any(bvh, prim, 1, options, &touches, NULL, NULL);
    return touches != 0;
}

static inline size_t self_pairs_of(const sl_bvh *bvh, uint32_t prim, const sl_options *options,
                                   sl_triangle_ref *others, size_t capacity)
{
    uint64_t total = 0;
    (void)sl_bvh_self_pairs(bvh, prim, 1, options, others, capacity, &total, NULL, NULL);
    return (size_t)total;
}
