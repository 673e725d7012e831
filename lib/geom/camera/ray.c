/* From pixels to rays and back, in floats. */
#include "lib/base/fpenv.h"
#include "lib/geom/camera/homogeneous.h"

#include <math.h>

/* False if a coordinate is not finite as a float. */
static bool to_floats(const double v[3], float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = (float)v[axis] + 0.0f;
    }
    return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

static bool point_to_floats(const double from[4], float out[3])
{
    const double point[3] = { from[0] / from[3], from[1] / from[3], from[2] / from[3] };
    return to_floats(point, out);
}

static bool is_zero(const float v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* The far point minus the near point; false if the far point is infinite or beyond the range of
 * floats. */
static bool reach_far(const double near_point[4], const double far_point[4], float dir[3])
{
    if (!(far_point[3] > near_point[3] * 0x1p-50)) {
        return false; /* at infinity, or just beyond, where some engines put it on purpose */
    }
    double difference[3];
    for (int axis = 0; axis < 3; axis++) {
        difference[axis] = far_point[axis] / far_point[3] - near_point[axis] / near_point[3];
    }
    return to_floats(difference, dir) && !is_zero(dir);
}

/* The same direction with unit length, from the difference of the points multiplied by the w of
 * both. */
static bool reach_forever(const double near_point[4], const double far_point[4], float dir[3])
{
    double made[3];
    return sli_camera_reach_forever(near_point, far_point, made) && to_floats(made, dir);
}

static bool make_ray(const sl_camera *camera, const sli_camera_inverse *back, double x, double y,
                     sl_ray *out)
{
    double near_depth, far_depth, near_point[4], far_point[4];
    sli_clip_depths(camera->clip, &near_depth, &far_depth);
    sli_camera_world_point(camera, back, x, y, near_depth, near_point);
    sli_camera_world_point(camera, back, x, y, far_depth, far_point);
    if (!(near_point[3] > 0)) {
        return false;
    }
    sl_ray ray = { .tmin = 0, .tmax = 1 };
    if (!point_to_floats(near_point, ray.origin)) {
        return false;
    }
    if (!reach_far(near_point, far_point, ray.dir)) {
        ray.tmax = INFINITY;
        if (!reach_forever(near_point, far_point, ray.dir)) {
            return false;
        }
    }
    *out = ray;
    return true;
}

static SLI_NOINLINE bool ray_at(const sl_camera *camera, float x, float y, sl_ray *out)
{
    sli_camera_inverse back;
    return sli_camera_invert(camera, &back) && make_ray(camera, &back, x, y, out);
}

bool sl_camera_ray(const sl_camera *camera, float x, float y, sl_ray *out)
{
    return SLI_IN_FPENV(ray_at(camera, x, y, out));
}

static SLI_NOINLINE bool row_at(const sl_camera *camera, uint32_t x, uint32_t y, uint32_t count,
                                sl_ray *out)
{
    sli_camera_inverse back;
    bool made = sli_camera_invert(camera, &back);
    for (uint32_t i = 0; made && i < count; i++) {
        made = make_ray(camera, &back, (double)x + i + 0.5, (double)y + 0.5, &out[i]);
    }
    return made;
}

bool sl_camera_row(const sl_camera *camera, uint32_t x, uint32_t y, uint32_t count, sl_ray *out)
{
    return SLI_IN_FPENV(row_at(camera, x, y, count, out));
}

static SLI_NOINLINE bool ray_project(const sl_camera *camera, const float point[3], float out[3])
{
    double view[16], projection[16], eye[4], clip[4];
    for (int i = 0; i < 16; i++) {
        view[i] = camera->view[i];
        projection[i] = camera->projection[i];
    }
    const double world[4] = { point[0], point[1], point[2], 1 };
    sli_transform(view, world, eye);
    sli_transform(projection, eye, clip);
    if (!(clip[3] > 0) || !sli_clip_is_valid(camera->clip)) {
        return false;
    }
    const double seen[3] = { (clip[0] / clip[3] + 1) / 2 * camera->width,
                             (1 - clip[1] / clip[3] * sli_camera_y_sign(camera)) / 2 *
                                 camera->height,
                             clip[2] / clip[3] };
    return to_floats(seen, out);
}

bool sl_camera_project(const sl_camera *camera, const float point[3], float xy[2], float *depth)
{
    float seen[3];
    const bool found = SLI_IN_FPENV(ray_project(camera, point, seen));
    if (found && xy != NULL) {
        xy[0] = seen[0];
        xy[1] = seen[1];
    }
    if (found && depth != NULL) {
        *depth = seen[2];
    }
    return found;
}

static SLI_NOINLINE bool ray_unproject(const sl_camera *camera, float x, float y, float depth,
                                       float out[3])
{
    sli_camera_inverse back;
    double seen[4];
    if (!sli_camera_invert(camera, &back)) {
        return false;
    }
    sli_camera_world_point(camera, &back, x, y, depth, seen);
    if (!(seen[3] > 0)) {
        return false;
    }
    return point_to_floats(seen, out);
}

bool sl_camera_unproject(const sl_camera *camera, float x, float y, float depth, float point[3])
{
    float world[3];
    const bool found = SLI_IN_FPENV(ray_unproject(camera, x, y, depth, world));
    for (int axis = 0; found && axis < 3; axis++) {
        point[axis] = world[axis];
    }
    return found;
}
