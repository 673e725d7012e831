/* world_batches.c: the questions of a case to a scene, CASE_BATCH in a call. */
#include "test/cliffs/world_ask.h"

#include <math.h>
#include <string.h>

sl_query world_query(const world_question *q, sl_stats *stats)
{
    sl_query query = { .stats = stats };
    const select_kind select = (select_kind)case_int(q->c, CASE_SELECT);
    if (q->selecting && select != SELECT_ALL) {
        query.flags = select == SELECT_IGNORE ? SL_USE_IGNORE : SL_USE_MASK;
        query.mask = select == SELECT_FEW ? 1 : 0xFE;
        query.ignore = &q->ignored;
        query.ignore_count = 1;
    }
    return query;
}

/* Questions first to first + count - 1. */
typedef struct batch {
    const sl_scene *scene;
    const world_questions *q;
    size_t first, count;
    const sl_query *query;
    const world_answers *to;
    bool hinted;
} batch;

static void *row(const batch *b, size_t size)
{
    return b->to->rows + b->first * size;
}

static sl_triangle_ref *hints_of(const batch *b)
{
    if (!b->hinted) {
        return NULL;
    }
    sl_triangle_ref *hints = b->to->hints + b->first;
    memcpy(hints, b->q->hints + b->first, b->count * sizeof *hints);
    return hints;
}

static sl_ray_columns columns_of(const sl_ray *rays)
{
    return sl_ray_columns_of_structs(rays->origin, rays->dir, &rays->tmin, &rays->tmax,
                                     sizeof *rays);
}

static void closest_columns(const batch *b)
{
    const sl_ray_columns from = columns_of(b->q->floats.rays + b->first);
    sl_hit *hits = row(b, sizeof *hits);
    const size_t stride = sizeof *hits;
    const sl_hit_columns to = { { &hits->t, stride },        { &hits->u, stride },
                                { &hits->v, stride },        { &hits->prim, stride },
                                { &hits->instance, stride }, { &hits->flags, stride } };
    sl_scene_closest_columns(b->scene, &from, b->count, b->query, &to, NULL);
}

static void any_columns(const batch *b)
{
    const sl_ray_columns from = columns_of(b->q->floats.rays + b->first);
    sl_scene_any_columns(b->scene, &from, b->count, b->query, b->to->any + b->first, NULL);
}

static void ask_rays(const batch *b, call_kind call)
{
    const cliff_rays *f = &b->q->floats;
    const sl_ray *rays = f->rays + b->first;
    const sl_segment *segments = f->segments + b->first;
    uint8_t *any = b->to->any + b->first;
    switch (call) {
    case CALL_CLOSEST:
        sl_scene_closest_many(b->scene, rays, b->count, b->query, row(b, sizeof(sl_hit)), NULL);
        break;
    case CALL_ANY:
        sl_scene_any_many(b->scene, rays, b->count, b->query, any, NULL);
        break;
    case CALL_BLOCKED:
        sl_scene_blocked_many(b->scene, segments, b->count, b->query, any, hints_of(b), NULL);
        break;
    case CALL_CLOSEST_SEGMENT:
        sl_scene_closest_segment_many(b->scene, segments, b->count, b->query,
                                      row(b, sizeof(sl_hit)), NULL);
        break;
    case CALL_ANY_FROM:
        sl_scene_any_from(b->scene, rays->origin, f->dirs + 3 * b->first, b->count, rays->tmax,
                          b->query, any, NULL);
        break;
    case CALL_BLOCKED_FROM:
        sl_scene_blocked_from(b->scene, segments->p, f->targets + 3 * b->first, b->count, b->query,
                              any, NULL);
        break;
    case CALL_CLOSEST_COLUMNS:
        closest_columns(b);
        break;
    default:
        any_columns(b);
        break;
    }
}

static void ask_rays_d(const batch *b, call_kind call)
{
    const world_questions *q = b->q;
    const sl_ray_d *rays = q->rays + b->first;
    const sl_segment_d *segments = q->segments + b->first;
    uint8_t *any = b->to->any + b->first;
    switch (call) {
    case CALL_CLOSEST:
    case CALL_CLOSEST_COLUMNS:
        sl_scene_closest_d_many(b->scene, rays, b->count, b->query, row(b, sizeof(sl_hit_d)), NULL);
        break;
    case CALL_BLOCKED:
        sl_scene_blocked_d_many(b->scene, segments, b->count, b->query, any, hints_of(b), NULL);
        break;
    case CALL_CLOSEST_SEGMENT:
        sl_scene_closest_segment_d_many(b->scene, segments, b->count, b->query,
                                        row(b, sizeof(sl_hit_d)), NULL);
        break;
    case CALL_ANY_FROM:
        sl_scene_any_from_d(b->scene, rays->origin, q->dirs + 3 * b->first, b->count, rays->tmax,
                            b->query, any, NULL);
        break;
    case CALL_BLOCKED_FROM:
        sl_scene_blocked_from_d(b->scene, segments->p, q->targets + 3 * b->first, b->count,
                                b->query, any, NULL);
        break;
    default:
        sl_scene_any_d_many(b->scene, rays, b->count, b->query, any, NULL);
        break;
    }
}

static void ask_points(const batch *b, call_kind call)
{
    const world_questions *q = b->q;
    const float *points = q->floats.points + 3 * b->first;
    uint64_t *totals = b->to->totals + b->first;
    if (call == CALL_NEAREST) {
        sl_scene_nearest_many(b->scene, points, b->count, INFINITY, b->query,
                              row(b, sizeof(sl_nearest)), NULL);
    } else if (call == CALL_NEAREST_K) {
        sl_scene_nearest_k_many(b->scene, points, b->count, INFINITY, b->query,
                                row(b, q->room * sizeof(sl_nearest)), q->room, totals, NULL);
    } else if (call == CALL_WITHIN) {
        sl_scene_within_many(b->scene, points, b->count, q->radius, b->query,
                             row(b, q->room * sizeof(sl_nearest)), q->room, totals, NULL);
    } else {
        sl_scene_inside_many(b->scene, points, b->count, b->query,
                             b->to->instances + b->first * q->room, q->room, totals, NULL);
    }
}

static void ask_points_d(const batch *b, call_kind call)
{
    const world_questions *q = b->q;
    const double *points = q->points + 3 * b->first;
    uint64_t *totals = b->to->totals + b->first;
    if (call == CALL_NEAREST) {
        sl_scene_nearest_d_many(b->scene, points, b->count, INFINITY, b->query,
                                row(b, sizeof(sl_nearest_d)), NULL);
    } else if (call == CALL_NEAREST_K) {
        sl_scene_nearest_k_d_many(b->scene, points, b->count, INFINITY, b->query,
                                  row(b, q->room * sizeof(sl_nearest_d)), q->room, totals, NULL);
    } else if (call == CALL_WITHIN) {
        sl_scene_within_d_many(b->scene, points, b->count, q->radius, b->query,
                               row(b, q->room * sizeof(sl_nearest_d)), q->room, totals, NULL);
    } else {
        sl_scene_inside_d_many(b->scene, points, b->count, b->query,
                               b->to->instances + b->first * q->room, q->room, totals, NULL);
    }
}

static void ask_volumes(const batch *b, form_kind form, bool all)
{
    const world_questions *q = b->q;
    const sl_volume *floats = q->volumes + b->first;
    const sl_volume_d *doubles = q->volumes_d + b->first;
    sl_triangle_ref *refs = row(b, q->room * sizeof *refs);
    uint64_t *totals = b->to->totals + b->first;
    uint8_t *any = b->to->any + b->first;
    if (all && form == FORM_DOUBLES) {
        sl_scene_overlap_all_d_many(b->scene, doubles, b->count, b->query, refs, q->room, totals,
                                    NULL);
    } else if (all) {
        sl_scene_overlap_all_many(b->scene, floats, b->count, b->query, refs, q->room, totals,
                                  NULL);
    } else if (form == FORM_DOUBLES) {
        sl_scene_overlap_any_d_many(b->scene, doubles, b->count, b->query, any, NULL);
    } else {
        sl_scene_overlap_any_many(b->scene, floats, b->count, b->query, any, NULL);
    }
}

void world_ask_batches(const world_question *q, sl_stats *stats, const world_answers *answers)
{
    const sl_query query = world_query(q, stats);
    const size_t size = (size_t)q->c->field[CASE_BATCH], count = q->questions->floats.count;
    const call_kind call = (call_kind)case_int(q->c, CASE_CALL);
    const bool doubles = q->form == FORM_DOUBLES;
    batch b = { q->scene, q->questions, 0, 0, &query, answers, q->hinted };
    for (; b.first < count; b.first += size) {
        b.count = count - b.first < size ? count - b.first : size;
        if (call == CALL_OVERLAP_ANY || call == CALL_OVERLAP_ALL) {
            ask_volumes(&b, q->form, call == CALL_OVERLAP_ALL);
        } else if (call >= CALL_NEAREST_K || call == CALL_NEAREST) {
            (doubles ? ask_points_d : ask_points)(&b, call);
        } else {
            (doubles ? ask_rays_d : ask_rays)(&b, call);
        }
    }
}
