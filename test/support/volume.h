/* volume.h: a pointer to the volume that a shape is; it lives as long as the block around it. */
#pragma once

#include <sightline/shapes.h>

#define AS_AABB(box)         (&(sl_volume){ SL_VOLUME_AABB, { .aabb = *(box) } })
#define AS_SPHERE(ball)      (&(sl_volume){ SL_VOLUME_SPHERE, { .sphere = *(ball) } })
#define AS_OBB(box)          (&(sl_volume){ SL_VOLUME_OBB, { .obb = *(box) } })
#define AS_CAPSULE(pill)     (&(sl_volume){ SL_VOLUME_CAPSULE, { .capsule = *(pill) } })
#define AS_FRUSTUM(seen)     (&(sl_volume){ SL_VOLUME_FRUSTUM, { .frustum = *(seen) } })
#define AS_TRIANGLE(corners) (&(sl_volume){ SL_VOLUME_TRIANGLE, { .triangle = *(corners) } })
