/* Separating axes with a body that moves: which there are, and what doubles say about them.
 *
 * Both bodies are seen from a point of the mover, so that far away nothing is lost but what the
 * target's place is rounded by.  Let EPS = 2^-53.  A coordinate seen from there, or an edge, is off
 * by EPS of itself; one of the axis, a difference of two products of edges, by less than 5 EPS of
 * size, the sum of both; a term n_k x_k by 8 EPS of size_k |x_k|, with the sums, and the limits of
 * a box, by 14 EPS; the difference of two extents so by less than 15 EPS of the sum of size_k
 * reach_k.  32 also covers that sum's own rounding, and that of what is compared with it.  Nothing
 * underflows: an axis is of degree 2, a difference of extents of degree 4 (support.h). */
#include "lib/geom/convex/axes.h"

#include "lib/base/inline.h"

#include <string.h>

#define EPS 0x1p-53

static const double zero[3] = { 0, 0, 0 };
static const double unit[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

/* A finite value of two limits, of which the lower one is preferred. */
static double axes_finite(double low, double high)
{
    return isfinite(low) ? low : isfinite(high) ? high : 0;
}

/* A box seen from a point of it.  The edges of an axis-aligned one are units, and it is seen from a
 * corner. */
static void see_box(const sli_body *box, double reference[3], double low[3], double high[3])
{
    bool aligned = true;
    for (int i = 0; i < 9; i++) {
        aligned =
            aligned && box->edge[i / 3][i % 3] == unit[i / 3][i % 3] && box->point[0][i % 3] == 0;
    }
    for (int i = 0; i < 3; i++) {
        const double from = aligned ? axes_finite(box->low[i], box->high[i]) : 0;
        reference[i] = aligned ? from : box->point[0][i];
        low[i] = box->low[i] - from;
        high[i] = box->high[i] - from;
    }
}

/* At least how far the points of a box are from its reference. */
static double box_reach(const sli_body *box, const double low[3], const double high[3], int axis)
{
    double reach = 0;
    for (int i = 0; i < 3; i++) {
        const double most = fmax(fabs(low[i]), fabs(high[i]));
        reach += most > 0 ? fabs(box->edge[i][axis]) * most : 0;
    }
    return reach;
}

static SLI_NOINLINE bool edges_span_space(const sli_body *box)
{
    sli_number edge[3], n[3], other[3], det;
    for (int i = 0; i < 3; i++) {
        sli_number_set(box->edge[0][i], true, &edge[i]);
        sli_number_set(box->edge[1][i], true, &other[i]);
    }
    sli_number_cross(edge, other, n);
    sli_dot_point(n, box->edge[2], &det);
    return det.n > 0;
}

static bool box_is_solid(const sli_body *box)
{
    double det = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = box->edge[0], *b = box->edge[1];
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double left = a[j] * b[k], right = a[k] * b[j];
        det += (left - right) * box->edge[2][i];
        size += (fabs(left) + fabs(right)) * fabs(box->edge[2][i]);
    }
    return box->low[0] < box->high[0] && box->low[1] < box->high[1] && box->low[2] < box->high[2] &&
           (fabs(det) > 32 * EPS * size || edges_span_space(box));
}

void sli_mover_make(const sli_body *box, const sli_hull *hull, sli_mover *out)
{
    out->box = box;
    out->hull = hull;
    if (box != NULL) {
        see_box(box, out->reference, out->low, out->high);
        out->solid = box_is_solid(box);
    } else {
        memcpy(out->reference, hull->corner[0], sizeof out->reference);
        out->solid = hull->rank == 3;
    }
    for (int axis = 0; axis < 3; axis++) {
        out->reach[axis] = box != NULL ? box_reach(box, out->low, out->high, axis) : 0;
        for (int i = 0; i < (box != NULL ? 0 : hull->corners); i++) {
            out->reach[axis] =
                fmax(out->reach[axis], fabs(hull->corner[i][axis] - out->reference[axis]));
        }
    }
}

void sli_axes_make(const sli_mover *mover, const double dir[3], const sli_body *target,
                   sli_axes *out)
{
    double from[3];
    out->mover = mover;
    out->target = target;
    out->dir = dir;
    out->normals = target->box ? 3 : 1;
    out->faces = mover->box != NULL ? 3 : mover->hull->planes;
    const int edges = mover->box != NULL ? 3 : mover->hull->edges;
    out->edges = 3 * edges;
    out->count = out->normals + out->faces + out->edges + (mover->solid ? 0 : 12 + 3 * edges);
    if (target->box) {
        see_box(target, from, out->low, out->high);
    }
    for (int axis = 0; axis < 3; axis++) {
        double reach = 0;
        for (int i = 0; i < (target->box ? 1 : 3); i++) {
            const double x = target->box ? from[axis] : target->point[i][axis];
            out->corner[i][axis] = x - mover->reference[axis];
            reach = fmax(reach, fabs(out->corner[i][axis]));
        }
        reach += target->box ? box_reach(target, out->low, out->high, axis) : 0;
        out->reach[axis] = reach + mover->reach[axis];
    }
}

static sli_direction target_edge(const sli_axes *axes, int i)
{
    const sli_body *target = axes->target;
    return target->box ? (sli_direction){ target->edge[i], zero }
                       : (sli_direction){ target->point[(i + 1) % 3], target->point[i] };
}

static sli_direction mover_edge(const sli_axes *axes, int i)
{
    const sli_mover *mover = axes->mover;
    if (mover->box != NULL) {
        return (sli_direction){ mover->box->edge[i], zero };
    }
    const uint8_t *edge = mover->hull->edge[i];
    return (sli_direction){ mover->hull->corner[edge[1]], mover->hull->corner[edge[0]] };
}

static void pick_edge(const sli_axes *axes, int edge, sli_direction w, sli_axis_pick *out)
{
    out->u = mover_edge(axes, edge);
    out->w = w;
    if (axes->mover->hull != NULL) {
        const uint8_t *ends = axes->mover->hull->edge[edge];
        out->at = axes->mover->hull->corner[ends[0]];
        out->third[0] = axes->mover->hull->corner[ends[2]];
        out->third[1] = axes->mover->hull->corner[ends[3]];
    }
}

static void pick_face(const sli_axes *axes, int face, sli_axis_pick *out)
{
    if (axes->mover->box != NULL) {
        out->u = mover_edge(axes, (face + 1) % 3);
        out->w = mover_edge(axes, (face + 2) % 3);
        return;
    }
    const sli_hull *hull = axes->mover->hull;
    const uint8_t *f = hull->face[face];
    out->at = hull->corner[f[0]];
    out->u = (sli_direction){ hull->corner[f[1]], out->at };
    out->w = (sli_direction){ hull->corner[f[2]], out->at };
}

void sli_axes_find(const sli_axes *axes, int axis, sli_axis_pick *out)
{
    out->at = out->third[0] = out->third[1] = NULL;
    if (axis < axes->normals) {
        out->u = target_edge(axes, (axis + 1) % 3);
        out->w = target_edge(axes, (axis + 2) % 3);
        return;
    }
    axis -= axes->normals;
    if (axis < axes->faces) {
        pick_face(axes, axis, out);
        return;
    }
    axis -= axes->faces;
    if (axis < axes->edges) {
        pick_edge(axes, axis / 3, target_edge(axes, axis % 3), out);
        return;
    }
    axis -= axes->edges;
    if (axis < 3) {
        out->u = (sli_direction){ unit[axis], zero };
        out->w = (sli_direction){ unit[(axis + 1) % 3], zero };
    } else if (axis < 12) {
        out->u = target_edge(axes, axis / 3 - 1);
        out->w = (sli_direction){ unit[axis % 3], zero };
    } else {
        pick_edge(axes, axis / 3 - 4, (sli_direction){ unit[axis % 3], zero }, out);
    }
}

/* ---- In doubles ---- */

static SLI_FORCE_INLINE void box_extent(const double n[3], const double edge[3][3],
                                        const double from[3], const double to[3], double *low,
                                        double *high)
{
    for (int i = 0; i < 3; i++) {
        const double slope = sli_dot(n, edge[i]);
        const double first = slope * from[i], last = slope * to[i];
        *low += first < last ? first : last;
        *high += first < last ? last : first;
    }
}

void sli_hull_extent(const sli_mover *mover, const double n[3], double *low, double *high)
{
    for (int i = 0; i < mover->hull->corners; i++) {
        double x[3];
        sli_subtract(mover->hull->corner[i], mover->reference, x);
        const double at = sli_dot(n, x);
        *low = at < *low ? at : *low;
        *high = at > *high ? at : *high;
    }
}

static SLI_FORCE_INLINE void target_extent(const sli_axes *axes, const double n[3], double *low,
                                           double *high)
{
    *low = *high = sli_dot(n, axes->corner[0]);
    if (axes->target->box) {
        box_extent(n, axes->target->edge, axes->low, axes->high, low, high);
        return;
    }
    for (int i = 1; i < 3; i++) {
        const double x = sli_dot(n, axes->corner[i]);
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

/* The limits of a quotient, moved outwards by more than what it is rounded by, or underflows. */
static SLI_FORCE_INLINE double below(double q)
{
    return q - (fabs(q) * 0x1p-50 + 0x1p-900);
}

static SLI_FORCE_INLINE double above(double q)
{
    return q + (fabs(q) * 0x1p-50 + 0x1p-900);
}

/* ahead and behind are within error, speed within speed_error. */
static SLI_FORCE_INLINE void gauge_axis(double ahead, double behind, double error, double speed,
                                        double speed_error, sli_gauge *out)
{
    const double b = speed < 0 ? -behind : ahead, a = speed < 0 ? -ahead : behind;
    const double s = fabs(speed), most = s + speed_error, least = s - speed_error;
    out->apart = out->doubtful = false;
    out->entry_low = out->exit_low = -INFINITY;
    out->entry_high = out->exit_high = INFINITY;
    if (!(error < INFINITY)) {
        out->doubtful = true;
    } else if (least > 0) {
        const double by_most = 1 / most, by_least = 1 / least;
        const double b0 = b - error, b1 = b + error, a0 = a - error, a1 = a + error;
        out->apart = b0 > most || a1 < 0;
        if (b > -INFINITY) {
            out->entry_low = below(b0 * (b0 >= 0 ? by_most : by_least));
            out->entry_high = above(b1 * (b1 >= 0 ? by_least : by_most));
        } else {
            out->entry_high = -INFINITY;
        }
        if (a < INFINITY) {
            out->exit_low = below(a0 * (a0 >= 0 ? by_most : by_least));
            out->exit_high = above(a1 * (a1 >= 0 ? by_least : by_most));
        } else {
            out->exit_low = INFINITY;
        }
    } else {
        const double inside = fmin(-b, a) - error;
        out->apart = b - error > most || -a - error > most;
        out->doubtful = !(inside > 0);
        if (inside > 0) {
            out->exit_low = most > 0 ? below(inside / most) : INFINITY;
            out->entry_high = -out->exit_low;
        }
    }
}

/* The axis, and the sizes of the products that it is made of.  False: it is zero. */
static SLI_FORCE_INLINE bool filter_axis(const sli_axis_pick *pick, double n[3], double size[3])
{
    double u[3], w[3];
    bool some = false;
    sli_subtract(pick->u.head, pick->u.tail, u);
    sli_subtract(pick->w.head, pick->w.tail, w);
    for (int axis = 0; axis < 3; axis++) {
        const int y = (axis + 1) % 3, z = (axis + 2) % 3;
        const double left = u[y] * w[z], right = u[z] * w[y];
        n[axis] = left - right;
        size[axis] = fabs(left) + fabs(right);
        some = some || fabs(n[axis]) > 8 * EPS * size[axis];
    }
    if (some) {
        return true;
    }
    return (size[0] > 0 || size[1] > 0 || size[2] > 0) && sli_axis_is_some(pick);
}

/* The sign for which the axis is outwards, 0 if both or none may be, 2 if surely none. */
static int filter_side(const sli_axis_pick *pick, const double n[3], double error)
{
    double x[2];
    for (int i = 0; i < 2; i++) {
        double across[3];
        sli_subtract(pick->third[i], pick->at, across);
        x[i] = sli_dot(n, across);
    }
    if (x[0] < -error && x[1] < -error) {
        return 1;
    }
    if (x[0] > error && x[1] > error) {
        return -1;
    }
    return (x[0] < -error && x[1] > error) || (x[0] > error && x[1] < -error) ? 2 : 0;
}

bool sli_axes_gauge(const sli_axes *axes, int axis, sli_gauge *out)
{
    const sli_mover *mover = axes->mover;
    sli_axis_pick pick;
    double n[3], size[3], low = 0, high = 0, from, to;
    sli_axes_find(axes, axis, &pick);
    if (!filter_axis(&pick, n, size)) {
        return false;
    }
    const double error = 32 * EPS * sli_dot(size, axes->reach);
    int side = 0;
    if (pick.at != NULL) {
        side = pick.third[0] != NULL ? filter_side(&pick, n, error) : 1;
        if (side == 2) {
            return false;
        }
    }
    if (side != 0) {
        double x[3];
        sli_subtract(pick.at, mover->reference, x);
        low = high = sli_dot(n, x);
    } else if (mover->box != NULL) {
        box_extent(n, mover->box->edge, mover->low, mover->high, &low, &high);
    } else {
        sli_hull_extent(mover, n, &low, &high);
    }
    target_extent(axes, n, &from, &to);
    double speed_error = 0;
    for (int i = 0; i < 3; i++) {
        speed_error += size[i] * fabs(axes->dir[i]);
    }
    gauge_axis(side < 0 ? -INFINITY : from - high, side > 0 ? INFINITY : to - low, error,
               sli_dot(n, axes->dir), 16 * EPS * speed_error, out);
    return true;
}
