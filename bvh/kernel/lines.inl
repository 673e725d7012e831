/* Where nodes and leaf blocks lie in a tree's lines, and how a traversal prefetches them: what every
 * traversal does with a reference (bvh/tree/tree.h). */
#ifndef SLI_KERNEL_LINES_INL
#define SLI_KERNEL_LINES_INL

#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

/* Lines that are prefetched with a node, from its end on: its first four leaves. */
enum { PREFETCH_LEAF_LINES = 12 };

static SLI_FORCE_INLINE const char *line_at(const char *lines, uint32_t ref)
{
    return lines + (size_t)(ref & SLI_REF_LINE) * SLI_LINE;
}

static SLI_FORCE_INLINE f8 node_side(const char *node, uint32_t offset)
{
    return f8_load((const float *)(const void *)(node + offset));
}

/* Prefetches lines begin .. end - 1 from an address on: of nodes that wait on the stack, and of
 * what follows a node in memory, which are its leaves and then the nodes below it. */
static SLI_FORCE_INLINE void prefetch_lines(const char *at, int begin, int end)
{
    for (int line = begin; line < end; line++) {
        __builtin_prefetch(at + line * SLI_LINE);
    }
}

#endif
