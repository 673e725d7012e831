/* lib/base/splay.c against an array in order: items are inserted, found and removed anywhere. */
#include "lib/base/splay.h"

#include "test/support/test.h"

enum { ITEMS = 300 };

typedef struct ranks {
    uint32_t of[ITEMS]; /* where each item is, UINT32_MAX where it is not */
    uint32_t limit;
} ranks;

static bool is_before(const void *context, uint32_t item)
{
    const ranks *r = context;
    assert_true(r->of[item] < ITEMS);
    return r->of[item] < r->limit;
}

TEST(items_stay_in_order)
{
    test_random r = { test_seed(1) };
    sli_splay_node nodes[ITEMS];
    uint32_t order[ITEMS], count = 0;
    ranks where;
    memset(where.of, 0xFF, sizeof where.of);
    sli_splay list = { nodes, UINT32_MAX, UINT32_MAX };
    for (size_t step = test_count(30000); step > 0; step--) {
        const uint32_t item = test_random_below(&r, ITEMS);
        where.limit = test_random_below(&r, count + 1);
        const uint32_t before = where.limit > 0 ? order[where.limit - 1] : UINT32_MAX;
        assert_int_equal(sli_splay_find(&list, is_before, &where), before);
        if (where.of[item] == UINT32_MAX) {
            sli_splay_insert(&list, before, item);
            memmove(order + where.limit + 1, order + where.limit,
                    (count++ - where.limit) * sizeof order[0]);
            order[where.limit] = item;
        } else {
            sli_splay_remove(&list, item);
            memmove(order + where.of[item], order + where.of[item] + 1,
                    (--count - where.of[item]) * sizeof order[0]);
            where.of[item] = UINT32_MAX;
        }
        uint32_t next = UINT32_MAX;
        for (uint32_t i = 0; i < count; i++) {
            next = sli_splay_next(&list, next);
            assert_int_equal(next, order[i]);
            where.of[next] = i;
        }
        assert_int_equal(sli_splay_next(&list, next), count > 0 ? UINT32_MAX : list.first);
    }
}

/* A path, as items in order make it, is no longer one after a few searches from its far end. */
TEST(long_lists_are_searched_in_few_steps)
{
    enum { LONG = 1000000 };
    FREED sli_splay_node *nodes = made_zeros(LONG, sizeof *nodes);
    sli_splay list = { nodes, UINT32_MAX, UINT32_MAX };
    for (uint32_t i = 0; i < LONG; i++) {
        sli_splay_insert(&list, i > 0 ? i - 1 : UINT32_MAX, i);
    }
    for (uint32_t i = 0; i < LONG; i++) {
        sli_splay_remove(&list, i % 2 == 0 ? i / 2 : LONG - 1 - i / 2);
    }
    assert_int_equal(list.root, UINT32_MAX);
    assert_int_equal(list.first, UINT32_MAX);
}
