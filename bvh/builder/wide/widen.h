/* wide/widen.h: a binary tree becomes a tree of 8-wide nodes and leaf blocks: the only bridge
 * between the builders' language and the queries'.
 *
 * Children are planned by collapse.h and selected by child_select.h.
 * Order    depth-first: a node, its leaf blocks in child order, then the subtrees below it, by
 *          decreasing area.
 * Layout   blocks of a compact tree are written with the mesh's vertex numbers, which
 *          vertex_order.h replaces.
 * Workers  subtrees of at most 4096 references are counted in parallel, placed by summing the
 *          counts, and written in parallel.
 * Users    build.c.
 * Source   Ylitie, Karras and Laine (2017), and Wald, Benthin and Boulos (2008): see collapse.h and
 *          child_select.h. */
#pragma once

#include "bvh/builder/base/refs.h"
#include "bvh/builder/wide/binary.h"

/* How to make the tree.  One that would be too large is made compact instead, unless triangles are
 * split. */
typedef struct sli_widen_def {
    sl_bvh_layout layout;   /* compact: not where triangles are split */
    const uint32_t *masks;  /* may be NULL */
    size_t line_limit;      /* SLI_MAX_LINES, except in tests */
    size_t byte_limit;      /* of the whole tree */
    const sli_boxes *boxes; /* instead of a mesh: triangle i has the smallest corner of box i for
                             * vertices 0 and 2 and the largest for vertex 1.  Not for a compact
                             * tree */
} sli_widen_def;

/* Makes a tree over the triangles of mesh, which is NULL where there are boxes.  SL_TOO_LARGE
 * beyond the limits; SL_OUT_OF_MEMORY, also where a budget (lib/base/budget.h) refuses a compact
 * tree; SL_CANCELLED. */
sl_result sli_widen_binary(const sli_binary *binary, const sl_mesh *mesh, const sli_widen_def *def,
                           const sl_allocator *allocator, const sli_phase *phase, sl_bvh **out);
