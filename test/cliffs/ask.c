#include "test/cliffs/ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool answers_make(size_t count, cliff_answers *out)
{
    *out = (cliff_answers){ calloc(count, sizeof *out->hits), calloc(count, sizeof *out->nearest),
                            calloc(count, 1) };
    if (out->hits != NULL && out->nearest != NULL && out->any != NULL) {
        return true;
    }
    answers_free(out);
    return false;
}

void answers_free(cliff_answers *answers)
{
    free(answers->hits);
    free(answers->nearest);
    free(answers->any);
}

bool answers_agree(const cliff_answers *a, const cliff_answers *b, size_t count)
{
    bool agree = memcmp(a->hits, b->hits, count * sizeof *a->hits) == 0 &&
                 memcmp(a->any, b->any, count) == 0;
    for (size_t i = 0; i < count; i++) {
        agree = agree && memcmp(&a->nearest[i].distance, &b->nearest[i].distance, 4) == 0 &&
                a->nearest[i].prim == b->nearest[i].prim;
    }
    return agree;
}

static sl_ray_columns ray_columns(const sl_ray *rays)
{
    return sl_ray_columns_of_structs(rays->origin, rays->dir, &rays->tmin, &rays->tmax,
                                     sizeof *rays);
}

static sl_hit_columns hit_columns(sl_hit *hits)
{
    const size_t stride = sizeof *hits;
    return (sl_hit_columns){ { &hits->t, stride },        { &hits->u, stride },
                             { &hits->v, stride },        { &hits->prim, stride },
                             { &hits->instance, stride }, { &hits->flags, stride } };
}

/* Rays first to first + count - 1 in one call. */
static void ask_batch(const cliff_question *q, size_t first, size_t count, const sl_query *query,
                      const cliff_answers *answers)
{
    const sl_bvh *bvh = q->scene->bvh;
    const sl_ray *rays = q->rays->rays + first;
    const sl_segment *segments = q->rays->segments + first;
    sl_hit *hits = answers->hits + first;
    uint8_t *any = answers->any + first;
    switch ((call_kind)case_int(q->c, CASE_CALL)) {
    case CALL_CLOSEST:
        sl_bvh_closest_many(bvh, rays, count, query, hits, NULL);
        break;
    case CALL_ANY:
        sl_bvh_any_many(bvh, rays, count, query, any, NULL);
        break;
    case CALL_BLOCKED:
        sl_bvh_blocked_many(bvh, segments, count, query, any, NULL, NULL);
        break;
    case CALL_CLOSEST_SEGMENT:
        sl_bvh_closest_segment_many(bvh, segments, count, query, hits, NULL);
        break;
    case CALL_ANY_FROM:
        sl_bvh_any_from(bvh, rays->origin, q->rays->dirs + 3 * first, count, rays->tmax, query, any,
                        NULL);
        break;
    case CALL_BLOCKED_FROM:
        sl_bvh_blocked_from(bvh, segments->p, q->rays->targets + 3 * first, count, query, any,
                            NULL);
        break;
    case CALL_NEAREST:
        sl_bvh_nearest_many(bvh, q->rays->points + 3 * first, count, INFINITY, query,
                            answers->nearest + first, NULL);
        break;
    case CALL_CLOSEST_COLUMNS: {
        const sl_ray_columns from = ray_columns(rays);
        const sl_hit_columns to = hit_columns(hits);
        sl_bvh_closest_columns(bvh, &from, count, query, &to, NULL);
        break;
    }
    case CALL_ANY_COLUMNS: {
        const sl_ray_columns from = ray_columns(rays);
        sl_bvh_any_columns(bvh, &from, count, query, any, NULL);
        break;
    }
    default:
        break;
    }
}

void ask_batches(const cliff_question *q, sl_stats *stats, const cliff_answers *answers)
{
    const sl_query query = { .stats = stats };
    const size_t size = (size_t)q->c->field[CASE_BATCH];
    for (size_t first = 0; first < q->rays->count; first += size) {
        const size_t left = q->rays->count - first;
        ask_batch(q, first, left < size ? left : size, stats != NULL ? &query : NULL, answers);
    }
}

void ask_singly(const cliff_question *q, sl_stats *stats, const cliff_answers *answers)
{
    const sl_query counted = { .stats = stats }, *query = stats != NULL ? &counted : NULL;
    const sl_bvh *bvh = q->scene->bvh;
    const call_kind call = (call_kind)case_int(q->c, CASE_CALL);
    for (size_t i = 0; i < q->rays->count; i++) {
        switch (call) {
        case CALL_CLOSEST:
        case CALL_CLOSEST_COLUMNS:
            (void)sl_bvh_closest(bvh, &q->rays->rays[i], query, &answers->hits[i]);
            break;
        case CALL_CLOSEST_SEGMENT:
            (void)sl_bvh_closest_segment(bvh, &q->rays->segments[i], query, &answers->hits[i]);
            break;
        case CALL_BLOCKED:
        case CALL_BLOCKED_FROM:
            answers->any[i] = sl_bvh_blocked(bvh, &q->rays->segments[i], query);
            break;
        case CALL_NEAREST:
            (void)sl_bvh_nearest(bvh, q->rays->points + 3 * i, INFINITY, query,
                                 &answers->nearest[i]);
            break;
        default:
            answers->any[i] = sl_bvh_any(bvh, &q->rays->rays[i], query);
            break;
        }
    }
}
