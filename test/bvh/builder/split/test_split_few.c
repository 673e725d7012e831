#include "test/support/input/split_case.h"

enum { SEED = 20260718, COUNT_MAX = SLI_FEW_MAX };

static bool split(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out)
{
    sli_split_few(from, to, set, out);
    return true;
}

/* The cost of the best way: each bit of `way` says where a reference goes. */
static double best_way(const sli_ref *refs, size_t count, size_t most)
{
    double best = DBL_MAX;
    for (unsigned way = 1; way + 1 < 1u << count; way++) {
        sli_ref sorted[COUNT_MAX];
        size_t left = 0, right = count;
        for (size_t i = 0; i < count; i++) {
            sorted[(way >> i & 1) != 0 ? left++ : --right] = refs[i];
        }
        if (left <= most && count - left <= most) {
            const double cost = split_case_cost(sorted, count, left);
            best = cost < best ? cost : best;
        }
    }
    return best;
}

TEST(the_cheapest_way_is_taken)
{
    test_random random = { SEED };
    for (int round = 0; round < 3000; round++) {
        sli_ref from[COUNT_MAX], to[COUNT_MAX];
        const uint32_t count = 2 + test_random_below(&random, COUNT_MAX - 1);
        split_case_random(&random, from, count);
        const size_t most = (count + 1) / 2 + test_random_below(&random, 2);
        const size_t left = split_case_try(split, from, to, count, most, false);
        assert_true(
            split_case_cost_is(split_case_cost(to, count, left), best_way(from, count, most)));
    }
}

/* Two pairs far apart, and no more than two may go to a side: 0 and 2 against 1 and 3. */
TEST(two_pairs_are_told_apart)
{
    sli_ref from[4], to[4];
    for (uint32_t i = 0; i < 4; i++) {
        from[i] = split_case_ref(i % 2 == 1 ? 10 : 0, 0, (float)i, 1, i);
    }
    for (size_t most = 2; most <= 4; most++) {
        assert_int_equal(split_case_try(split, from, to, 4, most, false), 2);
        const uint32_t expected[4] = { 0, 2, 1, 3 };
        split_case_expect(to, expected, 4);
    }
}

TEST(equal_references_are_halved_in_order)
{
    sli_ref from[COUNT_MAX], to[COUNT_MAX];
    for (uint32_t i = 0; i < COUNT_MAX; i++) {
        from[i] = split_case_ref(1, 2, 3, 4, i);
    }
    for (size_t count = 2; count <= COUNT_MAX; count++) {
        assert_int_equal(split_case_try(split, from, to, count, count, false), count / 2);
        assert_memory_equal(from, to, count * sizeof *from);
    }
}

TEST(terrible_references_are_split)
{
    for (size_t count = 2; count <= COUNT_MAX; count++) {
        for (size_t most = (count + 1) / 2; most < count; most++) {
            split_case_terrible(split, count, most, false);
        }
    }
}
