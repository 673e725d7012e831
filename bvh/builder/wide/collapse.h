/* collapse.h: plans which binary nodes become the nodes and blocks of the wide tree.
 *
 * A dynamic programme finds the cheapest of all wide trees that keep the grouping of the binary
 * one. C(n, k), the cost of the subtree below n as up to k children of one wide node, is the less
 * of
 *
 *     C(n, 1)   where at most 4 triangles are below n: that of a block, else that of a node + D(n,
 * 8) D(n, k)   the least C(left, s) + C(right, k - s) over s: s children go to the left subtree
 *
 * Costs    those of sl_bvh_info, times the chance that a line through the root's box meets that of
 *          n.  Every chance counts as 12 / references larger than it is: a block or a node that
 *          saves less than most of a usual block's share is not worth its memory (without this
 *          binary leaves of single triangles make trees 13 % larger that are not 1 % better; with
 *          1.5 instead, trees are 1 % larger and 3 % where triangles are split, and cost 0.1 and
 *          0.2 % less), and where boxes have no area, the least memory is best.
 * Memory   9 bytes for each binary node.
 * Workers  subtrees 10 levels down are planned in parallel, then what is above them.
 * Source   Ylitie, Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
 *          Wide BVHs (2017), 3.1. */
#ifndef SLI_WIDE_COLLAPSE_H
#define SLI_WIDE_COLLAPSE_H

#include "bvh/builder/wide/widen.h"
#include "lib/base/arena.h"

/* What is known of each binary node that is in use. */
typedef struct sli_collapse_plan {
    const sli_binary *binary;
    uint32_t *triangles; /* below it; of one that was split, each part */
    uint8_t *height;     /* 0 where these are at most 4, else 1 + that of the higher child */
    uint32_t *plan;      /* for inner nodes: see below */
    double cost;         /* C(root, 1) */
} sli_collapse_plan;

/* Arrays are the arena's.  SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_collapse(const sli_binary *binary, sli_arena *arena, const sli_phase *phase,
                       sli_collapse_plan *out);

/* A node of height 0 is a block wherever it is a child. */
static inline bool sli_is_leaf(const sli_collapse_plan *below, uint32_t node)
{
    return below->height[node] == 0;
}

/* Of a plan, bits 3 (k - 2) .. 3 (k - 2) + 2 are the s of D(n, k), or 0 where C(n, 1) is no more;
 * the 5 bits above are the levels of wide nodes that C(n, 1) takes, 31 for any more. */
enum { SLI_PLAN_LEVELS_SHIFT = 3 * (SLI_WIDTH - 1), SLI_PLAN_LEVELS_MAX = 31 };

/* How many of up to k children (2 .. 8) the left subtree gets; 0: the node is the only child. */
static inline int sli_plan_share(const sli_collapse_plan *below, uint32_t node, int k)
{
    return (int)(below->plan[node] >> (3 * (k - 2)) & 7);
}

static inline int sli_plan_levels(const sli_collapse_plan *below, uint32_t node)
{
    return (int)(below->plan[node] >> SLI_PLAN_LEVELS_SHIFT);
}

#endif
