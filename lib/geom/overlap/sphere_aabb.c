/* A sphere against an axis-aligned box, and against another sphere: distances against radii.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.2.5 and 4.3.1. */
#include "lib/base/inline.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"

/* The distance from the nearest point of the box to the centre, against the radius. */
static sli_tribool reaches_box(const sl_sphere *sphere, const sl_aabb *box, bool exact)
{
    sli_number offset[3], radius;
    sli_number_set((double)sphere->radius, exact, &radius);
    for (int axis = 0; axis < 3; axis++) {
        const double c = (double)sphere->centre[axis];
        const double low = (double)box->min[axis], high = (double)box->max[axis];
        sli_number_diff(c, c < low ? low : c > high ? high : c, exact, &offset[axis]);
    }
    return sli_is_length_at_most(3, offset, 1, &radius);
}

SLI_NOINLINE bool sli_sphere_aabb(const sl_sphere *sphere, const sl_aabb *box)
{
    if (!sli_sphere_is_valid(sphere) || sl_aabb_is_empty(box)) {
        return false;
    }
    const sli_tribool answer = reaches_box(sphere, box, false);
    return (answer == SLI_UNSURE ? reaches_box(sphere, box, true) : answer) == SLI_YES;
}

/* The distance of the centres against the sum of the radii. */
static sli_tribool reach_each_other(const sl_sphere *a, const sl_sphere *b, bool exact)
{
    sli_number offset[3], radii;
    sli_number_diff((double)a->radius, -(double)b->radius, exact, &radii);
    sli_number_diff3(a->centre, b->centre, exact, offset);
    return sli_is_length_at_most(3, offset, 1, &radii);
}

SLI_NOINLINE bool sli_sphere_sphere(const sl_sphere *a, const sl_sphere *b)
{
    if (!sli_sphere_is_valid(a) || !sli_sphere_is_valid(b)) {
        return false;
    }
    const sli_tribool answer = reach_each_other(a, b, false);
    return (answer == SLI_UNSURE ? reach_each_other(a, b, true) : answer) == SLI_YES;
}
