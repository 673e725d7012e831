/* The instances that contain one point.  For sl_bvh_inside() (bvh/query/points.c).
 *
 * Only instances whose box holds the point are looked at: the box that the transform makes of the
 * bounds of their mesh.  What is outside of it is not inside of a closed mesh, and what is merely
 * in line with an open one is not counted.  Of each the crossings of the ray along +x are counted.
 */
#pragma once

#include "bvh/kernel/instance/walk.inl"

/* Whether the box of an instance holds the point. */
static bool inside_box(const sli_placed *placed, const double at[3])
{
    double min[3], max[3];
    bool inside = true;
    sli_transform_bounds(&placed->place, placed->grid, &placed->tree->bounds, min, max);
    for (int axis = 0; axis < 3; axis++) {
        inside = inside && at[axis] >= min[axis] && at[axis] <= max[axis];
    }
    return inside;
}

/* Gives take the instances that contain the point; returns how many.  The walk of the top tree ends
 * where the ray begins, so that it comes to what may hold the point. */
static uint64_t scene_inside(const sli_world *world, const sli_scene_point *ask,
                             sli_scene_take_instance *take, void *context, sl_stats *stats)
{
    scene_walk s;
    scene_entries entries;
    const sli_tri_pack *pack;
    sli_tri_pack unpacked;
    uint64_t total = 0;
    sli_scene_ray ray = ask->options;
    ray.exact = (sli_exact_ray){ .origin = { ask->at[0], ask->at[1], ask->at[2] },
                                 .dir = { 1, 0, 0 },
                                 .tmin = 0,
                                 .tmax = INFINITY,
                                 .crossings = true };
    const bool begun = scene_begin(&s, world, &ray);
    s.top.bound = to_local_limit_up(&s.top, 0);
    while (begun && scene_next(&s, 0, &pack, &unpacked, &entries)) {
        for (; entries.met != 0; entries.met &= entries.met - 1) {
            const uint32_t instance = pack->prim[__builtin_ctz(entries.met)];
            if (inside_box(&world->placed[instance], ask->at) && scene_enter(&s, instance)) {
                s.total = 0;
                (void)scene_walk_object(&s, SCENE_CROSSINGS);
                if (s.total % 2 != 0) {
                    take(context, instance);
                    total++;
                }
            }
        }
    }
    scene_end(&s, stats);
    return total;
}
