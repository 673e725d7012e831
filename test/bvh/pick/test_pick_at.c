/* What is under a pixel, in random worlds and pictures: each field of each answer against looking
 * at every corner, side and triangle.
 *
 * SIGHTLINE_TEST_SCALE=50 makes more than 100,000 comparisons. */
#include "test/support/input/pictures.h"
#include "test/support/input/world.h"
#include "test/support/query/pick_compare.h"
#include "test/support/test.h"

enum { SEED = 20261124, VIEWS = 6, POSITIONS = 16 };

static void judge_world(world_kind kind, size_t count, uint64_t seed, pick_tally *n)
{
    test_random random = { seed };
    UNDONE(world_destroy) world_case world;
    world_make(&world, kind, count, test_random_below(&random, 2) == 0, &random);
    pick_oracle *oracle = pick_oracle_make(world.scene);
    for (int i = 0; i < VIEWS; i++) {
        const sl_view view = pictures_view(world.scene, &random);
        for (int k = 0; k < POSITIONS; k++) {
            pick_compare_room room;
            double xy[2];
            const sl_pick_def def = pick_compare_def(&random, world.scene, &room);
            pictures_position(world.scene, &view, &random, xy);
            pick_compare_at(world.scene, oracle, &view, xy, &def, n);
            pick_compare_lists(world.scene, oracle, &view, xy, &def, &random, n);
        }
    }
    pick_oracle_free(oracle);
}

TEST(picks_are_those_of_looking_at_everything)
{
    static const size_t counts[] = { 1, 3, 12, 60 };
    pick_tally n = { .asked = 0 };
    const size_t rounds = test_is_brief() ? 1 : 4 * test_scale();
    for (size_t round = 0; round < rounds; round++) {
        for (int kind = 0; kind < WORLD_KINDS; kind++) {
            const uint64_t seed = test_seed(SEED) + round * WORLD_KINDS + (uint64_t)kind;
            const size_t before = n.differ;
            judge_world((world_kind)kind, counts[round % 4], seed, &n);
            if (n.differ > before) {
                printf("in the world of kind %d, seed %llu\n", kind, (unsigned long long)seed);
            }
        }
    }
    printf("%zu picks: %zu nothing, %zu faces, %zu edges, %zu vertices; %zu lists of %zu units, at "
           "most %zu; %zu differ\n",
           n.asked, n.found[0], n.found[SL_PICK_FACE], n.found[SL_PICK_EDGE],
           n.found[SL_PICK_VERTEX], n.lists, n.units, n.most, n.differ);
    assert_int_equal(n.differ, 0);
    assert_true(n.found[SL_PICK_FACE] > 0 && n.found[SL_PICK_EDGE] > 0 &&
                n.found[SL_PICK_VERTEX] > 0);
}
