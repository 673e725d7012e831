/* exact/plane_side.h: on which side of a triangle's plane points lie, for whoever asks of several.
 * Callers  hold the floating-point environment; numbers are finite floats. */
#ifndef SLI_GEOM_EXACT_PLANE_SIDE_H
#define SLI_GEOM_EXACT_PLANE_SIDE_H

#include <sightline/shapes.h>

typedef struct sli_triangle_plane {
    double v[3][3];            /* the corners */
    double normal[3], size[3]; /* (v1 - v0) x (v2 - v0), and what each is the difference of */
} sli_triangle_plane;

void sli_triangle_plane_make(const sl_triangle *triangle, sli_triangle_plane *out);

/* 1 on the front, -1 on the back, 0 on the plane; 0 for a triangle without area. */
int sli_triangle_plane_side(const sli_triangle_plane *plane, const double point[3]);

#endif
