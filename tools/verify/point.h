/* verify/point.h: what is near points, asked of the tree in every way there is, held against every
 * triangle in turn, bit for bit. */
#ifndef TOOLS_VERIFY_POINT_H
#define TOOLS_VERIFY_POINT_H

#include "tools/verify/box_filter.h"
#include "tools/verify/differences.h"
#include "tools/verify/ray_batch.h"
#include "tools/verify/time_by_size.h"

#include <sightline/point_query.h>

typedef struct point_sums {
    uint64_t points, pairs;
    uint64_t near;  /* points with a triangle within the limit */
    uint64_t found; /* triangles within the limit, over all points */
    uint64_t differences;
    time_by_size times; /* of within, or of the k nearest */
} point_sums;

typedef struct point_answer point_answer;

typedef struct point_verifier {
    const query_target *target;
    bool within; /* ask for all within the limit, too; with none that would be all of the mesh */
    size_t max_found;  /* rows that are kept of an answer */
    box_filter filter; /* zeroed: none */
    differences found;
    point_answer *answers; /* to single questions, for each of the block */
    sl_nearest *truth;     /* max_found of them for each of the block */
    sl_nearest *tree;      /* for each worker; and for the block, of functions that take arrays */
    uint64_t *totals;
} point_verifier;

/* capacity: of the largest block.  filtered: brute force only where bounds meet, for the nearest no
 * further away than those that the tree has found.  False when out of memory; free it either way.
 */
bool point_verifier_make(point_verifier *v, const query_target *target, bool within,
                         size_t max_found, size_t capacity, bool filtered);
void point_verifier_free(point_verifier *v); /* a zeroed one is fine; what was found stays */

/* limits: one for each, or NULL: limit is that of all. */
void point_verifier_check(point_verifier *v, const float *points, const float *limits, float limit,
                          size_t count, const char *kind, uint64_t first_index, point_sums *sums);

#endif
