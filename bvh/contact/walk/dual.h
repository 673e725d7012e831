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

/* Two trees, and how one lies to the other. */
typedef struct sli_dual {
    const sl_bvh *tree[2];
    uint32_t mask[2];   /* of the options; 0: all bits */
    sli_carry carry[2]; /* boxes of b to a, boxes of a to b */
    bool both_ways;
    bool apart; /* pairs are within a limit; else boxes meet */
    bool nearest_first;
    bool deepest_first; /* of boxes that meet; of those apart the nearest */
    float scale[2];     /* of gaps at a, and at b, so that they compare with the limit */
    double length[2];   /* of a unit of each tree, in the world */
    double unit;        /* of the limit, per unit of the world */
    float limit;        /* of squares of gaps */
} sli_dual;

/* A pair on the way: references of nodes or leaves.  */
typedef struct sli_spot_pair {
    uint32_t ref[2];
    uint32_t box; /* of a leaf whose partner is a node: that of this child: 8 * line + child */
    float gap;    /* square of the distance of the boxes, scaled; 0 where they meet */
} sli_spot_pair;

/* Up to eight boxes with what is in them: references, or any numbers. */
typedef struct sli_siblings {
    const sli_boxes *boxes;
    uint32_t there; /* bits of lanes */
    uint32_t ref[SLI_WIDTH], box[SLI_WIDTH];
} sli_siblings;

enum { SLI_DUAL_SPOTS = 512, SLI_DUAL_SPLIT = SLI_WIDTH * SLI_WIDTH };

void sli_dual_of_instances(const sli_transformed *a, const sli_transformed *b, sli_dual *out);
void sli_dual_of_tops(const sli_world *a, const sli_world *b, const sl_transform *under,
                      const sli_world_sizes *sizes, sli_dual *out);

/* Sets what counts as near: margin >= 0, in the world. */
void sli_dual_set_margin(sli_dual *dual, double margin);

/* The pairs that are near, in any order, or those last that are to come first.  exactly: as
 * carry.h has it. */
int sli_dual_pairs(const sli_dual *dual, const sli_siblings *a, const sli_siblings *b, bool exactly,
                   sli_spot_pair out[SLI_DUAL_SPLIT]);

/* The root pair; false where a tree is empty. */
bool sli_dual_root(const sl_bvh *a, const sl_bvh *b, sli_spot_pair *out);

/* Splits a pair of which not both are leaves; sparing: on one side alone. */
int sli_dual_split(const sli_dual *dual, const sli_spot_pair *spot, bool sparing,
                   sli_spot_pair out[SLI_DUAL_SPLIT], sl_stats *stats);

/* Takes a pair of leaves; false ends the walk. */
typedef bool sli_dual_leaves(void *context, sli_dual *dual, const sli_spot_pair *spot);

/* Down from a pair.  False where leaves ended it. */
bool sli_dual_walk(sli_dual *dual, const sli_spot_pair *from, sli_dual_leaves *leaves,
                   void *context, sl_stats *stats);
