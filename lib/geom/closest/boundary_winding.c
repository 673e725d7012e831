/* The part of a winding number that the boundary of a surface accounts for; for
 * bvh/query/winding.c.
 *
 * The winding number around p is the signed area that the surface covers on the unit sphere around
 * p, over 4 pi.  Except in the direction r of a ray, area is the flux of a field that starts at -r:
 * so it is 4 pi for each crossing of the ray and the surface, plus for each edge of the boundary
 * the area of the spherical triangle from -r to the two ends of the edge.  In stereographic
 * coordinates as seen from -r, an end at (x, y, z) from p, with r along +x, is the complex number
 *     h / A with h = y + iz and A = sqrt(x^2 + |h|^2) - x,
 * and the area is twice the angle of
 *     A B + conj(h) k for the ends h / A and k / B.
 * A is computed without cancellation, so the angle is as accurate as doubles allow unless the sum
 * of the two terms cancels, which it does where p is on the edge.
 *
 * The angle jumps by 2 pi where the ray meets the edge, and there the crossings jump by one: so
 * both are decided for the same ray, moved by (e, e^2, e^3).  docs/notes/inside.md derives this.
 * Source   Martens, Trettner and Bessmeltsev, The Antipodal Method (2026). */
#include "lib/geom/closest/boundary_winding.h"

#include "lib/geom/exact/arithmetic/arctangent.h"
#include "lib/geom/exact/arithmetic/expansion.h"
#include "lib/geom/exact/predicates.h"

#include <math.h>

/* One end of an edge, seen from the point. */
typedef struct end {
    double a, y, z;
} end;

/* The moved ray sees an end on the ray at (y, z) = (-e^2, -e^3), with a of the order of e^4; and
 * the point itself at (-e, -e^2, -e^3), where only a counts. */
static end seen_from(const float at[3], const float point[3])
{
    const double x = (double)at[0] - (double)point[0];
    const double y = (double)at[1] - (double)point[1];
    const double z = (double)at[2] - (double)point[2];
    const double square = y * y + z * z;
    const double length = sqrt(x * x + square);
    if (square == 0 && x >= 0) {
        return x > 0 ? (end){ 0, -1, 0 } : (end){ 1, 0, 0 };
    }
    return (end){ x > 0 ? square / (length + x) : length - x, y, z };
}

/* On which side the edge passes the moved ray: the sign of cross(from, to) in the plane y, z. */
static int boundary_winding_side(const sli_boundary_edge *edge, const float point[3])
{
    const double p[2] = { point[1], point[2] };
    const double from[2] = { edge->from[1], edge->from[2] }, to[2] = { edge->to[1], edge->to[2] };
    const int sign = sli_orient2d(p, from, to);
    if (sign != 0) {
        return sign;
    }
    const float by_z = edge->from[2] - edge->to[2], by_y = edge->to[1] - edge->from[1];
    return by_z != 0 ? (by_z > 0) - (by_z < 0) : (by_y > 0) - (by_y < 0);
}

/* Half the area of the triangle of an edge, positive clockwise: as seen from -r, y and z are
 * mirrored. */
double sli_boundary_turn(const sli_boundary_edge *edge, const float point[3])
{
    const end from = seen_from(edge->from, point), to = seen_from(edge->to, point);
    const double left = from.y * to.z, right = from.z * to.y;
    const double along = from.a * to.a + (from.y * to.y + from.z * to.z);
    double across = left - right;
    if (along < 0 && fabs(across) <= 0x1p-50 * (fabs(left) + fabs(right))) {
        across = boundary_winding_side(edge, point) < 0 ? -fabs(across) : fabs(across);
    }
    return sli_arctangent(across, along);
}

double sli_boundary_turns(const sl_boundary *boundary, const float point[3])
{
    double sum = 0, rest = 0;
    for (size_t i = 0; i < boundary->info.edge_count; i++) {
        const sli_boundary_edge *edge = &boundary->edges[i];
        sli_boundary_add(edge, sli_boundary_turn(edge, point), &sum, &rest);
    }
    return (sum + rest) * SLI_WINDING_OF_TURN;
}
