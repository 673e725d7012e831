/* refit/versions.h: the memory of a new version: found, and brought up to date with the tree that
 * it comes from, before it is refitted. */
#pragma once

#include "bvh/builder/refit/moved.h"

/* What a new version is for. */
typedef struct sli_versioning {
    const sl_bvh *tree;
    sl_bvh *recycle;            /* may be NULL, or tree */
    const sl_prim_range *dirty; /* NULL: all triangles */
    size_t dirty_count;
    bool positions, masks; /* which change */
    bool some_masks;       /* and not to all bits for all triangles */
    bool rebuilds;         /* subtrees may be built anew */
    int workers;
    sl_allocator allocator;
} sli_versioning;

/* The recycled tree if it fits, or a new one; with all the scratch that a refit needs.  NULL when
 * out of memory. */
sl_bvh *sli_version_memory(const sli_versioning *versioning);

/* Gives it up: a recycled tree is what it was. */
void sli_version_abandon(const sli_versioning *versioning, sl_bvh *version);

/* Makes it a version of the tree: with its bytes, except for those that the refit writes anyway. */
void sli_version_follow(const sli_versioning *versioning, sl_bvh *version, const sli_phase *phase);

/* Afterwards: frees a recycled tree that did not become the version. */
void sli_version_finish(const sli_versioning *versioning, const sl_bvh *version);
