/* camera/view.h: a view made ready, for what asks it many times: its matrices in double, and their
 * inverses.
 *
 * Bits     the functions of sightline/camera.h are these, so a position in the picture has the same
 *          bits wherever it is asked for.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/camera/homogeneous.h"

typedef struct sli_view {
    sl_camera camera;
    double origin[3];
    double view[16], projection[16]; /* column-major, as the camera has them */
    sli_camera_inverse back;
    double y_sign; /* 1 where y points up in clip space, -1 where it points down */
    double near_depth, far_depth;
    bool has_far; /* there is a far plane that can be reached somewhere in the picture */
} sli_view;

/* False for a view that is not usable. */
bool sli_view_open(const sl_view *view, sli_view *out);

/* A point of the world in clip space: ((m0 x + m1 y) + m2 z) + m3 for each row of the view matrix,
 * where x, y, z are the point less the origin, and of the projection likewise, each step rounded to
 * double. */
void sli_view_clip(const sli_view *view, const double point[3], double clip[4]);

/* Where a point in clip space appears; false if its w is not positive or a result is not finite.
 * depth may be NULL. */
bool sli_view_picture(const sli_view *view, const double clip[4], double xy[2], double *depth);

/* Whether a point in clip space lies between the near and the far plane, both included. */
bool sli_view_between(const sli_view *view, const double clip[4]);

/* As the functions of sightline/camera.h. */
bool sli_view_ray(const sli_view *view, const double xy[2], sl_ray_d *out);
bool sli_view_project(const sli_view *view, const double point[3], double xy[2], double *depth);
bool sli_view_sight(const sli_view *view, const double point[3], sl_segment_d *out);
bool sli_view_pixel_size(const sli_view *view, const double point[3], double *out);
