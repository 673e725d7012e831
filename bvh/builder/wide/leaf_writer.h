/* wide/leaf_writer.h: leaf blocks are written some blocks after they are known.
 *
 * Triangles come from all over the mesh, and where their corners are is known only once their
 * indices are there: meanwhile other blocks are worked on. */
#ifndef SLI_WIDE_LEAF_WRITER_H
#define SLI_WIDE_LEAF_WRITER_H

#include "bvh/builder/wide/collapse.h"
#include "bvh/tree/tri_pack.h"

/* Where the triangles of leaves come from and go to. */
typedef struct sli_leaf_context {
    const sli_collapse_plan *below;
    const float *xyz;
    const uint32_t *indices;
    const uint32_t *masks; /* may be NULL */
    sl_bvh_layout layout;  /* of a compact one, blocks get the mesh's numbers of vertices */
    size_t leaf_lines;
    sl_bvh *tree;
} sli_leaf_context;

enum { SLI_LEAF_DELAY = 16 };

typedef struct sli_leaf_writer {
    const sli_leaf_context *writer;
    size_t added;
    struct sli_pending_leaf {
        size_t line;
        int count;
        uint32_t prims[SLI_PACK];
    } jobs[SLI_LEAF_DELAY];
} sli_leaf_writer;

static inline void sli_leaf_writer_start(sli_leaf_writer *queue, const sli_leaf_context *writer)
{
    queue->writer = writer;
    queue->added = 0;
}

/* The block of a binary node that is a leaf will stand at line. */
void sli_leaf_writer_add(sli_leaf_writer *queue, uint32_t node, size_t line);

/* Writes those that still wait. */
void sli_leaf_writer_finish(sli_leaf_writer *queue);

#endif
