/* eye_oracle.h: which side a triangle turns to the eye of a view, written from sightline/pick.h:
 * the eye is found by products of the rows of the camera's matrices, in long doubles. */
#pragma once

#include <sightline/camera.h>
#include <sightline/options.h>

/* Whether cull leaves a triangle out that lies there in the world, in an instance that mirrors it,
 * or not. */
bool eye_oracle_culls(const sl_view *view, sl_cull cull, bool mirrored, const double v[3][3]);
