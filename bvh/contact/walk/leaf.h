/* walk/leaf.h: the triangles of leaves, unpacked once for many other leaves, by the kernels of
 * their tree. */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/query/query.h"
#include "bvh/tree/transformed.h"

/* Fills it in.  instance: the number that skips name. */
static inline void sli_leaf_unpack(const sli_transformed *transformed, uint32_t instance,
                                   const sl_item_options *options, uint32_t ref, sli_leaf4 *out)
{
    transformed->tree->kernels->leaf_unpack(transformed, instance, options, ref, out);
}

enum { SLI_LEAF_CROSSING = SLI_PACK * SLI_PACK };

/* Bit 4 i + j: the triangles in lane i of a, of those given, and in lane j of b may be within the
 * margin: neither a plane of an axis nor that of a triangle has more than that between them.
 * Where there is no margin, SLI_LEAF_CROSSING bits higher: they surely cross. */
static inline uint32_t sli_leaf_near(const sli_leaf4 *a, uint32_t lanes, const sli_leaf4 *b,
                                     double margin)
{
    return a->tree->kernels->leaf_near(a, lanes, b, margin);
}

static inline void sli_leaf_triangle(const sli_leaf4 *leaf, uint32_t lane, sl_triangle_d *out)
{
    for (int corner = 0; corner < 3; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            out->v[corner][axis] = leaf->v[corner][axis][lane];
        }
    }
}
