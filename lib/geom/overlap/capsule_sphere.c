/* A capsule against a sphere: the distance of the centre from the segment against the sum of the
 * radii. */
#include "lib/base/fpenv.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/segment_distance.h"

static sli_tribool near(const sl_capsule *capsule, const sl_sphere *sphere, bool exact)
{
    sli_number p[3], q[3], centre[3], radii;
    sli_number_diff((double)capsule->radius, -(double)sphere->radius, exact, &radii);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set((double)capsule->p[axis], exact, &p[axis]);
        sli_number_set((double)capsule->q[axis], exact, &q[axis]);
        sli_number_set((double)sphere->centre[axis], exact, &centre[axis]);
    }
    return sli_point_near_segment(centre, p, q, &radii);
}

SLI_NOINLINE bool sli_capsule_sphere(const sl_capsule *capsule, const sl_sphere *sphere)
{
    if (!sl_capsule_is_valid(capsule) || !sl_sphere_is_valid(sphere)) {
        return false;
    }
    const sli_tribool answer = near(capsule, sphere, false);
    return (answer == SLI_UNSURE ? near(capsule, sphere, true) : answer) == SLI_YES;
}

bool sl_capsule_overlaps_sphere(const sl_capsule *capsule, const sl_sphere *sphere)
{
    return SLI_IN_FPENV(sli_capsule_sphere(capsule, sphere));
}
