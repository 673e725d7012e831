/* Lines of sight allocate nothing, and take at most 60 KiB of stack: every call, in floats and in
 * doubles, with every option, on every kernel. */
#include "bvh/scene/scene.h"
#include "bvh/sight/cone.h"
#include "bvh/sight/samples.h"
#include "test/support/environment/no_memory.h"
#include "test/support/environment/painted_stack.h"
#include "test/support/input/deep.h"
#include "test/support/input/sights.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { SEED = 20261137, ENDS = 40, PAIRS = 600, SIDE = 40, LIMIT = 60 * 1024, LARGE = 192 * 1024 };

typedef struct needs {
    sl_bvh *scene;
    sl_sight_memory *memory;
    sl_sight_end ends[ENDS];
    sl_sight_pair pairs[PAIRS];
    sl_sight_cone cones[ENDS];
    sl_sight_samples samples[ENDS];
    sl_sight_grid grid;
    uint64_t seen[ENDS], pairs_seen[PAIRS / 64 + 1];
    sl_sight_share shares[PAIRS];
    uint8_t view[SIDE * SIDE];
    size_t sum;
} needs;

static needs asked;

static void make(test_random *random)
{
    for (uint32_t i = 0; i < ENDS; i++) {
        asked.ends[i] = sights_end(asked.scene, i, random);
        asked.cones[i] =
            (sl_sight_cone){ .dir = { 1, 0.5, 0.1 }, .cos_angle = 0.1, .range = INFINITY };
        asked.samples[i] = (sl_sight_samples){ .axes = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                                               .count = 20,
                                               .need = i % 20,
                                               .shape = (sl_sight_shape)(i % 2) };
    }
    for (size_t i = 0; i < PAIRS; i++) {
        asked.pairs[i] =
            (sl_sight_pair){ test_random_below(random, ENDS), test_random_below(random, ENDS) };
    }
    asked.grid = (sl_sight_grid){ .origin = { -4, -4, 5 },
                                  .step_x = { 0.2, 0, 0 },
                                  .step_y = { 0, 0.2, 0 },
                                  .down = { 0, 0, -10 },
                                  .rise = { 0, 0, 0.1 },
                                  .width = SIDE,
                                  .height = SIDE };
    assert_int_equal(sl_sight_memory_create(PAIRS, NULL, &asked.memory, NULL), SL_OK);
}

static bool every_other(void *user, size_t index, const sl_hit *hit)
{
    (void)user;
    return (index + hit->prim) % 2 == 0;
}

static void ask(uint32_t flags, const sl_options *options)
{
    const sl_sight sight = { .flags = flags, .options = options, .memory = asked.memory };
    const sl_sight_ends ends = { .eyes = asked.ends, .eye_count = ENDS };
    const double eye[3] = { 0, 0, 0 }, on_the_rim[3] = { 1, 0.5, 0.1 };
    const sl_sight_cone rim = { .dir = { 1, 0.5, 0.1 }, .cos_angle = 1, .range = 2 };
    double points[3 * 20];
    asked.sum +=
        sl_sight_pairs(asked.scene, &ends, asked.pairs, PAIRS, &sight, asked.pairs_seen, NULL);
    asked.sum += sl_sight_matrix(asked.scene, &ends, &sight, asked.seen, 0, NULL);
    asked.sum += sl_sight_sensors(asked.scene, &ends, asked.cones, &sight, asked.seen, 0, NULL);
    sl_sight_shares(asked.scene, &ends, asked.samples, asked.pairs, PAIRS, &sight, asked.shares,
                    NULL);
    asked.sum += asked.shares[0].tried;
    asked.sum += sl_sight_viewshed(asked.scene, &asked.ends[1], &asked.grid, 0, SIZE_MAX, &sight,
                                   asked.view, NULL);
    asked.sum += sli_sight_in_cone(eye, &rim, on_the_rim);
    sli_sight_sample_points(&asked.samples[1], points);
}

static void query_everything(void)
{
    const sl_options queries[] = {
        { .flags = 0 },
        { .flags = SL_OPEN_START, .mask = 7, .cull = SL_CULL_BACK },
        { .filter = every_other },
    };
    for (int k = 0; sli_kernels_at(k) != NULL; k++) {
        asked.scene->kernels = sli_kernels_at(k);
        for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
            ask(0, &queries[i]);
            ask(SL_SIGHT_DOUBLES, &queries[i]);
        }
    }
}

static void run_on_stack(painted_stack *stack, void *context)
{
    (void)context;
    (void)painted_stack_depth(stack);
    query_everything();
    painted_stack_note(stack);
}

/* In a random world, and in one with a tree that is as deep as trees are. */
static void in_both_worlds(void (*test)(void))
{
    for (int which = 0; which < 2; which++) {
        test_random random = { SEED };
        UNDONE(world_destroy) world_case world;
        OWN(sl_mesh) mesh = deep_mesh();
        sl_instance instances[20];
        world_make(&world, WORLD_PLAIN, 20, false, &random);
        OWN(sl_bvh) deep = made_bvh(mesh, NULL);
        for (size_t i = 0; i < 20; i++) {
            instances[i] = world_instance(which == 0 ? world.trees[i % 4] : deep,
                                          which == 0 ? WORLD_GRIDDED : WORLD_PLAIN, i, &random);
            instances[i].grid = 0;
        }
        asked.scene = made_scene(instances, 20, NULL);
        make(&random);
        test();
        assert_true(asked.sum > 0);
        sl_sight_memory_destroy(asked.memory);
        sl_bvh_destroy(asked.scene);
    }
}

static void query_without_memory(void)
{
    no_memory_begin();
    query_everything();
    assert_int_equal(no_memory_end(), 0);
}

TEST(nothing_is_allocated)
{
    in_both_worlds(query_without_memory);
}

static void measure(void)
{
    query_everything(); /* so that the linker has done its work, which takes stack */
    painted_stack_expect(LARGE, LIMIT, run_on_stack, NULL);
}

TEST(no_call_takes_more_than_60_kib)
{
    if (painted_stack_is_padded()) {
        print_message("not with these frames\n");
        skip();
    }
    in_both_worlds(measure);
}
