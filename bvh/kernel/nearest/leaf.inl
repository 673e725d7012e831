/* The steps of a walk for the nearest triangles (nearest/walk.inl) at leaf blocks: the triangles of
 * a block are bounded in floats (nearest/filter.inl), unless the search is wide; what is left gets
 * its corners in the world, exactly as the corner rule says, and the distances are bounded in
 * doubles, together (nearest/decide.inl); what that leaves open is decided exactly. */
#pragma once

#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/nearest/decide.inl"
#include "bvh/kernel/nearest/node.inl"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/intersect/hit_heap.h"

/* The lane with the smallest number. */
static SLI_FORCE_INLINE int nearest_least_lane(uint32_t lanes, const double *near)
{
    int best = __builtin_ctz(lanes);
    for (uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        best = near[lane] < near[best] ? lane : best;
    }
    return best;
}

/* Rounds to the nearest multiple of the grid, as sli_round_to_grid. */
static d4 nearest_round(d4 x, d4 large)
{
    const d4 zero = d4_splat(0);
    const d4 signed_large = d4_less(x, zero, d4_sub(zero, large), large);
    return d4_less(d4_abs(x), large, d4_sub(d4_add(x, signed_large), signed_large), x);
}

/* The corners in the world of a block's triangles, exactly those of sli_transform_corner.  Few of
 * them are so small that they are rounded to the grid that there is by default. */
static void nearest_to_world(const sli_transformed *transformed, d4_corners *corners)
{
    const d4 large = d4_splat(0x1p52 * transformed->grid);
    d4 least = large;
    for (int k = 0; k < 3; k++) {
        const d4 x = corners->at[k][0], y = corners->at[k][1], z = corners->at[k][2];
        for (int axis = 0; axis < 3; axis++) {
            const double *row = transformed->transform.m[axis];
            const d4 sum = d4_add(d4_add(d4_mul(d4_splat(row[0]), x), d4_mul(d4_splat(row[1]), y)),
                                  d4_mul(d4_splat(row[2]), z));
            corners->at[k][axis] = d4_add(sum, d4_splat(row[3]));
            least = d4_min(d4_abs(corners->at[k][axis]), least);
        }
    }
    for (int i = 0; i < 9 && d4_bits_gt(large, least) != 0; i++) {
        corners->at[i / 3][i % 3] = nearest_round(corners->at[i / 3][i % 3], large);
    }
}

/* Measures the triangles of a block of an instance, or of a tree of triangles (NULL).  A call, as
 * its share of the stack is then free while the walk decides exactly. */
static SLI_NOINLINE void nearest_measure_block(nearest_walk *w, const sli_tri_pack *pack,
                                               const sli_transformed *transformed)
{
    d4_corners corners;
    d4 u, v, low, high;
    for (int i = 0; i < 9; i++) {
        corners.at[i / 3][i % 3] = d4_load(pack->axis[i % 3].vertex[i / 3]);
    }
    if (transformed != NULL) {
        nearest_to_world(transformed, &corners);
    }
    for (int i = 0; i < 9; i++) {
        d4 *corner = &corners.at[i / 3][i % 3];
        *corner = d4_sub(*corner, d4_splat(w->given->at[i % 3]));
    }
    d4_weights(&corners, &u, &v);
    d4_interval(&corners, u, v, &low, &high);
    d4_store(w->bounds.low, low);
    d4_store(w->bounds.high, high);
    d4_store(w->bounds.u, u);
    d4_store(w->bounds.v, v);
}

/* The same at the leaf to visit; those that floats find beyond the bound are left out. */
static SLI_FORCE_INLINE void nearest_measure_leaf(nearest_walk *w, const sli_tri_pack *pack,
                                                  bool instances)
{
    const uint32_t used = f4_bits_ne(pack->prim, SL_NONE);
    w->met = used;
    w->stats.triangles += (uint64_t)__builtin_popcount(used);
    if (!instances && !w->wide) {
        float least2[2 * SLI_PACK], most2[2 * SLI_PACK];
        bound_triangles((const sli_tri_pack *const[]){ pack, pack },
                        (const float *const[]){ w->at, w->at }, used, least2, most2);
        w->met &= f8_bits_le(f8_load(least2), f8_splat((float)w->object.bound2));
        w->stats.float_stage += (uint64_t)__builtin_popcount(used & ~w->met);
    }
    if (w->met != 0) {
        nearest_measure_block(w, pack, instances ? nearest_world_of(w)->transformed : NULL);
    }
}

/* The `reaches` of mailbox.h: whether the walk comes to a slot with the present bound.  Rare: kept
 * out of the walk. */
static SLI_NOINLINE bool nearest_reaches(void *context, const sl_bvh *tree, uint32_t slot)
{
    const nearest_walk *w = context;
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        double near2[SLI_WIDTH];
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, slot / SLI_PACK);
        if ((nearest_boxes_within(w, &w->object, node, near2) >> child & 1) == 0) {
            return false;
        }
        ref = node->child[child];
    }
    return true;
}

/* Whether the mailbox counts the triangle elsewhere.  It has the same distance in every block, so
 * with that for the bound all its slots are either reached or not, whatever the bound is by
 * then. */
static bool nearest_is_repeat(nearest_walk *w, const sli_tri_pack *pack, int lane, float distance)
{
    const double bound2 = w->object.bound2;
    w->object.bound2 = nearest_square_of(w, distance);
    const bool is_repeat =
        sli_mailbox_is_repeat(w->mailbox, w->object.tree, pack, lane, nearest_reaches, w);
    w->object.bound2 = bound2;
    return is_repeat;
}

/* Whether a lane's distance is within limit and bound. */
static SLI_FORCE_INLINE bool nearest_decide(nearest_walk *w, const sli_tri_pack *pack, int lane,
                                            sli_nearest_point *nearest, bool instances)
{
    const float limit = w->given->limit;
    const double low = w->bounds.low[lane], high = w->bounds.high[lane];
    const int known = sli_point_triangle_known(limit, w->bound, low, high, nearest);
    if (known >= 0) {
        return known != 0;
    }
    float x[3][3];
    double corners[3][3];
    sli_pack_corners(pack, lane, x);
    if (!instances) {
        return sli_point_triangle_within(w->given->at, x[0], x[1], x[2], limit, w->bound, low, high,
                                         nearest);
    }
    sli_world_corners(nearest_world_of(w)->transformed, x, corners);
    return sli_point_triangle_within_d(w->given->at, (const double(*)[3])corners, limit, w->bound,
                                       low, high, nearest);
}

static SLI_FORCE_INLINE void nearest_lane(nearest_walk *w, const sli_tri_pack *pack, int lane,
                                          bool instances)
{
    const sl_triangle_ref triangle = { .instance = w->instance, .prim = pack->prim[lane] };
    sli_nearest_point nearest;
    if (!sli_item_has(&w->given->options.item, triangle, pack->mask[lane])) {
        return;
    }
    const bool found = nearest_decide(w, pack, lane, &nearest, instances);
    w->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    w->stats.hits += found;
    if (!found || (w->mailbox != NULL && sli_pack_is_split(pack, lane) &&
                   nearest_is_repeat(w, pack, lane, nearest.distance))) {
        return;
    }
    const sl_hit hit = { .t = nearest.distance,
                         .u = (float)w->bounds.u[lane],
                         .v = (float)w->bounds.v[lane],
                         .prim = triangle.prim,
                         .instance = triangle.instance };
    sli_hit_heap_add(w->hits, w->capacity, w->total++, &hit);
    if (w->shrink && w->total >= w->capacity) {
        nearest_set_bound(w, w->hits[0].t, instances);
    }
}

/* Decides the triangles that were measured, the nearest first, up to the bound. */
static SLI_FORCE_INLINE void nearest_leaf(nearest_walk *w, const sli_tri_pack *pack, bool instances)
{
    for (uint32_t lanes = w->met; lanes != 0;) {
        const int lane = nearest_least_lane(lanes, w->bounds.low);
        if (w->bounds.low[lane] > (double)w->bound * (1 + 0x1p-23) + 0x1p-149) {
            w->stats.double_stage += (uint64_t)__builtin_popcount(lanes);
            return;
        }
        lanes &= ~(1u << lane);
        nearest_lane(w, pack, lane, instances);
    }
}
