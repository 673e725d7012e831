/* wide/leaf_writer.h: writes leaf blocks, each SLI_LEAF_DELAY blocks after it is known.
 *
 * The triangles of a block come from all over the mesh, and the addresses of their corners are
 * known only when their indices have arrived from memory.  So the indices are prefetched when a
 * block is added, the corners half the delay later, and both have arrived when the block is
 * written.
 * Users    node_writer.c adds blocks; widen.c starts and finishes a writer for each task. */
#pragma once

#include "bvh/builder/base/refs.h"
#include "bvh/builder/wide/collapse.h"

/* The source and the target of leaf blocks, shared by all workers. */
typedef struct sli_leaf_context {
    const sli_collapse_plan *plan;
    const float *xyz;
    const uint32_t *indices;
    const sli_ref *boxes;  /* instead of xyz and indices (widen.h) */
    const uint32_t *masks; /* may be NULL */
    sl_bvh_layout layout;  /* compact: blocks get the mesh's vertex numbers */
    size_t leaf_lines;
    sl_bvh *tree;
} sli_leaf_context;

enum { SLI_LEAF_DELAY = 16 };

typedef struct sli_leaf_writer {
    const sli_leaf_context *context;
    size_t added;
    struct sli_pending_leaf {
        size_t line;
        int count;
        uint32_t prims[SLI_PACK];
    } pending[SLI_LEAF_DELAY];
} sli_leaf_writer;

static inline void sli_leaf_writer_start(sli_leaf_writer *writer, const sli_leaf_context *context)
{
    writer->context = context;
    writer->added = 0;
}

/* Adds the block of a binary node that is a leaf, to be written at line. */
void sli_leaf_writer_add(sli_leaf_writer *writer, uint32_t node, size_t line);

/* Writes the blocks that are still pending. */
void sli_leaf_writer_finish(sli_leaf_writer *writer);
