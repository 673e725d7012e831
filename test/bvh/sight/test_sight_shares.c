/* Samples of targets: that they are where they should be, and always the same; how many of them are
 * seen, one by one; and that early decisions are those of all samples.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/sight/samples.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/sights.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { SEED = 20261134, ENDS = 20, PAIRS = 150, COUNT = 40 };

TEST(samples_fill_their_shape_evenly)
{
    enum { MANY = 4096 };
    static double points[3 * MANY], again[3 * MANY];
    for (uint32_t shape = SL_SIGHT_BOX; shape <= SL_SIGHT_BALL; shape++) {
        const sl_sight_samples samples = { .shape = (sl_sight_shape)shape, .count = MANY };
        size_t eighths[8] = { 0 }, half_way = 0;
        sli_sight_sample_points(&samples, points);
        for (size_t i = 0; i < MANY; i++) {
            const double *s = &points[3 * i];
            const double length2 = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
            eighths[(s[0] < 0) + 2 * (s[1] < 0) + 4 * (s[2] < 0)]++;
            half_way += length2 <= 0.25;
            for (int axis = 0; axis < 3; axis++) {
                assert_true(s[axis] >= -1 && s[axis] < 1);
            }
            assert_true(shape == SL_SIGHT_BOX || length2 <= 1);
        }
        for (int i = 0; i < 8; i++) { /* random ones would differ by 60 */
            assert_in_range(eighths[i], MANY / 8 - 20, MANY / 8 + 20);
        }
        /* A ball of half the size has an eighth of the ball's volume, and pi / 48 of the box's. */
        const double share = shape == SL_SIGHT_BOX ? 0.0654498 : 0.125;
        assert_true(fabs((double)half_way / MANY - share) < 0.004);
        /* Fewer are the first ones; another seed gives others. */
        sl_sight_samples other = samples;
        other.count = 100;
        sli_sight_sample_points(&other, again);
        assert_memory_equal(points, again, 3 * 100 * sizeof *points);
        other.seed = 1;
        sli_sight_sample_points(&other, again);
        assert_memory_not_equal(points, again, 3 * sizeof *points);
    }
}

/* What every machine and every version gives. */
TEST(samples_are_always_the_same)
{
    static const double expected[2][3] = {
        { -0x1.45e6320767658p-2, 0x1.8dca13934ac96p-1, -0x1.7de5cd45c0f10p-2 },
        { 0x1.0b03f7685a130p-4, 0x1.951a83ea64f10p-3, 0x1.3dfbeb7c8125cp-1 },
    };
    for (uint32_t shape = SL_SIGHT_BOX; shape <= SL_SIGHT_BALL; shape++) {
        double points[3 * 8];
        const sl_sight_samples samples = { .shape = (sl_sight_shape)shape,
                                           .count = 8,
                                           .seed = 20261134 };
        sli_sight_sample_points(&samples, points);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(points[3 * 7 + axis] == expected[shape][axis]);
        }
    }
}

/* Eyes, targets and their samples. */
typedef struct share_case {
    sl_sight_end eyes[ENDS], targets[ENDS];
    sl_sight_samples samples[ENDS];
    sl_sight_pair pairs[PAIRS];
    double given[3 * COUNT];
} share_case;

static share_case asked;

static void draw(const sl_bvh *scene, test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    for (uint32_t i = 0; i < ENDS; i++) {
        asked.eyes[i] = sights_end(scene, i, random);
        asked.targets[i] = sights_end(scene, 1000 + i, random);
        sl_sight_samples *samples = &asked.samples[i];
        *samples = (sl_sight_samples){ .points = asked.given,
                                       .seed = i,
                                       .count = test_random_below(random, COUNT + 1),
                                       .need = test_random_below(random, COUNT + 4),
                                       .shape = (sl_sight_shape)test_random_below(random, 3) };
        for (int axis = 0; axis < 9; axis++) {
            samples->axes[axis / 3][axis % 3] =
                0.2 * (bounds.max[0] - bounds.min[0]) * (double)test_random_in(random, -1, 1);
        }
    }
    for (size_t i = 0; i < 3 * COUNT; i++) {
        asked.given[i] = (double)test_random_in(random, -1, 1);
    }
    for (size_t i = 0; i < PAIRS; i++) {
        asked.pairs[i] = (sl_sight_pair){ test_random_below(random, ENDS + (i == 3)),
                                          test_random_below(random, ENDS) };
    }
    asked.pairs[4].target = ENDS;
}

/* How many samples of a pair are seen, by every triangle. */
static uint32_t count_seen(const sl_bvh *scene, sl_sight_pair pair, const sl_sight *sight)
{
    double points[3 * COUNT];
    uint32_t seen = 0;
    const sl_sight_samples *samples = &asked.samples[pair.target];
    const sl_sight_end *target = &asked.targets[pair.target];
    sli_sight_sample_points(samples, points);
    for (uint32_t i = 0; i < samples->count; i++) {
        double to[3];
        for (int axis = 0; axis < 3; axis++) {
            to[axis] = target->at[axis];
            for (int k = 0; k < 3; k++) {
                to[axis] += points[3 * i + (uint32_t)k] * samples->axes[k][axis];
            }
        }
        seen += sights_sees(scene, &asked.eyes[pair.eye], target, to, sight->flags, sight->options);
    }
    return seen;
}

TEST(early_decisions_are_those_of_all_samples)
{
    const uint64_t rounds = test_is_brief() ? 1 : 2 * test_scale();
    size_t tried = 0, of = 0, enough = 0;
    for (uint64_t round = 0; round < rounds * WORLD_KINDS; round++) {
        test_random random = { test_seed(SEED) + round };
        UNDONE(world_destroy) world_case world;
        scrambled_tasks scrambled;
        OWN(sl_sight_memory) memory = NULL;
        sl_sight_share shares[PAIRS], again[PAIRS];
        const sl_options options = { .mask = round % 3 == 0 ? 5 : 0 };
        world_make(&world, (world_kind)(round % WORLD_KINDS), 10, false, &random);
        draw(world.scene, &random);
        assert_int_equal(sl_sight_memory_create(200, NULL, &memory, NULL), SL_OK);
        sl_sight sight = { .options = &options, .flags = round % 4 == 0 ? SL_SIGHT_DOUBLES : 0 };
        const sl_sight_ends ends = { asked.eyes, ENDS, asked.targets, ENDS };
        sl_sight_shares(world.scene, &ends, asked.samples, asked.pairs, PAIRS, &sight, shares,
                        scrambled_tasks_start(&scrambled, 3, round));
        for (size_t i = 0; i < PAIRS; i++) {
            const sl_sight_pair pair = asked.pairs[i];
            const sl_sight_share *share = &shares[i];
            if (pair.eye >= ENDS || pair.target >= ENDS) {
                assert_int_equal(share->seen + share->tried + share->enough + share->count, 0);
                continue;
            }
            const sl_sight_samples *samples = &asked.samples[pair.target];
            const uint32_t seen = count_seen(world.scene, pair, &sight);
            assert_int_equal(share->count, samples->count);
            assert_int_equal(share->enough, seen >= samples->need);
            assert_true(share->tried <= share->count && share->seen <= seen);
            if (samples->need == 0 || share->tried == share->count) {
                assert_int_equal(share->seen, seen);
                assert_int_equal(share->tried, share->count);
            }
            tried += share->tried;
            of += share->count;
            enough += share->enough;
        }
        sight.memory = memory;
        for (int frame = 0; frame < 3; frame++) {
            sl_sight_shares(world.scene, &ends, asked.samples, asked.pairs, PAIRS, &sight, again,
                            NULL);
            assert_memory_equal(shares, again, sizeof shares);
        }
    }
    print_message("%zu of %zu samples tried, %zu enough\n", tried, of, enough);
    assert_true(tried > 0 && tried < of * 9 / 10 && enough > 0);
}
