/* still.h: one tree over the triangles of instances that stand still, for worlds (world.h): a ray
 * that would enter several of them one after the other walks one tree instead.
 *
 * The tree is an ordinary one, of triangles whose corners are those in the world, counted from a
 * middle and rounded to floats.  So it is an instance whose transform moves by that middle, and
 * whose corners are off by the rounding: with d the difference of a corner and the middle, in
 * double, and y the float,
 *
 *     |corner - middle - d| <= 2^-53 |d|,  |d - y| <= 2^-24 |d| + 2^-150,
 *     |d| <= (|y| + 2^-150) / (1 - 2^-24),  so
 *     |corner - middle - y| <= 2^-24 (1 + 2^-20) |y| + 2^-148
 *
 * along each axis.  That is what bvh/kernel/instance/to_local.inl calls rho, and of a transform
 * that only moves it is the part of h that it adds: whatever boxes and floats leave out or answer
 * is left out or answered rightly, as with a grid.  All else is decided by the triangle's source,
 * with the corners that its instance has in the world. */
#pragma once

#include "bvh/tree/tree.h"

/* Zeroed: there is none. */
typedef struct sli_still {
    sl_bvh *tree;
    sli_entry_source *sources; /* of each triangle of the tree, numbers of the array */
    uint32_t *numbers;         /* of the instances in it, ascending */
    size_t source_count, number_count;
    /* The tree as an instance: the bytes of a sli_transformed, since this struct is not aligned as
     * one. */
    char transformed[sizeof(sli_transformed)];
} sli_still;

/* Frees all of it; memory is that of the arrays. */
void sli_still_empty(sli_still *still, const sl_allocator *memory);
