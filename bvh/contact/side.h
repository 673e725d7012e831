/* contact/side.h: one of two instances, seen from the centre of the first and along the axes of the
 * world, and bounding volumes of its nodes and leaves: how far these are apart, at least.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/contact/walk/leaf.h"
#include "lib/geom/exact/arithmetic/vector.h"

enum { SLI_SIDE_LEAVES = 4 };

typedef struct sli_contact_side {
    const sli_transformed *transformed;
    const sl_item_options *options;
    uint32_t number;
    double from[3]; /* where all is seen from */
    double at[3];   /* of its centre */
    double m[3][3], margin[3];
    sli_leaf4 leaves[SLI_SIDE_LEAVES];
} sli_contact_side;

/* The bounding volume of a node, which is its box, or of the triangles of a leaf. */
typedef struct sli_bounding {
    double at[3], half[3]; /* of the box along the axes of the world */
    double reach[3];       /* half sides of a node's box, where its tree is */
    const sli_leaf4 *leaf; /* NULL: a node */
} sli_bounding;

void sli_side_start(sli_contact_side *s, const sli_transformed *transformed, uint32_t number,
                    const sl_item_options *options, const double from[3]);

/* A leaf, from those that are kept. */
const sli_leaf4 *sli_side_leaf(sli_contact_side *s, uint32_t ref);

void sli_bounding_of_box(const sli_contact_side *s, const sl_aabb *box, sli_bounding *out);
void sli_bounding_of_leaf(const sli_contact_side *s, const sli_leaf4 *leaf, sli_bounding *out);

/* How far one reaches from its centre along n, of length 1 or 0. */
double sli_bounding_reach(const sli_contact_side *s, const sli_bounding *v, const double n[3]);

/* How far the boxes along the axes are apart. */
double sli_bounding_gap(const sli_bounding *a, const sli_bounding *b);

/* The corner of a side that is farthest along n, how far it is, and its leaf; false where there is
 * none. */
bool sli_side_support(sli_contact_side *s, const double n[3], double corner[3], double *along,
                      uint32_t *leaf);
