/* wide/leaf_writer.h: leaf blocks are written some blocks after they are known.
 *
 * Triangles come from all over the mesh, and where their corners are is known only once their
 * indices are there: meanwhile other blocks are worked on. */
#ifndef SLI_BUILD_LEAF_QUEUE_H
#define SLI_BUILD_LEAF_QUEUE_H

#include "bvh/builder/wide/collapse.h"
#include "bvh/tree/tri_pack.h"

/* Where the triangles of leaves come from and go to. */
typedef struct sli_writer {
    const sli_below *below;
    const float *xyz;
    const uint32_t *indices;
    const uint32_t *masks; /* may be NULL */
    sl_bvh_layout layout;  /* of a compact one, blocks get the mesh's numbers of vertices */
    size_t leaf_lines;
    sl_bvh *tree;
} sli_writer;

enum { SLI_LEAF_QUEUE = 16 };

typedef struct sli_leaf_queue {
    const sli_writer *writer;
    size_t added;
    struct sli_leaf_job {
        size_t line;
        int count;
        uint32_t prims[SLI_PACK];
    } jobs[SLI_LEAF_QUEUE];
} sli_leaf_queue;

static inline void sli_leaf_queue_start(sli_leaf_queue *queue, const sli_writer *writer)
{
    queue->writer = writer;
    queue->added = 0;
}

/* The block of a binary node that is a leaf will stand at line. */
void sli_leaf_queue_add(sli_leaf_queue *queue, uint32_t node, size_t line);

/* Writes those that still wait. */
void sli_leaf_queue_finish(sli_leaf_queue *queue);

#endif
