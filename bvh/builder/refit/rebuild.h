/* refit/rebuild.h: bad subtrees built anew within a refit.
 *
 * What     pieces of a tree (pieces.h) whose share of its cost, by the surface area heuristic, has
 *          grown 1.2 times or more since their triangles were last grouped: those that grew most
 *          first.  Their triangles are dealt anew (deal.h); where this does not make a piece
 *          cheaper, it stays as it is.  Which way, it is not tried again before it grows further.
 * Not      what is above pieces, and how triangles are shared out among them: sl_bvh_drift sees it,
 *          and only a build mends it. */
#pragma once

#include "bvh/builder/base/phase.h"
#include "bvh/tree/tree.h"

/* Takes what pieces of the tree cost now for what they did when their triangles were grouped.
 * scratch has pieces, and may be the tree's own. */
void sli_rebuild_measure(const sl_bvh *tree, sli_refit_scratch *scratch, const sli_phase *phase);

/* Up to a share of the tree's lines.  Whether any piece has changed: then the nodes above pieces
 * are old, and added and removed of all pieces are what changed.  scratch.dealing must be there. */
bool sli_rebuild(sl_bvh *tree, float share, const sli_phase *phase);
