/* contact/common.h: the corners of what two triangles share, by name. */
#pragma once

#include <sightline/contact.h>

/* A corner of what two triangles share.  It lies within one face of each: a corner, an edge or the
 * triangle itself, given by its corners, bit i for v[i].  A triangle without area has only the two
 * corners of its segment, or the one of its point, the first ones of those at equal positions. */
typedef struct sli_common_point {
    uint8_t in_a, in_b; /* 1 .. 7 */
} sli_common_point;

static inline bool sli_is_one_corner(uint8_t face)
{
    return (face & (face - 1)) == 0;
}

enum { SLI_COMMON_MAX = 6 };
typedef struct sli_common {
    sl_relation relation;
    int count;
    /* No two are the same point.  Those of a polygon run around the front of a, from any of them
     * on; of two of triangles in two planes, the second lies from the first along the cross product
     * of the fronts of a and b. */
    sli_common_point at[SLI_COMMON_MAX];
} sli_common;
