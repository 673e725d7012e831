/* Signs of areas of triangles projected along an axis, for pairs of triangles in one plane. */
#include "lib/geom/exact/orient_projected.h"

#include "lib/geom/exact/predicates.h"

int sli_orient_projected(int axis, const float a[3], const float b[3], const float c[3])
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double p[2] = { a[i], a[j] }, q[2] = { b[i], b[j] }, r[2] = { c[i], c[j] };
    return sli_orient2d(p, q, r);
}

int sli_projected_orientation(const sl_triangle *triangle, int *axis)
{
    for (int k = 0; k < 3; k++) {
        const int sign = sli_orient_projected(k, triangle->v[0], triangle->v[1], triangle->v[2]);
        if (sign != 0) {
            *axis = k;
            return sign;
        }
    }
    return 0;
}

int sli_orient_projected_d(int axis, const double a[3], const double b[3], const double c[3])
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double p[2] = { a[i], a[j] }, q[2] = { b[i], b[j] }, r[2] = { c[i], c[j] };
    return sli_orient2d(p, q, r);
}

int sli_projected_orientation_d(const double a[3], const double b[3], const double c[3], int *axis)
{
    for (int k = 0; k < 3; k++) {
        const int sign = sli_orient_projected_d(k, a, b, c);
        if (sign != 0) {
            *axis = k;
            return sign;
        }
    }
    return 0;
}
