/* Whether a point lies in a shape: signs of polynomials in the given floats. */
#include "lib/base/fpenv.h"
#include "lib/geom/closest/obb_projection.h"
#include "lib/geom/exact/valid.h"

#include <sightline/closest.h>

/* Whether square / over <= radius^2. */
static bool is_within(const sli_number *square, const sli_number *over, float radius, bool exact,
                      bool *unsure)
{
    sli_number r, limit;
    sli_number_set(radius, exact, &r);
    sli_number_mul(&r, &r, &limit);
    sli_number_mul(&limit, over, &limit);
    sli_number_sub(&limit, square, &limit);
    return sli_number_sign(&limit, unsure) >= 0;
}

static bool in_sphere(const float centre[3], float radius, const float point[3], bool exact,
                      bool *unsure)
{
    sli_number w[3], square, one;
    sli_number_diff3(point, centre, exact, w);
    sli_number_dot(w, w, &square);
    sli_number_set(1, exact, &one);
    return is_within(&square, &one, radius, exact, unsure);
}

/* In the ball at one of the ends; or beside the segment, strictly between its ends, and near
 * enough. */
static bool in_capsule(const sl_capsule *capsule, const float point[3], bool exact, bool *unsure)
{
    if (in_sphere(capsule->p, capsule->radius, point, exact, unsure) ||
        in_sphere(capsule->q, capsule->radius, point, exact, unsure)) {
        return true;
    }
    sli_number dir[3], w[3], cross[3], along, size, rest, square;
    sli_number_diff3(capsule->q, capsule->p, exact, dir);
    sli_number_diff3(point, capsule->p, exact, w);
    sli_number_dot(w, dir, &along);
    sli_number_dot(dir, dir, &size);
    sli_number_sub(&size, &along, &rest);
    if (sli_number_sign(&along, unsure) <= 0 || sli_number_sign(&rest, unsure) <= 0) {
        return false;
    }
    sli_number_cross(w, dir, cross);
    sli_number_dot(cross, cross, &square);
    return is_within(&square, &size, capsule->radius, exact, unsure);
}

static bool in_obb(const sl_obb *box, const float point[3], bool exact, bool *unsure)
{
    sli_projection projection;
    return sli_obb_projection(box, point, exact, &projection, unsure) ||
           sli_number_sign(projection.has_height ? &projection.height : &projection.square,
                           unsure) == 0;
}

static bool behind_plane(const sl_plane *plane, const float point[3], bool exact, bool *unsure)
{
    sli_number normal[3], from[3], offset, height;
    sli_number_set3(plane->normal, exact, normal);
    sli_number_set3(point, exact, from);
    sli_number_set(plane->offset, exact, &offset);
    sli_number_dot(normal, from, &height);
    sli_number_sub(&height, &offset, &height);
    return sli_number_sign(&height, unsure) <= 0;
}

static SLI_NOINLINE bool sphere_contains(const sl_sphere *sphere, const float point[3])
{
    if (!sl_sphere_is_valid(sphere)) {
        return false;
    }
    bool unsure = false;
    const bool inside = in_sphere(sphere->centre, sphere->radius, point, false, &unsure);
    return unsure ? in_sphere(sphere->centre, sphere->radius, point, true, &unsure) : inside;
}

static SLI_NOINLINE bool capsule_contains(const sl_capsule *capsule, const float point[3])
{
    if (!sl_capsule_is_valid(capsule)) {
        return false;
    }
    bool unsure = false;
    const bool inside = in_capsule(capsule, point, false, &unsure);
    return unsure ? in_capsule(capsule, point, true, &unsure) : inside;
}

static SLI_NOINLINE bool obb_contains(const sl_obb *box, const float point[3])
{
    if (!sli_obb_is_valid(box)) {
        return false;
    }
    bool unsure = false;
    const bool inside = in_obb(box, point, false, &unsure);
    return unsure ? in_obb(box, point, true, &unsure) : inside;
}

static SLI_NOINLINE bool planes_contain(const sl_plane *planes, size_t count, const float point[3])
{
    bool inside = true;
    for (size_t i = 0; i < count; i++) {
        if (!sli_plane_is_valid(&planes[i])) {
            return false;
        }
        bool unsure = false;
        bool behind = inside && behind_plane(&planes[i], point, false, &unsure);
        if (unsure) {
            behind = behind_plane(&planes[i], point, true, &unsure);
        }
        inside = behind;
    }
    return inside;
}

bool sl_sphere_contains_point(const sl_sphere *sphere, const float point[3])
{
    return SLI_IN_FPENV(sli_finite(point, 3) && sphere_contains(sphere, point));
}

bool sl_capsule_contains_point(const sl_capsule *capsule, const float point[3])
{
    return SLI_IN_FPENV(sli_finite(point, 3) && capsule_contains(capsule, point));
}

bool sl_obb_contains_point(const sl_obb *box, const float point[3])
{
    return SLI_IN_FPENV(sli_finite(point, 3) && obb_contains(box, point));
}

bool sl_convex_contains_point(const sl_plane *planes, size_t count, const float point[3])
{
    return SLI_IN_FPENV(sli_finite(point, 3) && planes_contain(planes, count, point));
}

bool sl_frustum_contains_point(const sl_frustum *frustum, const float point[3])
{
    return frustum->count <= SL_FRUSTUM_PLANES_MAX &&
           sl_convex_contains_point(frustum->plane, frustum->count, point);
}
