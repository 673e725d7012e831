/* wide/collapse.h: plans which binary nodes become the nodes and blocks of the wide tree.
 *
 * A dynamic programme finds the cheapest of all wide trees that keep the grouping of the binary
 * one. C(n, k) is the cost of the subtree below n as up to k children of one wide node; D(n, k)
 * that of the same with n opened:
 *
 *     C(n, 1) = that of a block                   where at most 4 triangles are below n
 *               that of a node + D(n, 8)          elsewhere
 *     C(n, k) = min(C(n, 1), D(n, k))             for k > 1
 *     D(n, k) = min over s of C(left, s) + C(right, k - s): s children go to the left subtree
 *
 * Costs    those of sl_bvh_info, times the chance that a line through the root's box meets that of
 *          n.  Every chance counts as 12 / references larger than it is: a block or a node that
 *          saves less than most of a usual block's share is not worth its memory (without this
 *          binary leaves of single triangles make trees 13 % larger that are not 1 % better; with
 *          1.5 instead, trees are 1 % larger, and 3 % where triangles are split, and cost 0.1 and
 *          0.2 % less), and where boxes have no area, the least memory is best.
 * Memory   13 bytes for each binary node.
 * Workers  subtrees 10 levels down are planned in parallel, then what is above them.
 * Users    widen.c.
 * Source   Ylitie, Karras and Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
 *          Wide BVHs (2017), 3.1. */
#pragma once

#include "bvh/builder/base/phase.h"
#include "bvh/builder/wide/binary.h"
#include "lib/base/arena.h"

/* The plan: for each binary node that is in use, by its index. */
typedef struct sli_collapse_plan {
    const sli_binary *binary;
    uint32_t *triangles; /* references below it */
    uint8_t *height;     /* 0 where these are at most 4, else 1 + the higher child's */
    uint32_t *shares;    /* of inner nodes, packed: see below */
    uint32_t *sizes;     /* of inner nodes with at most SLI_PLAN_SIZED triangles: see below */
} sli_collapse_plan;

/* Arrays are the arena's.  SL_OUT_OF_MEMORY, SL_CANCELLED. */
sl_result sli_collapse(const sli_binary *binary, sli_arena *arena, const sli_phase *phase,
                       sli_collapse_plan *out);

/* A node of height 0 is a block wherever it is a child. */
static inline bool sli_is_leaf(const sli_collapse_plan *plan, uint32_t node)
{
    return plan->height[node] == 0;
}

/* Of shares, bits 3 (k - 2) .. 3 (k - 2) + 2 are the s of D(n, k), or 0 where C(n, 1) is no more
 * than D(n, k); the 5 bits above are the levels of wide nodes that C(n, 1) takes, 31 for 31 or
 * more. */
enum { SLI_PLAN_LEVELS_SHIFT = 3 * (SLI_WIDTH - 1), SLI_PLAN_LEVELS_MAX = 31 };

/* Children that the left subtree gets of up to k (2 .. 8); 0: the node is the only child. */
static inline int sli_plan_share(const sli_collapse_plan *plan, uint32_t node, int k)
{
    return (int)(plan->shares[node] >> (3 * (k - 2)) & 7);
}

/* Of sizes, the lower half is the blocks of C(n, 1), the upper half its nodes.  Those of larger
 * subtrees overflow, and mean nothing. */
enum { SLI_PLAN_SIZED = 0xFFFF, SLI_PLAN_ONE_BLOCK = 1, SLI_PLAN_ONE_NODE = 0x10000 };

static inline size_t sli_plan_blocks(const sli_collapse_plan *plan, uint32_t node)
{
    return plan->sizes[node] % SLI_PLAN_ONE_NODE;
}

static inline size_t sli_plan_nodes(const sli_collapse_plan *plan, uint32_t node)
{
    return plan->sizes[node] / SLI_PLAN_ONE_NODE;
}

static inline int sli_plan_levels(const sli_collapse_plan *plan, uint32_t node)
{
    return (int)(plan->shares[node] >> SLI_PLAN_LEVELS_SHIFT);
}
