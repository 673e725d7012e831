/* bench/harness/ask.c: asks a tree or a scene, and keeps the answers. */
#include "tools/bench/harness/ask.h"

#include <sightline/ray_columns.h>
#include <sightline/scene_points.h>
#include <sightline/scene_volumes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void bench_rays_free(bench_rays *r)
{
    void *const arrays[] = { r->rays,      r->segments,  r->points,     r->dirs,     r->targets,
                             r->volumes,   r->rays_d,    r->segments_d, r->points_d, r->dirs_d,
                             r->targets_d, r->volumes_d, r->hints };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(arrays[i]);
    }
    *r = (bench_rays){ .count = 0 };
}

bool bench_rays_widen(bench_rays *r)
{
    if (r->rays != NULL) {
        r->rays_d = malloc(r->count * sizeof *r->rays_d);
    } else {
        r->segments_d = malloc(r->count * sizeof *r->segments_d);
    }
    for (size_t i = 0; i < r->count; i++) {
        if (r->rays_d != NULL) {
            r->rays_d[i] = sl_ray_d_from_ray(&r->rays[i]);
        }
        for (int axis = 0; axis < 3 && r->segments_d != NULL; axis++) {
            r->segments_d[i].p[axis] = (double)r->segments[i].p[axis];
            r->segments_d[i].q[axis] = (double)r->segments[i].q[axis];
        }
    }
    return r->rays_d != NULL || r->segments_d != NULL;
}

/* ---- Answers ---- */

static size_t capacity_of(const bench_rays *rays)
{
    return rays->capacity > 0 ? rays->capacity : 1;
}

/* Bytes of one row; 0: the query has none.  Where there are doubles, answers may be in doubles. */
static size_t row_of(const bench_rays *rays)
{
    switch (rays->query) {
    case BENCH_CLOSEST:
    case BENCH_CLOSEST_COLUMNS:
        return rays->rays_d != NULL ? sizeof(sl_hit_d) : sizeof(sl_hit);
    case BENCH_CLOSEST_SEGMENT:
        return rays->segments_d != NULL ? sizeof(sl_hit_d) : sizeof(sl_hit);
    case BENCH_NEAREST:
    case BENCH_NEAREST_K:
    case BENCH_WITHIN:
        return rays->points_d != NULL ? sizeof(sl_nearest_d) : sizeof(sl_nearest);
    case BENCH_OVERLAP_ALL:
        return sizeof(sl_triangle_ref);
    default:
        return 0;
    }
}

/* One byte more, so that there is memory where there are no questions. */
static void *zeroed(size_t count, size_t size, bool *done)
{
    void *memory = calloc(count * size + 1, 1);
    *done = *done && memory != NULL;
    return memory;
}

bool bench_answers_make(bench_answers *answers, const bench_rays *rays)
{
    const size_t count = rays->count, all = count * capacity_of(rays), row = row_of(rays);
    const bool many = rays->query >= BENCH_NEAREST_K && rays->query != BENCH_OVERLAP_ANY;
    bool done = true;
    *answers = (bench_answers){ .row_bytes = row * all };
    if (row > 0) {
        answers->rows = zeroed(all, row, &done);
    } else if (rays->query == BENCH_INSIDE) {
        answers->instances = zeroed(all, sizeof *answers->instances, &done);
    } else {
        answers->any = zeroed(count, 1, &done);
    }
    if (many) {
        answers->totals = zeroed(count, sizeof *answers->totals, &done);
    }
    if (rays->hints != NULL) {
        answers->hints = zeroed(count, sizeof *answers->hints, &done);
    }
    if (!done) {
        bench_answers_free(answers);
    }
    return done;
}

void bench_answers_free(bench_answers *answers)
{
    free(answers->rows);
    free(answers->totals);
    free(answers->any);
    free(answers->hints);
    free(answers->instances);
    *answers = (bench_answers){ .rows = NULL };
}

static bool is_same(const void *a, const void *b, size_t bytes)
{
    return a == NULL || memcmp(a, b, bytes) == 0;
}

bool bench_answers_agree(const bench_answers *a, const bench_answers *b, const bench_rays *rays)
{
    return is_same(a->rows, b->rows, a->row_bytes) &&
           is_same(a->totals, b->totals, rays->count * sizeof *a->totals) &&
           is_same(a->any, b->any, rays->count) &&
           is_same(a->instances, b->instances,
                   rays->count * capacity_of(rays) * sizeof *a->instances);
}

float bench_answer_t(const bench_answers *answers, const bench_rays *rays, size_t i)
{
    const sl_hit *hits = answers->rows;
    const sl_nearest *nearest = answers->rows;
    switch (rays->query) {
    case BENCH_CLOSEST:
        return hits[i].prim == SL_NONE ? INFINITY : hits[i].t;
    case BENCH_NEAREST:
        return nearest[i].distance;
    default:
        return answers->any[i] != 0 ? 0 : INFINITY;
    }
}

double bench_answer_hits(const bench_answers *answers, const bench_rays *rays)
{
    size_t hits = 0;
    for (size_t i = 0; i < rays->count; i++) {
        hits += bench_answer_t(answers, rays, i) < INFINITY;
    }
    return rays->query == BENCH_NEAREST ? NAN : (double)hits / (double)rays->count;
}

/* ---- Questions ---- */

/* The same call about an array of questions in doubles or in floats, to the scene of a target or to
 * its tree. */
#define ASK(name, many, array, ...)                                                                \
    (t->doubles         ? sl_scene_##name##_d##many(t->scene, array##_d_at(b), __VA_ARGS__)        \
     : t->scene != NULL ? sl_scene_##name##many(t->scene, array##_at(b), __VA_ARGS__)              \
                        : sl_bvh_##name##many(t->bvh, array##_at(b), __VA_ARGS__))

/* Questions first to first + count - 1. */
typedef struct batch {
    const bench_target *target;
    const bench_rays *rays;
    bench_query query;
    size_t first, count;
    const bench_answers *to;
} batch;

/* Arrays from the first of these questions on; of those that a query does not have, none. */
#define FROM_FIRST(type, name, array, each)                                                        \
    static type *name##_at(const batch *b)                                                         \
    {                                                                                              \
        return b->array + each * b->first;                                                         \
    }
FROM_FIRST(const sl_ray, rays, rays->rays, 1)
FROM_FIRST(const sl_segment, segments, rays->segments, 1)
FROM_FIRST(const float, points, rays->points, 3)
FROM_FIRST(const float, dirs, rays->dirs, 3)
FROM_FIRST(const float, targets, rays->targets, 3)
FROM_FIRST(const sl_volume, volumes, rays->volumes, 1)
FROM_FIRST(const sl_ray_d, rays_d, rays->rays_d, 1)
FROM_FIRST(const sl_segment_d, segments_d, rays->segments_d, 1)
FROM_FIRST(const double, points_d, rays->points_d, 3)
FROM_FIRST(const double, dirs_d, rays->dirs_d, 3)
FROM_FIRST(const double, targets_d, rays->targets_d, 3)
FROM_FIRST(const sl_volume_d, volumes_d, rays->volumes_d, 1)
FROM_FIRST(uint8_t, any, to->any, 1)
FROM_FIRST(uint64_t, totals, to->totals, 1)
FROM_FIRST(uint32_t, instances, to->instances, b->rays->capacity)

/* Rows, of which a question has so many. */
static void *hits_at(const batch *b)
{
    const size_t size = b->target->doubles ? sizeof(sl_hit_d) : sizeof(sl_hit);
    return (char *)b->to->rows + b->first * size;
}

static void *nearest_at(const batch *b, size_t each)
{
    const size_t size = b->target->doubles ? sizeof(sl_nearest_d) : sizeof(sl_nearest);
    return (char *)b->to->rows + b->first * each * size;
}

static void *refs_at(const batch *b)
{
    return (char *)b->to->rows + b->first * b->rays->capacity * sizeof(sl_triangle_ref);
}

static sl_triangle_ref *hints_of(const batch *b)
{
    if (!b->target->hinted) {
        return NULL;
    }
    sl_triangle_ref *hints = b->to->hints + b->first;
    if (b->to->hints != b->rays->hints) {
        memcpy(hints, b->rays->hints + b->first, b->count * sizeof *hints);
    }
    return hints;
}

static sl_ray_columns columns_of(const sl_ray *rays)
{
    return sl_ray_columns_of_structs(rays->origin, rays->dir, &rays->tmin, &rays->tmax,
                                     sizeof *rays);
}

static void ask_columns(const batch *b)
{
    const bench_target *t = b->target;
    const sl_ray_columns from = columns_of(rays_at(b));
    if (b->query == BENCH_ANY_COLUMNS) {
        if (t->scene != NULL) {
            sl_scene_any_columns(t->scene, &from, b->count, t->query, any_at(b), t->tasks);
        } else {
            sl_bvh_any_columns(t->bvh, &from, b->count, t->query, any_at(b), t->tasks);
        }
        return;
    }
    sl_hit *hits = hits_at(b);
    const size_t stride = sizeof *hits;
    const sl_hit_columns to = { { &hits->t, stride },        { &hits->u, stride },
                                { &hits->v, stride },        { &hits->prim, stride },
                                { &hits->instance, stride }, { &hits->flags, stride } };
    if (t->scene != NULL) {
        sl_scene_closest_columns(t->scene, &from, b->count, t->query, &to, t->tasks);
    } else {
        sl_bvh_closest_columns(t->bvh, &from, b->count, t->query, &to, t->tasks);
    }
}

static void ask_from(const batch *b)
{
    const bench_target *t = b->target;
    if (b->query == BENCH_ANY_FROM && t->doubles) {
        sl_scene_any_from_d(t->scene, rays_d_at(b)->origin, dirs_d_at(b), b->count,
                            rays_d_at(b)->tmax, t->query, any_at(b), t->tasks);
    } else if (b->query == BENCH_ANY_FROM) {
        (t->scene != NULL ? sl_scene_any_from(t->scene, rays_at(b)->origin, dirs_at(b), b->count,
                                              rays_at(b)->tmax, t->query, any_at(b), t->tasks)
                          : sl_bvh_any_from(t->bvh, rays_at(b)->origin, dirs_at(b), b->count,
                                            rays_at(b)->tmax, t->query, any_at(b), t->tasks));
    } else if (t->doubles) {
        sl_scene_blocked_from_d(t->scene, segments_d_at(b)->p, targets_d_at(b), b->count, t->query,
                                any_at(b), t->tasks);
    } else {
        (t->scene != NULL ? sl_scene_blocked_from(t->scene, segments_at(b)->p, targets_at(b),
                                                  b->count, t->query, any_at(b), t->tasks)
                          : sl_bvh_blocked_from(t->bvh, segments_at(b)->p, targets_at(b), b->count,
                                                t->query, any_at(b), t->tasks));
    }
}

/* Doubles have no columns of their own. */
static void ask_rays(const batch *b)
{
    const bench_target *t = b->target;
    switch (b->query) {
    case BENCH_CLOSEST:
        ASK(closest, _many, rays, b->count, t->query, hits_at(b), t->tasks);
        break;
    case BENCH_ANY:
        ASK(any, _many, rays, b->count, t->query, any_at(b), t->tasks);
        break;
    case BENCH_BLOCKED:
        ASK(blocked, _many, segments, b->count, t->query, any_at(b), hints_of(b), t->tasks);
        break;
    case BENCH_CLOSEST_SEGMENT:
        ASK(closest_segment, _many, segments, b->count, t->query, hits_at(b), t->tasks);
        break;
    case BENCH_ANY_FROM:
    case BENCH_BLOCKED_FROM:
        ask_from(b);
        break;
    default:
        if (!t->doubles) {
            ask_columns(b);
        } else if (b->query == BENCH_ANY_COLUMNS) {
            sl_scene_any_d_many(t->scene, rays_d_at(b), b->count, t->query, any_at(b), t->tasks);
        } else {
            sl_scene_closest_d_many(t->scene, rays_d_at(b), b->count, t->query, hits_at(b),
                                    t->tasks);
        }
    }
}

/* Of points in a scene only. */
static void ask_inside(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity;
    if (t->doubles) {
        sl_scene_inside_d_many(t->scene, points_d_at(b), b->count, t->query, instances_at(b),
                               capacity, totals_at(b), t->tasks);
    } else {
        sl_scene_inside_many(t->scene, points_at(b), b->count, t->query, instances_at(b), capacity,
                             totals_at(b), t->tasks);
    }
}

static void ask_others(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity;
    switch (b->query) {
    case BENCH_NEAREST:
        ASK(nearest, _many, points, b->count, INFINITY, t->query, nearest_at(b, 1), t->tasks);
        break;
    case BENCH_NEAREST_K:
        ASK(nearest_k, _many, points, b->count, INFINITY, t->query, nearest_at(b, capacity),
            capacity, totals_at(b), t->tasks);
        break;
    case BENCH_WITHIN:
        ASK(within, _many, points, b->count, b->rays->radius, t->query, nearest_at(b, capacity),
            capacity, totals_at(b), t->tasks);
        break;
    case BENCH_INSIDE:
        ask_inside(b);
        break;
    case BENCH_OVERLAP_ANY:
        ASK(overlap_any, _many, volumes, b->count, t->query, any_at(b), t->tasks);
        break;
    default:
        ASK(overlap_all, _many, volumes, b->count, t->query, refs_at(b), capacity, totals_at(b),
            t->tasks);
        break;
    }
}

static bool is_about_rays(bench_query query)
{
    return query < BENCH_NEAREST_K && query != BENCH_NEAREST;
}

void bench_ask_batches(const bench_target *target, const bench_rays *rays, size_t size,
                       const bench_answers *answers)
{
    const bool fans = size == 0 && rays->fan > 0; /* one call for each eye */
    const size_t step = fans ? rays->fan : size > 0 ? size : rays->count;
    batch b = { .target = target,
                .rays = rays,
                .query = fans ? BENCH_BLOCKED_FROM : rays->query,
                .to = answers };
    for (; b.first < rays->count; b.first += step) {
        b.count = rays->count - b.first < step ? rays->count - b.first : step;
        (is_about_rays(b.query) ? ask_rays : ask_others)(&b);
    }
}

/* ---- One in a call ---- */

static void ask_ray(const batch *b)
{
    const bench_target *t = b->target;
    switch (b->query) {
    case BENCH_CLOSEST:
    case BENCH_CLOSEST_COLUMNS:
        (void)ASK(closest, , rays, t->query, hits_at(b));
        break;
    case BENCH_CLOSEST_SEGMENT:
        (void)ASK(closest_segment, , segments, t->query, hits_at(b));
        break;
    case BENCH_BLOCKED:
    case BENCH_BLOCKED_FROM:
        *any_at(b) = ASK(blocked, , segments, t->query);
        break;
    default:
        *any_at(b) = ASK(any, , rays, t->query);
        break;
    }
}

static void ask_other(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity;
    switch (b->query) {
    case BENCH_NEAREST:
        (void)ASK(nearest, , points, INFINITY, t->query, nearest_at(b, 1));
        break;
    case BENCH_NEAREST_K:
        *totals_at(b) =
            ASK(nearest_k, , points, INFINITY, t->query, nearest_at(b, capacity), capacity);
        break;
    case BENCH_WITHIN:
        *totals_at(b) =
            ASK(within, , points, b->rays->radius, t->query, nearest_at(b, capacity), capacity);
        break;
    case BENCH_INSIDE:
        *totals_at(b) =
            t->doubles
                ? sl_scene_inside_d(t->scene, points_d_at(b), t->query, instances_at(b), capacity)
                : sl_scene_inside(t->scene, points_at(b), t->query, instances_at(b), capacity);
        break;
    case BENCH_OVERLAP_ANY:
        *any_at(b) = ASK(overlap_any, , volumes, t->query);
        break;
    default:
        *totals_at(b) = ASK(overlap_all, , volumes, t->query, refs_at(b), capacity);
        break;
    }
}

void bench_ask_singly(const bench_target *target, const bench_rays *rays,
                      const bench_answers *answers)
{
    void (*const ask)(const batch *b) = is_about_rays(rays->query) ? ask_ray : ask_other;
    batch b = { .target = target, .rays = rays, .query = rays->query, .count = 1, .to = answers };
    for (; b.first < rays->count; b.first++) {
        ask(&b);
    }
}
