/* scene.h: what a scene holds: the world that kernels read, and the array that it was built from,
 * by which numbers, paths and outer scenes go.
 *
 * Instances of scenes are expanded: each instance of a tree, however deep, is one of the world's. 
 * Its place is the product of all places on the way, multiplied from the outermost inwards, so an
 * outer scene cannot use the products of an inner one; it reads the inner one's array. */
#ifndef SLI_SCENE_SCENE_H
#define SLI_SCENE_SCENE_H

#include "bvh/kernel/kernel.h"
#include "bvh/tree/world.h"

#include <sightline/scene.h>

enum { SLI_SCENE_DEPTH_MAX = 16 };

struct sl_scene {
    sl_allocator allocator;
    sli_world world;
    sl_bvh *top;
    sli_placed *placed; /* of the world, one for each number */
    /* The array that it was built from, and the first number of each; first[instance_count] is the
     * count of numbers. */
    sl_instance *instances;
    uint32_t *first;
    size_t instance_count;
    uint32_t depth; /* of arrays: 1 where no instance is a scene */
    const sli_kernels *kernels;
    sl_scene_info info;
};

/* Numbers that an instance takes. */
static inline uint32_t sli_instance_numbers(const sl_instance *instance)
{
    return instance->scene != NULL ? instance->scene->world.count : 1;
}

#endif
