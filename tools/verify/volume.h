/* verify/volume.h: what volumes touch, asked of the tree in every way there is, held against every
 * triangle in turn. */
#ifndef TOOLS_VERIFY_VOLUME_H
#define TOOLS_VERIFY_VOLUME_H

#include "tools/verify/box_filter.h"
#include "tools/verify/differences.h"
#include "tools/verify/ray_batch.h"
#include "tools/verify/time_by_size.h"

#include <sightline/volume_query.h>

typedef struct volume_sums {
    uint64_t volumes, pairs;
    uint64_t touching; /* volumes that touch something */
    uint64_t touched;  /* triangles, over all volumes */
    uint64_t differences;
    time_by_size times; /* of the lists */
} volume_sums;

typedef struct volume_answer volume_answer;

typedef struct volume_verifier {
    const query_target *target;
    differences found;
    size_t triangles;
    box_filter filter;      /* zeroed: none */
    sl_triangle_ref *lists; /* two of all triangles for each worker */
    volume_answer *answers; /* to single questions, for each of the block */
    sl_triangle_ref *rows;  /* of the function that takes arrays */
    uint64_t *totals;
    uint8_t *touches;
} volume_verifier;

/* capacity: of the largest block.  filtered: brute force only where bounds meet.  False when out of
 * memory; free it either way. */
bool volume_verifier_make(volume_verifier *v, const query_target *target, size_t capacity,
                          bool filtered);
void volume_verifier_free(volume_verifier *v); /* a zeroed one is fine; what was found stays */

void volume_verifier_check(volume_verifier *v, const sl_volume *volumes, size_t count,
                           const char *kind, uint64_t first_index, volume_sums *sums);

#endif
