#include "test/support/input/split_case.h"

enum { SEED = 20260715 };

/* All steps at once; false, and nothing moved, where there is no plane. */
static bool split_binned(const sli_ref *from, sli_ref *to, const sli_ref_set *set, sli_split *out)
{
    const sli_planes planes = sli_planes_make(set);
    sli_bins bins;
    sli_cut cut;
    sli_bins_fill(&bins, &planes, from, set->count);
    if (!sli_bins_choose(&bins, &planes, set, &cut)) {
        return false;
    }
    sli_cut_move(&cut, &planes, from, set->count, to, to + cut.left_count, out->centres);
    out->count[0] = cut.left_count;
    out->count[1] = set->count - cut.left_count;
    out->bounds[0] = cut.bounds[0];
    out->bounds[1] = cut.bounds[1];
    return true;
}

/* The cost of the best of all planes with no side above most, one plane at a time; DBL_MAX where
 * there is none.  Of n bins a centre is in bin (c - lowest) * n / (highest - lowest), where n is a
 * millionth part smaller. */
static double best_plane(const sli_ref *refs, const sli_ref_set *set)
{
    const size_t count = set->count;
    const int bins = sli_planes_make(set).bins;
    const float nearly = (float)bins * (1 - 0x1p-20f);
    FREED sli_ref *sorted = malloc(count * sizeof *sorted);
    double best = DBL_MAX;
    for (int axis = 0; axis < 3; axis++) {
        const float low = set->centres.min[axis], extent = set->centres.max[axis] - low;
        for (int plane = 1; plane < bins && extent > 0; plane++) {
            size_t left = 0, right = count;
            for (size_t i = 0; i < count; i++) {
                const float bin = (sli_ref_centre(&refs[i])[axis] - low) * (nearly / extent);
                sorted[bin < (float)plane ? left++ : --right] = refs[i];
            }
            if (left > 0 && left < count && left <= set->side_max &&
                count - left <= set->side_max) {
                const double cost = split_case_cost(sorted, count, left);
                best = cost < best ? cost : best;
            }
        }
    }
    return best;
}

TEST(the_cheapest_plane_is_taken)
{
    enum { COUNT_MAX = 300 };
    test_random random = { SEED };
    for (int round = 0; round < 200; round++) {
        sli_ref from[COUNT_MAX], to[COUNT_MAX];
        const uint32_t count = 2 + test_random_below(&random, COUNT_MAX - 1);
        split_case_random(&random, from, count);
        const size_t most = round % 2 != 0 ? count : (count + 1) / 2 + count / 16;
        const sli_ref_set set = split_case_set(from, count, most);
        const double best = best_plane(from, &set);
        const size_t left = split_case_try(split_binned, from, to, count, most, true);
        assert_true(left == 0 ? best == DBL_MAX
                              : split_case_cost_is(split_case_cost(to, count, left), best));
    }
}

/* Eight unit boxes: five around x = 0, three at x = 100; all else equal.  Any plane between the
 * heaps costs (1 + ...): far less than one that leaves a box of length 100 on either side. */
TEST(two_heaps_are_told_apart)
{
    sli_ref from[8], to[8];
    for (uint32_t i = 0; i < 8; i++) {
        from[i] = split_case_ref(i % 3 == 1 ? 100 : 0.1f * (float)i, 5, 5, 1, i);
    }
    assert_int_equal(split_case_try(split_binned, from, to, 8, 8, true), 5);
    const uint32_t expected[8] = { 0, 2, 3, 5, 6, 1, 4, 7 };
    split_case_expect(to, expected, 8);
}

/* 1000 boxes at one place, one elsewhere: the only planes leave 1000 on one side. */
TEST(a_side_above_the_limit_is_refused)
{
    enum { COUNT = 1001 };
    sli_ref from[COUNT], to[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        from[i] = split_case_ref(i == 17 ? 9 : 1, 1, 1, 1, i);
    }
    assert_int_equal(split_case_try(split_binned, from, to, COUNT, 999, true), 0);
    assert_int_equal(split_case_try(split_binned, from, to, COUNT, 1000, true), 1000);
}

TEST(equal_centres_have_no_plane)
{
    sli_ref from[50], to[50];
    for (uint32_t i = 0; i < 50; i++) {
        from[i] = split_case_ref(1, 2, 3, (float)i, i);
    }
    assert_int_equal(split_case_try(split_binned, from, to, 50, 50, true), 0);
}

/* Equal boxes at even distances: of equal costs the more even cut. */
TEST(boxes_without_area_are_halved)
{
    sli_ref from[64], to[64];
    for (uint32_t i = 0; i < 64; i++) {
        from[i] = split_case_ref((float)i, 0, 0, 0, i);
    }
    assert_int_equal(split_case_try(split_binned, from, to, 64, 64, true), 32);
}

TEST(terrible_references_are_split_or_refused)
{
    for (size_t most = 350; most <= 700; most += 175) {
        split_case_terrible(split_binned, 700, most, true);
    }
}

/* Some way from the ends of what floats can be, a plane is found as soon as centres differ; where
 * they are farther apart it is for the median to split. */
TEST(different_centres_have_a_plane_at_any_scale)
{
    for (int exponent = -118; exponent <= 126; exponent++) {
        float x = 1;
        for (int i = 0; i < abs(exponent); i++) {
            x = exponent < 0 ? x / 2 : x * 2;
        }
        const sli_ref from[3] = { split_case_ref(-x, 0, 0, 0, 0), split_case_ref(x, 0, 0, 0, 1),
                                  split_case_ref(x, x, 0, 0, 2) };
        sli_ref to[3];
        assert_int_equal(split_case_try(split_binned, from, to, 3, 2, true) > 0, exponent <= 124);
    }
}

TEST(bins_may_be_filled_in_parts)
{
    enum { COUNT = 500 };
    test_random random = { SEED };
    sli_ref refs[COUNT];
    split_case_random(&random, refs, COUNT);
    const sli_ref_set set = split_case_set(refs, COUNT, COUNT);
    const sli_planes planes = sli_planes_make(&set);
    sli_bins all, first, second;
    sli_bins_fill(&all, &planes, refs, COUNT);
    sli_bins_fill(&first, &planes, refs, 123);
    sli_bins_fill(&second, &planes, refs + 123, COUNT - 123);
    sli_cut cut;
    assert_true(sli_bins_choose(&all, &planes, &set, &cut));
    assert_int_equal(sli_bins_left_count(&first, &cut) + sli_bins_left_count(&second, &cut),
                     cut.left_count);
    sli_bins_join(&first, &second, &planes);
    for (int axis = 0; axis < 3; axis++) {
        cut = (sli_cut){ .axis = axis, .bin = planes.bins };
        assert_int_equal(sli_bins_left_count(&first, &cut), COUNT);
        for (int bin = 0; bin < planes.bins; bin++) {
            assert_memory_equal(&first.at[axis][bin].min, &all.at[axis][bin].min, 12);
            assert_memory_equal(&first.at[axis][bin].max, &all.at[axis][bin].max, 16);
        }
    }
}
