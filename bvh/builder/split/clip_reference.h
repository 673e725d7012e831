/* split/clip_reference.h: cutting a reference in two: the box around each part of its triangle.
 *
 * Cover    planes cut space into cells: closed boxes, so that neighbours share the plane between
 *          them.  A reference stands for the part of its triangle in one cell, and its box holds
 *          that part.  Cutting the cell at a plane gives two cells that share the plane;
 *          sli_clip_reference gives each the box of (triangle in the box of the reference, on that
 *          side of the plane), rounded outward, which holds the part in the new cell.  Cells cover
 *          space, so the boxes of all references to a triangle cover it; and a side without a
 *          reference holds nothing of the triangle.
 * Margin   a box reaches beyond its part on each face, except where it ends with the triangle
 *          itself: the first box is the triangle's own, and a new face is either the old one or
 *          lies beyond the part by more than all roundings.  So the interiors of boxes cover the
 *          triangle too, which is what the checker proves (bvh/tree/cover.h).
 * Meets    the triangle meets the box of each of its references, exactly: so whatever contains the
 *          box touches the triangle.
 * Callers  hold the floating-point environment.
 * Source   Stich, Friedrich and Dietrich, Spatial Splits in Bounding Volume Hierarchies (2009), for
 *          chopping references; Sutherland and Hodgman, Reentrant Polygon Clipping (1974). */
#pragma once

#include "bvh/builder/base/refs.h"

/* The mesh of the references. */
typedef struct sli_triangles {
    const float *xyz;
    const uint32_t *indices;
} sli_triangles;

static inline const float *sli_triangle_corner(const sli_triangles *mesh, uint32_t prim, int corner)
{
    return mesh->xyz + 3 * (size_t)mesh->indices[3 * (size_t)prim + (size_t)corner];
}

/* For loops over triangles that are anywhere in memory: the indices and, once these are there, the
 * corners. */
static inline void sli_triangle_prefetch(const sli_triangles *mesh, uint32_t prim)
{
    __builtin_prefetch(mesh->indices + 3 * (size_t)prim);
    __builtin_prefetch(mesh->indices + 3 * (size_t)prim + 2);
}

static inline void sli_triangle_prefetch_corners(const sli_triangles *mesh, uint32_t prim)
{
    for (int corner = 0; corner < 3; corner++) {
        __builtin_prefetch(sli_triangle_corner(mesh, prim, corner));
    }
}

/* parts[0] lies below the plane, parts[1] above; exists[k]: whether there is such a part, which is
 * so for at least one.  Boxes stay within that of ref. */
void sli_clip_reference(const sli_triangles *mesh, const sli_ref *ref, int axis, float plane,
                        sli_ref parts[2], bool exists[2]);
