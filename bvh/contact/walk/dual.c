/* Down two trees at once. */
#include "bvh/contact/walk/dual.h"

#include "bvh/contact/walk/boxes.h"
#include "bvh/query/visit.h"

#include <math.h>

/* Whether some box that lies along the axes of one tree does not along those of the other one, so
 * that carrying it back tells more. */
static bool dual_turns(const sli_carry *carry)
{
    bool turns = false;
    for (int k = 0; k < 3; k++) {
        double most = 0, sum = 0;
        for (int j = 0; j < 3; j++) {
            most = fmax(most, fabs(carry->r[k][j]));
            sum += fabs(carry->r[k][j]);
        }
        turns = turns || sum - most > 0x1p-20 * most;
    }
    return turns;
}

/* How far a tree's box reaches in the space of the other one, from the middle of that one. */
static double dual_extent(const sli_carry *carry, const sl_aabb *bounds, double middle, int k)
{
    double reach = fabs(carry->t[k] - middle);
    for (int j = 0; j < 3; j++) {
        reach += fabs(carry->r[k][j]) * ((double)bounds->max[j] - (double)bounds->min[j]);
    }
    return reach;
}

/* Gaps are counted in units in which squares of what there is between the trees are floats.  Where
 * there is more than floats can tell, nothing is too far; and a tree beside which the other one
 * is nothing, or everything, is not asked. */
static void dual_set_units(sli_dual *dual, double extent, double stretch_a, double stretch_b)
{
    int exponent = 0;
    (void)frexp(extent, &exponent);
    const double unit = ldexp(1, -(exponent < -100 ? -100 : exponent > 126 ? 126 : exponent));
    const double there = unit * stretch_a / stretch_b * (1 - 0x1p-20);
    dual->unit = extent < 0x1p120 ? unit * stretch_a : INFINITY;
    dual->length[0] = 1 / stretch_a;
    dual->length[1] = 1 / stretch_b;
    dual->scale[0] = (float)unit;
    dual->both_ways = dual->both_ways && there > 0x1p-100 && there < 0x1p100;
    dual->scale[1] = dual->both_ways ? (float)there : 0;
}

void sli_dual_of_instances(const sli_transformed *a, const sli_transformed *b, sli_dual *out)
{
    double extent = 0;
    out->tree[0] = a->tree;
    out->tree[1] = b->tree;
    out->mask[0] = out->mask[1] = 0;
    sli_carry_to_instance(a, b, &out->carry[0]);
    out->both_ways = dual_turns(&out->carry[0]);
    if (out->both_ways) {
        sli_carry_to_instance(b, a, &out->carry[1]);
    }
    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, 2 * a->radius +
                                  dual_extent(&out->carry[0], &b->tree->bounds, a->middle[k], k));
    }
    dual_set_units(out, extent, sli_carry_stretch(a), sli_carry_stretch(b));
}

void sli_dual_of_tops(const sli_world *a, const sli_world *b, const sl_transform *under,
                      const sli_world_sizes *sizes, sli_dual *out)
{
    double extent = 0;
    out->tree[0] = a->top;
    out->tree[1] = b->top;
    out->mask[0] = out->mask[1] = 0;
    sli_carry_to_top(a, b, under, sizes, &out->carry[0]);
    out->both_ways = false;
    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, 2 * a->half + dual_extent(&out->carry[0], &b->top->bounds, 0, k));
    }
    dual_set_units(out, extent, 1, 1);
}

void sli_dual_set_margin(sli_dual *dual, double margin)
{
    const double limit = margin > 0 ? margin * dual->unit : 0;
    const double square = limit * limit * (1 + 0x1p-16) + 0x1p-120;
    dual->apart = margin > 0 || dual->nearest_first;
    dual->limit = square < 0x1p120 ? (float)square : INFINITY;
}

/* How far the middles of boxes are apart, in parts of their sizes: the less, the deeper are the
 * boxes in one another, and the more likely so is what is in them. */
static float dual_depth(const sli_boxes *boxes, int lane, const sli_boxes *others, uint32_t other)
{
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float low = boxes->at[axis][0][lane], high = boxes->at[axis][1][lane];
        const float to_low = others->at[axis][0][other], to_high = others->at[axis][1][other];
        const float between = (low + high) - (to_low + to_high);
        const float sizes = (high - low) + (to_high - to_low);
        const float part = sizes > 0 ? between / sizes : 0;
        sum += part * part;
    }
    return sum;
}

/* Boxes of one side against one of the other: bits of those that are near, and their gaps. */
static uint32_t dual_near(const sli_dual *dual, int at, const sli_boxes *boxes,
                          const sli_boxes *others, uint32_t other, float gaps[SLI_WIDTH])
{
    float here[SLI_WIDTH];
    uint32_t near = 0;
    if (!dual->apart) {
        return sli_boxes_meet(boxes, others, other);
    }
    sli_boxes_gaps(boxes, others, other, dual->scale[at], here);
    SLI_LANES(lane, SLI_WIDTH)
    {
        gaps[lane] = gaps[lane] > here[lane] ? gaps[lane] : here[lane];
    }
    for (int lane = 0; lane < SLI_WIDTH; lane++) {
        near |= (uint32_t)(gaps[lane] <= dual->limit) << lane;
    }
    return near;
}

/* Moves each spot below those before it that are nearer. */
static void dual_sort(sli_spot_pair *spots, int count)
{
    for (int i = 1; i < count; i++) {
        const sli_spot_pair moved = spots[i];
        int at = i;
        for (; at > 0 && spots[at - 1].gap < moved.gap; at--) {
            spots[at] = spots[at - 1];
        }
        spots[at] = moved;
    }
}

/* One of b with those of a that are near. */
static int dual_write(const sli_siblings *a, const sli_siblings *b, uint32_t j, uint32_t near,
                      const float gaps[SLI_WIDTH], sli_spot_pair *out)
{
    int count = 0;
    for (; near != 0; near &= near - 1) {
        const int i = __builtin_ctz(near);
        out[count++] =
            (sli_spot_pair){ .ref = { a->ref[i], b->ref[j] },
                             .box = (a->ref[i] & SLI_REF_LEAF) != 0 ? a->box[i] : b->box[j],
                             .gap = gaps[i] };
    }
    return count;
}

int sli_dual_pairs(const sli_dual *dual, const sli_siblings *a, const sli_siblings *b, bool exactly,
                   sli_spot_pair out[SLI_DUAL_SPLIT])
{
    sli_boxes b_at_a, a_at_b;
    int count = 0;
    sli_carry_boxes(&dual->carry[0], exactly, b->boxes, &b_at_a);
    if (dual->both_ways) {
        sli_carry_boxes(&dual->carry[1], exactly, a->boxes, &a_at_b);
    }
    for (uint32_t left = b->there; left != 0; left &= left - 1) {
        const uint32_t j = (uint32_t)__builtin_ctz(left);
        float gaps[SLI_WIDTH] = { 0 };
        uint32_t near = a->there & dual_near(dual, 0, a->boxes, &b_at_a, j, gaps);
        if (near != 0 && dual->both_ways) {
            near &= dual_near(dual, 1, &a_at_b, b->boxes, j, gaps);
        }
        for (uint32_t rest = dual->deepest_first && !dual->apart ? near : 0; rest != 0;
             rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            gaps[lane] = dual_depth(a->boxes, lane, &b_at_a, j);
        }
        count += dual_write(a, b, j, near, gaps, out + count);
    }
    if (dual->nearest_first || dual->deepest_first) {
        dual_sort(out, count);
    }
    return count;
}

bool sli_dual_root(const sl_bvh *a, const sl_bvh *b, sli_spot_pair *out)
{
    *out = (sli_spot_pair){ .ref = { a->root, b->root } };
    return out->ref[0] != SLI_REF_EMPTY && out->ref[1] != SLI_REF_EMPTY;
}

/* The children of a node that the mask leaves in. */
static void dual_open(const sli_dual *dual, int side, uint32_t ref, sli_siblings *out)
{
    const sl_bvh *tree = dual->tree[side];
    const sli_node_wide *node = sli_tree_node(tree, ref);
    out->boxes = (const void *)node->bounds;
    out->there = sli_children_left_in(tree, node, dual->mask[side]);
    for (uint32_t child = 0; child < SLI_WIDTH; child++) {
        out->ref[child] = node->child[child];
        out->box[child] = (ref & SLI_REF_LINE) * SLI_WIDTH + child;
    }
}

/* One box; the other lanes are not there. */
static void dual_keep(uint32_t ref, uint32_t box, const sl_aabb *bounds, sli_boxes *boxes,
                      sli_siblings *out)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int lane = 0; lane < SLI_WIDTH; lane++) {
            boxes->at[axis][0][lane] = bounds->min[axis];
            boxes->at[axis][1][lane] = bounds->max[axis];
        }
    }
    out->boxes = boxes;
    out->there = 1;
    out->ref[0] = ref;
    out->box[0] = box;
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

/* The side to split alone. */
static int dual_larger(const sli_dual *dual, const sli_spot_pair *spot)
{
    double size[2] = { 0, 0 };
    for (int side = 0; side < 2; side++) {
        const sl_aabb box = dual_around(sli_tree_node(dual->tree[side], spot->ref[side]));
        for (int axis = 0; axis < 3; axis++) {
            size[side] += (double)box.max[axis] - (double)box.min[axis];
        }
        size[side] *= dual->length[side];
    }
    return size[1] > size[0];
}

/* Asks for the memory of what the walk comes to soon. */
static void dual_fetch(const sli_dual *dual, const sli_spot_pair *spots, int count)
{
    for (int i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            const uint32_t ref = spots[i].ref[side];
            if (i == 0 || ref != spots[i - 1].ref[side]) {
                const char *at = sli_tree_at(dual->tree[side], ref & SLI_REF_LINE);
                __builtin_prefetch(at);
                __builtin_prefetch(at + 2 * (ptrdiff_t)SLI_LINE);
            }
        }
    }
}

int sli_dual_split(const sli_dual *dual, const sli_spot_pair *spot, bool sparing,
                   sli_spot_pair out[SLI_DUAL_SPLIT], sl_stats *stats)
{
    sli_siblings siblings[2];
    sli_boxes kept;
    const bool leaf[2] = { (spot->ref[0] & SLI_REF_LEAF) != 0, (spot->ref[1] & SLI_REF_LEAF) != 0 };
    const int alone = leaf[0] ? 1 : leaf[1] ? 0 : sparing ? dual_larger(dual, spot) : -1;
    for (int side = 0; side < 2; side++) {
        const uint32_t ref = spot->ref[side];
        if (alone == 1 - side) {
            const sl_aabb box =
                leaf[side] ? sli_child_box(sli_tree_node(dual->tree[side], spot->box / SLI_WIDTH),
                                           spot->box % SLI_WIDTH)
                           : dual_around(sli_tree_node(dual->tree[side], ref));
            dual_keep(ref, spot->box, &box, &kept, &siblings[side]);
        } else {
            dual_open(dual, side, ref, &siblings[side]);
            stats->nodes++;
        }
    }
    stats->boxes += SLI_WIDTH * (uint64_t)__builtin_popcount(siblings[1].there);
    const int count = sli_dual_pairs(dual, &siblings[0], &siblings[1], false, out);
    dual_fetch(dual, out, count);
    return count;
}

bool sli_dual_walk(sli_dual *dual, const sli_spot_pair *from, sli_dual_leaves *leaves,
                   void *context, sl_stats *stats)
{
    enum { SPARE = SLI_WIDTH * 2 * SLI_MAX_DEPTH };
    sli_spot_pair stack[SLI_DUAL_SPOTS];
    int size = 1;
    stack[0] = *from;
    while (size > 0) {
        const sli_spot_pair next = stack[--size];
        if (dual->apart && next.gap > dual->limit) {
            continue;
        }
        if ((next.ref[0] & next.ref[1] & SLI_REF_LEAF) != 0) {
            if (!leaves(context, dual, &next)) {
                return false;
            }
            continue;
        }
        const bool sparing = size > SLI_DUAL_SPOTS - SLI_DUAL_SPLIT - SPARE;
        size += sli_dual_split(dual, &next, sparing, stack + size, stats);
    }
    return true;
}
