/* own.h: what a block makes it destroys where it ends, however it is left.
 *
 *     OWN(sl_mesh) mesh = made_sphere(4);                what sl_mesh_destroy takes, NULL too
 *     FREED float *xyz = malloc(12);
 *     UNDONE(world_destroy) world_case world;            a struct, which the function is given
 *
 * The last one that is declared goes first. */
#pragma once

#include <sightline/io.h>
#include <sightline/sightline.h>

#include <stdlib.h>

#define UNDONE(function) __attribute__((cleanup(function), unused))
#define FREED            UNDONE(own_free)
#define OWN(type)        UNDONE(own_##type) type *

static inline void own_free(void *pointer)
{
    free(*(void **)pointer);
}

#define OWN_OF(type)                                                                               \
    static inline void own_##type(type **pointer)                                                  \
    {                                                                                              \
        type##_destroy(*pointer);                                                                  \
    }
OWN_OF(sl_boundary)
OWN_OF(sl_build)
OWN_OF(sl_bvh)
OWN_OF(sl_clashes)
OWN_OF(sl_gltf)
OWN_OF(sl_marks)
OWN_OF(sl_mesh)
OWN_OF(sl_pool)
OWN_OF(sl_selection)
OWN_OF(sl_sight_memory)
OWN_OF(sl_topology)
