/* bench/ours.h: our answers to a set. */
#ifndef TOOLS_BENCH_OURS_H
#define TOOLS_BENCH_OURS_H

#include "tools/bench/input/sets.h"

#include <sightline/point_query.h>
#include <sightline/ray_query.h>
#include <sightline/scene.h>

/* What of ours is asked: a tree, or where scene is not NULL that, which has no points. */
typedef struct bench_target {
    const sl_bvh *bvh;
    const sl_scene *scene;
    const sl_tasks *tasks; /* NULL: the calling thread alone */
} bench_target;

/* Buffers for the answers; one of the arrays is there. */
typedef struct bench_answers {
    sl_hit *hits;
    uint8_t *any;
    sl_nearest *nearest;
} bench_answers;

bool bench_answers_make(bench_answers *answers, const bench_rays *rays); /* false: out of memory */
void bench_answers_free(bench_answers *answers);                         /* a zeroed one is fine */

/* batch: rays, segments or points a call; 0: everything in one.  1 is not a batch of one but the
 * call for a single ray. */
void bench_ours_run(const bench_target *target, const bench_rays *rays, size_t batch,
                    const bench_answers *answers);

/* Share of rays or segments that hit; NAN for points. */
double bench_ours_hits(const bench_answers *answers, const bench_rays *rays);

/* As bench_peer_answers has them. */
float bench_ours_t(const bench_answers *answers, const bench_rays *rays, size_t i);

#endif
