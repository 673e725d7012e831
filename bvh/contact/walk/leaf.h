/* walk/leaf.h: the triangles of a leaf as pairs are made of them: corners in the world, bounds
 * and planes, computed once for many other leaves. */
#pragma once

#include "bvh/query/query.h"
#include "bvh/tree/transformed.h"

/* The triangles of one leaf, by lanes. */
typedef struct sli_leaf {
    const sl_bvh *tree; /* and ref: what this is of; NULL: nothing yet */
    uint32_t ref;
    uint32_t there; /* bits of lanes that the options leave in */
    uint32_t split; /* bits of lanes whose triangles are in other leaves, too */
    uint32_t prim[SLI_PACK];
    double v[3][3][SLI_PACK];                      /* [vertex][axis][lane] */
    double low[3][SLI_PACK], high[3][SLI_PACK];    /* bounds */
    double normal[3][SLI_PACK], size[3][SLI_PACK]; /* exact/plane_side.h */
    double square[SLI_PACK]; /* of the length of the normal, rounded up; 0 where it is 0 */
} sli_leaf;

/* Fills it in.  instance: the number that skips name. */
void sli_leaf_unpack(const sli_transformed *transformed, uint32_t instance,
                     const sl_item_options *options, uint32_t ref, sli_leaf *out);

void sli_leaf_triangle(const sli_leaf *leaf, uint32_t lane, sl_triangle_d *out);

/* Bits of the triangles of b that may be within the margin of a triangle of a: neither a plane of
 * an axis nor that of a triangle has more than that between them. */
uint32_t sli_leaf_near(const sli_leaf *a, uint32_t lane, const sli_leaf *b, double margin);
