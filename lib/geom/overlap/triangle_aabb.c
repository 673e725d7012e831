/* A triangle against an axis-aligned box by 13 separating axes, decided exactly: for overlap
 * queries, and for capsules.
 *
 * No axis is ever rounded.  Along an axis n, the box extends furthest at the vertex that the signs
 * of n select, and those signs are comparisons of coordinates.  Whether that vertex lies beyond the
 * triangle is then the sign of a determinant of differences: 2 x 2 for the cross product of a box
 * edge and a triangle edge, in the plane perpendicular to the box edge, and 3 x 3 for the normal of
 * the triangle.  If an unbounded box has no such vertex, the axis does not separate.
 *
 * Thirteen axes are enough for flat boxes and triangles of zero area too: enlarge the box by a
 * little on all sides, and the axes stay the same; two disjoint compact sets allow that.
 * Source   Akenine-Moller, Fast 3D Triangle-Box Overlap Testing (2001), for the axes. */
#include "lib/geom/overlap/triangle_aabb.h"
#include "lib/geom/exact/valid.h"

#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/tribool.h"
#include "lib/geom/overlap/overlap_d.h"

#define EPS 0x1p-53

typedef struct pair {
    double v[3][3];
    double low[3], high[3];
    sli_sat_trace *trace;
    /* For the filter; each has a relative error of eps. */
    double offset[3][3]; /* v - low */
    double edge[3][3];   /* from v[i] to the next */
    double size[3];      /* high - low */
    double reach[3];     /* the largest |offset|, plus size */
} pair;

typedef struct interval {
    double low, high;
} interval;

/* Whether the intervals are apart; bound covers the errors of all four numbers, and is infinite or
 * NaN for unbounded boxes. */
static sli_tribool are_apart(interval triangle, interval box, double bound)
{
    const double above = triangle.low - box.high, below = box.low - triangle.high;
    if (above > bound || below > bound) {
        return SLI_YES;
    }
    return above < -bound && below < -bound ? SLI_NO : SLI_UNSURE;
}

static void triangle_aabb_extend(interval *i, double step)
{
    i->low += step < 0 ? step : 0;
    i->high += step > 0 ? step : 0;
}

static int sign_of_difference(double to, double from)
{
    return (to > from) - (to < from);
}

static void count_exact(const pair *p, sli_decision_stage stage, int sign)
{
    if (p->trace != NULL && stage == SLI_STAGE_EXACT) {
        p->trace->exact[sign + 1]++;
    }
}

/* The coordinate of the box for which n times it is greatest (towards = 1) or least (-1), n being a
 * sign.  False if it is infinite.  For n = 0 any finite coordinate will do. */
static bool triangle_aabb_extreme(const pair *p, int axis, int n, int towards, double *out)
{
    const double value = n * towards > 0 ? p->high[axis] : p->low[axis];
    *out = n == 0 && isinf(value) ? p->v[0][axis] : value;
    return isfinite(*out);
}

static bool separates_box_axis(const pair *p, int axis)
{
    bool all_above = true, all_below = true;
    for (int i = 0; i < 3; i++) {
        all_above = all_above && p->v[i][axis] > p->high[axis];
        all_below = all_below && p->v[i][axis] < p->low[axis];
    }
    return all_above || all_below;
}

/* Each value has gone through at most 5 roundings. */
static sli_tribool filter_cross_axis(const pair *p, int box_edge, int triangle_edge)
{
    const int x = (box_edge + 1) % 3, y = (box_edge + 2) % 3;
    const double *edge = p->edge[triangle_edge], *from = p->offset[triangle_edge],
                 *other = p->offset[(triangle_edge + 2) % 3];
    const double a = edge[x] * from[y] - edge[y] * from[x];
    const double b = edge[x] * other[y] - edge[y] * other[x];
    interval box = { 0, 0 };
    triangle_aabb_extend(&box, edge[x] * p->size[y]);
    triangle_aabb_extend(&box, -edge[y] * p->size[x]);
    const double bound = 8 * EPS * (fabs(edge[x]) * p->reach[y] + fabs(edge[y]) * p->reach[x]);
    return are_apart((interval){ a < b ? a : b, a < b ? b : a }, box, bound);
}

/* In the plane perpendicular to the box edge, n is the triangle's edge turned left; along n the
 * triangle covers what is between the edge and the third vertex. */
static bool separates_cross_axis(const pair *p, int box_edge, int triangle_edge)
{
    const int x = (box_edge + 1) % 3, y = (box_edge + 2) % 3;
    const double *from = p->v[triangle_edge], *to = p->v[(triangle_edge + 1) % 3],
                 *other = p->v[(triangle_edge + 2) % 3];
    const double edge[2][2] = { { from[x], from[y] }, { to[x], to[y] } };
    const double third[2] = { other[x], other[y] };
    const int nx = -sign_of_difference(to[y], from[y]), ny = sign_of_difference(to[x], from[x]);
    for (int side = -1; side <= 1; side += 2) {
        /* The box is beyond the triangle on this side if its nearest vertex is. */
        double corner[2];
        if (!triangle_aabb_extreme(p, x, nx, -side, &corner[0]) ||
            !triangle_aabb_extreme(p, y, ny, -side, &corner[1])) {
            continue;
        }
        const double *extents[2] = { edge[0], third };
        bool beyond = true;
        for (int i = 0; i < 2 && beyond; i++) {
            sli_decision_stage stage = SLI_STAGE_DOUBLE;
            const int sign = sli_cross2d(edge[0], edge[1], extents[i], corner, &stage);
            count_exact(p, stage, sign);
            beyond = sign == side;
        }
        if (beyond) {
            return true;
        }
    }
    return false;
}

/* Each value has gone through at most 9 roundings. */
static sli_tribool filter_normal(const pair *p)
{
    double plane = 0, bound = 0;
    interval box = { 0, 0 };
    for (int axis = 0; axis < 3; axis++) {
        const int x = (axis + 1) % 3, y = (axis + 2) % 3;
        const double left = p->edge[0][x] * p->edge[1][y], right = p->edge[0][y] * p->edge[1][x];
        plane += (left - right) * p->offset[0][axis];
        triangle_aabb_extend(&box, (left - right) * p->size[axis]);
        bound += (fabs(left) + fabs(right)) * p->reach[axis];
    }
    return are_apart((interval){ plane, plane }, box, 16 * EPS * bound);
}

static bool separates_normal(const pair *p)
{
    const double *a = p->v[0], *b = p->v[1], *c = p->v[2];
    int n[3];
    for (int axis = 0; axis < 3; axis++) {
        const int x = (axis + 1) % 3, y = (axis + 2) % 3;
        const double pa[2] = { a[x], a[y] }, pb[2] = { b[x], b[y] }, pc[2] = { c[x], c[y] };
        sli_decision_stage stage = SLI_STAGE_DOUBLE;
        n[axis] = sli_cross2d(pa, pb, pa, pc, &stage);
        count_exact(p, stage, n[axis]);
    }
    for (int side = -1; side <= 1; side += 2) {
        double corner[3];
        bool has_corner = true;
        for (int axis = 0; axis < 3; axis++) {
            has_corner =
                triangle_aabb_extreme(p, axis, n[axis], -side, &corner[axis]) && has_corner;
        }
        if (!has_corner) {
            continue;
        }
        sli_decision_stage stage = SLI_STAGE_DOUBLE;
        const int sign = sli_triple3d(a, b, a, c, a, corner, &stage);
        count_exact(p, stage, sign);
        if (sign == side) {
            return true;
        }
    }
    return false;
}

static bool triangle_aabb_separates(const pair *p, sli_sat_axis axis)
{
    if (axis < SLI_SAT_NORMAL) {
        return separates_box_axis(p, (int)axis - SLI_SAT_BOX_X);
    }
    const int cross = (int)axis - SLI_SAT_X_EDGE_01, box_edge = cross / 3, edge = cross % 3;
    const bool is_normal = axis == SLI_SAT_NORMAL;
    const sli_tribool filtered =
        is_normal ? filter_normal(p) : filter_cross_axis(p, box_edge, edge);
    if (filtered != SLI_UNSURE) {
        return filtered == SLI_YES;
    }
    return is_normal ? separates_normal(p) : separates_cross_axis(p, box_edge, edge);
}

static void prepare_filter(pair *p)
{
    for (int axis = 0; axis < 3; axis++) {
        double furthest = 0;
        for (int i = 0; i < 3; i++) {
            p->offset[i][axis] = p->v[i][axis] - p->low[axis];
            p->edge[i][axis] = p->v[(i + 1) % 3][axis] - p->v[i][axis];
            const double distance = fabs(p->offset[i][axis]);
            furthest = distance > furthest ? distance : furthest;
        }
        p->size[axis] = p->high[axis] - p->low[axis];
        p->reach[axis] = furthest + p->size[axis];
    }
}

static void make_pair_d(const sl_triangle_d *triangle, const sl_aabb_d *box, pair *out)
{
    out->trace = NULL;
    memcpy(out->v, triangle->v, sizeof out->v);
    memcpy(out->low, box->min, sizeof out->low);
    memcpy(out->high, box->max, sizeof out->high);
    prepare_filter(out);
}

/* False for an invalid triangle or an empty box. */
static bool make_pair(const sl_triangle *triangle, const sl_aabb *box, sli_sat_trace *trace,
                      pair *out)
{
    if (!sli_triangle_is_valid(triangle) || sl_aabb_is_empty(box)) {
        return false;
    }
    const sl_triangle_d corners = sli_triangle_d_of(triangle);
    const sl_aabb_d wide = sli_aabb_d_of(box);
    make_pair_d(&corners, &wide, out);
    out->trace = trace;
    return true;
}

/* SLI_SAT_OVERLAP, or the first axis that separates. */
static sli_sat_axis first_axis(const pair *p, sli_sat_order order)
{
    const int first = order == SLI_SAT_ORDER_312 ? SLI_SAT_X_EDGE_01 : SLI_SAT_BOX_X;
    const int count = SLI_SAT_Z_EDGE_20;
    for (int i = 0; i < count; i++) {
        const sli_sat_axis axis = (sli_sat_axis)((first - 1 + i) % count + 1);
        if (triangle_aabb_separates(p, axis)) {
            return axis;
        }
    }
    return SLI_SAT_OVERLAP;
}

bool sli_aabb_triangle_d(const sl_aabb_d *box, const sl_triangle_d *triangle)
{
    pair p;
    make_pair_d(triangle, box, &p);
    return first_axis(&p, SLI_SAT_ORDER_123) == SLI_SAT_OVERLAP;
}

/* Not inlined into the public function below, which sets the floating-point environment around it.
 */
SLI_NOINLINE sli_sat_axis sli_triangle_aabb(const sl_triangle *triangle, const sl_aabb *box,
                                            sli_sat_order order, sli_sat_trace *trace)
{
    pair p;
    return make_pair(triangle, box, trace, &p) ? first_axis(&p, order) : SLI_SAT_INVALID;
}

static SLI_NOINLINE bool separates_one(const sl_triangle *triangle, const sl_aabb *box,
                                       sli_sat_axis axis)
{
    pair p;
    return make_pair(triangle, box, NULL, &p) && triangle_aabb_separates(&p, axis);
}

sli_sat_axis sli_triangle_aabb_sat_axis(const sl_triangle *triangle, const sl_aabb *box,
                                        sli_sat_order order)
{
    return SLI_IN_FPENV(sli_triangle_aabb(triangle, box, order, NULL));
}

bool sli_triangle_aabb_sat_separates(const sl_triangle *triangle, const sl_aabb *box,
                                     sli_sat_axis axis)
{
    if (axis < SLI_SAT_BOX_X || axis > SLI_SAT_Z_EDGE_20) {
        return false;
    }
    return SLI_IN_FPENV(separates_one(triangle, box, axis));
}

const char *sli_sat_axis_name(sli_sat_axis axis)
{
    static const char *const names[SLI_SAT_AXIS_COUNT] = {
        "overlap",         "box x",           "box y",           "box z",
        "triangle normal", "x cross edge 01", "x cross edge 12", "x cross edge 20",
        "y cross edge 01", "y cross edge 12", "y cross edge 20", "z cross edge 01",
        "z cross edge 12", "z cross edge 20", "invalid",
    };
    return axis >= SLI_SAT_OVERLAP && axis < SLI_SAT_AXIS_COUNT ? names[axis] : "?";
}
