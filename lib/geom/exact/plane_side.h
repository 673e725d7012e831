/* exact/plane_side.h: on which side of the plane of one triangle several points lie: orient3d with
 * the parts that depend on the triangle computed once.  For pairs of triangles.
 * Callers  hold the floating-point environment; coordinates are finite floats, or doubles of their
 *          range. */
#pragma once

#include <sightline/intersect.h>

typedef struct sli_triangle_plane {
    double v[3][3];            /* the vertices */
    double normal[3], size[3]; /* (v1 - v0) x (v2 - v0), and the sizes of the products in it */
} sli_triangle_plane;

void sli_triangle_plane_make(const sl_triangle *triangle, sli_triangle_plane *out);
void sli_triangle_plane_make_d(const sl_triangle_d *triangle, sli_triangle_plane *out);

/* 1 in front, -1 behind, 0 on the plane; 0 for a triangle of zero area. */
int sli_triangle_plane_side(const sli_triangle_plane *plane, const double point[3]);
