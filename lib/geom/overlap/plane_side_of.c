/* On which side of a plane a box or a sphere lies: its extent along the normal against the offset.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.2.2 and 5.2.3. */
#include "lib/base/inline.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/overlap/frustum.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/support.h"

/* -1, 0 or 1; sets *unsure if doubles do not decide. */
static int side_of_body(const sl_plane *plane, const sli_body *body, bool exact, bool *unsure)
{
    sli_half_space h;
    sli_support support;
    sli_extent extent;
    sli_half_space_make(plane, exact, &h);
    sli_support_make(body, exact, &support);
    sli_support_extent(&support, h.normal, &extent);
    const sli_tribool above = sli_extent_above(&extent, &h.offset);
    const sli_tribool below = sli_extent_below(&extent, &h.offset);
    *unsure = above == SLI_UNSURE || below == SLI_UNSURE;
    return above == SLI_YES ? 1 : below == SLI_YES ? -1 : 0;
}

static int body_side(const sl_plane *plane, const sli_body *body)
{
    bool unsure;
    const int side = side_of_body(plane, body, false, &unsure);
    return unsure ? side_of_body(plane, body, true, &unsure) : side;
}

/* The height of the centre above the plane, times |n|, against r |n|. */
static int side_of_sphere(const sl_plane *plane, const sl_sphere *sphere, bool exact, bool *unsure)
{
    sli_half_space h;
    sli_number centre[3], radius, height;
    sli_half_space_make(plane, exact, &h);
    sli_number_set((double)sphere->radius, exact, &radius);
    sli_number_set3(sphere->centre, exact, centre);
    sli_number_dot(h.normal, centre, &height);
    sli_number_sub(&height, &h.offset, &height);
    const sli_tribool met = sli_is_length_within(1, &height, &radius, h.normal);
    *unsure = met == SLI_UNSURE;
    return met == SLI_YES ? 0 : sli_number_sign(&height, unsure);
}

SLI_NOINLINE int sli_plane_aabb(const sl_plane *plane, const sl_aabb *box)
{
    sli_body body;
    return sl_plane_is_valid(plane) && sli_body_of_aabb(box, &body) ? body_side(plane, &body)
                                                                    : SL_PLANE_SIDE_NONE;
}

SLI_NOINLINE int sli_plane_obb(const sl_plane *plane, const sl_obb *box)
{
    sli_body body;
    return sl_plane_is_valid(plane) && sli_body_of_obb(box, &body) ? body_side(plane, &body)
                                                                   : SL_PLANE_SIDE_NONE;
}

SLI_NOINLINE int sli_plane_sphere(const sl_plane *plane, const sl_sphere *sphere)
{
    if (!sl_plane_is_valid(plane) || !sl_sphere_is_valid(sphere)) {
        return SL_PLANE_SIDE_NONE;
    }
    bool unsure;
    const int side = side_of_sphere(plane, sphere, false, &unsure);
    return unsure ? side_of_sphere(plane, sphere, true, &unsure) : side;
}
