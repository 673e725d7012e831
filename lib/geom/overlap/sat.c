/* Two convex bodies with vertices, by separating axes: for triangles, segments and boxes in any
 * orientation.
 *
 * They are apart exactly if they are apart along the cross product of two of their edges, since
 * every facet of their Minkowski difference is spanned by two such edges.  These are 15 axes for
 * two boxes, 13 for a box and a triangle, 11 for two triangles.
 *
 * That holds if the edges of both together span space.  If they do not (both bodies are flat and in
 * parallel planes), the directions x, y, z are added to the edges: two disjoint compact bodies stay
 * disjoint when a small enough cube is added to one of them, the facets of the sum are spanned by
 * the edges of all three, and their directions do not depend on the size of the cube.  An edge of
 * zero length does no harm, as an axis that is found to separate does separate.  An unbounded box
 * behaves like one with limits far enough away; the axes are the same.
 *
 * Double stage: along an axis n, each coordinate of which is the difference of two products, with
 * m_k the sum of their sizes, everything that is computed is off by less than 16 roundings of sum
 * m_k reach_k, where reach_k is that of the body (support.h); 32 also covers the rounding of that
 * sum.  An axis is of degree 2 and the gap along it of degree 4 at most, so nothing underflows.
 * Exact stage: the same in numbers.
 * Source   Gottschalk, Lin and Manocha, OBBTree (1996); Ericson, Real-Time Collision Detection
 *          (2005), 5.2.1. */
#include "lib/geom/overlap/sat.h"

#define EPS 0x1p-53

enum { EDGES = 6, DIRECTIONS = 9, PAIRS = DIRECTIONS * DIRECTIONS };

typedef struct pair {
    sli_support_filter filter[2];
    bool exact; /* whether the rest is filled */
    sli_support support[2];
    sli_number unit[3][3]; /* x, y, z */
} pair;

static void sat_sharpen(void *context, bool exact)
{
    (void)exact;
    pair *p = context;
    if (p->exact) {
        return;
    }
    p->exact = true;
    for (int i = 0; i < 2; i++) {
        sli_support_make(p->filter[i].body, true, &p->support[i]);
    }
    for (int i = 0; i < 9; i++) {
        sli_number_set(i / 3 == i % 3 ? 1 : 0, true, &p->unit[i / 3][i % 3]);
    }
}

/* The cross product of two directions, and for each coordinate the sum of the sizes of its two
 * products. */
static void filter_axis(const pair *p, int i, int j, double n[3], double size[3])
{
    static const double unit[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const double *a = i < EDGES ? p->filter[i / 3].edge[i % 3] : unit[i - EDGES];
    const double *b = j < EDGES ? p->filter[j / 3].edge[j % 3] : unit[j - EDGES];
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        const double left = a[y] * b[z], right = a[z] * b[y];
        n[axis] = left - right;
        size[axis] = fabs(left) + fabs(right);
    }
}

/* An infinite reach makes error infinite or NaN, so that the answer is unsure. */
static sli_tribool filter_separates(const pair *p, int i, int j)
{
    double n[3], size[3], low[2], high[2];
    filter_axis(p, i, j, n, size);
    if (size[0] == 0 && size[1] == 0 && size[2] == 0) {
        return SLI_NO;
    }
    sli_support_filter_extent(&p->filter[0], n, &low[0], &high[0]);
    sli_support_filter_extent(&p->filter[1], n, &low[1], &high[1]);
    const double error =
        32 * EPS * (sli_dot(size, p->filter[0].reach) + sli_dot(size, p->filter[1].reach));
    const double first = low[0] - high[1], second = low[1] - high[0];
    if (first > error || second > error) {
        return SLI_YES;
    }
    return first < -error && second < -error ? SLI_NO : SLI_UNSURE;
}

static const sli_number *sat_direction(const pair *p, int i)
{
    return i < EDGES ? p->support[i / 3].edge[i % 3] : p->unit[i - EDGES];
}

static sli_tribool exactly_separates(const pair *p, int i, int j)
{
    sli_number axis[3];
    sli_extent a, b;
    sli_number_cross(sat_direction(p, i), sat_direction(p, j), axis);
    sli_support_extent(&p->support[0], axis, &a);
    sli_support_extent(&p->support[1], axis, &b);
    const sli_tribool a_above = sli_and(sli_extent_above(&a, &b.high), sli_not(b.no_high));
    const sli_tribool b_above = sli_and(sli_extent_above(&b, &a.high), sli_not(a.no_high));
    return sli_or(a_above, b_above);
}

/* Any two edges of a triangle give the same axis, so that one pair is enough. */
static bool is_repeated(const pair *p, int i, int j)
{
    if (i >= EDGES || i / 3 != j / 3) {
        return false;
    }
    return !p->filter[i / 3].body->box && i % 3 + j % 3 != 1;
}

static sli_tribool sat_separates(const pair *p, int i, int j)
{
    if (is_repeated(p, i, j)) {
        return SLI_NO;
    }
    return p->exact ? exactly_separates(p, i, j) : filter_separates(p, i, j);
}

/* The axes of pairs of edges, first those within a body: the normals of faces. */
static sli_tribool answer_edges(void *context, int test)
{
    static const int order[15][2] = {
        { 0, 1 }, { 1, 2 }, { 2, 0 }, { 3, 4 }, { 4, 5 }, { 5, 3 }, { 0, 3 }, { 0, 4 },
        { 0, 5 }, { 1, 3 }, { 1, 4 }, { 1, 5 }, { 2, 3 }, { 2, 4 }, { 2, 5 },
    };
    return sat_separates(context, order[test][0], order[test][1]);
}

static sli_tribool answer_all(void *context, int test)
{
    const int i = test / DIRECTIONS, j = test % DIRECTIONS;
    return i < j && j >= EDGES ? sat_separates(context, i, j) : SLI_NO;
}

static sli_tribool filter_span(const pair *p, int i, int j, int k)
{
    double n[3], size[3], limit = 0;
    const double *edge = p->filter[k / 3].edge[k % 3];
    filter_axis(p, i, j, n, size);
    for (int axis = 0; axis < 3; axis++) {
        limit += size[axis] * fabs(edge[axis]);
    }
    const bool sure = fabs(sli_dot(n, edge)) > 32 * EPS * limit;
    return sure ? SLI_YES : limit == 0 ? SLI_NO : SLI_UNSURE;
}

static sli_tribool exact_span(const pair *p, int i, int j, int k)
{
    sli_number axis[3], determinant;
    sli_number_cross(sat_direction(p, i), sat_direction(p, j), axis);
    sli_number_dot(axis, sat_direction(p, k), &determinant);
    return determinant.n != 0 ? SLI_YES : SLI_NO;
}

/* Whether the edges i, j, k with test = 36 i + 6 j + k span space. */
static sli_tribool answer_span(void *context, int test)
{
    const pair *p = context;
    const int i = test / 36, j = test / 6 % 6, k = test % 6;
    if (i >= j || j >= k || is_repeated(p, j, k) || is_repeated(p, i, j)) {
        return SLI_NO;
    }
    return p->exact ? exact_span(p, i, j, k) : filter_span(p, i, j, k);
}

bool sli_bodies_meet(const sli_body *a, const sli_body *b)
{
    pair p;
    sli_support_filter_make(a, &p.filter[0]);
    sli_support_filter_make(b, &p.filter[1]);
    p.exact = false;
    if (sli_any(&(sli_tests){ &p, answer_edges, sat_sharpen }, 15)) {
        return false;
    }
    if (sli_any(&(sli_tests){ &p, answer_span, sat_sharpen }, 216)) {
        return true;
    }
    return !sli_any(&(sli_tests){ &p, answer_all, sat_sharpen }, PAIRS);
}
