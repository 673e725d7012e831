/* walk/dual.h: down two trees at once, eight boxes against eight: to the pairs of leaves whose
 * boxes meet, or are within a limit of one another.
 *
 * Spots     a pair of references is split on both sides, or, where one is a leaf, on the other one.
 *           Where many wait, it is split on the larger side alone, so that the stack is bounded.
 * Tests     boxes of b are carried to where a is, and, where they are turned against one another,
 *           those of a to where b is, too (carry.h).
 * Source    Gottschalk, Lin and Manocha, OBBTree (1996), for simultaneous descent. */
#pragma once

#include "bvh/contact/walk/carry.h"
#include "bvh/kernel/kernel.h"

enum { SLI_DUAL_PAIRS = 512 };

void sli_dual_of_instances(const sli_transformed *a, const sli_transformed *b, sli_dual *out);
void sli_dual_of_tops(const sli_world *a, const sli_world *b, const sl_transform *under,
                      const sli_world_sizes *sizes, sli_dual *out);

/* Sets what counts as near: margin >= 0, in the world. */
void sli_dual_set_margin(sli_dual *dual, double margin);

/* The pairs of two lots of boxes that are near, and those of the children of two nodes, by the
 * kernels of a (kernel.h). */
static inline int sli_dual_pairs(const sli_dual *dual, const sli_siblings siblings[2], bool exactly,
                                 sli_node_pair out[SLI_DUAL_SPLIT])
{
    return dual->tree[0]->kernels->dual_pairs(dual, siblings, exactly, out);
}

static inline int sli_dual_split(const sli_dual *dual, const sli_node_pair *pair, bool sparing,
                                 sli_node_pair out[SLI_DUAL_SPLIT], sl_stats *stats)
{
    return dual->tree[0]->kernels->dual_split(dual, pair, sparing, out, stats);
}

/* The root pair; false where a tree is empty. */
bool sli_dual_root(const sl_bvh *a, const sl_bvh *b, sli_node_pair *out);

/* Takes a pair of leaves; false ends the walk. */
typedef bool sli_dual_leaves(void *context, sli_dual *dual, const sli_node_pair *pair);

/* Down from a pair.  False where leaves ended it. */
bool sli_dual_walk(sli_dual *dual, const sli_node_pair *from, sli_dual_leaves *leaves,
                   void *context, sl_stats *stats);
