/* path_aabb.h: the inside of ray_aabb.c, for other queries and for tests that count stages.
 * Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_INTERSECT_PATH_AABB_H
#define SLI_GEOM_INTERSECT_PATH_AABB_H

#include "lib/geom/exact/path.h"

#include <sightline/intersect.h>

/* The span of the path inside the box.  A place at t is a limit, any other a face. */
typedef struct sli_span {
    sli_place begin, end;
    bool inside; /* the path starts in the interior */
} sli_span;

bool sli_path_aabb(sli_path *path, const sl_aabb *box, sli_span *out);

/* The hit that the policy makes of it; false for none.  hit may be NULL. */
bool sli_path_aabb_hit(sli_path *path, const sl_aabb *box, sl_start_inside inside,
                       sl_aabb_hit *hit);

#endif
