/* intersect/ball.h: where a path meets a ball, and hits made from the roots: for spheres, and for
 * capsules, whose ends are balls.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/quadratic.h"

#include <sightline/intersect.h>

/* The quadratic |from + t dir|^2 = radius^2, from being the path's origin seen from the centre. */
typedef struct sli_ball {
    sli_number dir[3], from[3], radius;
    sli_quadratic q;
} sli_ball;

void sli_ball_make(const sli_path *path, const float centre[3], float radius, bool exact,
                   sli_ball *out);

/* The outward unit normal where the path crosses; zero for a radius of 0. */
void sli_ball_normal(const sli_ball *ball, sli_root root, float normal[3], bool *unsure);

/* Where a path is inside a round shape.  A path of zero length has no roots: it is inside
 * throughout. */
typedef struct sli_round_span {
    const sli_quadratic *entry, *exit; /* NULL for a path of zero length */
    bool interior;                     /* the span is in the interior, not along the surface */
} sli_round_span;

/* The part of a span within the limits of the path. */
typedef struct sli_round_clip {
    bool entry, exit; /* which ends are crossings, rather than limits */
    bool inside;      /* the path starts in the interior */
    bool at_end;      /* the hit is at the exit */
} sli_round_clip;

/* Clips the span to the path's limits; false if that leaves nothing, or if the policy for starting
 * inside makes it a miss. */
bool sli_round_clip_span(const sli_path *path, const sli_round_span *span, sl_start_inside inside,
                         sli_round_clip *out, bool *unsure);

/* Fills in all of the hit but the normal, which it sets to zero. */
void sli_round_fill(const sli_path *path, const sli_round_span *span, const sli_round_clip *clip,
                    sl_round_hit *hit, bool *unsure);
