/* base/polygon.inl: convex polygons in doubles, clipped at planes along the axes: Sutherland and
 * Hodgman, Reentrant Polygon Clipping (1974).  For references that are cut
 * (split/clip_reference.c), which says what a clip is off by, and for their images where the mesh
 * has moved (refit/part.c).
 *
 * POLYGON_NUMBERS, to be defined before, is how many numbers a corner has: the first three are its
 * coordinates; more are carried along. */
#include <math.h>
#include <stdbool.h>

#ifndef POLYGON_NUMBERS
#define POLYGON_NUMBERS 3
#endif

/* With M the largest |coordinate|: a corner is off by less than 8 STEP M after seven planes. */
#define STEP 0x1p-49
#define PUSH (8 * STEP)
#define GROW (16 * STEP)

/* One more for each plane, unless rounding has left runs of one corner each: then half as many
 * again.  3, 4, 6, 9, 13, 19, 28, 42. */
enum { CORNERS_MAX = 42 };

typedef struct polygon {
    int count;
    double corner[CORNERS_MAX][POLYGON_NUMBERS];
} polygon;

static inline void add_corner(polygon *shape, const double corner[POLYGON_NUMBERS])
{
    for (int k = 0; k < POLYGON_NUMBERS; k++) {
        shape->corner[shape->count][k] = corner[k];
    }
    shape->count++;
}

/* The corner between a and b where sign * coordinate is the limit. */
static inline void add_crossing(polygon *shape, const double a[POLYGON_NUMBERS],
                                const double b[POLYGON_NUMBERS], int axis, double sign,
                                double limit)
{
    const double share = (sign * a[axis] - limit) / (sign * (a[axis] - b[axis]));
    const double t = share < 1 ? share : 1;
    double crossing[POLYGON_NUMBERS];
    for (int k = 0; k < POLYGON_NUMBERS; k++) {
        crossing[k] = k == axis ? sign * limit : a[k] + t * (b[k] - a[k]);
    }
    add_corner(shape, crossing);
}

static inline bool is_within(const polygon *shape, int axis, double sign, double limit)
{
    for (int i = 0; i < shape->count; i++) {
        if (sign * shape->corner[i][axis] > limit) {
            return false;
        }
    }
    return true;
}

/* The part of the shape where sign * coordinate <= limit. */
static inline void clip(const polygon *shape, int axis, double sign, double limit, polygon *out)
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

static inline float round_down(double x)
{
    const float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static inline float round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}
