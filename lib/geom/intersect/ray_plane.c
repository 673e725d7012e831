/* Rays, segments and lines against a plane of constant coordinate, by exact places on the path; and
 * against any plane, by t = n / d with n = offset - normal . origin and d = normal . dir. */
#include "lib/base/fpenv.h"
#include "lib/geom/exact/path.h"
#include "lib/geom/exact/valid.h"

#include <sightline/intersect.h>

#include <math.h>

static void fill(const sli_path *path, sli_place place, int axis, float k, sl_plane_hit *hit)
{
    if (hit == NULL) {
        return;
    }
    hit->t = sli_path_t(path, place);
    for (int i = 0; i < 3; i++) {
        hit->point[i] = i == axis ? k : sli_path_coordinate(path, place, i);
    }
}

static sl_plane_meet meet(sli_path *path, int axis, float k, sl_plane_hit *hit)
{
    if (path->sign[axis] == 0) {
        if (path->origin[axis] != (double)k) {
            return SL_PLANE_MISS;
        }
        const sli_place place = { SLI_AT_T, sli_nearest_to_zero(path->tmin, path->tmax) };
        fill(path, place, axis, k, hit);
        return SL_PLANE_WITHIN;
    }
    const sli_place crossing = { axis, k };
    const sli_place first = { SLI_AT_T, path->tmin }, last = { SLI_AT_T, path->tmax };
    if (sli_path_compare(path, crossing, first) < 0 || sli_path_compare(path, crossing, last) > 0) {
        return SL_PLANE_MISS;
    }
    fill(path, crossing, axis, k, hit);
    return SL_PLANE_POINT;
}

static SLI_NOINLINE sl_plane_meet make_and_meet(sli_path_kind kind, const void *shape, int axis,
                                                float k, sl_plane_hit *hit)
{
    sli_path path;
    return sli_path_make(kind, shape, &path) ? meet(&path, axis, k, hit) : SL_PLANE_MISS;
}

static sl_plane_meet in_environment(sli_path_kind kind, const void *shape, int axis, float k,
                                    sl_plane_hit *hit)
{
    if (axis < 0 || axis > 2 || !sli_finite(&k, 1)) {
        return SL_PLANE_MISS;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_plane_meet met = make_and_meet(kind, shape, axis, k, hit);
    sli_fpenv_leave(saved);
    return met;
}

sl_plane_meet sl_ray_axis_plane(const sl_ray *ray, int axis, float k, sl_plane_hit *hit)
{
    return in_environment(SLI_PATH_RAY, ray, axis, k, hit);
}

sl_plane_meet sl_segment_axis_plane(const sl_segment *segment, int axis, float k, sl_plane_hit *hit)
{
    return in_environment(SLI_PATH_SEGMENT, segment, axis, k, hit);
}

sl_plane_meet sl_line_axis_plane(const sl_line *line, int axis, float k, sl_plane_hit *hit)
{
    return in_environment(SLI_PATH_LINE, line, axis, k, hit);
}

/* Compares n with d times each limit, so that only the reported values are divided. */
static sl_plane_meet find_any(const sli_path *path, const sl_plane *plane, bool exact,
                              sl_plane_hit *hit, bool *unsure)
{
    sli_number origin[3], dir[3], normal[3], n, d, limit, beyond;
    sli_path_numbers(path, exact, origin, dir);
    for (int axis = 0; axis < 3; axis++) {
        sli_number_set(plane->normal[axis], exact, &normal[axis]);
    }
    sli_number_dot(normal, dir, &d);
    sli_number_dot(normal, origin, &n);
    sli_number_set(plane->offset, exact, &limit);
    sli_number_sub(&limit, &n, &n);
    const int sign = sli_number_sign(&d, unsure);
    if (sign == 0) {
        if (sli_number_sign(&n, unsure) != 0) {
            return SL_PLANE_MISS;
        }
        sli_number_set(sli_nearest_to_zero(path->tmin, path->tmax), true, &n);
        sli_number_set(1, true, &d);
    } else {
        const double limits[2] = { path->tmin, path->tmax };
        for (int end = 0; end < 2; end++) {
            if (isinf(limits[end])) {
                continue;
            }
            sli_number_set(limits[end], true, &limit);
            sli_number_mul(&limit, &d, &beyond);
            sli_number_sub(&n, &beyond, &beyond);
            const int side = sign * sli_number_sign(&beyond, unsure); /* of t - limit */
            if (end == 0 ? side < 0 : side > 0) {
                return SL_PLANE_MISS;
            }
        }
    }
    if (hit != NULL) {
        hit->t = sli_number_round_ratio(&n, &d, unsure);
        sli_path_point(path, &n, &d, hit->point, unsure);
    }
    return sign == 0 ? SL_PLANE_WITHIN : SL_PLANE_POINT;
}

static SLI_NOINLINE sl_plane_meet make_and_find_any(sli_path_kind kind, const void *shape,
                                                    const sl_plane *plane, sl_plane_hit *hit)
{
    sli_path path;
    sl_plane_hit found, *const out = hit != NULL ? &found : NULL;
    if (!sli_plane_is_valid(plane) || !sli_path_make(kind, shape, &path)) {
        return SL_PLANE_MISS;
    }
    bool unsure = false;
    sl_plane_meet met = find_any(&path, plane, false, out, &unsure);
    if (unsure) {
        met = find_any(&path, plane, true, out, &unsure);
    }
    if (met != SL_PLANE_MISS && hit != NULL) {
        *hit = found;
    }
    return met;
}

static sl_plane_meet any_in_environment(sli_path_kind kind, const void *shape,
                                        const sl_plane *plane, sl_plane_hit *hit)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_plane_meet met = make_and_find_any(kind, shape, plane, hit);
    sli_fpenv_leave(saved);
    return met;
}

sl_plane_meet sl_ray_plane(const sl_ray *ray, const sl_plane *plane, sl_plane_hit *hit)
{
    return any_in_environment(SLI_PATH_RAY, ray, plane, hit);
}

sl_plane_meet sl_segment_plane(const sl_segment *segment, const sl_plane *plane, sl_plane_hit *hit)
{
    return any_in_environment(SLI_PATH_SEGMENT, segment, plane, hit);
}

sl_plane_meet sl_line_plane(const sl_line *line, const sl_plane *plane, sl_plane_hit *hit)
{
    return any_in_environment(SLI_PATH_LINE, line, plane, hit);
}
