/* world_flat.c: the questions of a case to one tree over all triangles of the world, in floats. */
#include "test/cliffs/world_ask.h"

#include <math.h>

bool world_flat_has(const cliff_case *c)
{
    return case_int(c, CASE_CALL) != CALL_INSIDE && case_int(c, CASE_SELECT) == SELECT_ALL;
}

typedef struct batch {
    const sl_bvh *flat;
    const world_questions *q;
    size_t first, count;
    const sl_query *query;
    const world_answers *to;
} batch;

static void *row(const batch *b, size_t size)
{
    return b->to->rows + b->first * size;
}

static void ask_rays(const batch *b, call_kind call)
{
    const cliff_rays *f = &b->q->floats;
    const sl_ray *rays = f->rays + b->first;
    const sl_segment *segments = f->segments + b->first;
    uint8_t *any = b->to->any + b->first;
    switch (call) {
    case CALL_CLOSEST:
    case CALL_CLOSEST_COLUMNS:
        sl_bvh_closest_many(b->flat, rays, b->count, b->query, row(b, sizeof(sl_hit)), NULL);
        break;
    case CALL_BLOCKED:
        sl_bvh_blocked_many(b->flat, segments, b->count, b->query, any, NULL, NULL);
        break;
    case CALL_CLOSEST_SEGMENT:
        sl_bvh_closest_segment_many(b->flat, segments, b->count, b->query, row(b, sizeof(sl_hit)),
                                    NULL);
        break;
    case CALL_ANY_FROM:
        sl_bvh_any_from(b->flat, rays->origin, f->dirs + 3 * b->first, b->count, rays->tmax,
                        b->query, any, NULL);
        break;
    case CALL_BLOCKED_FROM:
        sl_bvh_blocked_from(b->flat, segments->p, f->targets + 3 * b->first, b->count, b->query,
                            any, NULL);
        break;
    default:
        sl_bvh_any_many(b->flat, rays, b->count, b->query, any, NULL);
        break;
    }
}

static void ask_others(const batch *b, call_kind call)
{
    const world_questions *q = b->q;
    const float *points = q->floats.points + 3 * b->first;
    const sl_volume *volumes = q->volumes + b->first;
    uint64_t *totals = b->to->totals + b->first;
    if (call == CALL_NEAREST) {
        sl_bvh_nearest_many(b->flat, points, b->count, INFINITY, b->query,
                            row(b, sizeof(sl_nearest)), NULL);
    } else if (call == CALL_NEAREST_K) {
        sl_bvh_nearest_k_many(b->flat, points, b->count, INFINITY, b->query,
                              row(b, q->room * sizeof(sl_nearest)), q->room, totals, NULL);
    } else if (call == CALL_WITHIN) {
        sl_bvh_within_many(b->flat, points, b->count, q->radius, b->query,
                           row(b, q->room * sizeof(sl_nearest)), q->room, totals, NULL);
    } else if (call == CALL_OVERLAP_ALL) {
        sl_bvh_overlap_all_many(b->flat, volumes, b->count, b->query,
                                row(b, q->room * sizeof(sl_triangle_ref)), q->room, totals, NULL);
    } else {
        sl_bvh_overlap_any_many(b->flat, volumes, b->count, b->query, b->to->any + b->first, NULL);
    }
}

void world_ask_flat(const world_question *q, sl_stats *stats, const world_answers *answers)
{
    const sl_query query = { .stats = stats };
    const size_t size = (size_t)q->c->field[CASE_BATCH], count = q->questions->floats.count;
    const call_kind call = (call_kind)case_int(q->c, CASE_CALL);
    batch b = { q->flat, q->questions, 0, 0, &query, answers };
    for (; b.first < count; b.first += size) {
        b.count = count - b.first < size ? count - b.first : size;
        if (call >= CALL_NEAREST_K || call == CALL_NEAREST) {
            ask_others(&b, call);
        } else {
            ask_rays(&b, call);
        }
    }
}
