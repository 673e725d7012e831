/* contact/leaf.h: the triangles of a leaf as pairs are made of them: corners in the world, bounds
 * and planes, computed once for many other leaves. */
#pragma once

#include "bvh/tree/tree.h"

/* The triangles of one leaf, by lanes. */
typedef struct sli_leaf4 {
    const sl_bvh *tree; /* and ref: what this is of; NULL: nothing yet */
    uint32_t ref;
    uint32_t there; /* bits of lanes that the options leave in */
    uint32_t split; /* bits of lanes whose triangles are in other leaves, too */
    uint32_t prim[SLI_PACK];
    double v[3][3][SLI_PACK];                      /* [vertex][axis][lane] */
    double low[3][SLI_PACK], high[3][SLI_PACK];    /* bounds */
    double normal[3][SLI_PACK], size[3][SLI_PACK]; /* exact/plane_side.h */
    double square[SLI_PACK]; /* of the length of the normal, rounded up; 0 where it is 0 */
} sli_leaf4;
