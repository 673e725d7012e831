/* What is under a pixel, in random worlds and pictures: each field of each answer against looking
 * at every corner, side and triangle.
 *
 * SIGHTLINE_TEST_SCALE=50 makes more than 100,000 comparisons. */
#include "test/support/environment/scale.h"
#include "test/support/input/pictures.h"
#include "test/support/input/world.h"
#include "test/support/oracle/pick_oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 20261124, VIEWS = 6, POSITIONS = 16, IGNORED = 2 };

typedef struct options {
    sl_query query;
    sl_instance_range ignore[IGNORED];
} options;

static sl_pick_def draw_def(test_random *random, const sl_scene *scene, options *room)
{
    static const float radii[] = { 5, 5, 0, 0.5f, 40, 1000 };
    sl_pick_def def = sl_default_pick_def();
    sl_scene_info info;
    sl_scene_get_info(scene, &info, sizeof info);
    def.radius = radii[test_random_below(random, 6)];
    def.kinds = test_random_below(random, 2) == 0 ? 7 : test_random_below(random, 8);
    def.hidden = test_random_below(random, 4) == 0;
    if (test_random_below(random, 2) == 0) {
        for (int i = 0; i < 3; i++) {
            def.rank[i] = (uint8_t)test_random_below(random, 3);
        }
    }
    def.unit = (sl_pick_unit)test_random_below(random, 4);
    *room = (options){ .query = { .cull = (sl_cull)test_random_below(random, 3) } };
    room->query.mask = 1u << test_random_below(random, 4);
    room->query.ignore = room->ignore;
    room->query.ignore_count = IGNORED;
    const uint32_t count = (uint32_t)info.instance_count;
    for (int i = 0; i < 2; i++) {
        room->query.skip[i] =
            (sl_triangle_ref){ test_random_below(random, count), test_random_below(random, 12) };
        room->ignore[i] = (sl_instance_range){ test_random_below(random, count),
                                               test_random_below(random, 2 + count / 4) };
    }
    if (test_random_below(random, 2) == 0) {
        room->query.flags = test_random_below(random, 2) == 0 ? SL_USE_MASK : 0;
        room->query.flags |= test_random_below(random, 2) == 0 ? SL_USE_SKIP : 0;
        room->query.flags |= test_random_below(random, 2) == 0 ? SL_USE_IGNORE : 0;
        def.query = &room->query;
    }
    return def;
}

typedef struct tally {
    size_t asked, found[9], lists, units, most, differ;
} tally;

static void compare(const sl_scene *scene, const pick_oracle *oracle, const sl_view *view,
                    const double xy[2], const sl_pick_def *def, tally *n)
{
    sl_pick pick, expected;
    memset(&pick, 0, sizeof pick);
    memset(&expected, 0, sizeof expected);
    const bool found = sl_pick_at(scene, view, xy, def, &pick);
    const bool expects = pick_oracle_at(oracle, view, xy, def, &expected);
    const char *field = found != expects ? "found" : pick_oracle_difference(&pick, &expected);
    n->asked++;
    n->found[found ? pick.kind : 0]++;
    if (field != NULL) {
        n->differ++;
        printf("%s differs at %.17g %.17g: kind %u %u, instance %u %u, prim %u %u, corner %u %u, "
               "pixels %.17g %.17g\n",
               field, xy[0], xy[1], pick.kind, expected.kind, pick.instance, expected.instance,
               pick.prim, expected.prim, pick.corner, expected.corner, pick.pixels,
               expected.pixels);
    }
}

enum { LISTED = 300 };

/* The list, whole and cut short, and what follows one of its units. */
static void compare_lists(const sl_scene *scene, const pick_oracle *oracle, const sl_view *view,
                          const double xy[2], const sl_pick_def *def, test_random *random, tally *n)
{
    static sl_pick list[LISTED], expected[LISTED];
    const size_t capacity =
        test_random_below(random, 2) == 0 ? LISTED : test_random_below(random, 6);
    memset(list, 0, sizeof list);
    memset(expected, 0, sizeof expected);
    const size_t total = sl_pick_all(scene, view, xy, def, list, capacity);
    const size_t expects = pick_oracle_all(oracle, view, xy, def, expected, LISTED);
    const char *field = total != expects ? "total" : NULL;
    for (size_t i = 0; i < capacity && i < expects && field == NULL; i++) {
        field = pick_oracle_difference(&list[i], &expected[i]);
    }
    if (expects > 0 && expects <= LISTED && field == NULL) {
        sl_pick next;
        const uint32_t at = test_random_below(random, (uint32_t)expects);
        field = !sl_pick_next(scene, view, xy, def, &expected[at], &next)
                    ? "next"
                    : pick_oracle_difference(&next, &expected[(at + 1) % expects]);
    }
    n->lists++;
    n->units += expects;
    n->most = expects > n->most ? expects : n->most;
    if (field != NULL) {
        n->differ++;
        printf("%s differs in a list at %.17g %.17g: %zu and %zu units\n", field, xy[0], xy[1],
               total, expects);
    }
}

static void judge_world(world_kind kind, size_t count, uint64_t seed, tally *n)
{
    test_random random = { seed };
    world_case world;
    world_make(&world, kind, count, test_random_below(&random, 2) == 0, &random);
    pick_oracle *oracle = pick_oracle_make(world.scene);
    for (int i = 0; i < VIEWS; i++) {
        const sl_view view = pictures_view(world.scene, &random);
        for (int k = 0; k < POSITIONS; k++) {
            options room;
            double xy[2];
            const sl_pick_def def = draw_def(&random, world.scene, &room);
            pictures_position(world.scene, &view, &random, xy);
            compare(world.scene, oracle, &view, xy, &def, n);
            compare_lists(world.scene, oracle, &view, xy, &def, &random, n);
        }
    }
    pick_oracle_free(oracle);
    world_destroy(&world);
}

static void picks_are_those_of_looking_at_everything(void **state)
{
    static const size_t counts[] = { 1, 3, 12, 60 };
    tally n = { .asked = 0 };
    const size_t rounds = test_is_brief() ? 1 : 4 * test_scale();
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picks_are_those_of_looking_at_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
