/* Rays, segments and lines against a plane across one axis. */
#include "lib/base/fpenv.h"
#include "lib/geom/path.h"

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

static sl_plane_meet ask(sli_path_kind kind, const void *shape, int axis, float k,
                         sl_plane_hit *hit)
{
    if (axis < 0 || axis > 2 || !isfinite(k)) {
        return SL_PLANE_MISS;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_plane_meet met = make_and_meet(kind, shape, axis, k, hit);
    sli_fpenv_leave(saved);
    return met;
}

sl_plane_meet sl_ray_axis_plane(const sl_ray *ray, int axis, float k, sl_plane_hit *hit)
{
    return ask(SLI_RAY, ray, axis, k, hit);
}

sl_plane_meet sl_segment_axis_plane(const sl_segment *segment, int axis, float k, sl_plane_hit *hit)
{
    return ask(SLI_SEGMENT, segment, axis, k, hit);
}

sl_plane_meet sl_line_axis_plane(const sl_line *line, int axis, float k, sl_plane_hit *hit)
{
    return ask(SLI_LINE, line, axis, k, hit);
}
