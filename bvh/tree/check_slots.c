/* The checker from the triangles' side: each is in the tree, at its slots, and covered by their
 * boxes (cover.c). */
#include "bvh/tree/checker.h"
#include "bvh/tree/cover.h"
#include "lib/base/memory.h"

#include <string.h>

/* The boxes of one triangle's slots. */
typedef struct boxes {
    sl_aabb *box;
    size_t count, capacity;
} boxes;

static bool add_box(const sli_checker *check, boxes *list, const sl_aabb *box)
{
    if (!sli_grow_array(&check->tree->allocator, (void **)&list->box, &list->capacity,
                        list->count + 1, sizeof *box)) {
        sli_fail_memory(check->error);
        return false;
    }
    list->box[list->count++] = *box;
    return true;
}

/* Looks for a block from the root down, as traversals do; false where the path does not end
 * there. */
static bool find_block(const sl_bvh *tree, uint32_t line, sl_aabb *box)
{
    uint32_t ref = tree->root;
    while ((ref & SLI_REF_LEAF) == 0) {
        const sli_node_wide *node = sli_tree_node(tree, ref);
        const int child = sli_tree_towards(node, line);
        ref = node->child[child];
        *box = sli_child_box(node, (uint32_t)child);
    }
    return ref == (SLI_REF_LEAF | line);
}

static sl_triangle triangle_at(const sl_bvh *tree, uint32_t slot)
{
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(tree, slot / SLI_PACK, &buffer);
    return sli_lane_triangle(pack, (int)(slot % SLI_PACK));
}

static bool check_slot(sli_checker *check, uint32_t prim, uint32_t slot, sl_aabb *box)
{
    const sl_bvh *tree = check->tree;
    if (!find_block(tree, slot / SLI_PACK, box)) {
        return SLI_FAULT(check, "triangle %lu has slot %lu, but no path leads there",
                         (unsigned long)prim, (unsigned long)slot);
    }
    sli_tri_pack buffer;
    const sli_tri_pack *pack = sli_tree_pack(tree, slot / SLI_PACK, &buffer);
    if (pack->prim[slot % SLI_PACK] != prim) {
        return SLI_FAULT(check, "triangle %lu has slot %lu, but is not there", (unsigned long)prim,
                         (unsigned long)slot);
    }
    const sl_triangle here = triangle_at(tree, slot);
    const sl_triangle last = triangle_at(tree, tree->slots[prim]);
    if (memcmp(&here, &last, sizeof here) != 0 ||
        pack->mask[slot % SLI_PACK] != sli_tree_mask(tree, prim)) {
        return SLI_FAULT(check, "triangle %lu is not the same at all of its slots",
                         (unsigned long)prim);
    }
    return true;
}

/* Follows all slots of a triangle, from the last to the first, and adds their number to *lanes. */
static bool follow_slots(sli_checker *check, uint32_t prim, boxes *list, size_t *lanes)
{
    uint32_t slot = check->tree->slots[prim];
    for (;;) {
        sl_aabb box;
        if (!check_slot(check, prim, slot, &box)) {
            return false;
        }
        sli_tri_pack buffer;
        const sli_tri_pack *pack = sli_tree_pack(check->tree, slot / SLI_PACK, &buffer);
        const uint32_t before = pack->before[slot % SLI_PACK];
        ++*lanes;
        if (before == 0 && list->count == 0) {
            return true;
        }
        if (!add_box(check, list, &box)) {
            return false;
        }
        if (before == SLI_SLOT_FIRST && list->count > 1) {
            return true;
        }
        if (before <= SLI_SLOT_FIRST || before >= slot) {
            return SLI_FAULT(check, "triangle %lu: its slots are not linked in falling order",
                             (unsigned long)prim);
        }
        if (before / SLI_PACK == slot / SLI_PACK) {
            return SLI_FAULT(check, "triangle %lu stands twice in one block", (unsigned long)prim);
        }
        slot = before;
    }
}

static bool check_cover(sli_checker *check, uint32_t prim, boxes *list)
{
    const sl_bvh *tree = check->tree;
    const sl_triangle triangle = triangle_at(tree, tree->slots[prim]);
    const sli_cover cover = sli_cover_triangle(&triangle, list->box, list->count, &tree->allocator);
    if (cover == SLI_COVER_NO_MEMORY) {
        sli_fail_memory(check->error);
        return false;
    }
    return cover == SLI_COVERED ||
           SLI_FAULT(check, "triangle %lu is not covered by the boxes of its %zu parts",
                     (unsigned long)prim, list->count);
}

/* Slots are different lanes, so equal counts mean: each lane is a slot of its triangle. */
static bool follow_all(sli_checker *check, boxes *list)
{
    const sl_bvh *tree = check->tree;
    size_t lanes = 0, in_slots = 0;
    for (uint32_t prim = 0; prim < tree->prim_count; prim++) {
        if (tree->slots[prim] == SL_NONE) {
            continue;
        }
        list->count = 0;
        in_slots++;
        if (!follow_slots(check, prim, list, &lanes) ||
            (list->count > 0 && !check_cover(check, prim, list))) {
            return false;
        }
    }
    if (lanes != check->lane_count) {
        return SLI_FAULT(check, "triangles have %zu slots, but %zu are in leaves", lanes,
                         check->lane_count);
    }
    return tree->triangle_count == in_slots ||
           SLI_FAULT(check, "the tree counts %lu triangles, but holds %zu",
                     (unsigned long)tree->triangle_count, in_slots);
}

bool sli_check_slots(sli_checker *check)
{
    boxes list = { .count = 0 };
    const bool sound = follow_all(check, &list);
    sli_free_array(&check->tree->allocator, list.box, list.capacity, sizeof *list.box);
    return sound;
}
