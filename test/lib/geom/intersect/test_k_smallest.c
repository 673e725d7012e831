/* The smallest of many numbers, against sorting them all. */
#include "lib/geom/intersect/k_smallest.h"
#include "test/support/test.h"

enum { SEED = 20260802, MOST = 300 };

static int rising(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

TEST(the_smallest_are_kept_in_rising_order)
{
    test_random random = { SEED };
    for (int round = 0; round < 2000; round++) {
        uint32_t all[MOST], kept[MOST + 1];
        const size_t count = test_random_below(&random, MOST + 1);
        const size_t capacity = test_random_below(&random, MOST + 1);
        const uint32_t range = round % 2 == 0 ? 50 : 0xFFFFFFFFu;
        memset(kept, 0xAA, sizeof kept);
        sli_k_smallest smallest = { .numbers = kept, .capacity = capacity };
        for (size_t i = 0; i < count; i++) {
            all[i] = test_random_below(&random, range);
            sli_k_smallest_add(&smallest, all[i]);
        }
        sli_k_smallest_sort(&smallest);
        qsort(all, count, sizeof *all, rising);
        assert_int_equal(smallest.total, count);
        const size_t expected = count < capacity ? count : capacity;
        assert_memory_equal(kept, all, expected * sizeof *all);
        assert_int_equal(kept[expected], 0xAAAAAAAAu);
    }
}

TEST(without_room_they_are_counted)
{
    sli_k_smallest smallest = { .numbers = NULL };
    for (uint32_t i = 0; i < 5; i++) {
        sli_k_smallest_add(&smallest, 5 - i);
    }
    sli_k_smallest_sort(&smallest);
    assert_int_equal(smallest.total, 5);
}
