/* patch.h: triangles that hide together what is behind them: a patch of a surface that covers all
 * that appears within some pixels of a position, however small its triangles are.
 *
 * The patch begins with one triangle, and goes on across each side that may appear within the
 * reach (occluder.h), to a triangle of the same instance that has the same two corners.  Each lies
 * wholly between the near plane's part within reach and what it hides, and no two of them fold at
 * their common side: then any line of sight from there to a point within reach that is behind all
 * of their planes meets one of them.  For along the line of sight the triangles appear as a plane
 * mosaic, turned the same way, and the line as a point x; on the way from a point of the first
 * triangle straight to x, a triangle is left only across a side that has x on its outer side, so
 * into its neighbour, and never entered again.  docs/notes/picking.md.
 *
 * What is behind all planes is told by one row: SLI_ROW_NEAR beyond a number. */
#pragma once

#include "bvh/kernel/instance/ray.h"
#include "bvh/pick/occluder.h"

enum {
    SLI_PATCH = 64,        /* triangles */
    SLI_PATCH_NODES = 256, /* of the tree, looked at for neighbours, leaves included */
    SLI_PATCH_KNOWN = 96,  /* triangles of leaves that were looked at */
    SLI_PATCH_LEAVES = 64
};

typedef struct sli_patch_known {
    float x[3][3];   /* in the tree's space */
    uint32_t key[3]; /* of each corner: equal for equal ones */
    uint32_t prim;
} sli_patch_known;

typedef struct sli_patch_triangle {
    sli_patch_known known;
    sli_row plane;   /* positive behind it */
    double turn;     /* 1, or -1 where its corners run the other way round */
    uint32_t closed; /* bits: sides with all of the reach on their inner side, or a neighbour */
} sli_patch_triangle;

typedef struct sli_patch {
    const sli_screen *screen;
    const sli_transformed *transformed;
    const sli_world_ray *options; /* which triangles are there */
    uint32_t instance;
    sli_reach reach;
    double along[4][3]; /* directions from the reach's points of the near plane on */
    double farthest[4]; /* where these leave the planes, in multiples of along */
    sli_patch_triangle triangle[SLI_PATCH];
    int count;
    int nodes; /* looked at */
    sli_patch_known known[SLI_PATCH_KNOWN];
    int known_count;
    uint32_t leaves[SLI_PATCH_LEAVES]; /* whose triangles are known */
    int leaf_count;
} sli_patch;

/* Grows a patch from a triangle.  INFINITY: it does not cover the reach.  Otherwise, all that is
 * within reach is hidden where SLI_ROW_NEAR is more than this.  The triangles are there to be
 * looked at in any case. */
double sli_patch_grow(const sli_screen *screen, const sli_transformed *transformed,
                      uint32_t instance, const sli_world_ray *options, const double position[2],
                      double radius, uint32_t prim, sli_patch *patch);
