/* flat_walk.h: the triangles of a world in the order of its flattened mesh: by instance, then by
 * number. */
#pragma once

#include "bvh/scene/scene.h"

typedef struct sli_flat_walk {
    const sl_bvh *bvh;
    uint32_t instance, prim; /* the next one; begins with zeros */
} sli_flat_walk;

/* The next triangle; false: there is no more. */
static inline bool sli_flat_next(sli_flat_walk *walk, sl_triangle *triangle, sl_triangle_ref *ref)
{
    for (; walk->instance < walk->bvh->world.count; walk->instance++, walk->prim = 0) {
        const sl_bvh *tree = walk->bvh->world.transformed[walk->instance].tree;
        while (tree != NULL && walk->prim < tree->prim_count) {
            const uint32_t prim = walk->prim++;
            if (sli_tree_triangle(tree, prim, triangle)) { /* others were left out of the mesh */
                *ref = (sl_triangle_ref){ .instance = walk->instance, .prim = prim };
                return true;
            }
        }
    }
    return false;
}
