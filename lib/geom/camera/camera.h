/* camera.h: what the files that make a camera share.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_CAMERA_CAMERA_H
#define SLI_GEOM_CAMERA_CAMERA_H

#include <sightline/camera.h>

/* The eye's axes in the world: [0] to the right, [1] up, [2] backwards, from the target towards the
 * eye; of unit length.  False where towards_eye or up is zero or not finite, or both are parallel.
 */
bool sli_camera_axes(const double towards_eye[3], const float up[3], double axes[3][3]);

/* Depths of the near and the far plane in clip space. */
void sli_clip_depths(sl_clip_space clip, double *near_depth, double *far_depth);

bool sli_clip_is_valid(sl_clip_space clip);

/* SL_INVALID_ARGUMENT unless its size is ours; looks at nothing else of it. */
sl_result sli_camera_def_check(const sl_camera_def *def, sl_error *error);

#endif
