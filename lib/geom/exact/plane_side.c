/* On which side of a triangle's plane points lie: the filter of predicates.c, with what does not
 * depend on the point computed once.  For pairs of triangles. */
#include "lib/geom/exact/plane_side.h"

#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

#define EPS 0x1p-53

void sli_triangle_plane_make(const sl_triangle *triangle, sli_triangle_plane *out)
{
    sl_triangle_d wide;
    for (int i = 0; i < 9; i++) {
        wide.v[i / 3][i % 3] = (double)triangle->v[i / 3][i % 3];
    }
    sli_triangle_plane_make_d(&wide, out);
}

void sli_triangle_plane_make_d(const sl_triangle_d *triangle, sli_triangle_plane *out)
{
    double p[3], q[3];
    memcpy(out->v, triangle->v, sizeof out->v);
    sli_subtract(out->v[1], out->v[0], p);
    sli_subtract(out->v[2], out->v[0], q);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double left = p[j] * q[k], right = p[k] * q[j];
        out->normal[axis] = left - right;
        out->size[axis] = fabs(left) + fabs(right);
    }
}

int sli_triangle_plane_side(const sli_triangle_plane *plane, const double point[3])
{
    double det = 0, permanent = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double r = point[axis] - plane->v[0][axis];
        det += r * plane->normal[axis];
        permanent += fabs(r) * plane->size[axis];
    }
    if (fabs(det) >= 16 * EPS * permanent) {
        return (det > 0) - (det < 0);
    }
    return sli_orient3d(plane->v[0], plane->v[1], plane->v[2], point);
}
