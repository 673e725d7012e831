/* wide/vertex_order.h: the vertices of a compact tree, in the order in which its blocks come to
 * them.
 *
 * Blocks that are near each other in the tree are visited together; so their vertices stand
 * together too.  One pass over the lines, on the calling thread; 4 bytes for each vertex of the
 * mesh while it runs.
 * Vertices of no triangle are left out.  Vertices of equal bits become one, if the pass meets them
 * soon after each other: the last 8192, by a hash of their bits, are compared, so that no table of
 * all is needed; where a mesh has a vertex for each corner of its triangles, most of them go. */
#pragma once

#include "bvh/builder/base/phase.h"
#include "bvh/tree/tree.h"

/* tree: finished, with blocks (sli_tri_index) that have the mesh's vertex numbers.  Gives it its
 * vertices and masks (NULL: none), and its blocks the tree's vertex numbers.  SL_OUT_OF_MEMORY:
 * what the tree holds then is freed with it. */
sl_result sli_order_vertices(sl_bvh *tree, const sl_mesh *mesh, const uint32_t *masks,
                             const sli_phase *phase);
