/* refit/boxes.h: boxes of nodes and children, for whole.c, dirty.c and update.c. */
#pragma once

#include "bvh/builder/base/box.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <math.h>

static inline sli_lanes sli_load4(const float *at)
{
    return *(const sli_lanes_anywhere *)at;
}

static inline sli_lanes_i32 sli_is_unused(const uint32_t *children)
{
    sli_lanes_u32 refs;
    memcpy(&refs, children, sizeof refs);
    const sli_lanes_u32 empty = { SLI_REF_EMPTY, SLI_REF_EMPTY, SLI_REF_EMPTY, SLI_REF_EMPTY };
    return (sli_lanes_i32)(refs == empty);
}

/* Of the eight boxes of a node, in lanes 0 .. 2. */
static inline sli_box sli_box_of_node(const sli_node_wide *node)
{
    const sli_lanes_i32 no[2] = { sli_is_unused(node->child), sli_is_unused(node->child + 4) };
    const sli_lanes far = sli_lanes_all(INFINITY);
    sli_lanes min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *low = node->bounds[axis][0], *high = node->bounds[axis][1];
        min[axis] = sli_lanes_min(sli_lanes_pick(no[0], far, sli_load4(low)),
                                  sli_lanes_pick(no[1], far, sli_load4(low + 4)));
        max[axis] = sli_lanes_max(sli_lanes_pick(no[0], -far, sli_load4(high)),
                                  sli_lanes_pick(no[1], -far, sli_load4(high + 4)));
    }
    const sli_lanes xy_min = sli_lanes_min(__builtin_shufflevector(min[0], min[1], 0, 4, 1, 5),
                                           __builtin_shufflevector(min[0], min[1], 2, 6, 3, 7));
    const sli_lanes xy_max = sli_lanes_max(__builtin_shufflevector(max[0], max[1], 0, 4, 1, 5),
                                           __builtin_shufflevector(max[0], max[1], 2, 6, 3, 7));
    const sli_lanes z_min =
        sli_lanes_min(min[2], __builtin_shufflevector(min[2], min[2], 2, 3, 2, 3));
    const sli_lanes z_max =
        sli_lanes_max(max[2], __builtin_shufflevector(max[2], max[2], 2, 3, 2, 3));
    return (sli_box){ sli_lanes_min(__builtin_shufflevector(xy_min, z_min, 0, 1, 4, 4),
                                    __builtin_shufflevector(xy_min, z_min, 2, 3, 5, 5)),
                      sli_lanes_max(__builtin_shufflevector(xy_max, z_max, 0, 1, 4, 4),
                                    __builtin_shufflevector(xy_max, z_max, 2, 3, 5, 5)) };
}

static inline sli_box sli_box_of_child(const sli_node_wide *node, int child)
{
    const float(*b)[2][SLI_WIDTH] = node->bounds;
    return (sli_box){ { b[0][0][child], b[1][0][child], b[2][0][child], 0 },
                      { b[0][1][child], b[1][1][child], b[2][1][child], 0 } };
}

/* The triangle of a lane. */
static inline void sli_load_lane(const sli_tri_pack *pack, int lane, sli_lanes corners[3])
{
    for (int corner = 0; corner < 3; corner++) {
        corners[corner] =
            (sli_lanes){ pack->x[corner][lane], pack->y[corner][lane], pack->z[corner][lane], 0 };
    }
}

static inline bool sli_pack_has_split(const sli_tri_pack *pack)
{
    uint64_t before[2];
    memcpy(before, pack->before, sizeof before);
    return (before[0] | before[1]) != 0;
}

/* All ones for the lanes of a pack that are in use. */
static inline sli_lanes_i32 sli_lanes_in_use(const sli_tri_pack *pack)
{
    sli_lanes_u32 prim;
    memcpy(&prim, pack->prim, sizeof prim);
    const sli_lanes_u32 none = { SL_NONE, SL_NONE, SL_NONE, SL_NONE };
    return (sli_lanes_i32)(prim != none);
}

/* Four rows of x, y and z become one row each of x, y and z. */
static inline void sli_transpose(const sli_lanes from[4], sli_lanes to[3])
{
    const sli_lanes xy01 = __builtin_shufflevector(from[0], from[1], 0, 4, 1, 5);
    const sli_lanes xy23 = __builtin_shufflevector(from[2], from[3], 0, 4, 1, 5);
    const sli_lanes z01 = __builtin_shufflevector(from[0], from[1], 2, 6, 2, 6);
    const sli_lanes z23 = __builtin_shufflevector(from[2], from[3], 2, 6, 2, 6);
    to[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
    to[1] = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
    to[2] = __builtin_shufflevector(z01, z23, 0, 1, 4, 5);
}

typedef double sli_pair __attribute__((vector_size(16)));

/* The sum of half the surfaces of four boxes, those whose bits are set. */
static inline double sli_sum_areas(const sli_lanes low[3], const sli_lanes high[3], uint32_t bits)
{
    sli_pair sum = { 0, 0 };
    for (int k = 0; k < 2; k++) {
        sli_pair side[3];
        for (int axis = 0; axis < 3; axis++) {
            const sli_pair min = { (double)low[axis][2 * k], (double)low[axis][2 * k + 1] };
            const sli_pair max = { (double)high[axis][2 * k], (double)high[axis][2 * k + 1] };
            side[axis] = max - min;
        }
        const sli_pair area = side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
        const sli_pair weight = { (double)(bits >> (2 * k) & 1),
                                  (double)(bits >> (2 * k + 1) & 1) };
        sum += weight * area;
    }
    return sum[0] + sum[1];
}

/* Sets the box of a child, and counts it. */
static SLI_FORCE_INLINE void sli_set_box(sli_node_wide *node, int child, const sli_box *box,
                                         double weight, bool was_counted, sli_refit_piece *piece)
{
    if (was_counted) {
        const sli_box old = sli_box_of_child(node, child);
        piece->removed += weight * sli_box_area(&old);
    }
    sli_child_set_box(node, (uint32_t)child, (const float *)&box->min, (const float *)&box->max);
    piece->added += weight * sli_box_area(box);
}

/* Adding 0 turns -0 into +0, as builds do. */
static inline sli_box sli_finish_box(sli_lanes min, sli_lanes max)
{
    const sli_lanes zero = sli_lanes_all(0.0f);
    return (sli_box){ min + zero, max + zero };
}

static inline void sli_join_children(const sl_bvh *tree, sli_node_wide *node, uint32_t children,
                                     bool was_counted, sli_refit_piece *piece)
{
    for (int child = 0; child < SLI_WIDTH; child++) {
        if ((children >> child & 1) != 0 && (node->child[child] & SLI_REF_LEAF) == 0) {
            const sli_box box = sli_box_of_node(sli_tree_node(tree, node->child[child]));
            sli_set_box(node, child, &box, SLI_COST_NODE, was_counted, piece);
        }
    }
}

/* The box of a block whose box was old.  Of a triangle that was cut, the part in it is known only
 * where none of them was written; old may be NULL where none was cut (dirty.c). */
sli_box sli_box_of_pack(const sli_tri_pack *pack, const sli_box *old, bool part_written);
