#include "test/support/input/split_case.h"

enum { SEED = 20260716 };

static bool split(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out)
{
    sli_split_sweep(from, to, set, out);
    return true;
}

/* The cost of the best cut of all, from every triangle's centre as a threshold: centres that
 * differ on each axis. */
static double best_cut(const sli_ref *refs, size_t count, size_t most)
{
    double best = DBL_MAX;
    for (int axis = 0; axis < 3; axis++) {
        for (size_t k = 0; k < count; k++) {
            const float threshold = sli_ref_centre(&refs[k])[axis];
            sli_ref sorted[SLI_SWEEP_MAX];
            size_t left = 0, right = count;
            for (size_t i = 0; i < count; i++) {
                sorted[sli_ref_centre(&refs[i])[axis] < threshold ? left++ : --right] = refs[i];
            }
            if (left > 0 && left <= most && count - left <= most) {
                const double cost = split_case_cost(sorted, count, left);
                best = cost < best ? cost : best;
            }
        }
    }
    return best;
}

TEST(the_cheapest_cut_is_taken)
{
    test_random random = { SEED };
    for (int round = 0; round < 3000; round++) {
        sli_ref from[SLI_SWEEP_MAX], to[SLI_SWEEP_MAX];
        const uint32_t count = 2 + test_random_below(&random, SLI_SWEEP_MAX - 1);
        split_case_random(&random, from, count);
        const size_t most = (count + 1) / 2 + test_random_below(&random, count / 2);
        const size_t left = split_case_try(split, from, to, count, most, false);
        assert_true(
            split_case_cost_is(split_case_cost(to, count, left), best_cut(from, count, most)));
    }
}

/* Squares of side 1 at x = 0, 1, 2, 10, 11, 12, 13: three of them in a box of 3 x 1 x 1 (half
 * surface 7), four in one of 4 x 1 x 1 (9), one block each: 16 in all. */
TEST(a_gap_is_found)
{
    const float x[7] = { 10, 0, 12, 1, 11, 2, 13 };
    sli_ref from[7], to[7];
    for (uint32_t i = 0; i < 7; i++) {
        from[i] = split_case_ref(x[i], 0, 0, 1, i);
    }
    assert_int_equal(split_case_try(split, from, to, 7, 7, false), 3);
    const uint32_t expected[7] = { 1, 3, 5, 0, 4, 2, 6 };
    split_case_expect(to, expected, 7);
    assert_true(split_case_cost(to, 7, 3) == 16);
}

TEST(equal_references_are_halved_in_order)
{
    sli_ref from[SLI_SWEEP_MAX], to[SLI_SWEEP_MAX];
    for (uint32_t i = 0; i < SLI_SWEEP_MAX; i++) {
        from[i] = split_case_ref(1, 2, 3, 4, i);
    }
    assert_int_equal(split_case_try(split, from, to, SLI_SWEEP_MAX, SLI_SWEEP_MAX, false),
                     SLI_SWEEP_MAX / 2);
    assert_memory_equal(from, to, sizeof from);
}

TEST(terrible_references_are_split)
{
    for (size_t count = 2; count <= SLI_SWEEP_MAX; count++) {
        split_case_terrible(split, count, (count + 1) / 2 + count % 3, false);
    }
}
