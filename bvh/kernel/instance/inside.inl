/* Scenes, one point: the instances that contain it.  For sl_scene_inside() (bvh/scene/inside.c).
 *
 * Only instances whose box holds the point are asked, by the box that the place makes of the bounds
 * of their mesh: what is outside of it is not inside of a closed mesh, and an open one is not asked
 * for what happens to be in line with it.  Of each the crossings of the ray along +x are counted.
 */
#ifndef SLI_KERNEL_INSTANCE_INSIDE_INL
#define SLI_KERNEL_INSTANCE_INSIDE_INL

#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/point.h"
#include "bvh/kernel/instance/walk.inl"
#include "bvh/kernel/mailbox.h"
#include "lib/geom/place/place.h"

/* Whether the triangle in a lane is crossed. */
static bool inside_crosses(scene_walk *s, const sli_tri_pack *pack, int lane)
{
    const sl_triangle_ref triangle = { .instance = s->instance, .prim = pack->prim[lane] };
    if (!sli_scene_has(s->ray, triangle, pack->mask[lane])) {
        return false;
    }
    float x[3][3];
    double v[3][3];
    sli_decision_stage stage;
    sli_pack_corners(pack, lane, x);
    sli_scene_corners(s->placed, x, v);
    const bool hit =
        sli_exact_ray_hits_d(&s->ray->exact, v[0], v[1], v[2], (int)SL_CULL_NONE, &stage);
    count_stage(&s->object, stage, hit);
    return hit;
}

/* Whether the ray crosses the present instance an odd number of times. */
static bool inside_odd(scene_walk *s)
{
    const sl_bvh *tree = s->placed->tree;
    sli_mailbox mailbox = { .count = 0 };
    bool odd = false;
    for (;;) {
        const uint32_t leaf = next_leaf(&s->object, tree, SLI_ANY_SHIFT);
        if (leaf == SLI_REF_EMPTY) {
            return odd;
        }
        sli_tri_pack room;
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf, &room);
        for (uint32_t lanes = filter_lanes(&s->object, pack); lanes != 0; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            odd ^= inside_crosses(s, pack, lane) &&
                   !(sli_pack_is_split(pack, lane) &&
                     sli_mailbox_is_repeat(&mailbox, tree, pack, lane, ray_reaches, &s->object));
        }
    }
}

/* Whether the box of an instance holds the point. */
static bool inside_box(const sli_placed *placed, const double at[3])
{
    double min[3], max[3];
    bool inside = true;
    sli_place_bounds(&placed->place, placed->grid, &placed->tree->bounds, min, max);
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
    s.top.bound = carry_limit_up(&s.top, 0);
    while (begun && scene_next(&s, SLI_ANY_SHIFT, &pack, &unpacked, &entries)) {
        for (; entries.met != 0; entries.met &= entries.met - 1) {
            const uint32_t instance = pack->prim[__builtin_ctz(entries.met)];
            if (inside_box(&world->placed[instance], ask->at) && scene_enter(&s, instance) &&
                inside_odd(&s)) {
                take(context, instance);
                total++;
            }
        }
    }
    scene_end(&s, stats);
    return total;
}

#endif
