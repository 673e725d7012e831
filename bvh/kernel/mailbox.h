/* kernel/mailbox.h: each triangle once, though it may stand in several leaf blocks
 * (bvh/tree/tree.h).
 *
 * Who lists or counts asks sli_mailbox_is_repeat for every triangle that is split and passes its
 * test, in the order in which the walk comes to them.
 * Method   the first triangles are kept in a list, in which those met again are found.  When the
 *          list is full, the others are told by an owner: of all the places of a triangle that the
 *          walk reaches, the first one.  Who is not in the list was not met before it was full, so
 *          the owner comes after that, and counts; no other place does.  So nothing is allocated,
 *          however many there are.
 * Reaches  says whether the walk comes to a place: whether all boxes above it pass the tests that
 *          the walk makes for the triangle in question.  What it says may not change while the
 *          walk goes on, and every place for which it is true must be walked to. */
#ifndef SLI_KERNEL_MAILBOX_H
#define SLI_KERNEL_MAILBOX_H

#include "bvh/tree/tree.h"

enum { SLI_MAILBOX_MAX = 64 };

typedef struct sli_mailbox {
    uint32_t count;
    uint32_t prims[SLI_MAILBOX_MAX];
} sli_mailbox;

typedef bool sli_reaches_fn(void *walk, const sl_bvh *tree, uint32_t place);

static inline bool sli_mailbox_lists(const sli_mailbox *mailbox, uint32_t prim)
{
    for (uint32_t i = 0; i < mailbox->count; i++) {
        if (mailbox->prims[i] == prim) {
            return true;
        }
    }
    return false;
}

static inline uint32_t sli_mailbox_previous_place(const sl_bvh *tree, uint32_t place)
{
    sli_tri_pack room;
    return sli_tree_pack(tree, place / SLI_PACK, &room)->axis[2].meta[place % SLI_PACK];
}

/* Whether the triangle in a lane of a block, which is split, has been counted or will be. */
static inline bool sli_mailbox_is_repeat(sli_mailbox *mailbox, const sl_bvh *tree,
                                         const sli_tri_pack *pack, int lane,
                                         sli_reaches_fn *reaches, void *context)
{
    const uint32_t prim = pack->axis[0].meta[lane];
    if (sli_mailbox_lists(mailbox, prim)) {
        return true;
    }
    if (mailbox->count < SLI_MAILBOX_MAX) {
        mailbox->prims[mailbox->count++] = prim;
        return false;
    }
    const size_t line = (size_t)((const uint8_t *)pack - tree->lines) / SLI_LINE;
    uint32_t place = (uint32_t)line * SLI_PACK + (uint32_t)lane;
    if (!reaches(context, tree, place)) {
        return true;
    }
    while ((place = sli_mailbox_previous_place(tree, place)) != SLI_PLACE_FIRST) {
        if (reaches(context, tree, place)) {
            return true;
        }
    }
    return false;
}

#endif
