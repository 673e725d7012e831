/* transformed.h: makes an instance ready for kernels: its inverse, its box in the world, and the
 * bounds on what carrying a ray to it may be off by. */
#pragma once

#include "bvh/tree/tree.h"
#include "lib/geom/transform/transform.h"

/* A box of corners. */
typedef struct sli_world_box {
    double min[3], max[3];
} sli_world_box;

/* Sets *out and *box for a tree that is not empty.  What is wrong with the transform or the grid
 * otherwise. */
sli_transform_fault sli_transformed_make(const sl_bvh *tree, const sl_transform *transform,
                                         double grid, uint32_t mask, sli_transformed *out,
                                         sli_world_box *box);

/* The grid that was given: 0 for the step of floats, which is never too coarse then. */
static inline double sli_transformed_grid(const sli_transformed *transformed)
{
    return transformed->grid == SLI_TRANSFORM_STEP ? 0 : transformed->grid;
}
