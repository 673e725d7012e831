/* The many forms of one question to a scene give one answer: arrays, rows, columns in structures
 * and in arrays, and many from one point, of rays and segments, in floats and in doubles, with
 * options for single items and hit filters, in parallel; each against single calls. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 20261125, ITEMS = 300, CAPACITY = 3 };

/* Items in all four kinds, from a few origins. */
typedef struct items {
    sl_ray ray[ITEMS];
    sl_segment segment[ITEMS];
    sl_ray_d ray_d[ITEMS];
    sl_segment_d segment_d[ITEMS];
    sl_ray_opt options[ITEMS];
} items;

static items of;

static void draw(const sl_scene *scene, bool one_origin, test_random *random)
{
    sl_scene_info info;
    sl_scene_get_info(scene, &info, sizeof info);
    double origin[3] = { 0, 0, 0 };
    for (int i = 0; i < ITEMS; i++) {
        double to[3];
        for (int axis = 0; axis < 3; axis++) {
            const double size = info.max[axis] - info.min[axis];
            if (i == 0 || !one_origin) {
                origin[axis] = info.min[axis] + size * (double)test_random_unit(random);
            }
            to[axis] = info.min[axis] + size * (double)test_random_unit(random);
            of.ray[i].origin[axis] = of.segment[i].p[axis] = (float)origin[axis];
            of.ray[i].dir[axis] = (float)(to[axis] - origin[axis]);
            of.segment[i].q[axis] = (float)to[axis];
            of.ray_d[i].origin[axis] = of.segment_d[i].p[axis] = origin[axis];
            of.ray_d[i].dir[axis] = to[axis] - origin[axis];
            of.segment_d[i].q[axis] = to[axis];
        }
        of.ray[i].tmin = 0;
        of.ray_d[i].tmin = 0;
        of.ray[i].tmax = 2;
        of.ray_d[i].tmax = 2;
        if (test_random_below(random, 50) == 0) {
            of.ray[i].dir[1] = of.segment[i].q[1] = NAN;
            of.ray_d[i].dir[1] = of.segment_d[i].q[1] = NAN;
        }
        of.options[i] = (sl_ray_opt){ .mask = 1 + test_random_below(random, 7) };
    }
}

/* Sees the index: items whose number is even have no hits on odd prims. */
static bool by_index(void *user, size_t index, const sl_hit *hit)
{
    const size_t shift = *(const size_t *)user;
    return (index + shift) % 2 == 1 || hit->prim % 2 == 0;
}

/* Options of item i alone. */
typedef struct single {
    sl_query query;
    size_t shift;
} single;

static single only(const sl_query *query, size_t i)
{
    single s = { .query = *query, .shift = i };
    if (query->per_ray != NULL) {
        s.query.per_ray = &query->per_ray[i];
    }
    s.query.stats = NULL;
    return s;
}

#define SINGLE(i)                                                                                  \
    single one = only(query, (i));                                                                 \
    one.query.filter_user = &one.shift

/* What differs between the four kinds is the types and the names. */
#define CHECK_FORMS(check, items, hit_type, closest, any_call, all, count_call, next)              \
    static void check(const sl_scene *scene, const sl_query *query, const sl_tasks *tasks)         \
    {                                                                                              \
        static hit_type hits[ITEMS], rows[ITEMS * CAPACITY];                                       \
        static uint64_t totals[ITEMS], counts[ITEMS];                                              \
        static uint8_t any[ITEMS];                                                                 \
        closest##_many(scene, of.items, ITEMS, query, hits, tasks);                                \
        any_call;                                                                                  \
        all##_many(scene, of.items, ITEMS, query, rows, CAPACITY, totals, tasks);                  \
        count_call##_many(scene, of.items, ITEMS, query, counts, tasks);                           \
        for (size_t i = 0; i < ITEMS; i++) {                                                       \
            SINGLE(i);                                                                             \
            hit_type hit, row[CAPACITY];                                                           \
            const size_t total = all(scene, &of.items[i], &one.query, row, CAPACITY);              \
            const size_t kept = total < CAPACITY ? total : CAPACITY;                               \
            assert_int_equal(closest(scene, &of.items[i], &one.query, &hit), total > 0);           \
            assert_memory_equal(&hit, &hits[i], sizeof hit);                                       \
            assert_int_equal(any[i], total > 0);                                                   \
            assert_int_equal(totals[i], total);                                                    \
            assert_int_equal(counts[i], total);                                                    \
            assert_int_equal(count_call(scene, &of.items[i], &one.query), total);                  \
            assert_memory_equal(row, rows + i * CAPACITY, kept * sizeof *row);                     \
        }                                                                                          \
        next##_many(scene, of.items, ITEMS, query, hits, hits, tasks);                             \
        for (size_t i = 0; i < ITEMS; i++) {                                                       \
            const hit_type *row = rows + i * CAPACITY;                                             \
            assert_int_equal(hits[i].prim != SL_NONE, totals[i] > 1);                              \
            if (totals[i] > 1) {                                                                   \
                assert_memory_equal(&hits[i], &row[1], sizeof *row);                               \
            }                                                                                      \
        }                                                                                          \
    }

CHECK_FORMS(rays_in_floats, ray, sl_hit, sl_scene_closest,
            sl_scene_any_many(scene, of.ray, ITEMS, query, any, tasks), sl_scene_all,
            sl_scene_count, sl_scene_next)
CHECK_FORMS(segments_in_floats, segment, sl_hit, sl_scene_closest_segment,
            sl_scene_blocked_many(scene, of.segment, ITEMS, query, any, NULL, tasks),
            sl_scene_all_segment, sl_scene_count_segment, sl_scene_next_segment)
CHECK_FORMS(rays_in_doubles, ray_d, sl_hit_d, sl_scene_closest_d,
            sl_scene_any_d_many(scene, of.ray_d, ITEMS, query, any, tasks), sl_scene_all_d,
            sl_scene_count_d, sl_scene_next_d)
CHECK_FORMS(segments_in_doubles, segment_d, sl_hit_d, sl_scene_closest_segment_d,
            sl_scene_blocked_d_many(scene, of.segment_d, ITEMS, query, any, NULL, tasks),
            sl_scene_all_segment_d, sl_scene_count_segment_d, sl_scene_next_segment_d)

static sl_hit_columns columns_of(sl_hit *hits)
{
    const size_t stride = sizeof *hits;
    return (sl_hit_columns){ .t = { &hits->t, stride },
                             .u = { &hits->u, stride },
                             .v = { &hits->v, stride },
                             .prim = { &hits->prim, stride },
                             .instance = { &hits->instance, stride },
                             .flags = { &hits->flags, stride } };
}

static void columns_are_arrays(const sl_scene *scene, const sl_query *query, const sl_tasks *tasks)
{
    static sl_hit hits[ITEMS], by_columns[ITEMS];
    static uint8_t any[ITEMS], any_by_columns[ITEMS];
    static sl_triangle_ref hints[ITEMS];
    const sl_ray *r = of.ray;
    const sl_segment *s = of.segment;
    const sl_ray_columns rays =
        sl_ray_columns_of_structs(r->origin, r->dir, &r->tmin, &r->tmax, sizeof *r);
    const sl_segment_columns segments = sl_segment_columns_of_structs(s->p, s->q, sizeof *s);
    const sl_hit_columns to = columns_of(by_columns);

    memset(by_columns, 0xAA, sizeof by_columns);
    sl_scene_closest_many(scene, of.ray, ITEMS, query, hits, tasks);
    sl_scene_closest_columns(scene, &rays, ITEMS, query, &to, tasks);
    assert_memory_equal(hits, by_columns, sizeof hits);
    sl_scene_any_many(scene, of.ray, ITEMS, query, any, tasks);
    sl_scene_any_columns(scene, &rays, ITEMS, query, any_by_columns, tasks);
    assert_memory_equal(any, any_by_columns, sizeof any);

    sl_scene_closest_segment_many(scene, of.segment, ITEMS, query, hits, tasks);
    sl_scene_closest_segment_columns(scene, &segments, ITEMS, query, &to, tasks);
    assert_memory_equal(hits, by_columns, sizeof hits);
    sl_scene_blocked_many(scene, of.segment, ITEMS, query, any, NULL, tasks);
    memset(hints, 0xFF, sizeof hints);
    for (int round = 0; round < 2; round++) { /* the second with good hints */
        sl_scene_blocked_columns(scene, &segments, ITEMS, query, any_by_columns, hints, tasks);
        assert_memory_equal(any, any_by_columns, sizeof any);
        for (int i = 0; i < ITEMS; i++) {
            assert_int_equal(hints[i].prim != SL_NONE, any[i]);
        }
    }
}

static void from_one_point_are_arrays(const sl_scene *scene, const sl_query *query,
                                      const sl_tasks *tasks)
{
    static float dirs[3 * ITEMS], targets[3 * ITEMS];
    static double dirs_d[3 * ITEMS], targets_d[3 * ITEMS];
    static uint8_t any[ITEMS], from[ITEMS];
    for (int i = 0; i < 3 * ITEMS; i++) {
        dirs[i] = of.ray[i / 3].dir[i % 3];
        targets[i] = of.segment[i / 3].q[i % 3];
        dirs_d[i] = of.ray_d[i / 3].dir[i % 3];
        targets_d[i] = of.segment_d[i / 3].q[i % 3];
    }
    sl_scene_any_many(scene, of.ray, ITEMS, query, any, NULL);
    sl_scene_any_from(scene, of.ray[0].origin, dirs, ITEMS, 2, query, from, tasks);
    assert_memory_equal(any, from, sizeof any);
    sl_scene_blocked_many(scene, of.segment, ITEMS, query, any, NULL, NULL);
    sl_scene_blocked_from(scene, of.ray[0].origin, targets, ITEMS, query, from, tasks);
    assert_memory_equal(any, from, sizeof any);
    sl_scene_any_d_many(scene, of.ray_d, ITEMS, query, any, NULL);
    sl_scene_any_from_d(scene, of.ray_d[0].origin, dirs_d, ITEMS, 2, query, from, tasks);
    assert_memory_equal(any, from, sizeof any);
    sl_scene_blocked_d_many(scene, of.segment_d, ITEMS, query, any, NULL, NULL);
    sl_scene_blocked_from_d(scene, of.ray_d[0].origin, targets_d, ITEMS, query, from, tasks);
    assert_memory_equal(any, from, sizeof any);
}

typedef void check_fn(const sl_scene *scene, const sl_query *query, const sl_tasks *tasks);

/* Over worlds of all kinds: without options, with some for single items, and with a filter. */
static void in_all_worlds(check_fn *check, bool one_origin)
{
    static const size_t sizes[] = { 3, 30 };
    size_t zero = 0;
    scrambled_tasks scrambled;
    const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, SEED);
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (size_t size = 0; size < 2; size++) {
            test_random random = { SEED + (uint64_t)kind };
            world_case world;
            world_make(&world, (world_kind)kind, sizes[size], size == 1, &random);
            draw(world.scene, one_origin, &random);
            const sl_query queries[] = {
                { .flags = 0 },
                { .flags = SL_USE_MASK, .per_ray = of.options, .cull = SL_CULL_BACK },
                { .flags = SL_USE_FILTER, .filter = by_index, .filter_user = &zero },
            };
            for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
                check(world.scene, &queries[i], NULL);
                check(world.scene, &queries[i], tasks);
            }
            world_destroy(&world);
        }
    }
}

TEST(arrays_are_single_calls)
{
    in_all_worlds(rays_in_floats, false);
    in_all_worlds(segments_in_floats, false);
    in_all_worlds(rays_in_doubles, false);
    in_all_worlds(segments_in_doubles, false);
}

TEST(columns_are_single_calls)
{
    in_all_worlds(columns_are_arrays, false);
}

TEST(from_one_point_are_single_calls)
{
    in_all_worlds(from_one_point_are_arrays, true);
}
