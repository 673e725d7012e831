/* verify/ray.h: every question to the tree, held against every triangle in turn, bit for bit. */
#ifndef TOOLS_VERIFY_RAY_H
#define TOOLS_VERIFY_RAY_H

#include "tools/verify/differences.h"
#include "tools/verify/ray_batch.h"

enum { RAY_VERIFY_HITS = 16 }; /* hits of a ray that are compared one by one */

typedef struct ray_sums {
    uint64_t rays, pairs, hits, differences;
    sl_stats stats; /* of the batch that asks for the closest hit */
} ray_sums;

typedef struct ray_verifier {
    const query_target *target;
    size_t triangles; /* that brute force looks at: those left out are not */
    differences found;
    ray_batch batch; /* answers of the functions that take arrays */
    uint32_t *wrong; /* bits: single questions answered wrongly, for each of the block */
} ray_verifier;

/* capacity: of the largest block.  False when out of memory. */
bool ray_verifier_make(ray_verifier *v, const query_target *target, bool are_segments, bool doubles,
                       size_t capacity);
void ray_verifier_free(ray_verifier *v); /* a zeroed one is fine; what is shown stays */

/* A block whose capacity is RAY_VERIFY_HITS: its answers are overwritten by those of brute
 * force. */
void ray_verifier_check(ray_verifier *v, ray_batch *block, const char *kind, uint64_t first_index,
                        ray_sums *sums);

#endif
