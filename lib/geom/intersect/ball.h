/* ball.h: a path against a ball, and what is made of the roots: for spheres, and for capsules,
 * whose ends are balls. Callers  hold the floating-point environment. */
#ifndef SLI_GEOM_INTERSECT_BALL_H
#define SLI_GEOM_INTERSECT_BALL_H

#include "lib/geom/exact/quadratic.h"

#include <sightline/intersect.h>

/* |from + t dir| = radius. */
typedef struct sli_ball {
    sli_number dir[3], from[3], radius;
    sli_quadratic q;
} sli_ball;

void sli_ball_make(const sli_path *path, const float centre[3], float radius, bool exact,
                   sli_ball *out);

/* Of length 1, outwards where the path crosses; zero for a radius of 0. */
void sli_ball_normal(const sli_ball *ball, sli_root root, float normal[3], bool *unsure);

/* Where a path is in a round shape.  One of no length has no roots: it is within, always. */
typedef struct sli_round_span {
    const sli_quadratic *entry, *exit; /* NULL for one of no length */
    bool interior;                     /* between the two (or there) it is in the interior */
} sli_round_span;

/* The part of a span within the limits of the path. */
typedef struct sli_round_clip {
    bool entry, exit; /* of the ends, which are crossings */
    bool inside;      /* the path starts in the interior */
    bool at_end;      /* the hit is at the exit */
} sli_round_clip;

/* False where the policy makes no hit of it. */
bool sli_round_clip_span(const sli_path *path, const sli_round_span *span, sl_start_inside inside,
                         sli_round_clip *out, bool *unsure);

/* All of the hit but the normal, which is zero. */
void sli_round_fill(const sli_path *path, const sli_round_span *span, const sli_round_clip *clip,
                    sl_round_hit *hit, bool *unsure);

#endif
