/* refit/paths.h: from a changed block up to the root, without a way down: where nodes begin, and
 * the parent of each.
 *
 * Marks    scratch.changed has a bit for each line.  Those of blocks are set as triangles are
 *          written; from the last line to the first, the node that the last marked line belongs to
 *          is marked, and then its parent, which is before it.  So nothing is visited that does not
 *          lead to a changed block, and what comes next is known long before it is needed.
 * Memory   a third of a byte a triangle. */
#pragma once

#include "bvh/tree/tree.h"
#include "lib/base/atomic.h"

/* Fills in the scratch's nodes, ranks and parents for a tree that is not compact, unless they are
 * there; false when out of memory. */
bool sli_refit_paths(const sl_bvh *tree, const sl_allocator *allocator, sli_refit_scratch *scratch);

/* The last line of begin .. end - 1 whose bit is set, or SIZE_MAX.  Other workers may set bits
 * that belong to their own lines. */
static inline size_t sli_last_set(const uint64_t *bits, size_t begin, size_t end)
{
    if (begin >= end) {
        return SIZE_MAX;
    }
    size_t word = (end - 1) / 64;
    uint64_t left = sli_atomic_load_u64(&bits[word]) & (UINT64_MAX >> (63 - (end - 1) % 64));
    while (left == 0) {
        if (word * 64 <= begin) {
            return SIZE_MAX;
        }
        left = sli_atomic_load_u64(&bits[--word]);
    }
    const size_t found = word * 64 + 63 - (size_t)__builtin_clzll(left);
    return found >= begin ? found : SIZE_MAX;
}

static inline bool sli_is_set(const uint64_t *bits, size_t line)
{
    return (sli_atomic_load_u64(&bits[line / 64]) >> (line % 64) & 1) != 0;
}

static inline void sli_set_changed(uint64_t *bits, size_t line)
{
    const uint64_t bit = UINT64_C(1) << (line % 64);
    if ((sli_atomic_load_u64(&bits[line / 64]) & bit) == 0) {
        sli_atomic_or_u64(&bits[line / 64], bit);
    }
}

/* The node that a line is of, or of whose blocks it is. */
static inline size_t sli_node_of_line(const sli_refit_scratch *scratch, size_t line)
{
    return sli_last_set(scratch->nodes, 0, line + 1);
}

/* How many nodes begin before the one at line. */
static inline uint32_t sli_number_of_node(const sli_refit_scratch *scratch, size_t line)
{
    const uint64_t before = scratch->nodes[line / 64] & ((UINT64_C(1) << (line % 64)) - 1);
    return scratch->ranks[line / 64] + (uint32_t)__builtin_popcountll(before);
}

/* The line of the parent of the node at line; 0 for the root. */
static inline uint32_t sli_parent_of(const sli_refit_scratch *scratch, size_t line)
{
    return scratch->parents[sli_number_of_node(scratch, line)];
}
