/* The point of a ray that float filters measure from: differences to it are rounded, each by u of
 * itself, so that filters err by what they measure and not by the distance to the world's origin.
 *
 * It is the ray's own origin, exactly, unless that is so far outside of the tree that most of what
 * is measured would be the way there.  Then it is a point of the ray near the place where the ray
 * enters the tree's bounds, computed in doubles and rounded, and all t' count from there.  For the
 * plain kernel, single rays (filter/ray1.inl) and eight rays (filter/ray8.inl).
 * docs/notes/filters.md, "The base". */
#pragma once

#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <sightline/shapes.h>

#include <math.h>

/* An origin is far where the bounds reach farther from it than this many times their own longest
 * side. */
#define BASE_FAR 16.0f

/* Shares of the tree's size over the root of how many triangles it has: about the size of a
 * triangle of a surface.  A base that is off by more lets boxes grow by much of what is in them:
 * far from the world's origin, where the mesh is only some hundred steps of floats wide.  From the
 * first share on slots leave rays to the single walk; from the second on boxes are tested in
 * doubles, on the ray as it is (plain/box.inl), which takes several times as long as a box or
 * two more. */
#define BASE_WIDTH_MAX  0x1p-2f
#define BASE_COARSE_MIN 0x1p0f

typedef struct ray_base {
    float at[3];
    float error; /* how far `at` may be from the ray's point at shift, along each axis */
    float shift; /* t' of the base, before all hits; 0 for an origin that stays */
    float reach; /* the largest difference between `at` and a corner of the bounds, along an axis */
} ray_base;

/* As fmax, for numbers; if b is none, a. */
static inline double base_larger(double a, double b)
{
    return b > a ? b : a;
}

/* The longest side of the bounds. */
static inline double base_extent(const sl_aabb *bounds)
{
    double extent = 0;
    for (int axis = 0; axis < 3; axis++) {
        extent = base_larger(extent, (double)bounds->max[axis] - (double)bounds->min[axis]);
    }
    return extent;
}

/* The largest difference between a point and a corner of the bounds. */
static inline double base_reach(const sl_aabb *bounds, const double at[3])
{
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach = base_larger(reach, base_larger(fabs((double)bounds->min[axis] - at[axis]),
                                               fabs((double)bounds->max[axis] - at[axis])));
    }
    return reach;
}

/* By how much the base of a ray in a slot may be off, in all. */
static float base_width_max(const sl_bvh *tree)
{
    return BASE_WIDTH_MAX * (float)base_extent(&tree->bounds) / sqrtf((float)tree->triangle_count);
}

/* Whether a base is off by too much; one that is exact is not. */
static inline bool base_is_coarse(const sl_bvh *tree, const ray_base *base)
{
    const float most = BASE_COARSE_MIN / BASE_WIDTH_MAX * base_width_max(tree);
    return base->error > 0 && !(2 * base->error <= most);
}

/* Clips from .. to, in t', to the bounds, outward by three roundings and so 4 eps of each limit.
 * False: nothing is left.  A direction component of 0 is a containment test. */
static inline bool base_clip(const sl_aabb *bounds, const double origin[3], const double dir[3],
                             double *from, double *to)
{
    for (int axis = 0; axis < 3; axis++) {
        const double o = origin[axis], d = dir[axis];
        const double low = bounds->min[axis], high = bounds->max[axis];
        if (d == 0) {
            if (o < low || o > high) {
                return false;
            }
            continue;
        }
        const double entry = ((d < 0 ? high : low) - o) / d, leave = ((d < 0 ? low : high) - o) / d;
        *from = fmax(*from, entry - fabs(entry) * 0x1p-51);
        *to = fmin(*to, leave + fabs(leave) * 0x1p-51);
    }
    return *from <= *to;
}

/* A base near where a ray enters the bounds, for limits tmin .. tmax in t'; dir is scaled.  False:
 * the ray meets nothing. */
static SLI_NOINLINE bool base_moved(const sl_aabb *bounds, const double origin[3],
                                    const double dir[3], double tmin, double tmax, ray_base *out)
{
    double at[3], error = 0;
    if (!base_clip(bounds, origin, dir, &tmin, &tmax)) {
        return false;
    }
    const float shift = (float)tmin;
    out->shift = (double)shift > tmin ? nextafterf(shift, -INFINITY) : shift;
    for (int axis = 0; axis < 3; axis++) {
        /* Three roundings in doubles, that of a segment's direction among them, and one to float */
        const double step = (double)out->shift * dir[axis];
        out->at[axis] = (float)(origin[axis] + step);
        at[axis] = out->at[axis];
        error = fmax(error, fabs(at[axis]) * 0x1p-24 + (fabs(origin[axis]) + fabs(step)) * 0x1p-51);
    }
    out->error = (float)error * (1 + 0x1p-20f) + 0x1p-100f;
    out->reach = (float)base_reach(bounds, at) * (1 + 0x1p-20f);
    return true;
}
