/* Cameras in worlds of doubles. */
#include "lib/geom/camera/view.h"

#include "lib/base/fpenv.h"
#include "lib/geom/exact/arithmetic/vector.h"

#include <string.h>

/* Whether a point of the far plane is neither at infinity nor just beyond, where some engines put
 * it on purpose. */
static bool is_reached(const double near_point[4], const double far_point[4])
{
    return far_point[3] > near_point[3] * 0x1p-50;
}

SLI_NOINLINE bool sli_view_open(const sl_view *view, sli_view *out)
{
    out->camera = view->camera;
    memcpy(out->origin, view->origin, sizeof out->origin);
    for (int i = 0; i < 16; i++) {
        out->view[i] = (double)view->camera.view[i];
        out->projection[i] = (double)view->camera.projection[i];
    }
    if (!sli_are_finite(out->origin, 3) || !sli_are_finite(out->view, 16) ||
        !sli_are_finite(out->projection, 16) || view->camera.width == 0 ||
        view->camera.height == 0 || !sli_camera_invert(&view->camera, &out->back)) {
        return false;
    }
    out->y_sign = sli_camera_y_sign(&view->camera);
    sli_clip_depths(view->camera.clip, &out->near_depth, &out->far_depth);
    double near_point[4];
    const double x = view->camera.width / 2.0, y = view->camera.height / 2.0;
    sli_camera_world_point(&view->camera, &out->back, x, y, out->near_depth, near_point);
    out->has_far = false;
    for (int corner = 0; corner < 4; corner++) {
        double far_point[4];
        sli_camera_world_point(&view->camera, &out->back, corner % 2 == 0 ? 0 : 2 * x,
                               corner < 2 ? 0 : 2 * y, out->far_depth, far_point);
        out->has_far = out->has_far || is_reached(near_point, far_point);
    }
    return near_point[3] > 0;
}

void sli_view_clip(const sli_view *view, const double point[3], double clip[4])
{
    double eye[4];
    const double seen[4] = { point[0] - view->origin[0], point[1] - view->origin[1],
                             point[2] - view->origin[2], 1 };
    sli_transform(view->view, seen, eye);
    sli_transform(view->projection, eye, clip);
}

bool sli_view_picture(const sli_view *view, const double clip[4], double xy[2], double *depth)
{
    if (!(clip[3] > 0)) {
        return false;
    }
    const double x = (clip[0] / clip[3] + 1) / 2 * view->camera.width + 0.0;
    const double y = (1 - clip[1] / clip[3] * view->y_sign) / 2 * view->camera.height + 0.0;
    const double z = clip[2] / clip[3] + 0.0;
    if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
        return false;
    }
    if (xy != NULL) {
        xy[0] = x;
        xy[1] = y;
    }
    if (depth != NULL) {
        *depth = z;
    }
    return true;
}

bool sli_view_between(const sli_view *view, const double clip[4])
{
    const double towards_far = view->far_depth > view->near_depth ? 1 : -1;
    const double depth = clip[2] / clip[3];
    return clip[3] > 0 && (depth - view->near_depth) * towards_far >= 0 &&
           (!view->has_far || (view->far_depth - depth) * towards_far >= 0);
}

SLI_NOINLINE bool sli_view_project(const sli_view *view, const double point[3], double xy[2],
                                   double *depth)
{
    double clip[4];
    sli_view_clip(view, point, clip);
    return sli_view_picture(view, clip, xy, depth);
}

/* Whether these are coordinates that rays and segments may have (intersect.h). */
static bool are_valid(const double v[3])
{
    return fabs(v[0]) <= FLT_MAX && fabs(v[1]) <= FLT_MAX && fabs(v[2]) <= FLT_MAX;
}

/* A homogeneous point of the camera's space in the world. */
static bool in_world(const sli_view *view, const double from[4], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = from[axis] / from[3] + view->origin[axis] + 0.0;
    }
    return from[3] > 0 && are_valid(out);
}

/* From a homogeneous point to another.  False if that is not reached, and if the difference is none
 * that a ray may have. */
static bool reach_far(const double from[4], const double to[4], double dir[3])
{
    if (!is_reached(from, to)) {
        return false;
    }
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = to[axis] / to[3] - from[axis] / from[3] + 0.0;
        largest = fmax(largest, fabs(dir[axis]));
    }
    return are_valid(dir) && largest >= 0x1p-149;
}

SLI_NOINLINE bool sli_view_ray(const sli_view *view, const double xy[2], sl_ray_d *out)
{
    double near_point[4], far_point[4];
    sl_ray_d ray = { .tmin = 0, .tmax = 1 };
    sli_camera_world_point(&view->camera, &view->back, xy[0], xy[1], view->near_depth, near_point);
    sli_camera_world_point(&view->camera, &view->back, xy[0], xy[1], view->far_depth, far_point);
    if (!in_world(view, near_point, ray.origin)) {
        return false;
    }
    if (!reach_far(near_point, far_point, ray.dir)) {
        ray.tmax = INFINITY;
        if (!sli_camera_reach_forever(near_point, far_point, ray.dir)) {
            return false;
        }
    }
    *out = ray;
    return true;
}

/* The point of the world at a place of clip space. */
static bool view_unproject(const sli_view *view, double x, double y, double depth, double out[3])
{
    const double clip[4] = { x, y, depth, 1 };
    double eye[4], point[4];
    sli_transform(view->back.eye_from_clip, clip, eye);
    sli_transform(view->back.world_from_eye, eye, point);
    return in_world(view, point, out);
}

SLI_NOINLINE bool sli_view_sight(const sli_view *view, const double point[3], sl_segment_d *out)
{
    double clip[4];
    sl_segment_d sight;
    sli_view_clip(view, point, clip);
    if (!sli_view_picture(view, clip, NULL, NULL) || !sli_view_between(view, clip) ||
        !view_unproject(view, clip[0] / clip[3], clip[1] / clip[3], view->near_depth, sight.p) ||
        !are_valid(point)) {
        return false;
    }
    memcpy(sight.q, point, sizeof sight.q);
    *out = sight;
    return true;
}

/* With c the column of the inverse that belongs to an axis of clip space, a step of s times w along
 * it leads from the point p to (p + s c) / (1 + s c3).  The difference of the two is taken without
 * subtracting points, which far from the eye would leave nothing. */
static double step_size(const sli_view *view, const double point[3], int axis, double step)
{
    double column[4], square = 0;
    sli_transform(view->back.world_from_eye, &view->back.eye_from_clip[4 * axis], column);
    for (int i = 0; i < 3; i++) {
        const double seen = point[i] - view->origin[i];
        const double moved = (column[i] - seen * column[3]) * step / (1 + step * column[3]);
        square += moved * moved;
    }
    return sqrt(square);
}

SLI_NOINLINE bool sli_view_pixel_size(const sli_view *view, const double point[3], double *out)
{
    double clip[4];
    sli_view_clip(view, point, clip);
    if (!sli_view_picture(view, clip, NULL, NULL)) {
        return false;
    }
    const double x = step_size(view, point, 0, 2 * clip[3] / view->camera.width);
    const double y = step_size(view, point, 1, 2 * clip[3] / view->camera.height);
    if (!isfinite(x) || !isfinite(y)) {
        return false;
    }
    *out = x > y ? x : y;
    return true;
}

/* ---- The public face: each call opens the view. ---- */

bool sl_view_ray(const sl_view *view, const double xy[2], sl_ray_d *out)
{
    sli_view open;
    return SLI_IN_FPENV(sli_view_open(view, &open) && sli_view_ray(&open, xy, out));
}

bool sl_view_project(const sl_view *view, const double point[3], double xy[2], double *depth)
{
    sli_view open;
    return SLI_IN_FPENV(sli_view_open(view, &open) && sli_view_project(&open, point, xy, depth));
}

bool sl_view_sight(const sl_view *view, const double point[3], sl_segment_d *out)
{
    sli_view open;
    return SLI_IN_FPENV(sli_view_open(view, &open) && sli_view_sight(&open, point, out));
}

bool sl_view_pixel_size(const sl_view *view, const double point[3], double *out)
{
    sli_view open;
    return SLI_IN_FPENV(sli_view_open(view, &open) && sli_view_pixel_size(&open, point, out));
}
