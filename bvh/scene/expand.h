/* expand.h: the instances of an array one after the other, those of scenes among them expanded. */
#ifndef SLI_SCENE_EXPAND_H
#define SLI_SCENE_EXPAND_H

#include "bvh/scene/scene.h"

/* An instance of a tree, or a hole. */
typedef struct sli_leaf {
    const sl_bvh *tree; /* NULL: a hole */
    sl_place place;
    bool finite; /* all products on the way are; else place is not set */
    double grid;
    uint32_t mask;
    uint32_t number;
} sli_leaf;

typedef struct sli_expand_level {
    const sl_instance *instances;
    size_t count, next;
    sl_place place; /* of the array */
    double grid;
    uint32_t mask;
    bool finite;
} sli_expand_level;

typedef struct sli_expansion {
    sli_expand_level level[SLI_SCENE_DEPTH_MAX];
    int depth; /* levels in use */
    uint32_t number;
} sli_expansion;

/* Begins with an array that is no deeper than SLI_SCENE_DEPTH_MAX, in which no instance has both a
 * tree and a scene. */
void sli_expand_begin(sli_expansion *e, const sl_instance *instances, size_t count);

/* The next leaf; false: there is no more. */
bool sli_expand_next(sli_expansion *e, sli_leaf *leaf);

#endif
