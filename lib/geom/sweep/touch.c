/* Where a box or a hull that has moved touches a triangle or a box, and how it faces it.
 *
 * Which corners of either are foremost along the normal is decided exactly.  The rest is in
 * doubles: the corners of the mover, at t, make a convex polygon, which is cut by the one that the
 * target's make.  Source: Sutherland and Hodgman, Reentrant Polygon Clipping (1974). */
#include "lib/base/inline.h"
#include "lib/geom/closest/point_triangle.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/sweep/polytope.h"

#include <sightline/options.h>

#include <float.h>
#include <string.h>

/* A convex polygon: what is left of one corner for each half-plane that cuts. */
enum { CORNERS = SL_HULL_POINTS_MAX, CUT_CORNERS = CORNERS + 12 };

/* The foremost of count points along sign * n, exactly, where doubles do not tell: their sums are
 * off by less than 16 roundings of what they are made of. */
static int foremost_points(const double (*points)[3], int count, const sli_number n[3], int sign,
                           double out[][3])
{
    const double wide[3] = { sign * n[0].value, sign * n[1].value, sign * n[2].value };
    double most = -INFINITY, slack = 0;
    for (int i = 0; i < count; i++) {
        double x[3], size = 0;
        sli_subtract(points[i], points[0], x);
        for (int axis = 0; axis < 3; axis++) {
            size += fabs(wide[axis] * x[axis]);
        }
        most = fmax(most, sli_dot(wide, x));
        slack = fmax(slack, 0x1p-48 * size);
    }
    sli_number best, at;
    uint8_t near[CORNERS];
    int found = 0, nears = 0;
    for (int i = 0; i < count; i++) {
        double x[3];
        sli_subtract(points[i], points[0], x);
        if (!(sli_dot(wide, x) < most - 2 * slack)) {
            near[nears++] = (uint8_t)i;
        }
    }
    if (nears == 1) {
        memcpy(out[0], points[near[0]], sizeof out[0]);
        return 1;
    }
    for (int k = 0; k < nears; k++) {
        const int i = near[k];
        sli_dot_point(n, points[i], &at);
        int order = 1;
        if (found > 0) {
            sli_number difference;
            sli_number_sub(&at, &best, &difference);
            order = sign * difference.sign;
        }
        if (order > 0) {
            sli_number_copy(&at, &best);
            found = 0;
        }
        if (order >= 0) {
            memcpy(out[found++], points[i], sizeof out[0]);
        }
    }
    return found;
}

/* Of n . edge: a sum that is off by less than 8 roundings of what it is made of. */
static int slope_sign(const sli_number n[3], const double edge[3])
{
    double sum = 0, size = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += n[axis].value * edge[axis];
        size += fabs(n[axis].value * edge[axis]);
    }
    if (fabs(sum) > 0x1p-48 * size || size == 0) {
        return sli_sign(sum);
    }
    sli_number slope;
    sli_dot_point(n, edge, &slope);
    return slope.sign;
}

/* The corners of a box that are foremost; where it has no limit they are as far as can be. */
static int foremost_of_box(const sli_body *box, const sli_number n[3], int sign, double out[][3])
{
    int count = 1;
    memcpy(out[0], box->point[0], sizeof out[0]);
    for (int i = 0; i < 3; i++) {
        const double low = fmax(box->low[i], -(double)FLT_MAX);
        const double high = fmin(box->high[i], (double)FLT_MAX);
        const int rising = sign * slope_sign(n, box->edge[i]);
        for (int k = 0; k < count; k++) {
            for (int axis = 0; axis < 3; axis++) {
                const double x = out[k][axis], edge = box->edge[i][axis];
                out[k][axis] = x + edge * (rising > 0 ? high : low);
                if (rising == 0) {
                    out[k + count][axis] = x + edge * high;
                }
            }
        }
        count *= rising == 0 ? 2 : 1;
    }
    return count;
}

typedef struct cut_polygon {
    int count;
    double corner[CUT_CORNERS][3];
} cut_polygon;

static void polygon_reverse(cut_polygon *polygon, int from, int to)
{
    for (; from < to; from++, to--) {
        double swapped[3];
        memcpy(swapped, polygon->corner[from], sizeof swapped);
        memcpy(polygon->corner[from], polygon->corner[to], sizeof swapped);
        memcpy(polygon->corner[to], swapped, sizeof swapped);
    }
}

/* gu (x_u - at_u) + gv (x_v - at_v) >= 0. */
typedef struct half_plane {
    const double *at;
    int u, v;
    double gu, gv;
} half_plane;

static double half_plane_side(const half_plane *h, const double x[3])
{
    return h->gu * (x[h->u] - h->at[h->u]) + h->gv * (x[h->v] - h->at[h->v]);
}

/* Keeps what is in the half-plane; where that is nothing, the corner that is nearest to it.  From a
 * corner within on, no more has been kept than has been read, and one. */
static void polygon_cut(cut_polygon *polygon, const half_plane *h)
{
    double a[3], b[3], start[3], most = -INFINITY;
    int best = 0, kept = 0;
    const int count = polygon->count;
    for (int i = 0; i < count; i++) {
        const double side = half_plane_side(h, polygon->corner[i]);
        best = side > most ? i : best;
        most = fmax(side, most);
    }
    if (!(most >= 0)) {
        memcpy(a, polygon->corner[best], sizeof a);
        memcpy(polygon->corner[0], a, sizeof a);
        polygon->count = 1;
        return;
    }
    polygon_reverse(polygon, 0, best - 1);
    polygon_reverse(polygon, best, count - 1);
    polygon_reverse(polygon, 0, count - 1);
    memcpy(start, polygon->corner[0], sizeof start);
    memcpy(b, start, sizeof b);
    for (int i = 0; i < count; i++) {
        memcpy(a, b, sizeof a);
        memcpy(b, i + 1 < count ? polygon->corner[i + 1] : start, sizeof b);
        const double from = half_plane_side(h, a), to = half_plane_side(h, b);
        if (from >= 0) {
            memcpy(polygon->corner[kept++], a, sizeof a);
        }
        if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
            for (int axis = 0; axis < 3; axis++) {
                polygon->corner[kept][axis] = a[axis] + (b[axis] - a[axis]) * (from / (from - to));
            }
            kept++;
        }
    }
    polygon->count = kept;
}

/* Cuts by the polygon or segment around points, seen along an axis. */
static void polygon_cut_by(cut_polygon *polygon, const double (*points)[3], int count, int drop)
{
    uint8_t outline[CORNERS];
    const int n = sli_hull_outline(points, count, drop, outline);
    const int u = (drop + 1) % 3, v = (drop + 2) % 3;
    for (int i = 0; i < n; i++) {
        const double *a = points[outline[i]], *b = points[outline[(i + 1) % n]];
        const double along_u = b[u] - a[u], along_v = b[v] - a[v];
        polygon_cut(polygon, &(half_plane){ a, u, v, -along_v, along_u });
        if (n == 2) {
            polygon_cut(polygon, &(half_plane){ a, u, v, along_u, along_v });
        }
    }
}

/* What of the mover is foremost, at t, as a convex polygon; seen along the axis. */
static SLI_NOINLINE void polygon_of_mover(const sli_sweep *sweep, const sli_number n[3], int sign,
                                          double t, int drop, cut_polygon *out)
{
    double own[CORNERS][3];
    uint8_t outline[CORNERS];
    const sli_mover *mover = &sweep->mover;
    const int count = mover->box != NULL ? foremost_of_box(mover->box, n, sign, own)
                                         : foremost_points(mover->hull->corner,
                                                           mover->hull->corners, n, sign, own);
    for (int i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            own[i][axis] += t * sweep->dir[axis];
        }
    }
    outline[0] = 0;
    const int around = sli_hull_outline((const double(*)[3])own, count, drop, outline);
    out->count = around > 1 ? around : 1;
    for (int i = 0; i < out->count; i++) {
        memcpy(out->corner[i], own[outline[i]], sizeof out->corner[i]);
    }
}

static bool are_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* What of a triangle is foremost: all of its corners that are. */
static uint32_t flags_of(const double (*corner)[3], int count)
{
    double n[3];
    bool is_point = true;
    for (int i = 1; i < count; i++) {
        is_point = is_point && are_equal(corner[i], corner[0]);
    }
    if (is_point) {
        return SL_HIT_EDGE | SL_HIT_VERTEX;
    }
    if (count == 3) {
        sli_triangle_normal(corner[0], corner[1], corner[2], n);
    }
    return count == 2 || (n[0] == 0 && n[1] == 0 && n[2] == 0) ? SL_HIT_EDGE : 0;
}

/* SL_HIT_BACK where the motion meets the back. */
static uint32_t side_of(const sli_sweep *sweep, const sli_body *target)
{
    static const double zero[3] = { 0, 0, 0 };
    sli_decision_stage stage;
    const double(*v)[3] = (const double(*)[3])target->point;
    const bool back =
        !target->box && sli_triple3d(zero, sweep->dir, v[0], v[1], v[0], v[2], &stage) > 0;
    return back ? SL_HIT_BACK : 0;
}

static void set_normal(const sli_number n[3], int sign, double normal[3])
{
    double wide[3];
    for (int axis = 0; axis < 3; axis++) {
        wide[axis] = n[axis].n == 0 ? 0 : sign * n[axis].value;
    }
    sli_norm_divide(wide, normal);
}

void sli_sweep_touch(const sli_sweep *sweep, const sli_body *target, const sli_number n[3],
                     int sign, sl_contact *out)
{
    cut_polygon polygon;
    double other[8][3];
    const int count = target->box ? foremost_of_box(target, n, sign, other)
                                  : foremost_points(target->point, 3, n, sign, other);
    out->flags = side_of(sweep, target);
    out->flags |= target->box ? 0 : flags_of((const double(*)[3])other, count);
    set_normal(n, sign, out->normal);
    memcpy(out->point, other[0], sizeof out->point);
    if (count == 1) {
        return;
    }
    int drop = 0;
    for (int axis = 1; axis < 3; axis++) {
        drop = fabs(out->normal[axis]) > fabs(out->normal[drop]) ? axis : drop;
    }
    polygon_of_mover(sweep, n, -sign, out->t, drop, &polygon);
    if (polygon.count > 1) {
        polygon_cut_by(&polygon, (const double(*)[3])other, count, drop);
    }
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0;
        for (int i = 0; i < polygon.count; i++) {
            sum += polygon.corner[i][axis] - polygon.corner[0][axis];
        }
        out->point[axis] = polygon.corner[0][axis] + sum / polygon.count + 0.0;
    }
}

/* Where a box has no limit, the other one counts, else 0. */
static double middle_of(double low, double high)
{
    return isfinite(low) && isfinite(high) ? low / 2 + high / 2
           : isfinite(low)                 ? low
           : isfinite(high)                ? high
                                           : 0;
}

void sli_sweep_overlap(const sli_sweep *sweep, const sli_body *target, const sli_number *n,
                       int sign, sl_contact *out)
{
    double middle[3];
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = middle_of(sweep->bounds.min[axis], sweep->bounds.max[axis]);
    }
    const double(*v)[3] = (const double(*)[3])target->point;
    memset(out->normal, 0, sizeof out->normal);
    if (n != NULL) {
        set_normal(n, sign, out->normal);
    } else if (!target->box) {
        sli_triangle_normal(v[0], v[1], v[2], out->normal);
        sli_norm_divide(out->normal, out->normal);
    }
    out->flags = side_of(sweep, target);
    if (!target->box) {
        sli_nearest_at(middle, v, out->point);
        return;
    }
    memcpy(out->point, target->point[0], sizeof out->point);
    for (int i = 0; i < 9; i++) {
        const double along = middle_of(target->low[i / 3], target->high[i / 3]);
        out->point[i % 3] += target->edge[i / 3][i % 3] * along;
    }
}
