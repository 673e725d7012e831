/* Queries allocate nothing: every one of them, single and in bulk, with a pool, with options and
 * proxies, while neither the tree's allocator nor malloc has anything to give. */
#include "test/support/failing_allocator.h"
#include "test/support/hard_rays.h"
#include "test/support/hard_volumes.h"
#include "test/support/no_memory.h"

#include <sightline/ray_columns.h>
#include <sightline/sightline.h>

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 20260820, COUNT = 180, KEPT = 5, WORKERS = 3 };

/* What is asked, and room for the answers. */
typedef struct table {
    sl_bvh *bvh;
    sl_soup soup;
    sl_boundary *boundary;
    sl_pool *pool;
    const sl_tasks *tasks;
    sl_query query;
    sl_ray rays[COUNT];
    sl_segment segments[COUNT];
    sl_volume volumes[COUNT];
    float points[3 * COUNT];
    sl_hit hits[COUNT * KEPT], next[COUNT];
    sl_nearest near[COUNT * KEPT];
    sl_inside inside[COUNT];
    uint32_t prims[COUNT * KEPT], hint[COUNT];
    uint64_t totals[COUNT];
    uint8_t yes[COUNT];
    uint64_t sum; /* so that something was found */
} table;

static void ask_of_ray(table *t, size_t i)
{
    const sl_ray *ray = &t->rays[i];
    sl_hit hit, *hits = t->hits;
    sl_surface surface;
    t->sum += sl_bvh_closest(t->bvh, ray, &t->query, &hit);
    t->sum += hit.prim != SL_NONE && sl_bvh_surface(t->bvh, &hit, &surface);
    t->sum += sl_bvh_any(t->bvh, ray, &t->query);
    t->sum += sl_bvh_all(t->bvh, ray, &t->query, hits, KEPT);
    t->sum += sl_bvh_all(t->bvh, ray, &t->query, NULL, 0);
    t->sum += sl_bvh_next(t->bvh, ray, &t->query, &hit, &hit);
    t->sum += sl_bvh_count(t->bvh, ray, &t->query);
}

static void ask_of_segment(table *t, size_t i)
{
    const sl_segment *segment = &t->segments[i];
    sl_hit hit;
    t->sum += sl_bvh_blocked(t->bvh, segment, &t->query, NULL);
    t->sum += sl_bvh_blocked(t->bvh, segment, &t->query, &hit);
    t->sum += sl_bvh_all_segment(t->bvh, segment, &t->query, t->hits, KEPT);
    t->sum += sl_bvh_next_segment(t->bvh, segment, &t->query, &hit, &hit);
    t->sum += sl_bvh_count_segment(t->bvh, segment, &t->query);
}

static void ask_of_point(table *t, size_t i)
{
    const float *point = t->points + 3 * i;
    t->sum += sl_bvh_nearest(t->bvh, point, INFINITY, &t->query, NULL);
    t->sum += sl_bvh_nearest_k(t->bvh, point, INFINITY, &t->query, t->near, COUNT);
    t->sum += sl_bvh_within(t->bvh, point, 0.5f, &t->query, t->near, COUNT);
    t->sum += sl_bvh_inside(t->bvh, NULL, point, &t->query, NULL);
    t->sum += sl_bvh_inside(t->bvh, t->boundary, point, &t->query, NULL);
    t->sum += sl_soup_inside(&t->soup, t->boundary, point, &t->query, NULL);
    t->sum += sl_soup_within(&t->soup, point, 0.5f, &t->query, t->near, KEPT);
}

static void ask_of_volume(table *t, size_t i)
{
    const sl_volume *volume = &t->volumes[i];
    t->sum += sl_bvh_overlaps(t->bvh, volume, &t->query);
    t->sum += sl_bvh_overlap(t->bvh, volume, &t->query, t->prims, COUNT);
    t->sum += sl_bvh_overlap(t->bvh, volume, &t->query, NULL, 0);
    t->sum += sl_soup_overlap(&t->soup, volume, &t->query, t->prims, KEPT);
}

static void ask_in_bulk(table *t)
{
    const sl_query *q = &t->query;
    sl_bvh_closest_many(t->bvh, t->rays, COUNT, q, t->next, t->tasks);
    sl_bvh_next_many(t->bvh, t->rays, COUNT, q, t->next, t->next, t->tasks);
    sl_bvh_any_many(t->bvh, t->rays, COUNT, q, t->yes, t->tasks);
    sl_bvh_count_many(t->bvh, t->rays, COUNT, q, t->totals, t->tasks);
    sl_bvh_all_many(t->bvh, t->rays, COUNT, q, t->hits, KEPT, t->totals, t->tasks);
    sl_bvh_blocked_many(t->bvh, t->segments, COUNT, q, t->yes, NULL, t->tasks);
    sl_bvh_blocked_many(t->bvh, t->segments, COUNT, q, t->yes, t->hint, t->tasks);
    sl_bvh_blockers_many(t->bvh, t->segments, COUNT, q, t->hits, t->tasks);
    sl_bvh_fan_any(t->bvh, t->points, t->points, COUNT, INFINITY, q, t->yes, t->tasks);
    sl_bvh_fan_blocked(t->bvh, t->points, t->points, COUNT, q, t->yes, t->tasks);
    const sl_ray_columns rays = sl_ray_columns_of_structs(
        t->rays->origin, t->rays->dir, &t->rays->tmin, &t->rays->tmax, sizeof t->rays[0]);
    const sl_hit_columns hits = { .prim = { t->prims, sizeof t->prims[0] } };
    sl_bvh_closest_columns(t->bvh, &rays, COUNT, q, &hits, t->tasks);
    sl_bvh_any_columns(t->bvh, &rays, COUNT, q, t->yes, t->tasks);
    const sl_segment_columns segments = sl_segment_columns_of_structs(
        t->segments->p, t->segments->q, sizeof t->segments[0]);
    sl_bvh_blocked_columns(t->bvh, &segments, COUNT, q, t->yes, t->hint, t->tasks);
    sl_bvh_blockers_columns(t->bvh, &segments, COUNT, q, &hits, t->tasks);
    sl_bvh_nearest_many(t->bvh, t->points, COUNT, INFINITY, q, t->near, t->tasks);
    sl_bvh_nearest_k_many(t->bvh, t->points, COUNT, INFINITY, q, t->near, KEPT, t->totals,
                          t->tasks);
    sl_bvh_within_many(t->bvh, t->points, COUNT, 0.5f, q, t->near, KEPT, t->totals, t->tasks);
    sl_bvh_inside_many(t->bvh, t->boundary, t->points, COUNT, q, t->inside, t->tasks);
    sl_bvh_overlaps_many(t->bvh, t->volumes, COUNT, q, t->yes, t->tasks);
    sl_bvh_overlap_many(t->bvh, t->volumes, COUNT, q, t->prims, KEPT, t->totals, t->tasks);
    t->sum += t->totals[0] + t->totals[COUNT - 1];
}

static void make_table(table *t, const sl_mesh *mesh, const sl_allocator *allocator)
{
    test_random random = { SEED };
    sl_build_def def = sl_default_build_def();
    def.allocator = *allocator;
    assert_int_equal(sl_bvh_build(mesh, &def, &t->bvh, NULL), SL_OK);
    assert_int_equal(sl_pool_create(WORKERS, allocator, &t->pool, NULL), SL_OK);
    t->tasks = sl_pool_tasks(t->pool);
    t->soup = sl_mesh_soup(mesh);
    const sl_query part = { .flags = SL_USE_SKIP, .skip = { 5, 50 } };
    sl_mesh_def of_boundary = sl_default_mesh_def();
    of_boundary.allocator = *allocator;
    assert_int_equal(sl_boundary_create(&t->soup, &part, &of_boundary, &t->boundary, NULL), SL_OK);
    assert_true(sl_boundary_get_info(t->boundary).edge_count > 0);
    for (size_t i = 0; i < COUNT; i++) {
        static const hard_kind of_segments[] = { HARD_VERTEX, HARD_EDGE, HARD_BESIDE };
        static const hard_kind of_rays[] = { HARD_BOX, HARD_BEYOND, HARD_AXIS };
        t->rays[i] = hard_ray_make(mesh, of_rays[i % 3], &random).ray;
        t->segments[i] = hard_ray_make(mesh, of_segments[i % 3], &random).segment;
        t->volumes[i] = hard_volume_make(mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), &random);
        hard_point(mesh, &random, t->points + 3 * i);
        if (i % 2 == 0) {
            const sl_triangle triangle = hard_triangle(mesh, &random);
            memcpy(t->points + 3 * i, triangle.v[i % 3], sizeof triangle.v[0]);
        }
        t->hint[i] = (uint32_t)i;
    }
}

static void free_table(table *t)
{
    sl_pool_destroy(t->pool);
    sl_boundary_destroy(t->boundary);
    sl_bvh_destroy(t->bvh);
}

/* Everything, with the options of t->query. */
static void ask_without_memory(table *t, sli_failing_allocator *memory)
{
    const size_t before = memory->allocations;
    memory->fail_at = 0;
    no_memory_begin();
    for (size_t i = 0; i < COUNT; i++) {
        ask_of_ray(t, i);
        ask_of_segment(t, i);
        ask_of_point(t, i);
        ask_of_volume(t, i);
    }
    ask_in_bulk(t);
    const size_t calls = no_memory_end();
    assert_int_equal(calls, 0);
    assert_int_equal(memory->allocations, before);
    assert_true(t->sum > 0);
    t->sum = 0;
}

static void on_mesh(void (*test)(table *, sli_failing_allocator *))
{
    sl_mesh *meshes[2] = { NULL, NULL };
    assert_int_equal(sl_mesh_sphere(6, NULL, &meshes[0], NULL), SL_OK);
    assert_int_equal(sl_mesh_soup_random(700, 0.3f, 5, NULL, &meshes[1], NULL), SL_OK);
    for (int i = 0; i < 2; i++) {
        table *t = calloc(1, sizeof *t);
        sli_failing_allocator memory;
        const sl_allocator allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        make_table(t, meshes[i], &allocator);
        test(t, &memory);
        free_table(t);
        assert_int_equal(memory.live_blocks, 0);
        free(t);
        sl_mesh_destroy(meshes[i]);
    }
}

static void without_options(table *t, sli_failing_allocator *memory)
{
    ask_without_memory(t, memory);
}

static void no_query_allocates(void **state)
{
    (void)state;
    on_mesh(without_options);
}

static void with_options(table *t, sli_failing_allocator *memory)
{
    static sl_ray_opt per_ray[COUNT];
    sl_stats stats = { .rays = 0 };
    for (size_t i = 0; i < COUNT; i++) {
        per_ray[i] = (sl_ray_opt){ .mask = UINT32_MAX, .skip = { (uint32_t)i, SL_NONE } };
    }
    t->query = (sl_query){
        .flags = SL_USE_MASK | SL_USE_SKIP | SL_OPEN_START | SL_OPEN_END | SL_CROSSINGS,
        .cull = SL_CULL_BACK,
        .per_ray = per_ray,
        .stats = &stats,
    };
    ask_without_memory(t, memory);
    assert_true(stats.exact_stage > 0);
}

static void options_allocate_nothing(void **state)
{
    (void)state;
    on_mesh(with_options);
}

static void with_proxies(table *t, sli_failing_allocator *memory)
{
    static const sl_proxy shapes[] = {
        { .kind = SL_PROXY_SPHERE, .shape.sphere = { { 0, 0, 0 }, 0.75f } },
        { .kind = SL_PROXY_AABB, .shape.aabb = { { 0, 0, -1 }, { 1, 1, 0.5f } } },
        { .kind = SL_PROXY_OBB,
          .shape.obb = { { 0, 0, 0 },
                         { { 3, 4, 0 }, { -4, 3, 0 }, { 0, 0, 5 } },
                         { .1f, .1f, .1f } } },
    };
    for (int i = 0; i < 6; i++) {
        sl_proxy proxy = shapes[i / 2];
        proxy.mode = i % 2 ? SL_PROXY_INSTEAD : SL_PROXY_FIRST;
        t->query = (sl_query){ .proxy = &proxy };
        ask_without_memory(t, memory);
    }
}

static void proxies_allocate_nothing(void **state)
{
    (void)state;
    on_mesh(with_proxies);
}

/* The wrapping is no dead letter. */
static void what_allocates_is_counted(void **state)
{
    (void)state;
    sl_mesh *mesh = NULL;
    no_memory_begin();
    const sl_result result = sl_mesh_sphere(2, NULL, &mesh, NULL);
    assert_true(no_memory_end() > 0);
    assert_int_equal(result, SL_OUT_OF_MEMORY);
}

/* ---- Nothing is missing ---- */

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    const size_t size = fread(text, 1, (1 << 20) - 1, file);
    assert_true(size > 0 && size < (1 << 20) - 1);
    fclose(file);
    return text;
}

/* Calls of sl_bvh_... and sl_soup_... that a header declares and this file does not make. */
static size_t count_missing(const char *header, const char *here, size_t *declared)
{
    size_t missing = 0;
    for (const char *at = header; (at = strstr(at, "sl_")) != NULL; at++) {
        char call[80];
        size_t size = 0;
        while (size < sizeof call - 2 && (isalnum((unsigned char)at[size]) || at[size] == '_')) {
            size++;
        }
        const bool query = strncmp(at, "sl_bvh_", 7) == 0 || strncmp(at, "sl_soup_", 8) == 0;
        if (!query || at[size] != '(') {
            continue;
        }
        snprintf(call, sizeof call, "%.*s(", (int)size, at);
        ++*declared;
        if (strstr(here, call) == NULL) {
            print_error("%s) is not asked here\n", call);
            missing++;
        }
    }
    return missing;
}

static void every_query_of_the_headers_is_asked(void **state)
{
    (void)state;
    static const char *const headers[] = { "ray_query.h", "ray_columns.h", "point_query.h",
                                          "volume_query.h" };
    char *here = read_whole(SOURCE_DIR "/test/bvh/test_no_allocation.c");
    size_t missing = 0, declared = 0;
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/bvh/include/sightline/%s", SOURCE_DIR, headers[i]);
        char *header = read_whole(path);
        missing += count_missing(header, here, &declared);
        free(header);
    }
    free(here);
    assert_int_equal(missing, 0);
    assert_true(declared >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_query_allocates),
        cmocka_unit_test(options_allocate_nothing),
        cmocka_unit_test(proxies_allocate_nothing),
        cmocka_unit_test(what_allocates_is_counted),
        cmocka_unit_test(every_query_of_the_headers_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
