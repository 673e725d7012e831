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
static void run_fans(const sl_bvh *bvh, const bench_rays *rays, const bench_answers *answers)
{
    for (size_t i = 0; i < rays->count; i += rays->fan) {
        const size_t left = rays->count - i, count = left < rays->fan ? left : rays->fan;
        sl_bvh_blocked_from(bvh, rays->segments[i].p, rays->ends + 3 * i, count, NULL,
                            answers->any + i, NULL);
    }
}

static void run_batch(const bench_target *target, const bench_rays *rays, size_t first,
                      size_t count, const bench_answers *answers)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
        sl_bvh_closest_many(target->bvh, rays->rays + first, count, NULL, answers->hits + first,
                            target->tasks);
        break;
    case BENCH_ANY:
        sl_bvh_any_many(target->bvh, rays->rays + first, count, NULL, answers->any + first,
                        target->tasks);
        break;
    case BENCH_BLOCKED:
        sl_bvh_blocked_many(target->bvh, rays->segments + first, count, NULL, answers->any + first,
                            NULL, target->tasks);
        break;
    case BENCH_NEAREST:
        sl_bvh_nearest_many(target->bvh, rays->points + 3 * first, count, INFINITY, NULL,
                            answers->nearest + first, target->tasks);
        break;
    }
}

static void run_scene_batch(const bench_target *target, const bench_rays *rays, size_t first,
                            size_t count, const bench_answers *answers)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
        sl_scene_closest_many(target->scene, rays->rays + first, count, NULL, answers->hits + first,
                              target->tasks);
        break;
    case BENCH_ANY:
        sl_scene_any_many(target->scene, rays->rays + first, count, NULL, answers->any + first,
                          target->tasks);
        break;
    case BENCH_BLOCKED:
        sl_scene_blocked_many(target->scene, rays->segments + first, count, NULL,
                              answers->any + first, NULL, target->tasks);
        break;
    case BENCH_NEAREST:
        break;
    }
}

static void run_scene_single(const sl_scene *scene, const bench_rays *rays, size_t i,
                             const bench_answers *answers)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
        sl_scene_closest(scene, &rays->rays[i], NULL, &answers->hits[i]);
        break;
    case BENCH_ANY:
        answers->any[i] = sl_scene_any(scene, &rays->rays[i], NULL);
        break;
    case BENCH_BLOCKED:
        answers->any[i] = sl_scene_blocked(scene, &rays->segments[i], NULL);
        break;
    case BENCH_NEAREST:
        break;
    }
}

static void run_single(const sl_bvh *bvh, const bench_rays *rays, size_t i,
                       const bench_answers *answers)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
        sl_bvh_closest(bvh, &rays->rays[i], NULL, &answers->hits[i]);
        break;
    case BENCH_ANY:
        answers->any[i] = sl_bvh_any(bvh, &rays->rays[i], NULL);
        break;
    case BENCH_BLOCKED:
        answers->any[i] = sl_bvh_blocked(bvh, &rays->segments[i], NULL);
        break;
    case BENCH_NEAREST:
        sl_bvh_nearest(bvh, rays->points + 3 * i, INFINITY, NULL, &answers->nearest[i]);
        break;
    }
}

void bench_ours_run(const bench_target *target, const bench_rays *rays, size_t batch,
                    const bench_answers *answers)
{
    if (batch == 0 && rays->fan > 0) {
        run_fans(target->bvh, rays, answers);
        return;
    }
    const size_t step = batch > 0 ? batch : rays->count;
    for (size_t i = 0; i < rays->count; i += step) {
        const size_t count = rays->count - i < step ? rays->count - i : step;
        if (batch == 1 && target->scene != NULL) {
            run_scene_single(target->scene, rays, i, answers);
        } else if (batch == 1) {
            run_single(target->bvh, rays, i, answers);
        } else if (target->scene != NULL) {
            run_scene_batch(target, rays, i, count, answers);
        } else {
            run_batch(target, rays, i, count, answers);
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
