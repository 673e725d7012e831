/* contact/dual.h: how two trees lie to one another, and pairs of their nodes, as kernels take and
 * answer them.  For walks down two trees at once (bvh/contact/walk). */
#pragma once

#include "bvh/tree/tree.h"

/* Eight boxes, as nodes have them: [axis][low, high][lane]. */
typedef struct sli_boxes8 {
    float at[3][2][SLI_WIDTH];
} sli_boxes8;

/* How boxes of one tree are carried to where the other one is; bvh/contact/walk/carry.h derives
 * it. */
typedef struct sli_carry {
    double r[3][3], t[3], middle[3];
    double slack[3]; /* without room for roundings of boxes on the way */
    double room[3];  /* for these, once */
    bool still;      /* both trees are where they were built: boxes are as they are */
} sli_carry;

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
typedef struct sli_node_pair {
    uint32_t ref[2];
    uint32_t box; /* of a leaf whose partner is a node: that of this child: 8 * line + child */
    float gap;    /* square of the distance of the boxes, scaled; 0 where they meet */
} sli_node_pair;

/* Up to eight boxes with what is in them. */
typedef struct sli_siblings {
    const sli_boxes8 *boxes;
    const uint32_t *ref; /* of each lane: a reference, or any number */
    uint32_t there;      /* bits of lanes */
    uint32_t box;        /* of lane 0, as in sli_node_pair; those of the others follow */
} sli_siblings;

enum { SLI_DUAL_SPLIT = SLI_WIDTH * SLI_WIDTH };
