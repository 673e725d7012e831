/* The distance of two triangles in doubles: an interval that holds it, which decides nearly all
 * that is asked about it; for trees, and sl_triangle_distance.
 *
 * All is seen from a corner of the first triangle: then corners are differences of doubles, each
 * off by eps of itself, and it makes no difference where both lie.  M is the largest |coordinate|.
 *
 * From above: any point of a and any point of b are as far apart as the distance or farther.  The
 * points are on two edges, or in a triangle at a corner of the other; d, their difference, is
 * computed from weights in the triangles.  A coordinate of it is off by less than 30 eps M, so |d|
 * by less than 64 eps M with the roundings of the length.
 *
 * From below: along any direction n the triangles are (min n . a_i - max n . b_j) / |n| apart, or
 * farther.  n is whatever doubles it is; the products are off by 3 eps sqrt(3) |n| M for the dot
 * product and sqrt(3) eps |n| M for the corners, of either triangle, the difference by 4 eps |n| M,
 * and the quotient by 14 eps M: less than 32 eps M altogether.  Of products that underflow, no more
 * than 2^-535 is lost: coordinates are multiples of 2^-149, so eps M is far more.
 *
 * Where d is the nearest pair's, both agree but for roundings; the normal of a triangle, or of two
 * edges, is a better direction where d is short.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5, 5.1.9; Larsen et al., Fast
 *          Proximity Queries with Swept Sphere Volumes (1999), for edges and corners. */
#include "lib/geom/contact/distance.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/exact/predicates.h"

#define EPS 0x1p-53

/* Two triangles, seen from a corner of the first. */
typedef struct seen {
    double v[2][3][3];
    double reach; /* the largest |coordinate| */
} seen;

static void seen_make(const sl_triangle_d *a, const sl_triangle_d *b, seen *out)
{
    const double *from = a->v[0];
    double reach = 0;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const double of_a = a->v[i][axis] - from[axis], of_b = b->v[i][axis] - from[axis];
            out->v[0][i][axis] = of_a;
            out->v[1][i][axis] = of_b;
            reach = fabs(of_a) > reach ? fabs(of_a) : reach;
            reach = fabs(of_b) > reach ? fabs(of_b) : reach;
        }
    }
    out->reach = reach;
}

/* How far a is beyond b along n, at least, times |n|. */
static double beyond_along(const seen *s, const double n[3])
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        const double of_a = sli_dot(n, s->v[0][i]), of_b = sli_dot(n, s->v[1][i]);
        least = of_a < least ? of_a : least;
        most = of_b > most ? of_b : most;
    }
    return least - most;
}

/* A lower bound of the distance. */
static double gap_along(const seen *s, const double n[3])
{
    const double length = sli_norm(n);
    return length > 0 ? beyond_along(s, n) / length - 32 * EPS * s->reach : 0;
}

/* Along the line through the middles. */
bool sli_triangles_are_beyond(const sl_triangle_d *a, const sl_triangle_d *b, double limit)
{
    seen s;
    double n[3];
    seen_make(a, b, &s);
    for (int axis = 0; axis < 3; axis++) {
        const double *x = &s.v[0][0][axis], *y = &s.v[1][0][axis];
        n[axis] = (x[0] + x[3] + x[6]) - (y[0] + y[3] + y[6]);
    }
    return gap_along(&s, n) > limit;
}

/* The nearest points so far. */
typedef struct nearest {
    double square, d[3];
    double u[3], v[3]; /* which span a plane perpendicular to d, or nearly so; perhaps zero */
} nearest;

static void keep_nearer(const double d[3], const double u[3], const double v[3], nearest *best)
{
    const double square = sli_dot(d, d);
    if (square < best->square) {
        best->square = square;
        for (int axis = 0; axis < 3; axis++) {
            best->d[axis] = d[axis];
            best->u[axis] = u[axis];
            best->v[axis] = v[axis];
        }
    }
}

static double clamp01(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* num / den in 0 .. 1; 0 where den is 0. */
static double fraction(double num, double den)
{
    return den > 0 ? clamp01(num / den) : 0;
}

/* Two segments: w from the start of v to that of u. */
static void edge_to_edge(const double w[3], const double u[3], const double v[3], double uu,
                         double vv, nearest *best)
{
    const double uv = sli_dot(u, v), uw = sli_dot(u, w), vw = sli_dot(v, w);
    double s = fraction(uv * vw - vv * uw, uu * vv - uv * uv), d[3];
    s = vv > 0 ? s : fraction(-uw, uu);
    double t = uv * s + vw;
    if (t < 0 || t > vv) {
        s = fraction((t < 0 ? 0 : uv) - uw, uu);
        t = t < 0 ? 0 : 1;
    } else {
        t = fraction(t, vv);
    }
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = w[axis] + s * u[axis] - t * v[axis];
    }
    keep_nearer(d, u, v, best);
}

/* The corner of the other triangle that is nearest to the plane, if all lie on one side, and its
 * projection lies in the triangle.  of: 1 where the triangle is b. */
static void face_to_corner(const seen *s, int of, double edge[3][3], nearest *best)
{
    const double(*v)[3] = s->v[of], (*x)[3] = s->v[1 - of];
    double n[3], to[3], across[3], height[3], weight[3];
    sli_cross(edge[0], edge[1], n);
    const double square = sli_dot(n, n);
    for (int i = 0; i < 3; i++) {
        sli_subtract(x[i], v[0], to);
        height[i] = sli_dot(n, to);
    }
    if (!(square > 0) || sli_sign(height[0]) != sli_sign(height[1]) ||
        sli_sign(height[0]) != sli_sign(height[2])) {
        return;
    }
    int low = fabs(height[1]) < fabs(height[0]) ? 1 : 0;
    low = fabs(height[2]) < fabs(height[low]) ? 2 : low;
    for (int i = 0; i < 3; i++) {
        sli_subtract(x[low], v[i], to);
        sli_cross(edge[i], to, across);
        weight[i] = sli_dot(across, n) / square; /* of the corner across the edge */
        if (!(weight[i] >= 0)) {
            return;
        }
    }
    const double second = clamp01(weight[2]), rest = 1 - second;
    const double third = weight[0] < rest ? weight[0] : rest;
    for (int axis = 0; axis < 3; axis++) {
        const double at = v[0][axis] + second * edge[0][axis] - third * edge[2][axis];
        to[axis] = of == 0 ? at - x[low][axis] : x[low][axis] - at;
    }
    keep_nearer(to, edge[0], edge[1], best);
}

static void find_nearest(const seen *s, nearest *best)
{
    double edge[2][3][3], square[2][3], w[3];
    for (int i = 0; i < 6; i++) {
        double *e = edge[i / 3][i % 3];
        sli_subtract(s->v[i / 3][(i + 1) % 3], s->v[i / 3][i % 3], e);
        square[i / 3][i % 3] = sli_dot(e, e);
    }
    best->square = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sli_subtract(s->v[0][i], s->v[1][j], w);
            edge_to_edge(w, edge[0][i], edge[1][j], square[0][i], square[1][j], best);
        }
    }
    face_to_corner(s, 0, edge[0], best);
    face_to_corner(s, 1, edge[1], best);
}

sli_gap sli_triangle_gap(const sl_triangle_d *a, const sl_triangle_d *b)
{
    seen s;
    nearest best;
    double normal[3];
    seen_make(a, b, &s);
    find_nearest(&s, &best);
    sli_cross(best.u, best.v, normal);
    if (sli_dot(normal, best.d) < 0) {
        sli_subtract((const double[3]){ 0 }, normal, normal);
    }
    const double along_d = gap_along(&s, best.d), along_normal = gap_along(&s, normal);
    const double low = along_d > along_normal ? along_d : along_normal;
    return (sli_gap){ low > 0 ? low : 0, sli_norm(best.d) + 64 * EPS * s.reach };
}

/* ---- What is asked ---- */

float sli_triangle_distance(const sl_triangle_d *a, const sl_triangle_d *b, const sli_gap *gap)
{
    float rounded;
    if (sli_rounds_alike(gap->low, gap->high, &rounded)) {
        return rounded;
    }
    bool unsure = false; /* all is exact here */
    sli_exact_gap exact;
    sli_triangle_gap_exact(a, b, &exact);
    return sli_round_root(&exact.square, &exact.over, &unsure);
}

bool sli_triangles_within(const sl_triangle_d *a, const sl_triangle_d *b, float limit,
                          float *distance)
{
    if (sli_triangles_are_beyond(a, b, limit)) {
        return false;
    }
    const sli_gap gap = sli_triangle_gap(a, b);
    if (gap.low > limit) {
        return false;
    }
    if (gap.high > limit) {
        sli_exact_gap exact;
        sli_triangle_gap_exact(a, b, &exact);
        if (sli_exact_gap_order(&exact, limit) > 0) {
            return false;
        }
    }
    *distance = sli_triangle_distance(a, b, &gap);
    return true;
}

static SLI_NOINLINE bool check_and_find(const sl_triangle_d *given_a, const sl_triangle_d *given_b,
                                        sl_closest_points *out)
{
    sl_triangle_d a, b;
    if (!sli_exact_corners(given_a, a.v) || !sli_exact_corners(given_b, b.v)) {
        return false;
    }
    if (out != NULL) {
        const sli_gap gap = sli_triangle_gap(&a, &b);
        out->distance = sli_triangle_distance(&a, &b, &gap);
        sli_nearest_points(&a, &b, out->a, out->b);
    }
    return true;
}

bool sl_triangle_distance(const sl_triangle_d *a, const sl_triangle_d *b, sl_closest_points *out)
{
    return SLI_IN_FPENV(check_and_find(a, b, out));
}
