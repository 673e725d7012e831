/* The closest point on a box: axis-aligned, solid or only its surface; or solid of any orientation.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.3 and 5.1.4. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/round_root.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

static float closest_box_clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

static float distance_between(const float a[3], const float b[3], bool exact, bool *unsure)
{
    sli_number d[3], square, one;
    sli_number_diff3(a, b, exact, d);
    sli_number_dot(d, d, &square);
    sli_number_set(1, exact, &one);
    return sli_round_root(&square, &one, unsure);
}

static SLI_NOINLINE void clamp_to_box(const sl_aabb *box, const float point[3], sl_closest *out)
{
    *out = (sl_closest){ .u = 0 };
    for (int axis = 0; axis < 3; axis++) {
        out->point[axis] = closest_box_clamp(point[axis], box->min[axis], box->max[axis]) + 0.0f;
    }
    bool unsure = false;
    out->distance = distance_between(point, out->point, false, &unsure);
    if (unsure) {
        out->distance = distance_between(point, out->point, true, &unsure);
    }
}

/* For a point inside; false if the box has no face. */
static SLI_NOINLINE bool nearest_face(const sl_aabb *box, const float point[3], sl_closest *out)
{
    int nearest = -1;
    double face = 0;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            const float bound = side == 0 ? box->min[axis] : box->max[axis];
            if (isinf(bound)) {
                continue;
            }
            /* |point - bound| against |point - face|, each as larger minus smaller */
            const double x = point[axis], high = side == 0 ? x : bound, low = side == 0 ? bound : x;
            const double other = nearest < 0 ? 0 : point[nearest];
            if (nearest < 0 ||
                sli_compare_products(high, low, 1, fmax(face, other), fmin(face, other), 1) < 0) {
                nearest = axis;
                face = bound;
            }
        }
    }
    if (nearest < 0) {
        return false;
    }
    out->point[nearest] = (float)face + 0.0f;
    out->distance = (float)fabs(point[nearest] - face); /* rounds once: see exact/shapes.c */
    return true;
}

bool sl_aabb_closest(const sl_aabb *box, const float point[3], sl_closest *out)
{
    if (sl_aabb_is_empty(box) || !sli_finite(point, 3)) {
        return false;
    }
    SLI_DO_IN_FPENV(clamp_to_box(box, point, out));
    return true;
}

bool sl_aabb_surface_closest(const sl_aabb *box, const float point[3], sl_closest *out)
{
    sl_closest nearest;
    if (!sl_aabb_closest(box, point, &nearest)) {
        return false;
    }
    const sl_aabb at = sl_aabb_from_corners(point, point);
    if (sli_aabb_contains_box(box, &at)) {
        const bool found = SLI_IN_FPENV(nearest_face(box, point, &nearest));
        if (!found) {
            return false;
        }
    }
    *out = nearest;
    return true;
}
