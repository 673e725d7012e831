/* Rays and hits in any layout: the bits of arrays of sl_ray and sl_hit. */
#include "test/support/hard/rays.h"
#include "test/support/test.h"

#include <sightline/ray_columns.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1100, SEED = 20261121 };

/* A ray as some caller might keep it, with its answer. */
typedef struct own_ray {
    char name;
    float tmax, dir[3];
    uint16_t kind;
    float origin[3], tmin;
    uint32_t prim;
    float t;
} own_ray;

static sl_mesh *mesh;
static sl_bvh *bvh;
static sl_ray rays[COUNT];
static sl_hit truth[COUNT];
static uint8_t any_truth[COUNT], any[COUNT];

static int setup(void **state)
{
    (void)state;
    test_random random = { SEED };
    if (sl_mesh_generate_torus(24, 12, 2, 1, NULL, &mesh, NULL) != SL_OK ||
        sl_bvh_build(mesh, NULL, &bvh, NULL) != SL_OK) {
        return 1;
    }
    for (int i = 0; i < COUNT; i++) {
        rays[i] = hard_ray_make(mesh, i % 2 == 0 ? HARD_BOX : HARD_AXIS, &random).ray;
    }
    sl_bvh_closest_many(bvh, rays, COUNT, NULL, truth, NULL);
    sl_bvh_any_many(bvh, rays, COUNT, NULL, any_truth, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
    return 0;
}

TEST_ONCE(setup, teardown);

TEST(structures_of_the_caller_give_the_same_bits)
{
    own_ray *own = calloc(COUNT, sizeof *own);
    for (int i = 0; i < COUNT; i++) {
        memcpy(own[i].origin, rays[i].origin, sizeof own[i].origin);
        memcpy(own[i].dir, rays[i].dir, sizeof own[i].dir);
        own[i].tmin = rays[i].tmin;
        own[i].tmax = rays[i].tmax;
    }
    const sl_ray_columns in =
        sl_ray_columns_of_structs(own->origin, own->dir, &own->tmin, &own->tmax, sizeof *own);
    const sl_hit_columns out = { .t = { &own->t, sizeof *own },
                                 .prim = { &own->prim, sizeof *own } };
    sl_bvh_closest_columns(bvh, &in, COUNT, NULL, &out, NULL);
    sl_bvh_any_columns(bvh, &in, COUNT, NULL, any, NULL);
    assert_memory_equal(any, any_truth, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_memory_equal(&own[i].t, &truth[i].t, sizeof own[i].t);
        assert_int_equal(own[i].prim, truth[i].prim);
        assert_int_equal(own[i].kind, 0);
    }
    free(own);
}

TEST(an_array_for_each_number_gives_the_same_bits)
{
    static float number[8][COUNT], t[COUNT], u[COUNT], v[COUNT];
    static uint32_t prim[COUNT], instance[COUNT], flags[COUNT];
    for (int i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            number[axis][i] = rays[i].origin[axis];
            number[3 + axis][i] = rays[i].dir[axis];
        }
        number[6][i] = rays[i].tmin;
        number[7][i] = rays[i].tmax;
    }
    const float *const origin[3] = { number[0], number[1], number[2] };
    const float *const dir[3] = { number[3], number[4], number[5] };
    const sl_ray_columns in = sl_ray_columns_of_arrays(origin, dir, number[6], number[7]);
    const sl_hit_columns out = { { t, 4 },    { u, 4 },        { v, 4 },
                                 { prim, 4 }, { instance, 4 }, { flags, 4 } };
    sl_bvh_closest_columns(bvh, &in, COUNT, NULL, &out, NULL);
    for (int i = 0; i < COUNT; i++) {
        const sl_hit hit = { t[i], u[i], v[i], prim[i], instance[i], flags[i] };
        assert_memory_equal(&hit, &truth[i], sizeof hit);
    }
}

TEST(a_stride_of_zero_is_one_number_for_all)
{
    static sl_ray same[COUNT];
    static sl_hit expected[COUNT];
    static uint32_t prim[COUNT];
    const float origin[3] = { 0.1f, 0.2f, 5 };
    sl_ray_columns in = { .tmax = { NULL, 0 } };
    for (int axis = 0; axis < 3; axis++) {
        in.origin[axis] = (sl_strided){ &origin[axis], 0 };
        in.dir[axis] = (sl_strided){ &rays[0].dir[axis], sizeof rays[0] };
    }
    for (int i = 0; i < COUNT; i++) {
        same[i] = sl_ray_make(origin, rays[i].dir);
    }
    const sl_hit_columns out = { .prim = { prim, sizeof prim[0] } };
    sl_bvh_closest_columns(bvh, &in, COUNT, NULL, &out, NULL);
    sl_bvh_closest_many(bvh, same, COUNT, NULL, expected, NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(prim[i], expected[i].prim);
    }
}

TEST(segments_in_structures_and_arrays_give_the_same_bits)
{
    static sl_segment segments[COUNT];
    static float number[6][COUNT], t[COUNT];
    static sl_triangle_ref hint[COUNT], hint_truth[COUNT];
    test_random random = { SEED + 1 };
    for (int i = 0; i < COUNT; i++) {
        segments[i] = hard_ray_make(mesh, i % 2 == 0 ? HARD_EDGE : HARD_BOX, &random).segment;
        for (int axis = 0; axis < 3; axis++) {
            number[axis][i] = segments[i].p[axis];
            number[3 + axis][i] = segments[i].q[axis];
        }
        hint[i].prim = hint_truth[i].prim = i % 2 == 0 ? SL_NONE : (uint32_t)i;
    }
    static sl_hit blockers[COUNT];
    static uint8_t expected[COUNT];
    sl_bvh_closest_segment_many(bvh, segments, COUNT, NULL, blockers, NULL);
    sl_bvh_blocked_many(bvh, segments, COUNT, NULL, expected, hint_truth, NULL);
    const float *const p[3] = { number[0], number[1], number[2] };
    const float *const q[3] = { number[3], number[4], number[5] };
    const sl_segment_columns arrays = sl_segment_columns_of_arrays(p, q);
    const sl_segment_columns structs =
        sl_segment_columns_of_structs(segments[0].p, segments[0].q, sizeof segments[0]);
    sl_bvh_blocked_columns(bvh, &structs, COUNT, NULL, any, hint, NULL);
    assert_memory_equal(any, expected, COUNT);
    for (int i = 0; i < COUNT; i++) { /* which blocker it names may depend on the blocks */
        assert_int_equal(hint[i].prim == SL_NONE, hint_truth[i].prim == SL_NONE);
    }
    sl_bvh_closest_segment_columns(bvh, &arrays, COUNT, NULL, &(sl_hit_columns){ .t = { t, 4 } },
                                   NULL);
    for (int i = 0; i < COUNT; i++) {
        assert_memory_equal(&t[i], &blockers[i].t, sizeof t[i]);
    }
}

TEST(options_of_each_ray_and_statistics_stay_with_it)
{
    static sl_ray_opt options[COUNT];
    static uint32_t prim[COUNT];
    sl_stats stats = { 0 };
    for (int i = 0; i < COUNT; i++) {
        options[i] = (sl_ray_opt){ .skip = { { 0, truth[i].prim }, { 0, SL_NONE } } };
    }
    const sl_query query = { .flags = SL_USE_SKIP, .per_ray = options, .stats = &stats };
    const sl_ray_columns in = sl_ray_columns_of_structs(rays[0].origin, rays[0].dir, &rays[0].tmin,
                                                        &rays[0].tmax, sizeof rays[0]);
    const sl_hit_columns out = { .prim = { prim, sizeof prim[0] } };
    sl_bvh_closest_columns(bvh, &in, COUNT, &query, &out, NULL);
    assert_int_equal(stats.rays, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_true(prim[i] == SL_NONE || prim[i] != truth[i].prim);
    }
}
