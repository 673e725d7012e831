/* scene.h: what a scene holds: the world that kernels read, and what it was built from, by which
 * numbers, paths, outer scenes and next versions go.
 *
 * Instances of scenes are expanded: each instance of a tree, however deep, is one of the world's. 
 * Its place is the product of all places on the way, multiplied from the outermost inwards, so an
 * outer scene cannot use the products of an inner one; it reads the inner one's array. */
#ifndef SLI_SCENE_SCENE_H
#define SLI_SCENE_SCENE_H

#include "bvh/builder/over_boxes.h"
#include "bvh/kernel/kernel.h"
#include "bvh/scene/room.h"
#include "bvh/tree/world.h"
#include "lib/geom/place/place.h"

#include <sightline/scene.h>

enum { SLI_SCENE_DEPTH_MAX = 16 };

struct sl_scene {
    sl_allocator allocator; /* the caller's: of the struct and of the room's blocks */
    sli_room room;          /* of all else */
    sli_world world;
    sl_bvh *top;
    sli_boxes_drift built; /* of the top tree when it was built, before versions refitted it */
    sli_placed *placed;    /* of the world, one for each number */
    sl_aabb *bounds;       /* of each number's tree when it was placed */
    /* What it was built from.  A plain scene, in which no instance is a scene, none was left out
     * and no grid is the step that 0 stands for, has only ids: instance i has number i, and the
     * rest of it is in placed.  Others have a copy of the array, and the first number of each;
     * first[instance_count] is the count of numbers. */
    uint32_t *ids;
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

/* Instance i, as it was given; of a hole no more than that it is one, and its id. */
static inline sl_instance sli_scene_instance(const sl_scene *scene, size_t i)
{
    if (scene->instances != NULL) {
        return scene->instances[i];
    }
    const sli_placed *placed = &scene->placed[i];
    return (sl_instance){ .bvh = placed->tree,
                          .place = placed->place,
                          .grid = placed->grid == SLI_PLACE_STEP ? 0 : placed->grid,
                          .id = scene->ids[i],
                          .mask = placed->mask };
}

#endif
