/* camera.h: pixels to rays and the way back.
 *
 * One camera for every convention: perspective, orthographic and off-centre volumes; OpenGL,
 * Direct3D and Vulkan clip spaces; reversed depth; an infinite far plane.
 * Space    right-handed world; the camera looks along its -z (as OpenGL has it) whatever the clip
 *          space.  Pixels: (0, 0) is the corner of the top-left one, whose centre is (0.5, 0.5); x to
 *          the right, y down.  Matrices are float[16], column-major, as cglm has them.
 * Fails    doors return SL_INVALID_ARGUMENT with words and leave *out alone.
 * Threads  values and pure functions; any floating-point environment of the caller's is fine. */
#ifndef SIGHTLINE_CAMERA_H
#define SIGHTLINE_CAMERA_H

#include <sightline/shapes.h>

/* Clip-space depth and which way y points there. */
typedef enum sl_clip {
    SL_CLIP_GL = 0,     /* OpenGL: depth -1 near, +1 far; y up */
    SL_CLIP_D3D = 1,    /* Direct3D: depth 0 near, 1 far; y up */
    SL_CLIP_VULKAN = 2, /* Vulkan: depth 0 near, 1 far; y down */
    SL_CLIP_REVERSED = 3 /* depth 1 near, 0 far; y up */
} sl_clip;

/* The view volume: a window l..r x b..t (on the near plane for perspective) between near and far,
 * which are distances in front of the eye.  far may be +inf for perspective. */
typedef struct sl_camera_def {
    size_t size; /* set by sl_default_camera_def */
    float eye[3], target[3], up[3];
    bool orthographic;      /* default false */
    float fov_y_rad;        /* perspective: whole vertical angle, in (0, pi); default 60 degrees */
    float ortho_height;     /* orthographic: height of the window in units; default 2 */
    bool off_centre;        /* window is used instead of the two above */
    float window[4];        /* left, right, bottom, top; left != right, bottom != top */
    float near_distance;    /* perspective > 0, orthographic any; default 0.01 */
    float far_distance;     /* > near; default +inf for perspective; orthographic needs a finite one */
    sl_clip clip;           /* default SL_CLIP_GL */
    uint32_t width, height; /* of the picture in pixels; >= 1; default 800 x 600 */
} sl_camera_def;

SL_API sl_camera_def sl_default_camera_def(void);

/* view: world to eye; projection: eye to clip. */
typedef struct sl_camera {
    float view[16], projection[16];
    uint32_t width, height;
    sl_clip clip;
} sl_camera;

SL_API sl_result sl_camera_make(const sl_camera_def *def, sl_camera *out, sl_error *error);

/* From an engine's own two matrices. */
SL_API sl_result sl_camera_from_matrices(const float view[16], const float projection[16],
                                         uint32_t width, uint32_t height, sl_clip clip,
                                         sl_camera *out, sl_error *error);

/* A def that shows all of a box from the given direction (from the target towards the eye). */
SL_API sl_result sl_camera_frame(const sl_aabb *box, const float towards_eye[3], sl_camera_def *def,
                                 sl_error *error);

/* The ray through point (x, y) of the picture: origin on the near plane, tmin 0, t = 1 (tmax) on the far plane, or
 * dir of unit length and tmax +inf where the far plane is infinite.  False for what is not finite or a
 * matrix that cannot be inverted. */
SL_API bool sl_camera_ray(const sl_camera *camera, float x, float y, sl_ray *out);

/* Where a point appears: pixel x, y and the clip-space depth (after division).  False behind the eye. */
SL_API bool sl_camera_project(const sl_camera *camera, const float point[3], float xy[2],
                              float *depth);

/* The way back: the world point seen at x, y with the given clip-space depth. */
SL_API bool sl_camera_unproject(const sl_camera *camera, float x, float y, float depth,
                                float point[3]);

#endif
