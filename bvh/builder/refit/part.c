/* Clips by the planes of the old box, for whole.c and dirty.c: Sutherland and Hodgman, Reentrant
 * Polygon Clipping (1974), with the corners of the image carried along.
 *
 * Error    as in split/clip_reference.c.  Each corner of the polygon stands for a point of exact
 *          weights; the old corner is off from that point by less than 8 STEP M after 6 planes, the
 *          new one, made by the same t, from the moved point by less than 8 STEP M', where M and M'
 *          are the largest |coordinates| before and after.  Planes are pushed outward by 8 STEP M,
 *          so that no weights are lost; the box of the new corners is grown by 16 STEP M'. */
#include "bvh/builder/refit/part.h"

#define POLYGON_NUMBERS 6 /* old, new */
#include "bvh/builder/base/polygon.inl"

#include <math.h>
#include <stdbool.h>

enum { OLD = 0, NEW = 3 };

/* Shrinks the box to that of the image, grown. */
static void part_bound(const polygon *shape, double grow, sli_box *box)
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
        part_bound(&shape, GROW * reach[1], &box);
    }
    return box;
}
