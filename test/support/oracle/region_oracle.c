#include "test/support/oracle/region_oracle.h"

#include "test/support/oracle/fraction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 16, NEAR_MAX = 300 };

static bool gave_up;

bool region_oracle_gave_up(void)
{
    const bool was = gave_up;
    gave_up = false;
    return was;
}

static double number(double x)
{
    return x > 0x1p127         ? 0x1p127
           : x < -0x1p127      ? -0x1p127
           : fabs(x) < 0x1p-90 ? rint(x * 0x1p149) * 0x1p-149
                               : x;
}

/* ---- In fractions ---- */

typedef struct point {
    fraction x, y;
} point;

static point point_of(const double at[2])
{
    return (point){ fraction_of(number(at[0])), fraction_of(number(at[1])) };
}

static fraction cross(point a, point b, point c)
{
    return fraction_sub(fraction_mul(fraction_sub(b.x, a.x), fraction_sub(c.y, a.y)),
                        fraction_mul(fraction_sub(b.y, a.y), fraction_sub(c.x, a.x)));
}

static fraction dot(point a, point b, point c)
{
    return fraction_add(fraction_mul(fraction_sub(b.x, a.x), fraction_sub(c.x, a.x)),
                        fraction_mul(fraction_sub(b.y, a.y), fraction_sub(c.y, a.y)));
}

static bool same(point a, point b)
{
    return fraction_compare(a.x, b.x) == 0 && fraction_compare(a.y, b.y) == 0;
}

static point between(point a, point b, fraction t)
{
    return (point){ fraction_add(a.x, fraction_mul(t, fraction_sub(b.x, a.x))),
                    fraction_add(a.y, fraction_mul(t, fraction_sub(b.y, a.y))) };
}

/* What of a convex outline has no negative value a x + b y + c. */
static int cut(const point *from, int count, fraction a, fraction b, fraction c, point *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const point p = from[i], q = from[(i + 1) % count];
        const fraction at =
            fraction_add(fraction_add(fraction_mul(a, p.x), fraction_mul(b, p.y)), c);
        const fraction next =
            fraction_add(fraction_add(fraction_mul(a, q.x), fraction_mul(b, q.y)), c);
        if (fraction_sign(at) >= 0) {
            out[kept++] = p;
        }
        if (fraction_sign(at) * fraction_sign(next) < 0) {
            out[kept++] = between(p, q, fraction_div(at, fraction_sub(at, next)));
        }
    }
    return kept;
}

static int cut_rectangle(const point *from, int count, point low, point high, point *out)
{
    const fraction one = fraction_of(1), none = fraction_of(0), minus = fraction_of(-1);
    point other[POINTS];
    int left = cut(from, count, one, none, fraction_mul(minus, low.x), out);
    left = cut(out, left, minus, none, high.x, other);
    left = cut(other, left, none, one, fraction_mul(minus, low.y), out);
    left = cut(out, left, none, minus, high.y, other);
    memcpy(out, other, (size_t)left * sizeof *out);
    return left;
}

/* Whether a convex figure and a segment have a point in common. */
static bool meets(const point *figure, int count, point p, point q)
{
    point out[POINTS], other[POINTS];
    if (same(p, q)) {
        return cut_rectangle(figure, count, p, p, out) > 0;
    }
    const fraction a = fraction_sub(p.y, q.y), b = fraction_sub(q.x, p.x);
    const fraction c =
        fraction_mul(fraction_of(-1), fraction_add(fraction_mul(a, p.x), fraction_mul(b, p.y)));
    const fraction minus = fraction_of(-1);
    int left = cut(figure, count, a, b, c, out);
    left = cut(out, left, fraction_mul(minus, a), fraction_mul(minus, b), fraction_mul(minus, c),
               other);
    bool before = false, behind = false; /* the segment's middle part is met, too, if both */
    for (int i = 0; i < left; i++) {
        const fraction along = dot(p, q, other[i]);
        const int from = fraction_sign(along), to = fraction_compare(along, dot(p, q, q));
        if (from >= 0 && to <= 0) {
            return true;
        }
        before |= from < 0;
        behind |= to > 0;
    }
    return before && behind;
}

/* ---- Polygons ---- */

/* What a polygon is to a figure.  Sides whose box meets that of the figure are near; of all others
 * those count that lie above points of the figure, one by one or, where they lie above all of it,
 * as one number. */
typedef struct polygon {
    point (*side)[2]; /* the near ones first */
    size_t near, count;
    bool odd;
} polygon;

/* All comparisons are exact: of numbers as they are. */
static void add_side(polygon *p, const double a[2], const double b[2], const double low[2],
                     const double high[2])
{
    const double x[2] = { number(a[0]), number(b[0]) }, y[2] = { number(a[1]), number(b[1]) };
    if (fmax(x[0], x[1]) < low[0] || fmin(x[0], x[1]) > high[0] || fmax(y[0], y[1]) < low[1]) {
        return;
    }
    const bool is_near = fmin(y[0], y[1]) <= high[1];
    if (!is_near && fmin(x[0], x[1]) <= low[0] && fmax(x[0], x[1]) > high[0]) {
        p->odd = !p->odd;
        return;
    }
    p->side[p->count][0] = point_of(a);
    p->side[p->count][1] = point_of(b);
    if (is_near) {
        point swap[2];
        memcpy(swap, p->side[p->count], sizeof swap);
        memcpy(p->side[p->count], p->side[p->near], sizeof swap);
        memcpy(p->side[p->near++], swap, sizeof swap);
    }
    p->count++;
}

static polygon polygon_of(const sl_region *region, const double (*at)[2], int count)
{
    polygon p = { .side = calloc(region->corner_count + 1, sizeof *p.side) };
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int i = 0; i < count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], number(at[i][axis]));
            high[axis] = fmax(high[axis], number(at[i][axis]));
        }
    }
    for (size_t i = 0; i < region->corner_count; i++) {
        const size_t next = (i + 1) % region->corner_count;
        add_side(&p, region->corners + 2 * i, region->corners + 2 * next, low, high);
    }
    return p;
}

static bool is_on(const polygon *p, point x)
{
    for (size_t i = 0; i < p->near; i++) {
        const int mark = fraction_mark();
        const bool found = meets(&x, 1, p->side[i][0], p->side[i][1]);
        fraction_release(mark);
        if (found) {
            return true;
        }
    }
    return false;
}

/* How many sides lie above a point: downwards a vertical line, the other way than the library. */
static bool is_odd(const polygon *p, point x)
{
    bool odd = p->odd;
    for (size_t i = 0; i < p->count; i++) {
        point a = p->side[i][0], b = p->side[i][1];
        const bool first = fraction_compare(a.x, x.x) > 0, second = fraction_compare(b.x, x.x) > 0;
        const int from = fraction_compare(a.y, x.y), to = fraction_compare(b.y, x.y);
        if (first != second && from > 0 && to > 0) {
            odd = !odd;
        } else if (first != second && (from >= 0 || to >= 0)) {
            const int mark = fraction_mark(), side = fraction_sign(cross(a, b, x));
            odd ^= first ? side > 0 : side < 0;
            fraction_release(mark);
        }
    }
    return odd;
}

static bool has(const polygon *p, point x)
{
    return is_on(p, x) || is_odd(p, x);
}

static int compare(const void *a, const void *b)
{
    return fraction_compare(*(const fraction *)a, *(const fraction *)b);
}

/* Adds where the line through c and d crosses the segment from a to b, as a fraction of the way:
 * and, where they are in line, where c and d are. */
static void add_places(point a, point b, point c, point d, fraction *out, size_t *count)
{
    const fraction at_c = cross(a, b, c), at_d = cross(a, b, d);
    if (fraction_sign(at_c) == 0 && fraction_sign(at_d) == 0) {
        out[(*count)++] = fraction_div(dot(a, b, c), dot(a, b, b));
        out[(*count)++] = fraction_div(dot(a, b, d), dot(a, b, b));
    } else if (fraction_compare(at_c, at_d) != 0) {
        const point x = between(c, d, fraction_div(at_c, fraction_sub(at_c, at_d)));
        out[(*count)++] = fraction_div(dot(a, b, x), dot(a, b, b));
    }
}

static bool holds_segment(const polygon *p, point a, point b)
{
    fraction *at = calloc(2 * p->near + 2, sizeof *at);
    size_t count = 0;
    at[count++] = fraction_of(0);
    at[count++] = fraction_of(1);
    for (size_t i = 0; i < p->near; i++) {
        add_places(a, b, p->side[i][0], p->side[i][1], at, &count);
    }
    qsort(at, count, sizeof *at, compare);
    bool held = true;
    for (size_t i = 0; i + 1 < count && held; i++) {
        const int mark = fraction_mark();
        const fraction middle = fraction_div(fraction_add(at[i], at[i + 1]), fraction_of(2));
        if (fraction_compare(at[i], at[i + 1]) < 0 && fraction_sign(at[i]) >= 0 &&
            fraction_compare(at[i + 1], fraction_of(1)) <= 0) {
            held = has(p, between(a, b, middle));
        }
        fraction_release(mark);
    }
    free(at);
    return held;
}

/* Where a vertical line crosses the segment from a to b; false: nowhere. */
static bool height(point a, point b, fraction x, fraction *y)
{
    if (fraction_compare(a.x, x) * fraction_compare(b.x, x) >= 0) {
        return false;
    }
    const fraction t = fraction_div(fraction_sub(x, a.x), fraction_sub(b.x, a.x));
    *y = between(a, b, t).y;
    return true;
}

/* A vertical line through the triangle: it is in the polygon between any two sides. */
static bool holds_line(const polygon *p, const point t[3], fraction x)
{
    fraction *at = calloc(p->near + 2, sizeof *at), ends[3];
    size_t count = 0, found = 0;
    for (int i = 0; i < 3; i++) {
        found += height(t[i], t[(i + 1) % 3], x, &ends[found]);
    }
    for (size_t i = 0; i < p->near; i++) {
        count += height(p->side[i][0], p->side[i][1], x, &at[count]);
    }
    at[count++] = ends[0];
    at[count++] = ends[1];
    qsort(at, count, sizeof *at, compare);
    const bool up = fraction_compare(ends[0], ends[1]) < 0;
    bool held = true;
    for (size_t i = 0; i + 1 < count && held; i++) {
        if (fraction_compare(at[i], at[i + 1]) < 0 && fraction_compare(at[i], ends[!up]) >= 0 &&
            fraction_compare(at[i + 1], ends[up]) <= 0) {
            const point middle = { x,
                                   fraction_div(fraction_add(at[i], at[i + 1]), fraction_of(2)) };
            held = is_odd(p, middle);
        }
    }
    free(at);
    return held;
}

/* Whether corners, the middles of sides, and some more points are in it: mostly that says no. */
static bool holds_some_points(const polygon *p, const point t[3])
{
    for (int i = 0; i < 21; i++) {
        const int mark = fraction_mark(), a = i % 6, b = i / 6 + (a > 3);
        const fraction share = fraction_div(fraction_of(a), fraction_of(5));
        const fraction other = fraction_div(fraction_of(b), fraction_of(3));
        const bool held = has(p, between(t[0], between(t[1], t[2], other), share));
        fraction_release(mark);
        if (!held) {
            return false;
        }
    }
    return true;
}

/* All x at which sides of the polygon or of the triangle end or cross; between them vertical lines
 * are all alike. */
static bool holds_triangle(const polygon *p, const point t[3])
{
    const size_t sides = p->near + 3;
    point(*side)[2] = calloc(sides, sizeof *side);
    fraction *at = calloc(2 * sides * sides + 2 * sides, sizeof *at);
    size_t count = 0;
    for (size_t i = 0; i < sides; i++) {
        for (size_t end = 0; end < 2; end++) {
            side[i][end] = i < p->near ? p->side[i][end] : t[(i - p->near + end) % 3];
            at[count++] = side[i][end].x;
        }
    }
    for (size_t i = 0; i < sides; i++) {
        for (size_t k = 0; k < i; k++) {
            fraction where[2];
            size_t found = 0;
            if (same(side[i][0], side[i][1])) {
                continue;
            }
            add_places(side[i][0], side[i][1], side[k][0], side[k][1], where, &found);
            for (size_t n = 0; n < found; n++) {
                at[count++] = between(side[i][0], side[i][1], where[n]).x;
            }
        }
    }
    qsort(at, count, sizeof *at, compare);
    fraction low = t[0].x, high = t[0].x;
    for (int i = 1; i < 3; i++) {
        low = fraction_compare(t[i].x, low) < 0 ? t[i].x : low;
        high = fraction_compare(t[i].x, high) > 0 ? t[i].x : high;
    }
    bool held = true;
    for (size_t i = 0; i + 1 < count && held; i++) {
        if (fraction_compare(at[i], at[i + 1]) < 0 && fraction_compare(at[i], low) >= 0 &&
            fraction_compare(at[i + 1], high) <= 0) {
            const int mark = fraction_mark();
            held = holds_line(p, t, fraction_div(fraction_add(at[i], at[i + 1]), fraction_of(2)));
            fraction_release(mark);
        }
    }
    free(at);
    free(side);
    return held;
}

static bool meets_side(const polygon *p, const point *figure, int count)
{
    bool found = false;
    for (size_t i = 0; i < p->near && !found; i++) {
        const int mark = fraction_mark();
        found = meets(figure, count, p->side[i][0], p->side[i][1]);
        fraction_release(mark);
    }
    return found;
}

static bool polygon_holds(const polygon *p, const point *figure, int count)
{
    if (!meets_side(p, figure, count)) {
        return is_odd(p, figure[0]);
    }
    if (count == 3 && fraction_sign(cross(figure[0], figure[1], figure[2])) != 0) {
        if (!holds_some_points(p, figure)) {
            return false;
        }
        gave_up = p->near > NEAR_MAX;
        return gave_up || holds_triangle(p, figure);
    }
    point a = figure[0], b = figure[0]; /* the two that are farthest apart */
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            if (fraction_compare(dot(figure[i], figure[k], figure[k]), dot(a, b, b)) > 0) {
                a = figure[i];
                b = figure[k];
            }
        }
    }
    return same(a, b) ? has(p, a) : holds_segment(p, a, b);
}

static bool polygon_touches(const polygon *p, const point *figure, int count)
{
    return meets_side(p, figure, count) || is_odd(p, figure[0]);
}

/* ---- Brushes ---- */

static fraction distance2(point x, point p, point q)
{
    const fraction along = dot(p, q, x), length = dot(p, q, q);
    if (fraction_sign(along) <= 0) {
        return dot(p, x, x);
    }
    if (fraction_compare(along, length) >= 0) {
        return dot(q, x, x);
    }
    return fraction_div(fraction_mul(cross(p, q, x), cross(p, q, x)), length);
}

static bool brush_touches(const sl_region *region, const point *figure, int count)
{
    const point p = point_of(region->p), q = point_of(region->q);
    const fraction r = fraction_of(number(region->radius)), square = fraction_mul(r, r);
    bool found = meets(figure, count, p, q);
    for (int i = 0; i < count && !found; i++) {
        const point a = figure[i], b = figure[(i + 1) % count];
        found = fraction_compare(distance2(a, p, q), square) <= 0 ||
                fraction_compare(distance2(p, a, b), square) <= 0 ||
                fraction_compare(distance2(q, a, b), square) <= 0;
    }
    return found;
}

static bool brush_holds(const sl_region *region, const point *figure, int count)
{
    const point p = point_of(region->p), q = point_of(region->q);
    const fraction r = fraction_of(number(region->radius)), square = fraction_mul(r, r);
    for (int i = 0; i < count; i++) {
        if (fraction_compare(distance2(figure[i], p, q), square) > 0) {
            return false;
        }
    }
    return true;
}

/* ---- Any region ---- */

static bool decide(const sl_region *region, const double (*at)[2], int count, bool inside)
{
    point figure[3];
    fraction_reset();
    for (int i = 0; i < count; i++) {
        figure[i] = point_of(at[i]);
    }
    if (region->kind == SL_REGION_BRUSH) {
        return inside ? brush_holds(region, figure, count) : brush_touches(region, figure, count);
    }
    if (region->kind == SL_REGION_LASSO) {
        polygon p = polygon_of(region, at, count);
        const bool found =
            region->corner_count > 0 &&
            (inside ? polygon_holds(&p, figure, count) : polygon_touches(&p, figure, count));
        free(p.side);
        return found;
    }
    point low = point_of(region->p), high = point_of(region->q), out[POINTS];
    for (int axis = 0; axis < 2; axis++) {
        fraction *a = axis == 0 ? &low.x : &low.y, *b = axis == 0 ? &high.x : &high.y;
        if (fraction_compare(*a, *b) > 0) {
            const fraction swap = *a;
            *a = *b;
            *b = swap;
        }
    }
    if (!inside) {
        return cut_rectangle(figure, count, low, high, out) > 0;
    }
    for (int i = 0; i < count; i++) {
        if (cut_rectangle(figure + i, 1, low, high, out) == 0) {
            return false;
        }
    }
    return true;
}

/* Whether the figure is beside the region's bounds: numbers are compared as they are. */
static bool is_far(const sl_region *region, const double (*at)[2], int count)
{
    for (int axis = 0; axis < 2; axis++) {
        double low = fmin(region->p[axis], region->q[axis]);
        double high = fmax(region->p[axis], region->q[axis]);
        if (region->kind == SL_REGION_BRUSH) {
            low -= region->radius + (fabs(low) + region->radius) * 0x1p-40;
            high += region->radius + (fabs(high) + region->radius) * 0x1p-40;
        }
        if (region->kind == SL_REGION_LASSO) {
            low = INFINITY;
            high = -INFINITY;
            for (size_t i = 0; i < region->corner_count; i++) {
                low = fmin(low, number(region->corners[2 * i + (size_t)axis]));
                high = fmax(high, number(region->corners[2 * i + (size_t)axis]));
            }
        }
        bool below = true, above = true;
        for (int i = 0; i < count; i++) {
            below = below && number(at[i][axis]) < number(low);
            above = above && number(at[i][axis]) > number(high);
        }
        if (below || above) {
            return true;
        }
    }
    return false;
}

bool region_oracle_touches(const sl_region *region, const double (*at)[2], int count)
{
    return !is_far(region, at, count) && decide(region, at, count, false);
}

bool region_oracle_holds(const sl_region *region, const double (*at)[2], int count)
{
    return !is_far(region, at, count) && decide(region, at, count, true);
}

/* ---- Figures ---- */

/* In clip space, by float matrices taken as doubles, each step rounded. */
static void clip_of(const sl_view *view, const double at[3], double out[4])
{
    const double from[3] = { at[0] - view->origin[0], at[1] - view->origin[1],
                             at[2] - view->origin[2] };
    double eye[4];
    for (int pass = 0; pass < 2; pass++) {
        const float *m = pass == 0 ? view->camera.view : view->camera.projection;
        double *to = pass == 0 ? eye : out;
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                const double x = pass == 1 ? eye[k] : k < 3 ? from[k] : 1;
                sum += (double)m[4 * k + row] * x;
            }
            to[row] = sum;
        }
    }
}

static double depth(const sl_view *view, const double clip[4], bool far)
{
    const sl_clip_space space = view->camera.clip;
    const double plane = far ? (space == SL_CLIP_SPACE_REVERSED ? 0 : 1)
                             : (space == SL_CLIP_SPACE_GL         ? -1
                                : space == SL_CLIP_SPACE_REVERSED ? 1
                                                                  : 0);
    const double d = far ? plane * clip[3] - clip[2] : clip[2] - plane * clip[3];
    return space == SL_CLIP_SPACE_REVERSED ? -d : d;
}

static int cut_depth(const sl_view *view, double (*from)[4], int count, bool far, double (*out)[4])
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const int next = (i + 1) % count;
        const double here = depth(view, from[i], far), there = depth(view, from[next], far);
        if (here >= 0) {
            memcpy(out[kept++], from[i], sizeof out[0]);
        }
        if ((here >= 0) != (there >= 0) && (count != 2 || i == 0)) {
            const double *a = here >= 0 ? from[i] : from[next];
            const double *b = here >= 0 ? from[next] : from[i];
            const double a_depth = here >= 0 ? here : there, b_depth = here >= 0 ? there : here;
            const double t = a_depth / (a_depth - b_depth);
            for (int k = 0; k < 4; k++) {
                out[kept][k] = a[k] + t * (b[k] - a[k]);
            }
            kept++;
        }
    }
    return kept;
}

static bool has_far_plane(const sl_view *view)
{
    sl_ray_d ray;
    const double middle[2] = { view->camera.width / 2.0, view->camera.height / 2.0 };
    return sl_view_ray(view, middle, &ray) && ray.tmax == 1;
}

bool region_oracle_selects(const sl_view *view, const sl_region *region, double (*points)[3],
                           int count, bool inside)
{
    double whole[8][4], front[8][4], at[8][2];
    for (int i = 0; i < count; i++) {
        clip_of(view, points[i], whole[i]);
        if (inside && (depth(view, whole[i], false) < 0 ||
                       (has_far_plane(view) && depth(view, whole[i], true) < 0))) {
            return false;
        }
    }
    int left = cut_depth(view, whole, count, false, front);
    if (has_far_plane(view)) {
        left = cut_depth(view, front, left, true, whole);
    } else {
        memcpy(whole, front, sizeof whole);
    }
    for (int i = 0; i < left; i++) {
        const double *c = whole[i];
        const double up = view->camera.clip == SL_CLIP_SPACE_VULKAN ? -1 : 1;
        at[i][0] = (c[0] / c[3] + 1) / 2 * view->camera.width;
        at[i][1] = (1 - c[1] / c[3] * up) / 2 * view->camera.height;
        if (!(c[3] > 0) || !isfinite(at[i][0]) || !isfinite(at[i][1])) {
            return false;
        }
    }
    if (left == 0) {
        return false;
    }
    if (inside) {
        return region_oracle_holds(region, (const double(*)[2])at, left);
    }
    if (left <= 3) {
        return region_oracle_touches(region, (const double(*)[2])at, left);
    }
    for (int i = 1; i + 1 < left; i++) {
        const double part[3][2] = { { at[0][0], at[0][1] },
                                    { at[i][0], at[i][1] },
                                    { at[i + 1][0], at[i + 1][1] } };
        if (region_oracle_touches(region, part, 3)) {
            return true;
        }
    }
    return false;
}
