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

/* The same call to the scene of a target, or to its tree. */
#define ASK(name, ...)                                                                             \
    (t->scene != NULL ? sl_scene_##name(t->scene, __VA_ARGS__) : sl_bvh_##name(t->bvh, __VA_ARGS__))

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

static void *rows_at(const batch *b, size_t size)
{
    return (char *)b->to->rows + b->first * size;
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
        ASK(any_columns, &from, b->count, t->query, any_at(b), t->tasks);
        return;
    }
    sl_hit *hits = rows_at(b, sizeof *hits);
    const size_t stride = sizeof *hits;
    const sl_hit_columns to = { { &hits->t, stride },        { &hits->u, stride },
                                { &hits->v, stride },        { &hits->prim, stride },
                                { &hits->instance, stride }, { &hits->flags, stride } };
    ASK(closest_columns, &from, b->count, t->query, &to, t->tasks);
}

static void ask_rays(const batch *b)
{
    const bench_target *t = b->target;
    switch (b->query) {
    case BENCH_CLOSEST:
        ASK(closest_many, rays_at(b), b->count, t->query, rows_at(b, sizeof(sl_hit)), t->tasks);
        break;
    case BENCH_ANY:
        ASK(any_many, rays_at(b), b->count, t->query, any_at(b), t->tasks);
        break;
    case BENCH_BLOCKED:
        ASK(blocked_many, segments_at(b), b->count, t->query, any_at(b), hints_of(b), t->tasks);
        break;
    case BENCH_CLOSEST_SEGMENT:
        ASK(closest_segment_many, segments_at(b), b->count, t->query, rows_at(b, sizeof(sl_hit)),
            t->tasks);
        break;
    case BENCH_ANY_FROM:
        ASK(any_from, rays_at(b)->origin, dirs_at(b), b->count, rays_at(b)->tmax, t->query,
            any_at(b), t->tasks);
        break;
    case BENCH_BLOCKED_FROM:
        ASK(blocked_from, segments_at(b)->p, targets_at(b), b->count, t->query, any_at(b),
            t->tasks);
        break;
    default:
        ask_columns(b);
        break;
    }
}

static void ask_rays_d(const batch *b)
{
    const bench_target *t = b->target;
    switch (b->query) {
    case BENCH_CLOSEST:
    case BENCH_CLOSEST_COLUMNS:
        sl_scene_closest_d_many(t->scene, rays_d_at(b), b->count, t->query,
                                rows_at(b, sizeof(sl_hit_d)), t->tasks);
        break;
    case BENCH_BLOCKED:
        sl_scene_blocked_d_many(t->scene, segments_d_at(b), b->count, t->query, any_at(b),
                                hints_of(b), t->tasks);
        break;
    case BENCH_CLOSEST_SEGMENT:
        sl_scene_closest_segment_d_many(t->scene, segments_d_at(b), b->count, t->query,
                                        rows_at(b, sizeof(sl_hit_d)), t->tasks);
        break;
    case BENCH_ANY_FROM:
        sl_scene_any_from_d(t->scene, rays_d_at(b)->origin, dirs_d_at(b), b->count,
                            rays_d_at(b)->tmax, t->query, any_at(b), t->tasks);
        break;
    case BENCH_BLOCKED_FROM:
        sl_scene_blocked_from_d(t->scene, segments_d_at(b)->p, targets_d_at(b), b->count, t->query,
                                any_at(b), t->tasks);
        break;
    default:
        sl_scene_any_d_many(t->scene, rays_d_at(b), b->count, t->query, any_at(b), t->tasks);
        break;
    }
}

static void ask_points(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity, row = capacity * sizeof(sl_nearest);
    if (b->query == BENCH_NEAREST) {
        ASK(nearest_many, points_at(b), b->count, INFINITY, t->query,
            rows_at(b, sizeof(sl_nearest)), t->tasks);
    } else if (b->query == BENCH_NEAREST_K) {
        ASK(nearest_k_many, points_at(b), b->count, INFINITY, t->query, rows_at(b, row), capacity,
            totals_at(b), t->tasks);
    } else if (b->query == BENCH_WITHIN) {
        ASK(within_many, points_at(b), b->count, b->rays->radius, t->query, rows_at(b, row),
            capacity, totals_at(b), t->tasks);
    } else {
        sl_scene_inside_many(t->scene, points_at(b), b->count, t->query, instances_at(b), capacity,
                             totals_at(b), t->tasks);
    }
}

static void ask_points_d(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity, row = capacity * sizeof(sl_nearest_d);
    if (b->query == BENCH_NEAREST) {
        sl_scene_nearest_d_many(t->scene, points_d_at(b), b->count, INFINITY, t->query,
                                rows_at(b, sizeof(sl_nearest_d)), t->tasks);
    } else if (b->query == BENCH_NEAREST_K) {
        sl_scene_nearest_k_d_many(t->scene, points_d_at(b), b->count, INFINITY, t->query,
                                  rows_at(b, row), capacity, totals_at(b), t->tasks);
    } else if (b->query == BENCH_WITHIN) {
        sl_scene_within_d_many(t->scene, points_d_at(b), b->count, b->rays->radius, t->query,
                               rows_at(b, row), capacity, totals_at(b), t->tasks);
    } else {
        sl_scene_inside_d_many(t->scene, points_d_at(b), b->count, t->query, instances_at(b),
                               capacity, totals_at(b), t->tasks);
    }
}

static void ask_volumes(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity;
    const size_t row = capacity * sizeof(sl_triangle_ref);
    const bool all = b->query == BENCH_OVERLAP_ALL;
    if (all && t->doubles) {
        sl_scene_overlap_all_d_many(t->scene, volumes_d_at(b), b->count, t->query, rows_at(b, row),
                                    capacity, totals_at(b), t->tasks);
    } else if (all) {
        ASK(overlap_all_many, volumes_at(b), b->count, t->query, rows_at(b, row), capacity,
            totals_at(b), t->tasks);
    } else if (t->doubles) {
        sl_scene_overlap_any_d_many(t->scene, volumes_d_at(b), b->count, t->query, any_at(b),
                                    t->tasks);
    } else {
        ASK(overlap_any_many, volumes_at(b), b->count, t->query, any_at(b), t->tasks);
    }
}

static bool is_about_points(bench_query query)
{
    return query == BENCH_NEAREST || (query >= BENCH_NEAREST_K && query < BENCH_OVERLAP_ANY);
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
        if (b.query >= BENCH_OVERLAP_ANY) {
            ask_volumes(&b);
        } else if (is_about_points(b.query)) {
            (target->doubles ? ask_points_d : ask_points)(&b);
        } else {
            (target->doubles ? ask_rays_d : ask_rays)(&b);
        }
    }
}

/* ---- One in a call ---- */

static void ask_ray(const batch *b)
{
    const bench_target *t = b->target;
    switch (b->query) {
    case BENCH_CLOSEST:
    case BENCH_CLOSEST_COLUMNS:
        (void)ASK(closest, rays_at(b), t->query, rows_at(b, sizeof(sl_hit)));
        break;
    case BENCH_CLOSEST_SEGMENT:
        (void)ASK(closest_segment, segments_at(b), t->query, rows_at(b, sizeof(sl_hit)));
        break;
    case BENCH_BLOCKED:
    case BENCH_BLOCKED_FROM:
        *any_at(b) = ASK(blocked, segments_at(b), t->query);
        break;
    default:
        *any_at(b) = ASK(any, rays_at(b), t->query);
        break;
    }
}

static void ask_ray_d(const batch *b)
{
    const bench_target *t = b->target;
    switch (b->query) {
    case BENCH_CLOSEST:
    case BENCH_CLOSEST_COLUMNS:
        (void)sl_scene_closest_d(t->scene, rays_d_at(b), t->query, rows_at(b, sizeof(sl_hit_d)));
        break;
    case BENCH_CLOSEST_SEGMENT:
        (void)sl_scene_closest_segment_d(t->scene, segments_d_at(b), t->query,
                                         rows_at(b, sizeof(sl_hit_d)));
        break;
    case BENCH_BLOCKED:
    case BENCH_BLOCKED_FROM:
        *any_at(b) = sl_scene_blocked_d(t->scene, segments_d_at(b), t->query);
        break;
    default:
        *any_at(b) = sl_scene_any_d(t->scene, rays_d_at(b), t->query);
        break;
    }
}

static void ask_point(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity, row = capacity * sizeof(sl_nearest);
    if (b->query == BENCH_NEAREST) {
        (void)ASK(nearest, points_at(b), INFINITY, t->query, rows_at(b, sizeof(sl_nearest)));
    } else if (b->query == BENCH_NEAREST_K) {
        *totals_at(b) = ASK(nearest_k, points_at(b), INFINITY, t->query, rows_at(b, row), capacity);
    } else if (b->query == BENCH_WITHIN) {
        *totals_at(b) =
            ASK(within, points_at(b), b->rays->radius, t->query, rows_at(b, row), capacity);
    } else {
        *totals_at(b) =
            sl_scene_inside(t->scene, points_at(b), t->query, instances_at(b), capacity);
    }
}

static void ask_point_d(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity, row = capacity * sizeof(sl_nearest_d);
    if (b->query == BENCH_NEAREST) {
        (void)sl_scene_nearest_d(t->scene, points_d_at(b), INFINITY, t->query,
                                 rows_at(b, sizeof(sl_nearest_d)));
    } else if (b->query == BENCH_NEAREST_K) {
        *totals_at(b) = sl_scene_nearest_k_d(t->scene, points_d_at(b), INFINITY, t->query,
                                             rows_at(b, row), capacity);
    } else if (b->query == BENCH_WITHIN) {
        *totals_at(b) = sl_scene_within_d(t->scene, points_d_at(b), b->rays->radius, t->query,
                                          rows_at(b, row), capacity);
    } else {
        *totals_at(b) =
            sl_scene_inside_d(t->scene, points_d_at(b), t->query, instances_at(b), capacity);
    }
}

static void ask_volume(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity;
    const size_t row = capacity * sizeof(sl_triangle_ref);
    if (b->query == BENCH_OVERLAP_ALL) {
        *totals_at(b) = t->doubles
                            ? sl_scene_overlap_all_d(t->scene, volumes_d_at(b), t->query,
                                                     rows_at(b, row), capacity)
                            : ASK(overlap_all, volumes_at(b), t->query, rows_at(b, row), capacity);
    } else {
        *any_at(b) = t->doubles ? sl_scene_overlap_any_d(t->scene, volumes_d_at(b), t->query)
                                : ASK(overlap_any, volumes_at(b), t->query);
    }
}

void bench_ask_singly(const bench_target *target, const bench_rays *rays,
                      const bench_answers *answers)
{
    void (*ask)(const batch *b) = rays->query >= BENCH_OVERLAP_ANY ? ask_volume
                                  : is_about_points(rays->query)
                                      ? (target->doubles ? ask_point_d : ask_point)
                                      : (target->doubles ? ask_ray_d : ask_ray);
    batch b = { .target = target, .rays = rays, .query = rays->query, .count = 1, .to = answers };
    for (; b.first < rays->count; b.first++) {
        ask(&b);
    }
}
