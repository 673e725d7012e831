/* The children of a node that a query's mask leaves in: those below which some triangle shares a
 * bit with it (bvh/tree/child_masks.h).  For the node steps of all traversals but single rays.
 *
 * What is left out has no triangle that counts, so no answer depends on whether words are read.
 * Steps take NULL for words where the query has no mask, the tree no words, or reading them would
 * not pay: a constant where a step has a copy of its own for that, else a branch that goes one way
 * for a whole query. */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"

/* The words that a query with this mask reads, or NULL. */
static SLI_FORCE_INLINE const uint32_t *child_masks_of(const sl_bvh *tree, uint32_t mask)
{
    return mask != 0 ? sli_child_masks_for(&tree->child_masks, mask) : NULL;
}

/* The same for all items of an array at once: those with options of their own have no common
 * mask. */
static SLI_FORCE_INLINE const uint32_t *child_masks_of_all(const sl_bvh *tree,
                                                           const sl_options *options)
{
    return options->items == NULL ? child_masks_of(tree, options->mask) : NULL;
}

/* The same for an array whose items are looked up one by one (child_mask_of_item); uses: what is in
 * use for any of them, SLI_USES_... */
static SLI_FORCE_INLINE const uint32_t *
child_masks_of_each(const sl_bvh *tree, const sl_options *options, uint32_t uses)
{
    const bool some = (uses & SLI_USES_MASK) != 0 && options->items != NULL;
    return some && tree->child_masks.present ? tree->child_masks.words
                                             : child_masks_of_all(tree, options);
}

/* The bits that item i of an array looks for. */
static SLI_FORCE_INLINE uint32_t child_mask_of_item(const sl_options *options, size_t i)
{
    return __builtin_expect(options->items != NULL, 0) ? sli_mask_of(options->items[i].mask)
                                                       : options->mask;
}

/* The eight words of the node at `at`. */
static SLI_FORCE_INLINE const uint32_t *child_masks_at(const uint32_t *words, const char *lines,
                                                       const char *at)
{
    _Static_assert(SLI_WIDTH * sizeof(uint32_t) * 8 == SLI_NODE_LINES * SLI_LINE,
                   "words take an eighth of what nodes take");
    const size_t line = (size_t)(at - lines) / (SLI_NODE_LINES * SLI_LINE);
    return words + line * SLI_WIDTH;
}

/* Fetches the words of a node that comes later; of a leaf it does no harm. */
static SLI_FORCE_INLINE void child_masks_fetch(const uint32_t *words, uint32_t ref)
{
    prefetch_line((const char *)(words + sli_child_mask_at(ref & SLI_REF_LINE)));
}

/* The children that are left in, as bits; words: those of child_masks_of, or NULL. */
static inline uint32_t child_masks_bits(const uint32_t *words, const sl_bvh *tree,
                                        const sli_node_wide *node, uint32_t mask)
{
    if (words == NULL) {
        return 0xFF;
    }
    const uint32_t *at =
        child_masks_at(words, (const char *)tree->lines, (const char *)(const void *)node);
    const f8 zero = f8_splat(0);
    return f8_bits_le(zero, f8_sharing(zero, at, mask));
}

/* Where rays leave children, which becomes -infinity for those that are left out. */
static SLI_FORCE_INLINE f8 child_masks_leave(const uint32_t *words, const char *lines,
                                             const char *node, uint32_t mask, f8 leave)
{
    return f8_sharing(leave, child_masks_at(words, lines, node), mask);
}
