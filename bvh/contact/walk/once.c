/* Pairs of triangles that have been cut, once. */
#include "bvh/contact/walk/once.h"

/* The child whose leaf has a slot. */
static sl_aabb once_box(const sl_bvh *tree, uint32_t slot)
{
    uint32_t ref = tree->root;
    for (;;) {
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const uint32_t child = (uint32_t)sli_tree_towards(node, slot / SLI_PACK);
        ref = node->child[child];
        if ((ref & SLI_REF_LEAF) != 0) {
            return sli_child_box(node, child);
        }
    }
}

/* Slots of one triangle, in falling order, with the boxes of their leaves. */
typedef struct once_slots {
    sli_boxes8 boxes;
    uint32_t slot[SLI_WIDTH], there; /* there: bits of those in use */
} once_slots;

/* The slot of the same triangle before this one; SL_NONE where there is none. */
static uint32_t once_before(const sl_bvh *tree, uint32_t slot)
{
    sli_tri_pack buffer;
    const uint32_t before = sli_tree_pack(tree, slot / SLI_PACK, &buffer)->before[slot % SLI_PACK];
    return before == 0 || before == SLI_SLOT_FIRST ? SL_NONE : before;
}

/* The last slot of the triangle in a slot. */
static uint32_t once_last(const sl_bvh *tree, uint32_t slot)
{
    return tree->slots[sli_tree_ids(tree, slot / SLI_PACK)[slot % SLI_PACK]];
}

/* Fills in a slot and those before it, as many as there is room for.  Returns the one that comes
 * next, or SL_NONE. */
static uint32_t once_fill(const sl_bvh *tree, uint32_t slot, once_slots *out)
{
    out->there = 0;
    for (uint32_t lane = 0; lane < SLI_WIDTH; lane++) {
        const bool there = slot != SL_NONE;
        const sl_aabb box = there ? once_box(tree, slot) : (sl_aabb){ .min = { 0 } };
        for (int axis = 0; axis < 3; axis++) {
            out->boxes.at[axis][0][lane] = box.min[axis];
            out->boxes.at[axis][1][lane] = box.max[axis];
        }
        out->there |= (uint32_t)there << lane;
        out->slot[lane] = slot;
        slot = there ? once_before(tree, slot) : SL_NONE;
    }
    return slot;
}

/* Looks at pairs of slots that are near one another.  False where one of them comes before the one
 * that is asked about; here: whether that one is among them. */
static bool once_look(const sli_dual *dual, const once_slots *a, const once_slots *b,
                      uint32_t slot_a, uint32_t slot_b, bool *here)
{
    sli_node_pair near[SLI_DUAL_SPLIT];
    const sli_siblings siblings[2] = {
        { .boxes = &a->boxes, .ref = a->slot, .there = a->there },
        { .boxes = &b->boxes, .ref = b->slot, .there = b->there },
    };
    const int count = sli_dual_pairs(dual, siblings, true, near);
    for (int i = 0; i < count; i++) {
        const uint32_t s = near[i].ref[0], t = near[i].ref[1];
        if (s < slot_a || (s == slot_a && t < slot_b)) {
            return false;
        }
        *here = *here || (s == slot_a && t == slot_b);
    }
    return true;
}

bool sli_once_counts(const sli_dual *dual, uint32_t slot_a, uint32_t slot_b)
{
    once_slots a, b;
    bool here = false;
    uint32_t s = slot_a;
    while (s != SL_NONE) {
        s = once_fill(dual->tree[0], s, &a);
        uint32_t t = once_last(dual->tree[1], slot_b);
        while (t != SL_NONE) {
            t = once_fill(dual->tree[1], t, &b);
            if (!once_look(dual, &a, &b, slot_a, slot_b, &here)) {
                return false;
            }
        }
    }
    return here;
}
