/* contact/segments.h: the segments that pairs of triangles of two trees share, between points that
 * are numbered: equal ones once, for curves. */
#pragma once

#include "bvh/contact/pairs.h"
#include "lib/base/hooks.h"
#include "lib/geom/contact/relation.h"

/* A pair that shares a segment or more, and the corners of that. */
typedef struct sli_segment_pair {
    sl_clash_pair pair;
    uint8_t count;
    sli_common_point at[SLI_COMMON_MAX];
} sli_segment_pair;

/* A point, the first pair that has it, and which it is of that one's. */
typedef struct sli_node {
    double x[3];   /* rounded */
    uint32_t next; /* in the chain of its hash */
    uint32_t pair;
    sli_common_point at;
} sli_node;

typedef struct sli_segment {
    uint32_t node[2];
    uint32_t pair;
    bool outline; /* of area that a coplanar pair shares: to the left, seen from the front of a */
} sli_segment;

typedef struct sli_segments {
    sl_allocator allocator;
    sli_stage *stage;
    const sl_bvh *bvh[2];
    const sl_clash *clash;
    sli_segment_pair *pairs; /* in rising order of (a, b), once they have been sorted */
    size_t pair_count, pair_capacity;
    sli_node *nodes;
    size_t node_count, node_capacity;
    uint32_t *heads;       /* of chains of nodes */
    size_t head_count;     /* a power of two */
    sli_segment *segments; /* in the order of pairs */
    size_t segment_count, segment_capacity;
} sli_segments;

/* Finds them all.  Free it either way. */
sl_result sli_segments_find(sli_segments *segments);
void sli_segments_free(sli_segments *segments);

/* Leaves one of those that are the same, that of the lowest pair, and none of those inside shared
 * area: where such area is to the left as often as it is to the right. */
sl_result sli_segments_merge(sli_segments *segments);
