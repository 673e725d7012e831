/* Rays, segments and lines against a plane of constant coordinate, by exact places on the path; and
 * against any plane, by t = n / d with n = offset - normal . origin and d = normal . dir. */
#include "lib/geom/exact/valid.h"
#include "lib/geom/intersect/paths.h"

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

int sli_path_axis_plane(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                        void *hit, bool *unsure)
{
    (void)inside;
    (void)exact;
    (void)unsure;
    const sli_axis_plane *plane = volume;
    const int axis = plane->axis;
    const float k = plane->k;
    if (axis < 0 || axis > 2 || !sli_finite(&k, 1)) {
        return SL_PLANE_MISS;
    }
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

/* Compares n with d times each limit, so that only the reported values are divided. */
int sli_path_plane(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                   void *hit, bool *unsure)
{
    (void)inside;
    const sl_plane *plane = volume;
    sl_plane_hit *out = hit;
    sli_number origin[3], dir[3], normal[3], n, d, limit, beyond;
    if (!sli_plane_is_valid(plane)) {
        return SL_PLANE_MISS;
    }
    sli_path_numbers(path, exact, origin, dir);
    sli_number_set3(plane->normal, exact, normal);
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
    if (out != NULL) {
        out->t = sli_number_round_ratio(&n, &d, unsure);
        sli_path_point(path, &n, &d, out->point, unsure);
    }
    return sign == 0 ? SL_PLANE_WITHIN : SL_PLANE_POINT;
}
