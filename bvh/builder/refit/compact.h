/* refit/compact.h: the vertices of a compact tree (tri_index.h) follow the mesh.
 *
 * The tree keeps a vertex once for several of the mesh that were at one place (vertex_order.h).
 * Where these are at different places now, its blocks can no longer say where their triangles are,
 * and the tree has to be built anew. */
#pragma once

#include "bvh/builder/refit/moved.h"

/* Finds, for each vertex of the tree, one of the mesh, or SL_NONE where it stays: into the
 * scratch's sources, which has pieces and tree->vertex_floats / 3 sources.  False where the tree's
 * vertices cannot follow. */
bool sli_compact_sources(const sl_bvh *tree, const sli_moved *moved, sli_refit_scratch *scratch,
                         const sli_phase *phase);

/* Moves the vertices of a tree to where its sources are. */
void sli_compact_move(sl_bvh *tree, const sli_moved *moved, const sli_phase *phase);
