/* shred.h: trees whose triangles are cut more often than by any builder: at random planes, many of
 * them through vertices, repeatedly. */
#pragma once

#include <sightline/bvh.h>

/* References to the triangles of a mesh, three times as many as there are triangles where they can
 * be cut.  The mesh has some; sli_refs_destroy releases them. */
struct sli_refs; /* bvh/builder/base/refs.h, which does not go with the kernels' headers */
void shred_refs(const sl_mesh *mesh, uint64_t seed, struct sli_refs *out);

/* A tree over them.  masks may be NULL. */
sl_bvh *shred_build(const sl_mesh *mesh, const uint32_t *masks, uint64_t seed);
