/* mailbox.h: reports a triangle once, though spatial splits put it in several leaf blocks
 * (bvh/tree/tree.h).
 *
 * For traversals that list or count: `all` and `inside` of the plain kernel, the k nearest
 * triangles, and volume queries (bvh/query/visit.c).  Each calls sli_mailbox_is_repeat for every
 * triangle that is split and passes its test, in the order of the traversal.
 * Idea     mailboxing: Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing"
 *          (1987).  Their mailbox stands in the object; a built tree never changes, so this one
 *          belongs to the query.
 * Method   the first SLI_MAILBOX_MAX split triangles are kept in a list and recognised there.  Once
 *          the list is full, each other triangle counts at one of its slots only: of those that
 *          the traversal reaches, the first in the chain of its slots.  A triangle that is not in
 *          the list was not met before the list was full, so that slot is still to come and counts
 *          once.  So nothing is allocated, however many split triangles there are.
 * reaches  says whether the traversal comes to a slot, that is, whether all boxes above it pass
 *          the tests that the traversal makes for this triangle.  Its answer may not change during
 *          the traversal, and every slot for which it is true must be visited. */
#pragma once

#include "bvh/tree/tree.h"

enum { SLI_MAILBOX_MAX = 64 };

typedef struct sli_mailbox {
    uint32_t count; /* of prims in use; starts as 0 */
    uint32_t prims[SLI_MAILBOX_MAX];
} sli_mailbox;

typedef bool sli_reaches_fn(void *walk, const sl_bvh *tree, uint32_t slot);

static inline bool sli_mailbox_lists(const sli_mailbox *mailbox, uint32_t prim)
{
    for (uint32_t i = 0; i < mailbox->count; i++) {
        if (mailbox->prims[i] == prim) {
            return true;
        }
    }
    return false;
}

static inline uint32_t sli_mailbox_previous_slot(const sl_bvh *tree, uint32_t slot)
{
    sli_tri_pack unpacked;
    return sli_tree_pack(tree, slot / SLI_PACK, &unpacked)->before[slot % SLI_PACK];
}

/* Whether the split triangle in a lane of a block counts elsewhere: it was met before, or counts at
 * another of its slots. */
static inline bool sli_mailbox_is_repeat(sli_mailbox *mailbox, const sl_bvh *tree,
                                         const sli_tri_pack *pack, int lane,
                                         sli_reaches_fn *reaches, void *context)
{
    const uint32_t prim = pack->prim[lane];
    if (sli_mailbox_lists(mailbox, prim)) {
        return true;
    }
    if (mailbox->count < SLI_MAILBOX_MAX) {
        mailbox->prims[mailbox->count++] = prim;
        return false;
    }
    const size_t line = (size_t)((const uint8_t *)pack - tree->lines) / SLI_LINE;
    uint32_t slot = (uint32_t)line * SLI_PACK + (uint32_t)lane;
    if (!reaches(context, tree, slot)) {
        return true;
    }
    while ((slot = sli_mailbox_previous_slot(tree, slot)) != SLI_SLOT_FIRST) {
        if (reaches(context, tree, slot)) {
            return true;
        }
    }
    return false;
}
