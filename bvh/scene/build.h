/* build.h: a build over instances, for its steps (build.c) and those of the tree over the instances
 * (copies.c, build_top.c). */
#pragma once

#include "bvh/scene/transforms.h"

/* A build: the caller's array and options, and what becomes of them. */
typedef struct sli_world_build {
    sl_instances_def def;
    sli_transforms transforms;
    sl_allocator memory; /* the tree's scratch */
    sli_phase phase;
    sli_instances *scene;
    sli_instances aside;    /* the version that follows itself, as it was */
    bool emptied;           /* what is recycled has been */
    bool built;             /* the tree over the instances was built, and follows none */
    size_t still_instances; /* in trees over several, of the array and those that it names */
    uint64_t still_triangles;
    sl_error *error;
} sli_world_build;

/* Fills in scene->originals where some instances are copies of others, and leaves those out of the
 * boxes.  followed: the version whose top tree this one has, or NULL. */
sl_result sli_find_copies(sli_world_build *build, const sli_instances *followed);

/* Makes the tree over the instances' boxes, once these are transformed: takes that of the version
 * before where it is still good, or builds a new one; with masks. */
sl_result sli_build_top(sli_world_build *build);

/* Makes scene->still, with what fits of the array in the memory that the def names; it may be that
 * nothing does. */
sl_result sli_build_still(sli_world_build *build);

/* Puts trees over several instances behind the numbers of all, and writes the boxes of both: those
 * that they stand for have none. */
void sli_place_still(sli_world_build *build, sli_ref *boxes);
