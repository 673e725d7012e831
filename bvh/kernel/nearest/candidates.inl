/* The candidates of nearest/stream.inl: triangles that may be the nearest to their points once
 * floats have done what they can.  Those of all points join one list, which is decided when it is
 * full and at the end: four pairs at a time in doubles (nearest/decide.inl), exactly where the
 * interval of a distance leaves the answer open (lib/geom/closest/point_triangle.h). */
#pragma once

#include "bvh/kernel/nearest/decide.inl"
#include "bvh/kernel/nearest/state.inl"
#include "lib/geom/closest/point_triangle.h"

/* Decides a candidate whose distance lies between low and high: it becomes the answer to its point
 * if it is nearer than the answer so far, or as near with a lower prim.  u, v: weights of vertices
 * 1 and 2. */
static void decide_one(nearest_batch *batch, uint32_t i, double low, double high, double u,
                       double v)
{
    const nearest_list *list = &batch->list;
    sl_nearest *best = &batch->out[list->index[i]]; /* distance starts as the limit */
    sli_nearest_point nearest;
    double point[3];
    float corner[3][3];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = list->at[axis][i];
        for (int k = 0; k < 3; k++) {
            corner[k][axis] = list->corner[k][axis][i];
        }
    }
    const bool found =
        sli_point_triangle_within(point, corner[0], corner[1], corner[2], batch->given->limit,
                                  best->distance, low, high, &nearest);
    batch->stats.double_stage += nearest.stage == SLI_STAGE_DOUBLE;
    batch->stats.exact_stage += nearest.stage == SLI_STAGE_EXACT;
    batch->stats.hits += found;
    if (found && (nearest.distance < best->distance ||
                  (nearest.distance == best->distance && list->prim[i] < best->prim))) {
        *best = (sl_nearest){
            .distance = nearest.distance, .u = (float)u, .v = (float)v, .prim = list->prim[i]
        };
        sli_nearest_location(corner[0], corner[1], corner[2], best->u, best->v, best->point);
    }
}

/* Decides candidates i .. i + 3, those up to count. */
static void decide_four(nearest_batch *batch, uint32_t i)
{
    const nearest_list *list = &batch->list;
    const uint32_t count = list->count - i < 4 ? list->count - i : 4;
    d4_corners corners;
    d4 u, v, low, high;
    double lows[4], highs[4], us[4], vs[4];
    for (int axis = 0; axis < 3; axis++) {
        const d4 at = d4_load(&list->at[axis][i]);
        for (int k = 0; k < 3; k++) {
            corners.at[k][axis] = d4_sub(d4_load(&list->corner[k][axis][i]), at);
        }
    }
    d4_weights(&corners, &u, &v);
    d4_interval(&corners, u, v, &low, &high);
    d4_store(lows, low);
    d4_store(highs, high);
    d4_store(us, u);
    d4_store(vs, v);
    for (uint32_t k = 0; k < count; k++) {
        decide_one(batch, i + k, lows[k], highs[k], us[k], vs[k]);
    }
}

/* Writes a candidate of a slot, the triangle in a slot, as entry `to` of the list. */
static void list_candidate(nearest_list *list, uint32_t to, const sl_bvh *tree,
                           const nearest_slot *s, uint32_t slot)
{
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(tree, slot / SLI_PACK, &unpacked);
    const uint32_t lane = slot % SLI_PACK;
    list->prim[to] = pack->prim[lane];
    list->index[to] = s->index;
    for (int axis = 0; axis < 3; axis++) {
        list->at[axis][to] = s->at[axis];
        for (int k = 0; k < 3; k++) {
            list->corner[k][axis][to] = pack->axis[axis].vertex[k][lane];
        }
    }
}

/* Fills the entries after the last candidate, up to a multiple of four, with copies of it. */
static void fill_list(nearest_list *list)
{
    for (uint32_t i = list->count; i % 4 != 0; i++) {
        for (int axis = 0; axis < 3; axis++) {
            list->at[axis][i] = list->at[axis][i - 1];
            for (int k = 0; k < 3; k++) {
                list->corner[k][axis][i] = list->corner[k][axis][i - 1];
            }
        }
    }
}

/* Decides all candidates on the list, and empties it. */
static void decide_list(nearest_batch *batch)
{
    fill_list(&batch->list);
    for (uint32_t i = 0; i < batch->list.count; i += 4) {
        decide_four(batch, i);
    }
    batch->list.count = 0;
}

/* Puts the candidates of a slot on the list. */
static void list_candidates(nearest_batch *batch, nearest_slot *s)
{
    for (uint32_t i = 0; i < s->candidate_count; i++) {
        if (batch->list.count == NEAREST_LIST_MAX) {
            decide_list(batch);
        }
        list_candidate(&batch->list, batch->list.count++, batch->tree, s, s->slot[i]);
    }
    s->candidate_count = 0;
}
