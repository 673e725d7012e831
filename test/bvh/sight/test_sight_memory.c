/* What is remembered from frame to frame never changes an answer: histories of worlds whose
 * instances move, come and go, with pairs that come and go and change places, ids that clash,
 * bodies that change, tables that are far too small, and tasks in any order.  And it is of use.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of histories. */
#include "bvh/sight/memory.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/sights.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { SEED = 20261132, FRAMES = 300, INSTANCES = 40, ENDS = 60, PAIRS = 400, WORDS = 7 };

/* A world in which things move. */
typedef struct history {
    world_case world; /* whose trees are used */
    sl_instance instances[INSTANCES];
    sl_sight_end ends[ENDS];
    sl_sight_pair pairs[PAIRS];
    uint64_t plain[WORDS], remembered[WORDS];
    size_t occluded; /* over all frames */
} history;

static void nudge(double place[3], double by, test_random *random)
{
    for (int axis = 0; axis < 3; axis++) {
        place[axis] += by * ((double)test_random_unit(random) - 0.5);
    }
}

static void step(history *h, test_random *random)
{
    for (size_t i = 0; i < INSTANCES; i++) {
        sl_instance *instance = &h->instances[i];
        const uint32_t kind = test_random_below(random, 60);
        if (kind == 0) { /* another one, or a hole */
            const uint32_t tree = test_random_below(random, WORLD_TREES + 1);
            *instance = world_instance(tree < WORLD_TREES ? h->world.trees[tree] : NULL,
                                       WORLD_PLAIN, i, random);
        } else if (kind < 20) {
            double at[3];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = instance->transform.m[axis][3];
            }
            nudge(at, 0.1, random);
            for (int axis = 0; axis < 3; axis++) {
                instance->transform.m[axis][3] = at[axis];
            }
        }
    }
    for (uint32_t i = 0; i < ENDS; i++) {
        sl_sight_end *end = &h->ends[i];
        nudge(end->at, test_random_below(random, 2) == 0 ? 0 : 0.05, random);
        if (test_random_below(random, 20) == 0) {
            end->own.first = test_random_below(random, INSTANCES);
            end->own.count = test_random_below(random, 4);
        }
    }
    for (size_t i = 0; i < PAIRS; i++) {
        const uint32_t kind = test_random_below(random, 20);
        const size_t other = test_random_below(random, PAIRS);
        if (kind == 0) {
            h->pairs[i] =
                (sl_sight_pair){ test_random_below(random, ENDS), test_random_below(random, ENDS) };
        } else if (kind == 1) {
            const sl_sight_pair pair = h->pairs[i];
            h->pairs[i] = h->pairs[other];
            h->pairs[other] = pair;
        }
    }
}

/* How many pairs blocked; fails where memory changes an answer. */
static void look(history *h, const sl_bvh *scene, sl_sight_memory *memory, uint64_t frame)
{
    scrambled_tasks scrambled;
    sl_options options = { .mask = frame % 5 == 0 ? 1 + (uint32_t)frame % 7 : 0,
                           .cull = frame % 11 == 0 ? SL_CULL_BACK : SL_CULL_NONE };
    options.flags |= frame % 7 == 0 ? SL_OPEN_END : 0;
    const uint32_t flags = frame % 13 == 0 ? SL_SIGHT_DOUBLES : 0;
    const sl_sight without = { .options = &options, .flags = flags };
    const sl_sight with = { .options = &options, .memory = memory, .flags = flags };
    const sl_sight_ends ends = { .eyes = h->ends, .eye_count = ENDS };
    const sl_tasks *tasks =
        frame % 3 == 0 ? scrambled_tasks_start(&scrambled, 4, SEED + frame) : NULL;
    const size_t total = sl_sight_pairs(scene, &ends, h->pairs, PAIRS, &without, h->plain, NULL);
    assert_int_equal(sl_sight_pairs(scene, &ends, h->pairs, PAIRS, &with, h->remembered, tasks),
                     total);
    assert_memory_equal(h->plain, h->remembered, sizeof h->plain);
    h->occluded += PAIRS - total;
}

/* A history with a table for so many pairs. */
static sl_sight_memory_info live(size_t room, bool clashes, uint64_t seed, size_t *occluded)
{
    test_random random = { seed };
    static history h;
    sl_sight_memory *memory;
    sl_sight_memory_info info;
    h.occluded = 0;
    world_make(&h.world, WORLD_PLAIN, 4, false, &random);
    assert_int_equal(sl_sight_memory_create(room, NULL, &memory, NULL), SL_OK);
    for (size_t i = 0; i < INSTANCES; i++) {
        h.instances[i] =
            world_instance(h.world.trees[test_random_below(&random, 4)], WORLD_PLAIN, i, &random);
    }
    for (uint32_t i = 0; i < ENDS; i++) {
        h.ends[i] = sights_end(h.world.scene, clashes ? i % 3 : i * 17, &random);
        nudge(h.ends[i].at, 4, &random);
    }
    for (size_t i = 0; i < PAIRS; i++) {
        h.pairs[i] =
            (sl_sight_pair){ test_random_below(&random, ENDS), test_random_below(&random, ENDS) };
    }
    for (uint64_t frame = 0; frame < (test_is_brief() ? 10 : FRAMES); frame++) {
        step(&h, &random);
        sl_bvh *scene = made_scene(h.instances, INSTANCES, NULL);
        look(&h, scene, memory, frame);
        sl_bvh_destroy(scene);
        if (frame == 200) {
            sli_sight_memory_clear(memory);
        }
    }
    info = sl_sight_memory_get_info(memory);
    sl_sight_memory_destroy(memory);
    world_destroy(&h.world);
    *occluded = h.occluded;
    return info;
}

TEST(memory_never_changes_an_answer)
{
    static const size_t rooms[] = { PAIRS, 1, 40 };
    for (uint64_t i = 0; i < 3 * test_scale(); i++) {
        size_t occluded;
        const sl_sight_memory_info info =
            live(rooms[i % 3], i % 3 == 2, test_seed(SEED) + i, &occluded);
        print_message("room for %zu: %zu blocked, %zu remembered, %zu of them still\n",
                      info.capacity, occluded, (size_t)info.tried, (size_t)info.occluded);
        assert_true(info.occluded > 0 && info.occluded <= info.tried);
        if (i % 3 == 0) { /* most blockers stay */
            assert_true(info.occluded > occluded / 2);
        }
    }
}

/* A wall, and two rows of ends on either side of it; ids from first_id on. */
enum { SIDE = 30 };
typedef struct wall_case {
    world_case world;
    sl_bvh *scene;
    sl_sight_end ends[2 * SIDE];
} wall_case;

static void wall_make(wall_case *c, uint32_t first_id, test_random *random)
{
    world_make(&c->world, WORLD_PLAIN, 4, false, random);
    const sl_instance wall = sl_instance_of(c->world.trees[0]); /* the unit cube */
    c->scene = made_scene(&wall, 1, NULL);
    for (uint32_t i = 0; i < 2 * SIDE; i++) {
        const float at[3] = { i < SIDE ? -1.0f : 2.0f, 0.2f + 0.01f * (float)(i % SIDE), 0.3f };
        c->ends[i] = (sl_sight_end){ .at = { at[0], at[1], at[2] }, .id = first_id + i };
    }
}

static void wall_destroy(wall_case *c)
{
    sl_bvh_destroy(c->scene);
    world_destroy(&c->world);
}

/* How many blockers a call tries that asks about ends on two sides of a wall, after one that has
 * asked about the same pairs the other way round. */
static size_t tried_of_reverse(const sl_options *options, bool two_lists)
{
    static wall_case c;
    static sl_sight_pair pairs[SIDE * SIDE];
    uint64_t seen[SIDE * SIDE / 64 + 1];
    sl_sight_memory_info info;
    sl_sight_memory *memory;
    test_random random = { SEED };
    wall_make(&c, 0, &random);
    static sl_sight_end others[2 * SIDE];
    memcpy(others, c.ends, sizeof others);
    const sl_sight_ends both = { .eyes = c.ends,
                                 .eye_count = 2 * SIDE,
                                 .targets = two_lists ? others : NULL,
                                 .target_count = 2 * SIDE };
    assert_int_equal(sl_sight_memory_create(4 * SIDE * SIDE, NULL, &memory, NULL), SL_OK);
    const sl_sight sight = { .memory = memory, .options = options };
    for (int reverse = 0; reverse < 2; reverse++) {
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            const uint32_t left = i / SIDE, right = SIDE + i % SIDE;
            pairs[i] =
                reverse != 0 ? (sl_sight_pair){ right, left } : (sl_sight_pair){ left, right };
        }
        assert_int_equal(sl_sight_pairs(c.scene, &both, pairs, SIDE * SIDE, &sight, seen, NULL), 0);
    }
    info = sl_sight_memory_get_info(memory);
    assert_int_equal(info.occluded, info.tried);
    sl_sight_memory_destroy(memory);
    wall_destroy(&c);
    return (size_t)info.tried;
}

TEST(a_pair_and_its_reverse_share_what_blocks_them)
{
    const sl_options plain = { .flags = 0 }, culled = { .cull = SL_CULL_BACK };
    const sl_options one_open = { .flags = SL_OPEN_END };
    const sl_options both_open = { .flags = SL_OPEN_START | SL_OPEN_END };
    assert_in_range(tried_of_reverse(&plain, false), 850, 900);
    assert_in_range(tried_of_reverse(&both_open, false), 850, 900);
    assert_int_equal(tried_of_reverse(&culled, false), 0);
    assert_int_equal(tried_of_reverse(&one_open, false), 0);
    assert_int_equal(tried_of_reverse(&plain, true), 0);
}

TEST(what_blocks_is_found_again_whatever_the_order)
{
    static wall_case c;
    static sl_sight_pair pairs[SIDE * SIDE];
    uint64_t seen[SIDE * SIDE / 64 + 1];
    sl_sight_memory_info info;
    sl_sight_memory *memory;
    test_random random = { SEED };
    wall_make(&c, 1000, &random);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        pairs[i] = (sl_sight_pair){ i / SIDE, SIDE + i % SIDE };
    }
    const sl_sight_ends both = { .eyes = c.ends, .eye_count = 2 * SIDE };
    assert_int_equal(sl_sight_memory_create(SIDE * SIDE, NULL, &memory, NULL), SL_OK);
    const sl_sight sight = { .memory = memory };
    for (int frame = 0; frame < 600; frame++) {
        assert_int_equal(sl_sight_pairs(c.scene, &both, pairs, SIDE * SIDE, &sight, seen, NULL), 0);
        for (size_t i = SIDE * SIDE - 1; i > 0; i--) {
            const size_t k = test_random_below(&random, (uint32_t)i + 1);
            const sl_sight_pair pair = pairs[i];
            pairs[i] = pairs[k];
            pairs[k] = pair;
        }
    }
    info = sl_sight_memory_get_info(memory);
    assert_true(info.tried == info.occluded);
    /* Few lose their place in the table to others. */
    assert_in_range(info.occluded, 599 * SIDE * SIDE * 96 / 100, 599 * SIDE * SIDE);
    sli_sight_memory_clear(memory);
    (void)sl_sight_pairs(c.scene, &both, pairs, SIDE * SIDE, &sight, seen, NULL);
    const uint64_t before = info.tried;
    info = sl_sight_memory_get_info(memory);
    assert_int_equal(info.tried, before);
    sl_sight_memory_destroy(memory);
    wall_destroy(&c);
}

/* In one bucket: five pairs, of which one has not been asked about for long. */
TEST(what_was_not_of_use_for_long_goes_first)
{
    OWN(sl_sight_memory) memory = NULL;
    assert_int_equal(sl_sight_memory_create(1, NULL, &memory, NULL), SL_OK);
    for (uint32_t frame = 0; frame < 300; frame++) {
        sli_sight_next_call(memory);
        for (uint32_t pair = 0; pair < 4; pair++) {
            if (pair != 2 || frame < 290) {
                sli_sight_remember(memory, pair, (sl_triangle_ref){ pair, frame });
            }
        }
    }
    sli_sight_remember(memory, 4, (sl_triangle_ref){ 4, 7 });
    for (uint32_t pair = 0; pair < 5; pair++) {
        const sl_triangle_ref found = sli_sight_recall(memory, pair);
        const uint32_t expected = pair == 2 ? SL_NONE : pair == 4 ? 7 : 299;
        assert_int_equal(found.prim, expected);
        assert_true(found.prim == SL_NONE || found.instance == pair);
    }
    sli_sight_forget(memory, 4);
    assert_int_equal(sli_sight_recall(memory, 4).prim, SL_NONE);
}

TEST(limits_are_checked_and_failures_survived)
{
    sl_error error;
    sl_sight_memory *memory = (sl_sight_memory *)&error;
    assert_int_equal(sl_sight_memory_create(0, NULL, &memory, &error), SL_INVALID_ARGUMENT);
    assert_null(memory);
    assert_int_equal(sl_sight_memory_create(((size_t)1 << 30) + 1, NULL, &memory, &error),
                     SL_TOO_LARGE);
    assert_int_equal(sl_sight_memory_create(1, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    sl_allocator allocator;
    sli_failing_allocator failing = TEST_NO_FAILURE_YET;
    while (test_next_failure(&failing, &allocator)) {
        const sl_result result = sl_sight_memory_create(1000, &allocator, &memory, &error);
        assert_int_equal(result, failing.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true(failing.failed == (memory == NULL));
        if (memory != NULL) {
            const sl_sight_memory_info info = sl_sight_memory_get_info(memory);
            assert_int_equal(info.bytes, failing.live_bytes);
            assert_in_range(info.capacity, 1000, 2000);
        }
        sl_sight_memory_destroy(memory);
    }
    sl_sight_memory_destroy(NULL);
}
