/* The distance of a point from a triangle, for the nearest-point queries of trees and for spheres.
 *
 * Double stage: a nearest point r (seen from the query point) comes from Ericson's regions with
 * weights that are in the triangle, so |r| is an upper bound, up to rounding.  The triangle lies
 * beyond the plane through r perpendicular to r, except for what its vertices w reach over that
 * plane: so the distance is at least |r| - max (r - w) . r / |r|.  That holds for any r, however
 * badly the region was chosen.  With M the largest |coordinate| of a vertex seen from the point,
 * roundings add less than 96 eps M to either bound (r: 25 eps M for each coordinate; the dot
 * product over |r|: 20 eps M).
 *
 * Exact stage: the region by exact signs (degree 2 and 4), the squared distance as a ratio N / D:
 * |p - a|^2 at a vertex; |ap x ab|^2 / |ab|^2 on an edge; (ap . n)^2 / |n|^2 inside; compared with
 * squares of floats and of midpoints between floats (degree 6: 2^-894 .. 2^784 fits in doubles).
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5; docs/notes/distance.md. */
#include "lib/geom/closest/point_triangle.h"

#include "lib/base/assert.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/expansion.h"

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

/* Weights of b and c at the nearest point of the triangle, in [0, 1] with a sum of at most 1, by
 * the first region that claims the point.  The quotients of each region are looked up in a table
 * instead of branching, as the branches would be mispredicted. */
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

/* An interval that holds the exact distance; corner are the vertices seen from the point. */
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

/* Capacities of compressed expansions of degree 4 and 6.  A value of degree k in coordinates is a
 * multiple of 2^(-149 k), and as a sum of three products or of their squares below 2^(130 k); all
 * its components but the last span 53 bits each. */
enum { DEGREE_4_MAX = 23, DEGREE_6_MAX = 33 };

typedef struct wide {
    int n;
    double c[DEGREE_4_MAX];
} wide;

/* The squared distance, num / den. */
typedef struct ratio {
    int num_n;
    double num[DEGREE_6_MAX];
    wide den;
} ratio;

static int wide_sign(const wide *a)
{
    return sli_expansion_sign(a->n, a->c);
}

/* Compresses sum, of n components, and copies it to *out. */
static void wide_set(wide *out, int n, double *sum)
{
    out->n = sli_expansion_compress(n, sum);
    SL_ASSERT(out->n <= DEGREE_4_MAX);
    for (int i = 0; i < out->n; i++) {
        out->c[i] = sum[i];
    }
}

/* to += sign * e * d; e is of degree 3 at most. */
static void add_times(wide *to, int en, const double *e, const sli_diff *d, int sign)
{
    enum { DEGREE_3_MAX = 17 };
    double sum[DEGREE_4_MAX + 4 * DEGREE_3_MAX], *term = sum + DEGREE_4_MAX;
    SL_ASSERT(en <= DEGREE_3_MAX);
    const int term_n = sli_expansion_times_diff(en, e, d, term);
    const int n = sign > 0 ? sli_expansion_sum(to->n, to->c, term_n, term, sum)
                           : sli_expansion_diff(to->n, to->c, term_n, term, sum);
    wide_set(to, n, sum);
}

static void dot_diffs(const sli_diff a[3], const sli_diff b[3], wide *out)
{
    out->n = 0;
    for (int axis = 0; axis < 3; axis++) {
        add_times(out, a[axis].n, a[axis].c, &b[axis], 1);
    }
}

static void dot_wide(const wide a[3], const sli_diff b[3], wide *out)
{
    out->n = 0;
    for (int axis = 0; axis < 3; axis++) {
        add_times(out, a[axis].n, a[axis].c, &b[axis], 1);
    }
}

/* a . a. */
static void square(const wide a[3], wide *out)
{
    double sum[2 * DEGREE_4_MAX], *term = sum + DEGREE_4_MAX;
    out->n = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int term_n = sli_expansion_product(a[axis].n, a[axis].c, a[axis].n, a[axis].c, term);
        wide_set(out, sli_expansion_sum(out->n, out->c, term_n, term, sum), sum);
    }
}

static void cross_diffs(const sli_diff a[3], const sli_diff b[3], wide out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis].n = 0;
        add_times(&out[axis], a[j].n, a[j].c, &b[k], 1);
        add_times(&out[axis], a[k].n, a[k].c, &b[j], -1);
    }
}

/* The sign of (a x b) . c. */
static int triple_sign(const sli_diff a[3], const wide b[3], const sli_diff c[3])
{
    wide sum = { .n = 0 };
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        wide cross = { .n = 0 };
        add_times(&cross, b[k].n, b[k].c, &a[j], 1);
        add_times(&cross, b[j].n, b[j].c, &a[k], -1);
        add_times(&sum, cross.n, cross.c, &c[axis], 1);
    }
    return wide_sign(&sum);
}

/* The exact differences from which the regions are decided. */
typedef struct exact_corners {
    sli_diff side[3][3]; /* side[i]: from vertex i to vertex i + 1 */
    sli_diff to[3][3];   /* from vertex i to the point */
} exact_corners;

/* The distance from the plane, if its nearest point lies in the triangle; otherwise false. */
static SLI_NOINLINE bool face_distance(const exact_corners *e, ratio *out)
{
    wide normal[3], height;
    cross_diffs(e->side[0], e->side[1], normal);
    square(normal, &out->den);
    if (out->den.n == 0) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (triple_sign(e->side[i], normal, e->to[i]) > 0) {
            return false;
        }
    }
    dot_wide(normal, e->to[0], &height);
    out->num_n = sli_expansion_product(height.n, height.c, height.n, height.c, out->num);
    return true;
}

static void set_numerator(ratio *out, const wide *num)
{
    out->num_n = num->n;
    for (int i = 0; i < num->n; i++) {
        out->num[i] = num->c[i];
    }
}

/* The distance from side i, that is, from its end if the point lies beyond one. */
static SLI_NOINLINE void side_distance(const exact_corners *e, int i, ratio *out)
{
    const sli_diff *side = e->side[i], *to = e->to[i], *to_end = e->to[(i + 1) % 3];
    wide start, end, num;
    dot_diffs(side, to, &start);
    dot_diffs(side, to_end, &end);
    if (wide_sign(&start) > 0 && wide_sign(&end) < 0) {
        wide cross[3];
        cross_diffs(to, side, cross);
        square(cross, &num);
        dot_diffs(side, side, &out->den);
    } else {
        const sli_diff *corner = wide_sign(&start) <= 0 ? to : to_end;
        dot_diffs(corner, corner, &num);
        out->den = (wide){ 1, { 1 } };
    }
    set_numerator(out, &num);
}

/* a < b, for distances from sides: numerators are of degree 4, denominators of degree 2. */
static SLI_NOINLINE bool is_less(const ratio *a, const ratio *b)
{
    double left[DEGREE_6_MAX], right[DEGREE_6_MAX];
    const int left_n = sli_expansion_product(a->num_n, a->num, b->den.n, b->den.c, left);
    const int right_n = sli_expansion_product(b->num_n, b->num, a->den.n, a->den.c, right);
    return sli_expansion_compare(left_n, left, right_n, right) < 0;
}

/* The nearest of the three sides. */
static SLI_NOINLINE void outline_distance(const exact_corners *e, ratio *out)
{
    side_distance(e, 0, out);
    for (int i = 1; i < 3; i++) {
        ratio next;
        side_distance(e, i, &next);
        if (is_less(&next, out)) {
            *out = next;
        }
    }
}

/* The sign of the distance minus x; x >= 0 has 25 bits at most, so that x * x is exact. */
static int compare_distance(const ratio *r, double x)
{
    double scaled[2 * DEGREE_4_MAX];
    const int scaled_n = sli_expansion_scale(r->den.n, r->den.c, x * x, scaled);
    return sli_expansion_compare(r->num_n, r->num, scaled_n, scaled);
}

static float round_distance(const ratio *r)
{
    const double distance =
        sqrt(sli_expansion_estimate(r->num_n, r->num) / sli_expansion_estimate(r->den.n, r->den.c));
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

static SLI_NOINLINE void make_exact(const double point[3], const float *const v[3], ratio *out)
{
    exact_corners e;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            e.side[i][axis] = sli_diff_make(v[(i + 1) % 3][axis], v[i][axis]);
            e.to[i][axis] = sli_diff_make(point[axis], v[i][axis]);
        }
    }
    if (!face_distance(&e, out)) {
        outline_distance(&e, out);
    }
}

void sli_nearest_place(const float v0[3], const float v1[3], const float v2[3], float u, float v,
                       float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const double a = v0[axis];
        out[axis] = (float)(a + (v1[axis] - a) * (double)u + (v2[axis] - a) * (double)v);
    }
}

/* For a triangle perpendicular to an axis, straight below or above the point: the distance is one
 * subtraction, if a double holds the difference exactly.  Floors and walls would otherwise often
 * need the exact stage, since distances with few digits tend to lie midway between two floats.  The
 * sign of each turn is certain if it is larger than the error, less than 8 eps reach^2: two
 * roundings in the factors, one in each product, one in the difference.  If all have one sign, the
 * projection of the point lies in the triangle. */
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
    ratio exact;
    make_exact(point, v, &exact);
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
