/* Down two trees at once: the children of two nodes, eight boxes against eight: which meet, or how
 * far they are apart at least.  For bvh/contact/walk, which says in carry.h why boxes that are
 * apart there have nothing in them that meets.
 *
 * No sum is fused, so that walks are the same in all kernels; answers would be anyway. */
#pragma once

#include "bvh/kernel/contact/dual.h"
#include "bvh/kernel/filter/child_masks.inl"

/* The nearest float is off by half a step, which is less than what is taken off, of floats and of
 * denormals; infinities stay what they are. */
static SLI_FORCE_INLINE f8 dual_below(d8 x)
{
    const f8 near = d8_to_f8(x);
    const f8 share = f8_less(f8_splat(0), near, f8_splat(1 - 0x1p-22f), f8_splat(1 + 0x1p-22f));
    return f8_sub(f8_mul(near, share), f8_splat(0x1p-149f));
}

static SLI_FORCE_INLINE f8 dual_above(d8 x)
{
    const f8 near = d8_to_f8(x);
    const f8 share = f8_less(f8_splat(0), near, f8_splat(1 + 0x1p-22f), f8_splat(1 - 0x1p-22f));
    return f8_add(f8_mul(near, share), f8_splat(0x1p-149f));
}

static SLI_FORCE_INLINE d8 dual_sum(const d8 a[3], const double by[3])
{
    return d8_add(d8_add(d8_mul(d8_splat(by[0]), a[0]), d8_mul(d8_splat(by[1]), a[1])),
                  d8_mul(d8_splat(by[2]), a[2]));
}

/* Boxes where the other tree is.  Unused children stay inverted, or become anything. */
static SLI_FORCE_INLINE const sli_boxes8 *dual_carry(const sli_carry *carry, bool exactly,
                                                     const sli_boxes8 *in, sli_boxes8 *buffer)
{
    d8 at[3], half[3];
    if (carry->still) {
        return in;
    }
    for (int axis = 0; axis < 3; axis++) {
        const d8 low = d8_from_f8(f8_load(in->at[axis][0])),
                 high = d8_from_f8(f8_load(in->at[axis][1]));
        at[axis] = d8_sub(d8_mul(d8_splat(0.5), d8_add(low, high)), d8_splat(carry->middle[axis]));
        half[axis] = d8_mul(d8_splat(0.5), d8_sub(high, low));
    }
    for (int k = 0; k < 3; k++) {
        const double *r = carry->r[k];
        const double grow = carry->slack[k] + (exactly ? 0 : 4 * carry->room[k]);
        const double size[3] = { fabs(r[0]), fabs(r[1]), fabs(r[2]) };
        const d8 middle = d8_add(d8_splat(carry->t[k]), dual_sum(at, r));
        const d8 reach = d8_add(dual_sum(half, size), d8_splat(grow));
        f8_store(buffer->at[k][0], dual_below(d8_sub(middle, reach)));
        f8_store(buffer->at[k][1], dual_above(d8_add(middle, reach)));
    }
    return buffer;
}

/* How far boxes are from another one along an axis: below 0 where they overlap, and 0 where they
 * touch; the sign is exact. */
static SLI_FORCE_INLINE f8 dual_gap(const float bounds[2][SLI_WIDTH],
                                    const float other[2][SLI_WIDTH], uint32_t lane)
{
    const f8 low = f8_splat(other[0][lane]), high = f8_splat(other[1][lane]);
    return f8_max(f8_sub(low, f8_load(bounds[1])), f8_sub(f8_load(bounds[0]), high));
}

/* Bit i: box i meets this one. */
static SLI_FORCE_INLINE uint32_t dual_meet(const sli_boxes8 *boxes, const sli_boxes8 *others,
                                           uint32_t other)
{
    const f8 x = dual_gap(boxes->at[0], others->at[0], other);
    const f8 y = dual_gap(boxes->at[1], others->at[1], other);
    const f8 z = dual_gap(boxes->at[2], others->at[2], other);
    return f8_bits_le(f8_max(f8_max(x, y), z), f8_splat(0));
}

/* Squares of distances, of lengths times scale: too large by a few roundings at most, or
 * infinite. */
static SLI_FORCE_INLINE f8 dual_gaps(const sli_boxes8 *boxes, const sli_boxes8 *others,
                                     uint32_t other, float scale)
{
    const f8 zero = f8_splat(0);
    f8 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f8 most = dual_gap(boxes->at[axis], others->at[axis], other);
        const f8 gap = f8_mul(f8_max(most, zero), f8_splat(scale));
        sum = f8_add(sum, f8_mul(gap, gap));
    }
    return sum;
}

/* How far the middles of boxes are apart, in parts of their sizes: the less, the deeper are the
 * boxes in one another, and the more likely so is what is in them. */
static SLI_FORCE_INLINE f8 dual_depths(const sli_boxes8 *boxes, const sli_boxes8 *others,
                                       uint32_t other)
{
    const f8 zero = f8_splat(0);
    f8 sum = zero;
    for (int axis = 0; axis < 3; axis++) {
        const f8 low = f8_load(boxes->at[axis][0]), high = f8_load(boxes->at[axis][1]);
        const float to_low = others->at[axis][0][other], to_high = others->at[axis][1][other];
        const f8 between = f8_sub(f8_add(low, high), f8_splat(to_low + to_high));
        const f8 sizes = f8_add(f8_sub(high, low), f8_splat(to_high - to_low));
        const f8 part = f8_less(zero, sizes, f8_div(between, sizes), zero);
        sum = f8_add(sum, f8_mul(part, part));
    }
    return sum;
}

/* The boxes of two nodes' children: where a is, and, where both ways are looked at, where b is. */
typedef struct dual_boxes {
    const sli_boxes8 *of[2][2]; /* [side][where] */
} dual_boxes;

/* The boxes of one side against one of the other: bits of those that are near, and their gaps. */
static SLI_FORCE_INLINE uint32_t dual_near(const sli_dual *dual, const dual_boxes *boxes, int side,
                                           uint32_t other, f8 *gaps)
{
    const sli_boxes8 *const *these = boxes->of[side], *const *those = boxes->of[1 - side];
    const int ways = dual->both_ways ? 2 : 1;
    uint32_t near = 0xFF;
    *gaps = f8_splat(0);
    for (int at = 0; at < ways && near != 0; at++) {
        if (dual->apart) {
            *gaps = f8_max(*gaps, dual_gaps(these[at], those[at], other, dual->scale[at]));
            near = f8_bits_le(*gaps, f8_splat(dual->limit));
        } else {
            near &= dual_meet(these[at], those[at], other);
        }
    }
    if (near != 0 && dual->deepest_first && !dual->apart) {
        *gaps = dual_depths(these[0], those[0], other);
    }
    return near;
}

/* Moves each pair below those before it that are nearer. */
static void dual_sort(sli_node_pair *pairs, int count)
{
    for (int i = 1; i < count; i++) {
        const sli_node_pair moved = pairs[i];
        int at = i;
        for (; at > 0 && pairs[at - 1].gap < moved.gap; at--) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = moved;
    }
}

/* One of a side with those of the other that are near. */
static SLI_FORCE_INLINE int dual_write(const sli_siblings siblings[2], int side, uint32_t near,
                                       uint32_t other, f8 gaps, sli_node_pair *out)
{
    float gap[SLI_WIDTH];
    uint32_t at[2] = { other, other };
    int count = 0;
    f8_store(gap, gaps);
    for (; near != 0; near &= near - 1) {
        at[side] = (uint32_t)__builtin_ctz(near);
        const uint32_t a = siblings[0].ref[at[0]], b = siblings[1].ref[at[1]];
        const int boxed = (a & SLI_REF_LEAF) != 0 ? 0 : 1;
        out[count++] = (sli_node_pair){ .ref = { a, b },
                                        .box = siblings[boxed].box + at[boxed],
                                        .gap = gap[at[side]] };
    }
    return count;
}

/* All boxes of one side at a time against one of the other, which is the side with fewer where that
 * is a single one. */
static int dual_pairs(const sli_dual *dual, const sli_siblings siblings[2], bool exactly,
                      sli_node_pair out[SLI_DUAL_SPLIT])
{
    sli_boxes8 b_at_a, a_at_b;
    dual_boxes boxes = { { { siblings[0].boxes }, { NULL, siblings[1].boxes } } };
    boxes.of[1][0] = dual_carry(&dual->carry[0], exactly, siblings[1].boxes, &b_at_a);
    if (dual->both_ways) {
        boxes.of[0][1] = dual_carry(&dual->carry[1], exactly, siblings[0].boxes, &a_at_b);
    }
    const int side = siblings[0].there == 1 ? 1 : 0;
    int count = 0;
    for (uint32_t left = siblings[1 - side].there; left != 0; left &= left - 1) {
        const uint32_t other = (uint32_t)__builtin_ctz(left);
        f8 gaps;
        const uint32_t near = siblings[side].there & dual_near(dual, &boxes, side, other, &gaps);
        count += dual_write(siblings, side, near, other, gaps, out + count);
    }
    if (dual->nearest_first || dual->deepest_first) {
        dual_sort(out, count);
    }
    return count;
}

/* The children of a node that the mask leaves in. */
static void dual_open(const sli_dual *dual, int side, uint32_t ref, sli_siblings *out)
{
    const sl_bvh *tree = dual->tree[side];
    const uint32_t mask = dual->mask[side];
    const sli_node_wide *node = sli_tree_node(tree, ref);
    const uint32_t there =
        f4_bits_ne(node->child, SLI_REF_EMPTY) | f4_bits_ne(node->child + 4, SLI_REF_EMPTY) << 4;
    out->boxes = (const void *)node->bounds;
    out->ref = node->child;
    out->there = there & child_masks_bits(child_masks_of(tree, mask), tree, node, mask);
    out->box = (ref & SLI_REF_LINE) * SLI_WIDTH;
}

/* The box about all children of a node, unused ones apart. */
static sl_aabb dual_around(const sli_node_wide *node)
{
    sl_aabb box = sl_aabb_empty();
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        for (int axis = 0; axis < 3 && node->child[child] != SLI_REF_EMPTY; axis++) {
            box.min[axis] = fminf(box.min[axis], node->bounds[axis][0][child]);
            box.max[axis] = fmaxf(box.max[axis], node->bounds[axis][1][child]);
        }
    }
    return box;
}

/* A side that is not split: one box; the other lanes are not there. */
static void dual_keep(const sli_dual *dual, int side, const sli_node_pair *pair, sli_boxes8 *boxes,
                      sli_siblings *out)
{
    const sl_bvh *tree = dual->tree[side];
    const bool leaf = (pair->ref[side] & SLI_REF_LEAF) != 0;
    const sl_aabb box =
        leaf ? sli_child_box(sli_tree_node(tree, pair->box / SLI_WIDTH), pair->box % SLI_WIDTH)
             : dual_around(sli_tree_node(tree, pair->ref[side]));
    for (int axis = 0; axis < 3; axis++) {
        f8_store(boxes->at[axis][0], f8_splat(box.min[axis]));
        f8_store(boxes->at[axis][1], f8_splat(box.max[axis]));
    }
    *out = (sli_siblings){ .boxes = boxes, .ref = &pair->ref[side], .there = 1, .box = pair->box };
}

/* The side to split alone. */
static int dual_larger(const sli_dual *dual, const sli_node_pair *pair)
{
    double size[2] = { 0, 0 };
    for (int side = 0; side < 2; side++) {
        const sl_aabb box = dual_around(sli_tree_node(dual->tree[side], pair->ref[side]));
        for (int axis = 0; axis < 3; axis++) {
            size[side] += (double)box.max[axis] - (double)box.min[axis];
        }
        size[side] *= dual->length[side];
    }
    return size[1] > size[0];
}

/* Asks for the memory of what the walk comes to soon. */
static void dual_fetch(const sli_dual *dual, const sli_node_pair *pairs, int count)
{
    for (int i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            const uint32_t ref = pairs[i].ref[side];
            if (i == 0 || ref != pairs[i - 1].ref[side]) {
                const char *at = sli_tree_at(dual->tree[side], ref & SLI_REF_LINE);
                __builtin_prefetch(at);
                __builtin_prefetch(at + 2 * (ptrdiff_t)SLI_LINE);
            }
        }
    }
}

static int dual_split(const sli_dual *dual, const sli_node_pair *pair, bool sparing,
                      sli_node_pair out[SLI_DUAL_SPLIT], sl_stats *stats)
{
    sli_siblings siblings[2];
    sli_boxes8 kept;
    const bool leaf[2] = { (pair->ref[0] & SLI_REF_LEAF) != 0, (pair->ref[1] & SLI_REF_LEAF) != 0 };
    const int alone = leaf[0] ? 1 : leaf[1] ? 0 : sparing ? dual_larger(dual, pair) : -1;
    for (int side = 0; side < 2; side++) {
        if (alone == 1 - side) {
            dual_keep(dual, side, pair, &kept, &siblings[side]);
        } else {
            dual_open(dual, side, pair->ref[side], &siblings[side]);
            stats->nodes++;
        }
    }
    stats->boxes += SLI_WIDTH * (uint64_t)__builtin_popcount(siblings[1].there);
    const int count = dual_pairs(dual, siblings, false, out);
    dual_fetch(dual, out, count);
    return count;
}
