/* build.h: a build over instances, for its steps (build.c) and that of the tree over the instances
 * (build_top.c). */
#pragma once

#include "bvh/scene/transforms.h"

/* A build: the caller's array and options, and what becomes of them. */
typedef struct sli_world_build {
    sl_instances_def def;
    sli_transforms transforms;
    sl_allocator memory; /* the tree's scratch */
    sli_phase phase;
    sli_instances *scene;
    sli_instances aside; /* the version that follows itself, as it was */
    bool emptied;        /* what is recycled has been */
    bool built;          /* the tree over the instances was built, and follows none */
    sl_error *error;
} sli_world_build;

/* Makes the tree over the instances' boxes, once these are transformed: takes that of the version
 * before where it is still good, or builds a new one; with masks. */
sl_result sli_build_top(sli_world_build *build);
