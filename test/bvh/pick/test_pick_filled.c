/* What is under a pixel where worlds of up to 20,000 triangles fill the picture: each field of each
 * answer against looking at every corner, side and triangle.
 *
 * SIGHTLINE_TEST_SCALE=20 makes 50,000 comparisons, SIGHTLINE_TEST_SEED=n other ones. */
#include "test/support/input/filled.h"
#include "test/support/query/pick_compare.h"
#include "test/support/test.h"

enum { SEED = 20261201, VIEWS = 6, POSITIONS = 14 };

/* One in 40 is also asked without leaving out triangles by where they appear. */
static void compare(const filled *world, pick_oracle *oracle, const sl_view *view,
                    test_random *random, pick_tally *n)
{
    static const float radii[] = { 5, 5, 10, 2, 0.25f, 0 };
    pick_compare_room room;
    double xy[2];
    sl_pick_def def = pick_compare_def(random, world->scene, &room);
    const bool whole = test_random_below(random, 40) == 0;
    def.radius = radii[test_random_below(random, 6)];
    if (test_random_below(random, 3) != 0) {
        def.topologies = world->topologies;
    }
    filled_position(world, view, random, xy);
    pick_oracle_look(oracle, whole ? NULL : view);
    pick_compare_at(world->scene, oracle, view, xy, &def, n);
    if (test_random_below(random, 2) == 0) {
        pick_compare_lists(world->scene, oracle, view, xy, &def, random, n);
    }
    if (whole) {
        pick_oracle_look(oracle, view);
    }
}

static void judge_world(filled_kind kind, size_t triangles, uint64_t seed, pick_tally *n)
{
    test_random random = { seed };
    UNDONE(filled_destroy) filled world;
    filled_make(&world, kind, triangles, test_random_below(&random, 3) == 0, &random);
    pick_oracle *oracle = pick_oracle_make(world.scene);
    for (int i = 0; i < VIEWS; i++) {
        const sl_view view = filled_view(&world, &random);
        pick_oracle_look(oracle, &view);
        for (int k = 0; k < POSITIONS; k++) {
            compare(&world, oracle, &view, &random, n);
        }
    }
    pick_oracle_free(oracle);
}

TEST(picks_in_full_pictures_are_those_of_looking_at_everything)
{
    static const size_t sizes[] = { 500, 2000, 6000, 20000 };
    pick_tally n = { .asked = 0 };
    const size_t rounds = test_is_brief() ? 1 : 4 * test_scale();
    for (size_t round = 0; round < rounds; round++) {
        for (int kind = 0; kind < FILLED_KINDS; kind++) {
            const uint64_t seed = test_seed(SEED) + round * FILLED_KINDS + (uint64_t)kind;
            const size_t before = n.differ;
            judge_world((filled_kind)kind, sizes[round % 4], seed, &n);
            if (n.differ > before) {
                printf("in the world of kind %d, seed %llu, of %zu triangles\n", kind,
                       (unsigned long long)seed, sizes[round % 4]);
            }
        }
    }
    printf("%zu picks: %zu nothing, %zu faces, %zu edges, %zu vertices; %zu lists of %zu units, at "
           "most %zu; %zu differ\n",
           n.asked, n.found[0], n.found[SL_PICK_FACE], n.found[SL_PICK_EDGE],
           n.found[SL_PICK_VERTEX], n.lists, n.units, n.most, n.differ);
    assert_int_equal(n.differ, 0);
    assert_true(n.found[SL_PICK_EDGE] > 0 && n.found[SL_PICK_VERTEX] > 0);
}
