/* expand.h: the instances of an array one after the other, nested ones expanded. */
#pragma once

#include "bvh/scene/scene.h"

/* The caller's array, whose struct may be shorter than ours or longer. */
typedef struct sli_given {
    const char *bytes;
    size_t stride;
} sli_given;

static inline sl_instance sli_given_instance(const sli_given *given, size_t i)
{
    sl_instance instance = { .bvh = NULL };
    const char *at = given->bytes + i * given->stride;
    if (given->stride >= sizeof instance) {
        memcpy(&instance, at, sizeof instance);
    } else {
        memcpy(&instance, at, given->stride);
    }
    instance.mask = sli_mask_of(instance.mask);
    return instance;
}

/* An instance of a tree, or a hole. */
typedef struct sli_leaf {
    const sl_bvh *tree; /* NULL: a hole */
    sl_transform transform;
    bool finite; /* all products on the way are; else transform is not set */
    double grid;
    uint32_t mask;
    uint32_t number;
} sli_leaf;

typedef struct sli_expand_level {
    const sli_instances *all; /* of the outermost NULL: the array that was given */
    size_t next, end;
    sl_transform transform; /* of the array */
    double grid;
    uint32_t mask;
    bool finite;
} sli_expand_level;

typedef struct sli_expansion {
    sli_given given;
    sli_expand_level level[SLI_WORLD_DEPTH_MAX];
    int depth; /* levels in use */
    uint32_t number;
} sli_expansion;

/* Begins at instances begin .. end - 1 of an array that is no deeper than SLI_WORLD_DEPTH_MAX.
 * number: of the first. */
void sli_expand_begin(sli_expansion *e, const sli_given *given, size_t begin, size_t end,
                      uint32_t number);

/* The next leaf; false: there is no more. */
bool sli_expand_next(sli_expansion *e, sli_leaf *leaf);
