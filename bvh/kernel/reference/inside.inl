/* Reference kernel, inside: what a ray from a point crosses, front and back counted apart, and
 * whether the point is on a triangle.  For sl_bvh_inside() (bvh/query/inside.c).  A triangle that
 * touches the point is touched by the ray too, so the filters of the ray keep every triangle that
 * matters to either question. */
#ifndef SLI_KERNEL_REFERENCE_INSIDE_INL
#define SLI_KERNEL_REFERENCE_INSIDE_INL

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/reference/box.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/reference/tri.inl"
#include "lib/geom/closest/point_triangle.h"

static bool touches_point(const float at[3], float v[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        const float x = at[axis];
        if ((x < v[0][axis] && x < v[1][axis] && x < v[2][axis]) ||
            (x > v[0][axis] && x > v[1][axis] && x > v[2][axis])) {
            return false;
        }
    }
    const double point[3] = { at[0], at[1], at[2] };
    sli_nearest_point nearest;
    return sli_point_triangle(point, v[0], v[1], v[2], 0, 0, &nearest);
}

static void inside_lane(walk *w, const sl_bvh *tree, const sli_tri_pack *pack, int lane,
                        sli_mailbox *mailbox, sli_kernel_inside *found)
{
    const uint32_t mask = pack->mask[lane];
    if (!sli_selection_has(&w->ray->selection, pack->prim[lane], mask)) {
        return;
    }
    float v[3][3], at[3];
    sli_decision_stage stage;
    lane_corners(pack, lane, v);
    const int side =
        sli_exact_ray_side(&w->ray->exact, v[0], v[1], v[2], (int)w->ray->cull, &stage);
    count_stage(w, stage, side != 0);
    if (side != 0 && !(sli_pack_is_split(pack, lane) &&
                       sli_mailbox_is_repeat(mailbox, tree, pack, lane, ray_reaches, w))) {
        found->fronts += side < 0;
        found->backs += side > 0;
    }
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (float)w->ray->exact.origin[axis];
    }
    found->touches = found->touches || touches_point(at, v);
}

static void traverse_inside(const sl_bvh *tree, const sli_kernel_ray *ray, sli_kernel_inside *found,
                            sl_stats *stats)
{
    walk w;
    sli_mailbox mailbox = { .count = 0 };
    *found = (sli_kernel_inside){ .fronts = 0 };
    prepare(&w, tree, ray);
    push_root(&w, tree);
    for (;;) {
        const uint32_t leaf = next_leaf(&w, tree, SLI_ANY_SHIFT);
        if (leaf == SLI_REF_EMPTY) {
            break;
        }
        sli_tri_pack room;
        const sli_tri_pack *pack = sli_tree_pack(tree, leaf, &room);
        for (uint32_t lanes = filter_lanes(&w, pack); lanes != 0; lanes &= lanes - 1) {
            inside_lane(&w, tree, pack, __builtin_ctz(lanes), &mailbox, found);
        }
    }
    add_stats_to(&w.stats, stats);
}

#endif
