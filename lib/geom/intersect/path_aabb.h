/* intersect/path_aabb.h: a path against an axis-aligned box, without the floating-point bracket of
 * the public functions; for them and for tests that count stages.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_INTERSECT_PATH_AABB_H
#define SLI_GEOM_INTERSECT_PATH_AABB_H

#include "lib/geom/exact/path.h"

#include <sightline/intersect.h>

/* The span of the path inside the box.  An end with the axis SLI_AT_T is a limit, any other a face.
 */
typedef struct sli_span {
    sli_place begin, end;
    bool inside; /* the path starts in the interior */
} sli_span;

bool sli_path_aabb(sli_path *path, const sl_aabb *box, sli_span *out);

/* The hit, by the policy for starting inside; false for a miss.  hit may be NULL. */
bool sli_path_aabb_hit(sli_path *path, const sl_aabb *box, sl_start_inside inside,
                       sl_aabb_hit *hit);

#endif
