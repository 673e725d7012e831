/* brute_force.h: triangles in plain arrays, one after the other, for the oracles that trees are
 * tested against. */
#pragma once

#include "bvh/kernel/kernel.h"
#include "lib/geom/intersect/soup.h"

/* The corners of a triangle that is there. */
static inline sl_triangle sli_soup_triangle(const sl_soup *soup, uint32_t prim)
{
    sl_triangle triangle;
    for (size_t corner = 0; corner < 3; corner++) {
        const size_t index = soup->indices[3 * (size_t)prim + corner];
        for (size_t axis = 0; axis < 3; axis++) {
            triangle.v[corner][axis] = soup->xyz[3 * index + axis];
        }
    }
    return triangle;
}

/* False where it was left out of the mesh, or the options leave it out. */
static inline bool sli_soup_has(const sl_soup *soup, const sl_item_options *item, uint32_t prim)
{
    return soup->indices[3 * (size_t)prim] != SL_NONE &&
           sli_item_has(item, (sl_triangle_ref){ .prim = prim }, sli_soup_mask(soup, prim));
}

/* Of the pairs of triangles that meet elsewhere, those in which prim is the lower number: the
 * capacity lowest others, in rising order; returns how many there are in all. */
size_t sli_soup_self_pairs(const sl_soup *soup, uint32_t prim, const sl_options *options,
                           sl_triangle_ref *others, size_t capacity);
