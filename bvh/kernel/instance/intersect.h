/* intersect.h: one triangle of one instance against a ray of the world: options, the corners in the
 * world, and the exact decision.  For walks (walk.inl) and hints (bvh/query/world_rays.c). */
#pragma once

#include "bvh/kernel/instance/ray.h"
#include "bvh/tree/tree.h"
#include "lib/geom/transform/transform.h"

/* Whether the options leave anything of an instance in: by its mask, by those of all its triangles,
 * and by its number. */
static inline bool sli_world_selects(const sl_item_options *item,
                                     const sli_transformed *transformed, uint32_t instance)
{
    const uint32_t mask = item->mask;
    if (mask != 0 &&
        ((transformed->mask & mask) == 0 || (transformed->tree->child_masks.all & mask) == 0)) {
        return false;
    }
    return sli_item_has_instance(item, instance);
}

/* The block and lane that have a triangle of an instance: those given, or of a tree over several
 * instances those of its source, whose number *instance becomes. */
static inline const sli_tri_pack *sli_world_source(const sli_world *world, uint32_t *instance,
                                                   const sli_tri_pack *pack, uint32_t *lane)
{
    if (__builtin_expect(*instance < world->count, 1)) {
        return pack;
    }
    const sli_transformed *still = &world->transformed[*instance];
    const sli_entry_source source = still->sources[pack->prim[*lane]];
    *instance = still->first + source.instance;
    *lane = source.slot % SLI_PACK;
    return sli_tree_block(world->transformed[*instance].tree, source.slot / SLI_PACK);
}

/* Whether the options of a batch may leave out some triangles of what is entered. */
static inline bool sli_world_chooses(const sli_world_batch *batch)
{
    const uint32_t ignore = batch->world->still ? SLI_USES_IGNORE : 0;
    return (batch->uses & (SLI_USES_MASK | SLI_USES_SKIP | ignore)) != 0;
}

/* The corners in the world of a triangle with vertices x. */
static inline void sli_world_corners(const sli_transformed *transformed, float x[3][3],
                                     double v[3][3])
{
    for (int corner = 0; corner < 3; corner++) {
        sli_transform_corner(&transformed->transform, transformed->grid, x[corner], v[corner]);
    }
}

/* The same in the order that runs counter-clockwise around the front, which is the object's: of a
 * mirrored instance, corners 1 and 2 change places. */
static inline void sli_world_corners_from_front(const sli_transformed *transformed, float x[3][3],
                                                double v[3][3])
{
    for (int corner = 0; corner < 3; corner++) {
        const int from = transformed->mirrored && corner > 0 ? 3 - corner : corner;
        sli_transform_corner(&transformed->transform, transformed->grid, x[from], v[corner]);
    }
}

/* The side that counts, for triangles as they lie in the world: of a mirrored instance, the
 * object's front is the world's back. */
static inline sl_cull sli_world_cull(const sli_world_ray *ray, const sli_transformed *transformed)
{
    if (!transformed->mirrored || ray->cull == SL_CULL_NONE) {
        return ray->cull;
    }
    return ray->cull == SL_CULL_BACK ? SL_CULL_FRONT : SL_CULL_BACK;
}

/* The exact hit on corners in the world; a t that rounds to more than t_bound may be a miss. */
static inline bool sli_world_hit(const sli_world_ray *ray, double v[3][3], sl_cull cull,
                                 double t_bound, sli_exact_hit_d *hit)
{
    if (!ray->in_floats) {
        return sli_exact_ray_hit_d(&ray->exact, v[0], v[1], v[2], (int)cull, t_bound, hit);
    }
    sli_exact_hit in_floats;
    const bool found = sli_exact_ray_hit_d_float(&ray->exact, v[0], v[1], v[2], (int)cull,
                                                 (float)t_bound, &in_floats);
    hit->stage = in_floats.stage;
    if (found) {
        *hit = (sli_exact_hit_d){ .t = in_floats.t,
                                  .u = in_floats.u,
                                  .v = in_floats.v,
                                  .flags = in_floats.flags,
                                  .stage = in_floats.stage };
    }
    return found;
}

/* The same on a triangle that is there, if the hit filter accepts it.  Of a ray in floats t_bound
 * is a float. */
static inline bool sli_world_decide(const sli_world *world, const sli_world_ray *ray,
                                    sl_triangle_ref triangle, float x[3][3], double t_bound,
                                    sl_hit_d *hit, sli_decision_stage *stage)
{
    const sli_transformed *transformed = &world->transformed[triangle.instance];
    double v[3][3];
    sli_exact_hit_d exact;
    if (world->unmoved) {
        for (int i = 0; i < 9; i++) {
            v[i / 3][i % 3] = x[i / 3][i % 3];
        }
    } else {
        sli_world_corners(transformed, x, v);
    }
    const bool found = sli_world_hit(ray, v, sli_world_cull(ray, transformed), t_bound, &exact);
    *stage = exact.stage;
    if (!found) {
        return false;
    }
    *hit =
        (sl_hit_d){ .t = exact.t,
                    .u = exact.u,
                    .v = exact.v,
                    .prim = triangle.prim,
                    .instance = triangle.instance,
                    .flags = exact.flags ^ (transformed->mirrored ? (uint32_t)SL_HIT_BACK : 0u) };
    return ray->accepts == NULL || ray->accepts(ray->accepts_user, ray->accepts_index, hit);
}
