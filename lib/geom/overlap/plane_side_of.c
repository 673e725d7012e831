/* On which side of a plane a volume lies: its extent along the normal against the offset.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.2.2 and 5.2.3. */
#include "lib/base/inline.h"
#include "lib/geom/convex/support.h"
#include "lib/geom/exact/compare_length.h"
#include "lib/geom/exact/valid.h"
#include "lib/geom/overlap/frustum.h"
#include "lib/geom/overlap/overlap.h"
#include "lib/geom/overlap/overlap_d.h"

/* -1, 0 or 1; sets *unsure if doubles do not decide. */
static int side_of_body(const sl_plane_d *plane, const sli_body *body, bool exact, bool *unsure)
{
    sli_half_space h;
    sli_extent extent;
    sli_half_space_make(plane, exact, &h);
    sli_support_extent(&(sli_support){ body, exact }, h.normal, &extent);
    const sli_tribool above = sli_extent_above(&extent, &h.offset);
    const sli_tribool below = sli_extent_below(&extent, &h.offset);
    *unsure = above == SLI_UNSURE || below == SLI_UNSURE;
    return above == SLI_YES ? 1 : below == SLI_YES ? -1 : 0;
}

static int body_side(const sl_plane_d *plane, const sli_body *body)
{
    bool unsure;
    const int side = side_of_body(plane, body, false, &unsure);
    return unsure ? side_of_body(plane, body, true, &unsure) : side;
}

/* The height of the centre above the plane, times |n|, against r |n|. */
static int side_of_sphere(const sl_plane_d *plane, const sl_sphere *sphere, bool exact,
                          bool *unsure)
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

static int sphere_side(const sl_plane_d *plane, const sl_sphere *sphere)
{
    bool unsure;
    const int side = side_of_sphere(plane, sphere, false, &unsure);
    return unsure ? side_of_sphere(plane, sphere, true, &unsure) : side;
}

/* It meets the plane if a ball at either end does, or if these are on different sides. */
static int capsule_side(const sl_plane_d *plane, const sl_capsule *capsule)
{
    sl_sphere ends[2];
    sli_capsule_ends(capsule, ends);
    const int side = sphere_side(plane, &ends[0]);
    return side == sphere_side(plane, &ends[1]) ? side : 0;
}

/* All corners on one side, or none. */
static int hull_side(const sl_plane_d *plane, const sl_hull *hull)
{
    int side = 0;
    for (uint32_t i = 0; i < hull->count; i++) {
        double point[3];
        sli_body body;
        sli_widen(hull->xyz + 3 * (size_t)i, point);
        sli_body_of_segment_d(point, point, &body);
        const int here = body_side(plane, &body);
        if (here == 0 || here == -side) {
            return 0;
        }
        side = here;
    }
    return side;
}

SLI_NOINLINE int sli_plane_side_of(const sl_plane *given, const sl_volume *volume)
{
    const sl_plane_d wide = sli_plane_d_of(given), *plane = &wide;
    sli_body body;
    if (!sli_plane_is_valid(given) || !sl_volume_is_valid(volume)) {
        return SL_PLANE_SIDE_NONE;
    }
    switch (volume->kind) {
    case SL_VOLUME_AABB:
        return sli_body_of_aabb(&volume->shape.aabb, &body) ? body_side(plane, &body)
                                                            : SL_PLANE_SIDE_NONE;
    case SL_VOLUME_OBB:
        return sli_body_of_obb(&volume->shape.obb, &body) ? body_side(plane, &body)
                                                          : SL_PLANE_SIDE_NONE;
    case SL_VOLUME_TRIANGLE: {
        const sl_triangle_d corners = sli_triangle_d_of(&volume->shape.triangle);
        sli_body_of_triangle_d(&corners, &body);
        return body_side(plane, &body);
    }
    case SL_VOLUME_HULL:
        return hull_side(plane, &volume->shape.hull);
    case SL_VOLUME_SPHERE:
        return sphere_side(plane, &volume->shape.sphere);
    case SL_VOLUME_CAPSULE:
        return capsule_side(plane, &volume->shape.capsule);
    case SL_VOLUME_FRUSTUM:
        break;
    }
    return SL_PLANE_SIDE_NONE;
}
