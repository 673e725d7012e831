/* test_sort.c: sorting by words. */
#include "lib/base/sort.h"
#include "test/support/test.h"

enum { COUNT = 3000 };

/* Few different words in some places, so that many items are equal: they must stay in order. */
TEST(items_ascend_and_equal_ones_stay_in_order)
{
    static uint32_t items[3 * COUNT], order[COUNT], scratch[COUNT];
    test_random random = { 12 };
    for (size_t words = 1; words <= 3; words++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            for (size_t word = 0; word < words; word++) {
                const uint32_t masks[] = { 7, 0xFF0000FFu, 0xFFFFFFFFu, 0 };
                items[i * words + word] =
                    (uint32_t)test_random_u64(&random) & masks[test_random_below(&random, 4)];
            }
            order[i] = COUNT - 1 - i;
        }
        sli_sort_words(items, words, order, scratch, COUNT, NULL);
        size_t equal = 0;
        for (size_t i = 1; i < COUNT; i++) {
            const uint32_t *a = items + words * order[i - 1], *b = items + words * order[i];
            size_t word = 0;
            while (word < words && a[word] == b[word]) {
                word++;
            }
            equal += word == words;
            assert_true(word == words ? order[i - 1] > order[i] : a[word] < b[word]);
        }
        assert_true(equal > 0);
    }
}

static bool stop_after(void *user, const char *stage, float fraction)
{
    assert_string_equal(stage, "sorting");
    assert_true(fraction == 0.5f);
    int *calls = user;
    return (*calls)-- > 0;
}

TEST(a_stage_that_is_stopped_leaves_the_same_numbers)
{
    const uint32_t items[6] = { 0x60000, 5, 0x40000, 0x3000000, 2, 0x100 };
    int stops = 0;
    for (int allowed = 0;; allowed++) {
        int calls = allowed;
        const sl_hooks hooks = { .progress = { .report = stop_after, .user = &calls } };
        sli_stage stage = { .hooks = &hooks, .name = "sorting", .done = 0.5f };
        uint32_t order[6] = { 5, 4, 3, 2, 1, 0 }, scratch[6] = { 0 }, seen = 0;
        sli_sort_words(items, 1, order, scratch, 6, &stage);
        for (size_t i = 0; i < 6; i++) {
            seen |= 1u << order[i];
            assert_true(stage.stopped || i == 0 || items[order[i - 1]] < items[order[i]]);
        }
        assert_int_equal(seen, 63);
        if (!stage.stopped) {
            break;
        }
        assert_int_equal(calls, -1); /* it is not asked again */
        stops++;
    }
    assert_true(stops > 3);
}

/* Fewer than all items, in an order given: only those are touched. */
TEST(only_the_items_that_are_named_take_part)
{
    const uint32_t items[5] = { 50, 40, 30, 20, 10 };
    uint32_t order[4] = { 0, 4, 2, 77 }, scratch[4] = { 0 };
    sli_sort_words(items, 1, order, scratch, 3, NULL);
    const uint32_t expected[4] = { 4, 2, 0, 77 };
    assert_memory_equal(order, expected, sizeof order);
    sli_sort_words(items, 1, order, scratch, 1, NULL);
    sli_sort_words(items, 1, order, scratch, 0, NULL);
    assert_memory_equal(order, expected, sizeof order);
}
