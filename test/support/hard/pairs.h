/* pairs.h: a ray or segment against a triangle, most of them hard: exactly or nearly through
 * vertices and edges, along planes, of any magnitude, with quotients at the boundaries between
 * floats.  The kinds of hardness are drawn independently of one another. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/intersect.h>

typedef enum hard_pair_kind {
    PAIR_AIMED,      /* any shape, aimed at a vertex, an edge, ... , moved and scaled */
    PAIR_UNIMODULAR, /* integers, an edge function of 0, +-1 or +-2 among terms of up to 2^66 */
    PAIR_T_BOUNDARY, /* t lies on, or very little beside, a float or the middle between two */
    PAIR_U_BOUNDARY, /* the same for u and v */
    PAIR_T_RANGE,    /* t beyond the largest float, or around the smallest */
    PAIR_KINDS
} hard_pair_kind;

typedef struct hard_pair {
    sl_triangle triangle;
    bool is_segment; /* which of the next two is meant */
    sl_ray ray;      /* limits: -inf to +inf */
    sl_segment segment;
    uint32_t flags; /* for segments, SL_OPEN_... */
    sl_cull cull;
} hard_pair;

hard_pair hard_pair_make(hard_pair_kind kind, test_random *random);

/* Prints a pair so that it can be pasted into a test. */
void hard_pair_print(const hard_pair *pair);
