/* The distance of a point from a triangle, for the nearest-point queries of trees and for spheres.
 *
 * Double stage: a nearest point r (seen from the query point) comes from Ericson's regions with
 * weights that are in the triangle, so |r| is an upper bound, up to rounding.  The triangle lies
 * beyond the plane through r perpendicular to r, except for what its vertices w reach over that
 * plane: so the distance is at least |r| - max (r - w) . r / |r|.  That holds for any r, however
 * badly the region was chosen.  With M the largest |coordinate| of a vertex seen from the point,
 * roundings add less than 96 eps M to either bound (r: 25 eps M for each coordinate; the dot
 * product over |r|: 20 eps M).  Vertices and points may be doubles, since each difference between
 * them is rounded once, to within eps of itself.
 *
 * Exact stage: point_triangle_exact.c.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5; docs/notes/distance.md. */
#include "lib/geom/closest/point_triangle.h"

#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"

#define EPS 0x1p-53

static double point_triangle_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Weights of b and c at the nearest point of the triangle, in [0, 1] with a sum of at most 1, by
 * the first region that claims the point.  The quotients of each region are looked up in a table
 * instead of branching, as the branches would be mispredicted. */
static void nearest_weights(const double a[3], const double b[3], const double c[3], double *v,
                            double *w)
{
    enum { AT_A, AT_B, AT_C, ON_AB, ON_AC, ON_BC, WITHIN, NOWHERE };
    double ab[3], ac[3];
    sli_subtract(b, a, ab);
    sli_subtract(c, a, ac);
    const double d1 = 0 - sli_dot(ab, a), d2 = 0 - sli_dot(ac, a);
    const double d3 = 0 - sli_dot(ab, b), d4 = 0 - sli_dot(ac, b);
    const double d5 = 0 - sli_dot(ab, c), d6 = 0 - sli_dot(ac, c);
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    const double along = d4 - d3, back = d5 - d6, sum = va + vb + vc;
    const int claims = ((d1 <= 0) & (d2 <= 0)) << AT_A | ((d3 >= 0) & (d4 <= d3)) << AT_B |
                       ((d6 >= 0) & (d5 <= d6)) << AT_C |
                       ((vc <= 0) & (d1 >= 0) & (d3 <= 0) & (d1 - d3 > 0)) << ON_AB |
                       ((vb <= 0) & (d2 >= 0) & (d6 <= 0) & (d2 - d6 > 0)) << ON_AC |
                       ((va <= 0) & (along >= 0) & (back >= 0) & (along + back > 0)) << ON_BC |
                       ((va >= 0) & (vb >= 0) & (vc >= 0) & (sum > 0)) << WITHIN | 1 << NOWHERE;
    const double of_b[] = { 0, 1, 0, d1, 0, back, vb, 0 };
    const double of_c[] = { 0, 0, 1, 0, d2, along, vc, 0 };
    const double of_all[] = { 1, 1, 1, d1 - d3, d2 - d6, along + back, sum, 1 };
    const int region = __builtin_ctz((unsigned)claims);
    const double first = of_b[region] / of_all[region], second = of_c[region] / of_all[region];
    *v = region == ON_BC ? 1 - second : first;
    *w = second < 1 - *v ? second : 1 - *v;
}

/* An interval that holds the exact distance; corner are the vertices seen from the point. */
static void distance_interval(double corner[3][3], double v, double w, double *low, double *high)
{
    double r[3], reach = 0, over = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double a = corner[0][axis];
        r[axis] = a + v * (corner[1][axis] - a) + w * (corner[2][axis] - a);
        for (int i = 0; i < 3; i++) {
            reach = point_triangle_larger(reach, fabs(corner[i][axis]));
        }
    }
    const double length = sqrt(sli_dot(r, r));
    for (int i = 0; i < 3; i++) {
        double to_corner[3];
        sli_subtract(r, corner[i], to_corner);
        over = point_triangle_larger(over, sli_dot(to_corner, r));
    }
    const double error = 96 * EPS * reach;
    *high = length + error;
    *low = length > 0 ? length - over / length - error : 0;
    *low = point_triangle_larger(*low, 0);
}

/* For a triangle perpendicular to an axis, straight below or above the point: the distance is one
 * subtraction, if a double holds the difference exactly.  Floors and walls would otherwise often
 * need the exact stage, since distances with few digits tend to lie midway between two floats.  The
 * sign of each turn is certain if it is larger than the error, less than 8 eps reach^2: two
 * roundings in the factors, one in each product, one in the difference.  If all have one sign, the
 * projection of the point lies in the triangle.  -1: it is none of these. */
static SLI_NOINLINE double flat_distance(const double point[3], const double v[3][3])
{
    double corner[3][3], reach = 0;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[i][axis] = v[i][axis] - point[axis];
            reach = point_triangle_larger(reach, fabs(corner[i][axis]));
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const double height = corner[0][axis];
        if (v[0][axis] != v[1][axis] || v[0][axis] != v[2][axis] ||
            height + point[axis] != v[0][axis] || height - v[0][axis] != -point[axis]) {
            continue;
        }
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < 3; i++) {
            const double *a = corner[i], *b = corner[(i + 1) % 3];
            const double turn = a[j] * b[k] - a[k] * b[j];
            least = turn < least ? turn : least;
            most = point_triangle_larger(most, turn);
        }
        const double sure = 16 * EPS * reach * reach;
        return least > sure || most < -sure ? fabs(height) : -1;
    }
    return -1;
}

/* What the interval leaves open. */
static bool point_triangle_decide(const double point[3], const double v[3][3], float limit,
                                  sli_nearest_point *out)
{
    const double flat = flat_distance(point, v);
    if (flat >= 0) {
        out->distance = (float)flat;
        return flat <= limit;
    }
    out->stage = SLI_STAGE_EXACT;
    return sli_point_triangle_exact(point, v, limit, &out->distance);
}

static void point_triangle_widen(const float v0[3], const float v1[3], const float v2[3],
                                 double v[3][3])
{
    sli_widen(v0, v[0]);
    sli_widen(v1, v[1]);
    sli_widen(v2, v[2]);
}

bool sli_point_triangle_within(const double point[3], const float v0[3], const float v1[3],
                               const float v2[3], float limit, float bound, double low, double high,
                               sli_nearest_point *out)
{
    const int known = sli_point_triangle_known(limit, bound, low, high, out);
    if (known >= 0) {
        return known != 0;
    }
    double v[3][3];
    point_triangle_widen(v0, v1, v2, v);
    return point_triangle_decide(point, (const double(*)[3])v, limit, out);
}

bool sli_point_triangle_within_d(const double point[3], const double v[3][3], float limit,
                                 float bound, double low, double high, sli_nearest_point *out)
{
    const int known = sli_point_triangle_known(limit, bound, low, high, out);
    return known >= 0 ? known != 0 : point_triangle_decide(point, v, limit, out);
}

static void corners_from(const double point[3], const double v[3][3], double corner[3][3])
{
    for (int i = 0; i < 3; i++) {
        sli_subtract(v[i], point, corner[i]);
    }
}

bool sli_point_triangle_d(const double point[3], const double v[3][3], float limit, float bound,
                          sli_nearest_point *out)
{
    double corner[3][3], weight_u, weight_v, low, high;
    corners_from(point, v, corner);
    nearest_weights(corner[0], corner[1], corner[2], &weight_u, &weight_v);
    distance_interval(corner, weight_u, weight_v, &low, &high);
    out->u = (float)weight_u;
    out->v = (float)weight_v;
    return sli_point_triangle_within_d(point, v, limit, bound, low, high, out);
}

bool sli_point_triangle(const double point[3], const float v0[3], const float v1[3],
                        const float v2[3], float limit, float bound, sli_nearest_point *out)
{
    double v[3][3];
    point_triangle_widen(v0, v1, v2, v);
    return sli_point_triangle_d(point, (const double(*)[3])v, limit, bound, out);
}

void sli_nearest_location_d(const double v[3][3], float u, float w, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = v[0][axis];
        out[axis] = (float)(a + (v[1][axis] - a) * (double)u + (v[2][axis] - a) * (double)w);
    }
}

void sli_nearest_location(const float v0[3], const float v1[3], const float v2[3], float u, float v,
                          float out[3])
{
    double corners[3][3];
    point_triangle_widen(v0, v1, v2, corners);
    sli_nearest_location_d((const double(*)[3])corners, u, v, out);
}

void sli_nearest_at(const double point[3], const double v[3][3], double out[3])
{
    double corner[3][3], weight_u, weight_v;
    corners_from(point, v, corner);
    nearest_weights(corner[0], corner[1], corner[2], &weight_u, &weight_v);
    for (int axis = 0; axis < 3; axis++) {
        const double a = corner[0][axis];
        const double r = a + weight_u * (corner[1][axis] - a) + weight_v * (corner[2][axis] - a);
        out[axis] = point[axis] + r;
    }
}
