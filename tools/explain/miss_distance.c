/* explain/miss_distance.c: the least distance of a ray to a triangle that it misses, in doubles,
 * for explain. */
#include "tools/explain/explain.h"

#include <math.h>

static double miss_distance_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void miss_distance_cross(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        out[axis] = a[i] * b[j] - a[j] * b[i];
    }
}

static double miss_distance_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* A stretch of a line. */
typedef struct stretch {
    double origin[3], dir[3];
    double low, high;
} stretch;

/* Between a stretch and a segment from a along e: Ericson, Real-Time Collision Detection (2005),
 * 5.1.9, with limits that may be infinite. */
static double segment_distance(const stretch *s, const double a[3], const double e[3])
{
    double from_a[3];
    for (int axis = 0; axis < 3; axis++) {
        from_a[axis] = s->origin[axis] - a[axis];
    }
    const double dd = miss_distance_dot(s->dir, s->dir), ee = miss_distance_dot(e, e);
    const double de = miss_distance_dot(s->dir, e);
    const double da = miss_distance_dot(s->dir, from_a);
    const double ea = miss_distance_dot(e, from_a);
    const double determinant = dd * ee - de * de;
    double t = miss_distance_clamp(determinant > 0 ? (de * ea - da * ee) / determinant : 0, s->low,
                                   s->high);
    double r = ee > 0 ? (de * t + ea) / ee : 0;
    if (r < 0 || r > 1) {
        r = miss_distance_clamp(r, 0, 1);
        t = miss_distance_clamp((de * r - da) / dd, s->low, s->high);
    }
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double apart = from_a[axis] + t * s->dir[axis] - r * e[axis];
        square += apart * apart;
    }
    return sqrt(square);
}

/* From an end of the stretch straight down to the inside of the triangle; infinite where that
 * point is outside: an edge is nearer then. */
static double end_distance(const stretch *s, double t, double corners[3][3])
{
    double e1[3], e2[3], at[3], normal[3], across[3];
    for (int axis = 0; axis < 3; axis++) {
        e1[axis] = corners[1][axis] - corners[0][axis];
        e2[axis] = corners[2][axis] - corners[0][axis];
        at[axis] = s->origin[axis] + t * s->dir[axis] - corners[0][axis];
    }
    miss_distance_cross(e1, e2, normal);
    const double square = miss_distance_dot(normal, normal);
    miss_distance_cross(at, e2, across);
    const double u = miss_distance_dot(across, normal) / square;
    miss_distance_cross(e1, at, across);
    const double v = miss_distance_dot(across, normal) / square;
    const bool inside = square > 0 && u >= 0 && v >= 0 && u + v <= 1;
    return inside ? fabs(miss_distance_dot(at, normal)) / sqrt(square) : INFINITY;
}

double explain_miss_distance(const double origin[3], const double dir[3], double tmin, double tmax,
                             const sl_triangle_d *triangle)
{
    stretch s = { .low = tmin, .high = tmax };
    double corners[3][3];
    for (int axis = 0; axis < 3; axis++) {
        s.origin[axis] = origin[axis];
        s.dir[axis] = dir[axis];
        for (int i = 0; i < 3; i++) {
            corners[i][axis] = triangle->v[i][axis];
        }
    }
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double edge[3];
        for (int axis = 0; axis < 3; axis++) {
            edge[axis] = corners[(i + 1) % 3][axis] - corners[i][axis];
        }
        least = fmin(least, segment_distance(&s, corners[i], edge));
    }
    for (int i = 0; i < 2; i++) {
        const double t = i == 0 ? tmin : tmax;
        if (isfinite(t)) {
            least = fmin(least, end_distance(&s, t, corners));
        }
    }
    return least;
}
