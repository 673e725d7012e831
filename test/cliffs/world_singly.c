/* world_singly.c: the questions of a case to a scene, each in a call of the single function. */
#include "test/cliffs/world_ask.h"

#include <math.h>

typedef struct one {
    const sl_scene *scene;
    const world_questions *q;
    size_t i;
    const sl_query *query;
    const world_answers *to;
} one;

static void *row(const one *o, size_t size)
{
    return o->to->rows + o->i * size;
}

static void ask_ray(const one *o, call_kind call)
{
    const sl_ray *ray = &o->q->floats.rays[o->i];
    const sl_segment *segment = &o->q->floats.segments[o->i];
    uint8_t *any = &o->to->any[o->i];
    if (call == CALL_CLOSEST || call == CALL_CLOSEST_COLUMNS) {
        (void)sl_scene_closest(o->scene, ray, o->query, row(o, sizeof(sl_hit)));
    } else if (call == CALL_CLOSEST_SEGMENT) {
        (void)sl_scene_closest_segment(o->scene, segment, o->query, row(o, sizeof(sl_hit)));
    } else if (call == CALL_BLOCKED || call == CALL_BLOCKED_FROM) {
        *any = sl_scene_blocked(o->scene, segment, o->query);
    } else {
        *any = sl_scene_any(o->scene, ray, o->query);
    }
}

static void ask_ray_d(const one *o, call_kind call)
{
    const sl_ray_d *ray = &o->q->rays[o->i];
    const sl_segment_d *segment = &o->q->segments[o->i];
    uint8_t *any = &o->to->any[o->i];
    if (call == CALL_CLOSEST || call == CALL_CLOSEST_COLUMNS) {
        (void)sl_scene_closest_d(o->scene, ray, o->query, row(o, sizeof(sl_hit_d)));
    } else if (call == CALL_CLOSEST_SEGMENT) {
        (void)sl_scene_closest_segment_d(o->scene, segment, o->query, row(o, sizeof(sl_hit_d)));
    } else if (call == CALL_BLOCKED || call == CALL_BLOCKED_FROM) {
        *any = sl_scene_blocked_d(o->scene, segment, o->query);
    } else {
        *any = sl_scene_any_d(o->scene, ray, o->query);
    }
}

static void ask_point(const one *o, call_kind call)
{
    const world_questions *q = o->q;
    const float *point = q->floats.points + 3 * o->i;
    uint64_t *total = &o->to->totals[o->i];
    if (call == CALL_NEAREST) {
        (void)sl_scene_nearest(o->scene, point, INFINITY, o->query, row(o, sizeof(sl_nearest)));
    } else if (call == CALL_NEAREST_K) {
        *total = sl_scene_nearest_k(o->scene, point, INFINITY, o->query,
                                    row(o, q->room * sizeof(sl_nearest)), q->room);
    } else if (call == CALL_WITHIN) {
        *total = sl_scene_within(o->scene, point, q->radius, o->query,
                                 row(o, q->room * sizeof(sl_nearest)), q->room);
    } else {
        *total =
            sl_scene_inside(o->scene, point, o->query, o->to->instances + o->i * q->room, q->room);
    }
}

static void ask_point_d(const one *o, call_kind call)
{
    const world_questions *q = o->q;
    const double *point = q->points + 3 * o->i;
    uint64_t *total = &o->to->totals[o->i];
    if (call == CALL_NEAREST) {
        (void)sl_scene_nearest_d(o->scene, point, INFINITY, o->query, row(o, sizeof(sl_nearest_d)));
    } else if (call == CALL_NEAREST_K) {
        *total = sl_scene_nearest_k_d(o->scene, point, INFINITY, o->query,
                                      row(o, q->room * sizeof(sl_nearest_d)), q->room);
    } else if (call == CALL_WITHIN) {
        *total = sl_scene_within_d(o->scene, point, q->radius, o->query,
                                   row(o, q->room * sizeof(sl_nearest_d)), q->room);
    } else {
        *total = sl_scene_inside_d(o->scene, point, o->query, o->to->instances + o->i * q->room,
                                   q->room);
    }
}

static void ask_volume(const one *o, form_kind form, bool all)
{
    const sl_volume *floats = &o->q->volumes[o->i];
    const sl_volume_d *doubles = &o->q->volumes_d[o->i];
    sl_triangle_ref *refs = row(o, o->q->room * sizeof *refs);
    if (all) {
        o->to->totals[o->i] =
            form == FORM_DOUBLES
                ? sl_scene_overlap_all_d(o->scene, doubles, o->query, refs, o->q->room)
                : sl_scene_overlap_all(o->scene, floats, o->query, refs, o->q->room);
    } else {
        o->to->any[o->i] = form == FORM_DOUBLES
                               ? sl_scene_overlap_any_d(o->scene, doubles, o->query)
                               : sl_scene_overlap_any(o->scene, floats, o->query);
    }
}

void world_ask_singly(const world_question *q, sl_stats *stats, const world_answers *answers)
{
    const sl_query query = world_query(q, stats);
    const call_kind call = (call_kind)case_int(q->c, CASE_CALL);
    const bool doubles = q->form == FORM_DOUBLES;
    one o = { q->scene, q->questions, 0, &query, answers };
    for (; o.i < q->questions->floats.count; o.i++) {
        if (call == CALL_OVERLAP_ANY || call == CALL_OVERLAP_ALL) {
            ask_volume(&o, q->form, call == CALL_OVERLAP_ALL);
        } else if (call >= CALL_NEAREST_K || call == CALL_NEAREST) {
            (doubles ? ask_point_d : ask_point)(&o, call);
        } else {
            (doubles ? ask_ray_d : ask_ray)(&o, call);
        }
    }
}
