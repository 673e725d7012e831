/* Scenes as they are built: numbers, paths, holes, what is refused and how, memory that fails. */
#include "bvh/scene/scene.h"
#include "test/support/input/solids.h"
#include "test/support/test.h"

enum { SEED = 20261124 };

static sl_instance moved_by(const sl_bvh *bvh, double x, double y, double z)
{
    sl_instance instance = sl_instance_of(bvh);
    const double by[3] = { x, y, z };
    assert_true(sl_transform_from_trs(by, NULL, NULL, &instance.transform));
    return instance;
}

/* ---- Numbers and paths ---- */

TEST(numbers_follow_the_array)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    sl_instance inner[3] = { moved_by(cube, 0, 0, 0), { .bvh = NULL }, moved_by(cube, 9, 0, 0) };
    inner[0].id = 70;
    inner[2].id = 72;
    OWN(sl_bvh) in = made_scene(inner, 3, NULL);
    sl_instance outer[4] = { moved_by(cube, -20, 0, 0),
                             { .bvh = NULL },
                             moved_by(NULL, 0, 0, 0),
                             moved_by(cube, 40, 0, 0) };
    outer[2].bvh = in;
    for (uint32_t i = 0; i < 4; i++) {
        outer[i].id = i + 1;
    }
    OWN(sl_bvh) scene = made_scene(outer, 4, NULL);
    const sl_bvh_info info = sl_bvh_get_info(scene);
    assert_int_equal(info.instance_count, 6); /* cube, hole, (cube, hole, cube), cube */
    assert_int_equal(info.hole_count, 2);
    assert_int_equal(info.left_out_count, 0);

    sl_path_step steps[3];
    size_t count;
    assert_true(sl_bvh_path(scene, 0, steps, 3, &count) && count == 1);
    assert_int_equal(steps[0].id, 1);
    assert_true(sl_bvh_path(scene, 4, steps, 3, &count) && count == 2);
    assert_int_equal(steps[0].index, 2);
    assert_int_equal(steps[0].id, 3);
    assert_int_equal(steps[1].index, 2);
    assert_int_equal(steps[1].id, 72);
    assert_true(sl_bvh_path(scene, 5, steps, 3, &count) && count == 1);
    assert_int_equal(steps[0].id, 4);
    assert_true(sl_bvh_path(scene, 4, NULL, 0, &count) && count == 2);
    count = 7;
    assert_false(sl_bvh_path(scene, 6, steps, 3, &count));
    assert_false(sl_bvh_path(scene, SL_NONE, steps, 3, &count));
    assert_int_equal(count, 7);

    double corners[3][3];
    assert_true(sl_bvh_triangle(scene, (sl_triangle_ref){ .instance = 4 }, corners));
    assert_false(sl_bvh_triangle(scene, (sl_triangle_ref){ .instance = 1 }, corners));
    assert_false(sl_bvh_triangle(scene, (sl_triangle_ref){ .instance = 6 }, corners));
    assert_false(
        sl_bvh_triangle(scene, (sl_triangle_ref){ .instance = 0, .prim = SL_NONE }, corners));
}

TEST(an_empty_scene_is_missed)
{
    const sl_instance hole = { .bvh = NULL };
    for (size_t count = 0; count < 2; count++) {
        OWN(sl_bvh) scene = made_scene(&hole, count, NULL);
        const sl_ray ray = { .tmax = 7, .dir = { 0, 0, 1 } };
        sl_hit hit;
        const sl_aabb_d bounds = sl_bvh_bounds(scene);
        assert_true(bounds.min[0] > bounds.max[0]);
        assert_false(sl_bvh_closest(scene, &ray, NULL, &hit));
        assert_int_equal(hit.prim, SL_NONE);
        assert_true(hit.t == 7);
        assert_false(sl_bvh_any(scene, &ray, NULL));
        assert_int_equal(sl_bvh_all(scene, &ray, NULL, NULL, 0), 0);
    }
    sl_bvh_destroy(NULL);
}

/* 64^15 empty scenes by 960 instances: none is looked at. */
TEST(empty_scenes_in_empty_scenes_cost_nothing)
{
    enum { WIDTH = 64 };
    sl_bvh *level[SLI_WORLD_DEPTH_MAX];
    level[0] = made_scene(NULL, 0, NULL);
    for (int i = 1; i < SLI_WORLD_DEPTH_MAX; i++) {
        sl_instance inner[WIDTH];
        sl_bvh_info info;
        for (int k = 0; k < WIDTH; k++) {
            inner[k] = sl_instance_of(NULL);
            inner[k].bvh = level[i - 1];
        }
        level[i] = made_scene(inner, WIDTH, NULL);
        info = sl_bvh_get_info(level[i]);
        assert_int_equal(info.instance_count, 0);
    }
    for (int i = SLI_WORLD_DEPTH_MAX; i-- > 0;) {
        sl_bvh_destroy(level[i]);
    }
}

/* ---- What is refused ---- */

static void refuse(const sl_instance *instances, size_t count, const sl_instances_def *def,
                   sl_result code, const char *words)
{
    sl_bvh *scene = (sl_bvh *)1;
    sl_error error = { .message = "" };
    assert_int_equal(sl_bvh_build_instances(instances, count, def, &scene, &error), code);
    assert_null(scene);
    if (strstr(error.message, words) == NULL) {
        fail_msg("'%s' has not '%s'", error.message, words);
    }
}

/* Instance 2 of three is bad: refused by its number, or left out and counted, and the others stay.
 * */
static void bad_instance(const sl_bvh *good, const sl_instance *bad)
{
    sl_instance instances[3] = { sl_instance_of(good), moved_by(good, 50, 0, 0), *bad };
    refuse(instances, 3, NULL, SL_BAD_DATA, "instance 2 (number 2): ");
    sl_instances_def def = (sl_instances_def){ 0 };
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    sl_bvh_info info;
    OWN(sl_bvh) scene = made_scene(instances, 3, &def);
    info = sl_bvh_get_info(scene);
    assert_int_equal(info.left_out_count, 1);
    assert_int_equal(info.hole_count, 1);
    assert_int_equal(info.instance_count, 3);
    const char *why = sl_bvh_left_out(scene, 2);
    assert_non_null(why);
    refuse(instances, 3, NULL, SL_BAD_DATA, why); /* the same words */
    assert_true(strncmp(why, "its ", 4) == 0);
    assert_true(sl_bvh_left_out(scene, 1) == NULL && sl_bvh_left_out(scene, 3) == NULL);
    assert_null(sl_bvh_left_out(good, 0));
}

TEST(bad_instances_are_named)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    OWN(sl_bvh) empty = made_bvh_alone(made_mesh(NULL, 0, NULL, 0, NULL), NULL);

    sl_instance bad = sl_instance_of(empty);
    bad_instance(cube, &bad);
    bad = sl_instance_of(cube);
    bad.transform.m[1][2] = NAN;
    bad_instance(cube, &bad);
    bad.transform.m[1][2] = INFINITY;
    bad_instance(cube, &bad);
    bad = sl_instance_of(cube);
    bad.transform.m[0][0] = 0; /* flat */
    bad_instance(cube, &bad);
    bad.transform.m[0][0] = 0x1p-22; /* nearly */
    bad_instance(cube, &bad);
    bad = moved_by(cube, 2.0 * FLT_MAX, 0, 0);
    bad_instance(cube, &bad);
    const double grids[] = { 0.3, -1, NAN, INFINITY, 0x1p-150, 0x1p128, 1024 };
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        bad = sl_instance_of(cube);
        bad.grid = grids[i];
        bad_instance(cube, &bad);
    }

    /* Nested: named by the number in the outer array, and the whole inner scene is left out. */
    const sl_instance two[2] = { sl_instance_of(cube), moved_by(cube, 9, 0, 0) };
    OWN(sl_bvh) inner = made_scene(two, 2, NULL);
    sl_instance outer[2] = { sl_instance_of(cube), sl_instance_of(NULL) };
    outer[1].bvh = inner;
    outer[1].transform.m[2][3] = INFINITY;
    refuse(outer, 2, NULL, SL_BAD_DATA, "instance 1 (number 1): ");
    sl_instances_def def = (sl_instances_def){ 0 };
    def.bad = SL_BAD_INSTANCES_LEAVE_OUT;
    sl_bvh *scene;
    sl_bvh_info info;
    scene = made_scene(outer, 2, &def);
    info = sl_bvh_get_info(scene);
    assert_int_equal(info.left_out_count, 2);
    assert_null(sl_bvh_left_out(scene, 0));
    assert_non_null(strstr(sl_bvh_left_out(scene, 1), "not finite"));
    assert_ptr_equal(sl_bvh_left_out(scene, 1), sl_bvh_left_out(scene, 2));
    sl_bvh_destroy(scene);
    outer[1] = sl_instance_of(NULL); /* a hole is not left out */
    OWN(sl_bvh) holes = made_scene(outer, 2, &def);
    assert_null(sl_bvh_left_out(holes, 1));
}

TEST(bad_arguments_are_named)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    sl_instance one = sl_instance_of(cube);
    sl_bvh *scene = made_scene(&one, 1, NULL);
    sl_error error;
    assert_int_equal(sl_bvh_build_instances(&one, 1, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    refuse(NULL, 1, NULL, SL_INVALID_ARGUMENT, "instances is NULL");
    refuse(&one, (size_t)1 << 28, NULL, SL_TOO_LARGE, "268435455");
    sl_instances_def def = { .bad = 2 };
    refuse(&one, 1, &def, SL_INVALID_ARGUMENT, "sl_instances_def.bad is 2");
    def = (sl_instances_def){ 0 };
    def.quality = 3;
    refuse(&one, 1, &def, SL_INVALID_ARGUMENT, "sl_instances_def.quality is 3");
    def = (sl_instances_def){ 0 };
    def.recycle = cube;
    refuse(&one, 1, &def, SL_INVALID_ARGUMENT, "sl_instances_def.recycle is a tree over triangles");
    def = (sl_instances_def){ 0 };
    def.recycle = cube;
    refuse(&one, 1, &def, SL_INVALID_ARGUMENT, "sl_instances_def.recycle is a tree over triangles");
    def = (sl_instances_def){ 0 };
    def.stride = 8;
    refuse(&one, 1, &def, SL_INVALID_ARGUMENT, "sl_instances_def.stride is 8");
    def.stride = SIZE_MAX / 4 + 1;
    refuse(&one, 2, &def, SL_INVALID_ARGUMENT, "no array of 2 is larger");

    /* Scenes in scenes, one more than there may be. */
    sl_bvh *deep[SLI_WORLD_DEPTH_MAX];
    deep[0] = scene;
    for (int i = 1; i < SLI_WORLD_DEPTH_MAX; i++) {
        sl_instance in = sl_instance_of(NULL);
        in.bvh = deep[i - 1];
        deep[i] = made_scene(&in, 1, NULL);
    }
    const sl_ray ray = { .origin = { 1.5f, 1.5f, -1 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    assert_true(sl_bvh_any(deep[SLI_WORLD_DEPTH_MAX - 1], &ray, NULL));
    sl_instance in = sl_instance_of(NULL);
    in.bvh = deep[SLI_WORLD_DEPTH_MAX - 1];
    refuse(&in, 1, NULL, SL_TOO_LARGE, "instance 0 has scenes in scenes 16 deep");
    for (int i = 0; i < SLI_WORLD_DEPTH_MAX; i++) {
        sl_bvh_destroy(deep[i]);
    }
}

TEST(memory_may_fail)
{
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    sl_instance instances[30];
    for (int i = 0; i < 30; i++) {
        instances[i] = moved_by(cube, 5 * i, 0, 0);
    }
    sl_instances_def def = { 0 };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        sl_bvh *scene;
        const sl_result result = sl_bvh_build_instances(instances, 30, &def, &scene, NULL);
        if (memory.failed) {
            assert_int_equal(result, SL_OUT_OF_MEMORY);
            assert_null(scene);
        } else {
            assert_int_equal(result, SL_OK);
            const sl_bvh_info info = sl_bvh_get_info(scene);
            assert_true(info.bytes <= memory.live_bytes);
            sl_bvh_destroy(scene);
        }
    }
}

/* A caller with a longer struct, and what it adds. */
TEST(instances_may_have_a_stride)
{
    typedef struct element {
        sl_instance instance;
        char name[24];
    } element;
    OWN(sl_bvh) cube = made_bvh_alone(solid_make(SOLID_CUBE), NULL);
    element elements[3];
    sl_instances_def def = (sl_instances_def){ 0 };
    def.stride = sizeof *elements;
    for (int i = 0; i < 3; i++) {
        elements[i] = (element){ .instance = moved_by(cube, 10 * i, 0, 0), .name = "abc" };
    }
    OWN(sl_bvh) scene = made_scene(&elements[0].instance, 3, &def);
    const sl_ray ray = { .origin = { 21.5f, 1.5f, -1 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    sl_hit hit;
    assert_true(sl_bvh_closest(scene, &ray, NULL, &hit));
    assert_int_equal(hit.instance, 2);
}
