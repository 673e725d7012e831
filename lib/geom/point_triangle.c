/* Distance of a point from a triangle.
 *
 * Double stage: a nearest point r (seen from the query point) comes from Ericson's regions with
 * weights that are in the triangle, so |r| is an upper bound, up to rounding.  The triangle lies
 * beyond the plane through r across r, but for what its corners w reach over it: so the distance is
 * at least |r| - max (r - w) . r / |r|.  That holds for any r, however badly the regions were
 * decided.  With M the largest |coordinate| of a corner seen from the point, roundings add less
 * than 96 eps M to either bound (r: 25 eps M a coordinate; the dot product over |r|: 20 eps M).
 *
 * Exact stage: the region by exact signs (degree 2 and 4), the squared distance as a ratio N / D:
 * |p - a|^2 at a vertex; |ap x ab|^2 / |ab|^2 on an edge; (ap . n)^2 / |n|^2 inside; compared with
 * squares of floats and of midpoints between floats (degree 6: 2^-894 .. 2^784 fits in doubles). */
#include "lib/geom/point_triangle.h"

#include "lib/geom/expansion.h"

#include <math.h>

#define EPS 0x1p-53

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Weights of b and c at the nearest point of the triangle, in [0, 1] with a sum of at most 1: by
 * the first region that claims the point.  Each region has its quotients, and looking them up takes
 * no branch, which would be mispredicted. */
static void nearest_weights(const double a[3], const double b[3], const double c[3], double *v,
                            double *w)
{
    enum { AT_A, AT_B, AT_C, ON_AB, ON_AC, ON_BC, WITHIN, NOWHERE };
    double ab[3], ac[3];
    for (int axis = 0; axis < 3; axis++) {
        ab[axis] = b[axis] - a[axis];
        ac[axis] = c[axis] - a[axis];
    }
    const double d1 = 0 - dot(ab, a), d2 = 0 - dot(ac, a);
    const double d3 = 0 - dot(ab, b), d4 = 0 - dot(ac, b);
    const double d5 = 0 - dot(ab, c), d6 = 0 - dot(ac, c);
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

/* An interval that holds the exact distance, from the corners seen from the point. */
static void distance_interval(double corner[3][3], double v, double w, double *low, double *high)
{
    double r[3], reach = 0, over = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double a = corner[0][axis];
        r[axis] = a + v * (corner[1][axis] - a) + w * (corner[2][axis] - a);
        for (int i = 0; i < 3; i++) {
            reach = larger(reach, fabs(corner[i][axis]));
        }
    }
    const double length = sqrt(dot(r, r));
    for (int i = 0; i < 3; i++) {
        const double to_corner[3] = { r[0] - corner[i][0], r[1] - corner[i][1],
                                      r[2] - corner[i][2] };
        over = larger(over, dot(to_corner, r));
    }
    const double error = 96 * EPS * reach;
    *high = length + error;
    *low = length > 0 ? length - over / length - error : 0;
    *low = larger(*low, 0);
}

/* An expansion that was compressed. */
typedef struct wide {
    int n;
    double c[SLI_COMPRESSED_MAX];
} wide;

static wide wide_sum(const wide *a, const wide *b, double sign)
{
    double h[2 * SLI_COMPRESSED_MAX];
    const int n = sign > 0 ? sli_expansion_sum(a->n, a->c, b->n, b->c, h)
                           : sli_expansion_diff(a->n, a->c, b->n, b->c, h);
    wide out = { .n = sli_expansion_compress(n, h) };
    for (int i = 0; i < out.n; i++) {
        out.c[i] = h[i];
    }
    return out;
}

static wide wide_product(const wide *a, const wide *b)
{
    wide out;
    out.n = sli_expansion_product(a->n, a->c, b->n, b->c, out.c);
    return out;
}

static int wide_sign(const wide *a)
{
    return sli_expansion_sign(a->n, a->c);
}

static double wide_estimate(const wide *a)
{
    return sli_expansion_estimate(a->n, a->c);
}

static wide wide_difference(double a, double b)
{
    const sli_diff d = sli_diff_make(a, b);
    wide out = { .n = d.n };
    out.c[0] = d.c[0];
    out.c[1] = d.c[1];
    return out;
}

static wide wide_dot(const wide a[3], const wide b[3])
{
    wide sum = { .n = 0 };
    for (int axis = 0; axis < 3; axis++) {
        const wide term = wide_product(&a[axis], &b[axis]);
        sum = wide_sum(&sum, &term, 1);
    }
    return sum;
}

static void wide_cross(const wide a[3], const wide b[3], wide out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const wide left = wide_product(&a[j], &b[k]), right = wide_product(&a[k], &b[j]);
        out[axis] = wide_sum(&left, &right, -1);
    }
}

/* The squared distance, num / den. */
typedef struct ratio {
    wide num, den;
} ratio;

static const wide wide_one = { 1, { 1 } };

static ratio to_vertex(const wide ap[3])
{
    return (ratio){ wide_dot(ap, ap), wide_one };
}

static ratio to_line(const wide ap[3], const wide ab[3])
{
    wide cross[3];
    wide_cross(ap, ab, cross);
    return (ratio){ wide_dot(cross, cross), wide_dot(ab, ab) };
}

/* Everything that the regions ask of the corners, exactly. */
typedef struct exact_corners {
    wide side[3][3]; /* side[i]: from corner i to corner i + 1 */
    wide to[3][3];   /* from corner i to the point */
} exact_corners;

/* For each side i: whether the point lies beyond corner i, beyond corner i + 1, or between them. */
static int along_side(const exact_corners *e, int i)
{
    const wide start = wide_dot(e->side[i], e->to[i]);
    const wide end = wide_dot(e->side[i], e->to[(i + 1) % 3]);
    return wide_sign(&start) <= 0 ? -1 : wide_sign(&end) >= 0 ? 1 : 0;
}

static ratio exact_distance(const exact_corners *e)
{
    wide normal[3];
    wide_cross(e->side[0], e->side[1], normal);
    const wide area = wide_dot(normal, normal);
    bool inside = area.n > 0;
    for (int i = 0; i < 3; i++) {
        wide outward[3];
        wide_cross(e->side[i], normal, outward);
        const wide over = wide_dot(outward, e->to[i]);
        inside = inside && wide_sign(&over) <= 0;
    }
    if (inside) {
        const wide height = wide_dot(normal, e->to[0]);
        return (ratio){ wide_product(&height, &height), area };
    }
    ratio best = { .num.n = -1 };
    for (int i = 0; i < 3; i++) { /* the nearest of the three sides */
        const int where = along_side(e, i);
        const ratio next = where == 0 ? to_line(e->to[i], e->side[i])
                                      : to_vertex(e->to[where < 0 ? i : (i + 1) % 3]);
        if (best.num.n >= 0) {
            const wide left = wide_product(&next.num, &best.den),
                       right = wide_product(&best.num, &next.den);
            const wide difference = wide_sum(&left, &right, -1);
            if (wide_sign(&difference) >= 0) {
                continue;
            }
        }
        best = next;
    }
    return best;
}

/* Sign of the distance minus x, x >= 0 with 25 bits at most: x * x is exact. */
static int compare_distance(const ratio *r, double x)
{
    const wide square = { x == 0 ? 0 : 1, { x * x } };
    const wide scaled = wide_product(&r->den, &square);
    const wide difference = wide_sum(&r->num, &scaled, -1);
    return wide_sign(&difference);
}

static float round_distance(const ratio *r)
{
    const double distance = sqrt(wide_estimate(&r->num) / wide_estimate(&r->den));
    const double low = distance * (1 - 0x1p-48), high = distance * (1 + 0x1p-48);
    float rounded;
    if (sli_rounds_alike(low, high, &rounded)) {
        return rounded;
    }
    const float below = (float)low, above = (float)high;
    double boundary = ((double)below + (double)above) / 2;
    boundary = boundary > 0x1.fffffep127 ? 0x1.ffffffp127 : boundary;
    const int side = compare_distance(r, boundary);
    return side < 0 ? below : side > 0 ? above : (float)boundary;
}

static ratio make_exact(const double point[3], const float *const v[3])
{
    exact_corners e;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            e.side[i][axis] = wide_difference(v[(i + 1) % 3][axis], v[i][axis]);
            e.to[i][axis] = wide_difference(point[axis], v[i][axis]);
        }
    }
    return exact_distance(&e);
}

void sli_nearest_place(const float v0[3], const float v1[3], const float v2[3], float u, float v,
                       float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = v0[axis];
        out[axis] = (float)(a + (v1[axis] - a) * (double)u + (v2[axis] - a) * (double)v);
    }
}

/* A triangle across an axis, straight below or above the point: the distance is one subtraction,
 * where a double holds it (TwoDiff without a remainder).  Floors and walls would go to the exact
 * stage often, since a distance of so few digits likes to lie midway between two floats. Each turn
 * is off by less than 8 eps reach^2: two roundings in the factors and one in each product, one in
 * the difference.  All of one sign: the point's image is within the triangle's. */
static bool flat_distance(const double point[3], const float *const v[3], double *distance)
{
    double corner[3][3], reach = 0;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[i][axis] = v[i][axis] - point[axis];
            reach = larger(reach, fabs(corner[i][axis]));
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
            most = larger(most, turn);
        }
        const double sure = 16 * EPS * reach * reach;
        *distance = fabs(height);
        return least > sure || most < -sure;
    }
    return false;
}

bool sli_point_triangle_within(const double point[3], const float v0[3], const float v1[3],
                               const float v2[3], float limit, float bound, double low, double high,
                               sli_nearest_point *out)
{
    const float *const v[3] = { v0, v1, v2 };
    out->stage = SLI_STAGE_DOUBLE;
    if (low > limit || (low > bound && (float)low > bound)) {
        return false;
    }
    if (sli_rounds_alike(low, high, &out->distance) && high <= limit) {
        return true;
    }
    double flat;
    if (flat_distance(point, v, &flat)) {
        out->distance = (float)flat;
        return flat <= limit;
    }
    const ratio exact = make_exact(point, v);
    out->stage = SLI_STAGE_EXACT;
    out->distance = round_distance(&exact);
    return isinf(limit) || compare_distance(&exact, limit) <= 0;
}

bool sli_point_triangle(const double point[3], const float v0[3], const float v1[3],
                        const float v2[3], float limit, float bound, sli_nearest_point *out)
{
    const float *const v[3] = { v0, v1, v2 };
    double corner[3][3], weight_u, weight_v, low, high;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            corner[i][axis] = v[i][axis] - point[axis];
        }
    }
    nearest_weights(corner[0], corner[1], corner[2], &weight_u, &weight_v);
    distance_interval(corner, weight_u, weight_v, &low, &high);
    out->u = (float)weight_u;
    out->v = (float)weight_v;
    return sli_point_triangle_within(point, v0, v1, v2, limit, bound, low, high, out);
}
