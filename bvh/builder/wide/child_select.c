/* Selects and orders the children of a wide node, for widen.c: by the plan of collapse.c, or
 * greedily, as Wald, Benthin and Boulos, Getting Rid of Packets (2008), where that is too deep. */
#include "bvh/builder/wide/child_select.h"

#include "lib/base/assert.h"

static void add_child(sli_child_selection *children, uint32_t node)
{
    SL_ASSERT(children->count < SLI_WIDTH);
    children->node[children->count++] = node;
}

/* Lists the children that the plan chose, from left to right. */
static void follow_plan(const sli_collapse_plan *plan, uint32_t node, sli_child_selection *children)
{
    struct {
        uint32_t node;
        int k; /* as up to k children */
    } stack[SLI_WIDTH] = { { node, SLI_WIDTH } };
    for (int top = 1; top > 0;) {
        const uint32_t at = stack[--top].node;
        const int k = stack[top].k;
        const sli_node2 *from = &plan->binary->nodes[at];
        const int share = k == 1 || from->count > 0 ? 0 : sli_plan_share(plan, at, k);
        if (share == 0) {
            add_child(children, at);
            continue;
        }
        stack[top].node = from->first + 1;
        stack[top++].k = k - share;
        stack[top].node = from->first;
        stack[top++].k = share;
    }
}

/* The left child takes the slot, the right one comes last. */
static void open_slot(const sli_collapse_plan *plan, sli_child_selection *children, int slot)
{
    const uint32_t left = plan->binary->nodes[children->node[slot]].first;
    children->node[slot] = left;
    add_child(children, left + 1);
}

static void open_high(const sli_collapse_plan *plan, sli_child_selection *children, int levels)
{
    for (int slot = 0; slot < children->count;) {
        if (plan->height[children->node[slot]] > 3 * (levels - 1)) {
            open_slot(plan, children, slot);
        } else {
            slot++;
        }
    }
}

static double area_of(const sli_collapse_plan *plan, uint32_t node)
{
    return sli_node2_half_area(&plan->binary->nodes[node]);
}

/* The slot of largest area that cannot be a leaf, or -1. */
static int largest_inner(const sli_collapse_plan *plan, const sli_child_selection *children)
{
    int largest = -1;
    double area = -1;
    for (int slot = 0; slot < children->count; slot++) {
        const uint32_t node = children->node[slot];
        if (!sli_is_leaf(plan, node) && area_of(plan, node) > area) {
            largest = slot;
            area = area_of(plan, node);
        }
    }
    return largest;
}

static void open_greedily(const sli_collapse_plan *plan, uint32_t node, int levels,
                          sli_child_selection *children)
{
    add_child(children, node);
    open_high(plan, children, levels);
    while (children->count < SLI_WIDTH) {
        const int slot = largest_inner(plan, children);
        if (slot < 0) {
            break;
        }
        open_slot(plan, children, slot);
    }
}

/* The children's first sort key: 0 for a leaf, else 1 more than a quarter of log2 of its
 * triangles. */
static uint32_t order_of(const sli_collapse_plan *plan, uint32_t node)
{
    const int log2 = 31 - __builtin_clz(plan->triangles[node]);
    return sli_is_leaf(plan, node) ? 0 : 1 + (uint32_t)log2 / 4;
}

/* Each child goes to the slot whose number is the count of children before it: no branch can be
 * mispredicted. */
static void put_in_order(const sli_collapse_plan *plan, sli_child_selection *children)
{
    const sli_child_selection old = *children;
    uint32_t order[SLI_WIDTH];
    for (uint32_t i = 0; i < (uint32_t)old.count; i++) {
        order[i] = order_of(plan, old.node[i]) * SLI_WIDTH + i;
    }
    for (int i = 0; i < old.count; i++) {
        int before = 0;
        for (int other = 0; other < old.count; other++) {
            before += order[other] < order[i];
        }
        children->node[before] = old.node[i];
    }
}

void sli_child_select_unordered(const sli_collapse_plan *plan, uint32_t node, int levels,
                                sli_child_selection *out)
{
    out->count = out->leaf_count = 0;
    if (!sli_is_leaf(plan, node) && sli_plan_levels(plan, node) <= levels) {
        follow_plan(plan, node, out);
    } else {
        open_greedily(plan, node, levels, out);
    }
    for (int slot = 0; slot < out->count; slot++) {
        out->leaf_count += sli_is_leaf(plan, out->node[slot]);
    }
}

void sli_child_select(const sli_collapse_plan *plan, uint32_t node, int levels,
                      sli_child_selection *out)
{
    sli_child_select_unordered(plan, node, levels, out);
    put_in_order(plan, out);
    for (int slot = 0; slot < out->count; slot++) {
        out->area[slot] = area_of(plan, out->node[slot]);
    }
}
