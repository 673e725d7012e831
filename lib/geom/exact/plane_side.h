/* exact/plane_side.h: on which side of a triangle's plane points lie, for whoever asks of several.
 * Callers  hold the floating-point environment; numbers are finite floats. */
#ifndef SLI_GEOM_SIDE_H
#define SLI_GEOM_SIDE_H

#include <sightline/shapes.h>

typedef struct sli_sided {
    double v[3][3];            /* the corners */
    double normal[3], size[3]; /* (v1 - v0) x (v2 - v0), and what each is the difference of */
} sli_sided;

void sli_sided_make(const sl_triangle *triangle, sli_sided *out);

/* 1 on the front, -1 on the back, 0 on the plane; 0 for a triangle without area. */
int sli_side_of(const sli_sided *plane, const double point[3]);

#endif
