/* homogeneous.h: a camera's matrices and their inverses in double, for what goes from the picture
 * to the world and back.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/camera/camera.h"

/* The inverses of both matrices. */
typedef struct sli_camera_inverse {
    double world_from_eye[16], eye_from_clip[16];
} sli_camera_inverse;

/* False for a camera that is not usable. */
bool sli_camera_invert(const sl_camera *camera, sli_camera_inverse *out);

/* out = m v, m in column-major order; each row summed from the first column on. */
void sli_transform(const double m[16], const double v[4], double out[4]);

/* 1 where y points up in clip space, -1 where it points down. */
double sli_camera_y_sign(const sl_camera *camera);

/* The homogeneous point of the world that is seen at (x, y) with the given depth; its w is positive
 * in front of the eye. */
void sli_camera_world_point(const sl_camera *camera, const sli_camera_inverse *back, double x,
                            double y, double depth, double out[4]);

/* The unit direction from a homogeneous point towards another that is at infinity or beyond it. */
bool sli_camera_reach_forever(const double from[4], const double to[4], double dir[3]);
