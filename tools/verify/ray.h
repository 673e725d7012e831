/* verify/ray.h: every question to the tree, held against every triangle in turn, bit for bit. */
#ifndef TOOLS_VERIFY_H
#define TOOLS_VERIFY_H

#include "tools/verify/differences.h"
#include "tools/verify/ray_batch.h"

enum { VERIFY_HITS = 16 }; /* hits of a ray that are compared one by one */

typedef struct verify_sums {
    uint64_t rays, pairs, hits, differences;
    sl_stats stats; /* of the batch that asks for the closest hit */
} verify_sums;

typedef struct verifier {
    const ask_target *target;
    size_t triangles; /* that brute force looks at: those left out are not */
    differences found;
    ask_block batch; /* answers of the functions that take arrays */
    uint32_t *wrong; /* bits: single questions answered wrongly, for each of the block */
} verifier;

/* room: of the largest block.  False when out of memory. */
bool verifier_make(verifier *v, const ask_target *target, bool are_segments, size_t room);
void verifier_free(verifier *v); /* a zeroed one is fine; what is shown stays */

/* A block whose capacity is VERIFY_HITS: its answers are overwritten by those of brute force. */
void verifier_check(verifier *v, ask_block *block, const char *kind, uint64_t first_index,
                    verify_sums *sums);

#endif
