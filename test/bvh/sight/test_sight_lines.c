/* Pairs, matrices and sensors against every triangle of random worlds: ends at vertices, on edges
 * and inside of triangles, on grids and far away, in floats and in doubles, with masks, open ends
 * and bodies of their own; the same bits from any tasks.  And that seeing is mutual.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of worlds. */
#include "bvh/sight/cone.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/sights.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

enum { SEED = 20261131, ENDS = 70, PAIRS = 1500, WORDS = 3 };

/* A question about pairs or matrices. */
typedef struct sight_case {
    sl_sight_end eyes[ENDS], targets[ENDS];
    sl_sight_pair pairs[PAIRS];
    sl_sight_cone cones[ENDS];
    sl_options query;
    sl_sight sight;
} sight_case;

static sight_case asked;

static void draw(const sl_bvh *scene, test_random *random)
{
    const sl_aabb_d bounds = sl_bvh_bounds(scene);
    const double size = bounds.max[0] - bounds.min[0];
    for (uint32_t i = 0; i < ENDS; i++) {
        asked.eyes[i] = sights_end(scene, i, random);
        asked.targets[i] = sights_end(scene, i, random);
        asked.cones[i].cos_angle = 2.2 * (double)test_random_unit(random) - 1.1;
        asked.cones[i].range = size * 2 * (double)test_random_unit(random);
        for (int axis = 0; axis < 3; axis++) {
            asked.cones[i].dir[axis] = (double)test_random_in(random, -1, 1);
        }
    }
    for (size_t i = 0; i < PAIRS; i++) {
        asked.pairs[i] =
            (sl_sight_pair){ test_random_below(random, ENDS), test_random_below(random, ENDS) };
    }
    asked.pairs[7].eye = asked.pairs[70].target = ENDS; /* not there */
    const uint32_t kind = test_random_below(random, 8);
    const uint32_t mask = 1 + test_random_below(random, 7);
    asked.query = (sl_options){ .mask = kind == 0 || kind == 1 ? mask : 0 };
    asked.query.flags |= kind == 1 || kind == 2 ? SL_OPEN_START : 0;
    asked.query.flags |= kind == 2 || kind == 3 ? SL_OPEN_END : 0;
    asked.sight = (sl_sight){ .options = kind == 7 ? NULL : &asked.query,
                              .flags = test_random_below(random, 3) == 0 ? SL_SIGHT_DOUBLES : 0 };
}

static bool sees(const sl_bvh *scene, size_t eye, size_t target)
{
    return sights_sees(scene, &asked.eyes[eye], &asked.targets[target], asked.targets[target].at,
                       asked.sight.flags, &asked.query);
}

static size_t wrong_pairs(const sl_bvh *scene, const sl_tasks *tasks)
{
    uint64_t seen[PAIRS / 64 + 1];
    const sl_sight_ends ends = { asked.eyes, ENDS, asked.targets, ENDS };
    memset(seen, 0xA5, sizeof seen);
    const size_t total =
        sl_sight_pairs(scene, &ends, asked.pairs, PAIRS, &asked.sight, seen, tasks);
    size_t wrong = 0, count = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        const sl_sight_pair pair = asked.pairs[i];
        const bool expected =
            pair.eye < ENDS && pair.target < ENDS && sees(scene, pair.eye, pair.target);
        wrong += sights_bit(seen, i) != expected;
        count += expected;
    }
    return wrong + (count != total) + (seen[PAIRS / 64] >> PAIRS % 64 != 0);
}

static bool in_cone(size_t eye, size_t target)
{
    double from[3], to[3];
    return sights_place(asked.eyes[eye].at, asked.sight.flags, from) &&
           sights_place(asked.targets[target].at, asked.sight.flags, to) &&
           sli_sight_in_cone(from, &asked.cones[eye], to);
}

/* Of a matrix, or of sensors. */
static size_t wrong_matrix(const sl_bvh *scene, bool cones, const sl_tasks *tasks)
{
    uint64_t seen[ENDS * WORDS];
    const sl_sight_ends ends = { asked.eyes, ENDS, asked.targets, ENDS };
    memset(seen, 0xA5, sizeof seen);
    const size_t total =
        cones ? sl_sight_sensors(scene, &ends, asked.cones, &asked.sight, seen, WORDS, tasks)
              : sl_sight_matrix(scene, &ends, &asked.sight, seen, WORDS, tasks);
    size_t wrong = 0, count = 0;
    for (size_t eye = 0; eye < ENDS; eye++) {
        const uint64_t *row = &seen[eye * WORDS];
        for (size_t target = 0; target < ENDS; target++) {
            const bool expected = (!cones || in_cone(eye, target)) && sees(scene, eye, target);
            wrong += sights_bit(row, target) != expected;
            count += expected;
        }
        wrong += row[ENDS / 64] >> ENDS % 64 != 0;               /* beyond the last target */
        wrong += row[WORDS - 1] != UINT64_C(0xA5A5A5A5A5A5A5A5); /* beyond the row */
    }
    return wrong + (count != total);
}

TEST(lines_say_what_every_triangle_says)
{
    const uint64_t rounds = test_is_brief() ? 1 : 2 * test_scale();
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (uint64_t round = 0; round < rounds; round++) {
            test_random random = { test_seed(SEED) + (uint64_t)kind * 100 + round };
            UNDONE(world_destroy) world_case world;
            scrambled_tasks scrambled;
            const sl_tasks *tasks = scrambled_tasks_start(&scrambled, 3, SEED);
            world_make(&world, (world_kind)kind, 4 + 8 * (size_t)(round % 3), round % 2 == 1,
                       &random);
            draw(world.scene, &random);
            assert_int_equal(wrong_pairs(world.scene, round % 2 == 0 ? NULL : tasks), 0);
            assert_int_equal(wrong_matrix(world.scene, false, round % 2 == 0 ? tasks : NULL), 0);
            assert_int_equal(wrong_matrix(world.scene, true, tasks), 0);
            assert_false(scrambled.nested);
        }
    }
}

/* One by one, forth and back. */
static size_t wrong_singles(const sl_bvh *scene, const uint64_t *seen, size_t words)
{
    size_t wrong = 0;
    for (size_t i = 0; i < ENDS; i++) {
        for (size_t k = 0; k < ENDS; k++) {
            const sl_instance_range own[2] = { asked.eyes[i].own, asked.eyes[k].own };
            const sl_options options = { .flags = asked.query.flags,
                                         .mask = asked.query.mask,
                                         .ignore = own,
                                         .ignore_count = 2 };
            sl_segment_d segment;
            bool expected = sights_place(asked.eyes[i].at, asked.sight.flags, segment.p) &&
                            sights_place(asked.eyes[k].at, asked.sight.flags, segment.q);
            if (expected && (asked.sight.flags & SL_SIGHT_DOUBLES) != 0) {
                expected = !sl_bvh_occluded_d(scene, segment.p, segment.q, &options);
            } else if (expected) {
                sl_segment in_floats;
                for (int axis = 0; axis < 3; axis++) {
                    in_floats.p[axis] = (float)segment.p[axis];
                    in_floats.q[axis] = (float)segment.q[axis];
                }
                expected = !sl_bvh_occluded(scene, in_floats.p, in_floats.q, &options);
            }
            wrong += sights_bit(seen + i * words, k) != expected;
        }
    }
    return wrong;
}

/* The symmetric matrix, the whole one, and its transpose are the same. */
TEST(seeing_is_mutual)
{
    const uint64_t rounds = test_is_brief() ? 1 : 12 * test_scale();
    size_t seen_in_all = 0, pairs = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        for (uint64_t round = 0; round < rounds; round++) {
            test_random random = { test_seed(SEED) + 7000 + (uint64_t)kind * 100 + round };
            UNDONE(world_destroy) world_case world;
            scrambled_tasks scrambled;
            uint64_t half[ENDS * 2], whole[ENDS * 2];
            world_make(&world, (world_kind)kind, 30, round % 2 == 1, &random);
            draw(world.scene, &random);
            const bool open = test_random_below(&random, 2) == 0;
            asked.query.flags = open ? SL_OPEN_START | SL_OPEN_END : 0;
            asked.sight.options = &asked.query;
            const sl_sight_ends alone = { .eyes = asked.eyes, .eye_count = ENDS };
            const sl_sight_ends both = { asked.eyes, ENDS, asked.eyes, ENDS };
            const size_t total = sl_sight_matrix(world.scene, &alone, &asked.sight, half, 0,
                                                 scrambled_tasks_start(&scrambled, 4, round));
            assert_int_equal(sl_sight_matrix(world.scene, &both, &asked.sight, whole, 0, NULL),
                             total);
            assert_memory_equal(half, whole, sizeof half);
            for (size_t i = 0; i < ENDS; i++) {
                for (size_t k = 0; k < i; k++) {
                    assert_int_equal(sights_bit(whole + i * 2, k), sights_bit(whole + k * 2, i));
                }
            }
            assert_int_equal(wrong_singles(world.scene, whole, 2), 0);
            seen_in_all += total;
            pairs += (size_t)ENDS * ENDS;
        }
    }
    print_message("%zu of %zu see\n", seen_in_all, pairs);
    assert_in_range(seen_in_all, pairs / 20, pairs - pairs / 20);
}

/* Matrices of all sizes about 64, and rows that are longer than a tile. */
TEST(sizes_do_not_matter)
{
    static sl_sight_end ends[2100];
    static uint64_t wide[3 * 33 + 1], half[130 * 3], pair_bits[33];
    static sl_sight_pair pairs[2100];
    test_random random = { SEED };
    UNDONE(world_destroy) world_case world;
    world_make(&world, WORLD_PLAIN, 12, false, &random);
    for (uint32_t i = 0; i < 2100; i++) {
        ends[i] = sights_end(world.scene, i, &random);
        pairs[i] = (sl_sight_pair){ 2, i };
    }
    for (size_t count = 1; count <= 130; count += count < 60 ? 9 : 1) {
        const sl_sight_ends alone = { .eyes = ends, .eye_count = count };
        const size_t words = (count + 63) / 64;
        (void)sl_sight_matrix(world.scene, &alone, NULL, half, 0, NULL);
        const sl_sight_ends both = { ends, count, ends, count };
        static uint64_t whole[130 * 3];
        (void)sl_sight_matrix(world.scene, &both, NULL, whole, 0, NULL);
        assert_memory_equal(half, whole, count * words * sizeof *half);
    }
    const sl_sight_ends few = { ends, 3, ends, 2100 };
    wide[3 * 33] = 17;
    const size_t total = sl_sight_matrix(world.scene, &few, NULL, wide, 0, NULL);
    assert_int_equal(wide[3 * 33], 17);
    (void)sl_sight_pairs(world.scene, &few, pairs, 2100, NULL, pair_bits, NULL);
    assert_memory_equal(pair_bits, wide + 66, sizeof pair_bits);
    size_t set = 0;
    for (size_t i = 0; i < 99; i++) {
        set += (size_t)__builtin_popcountll(wide[i]);
    }
    assert_int_equal(set, total);
    const sl_sight_ends none = { .eyes = ends };
    assert_int_equal(sl_sight_matrix(world.scene, &none, NULL, wide, 0, NULL), 0);
    assert_int_equal(sl_sight_pairs(world.scene, &few, pairs, 0, NULL, pair_bits, NULL), 0);
}

typedef struct shown {
    size_t calls, wrong;
} shown;

/* Every hit exists whose line has an even number. */
static bool even_lines(void *user, size_t index, const sl_hit *hit)
{
    shown *s = user;
    s->calls++;
    s->wrong += index >= PAIRS || hit->prim == SL_NONE;
    return index % 2 == 0;
}

TEST(filters_are_told_the_number_of_the_line)
{
    test_random random = { SEED + 5 };
    UNDONE(world_destroy) world_case world;
    uint64_t plain[PAIRS / 64 + 1], filtered[PAIRS / 64 + 1];
    shown told = { .calls = 0 };
    world_make(&world, WORLD_PLAIN, 20, false, &random);
    draw(world.scene, &random);
    const sl_sight_ends ends = { asked.eyes, ENDS, asked.targets, ENDS };
    const sl_options options = { .filter = even_lines, .filter_user = &told };
    const sl_sight with = { .options = &options };
    (void)sl_sight_pairs(world.scene, &ends, asked.pairs, PAIRS, NULL, plain, NULL);
    (void)sl_sight_pairs(world.scene, &ends, asked.pairs, PAIRS, &with, filtered, NULL);
    assert_true(told.calls > 0 && told.wrong == 0);
    for (size_t i = 0; i < PAIRS; i++) {
        const sl_sight_pair pair = asked.pairs[i];
        double place[3];
        const bool there = pair.eye < ENDS && pair.target < ENDS &&
                           sights_place(asked.eyes[pair.eye].at, 0, place) &&
                           sights_place(asked.targets[pair.target].at, 0, place);
        assert_int_equal(sights_bit(filtered, i), there && (i % 2 == 1 || sights_bit(plain, i)));
    }
}
