/* Reference kernel, inside: what a ray from a point along +x crosses, front and back counted apart,
 * and whether the point is on a triangle.  For sl_bvh_winding() (bvh/query/winding.c).
 *
 * Along +x no filter needs a margin: a box or a triangle's bounds matter if they hold the point's y
 * and z and do not end before its x, which floats compare exactly.  That keeps every triangle that
 * touches the point, too.  Of what is left doubles decide most by the areas that the point
 * makes with the edges, seen along the ray. */
#pragma once

#include "bvh/kernel/filter/child_masks.inl"
#include "bvh/kernel/mailbox.h"
#include "bvh/kernel/plain/tri.inl"
#include "lib/geom/closest/point_triangle.h"

/* A product of differences of floats, and a difference of two, in doubles: 4.01 eps are needed. */
#define INSIDE_AREA_ERROR 0x1p-50

typedef struct inside_walk {
    const sli_kernel_ray *ray;
    float at[3]; /* the point */
    sli_mailbox mailbox;
    sli_kernel_inside *found;
    sl_stats stats;
} inside_walk;

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

/* The children of a node that the ray meets.  Unused ones are inverted boxes. */
static uint32_t inside_boxes(inside_walk *w, const sli_node_wide *node)
{
    uint32_t met = f8_bits_le(f8_splat(w->at[0]), f8_load(node->bounds[0][1]));
    for (int axis = 1; axis < 3; axis++) {
        const f8 at = f8_splat(w->at[axis]);
        met &= f8_bits_le(f8_load(node->bounds[axis][0]), at) &
               f8_bits_le(at, f8_load(node->bounds[axis][1]));
    }
    w->stats.nodes++;
    w->stats.boxes += SLI_WIDTH;
    return met;
}

/* As ray_reaches (plain/box.inl). */
static bool inside_reaches(void *context, const sl_bvh *tree, uint32_t slot)
{
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, slot / SLI_PACK);
        if ((inside_boxes(context, node) >> child & 1) == 0) {
            return false;
        }
        ref = node->child[child];
    }
    return true;
}

/* Bits of a block's triangles: what the ray surely crosses, towards a front or a back, far from the
 * point; and what is left to the exact decision. */
typedef struct inside_lanes {
    uint32_t front, back, left;
} inside_lanes;

/* A corner of each triangle, seen along the ray from the point. */
typedef struct inside_corner {
    d4 y, z;
} inside_corner;

static inside_corner inside_corner_of(const inside_walk *w, const sli_tri_pack *pack, int v)
{
    return (inside_corner){ d4_sub(d4_load(pack->axis[1].vertex[v]), d4_splat(w->at[1])),
                            d4_sub(d4_load(pack->axis[2].vertex[v]), d4_splat(w->at[2])) };
}

/* Lanes where the area of the point and an edge is surely positive, above, or negative, below. */
static void inside_edge(inside_corner p, inside_corner q, uint32_t *above, uint32_t *below)
{
    const d4 left = d4_mul(p.y, q.z), right = d4_mul(p.z, q.y), area = d4_sub(left, right);
    const d4 sizes = d4_add(d4_abs(left), d4_abs(right));
    const d4 bound = d4_mul(sizes, d4_splat(INSIDE_AREA_ERROR));
    *above = d4_bits_gt(area, bound);
    *below = d4_bits_gt(d4_sub(d4_splat(0), bound), area);
}

static inside_lanes inside_filter(inside_walk *w, const sli_tri_pack *pack)
{
    const f12 x = f12_load(&pack->axis[0].vertex[0][0]), y = f12_load(&pack->axis[1].vertex[0][0]),
              z = f12_load(&pack->axis[2].vertex[0][0]);
    const f12 at[3] = { f12_splat(w->at[0]), f12_splat(w->at[1]), f12_splat(w->at[2]) };
    const uint32_t used = f4_bits_ne(pack->prim, SL_NONE);
    const uint32_t beside = f12_all_gt(at[0], x) | f12_all_gt(at[1], y) | f12_all_gt(y, at[1]) |
                            f12_all_gt(at[2], z) | f12_all_gt(z, at[2]);
    inside_lanes lanes = { .left = used & ~beside };
    w->stats.triangles += (uint64_t)__builtin_popcount(used);
    w->stats.float_stage += (uint64_t)__builtin_popcount(used & beside);
    if (lanes.left == 0) {
        return lanes;
    }
    const inside_corner a = inside_corner_of(w, pack, 0), b = inside_corner_of(w, pack, 1),
                        c = inside_corner_of(w, pack, 2);
    uint32_t above[3], below[3];
    inside_edge(a, b, &above[0], &below[0]);
    inside_edge(b, c, &above[1], &below[1]);
    inside_edge(c, a, &above[2], &below[2]);
    const uint32_t ahead = lanes.left & f12_all_gt(x, at[0]);
    const uint32_t missed = (above[0] | above[1] | above[2]) & (below[0] | below[1] | below[2]);
    lanes.back = ahead & above[0] & above[1] & above[2];
    lanes.front = ahead & below[0] & below[1] & below[2];
    w->stats.double_stage +=
        (uint64_t)__builtin_popcount(lanes.left & (missed | lanes.back | lanes.front));
    lanes.left &= ~(missed | lanes.back | lanes.front);
    return lanes;
}

/* Counts a crossing, once of each triangle. */
static void inside_count(inside_walk *w, const sl_bvh *tree, const sli_tri_pack *pack, int lane,
                         bool back)
{
    w->stats.hits++;
    if (!(sli_pack_is_split(pack, lane) &&
          sli_mailbox_is_repeat(&w->mailbox, tree, pack, lane, inside_reaches, w))) {
        w->found->fronts += !back;
        w->found->backs += back;
    }
}

/* A triangle that doubles do not decide, or that may touch the point. */
static void inside_settle(inside_walk *w, const sl_bvh *tree, const sli_tri_pack *pack, int lane)
{
    float v[3][3];
    sli_decision_stage stage;
    sli_pack_corners(pack, lane, v);
    const int side =
        sli_exact_ray_side(&w->ray->exact, v[0], v[1], v[2], (int)w->ray->cull, &stage);
    w->stats.double_stage += stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += stage == SLI_STAGE_EXACT;
    if (side != 0) {
        inside_count(w, tree, pack, lane, side > 0);
    }
    w->found->touches = w->found->touches || touches_point(w->at, v);
}

static void inside_leaf(inside_walk *w, const sl_bvh *tree, const sli_tri_pack *pack)
{
    const inside_lanes lanes = inside_filter(w, pack);
    for (uint32_t all = lanes.front | lanes.back | lanes.left; all != 0; all &= all - 1) {
        const int lane = __builtin_ctz(all);
        if (!sli_item_has(&w->ray->selection, (sl_triangle_ref){ .prim = pack->prim[lane] },
                          pack->mask[lane])) {
            continue;
        }
        if ((lanes.left >> lane & 1) != 0) {
            inside_settle(w, tree, pack, lane);
        } else {
            inside_count(w, tree, pack, lane, (lanes.back >> lane & 1) != 0);
        }
    }
}

static void traverse_inside(const sl_bvh *tree, const sli_kernel_ray *ray, sli_kernel_inside *found,
                            sl_stats *stats)
{
    const uint32_t mask = ray->selection.mask;
    const uint32_t *words = child_masks_of(tree, mask);
    inside_walk w;
    uint32_t stack[SLI_STACK], size = tree->root != SLI_REF_EMPTY;
    stack[0] = tree->root;
    w.ray = ray;
    w.mailbox.count = 0;
    w.found = found;
    w.stats = (sl_stats){ .rays = 1 };
    *found = (sli_kernel_inside){ .fronts = 0 };
    for (int axis = 0; axis < 3; axis++) {
        w.at[axis] = (float)ray->exact.origin[axis];
    }
    while (size > 0) {
        const uint32_t ref = stack[--size];
        if ((ref & SLI_REF_LEAF) != 0) {
            sli_tri_pack scratch;
            inside_leaf(&w, tree, sli_tree_pack(tree, ref, &scratch));
            continue;
        }
        const sli_node_wide *node = sli_tree_node(tree, ref);
        uint32_t met = inside_boxes(&w, node) & child_masks_bits(words, tree, node, mask);
        for (; met != 0; met &= met - 1) {
            stack[size++] = node->child[__builtin_ctz(met)];
        }
    }
    add_stats_to(&w.stats, stats);
}
