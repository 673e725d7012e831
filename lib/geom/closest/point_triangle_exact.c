/* The distance of a point from a triangle where doubles do not settle it (point_triangle.c).
 *
 * The region by exact signs (degree 2 and 4), the squared distance as a ratio N / D:
 * |p - a|^2 at a vertex; |ap x ab|^2 / |ab|^2 on an edge; (ap . n)^2 / |n|^2 inside; compared with
 * squares of floats and of midpoints between floats (degree 6: 2^-894 .. 2^784 fits in doubles).
 * Numbers that are multiples of 2^-149 and no larger than FLT_MAX span no more than floats do, and
 * only that counts.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.5; docs/notes/distance.md. */
#include "lib/geom/closest/point_triangle.h"

#include "lib/base/assert.h"
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/expansion.h"

#include <math.h>

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
static void point_triangle_exact_square(const wide a[3], wide *out)
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
    point_triangle_exact_square(normal, &out->den);
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
        point_triangle_exact_square(cross, &num);
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
static SLI_NOINLINE int compare_distance(const ratio *r, double x)
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

static SLI_NOINLINE void make_exact(const double point[3], const double v[3][3], ratio *out)
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

bool sli_point_triangle_exact(const double point[3], const double v[3][3], float limit,
                              float *distance)
{
    ratio exact;
    make_exact(point, v, &exact);
    *distance = round_distance(&exact);
    return isinf(limit) || compare_distance(&exact, limit) <= 0;
}
