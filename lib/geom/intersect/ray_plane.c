/* Lines against a plane, by t = n / d with n = offset - normal . origin and d = normal . dir. */
#include "lib/geom/exact/valid.h"
#include "lib/geom/intersect/paths.h"

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
