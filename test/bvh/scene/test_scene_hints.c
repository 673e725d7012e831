/* Hints that are wrong cost little: an instance that a segment is nowhere near to is not entered
 * for them, and once most have failed the others are left out; no answer changes. */
#include "test/support/environment/needs.h"
#include "test/support/input/solids.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SIDE = 8, INSTANCES = SIDE * SIDE, ITEMS = 4096, SEED = 20261123 };

typedef struct world {
    sl_bvh *tree;
    sl_bvh *scene;
    sl_segment segments[ITEMS];
    sl_triangle_ref hints[ITEMS];
} world;

/* Cubes on a floor, three sizes apart. */
static void make(world *w)
{
    static sl_instance instances[INSTANCES];
    OWN(sl_mesh) mesh = solid_make(SOLID_CUBE);
    w->tree = made_bvh(mesh, NULL);
    const sl_aabb box = bounds_in_floats(w->tree);
    const double step = 3 * ((double)box.max[0] - (double)box.min[0]);
    for (int i = 0; i < INSTANCES; i++) {
        instances[i] = sl_instance_of(w->tree);
        instances[i].transform.m[0][3] = step * (i % SIDE);
        instances[i].transform.m[1][3] = step * (i / SIDE);
    }
    w->scene = made_scene(instances, INSTANCES, NULL);
}

/* Segments within the world, raised by `up`, and hints that name any triangle. */
static void draw(world *w, float up)
{
    test_random random = { SEED };
    const sl_aabb_d bounds = sl_bvh_bounds(w->scene);
    for (int i = 0; i < ITEMS; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const float low = (float)bounds.min[axis], high = (float)bounds.max[axis];
            const float raised = axis == 2 ? up * (high - low) : 0;
            w->segments[i].p[axis] = test_random_in(&random, low, high) + raised;
            w->segments[i].q[axis] = test_random_in(&random, low, high) + raised;
        }
        w->hints[i] = (sl_triangle_ref){ test_random_below(&random, INSTANCES),
                                         test_random_below(&random, 12) };
    }
}

TEST(wrong_hints_enter_nothing)
{
    test_needs_batches();
    static world w;
    static uint8_t occluded[ITEMS];
    sl_stats stats = { .rays = 0 };
    make(&w);
    draw(&w, 100); /* far above all */
    sl_bvh_any_many(w.scene, sl_segments_of(w.segments, ITEMS), NULL, occluded, w.hints, NULL,
                    &stats);
    assert_int_equal(stats.hits, 0);
    assert_int_equal(stats.instances, 0);
    assert_in_range(stats.triangles, 64, ITEMS / 4); /* all of them are hints */
    sl_bvh_destroy(w.scene);
    sl_bvh_destroy(w.tree);
}

/* Those behind the first half are right: hints are tried again. */
TEST(hints_that_become_right_are_tried)
{
    test_needs_batches();
    static world w;
    static uint8_t expected[ITEMS], occluded[ITEMS];
    static sl_triangle_ref none[ITEMS];
    size_t known = 0;
    sl_stats plain = { .rays = 0 }, stats = { .rays = 0 };
    make(&w);
    draw(&w, 0);
    memset(none, 0xFF, sizeof none);
    sl_bvh_any_many(w.scene, sl_segments_of(w.segments, ITEMS), NULL, expected, none, NULL, &plain);
    for (size_t i = ITEMS / 2; i < ITEMS; i++) {
        known += expected[i];
        w.hints[i] = none[i];
    }
    sl_bvh_any_many(w.scene, sl_segments_of(w.segments, ITEMS), NULL, occluded, w.hints, NULL,
                    &stats);
    assert_memory_equal(occluded, expected, sizeof occluded);
    assert_true(known > ITEMS / 16);
    /* Most of the known ones enter nothing. */
    assert_true(stats.nodes < plain.nodes * 3 / 4);
    sl_bvh_destroy(w.scene);
    sl_bvh_destroy(w.tree);
}
