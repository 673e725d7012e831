/* transforms.h: numbers the instances of an array, checks them and makes them ready, in parallel,
 * for build.c.
 *
 * First the array is scanned in chunks: how many numbers each instance takes, and what is
 * refused.  Then, chunk by chunk again, each leaf is transformed, eight at a time.  Each chunk
 * keeps what it found, and chunks are joined in order: the first bad instance is the one that is
 * named, whichever worker finds it.  (To copy what is the same as in the version before costs as
 * much as to make it anew.) */
#pragma once

#include "bvh/scene/expand.h"
#include "bvh/tree/transformed.h"

/* What is wrong with an instance in the array. */
typedef enum sli_given_fault {
    SLI_GIVEN_OK = 0,
    SLI_GIVEN_DEEP = 2,    /* nested too deep */
    SLI_GIVEN_RECYCLED = 3 /* the tree that is recycled is in it */
} sli_given_fault;

typedef struct sli_transforms_chunk {
    size_t numbers; /* that its instances take; then, by summing, the first of them */
    size_t fault_index;
    sli_given_fault fault;
    uint32_t depth;
    bool nested, fine;         /* has a nested instance; one with a grid of 2^-149 */
    size_t still;              /* nested instances with a tree over several that stands still */
    bool masked, trees_masked; /* as world.h has them */
    sli_world_box bounds;
    uint64_t triangle_count;
    size_t hole_count, left_out_count;
    uint32_t bad;      /* the first number that is left out, or SL_NONE */
    const char *words; /* what is wrong with it */
} sli_transforms_chunk;

typedef struct sli_transforms {
    sli_given given;
    size_t count;
    const sl_bvh *recycled; /* may be in no instance; or NULL */
    sli_instances *scene;   /* its arrays are there when leaves are transformed */
    sli_ref *boxes;  /* of each number, about the world's middle; prim is SL_NONE for holes */
    uint32_t *masks; /* of each number, in the top tree; NULL where nothing is masked */
    sli_transforms_chunk *chunks;
    size_t chunk_count;
    sli_transforms_chunk all; /* of all chunks */
} sli_transforms;

enum { SLI_TRANSFORMS_CHUNK = 256 };

/* The first index behind a chunk. */
static inline size_t sli_transforms_chunk_end(const sli_transforms *job, size_t chunk)
{
    const size_t end = (chunk + 1) * SLI_TRANSFORMS_CHUNK;
    return end < job->count ? end : job->count;
}

/* Whether an instance is of a tree over instances that has one over those that stand still, and is
 * where that was made. */
bool sli_instance_is_still(const sl_instance *instance);

/* Fills in chunks and all, of what is known before leaves are transformed.  SL_CANCELLED. */
sl_result sli_transforms_scan(sli_transforms *job, const sli_phase *phase);

/* What is wrong with a leaf that has a tree, as a static string; NULL: nothing, and out and box are
 * filled in. */
const char *sli_transform_leaf(const sli_leaf *leaf, sli_transformed *out, sli_world_box *box);

/* Transforms all leaves, and fills in the rest of chunks and all.  SL_CANCELLED. */
sl_result sli_transforms_run(sli_transforms *job, const sli_phase *phase);

/* Counts the boxes anew from another middle of the world. */
void sli_transforms_recount(sli_transforms *job, const sli_phase *phase);
