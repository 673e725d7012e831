/* point.h: points whose nearest triangles, or whose containers, are looked for in scenes, as
 * kernels take them. */
#ifndef SLI_KERNEL_SCENE_POINT_H
#define SLI_KERNEL_SCENE_POINT_H

#include "bvh/kernel/scene/ray.h"

/* A point with its options; a multiple of 2^-149 and no larger than FLT_MAX along each axis. */
typedef struct sli_scene_point {
    double at[3];
    float limit;           /* >= 0: exact distances may not be more than this */
    sli_scene_ray options; /* of which flags, mask and skip are read */
} sli_scene_point;

/* Takes the number of an instance that contains the point. */
typedef void sli_scene_take_instance(void *context, uint32_t instance);

#endif
