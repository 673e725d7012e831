/* Clips by the planes of the old box, for whole.c and dirty.c: Sutherland and Hodgman, Reentrant
 * Polygon Clipping (1974), with the corners of the image carried along.
 *
 * Error    as in split/clip_reference.c.  Each corner of the polygon stands for a point of exact
 *          weights; the old corner is off from that point by less than 8 STEP M after 6 planes, the
 *          new one, made by the same t, from the moved point by less than 8 STEP M', where M and M'
 *          are the largest |coordinates| before and after.  Planes are pushed outward by 8 STEP M,
 *          so that no weights are lost; the box of the new corners is grown by 16 STEP M'. */
#include "bvh/builder/refit/part.h"

#include <math.h>
#include <stdbool.h>

#define STEP 0x1p-49
#define PUSH (8 * STEP)
#define GROW (16 * STEP)

/* As there: one more for each plane, unless rounding has left runs of one corner each. */
enum { CORNERS_MAX = 42, OLD = 0, NEW = 3 };

typedef struct polygon {
    int count;
    double corner[CORNERS_MAX][6]; /* old, new */
} polygon;

static void add_corner(polygon *shape, const double corner[6])
{
    for (int k = 0; k < 6; k++) {
        shape->corner[shape->count][k] = corner[k];
    }
    shape->count++;
}

static void add_crossing(polygon *shape, const double a[6], const double b[6], int axis,
                         double sign, double limit)
{
    const double t = fmin((sign * a[axis] - limit) / (sign * (a[axis] - b[axis])), 1);
    double crossing[6];
    for (int k = 0; k < 6; k++) {
        crossing[k] = k == axis ? sign * limit : a[k] + t * (b[k] - a[k]);
    }
    add_corner(shape, crossing);
}

static bool is_within(const polygon *shape, int axis, double sign, double limit)
{
    for (int i = 0; i < shape->count; i++) {
        if (sign * shape->corner[i][axis] > limit) {
            return false;
        }
    }
    return true;
}

static void clip(const polygon *shape, int axis, double sign, double limit, polygon *out)
{
    out->count = 0;
    for (int i = 0; i < shape->count; i++) {
        const double *a = shape->corner[i];
        const double *b = shape->corner[i + 1 < shape->count ? i + 1 : 0];
        const double from = sign * a[axis], to = sign * b[axis];
        if (from <= limit) {
            add_corner(out, a);
        }
        if ((from < limit && to > limit) || (from > limit && to < limit)) {
            add_crossing(out, a, b, axis, sign, limit);
        }
    }
}

static float round_down(double x)
{
    const float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

/* Shrinks the box to that of the image, grown. */
static void bound(const polygon *shape, double grow, sli_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < shape->count; i++) {
            low = fmin(low, shape->corner[i][NEW + axis]);
            high = fmax(high, shape->corner[i][NEW + axis]);
        }
        const float min = round_down(low - grow), max = round_up(high + grow);
        box->min[axis] = min > box->min[axis] ? min : box->min[axis];
        box->max[axis] = max < box->max[axis] ? max : box->max[axis];
    }
}

sli_box sli_part_moved(const sli_lanes from[3], const sli_box *old, const sli_lanes to[3])
{
    polygon shape = { .count = 0 }, before;
    double reach[2] = { 0, 0 };
    sli_box box = { sli_lanes_min(sli_lanes_min(to[0], to[1]), to[2]),
                    sli_lanes_max(sli_lanes_max(to[0], to[1]), to[2]) };
    for (int i = 0; i < 3; i++) {
        double corner[6];
        for (int axis = 0; axis < 3; axis++) {
            corner[OLD + axis] = (double)from[i][axis];
            corner[NEW + axis] = (double)to[i][axis];
            reach[0] = fmax(reach[0], fabs(corner[OLD + axis]));
            reach[1] = fmax(reach[1], fabs(corner[NEW + axis]));
        }
        add_corner(&shape, corner);
    }
    bool clipped = false;
    for (int k = 0; k < 6; k++) {
        const int axis = k >> 1;
        const double sign = (k & 1) != 0 ? 1 : -1;
        const double face = (k & 1) != 0 ? (double)old->max[axis] : -(double)old->min[axis];
        if (!is_within(&shape, axis, sign, face)) {
            before = shape;
            clip(&before, axis, sign, face + PUSH * reach[0], &shape);
            clipped = true;
        }
    }
    if (clipped && shape.count > 0) { /* nothing is left only in a forged tree */
        bound(&shape, GROW * reach[1], &box);
    }
    return box;
}
