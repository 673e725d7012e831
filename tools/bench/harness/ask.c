/* bench/harness/ask.c: asks a tree of either kind, and keeps the answers. */
#include "tools/bench/harness/ask.h"

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
    case BENCH_ALL:
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
static void *ask_zeroed(size_t count, size_t size, bool *done)
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
        answers->rows = ask_zeroed(all, row, &done);
    } else if (rays->query == BENCH_INSIDE) {
        answers->instances = ask_zeroed(all, sizeof *answers->instances, &done);
    } else {
        answers->any = ask_zeroed(count, 1, &done);
    }
    if (many) {
        answers->totals = ask_zeroed(count, sizeof *answers->totals, &done);
    }
    if (rays->hints != NULL) {
        answers->hints = ask_zeroed(count, sizeof *answers->hints, &done);
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
    case BENCH_ALL:
        return answers->totals[i] > 0 ? 0 : INFINITY;
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
        return b->array != NULL ? b->array + each * b->first : NULL;                               \
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

/* Rows, of which each query has `size` bytes. */
static void *rows_at(const batch *b, size_t size)
{
    return b->to->rows != NULL ? (char *)b->to->rows + b->first * size : NULL;
}

static void *hits_at(const batch *b)
{
    return rows_at(b, b->target->doubles ? sizeof(sl_hit_d) : sizeof(sl_hit));
}

static void *nearest_at(const batch *b, size_t each)
{
    return rows_at(b, each * (b->target->doubles ? sizeof(sl_nearest_d) : sizeof(sl_nearest)));
}

static void *refs_at(const batch *b)
{
    return rows_at(b, b->rays->capacity * sizeof(sl_triangle_ref));
}

static sl_triangle_ref *hints_of(const batch *b)
{
    if (!b->target->hinted || b->query != BENCH_BLOCKED) {
        return NULL;
    }
    sl_triangle_ref *hints = b->to->hints + b->first;
    if (b->to->hints != b->rays->hints) {
        memcpy(hints, b->rays->hints + b->first, b->count * sizeof *hints);
    }
    return hints;
}

/* Rays as separate arrays of numbers. */
static sl_rays columns_of(const batch *b)
{
    sl_rays rays = sl_rays_of(rays_at(b), b->count);
    for (int axis = 1; axis < 3; axis++) {
        rays.origin[axis] = &rays_at(b)->origin[axis];
        rays.dir[axis] = &rays_at(b)->dir[axis];
    }
    return rays;
}

/* From the origin of the first ray, as far as that goes. */
static sl_rays fan_of(const batch *b)
{
    const bool doubles = b->target->doubles;
    sl_rays rays = doubles ? sl_rays_from(rays_d_at(b)->origin, dirs_d_at(b), b->count, SL_DOUBLE)
                           : sl_rays_from(rays_at(b)->origin, dirs_at(b), b->count, SL_FLOAT);
    rays.tmax = doubles ? (const void *)&rays_d_at(b)->tmax : (const void *)&rays_at(b)->tmax;
    rays.tmax_stride = SL_SAME;
    return rays;
}

/* Doubles have no columns of their own. */
static sl_rays rays_of(const batch *b)
{
    const bool doubles = b->target->doubles;
    switch (b->query) {
    case BENCH_BLOCKED:
    case BENCH_CLOSEST_SEGMENT:
        return doubles ? sl_segments_of_d(segments_d_at(b), b->count)
                       : sl_segments_of(segments_at(b), b->count);
    case BENCH_ANY_FROM:
        return fan_of(b);
    case BENCH_BLOCKED_FROM:
        return doubles ? sl_segments_from(segments_d_at(b)->p, targets_d_at(b), b->count, SL_DOUBLE)
                       : sl_segments_from(segments_at(b)->p, targets_at(b), b->count, SL_FLOAT);
    default:
        return doubles ? sl_rays_of_d(rays_d_at(b), b->count)
               : b->query == BENCH_CLOSEST || b->query == BENCH_ANY || b->query == BENCH_ALL
                   ? sl_rays_of(rays_at(b), b->count)
                   : columns_of(b);
    }
}

static void ask_rays(const batch *b)
{
    const bench_target *t = b->target;
    if (b->query == BENCH_CLOSEST || b->query == BENCH_CLOSEST_COLUMNS ||
        b->query == BENCH_CLOSEST_SEGMENT) {
        sl_bvh_closest_many(t->bvh, rays_of(b), t->query,
                            t->doubles ? sl_hits_of_d(hits_at(b)) : sl_hits_of(hits_at(b)),
                            t->tasks, t->stats);
    } else if (b->query == BENCH_ALL) {
        const size_t capacity = b->rays->capacity;
        sl_bvh_all_many(t->bvh, rays_of(b), t->query,
                        sl_hits_of(rows_at(b, capacity * sizeof(sl_hit))), capacity, totals_at(b),
                        t->tasks, t->stats);
    } else {
        sl_bvh_any_many(t->bvh, rays_of(b), t->query, any_at(b), hints_of(b), t->tasks, t->stats);
    }
}

static void ask_others(const batch *b)
{
    const bench_target *t = b->target;
    const size_t n = b->count, capacity = b->rays->capacity;
    const size_t each = b->query == BENCH_NEAREST ? 1 : capacity;
    const sl_points points = t->doubles ? sl_points_of(points_d_at(b), n, SL_DOUBLE)
                                        : sl_points_of(points_at(b), n, SL_FLOAT);
    const sl_nearests nearests = t->doubles ? sl_nearests_of(nearest_at(b, each), SL_DOUBLE)
                                            : sl_nearests_of(nearest_at(b, each), SL_FLOAT);
    const sl_volumes volumes = t->doubles ? sl_volumes_of(volumes_d_at(b), n, SL_DOUBLE)
                                          : sl_volumes_of(volumes_at(b), n, SL_FLOAT);
    switch (b->query) {
    case BENCH_NEAREST:
        sl_bvh_nearest_many(t->bvh, points, INFINITY, t->query, nearests, t->tasks, t->stats);
        break;
    case BENCH_NEAREST_K:
        sl_bvh_nearest_k_many(t->bvh, points, INFINITY, t->query, nearests, capacity, totals_at(b),
                              t->tasks, t->stats);
        break;
    case BENCH_WITHIN:
        sl_bvh_within_many(t->bvh, points, b->rays->radius, t->query, nearests, capacity,
                           totals_at(b), t->tasks, t->stats);
        break;
    case BENCH_INSIDE:
        sl_bvh_inside_many(t->bvh, points, t->query, instances_at(b), capacity, totals_at(b),
                           t->tasks, t->stats);
        break;
    case BENCH_OVERLAP_ANY:
        sl_bvh_overlap_any_many(t->bvh, volumes, t->query, any_at(b), t->tasks, t->stats);
        break;
    default:
        sl_bvh_overlap_all_many(t->bvh, volumes, t->query, refs_at(b), capacity, totals_at(b),
                                t->tasks, t->stats);
        break;
    }
}

static bool is_about_rays(bench_query query)
{
    return query == BENCH_ALL || (query < BENCH_NEAREST_K && query != BENCH_NEAREST);
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

/* The question of a batch of one, by a call of its own; false where there is no such call. */
static bool ask_alone(const batch *b)
{
    const bench_target *t = b->target;
    const size_t capacity = b->rays->capacity;
    switch (b->query) {
    case BENCH_CLOSEST:
    case BENCH_CLOSEST_COLUMNS:
        (void)(t->doubles ? sl_bvh_closest_d(t->bvh, rays_d_at(b), t->query, hits_at(b))
                          : sl_bvh_closest(t->bvh, rays_at(b), t->query, hits_at(b)));
        return true;
    case BENCH_BLOCKED:
    case BENCH_BLOCKED_FROM:
        *any_at(b) =
            t->doubles
                ? sl_bvh_occluded_d(t->bvh, segments_d_at(b)->p, segments_d_at(b)->q, t->query)
                : sl_bvh_occluded(t->bvh, segments_at(b)->p, segments_at(b)->q, t->query);
        return true;
    case BENCH_ANY:
    case BENCH_ANY_FROM:
    case BENCH_ANY_COLUMNS:
        if (!t->doubles) {
            *any_at(b) = sl_bvh_any(t->bvh, rays_at(b), t->query);
        }
        return !t->doubles;
    case BENCH_NEAREST:
        (void)(t->doubles
                   ? sl_bvh_nearest_d(t->bvh, points_d_at(b), INFINITY, t->query, nearest_at(b, 1))
                   : sl_bvh_nearest(t->bvh, points_at(b), INFINITY, t->query, nearest_at(b, 1)));
        return true;
    default:
        break;
    }
    if (t->doubles || b->query == BENCH_CLOSEST_SEGMENT) {
        return false;
    }
    switch (b->query) {
    case BENCH_NEAREST_K:
        *totals_at(b) = sl_bvh_nearest_k(t->bvh, points_at(b), INFINITY, t->query,
                                         nearest_at(b, capacity), capacity);
        return true;
    case BENCH_WITHIN:
        *totals_at(b) = sl_bvh_within(t->bvh, points_at(b), b->rays->radius, t->query,
                                      nearest_at(b, capacity), capacity);
        return true;
    case BENCH_INSIDE:
        *totals_at(b) = sl_bvh_inside(t->bvh, points_at(b), t->query, instances_at(b), capacity);
        return true;
    case BENCH_ALL:
        *totals_at(b) = sl_bvh_all(t->bvh, rays_at(b), t->query,
                                   rows_at(b, capacity * sizeof(sl_hit)), capacity);
        return true;
    case BENCH_OVERLAP_ANY:
        *any_at(b) = sl_bvh_overlap_any(t->bvh, volumes_at(b), t->query);
        return true;
    default:
        *totals_at(b) = sl_bvh_overlap_all(t->bvh, volumes_at(b), t->query, refs_at(b), capacity);
        return true;
    }
}

void bench_ask_singly(const bench_target *target, const bench_rays *rays,
                      const bench_answers *answers)
{
    batch b = { .target = target, .rays = rays, .query = rays->query, .count = 1, .to = answers };
    for (; b.first < rays->count; b.first++) {
        if (target->stats != NULL || !ask_alone(&b)) { /* calls of their own count nothing */
            (is_about_rays(b.query) ? ask_rays : ask_others)(&b);
        }
    }
}

void bench_ask_chained(const bench_target *target, const bench_rays *rays,
                       const bench_answers *answers)
{
    sl_hit *hits = answers->rows;
    float link = 0;
    for (size_t i = 0; i < rays->count; i++) {
        sl_ray ray = rays->rays[i];
        for (int axis = 0; axis < 3; axis++) {
            ray.origin[axis] += link;
        }
        (void)sl_bvh_closest(target->bvh, &ray, target->query, &hits[i]);
        link = bench_chain_link(hits[i].t);
    }
}
