/* camera/camera.h: what the files that make and use cameras share.
 * Callers  hold the floating-point environment. */
#pragma once

#include <sightline/camera.h>

/* The axes of the eye in the world, of unit length: [0] to the right, [1] up, [2] backwards, from
 * the target towards the eye.  False if towards_eye or up is zero or not finite, or if they are
 * parallel. */
bool sli_camera_axes(const double towards_eye[3], const float up[3], double axes[3][3]);

/* What is framed, as the camera sees it. */
typedef struct sli_camera_framing {
    double centre[3], axes[3][3]; /* of the bounds; the eye's axes through it */
    double slack;                 /* bound of what rounding the eye and the target moves */
    double radius;                /* half the diagonal of the bounds, or a little; never 0 */
} sli_camera_framing;

/* Checks what framing needs: a box of finite size, a picture, an angle and a direction.  *framed is
 * def, with its defaults filled in; framed->up changes if it is parallel to the direction. */
sl_result sli_camera_fit_check(const sl_aabb *box, const float towards_eye[3],
                               const sl_camera_def *def, sl_camera_def *framed,
                               sli_camera_framing *framing, sl_error *error);

/* The depths of the near and the far plane in clip space. */
static inline void sli_clip_depths(sl_clip_space clip, double *near_depth, double *far_depth)
{
    *near_depth = clip == SL_CLIP_SPACE_GL ? -1 : clip == SL_CLIP_SPACE_REVERSED ? 1 : 0;
    *far_depth = clip == SL_CLIP_SPACE_REVERSED ? 0 : 1;
}

static inline bool sli_clip_is_valid(sl_clip_space clip)
{
    return (int)clip >= SL_CLIP_SPACE_GL && (int)clip <= SL_CLIP_SPACE_REVERSED;
}

/* Fills in the defaults of what is 0; given may be NULL. */
void sli_camera_def_take(const sl_camera_def *given, sl_camera_def *out);

/* As sl_camera_make, of a def that is taken literally. */
sl_result sli_camera_make(const sl_camera_def *def, sl_camera *out, sl_error *error);

/* sl_camera_fit of a soup.  Callers hold the floating-point environment. */
sl_result sli_camera_fit_soup(const sl_soup *soup, const float towards_eye[3], sl_camera_def *def,
                              sl_error *error);
