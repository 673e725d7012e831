/* intersect/paths.h: a line against each shape, without the floating-point bracket of the public
 * functions in paths.c.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/path.h"

#include <sightline/intersect.h>

/* Whether a path hits a volume, or how (sl_plane_meet); 0 for a miss and for an invalid volume.
 * inside is the policy for starting inside, where the volume has an interior; hit, which may be
 * NULL, is of the volume's own type.  Without exact, *unsure is set where doubles could not tell:
 * the same is then to be asked with exact, and *hit means nothing. */
typedef int sli_path_find(sli_path *path, const void *volume, sl_start_inside inside, bool exact,
                          void *hit, bool *unsure);

sli_path_find sli_path_plane;     /* sl_plane; sl_plane_hit */
sli_path_find sli_path_aabb_hit;  /* sl_aabb; sl_aabb_hit */
sli_path_find sli_path_sphere;    /* sl_sphere; sl_round_hit */
sli_path_find sli_path_capsule;   /* sl_capsule; sl_round_hit */
sli_path_find sli_path_obb;       /* sl_obb; sl_obb_hit */
sli_path_find sli_path_unit_cube; /* the 16 floats of an inverse matrix; sl_obb_hit */

/* The span of the path inside the box.  An end with the axis SLI_AT_T is a limit, any other a face.
 */
typedef struct sli_path_span {
    sli_path_location begin, end;
    bool inside; /* the path starts in the interior */
} sli_path_span;

bool sli_path_aabb(sli_path *path, const sl_aabb *box, sli_path_span *out);
