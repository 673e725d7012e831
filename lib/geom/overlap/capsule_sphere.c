/* A capsule against a sphere: the distance of the centre from the segment against the sum of the
 * radii. */
#include "lib/base/inline.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/segment_distance.h"

static sli_tribool capsule_sphere_near(const sl_capsule *capsule, const sl_sphere *sphere,
                                       bool exact)
{
    sli_number p[3], q[3], centre[3], radii;
    sli_number_diff((double)capsule->radius, -(double)sphere->radius, exact, &radii);
    sli_number_set3(capsule->p, exact, p);
    sli_number_set3(capsule->q, exact, q);
    sli_number_set3(sphere->centre, exact, centre);
    return sli_point_near_segment(centre, p, q, &radii);
}

SLI_NOINLINE bool sli_capsule_sphere(const sl_capsule *capsule, const sl_sphere *sphere)
{
    if (!sli_capsule_is_valid(capsule) || !sli_sphere_is_valid(sphere)) {
        return false;
    }
    const sli_tribool answer = capsule_sphere_near(capsule, sphere, false);
    return (answer == SLI_UNSURE ? capsule_sphere_near(capsule, sphere, true) : answer) == SLI_YES;
}
