#include "test/support/input/split_case.h"

enum { SEED = 20260717 };

static bool split(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out)
{
    sli_split_median(from, to, set, NULL, out);
    return true;
}

TEST(the_lower_half_goes_left)
{
    enum { COUNT_MAX = 400 };
    test_random random = { SEED };
    for (int round = 0; round < 300; round++) {
        sli_ref from[COUNT_MAX], to[COUNT_MAX];
        const uint32_t count = 2 + test_random_below(&random, COUNT_MAX - 1);
        /* Few values, so that there are equal ones; the second axis is the widest. */
        for (uint32_t i = 0; i < count; i++) {
            const float y = (float)test_random_below(&random, 1 + count / 4) - 20;
            from[i] = split_case_ref(0.01f * test_random_unit(&random), y, 0, 1, i);
        }
        const sli_ref_set set = split_case_set(from, count, (count + 1) / 2);
        sli_split out;
        (void)split(from, to, &set, &out);
        assert_int_equal(out.count[0], count / 2);
        assert_null(split_case_fault(from, to, count, (count + 1) / 2, &out, true));
        if (set.centres.max[1] - set.centres.min[1] > 2) {
            assert_true(out.centres[0].max[1] <= out.centres[1].min[1]);
        }
    }
}

/* 3 and 1 below the median, which three have: the first of them goes left, in its turn. */
TEST(of_equal_ones_the_first_go_left)
{
    const float x[6] = { 5, 3, 5, 1, 9, 5 };
    sli_ref from[6], to[6];
    for (uint32_t i = 0; i < 6; i++) {
        from[i] = split_case_ref(x[i], 0, 0, 0, i);
    }
    assert_int_equal(split_case_try(split, from, to, 6, 3, true), 3);
    const uint32_t expected[6] = { 0, 1, 3, 2, 4, 5 };
    split_case_expect(to, expected, 6);
}

TEST(terrible_references_are_halved)
{
    for (size_t count = 2; count < 900; count = 2 * count + 1) {
        split_case_terrible(split, count, (count + 1) / 2, true);
    }
}
