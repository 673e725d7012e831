/* camera.h: from pixels to rays and back, in floats and in a world of doubles.
 *
 * One camera for every convention: perspective, orthographic and off-centre view volumes; OpenGL,
 * Direct3D and Vulkan clip spaces; reversed depth; an infinite far plane.
 * Space    the world is right-handed, and the camera looks along its -z axis (as in OpenGL) for
 *          every clip space.  Pixels: (0, 0) is the corner of the top-left pixel, whose centre is
 *          (0.5, 0.5); x runs to the right, y down.  Matrices are float[16] in column-major order,
 *          like those of cglm.  Distances are in the units of the world, angles in radians.
 * Fails    functions that make a camera return SL_INVALID_ARGUMENT with a message and leave *out
 *          alone; the others return false and, except sl_camera_row, leave their outputs alone.
 * Threads  values and pure functions: safe to call from several threads at once, and in any
 *          floating-point environment.
 * Cost     constant time (sl_camera_row: for each pixel; sl_camera_fit of a soup: each triangle);
 *          allocates nothing. */
#ifndef SIGHTLINE_CAMERA_H
#define SIGHTLINE_CAMERA_H

#include <sightline/intersect.h>

/* The range of depths in clip space, and the direction of y there. */
typedef enum sl_clip_space {
    SL_CLIP_SPACE_GL = 0,      /* OpenGL: depth -1 near, +1 far; y up */
    SL_CLIP_SPACE_D3D = 1,     /* Direct3D: depth 0 near, 1 far; y up */
    SL_CLIP_SPACE_VULKAN = 2,  /* Vulkan: depth 0 near, 1 far; y down */
    SL_CLIP_SPACE_REVERSED = 3 /* depth 1 near, 0 far; y up */
} sl_clip_space;

/* The view volume is what lies between the near and the far plane, two distances in front of the
 * eye, within a window left..right x bottom..top; for perspective, the window is on the near plane.
 */
typedef struct sl_camera_def {
    /* eye and target both zeros: from (0, 0, 1) to the origin.  up must not be parallel to the line
     * of sight, to within 1e-6 radians; zeros: (0, 1, 0). */
    float eye[3], target[3], up[3];

    bool orthographic;  /* false: perspective */
    float fov_y_rad;    /* perspective: full vertical angle, in (0, pi); 0: 60 degrees */
    float ortho_height; /* orthographic: height of the window in units, > 0; 0: 2 */

    /* off_centre: window is used instead of fov_y_rad and ortho_height.  window: left, right,
     * bottom, top; left != right and bottom != top; left > right mirrors the picture, bottom > top
     * turns it upside down. */
    bool off_centre;
    float window[4];

    float near_distance; /* perspective: > 0, 0: 0.01; orthographic: any */
    float far_distance;  /* > near_distance; perspective: +inf is allowed, and 0 means it */
    sl_clip_space clip;
    uint32_t width, height; /* of the picture in pixels, >= 1; both 0: 800 x 600 */
} sl_camera_def;

/* view maps the world to the eye's space, projection the eye's space to clip space.  These floats
 * define the camera: rays and projections are computed from them in double.  Unless depth is
 * reversed, floats hardly resolve a far plane more than about 100,000 times as far as the near one;
 * it then lies where the rounded matrix puts it. */
typedef struct sl_camera {
    float view[16], projection[16];
    uint32_t width, height;
    sl_clip_space clip;
} sl_camera;

/* def may be NULL: defaults; error may be NULL. */
SL_API sl_result sl_camera_make(const sl_camera_def *def, sl_camera *out, sl_error *error);

/* From an engine's own two matrices, which may be left-handed. */
SL_API sl_result sl_camera_from_matrices(const float view[16], const float projection[16],
                                         uint32_t width, uint32_t height, sl_clip_space clip,
                                         sl_camera *out, sl_error *error);

/* Changes def so that the camera sees all of box from the given direction (from the target towards
 * the eye), with a small margin; or, if soup is not NULL, all of its triangles, which then fill the
 * picture: two opposite sides of it are 1.5 % of its length from them.  (A mesh seldom fills its
 * box.  Visits every corner twice.)  Sets eye, target, near_distance, far_distance, off_centre, for
 * an orthographic camera ortho_height, and up if it is parallel to the direction; keeps the rest,
 * such as the angle, with the defaults of what is 0. */
SL_API sl_result sl_camera_fit(const sl_aabb *box, const sl_soup *soup, const float towards_eye[3],
                               sl_camera_def *def, sl_error *error);

/* The ray through the point (x, y) of the picture, in pixels; it starts on the near plane, with
 * tmin 0.  If the far plane is finite, dir reaches to it and tmax is 1; otherwise dir has unit
 * length and tmax is +inf.  False if a result is not finite or a matrix cannot be inverted. */
SL_API bool sl_camera_ray(const sl_camera *camera, float x, float y, sl_ray *out);

/* The rays through the centres of count pixels of one row, starting at pixel (x, y): the same bits
 * as sl_camera_ray at (x + 0.5, y + 0.5) and so on, in less time.  False if a ray does not exist;
 * out then holds the rays before it. */
SL_API bool sl_camera_row(const sl_camera *camera, uint32_t x, uint32_t y, uint32_t count,
                          sl_ray *out);

/* Where a point of the world appears: pixel coordinates xy, and depth in clip space after division
 * by w.  Either may be NULL.  False for a point that is not in front of the eye, or if a result
 * exceeds the range of floats. */
SL_API bool sl_camera_project(const sl_camera *camera, const float point[3], float xy[2],
                              float *depth);

/* What is seen in the rectangle x0, y0, x1, y1 of the picture, in pixels (NULL: all of it): planes
 * through its four sides, the near plane, and the far plane if it is finite.  They are computed in
 * double and rounded to floats, which define the frustum.  False if the rectangle has no area or a
 * corner has no ray. */
SL_API bool sl_camera_frustum(const sl_camera *camera, const float rectangle[4], sl_frustum *out);

/* The inverse of sl_camera_project: the point of the world that appears at pixel coordinates x, y
 * with the given depth in clip space.  False if there is none, such as on an infinite far plane. */
SL_API bool sl_camera_unproject(const sl_camera *camera, float x, float y, float depth,
                                float point[3]);

/* ---- A camera in a world of doubles.  A world of millions of metres is drawn about an origin near
 * the eye, since the camera's matrices are floats: they take points of the world less that origin.
 * Results come of one fixed sequence of operations in double, so they are the same on every
 * machine; what editors decide by distances in pixels (pick.h, snap.h, select.h) is decided on
 * these numbers.  Cost  0.3 microseconds, most of which invert the camera's matrices ---- */

/* A camera, and where the origin of the space that its view matrix takes points of lies in the
 * world. */
typedef struct sl_view {
    sl_camera camera;
    double origin[3]; /* zeros: the camera's space is the world's */
} sl_view;

/* The ray through the point (x, y) of the picture, on from the near plane: as sl_camera_ray, in
 * doubles: with the origin at zero, coordinates rounded to floats are those of sl_camera_ray.  If
 * the far plane is finite, dir reaches to it and tmax is 1; otherwise, and where it is farther than
 * a ray can say (intersect.h), dir has unit length and tmax is +inf.  False if the view is not
 * usable, or if there is no such ray. */
SL_API bool sl_view_ray(const sl_view *view, const double xy[2], sl_ray_d *out);

/* Where a point of the world appears.  xy: in pixels, outside of the picture, too; depth: in clip
 * space, after division by w.  Either may be NULL.  False for a point that is not in front of the
 * eye, or if a result is not finite. */
SL_API bool sl_view_project(const sl_view *view, const double point[3], double xy[2],
                            double *depth);

/* The line of sight to a point of the world: from the near plane, where the ray through its
 * position in the picture starts, to the point.  False for a point that does not appear
 * (sl_view_project), for one that is not between the near and the far plane, both included, and for
 * coordinates that no segment has (intersect.h). */
SL_API bool sl_view_sight(const sl_view *view, const double point[3], sl_segment_d *out);

/* How much of the world a pixel shows at a point: the length of a step of one pixel from there,
 * parallel to the near plane, the larger of that along x and that along y.  False as
 * sl_view_project, and where the step leads to no point. */
SL_API bool sl_view_pixel_size(const sl_view *view, const double point[3], double *out);

#endif
