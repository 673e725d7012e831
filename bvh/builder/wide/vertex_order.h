/* wide/vertex_order.h: the vertices of a compact tree, in the order in which its blocks come to them.
 *
 * Blocks that are near each other in the tree are visited together: so their vertices stand
 * together, too.  One pass over the lines, on the calling thread; 4 bytes for each vertex of the mesh
 * while it runs.
 * Vertices that no triangle has are left out.  Those of the same bits become one, if the pass meets
 * them soon after each other: some thousand of the last ones are looked at, so that no table of all
 * is needed, and where a mesh has a vertex for each of its triangles most of them go. */
#ifndef SLI_WIDE_VERTEX_ORDER_H
#define SLI_WIDE_VERTEX_ORDER_H

#include "bvh/builder/phase.h"
#include "bvh/tree/tree.h"

/* Gives a finished tree, whose blocks are sli_tri_index with the mesh's numbers, its vertices and
 * masks (NULL: none), and the blocks their numbers.  SL_OUT_OF_MEMORY: what the tree holds then is
 * freed with it. */
sl_result sli_order_vertices(sl_bvh *tree, const sl_mesh *mesh, const uint32_t *masks,
                             const sli_phase *phase);

#endif
