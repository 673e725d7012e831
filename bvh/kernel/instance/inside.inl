/* The instances that contain one point.  For sl_bvh_inside() (bvh/query/points.c).
 *
 * Only instances whose box holds the point are looked at: the box that the transform makes of the
 * bounds of their mesh.  What is outside of it is not inside of a closed mesh, and what is merely
 * in line with an open one is not counted.  Of each the crossings of the ray along +x are counted.
 */
#pragma once

#include "bvh/kernel/instance/walk.inl"

/* Whether the box of an instance holds the point. */
static bool inside_box(const sli_transformed *transformed, const double at[3])
{
    double min[3], max[3];
    bool inside = true;
    sli_transform_bounds(&transformed->transform, transformed->grid, &transformed->tree->bounds,
                         min, max);
    for (int axis = 0; axis < 3; axis++) {
        inside = inside && at[axis] >= min[axis] && at[axis] <= max[axis];
    }
    return inside;
}

/* Gives take the instances that contain the point; returns how many.  The walk of the top tree ends
 * where the ray begins, so that it comes to what may hold the point. */
static uint64_t world_inside(const sli_world *world, const sli_world_point *query,
                             sli_world_take_instance *take, void *context, sl_stats *stats)
{
    world_walk s;
    world_entries entries;
    const sli_tri_pack *pack;
    sli_tri_pack unpacked;
    uint64_t total = 0;
    sli_world_ray ray = query->options;
    ray.exact = (sli_exact_ray){ .origin = { query->at[0], query->at[1], query->at[2] },
                                 .dir = { 1, 0, 0 },
                                 .tmin = 0,
                                 .tmax = INFINITY,
                                 .crossings = true };
    const bool begun = world_begin(&s, world, &ray);
    s.top.bound = to_local_limit_up(&s.top, 0);
    while (begun && world_next(&s, 0, &pack, &unpacked, &entries)) {
        for (; entries.met != 0; entries.met &= entries.met - 1) {
            const uint32_t instance = pack->prim[__builtin_ctz(entries.met)];
            if (inside_box(&world->transformed[instance], query->at) && world_enter(&s, instance)) {
                s.total = 0;
                (void)world_walk_object(&s, WORLD_CROSSINGS);
                if (s.total % 2 != 0) {
                    take(context, instance);
                    total++;
                }
            }
        }
    }
    world_end(&s, stats);
    return total;
}
