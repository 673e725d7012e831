/* refit/pieces.h: a tree cut into pieces for workers, and the nodes of a piece that lead to blocks
 * that were changed.
 *
 * Everything relies on the order of lines (tree.h): a node, its leaf blocks, then the subtrees
 * below it; so a subtree is all lines from its node to where the next one begins. */
#ifndef SLI_REFIT_PIECES_H
#define SLI_REFIT_PIECES_H

#include "bvh/tree/tree.h"

/* A subtree of that many lines (half a megabyte) is one piece; a node takes at least 5. */
enum { SLI_PIECE_LINES = 8192, SLI_PIECE_NODES = SLI_PIECE_LINES / (SLI_NODE_LINES + 1) + 1 };

/* Fills in room's pieces for a tree, unless they are there; false when out of memory, and room is
 * as it was.  allocator is that of the room. */
bool sli_refit_pieces(const sl_bvh *tree, const sl_allocator *allocator, sli_refit_room *room);

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

/* A node that leads to changed blocks, and by which children (bits). */
typedef struct sli_changed_node {
    uint32_t line;
    uint32_t children;
} sli_changed_node;

/* Lists those of a piece, each before the nodes below it, and returns how many there are.  Of a
 * piece that is one node: it, if one of its blocks was changed. */
size_t sli_changed_nodes(const sl_bvh *tree, const uint64_t *bits, const sli_refit_piece *piece,
                         sli_changed_node list[SLI_PIECE_NODES]);

#endif
