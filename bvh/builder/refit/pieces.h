/* refit/pieces.h: a tree cut into pieces for workers.
 *
 * Everything relies on the order of lines (tree.h): a node, its leaf blocks, then the subtrees
 * below it; so a subtree is all lines from its node to where the next one begins. */
#pragma once

#include "bvh/tree/tree.h"

/* A subtree of that many lines (half a megabyte) is one piece; a node takes at least 5. */
enum { SLI_PIECE_LINES = 8192, SLI_PIECE_NODES = SLI_PIECE_LINES / (SLI_NODE_LINES + 1) + 1 };

/* Fills in the scratch's pieces for a tree, unless they are there; false when out of memory, and
 * the scratch is as it was.  allocator is that of the scratch. */
bool sli_refit_pieces(const sl_bvh *tree, const sl_allocator *allocator,
                      sli_refit_scratch *scratch);

/* The first line from begin on whose bit is set, or end. */
static inline size_t sli_next_changed(const uint64_t *bits, size_t begin, size_t end)
{
    size_t word = begin / 64;
    if (begin >= end) {
        return end;
    }
    uint64_t left = bits[word] & (UINT64_MAX << (begin % 64));
    while (left == 0) {
        if (++word * 64 >= end) {
            return end;
        }
        left = bits[word];
    }
    const size_t found = word * 64 + (size_t)__builtin_ctzll(left);
    return found < end ? found : end;
}
