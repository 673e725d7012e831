/* Down two trees at once. */
#include "bvh/contact/walk/dual.h"

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

bool sli_dual_root(const sl_bvh *a, const sl_bvh *b, sli_node_pair *out)
{
    *out = (sli_node_pair){ .ref = { a->root, b->root } };
    return out->ref[0] != SLI_REF_EMPTY && out->ref[1] != SLI_REF_EMPTY;
}

bool sli_dual_walk(sli_dual *dual, const sli_node_pair *from, sli_dual_leaves *leaves,
                   void *context, sl_stats *stats)
{
    enum { SPARE = SLI_WIDTH * 2 * SLI_MAX_DEPTH };
    sli_node_pair stack[SLI_DUAL_PAIRS];
    int size = 1;
    stack[0] = *from;
    while (size > 0) {
        const sli_node_pair next = stack[--size];
        if (dual->apart && next.gap > dual->limit) {
            continue;
        }
        if ((next.ref[0] & next.ref[1] & SLI_REF_LEAF) != 0) {
            if (!leaves(context, dual, &next)) {
                return false;
            }
            continue;
        }
        const bool sparing = size > SLI_DUAL_PAIRS - SLI_DUAL_SPLIT - SPARE;
        size += sli_dual_split(dual, &next, sparing, stack + size, stats);
    }
    return true;
}
