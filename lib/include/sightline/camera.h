/* camera.h: pixels to rays and the way back.
 *
 * One camera for every convention: perspective, orthographic and off-centre volumes; OpenGL,
 * Direct3D and Vulkan clip spaces; reversed depth; an infinite far plane.
 * Space    right-handed world; the camera looks along its -z (as OpenGL has it) whatever the clip
 *          space.  Pixels: (0, 0) is the corner of the top-left one, whose centre is (0.5, 0.5); x
 *          to the right, y down.  Matrices are float[16], column-major, as cglm has them.
 * Fails    doors return SL_INVALID_ARGUMENT with words and leave *out alone.
 * Threads  values and pure functions; any floating-point environment of the caller's is fine. */
#ifndef SIGHTLINE_CAMERA_H
#define SIGHTLINE_CAMERA_H

#include <sightline/shapes.h>

/* Clip-space depth and which way y points there. */
typedef enum sl_clip_space {
    SL_CLIP_SPACE_GL = 0,      /* OpenGL: depth -1 near, +1 far; y up */
    SL_CLIP_SPACE_D3D = 1,     /* Direct3D: depth 0 near, 1 far; y up */
    SL_CLIP_SPACE_VULKAN = 2,  /* Vulkan: depth 0 near, 1 far; y down */
    SL_CLIP_SPACE_REVERSED = 3 /* depth 1 near, 0 far; y up */
} sl_clip_space;

/* The view volume: a window l..r x b..t (on the near plane for perspective) between near and far,
 * which are distances in front of the eye.  far may be +inf for perspective. */
typedef struct sl_camera_def {
    size_t size;                    /* set by sl_default_camera_def */
    float eye[3], target[3], up[3]; /* default (0, 0, 1), (0, 0, 0), (0, 1, 0); up must not be
                                     * parallel to the line of sight (within 1e-6 radians) */
    bool orthographic;              /* default false */
    float fov_y_rad;        /* perspective: whole vertical angle, in (0, pi); default 60 degrees */
    float ortho_height;     /* orthographic: height of the window in units; > 0; default 2 */
    bool off_centre;        /* window is used instead of the two above */
    float window[4];        /* left, right, bottom, top; left != right, bottom != top; left > right
                             * mirrors the picture, bottom > top turns y; default -1, 1, -1, 1 */
    float near_distance;    /* perspective > 0, orthographic any; default 0.01 */
    float far_distance;     /* > near; default +inf, which orthographic cannot have */
    sl_clip_space clip;     /* default SL_CLIP_SPACE_GL */
    uint32_t width, height; /* of the picture in pixels; >= 1; default 800 x 600 */
} sl_camera_def;

SL_API sl_camera_def sl_default_camera_def(void);

/* view: world to eye; projection: eye to clip.  These floats are the camera: rays and projections
 * are made from them in double.  In a projection that is not reversed little is left of a far plane
 * more than some 100000 times as far as the near one: it lies where the matrix has it. */
typedef struct sl_camera {
    float view[16], projection[16];
    uint32_t width, height;
    sl_clip_space clip;
} sl_camera;

/* def may be NULL: the defaults. */
SL_API sl_result sl_camera_make(const sl_camera_def *def, sl_camera *out, sl_error *error);

/* From an engine's own two matrices, left-handed ones included. */
SL_API sl_result sl_camera_from_matrices(const float view[16], const float projection[16],
                                         uint32_t width, uint32_t height, sl_clip_space clip,
                                         sl_camera *out, sl_error *error);

/* Changes a def so that all of a box is seen from the given direction (from the target towards the
 * eye), with a little room around it: eye, target, near, far, ortho_height and off_centre, and up
 * where it is parallel to the direction.  The rest, such as the angle, is taken from def. */
SL_API sl_result sl_camera_fit(const sl_aabb *box, const float towards_eye[3], sl_camera_def *def,
                               sl_error *error);

/* The ray through point (x, y) of the picture, from its place on the near plane.  tmin is 0.  Where
 * the far plane is finite dir reaches to it, tmax is 1; else dir is of unit length and tmax +inf.
 * False, with *out left alone, for what is not finite or a matrix that cannot be inverted. */
SL_API bool sl_camera_ray(const sl_camera *camera, float x, float y, sl_ray *out);

/* The rays through the centres of count pixels of one row, from pixel x on: the same bits as from
 * sl_camera_ray at (x + 0.5, y + 0.5) and so on, in less time.  False if one is not there. */
SL_API bool sl_camera_row(const sl_camera *camera, uint32_t x, uint32_t y, uint32_t count,
                          sl_ray *out);

/* Where a point appears: pixel x, y and the clip-space depth (after division); either may be NULL.
 * False, with both left alone, behind the eye or beyond the float range. */
SL_API bool sl_camera_project(const sl_camera *camera, const float point[3], float xy[2],
                              float *depth);

/* What is seen of the rectangle x0, y0, x1, y1 of the picture, in pixels (NULL: of all of it): planes
 * through its four sides, the near one, and the far one where it is finite.  They are made in double
 * and rounded to floats; as those floats they are taken exactly.  False, with *out left alone, where
 * the rectangle has no area or the camera sends no rays through its corners. */
SL_API bool sl_camera_frustum(const sl_camera *camera, const float rectangle[4], sl_frustum *out);

/* The way back: the world point seen at x, y with the given clip-space depth.  False, with point
 * left alone, where there is none, such as at an infinite far plane. */
SL_API bool sl_camera_unproject(const sl_camera *camera, float x, float y, float depth,
                                float point[3]);

#endif
