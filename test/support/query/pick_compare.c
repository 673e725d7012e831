#include "test/support/query/pick_compare.h"

#include <stdio.h>
#include <string.h>

sl_pick_def pick_compare_def(test_random *random, const sl_bvh *scene, pick_compare_room *room)
{
    static const float radii[] = { 5, 5, 0, 0.5f, 40, 1000 };
    sl_pick_def def = { 0 };
    const sl_bvh_info info = sl_bvh_get_info(scene);
    def.radius = radii[test_random_below(random, 6)];
    def.kinds = test_random_below(random, 2) == 0 ? 7 : test_random_below(random, 8);
    def.hidden = test_random_below(random, 4) == 0;
    if (test_random_below(random, 2) == 0) {
        for (int i = 0; i < 3; i++) {
            def.rank[i] = (uint8_t)test_random_below(random, 3);
        }
    }
    def.unit = (sl_pick_unit)test_random_below(random, 4);
    *room = (pick_compare_room){ .query = { .cull = (sl_cull)test_random_below(random, 3) } };
    const uint32_t mask = 1u << test_random_below(random, 4);
    room->query.skip = room->skip;
    room->query.ignore = room->ignore;
    const uint32_t count = (uint32_t)info.instance_count;
    for (int i = 0; i < 2; i++) {
        room->skip[i] =
            (sl_triangle_ref){ test_random_below(random, count), test_random_below(random, 12) };
        room->ignore[i] = (sl_instance_range){ test_random_below(random, count),
                                               test_random_below(random, 2 + count / 4) };
    }
    if (test_random_below(random, 2) == 0) {
        room->query.mask = test_random_below(random, 2) == 0 ? mask : 0;
        room->query.skip_count = test_random_below(random, 2) == 0 ? 2 : 0;
        room->query.ignore_count = test_random_below(random, 2) == 0 ? PICK_COMPARE_IGNORED : 0;
        def.options = &room->query;
    }
    return def;
}

void pick_compare_at(const sl_bvh *scene, const pick_oracle *oracle, const sl_view *view,
                     const double xy[2], const sl_pick_def *def, pick_tally *n)
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

void pick_compare_lists(const sl_bvh *scene, const pick_oracle *oracle, const sl_view *view,
                        const double xy[2], const sl_pick_def *def, test_random *random,
                        pick_tally *n)
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
