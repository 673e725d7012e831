/* Where nodes and leaf blocks lie in a tree's lines, what lies where in them, and how a traversal
 * prefetches them: what every traversal does with a reference (bvh/tree/node_wide.h). */
#pragma once

#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

/* Lines that are prefetched with a node, from its end on: its first four leaves. */
enum { PREFETCH_LEAF_LINES = 12 };

/* Distances in bytes: from one axis of a node to the next, from min to max of an axis, and from one
 * axis of a leaf block to the next.  The two sides of an axis differ in one bit of their offset in
 * a node, so that a ray finds the far side from the near one. */
enum {
    NODE_AXIS = sizeof(((sli_node_wide *)0)->bounds[0]),
    NODE_SIDE = sizeof(((sli_node_wide *)0)->bounds[0][0]),
    PACK_AXIS = sizeof(((sli_tri_pack *)0)->axis[0])
};

_Static_assert(offsetof(sli_node_wide, bounds) == 0 && NODE_AXIS == 2 * NODE_SIDE &&
                   (NODE_SIDE & (NODE_SIDE - 1)) == 0,
               "a side's offset is axis * NODE_AXIS, plus one bit for max");
_Static_assert(offsetof(sli_tri_pack, axis) == 0, "an axis's offset is axis * PACK_AXIS");
_Static_assert(SLI_REF_LEAF == 1u << 31 && SLI_REF_EMPTY >> 30 == 3,
               "bit 31: a leaf; of leaves, bit 30: SLI_REF_EMPTY");

/* 1 where the reference is a leaf or SLI_REF_EMPTY, else 0. */
static SLI_FORCE_INLINE uint32_t ref_is_leaf(uint32_t ref)
{
    return ref >> 31;
}

/* 1 where the reference is SLI_REF_EMPTY, else 0. */
static SLI_FORCE_INLINE uint32_t ref_is_empty(uint32_t ref)
{
    return ref >> 30 & 1;
}

/* The node or leaf block of a reference. */
static SLI_FORCE_INLINE const char *line_at(const char *lines, uint32_t ref)
{
    return lines + (size_t)(ref & SLI_REF_LINE) * SLI_LINE;
}

/* Prefetches a line into the second-level cache.  The first could hold it, too, but can wait for
 * few lines at a time (24 on a Zen 4): where memory is slow, prefetches into it wait for one
 * another, and with them all that follows.  Reading it from the second level later takes some
 * fifteen cycles, which other work hides. */
static SLI_FORCE_INLINE void prefetch_line(const char *at)
{
    __builtin_prefetch(at, 0, 2);
}

/* Prefetches lines begin .. end - 1 from an address on: of nodes that wait on the stack, and of
 * what follows a node in memory, which are its leaves and then the nodes below it. */
static SLI_FORCE_INLINE void prefetch_lines(const char *at, int begin, int end)
{
    for (int line = begin; line < end; line++) {
        prefetch_line(at + line * SLI_LINE);
    }
}

/* Prefetches a node or a leaf block of which all is needed soon; returns where it is. */
static SLI_FORCE_INLINE const char *prefetch_ref(const char *lines, uint32_t ref)
{
    _Static_assert((int)SLI_PACK_LINES == (int)SLI_NODE_LINES - 1, "a block is a line less");
    const char *at = line_at(lines, ref);
    prefetch_lines(at, 0, SLI_PACK_LINES);
    /* The last line of a node; of a block, which has none there, the third again: that costs
     * nothing, and fetching a line that nothing needs up to a fifth of all time. */
    prefetch_line(at + (SLI_PACK_LINES - ref_is_leaf(ref)) * SLI_LINE);
    return at;
}

/* Prefetches a node or a leaf block into the first-level cache: for the children that a packet
 * pushes, which it takes its time to come to, and of which there are few. */
static SLI_FORCE_INLINE void prefetch_ref_first(const char *lines, uint32_t ref)
{
    const char *at = line_at(lines, ref);
    for (uint32_t line = 0; line < SLI_NODE_LINES - ref_is_leaf(ref); line++) {
        __builtin_prefetch(at + line * SLI_LINE);
    }
}

/* Does the same for what a single ray pops next.  Of a block it prefetches a line more than there
 * is, since a branch on whether it is one would often be guessed wrong. */
static SLI_FORCE_INLINE void prefetch_ref_next(const char *lines, uint32_t ref)
{
    const char *at = line_at(lines, ref);
    for (int line = 0; line < SLI_NODE_LINES; line++) {
        __builtin_prefetch(at + line * SLI_LINE);
    }
}

/* One side of a node's children along an axis; offset: axis * NODE_AXIS, plus NODE_SIDE for max. */
static SLI_FORCE_INLINE f8 node_side(const char *node, uint32_t offset)
{
    return f8_load((const float *)(const void *)(node + offset));
}
