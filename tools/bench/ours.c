/* bench/ours.c: runs a set on our tree and keeps the answers, for bench. */
#include "tools/bench/ours.h"

#include <math.h>
#include <stdlib.h>

bool bench_answers_make(bench_answers *answers, const bench_rays *rays)
{
    *answers = (bench_answers){ 0 };
    switch (rays->query) {
    case BENCH_CLOSEST:
        return (answers->hits = malloc(rays->count * sizeof *answers->hits)) != NULL;
    case BENCH_ANY:
    case BENCH_BLOCKED:
        return (answers->any = malloc(rays->count * sizeof *answers->any)) != NULL;
    case BENCH_NEAREST:
        return (answers->nearest = malloc(rays->count * sizeof *answers->nearest)) != NULL;
    }
    return false;
}

void bench_answers_free(bench_answers *answers)
{
    free(answers->hits);
    free(answers->any);
    free(answers->nearest);
    *answers = (bench_answers){ 0 };
}

/* One call for each eye. */
static void run_fans(const sl_bvh *bvh, const bench_rays *rays, const sl_query *query,
                     const bench_answers *answers, const sl_tasks *tasks)
{
    for (size_t i = 0; i < rays->count; i += rays->fan) {
        const size_t left = rays->count - i, count = left < rays->fan ? left : rays->fan;
        sl_bvh_blocked_from(bvh, rays->segments[i].p, rays->ends + 3 * i, count, query,
                            answers->any + i, tasks);
    }
}

void bench_ours_run(const sl_bvh *bvh, const bench_rays *rays, const sl_query *query,
                    const bench_answers *answers, const sl_tasks *tasks)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
        sl_bvh_closest_many(bvh, rays->rays, rays->count, query, answers->hits, tasks);
        break;
    case BENCH_ANY:
        sl_bvh_any_many(bvh, rays->rays, rays->count, query, answers->any, tasks);
        break;
    case BENCH_BLOCKED:
        if (rays->fan > 0) {
            run_fans(bvh, rays, query, answers, tasks);
            break;
        }
        sl_bvh_blocked_many(bvh, rays->segments, rays->count, query, answers->any, NULL, tasks);
        break;
    case BENCH_NEAREST:
        sl_bvh_nearest_many(bvh, rays->points, rays->count, INFINITY, query, answers->nearest,
                            tasks);
        break;
    }
}

void bench_ours_run_single(const sl_bvh *bvh, const bench_rays *rays, const bench_answers *answers)
{
    for (size_t i = 0; i < rays->count; i++) {
        if (rays->query == BENCH_CLOSEST) {
            sl_bvh_closest(bvh, &rays->rays[i], NULL, &answers->hits[i]);
        } else {
            answers->any[i] = sl_bvh_any(bvh, &rays->rays[i], NULL);
        }
    }
}

double bench_ours_hits(const bench_answers *answers, const bench_rays *rays)
{
    size_t hits = 0;
    for (size_t i = 0; i < rays->count; i++) {
        hits += bench_ours_t(answers, rays, i) < INFINITY;
    }
    return rays->query == BENCH_NEAREST ? NAN : (double)hits / (double)rays->count;
}

float bench_ours_t(const bench_answers *answers, const bench_rays *rays, size_t i)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
        return answers->hits[i].prim == SL_NONE ? INFINITY : answers->hits[i].t;
    case BENCH_ANY:
    case BENCH_BLOCKED:
        return answers->any[i] != 0 ? 0 : INFINITY;
    case BENCH_NEAREST:
        return answers->nearest[i].distance;
    }
    return INFINITY;
}
