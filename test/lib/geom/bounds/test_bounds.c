/* The algebra of boxes, against what each operation means point by point. */
#include "lib/geom/exact/valid.h"
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"
#include "test/support/volume.h"

static bool same(const sl_aabb *a, const sl_aabb *b)
{
    bool equal = true;
    for (int axis = 0; axis < 3; axis++) {
        equal = equal && a->min[axis] == b->min[axis] && a->max[axis] == b->max[axis];
    }
    return equal;
}

static void assert_canonical_empty(const sl_aabb *box)
{
    const sl_aabb empty = sl_aabb_empty();
    assert_true(same(box, &empty));
}

/* Whether a lattice point is in a box, by the definition. */
static bool holds(const sl_aabb *box, const int point[3])
{
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        inside =
            inside && box->min[axis] <= (float)point[axis] && (float)point[axis] <= box->max[axis];
    }
    return inside;
}

/* Corners in 0 .. 3; a third of them inverted on some axis, so empty. */
static sl_aabb lattice_box(test_random *random)
{
    sl_aabb box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = (float)test_random_below(random, 4);
        box.max[axis] = box.min[axis] + (float)test_random_below(random, 4) - 0.5f;
        box.max[axis] = floorf(box.max[axis]);
    }
    return box;
}

static void check_pair(const sl_aabb *a, const sl_aabb *b)
{
    const sl_aabb shared = sl_aabb_intersect(a, b), joined = sl_aabb_join(a, b);
    bool overlap = false, contains = true;
    for (int i = 0; i < 9 * 9 * 9; i++) {
        const int point[3] = { i % 9 - 1, i / 9 % 9 - 1, i / 81 - 1 };
        const float place[3] = { (float)point[0], (float)point[1], (float)point[2] };
        const bool in_a = holds(a, point), in_b = holds(b, point);
        assert_int_equal(sl_volume_contains_point(AS_AABB(a), place), in_a);
        assert_int_equal(holds(&shared, point), in_a && in_b);
        assert_true(holds(&joined, point) || !(in_a || in_b));
        overlap = overlap || (in_a && in_b);
        contains = contains && (in_a || !in_b);
    }
    assert_int_equal(sl_volume_overlaps_aabb(AS_AABB(a), b), overlap);
    assert_int_equal(sl_volume_overlaps_aabb(AS_AABB(b), a), overlap);
    assert_int_equal(sli_aabb_contains_box(a, b), contains);
    if (!overlap) {
        assert_canonical_empty(&shared);
    }
    /* Nothing smaller holds both: each bound of the joined box is a bound of one of them. */
    const bool empty_a = sl_aabb_is_empty(a), empty_b = sl_aabb_is_empty(b);
    for (int axis = 0; axis < 3 && !(empty_a && empty_b); axis++) {
        assert_true((!empty_a && joined.min[axis] == a->min[axis]) ||
                    (!empty_b && joined.min[axis] == b->min[axis]));
        assert_true((!empty_a && joined.max[axis] == a->max[axis]) ||
                    (!empty_b && joined.max[axis] == b->max[axis]));
    }
    if (empty_a && empty_b) {
        assert_canonical_empty(&joined);
    }
}

TEST(pairs_of_boxes_agree_with_the_points_they_hold)
{
    test_random random = { 11 };
    int overlapping = 0, empty = 0;
    for (int i = 0; i < 600; i++) {
        const sl_aabb a = lattice_box(&random), b = lattice_box(&random);
        check_pair(&a, &b);
        overlapping += sl_volume_overlaps_aabb(AS_AABB(&a), &b);
        empty += sl_aabb_is_empty(&a);
    }
    assert_true(overlapping > 20 && overlapping < 580 && empty > 20);
}

TEST(bounds_of_points_touch_the_outermost_ones)
{
    const float xyz[12] = { 1, 5, -2, 0, NAN, 100, 3, 4, -7, 2, 6, 0 };
    const sl_aabb box = sl_aabb_of_points(xyz, 4); /* the second point is left out whole */
    const sl_aabb expected = { { 1, 4, -7 }, { 3, 6, 0 } };
    assert_true(same(&box, &expected));
    const sl_aabb none = sl_aabb_of_points(NULL, 0);
    assert_canonical_empty(&none);
    const sl_triangle triangle = { { { 1, 5, -2 }, { 3, 4, -7 }, { 2, 6, 0 } } };
    const sl_aabb around = sl_aabb_of_points(triangle.v[0], 3);
    assert_true(same(&around, &expected));
}

TEST(growing_starts_from_nothing_even_in_a_partly_inverted_box)
{
    const sl_aabb inverted = { { 0, 5, 0 }, { 1, 4, 1 } };
    const sl_aabb grown = sl_aabb_grow(&inverted, (float[3]){ 7, 8, 9 });
    const sl_aabb expected = { { 7, 8, 9 }, { 7, 8, 9 } };
    assert_true(same(&grown, &expected));
    const sl_aabb more = sl_aabb_grow(&grown, (float[3]){ 8, 8, 0 });
    const sl_aabb larger = { { 7, 8, 0 }, { 8, 8, 9 } };
    assert_true(same(&more, &larger));
    const sl_aabb kept = sl_aabb_grow(&more, (float[3]){ NAN, 0, 0 });
    assert_true(same(&kept, &larger));
}

TEST(points_at_infinity_or_nowhere_are_in_no_box)
{
    const sl_aabb all = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, INFINITY } };
    assert_true(sl_volume_contains_point(AS_AABB(&all), (float[3]){ FLT_MAX, -FLT_MAX, 0 }));
    assert_false(sl_volume_contains_point(AS_AABB(&all), (float[3]){ INFINITY, 0, 0 }));
    assert_false(sl_volume_contains_point(AS_AABB(&all), (float[3]){ 0, NAN, 0 }));
}

TEST(centre_size_and_area_of_a_brick)
{
    const sl_aabb brick = { { 1, 2, 3 }, { 2, 4, 6 } }; /* 1 x 2 x 3: 2 (2 + 6 + 3) = 22 */
    float centre[3], size[3];
    memcpy(centre, sl_aabb_measure(&brick).centre, sizeof centre);
    memcpy(size, sl_aabb_measure(&brick).size, sizeof size);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(centre[axis] == 1.5f * (float)(axis + 1));
        assert_true(size[axis] == (float)(axis + 1));
    }
    assert_true(sl_aabb_measure(&brick).area == 22);
    assert_int_equal(sl_aabb_measure(&brick).longest_axis, 2);
    const sl_aabb empty = sl_aabb_empty();
    memcpy(centre, sl_aabb_measure(&empty).centre, sizeof centre);
    memcpy(size, sl_aabb_measure(&empty).size, sizeof size);
    assert_true(centre[0] == 0 && size[2] == 0 && sl_aabb_measure(&empty).area == 0);
    assert_int_equal(sl_aabb_measure(&empty).longest_axis, 0);
}

TEST(the_largest_boxes_have_a_centre_a_size_and_an_area)
{
    const sl_aabb huge = { { -FLT_MAX, FLT_MAX, 0 }, { FLT_MAX, FLT_MAX, FLT_MAX } };
    float centre[3], size[3];
    memcpy(centre, sl_aabb_measure(&huge).centre, sizeof centre);
    memcpy(size, sl_aabb_measure(&huge).size, sizeof size);
    assert_true(centre[0] == 0 && centre[1] == FLT_MAX && centre[2] == FLT_MAX / 2);
    assert_true(size[0] == INFINITY && size[1] == 0 && size[2] == FLT_MAX);
    /* Two faces of 2 max x max; the other four are lines. */
    assert_true(sl_aabb_measure(&huge).area == 4 * (double)FLT_MAX * (double)FLT_MAX);
    const sl_aabb plane = { { -INFINITY, -INFINITY, 1 }, { INFINITY, INFINITY, 1 } };
    assert_true(sl_aabb_measure(&plane).area == INFINITY);
}

TEST(the_longest_axis_is_found_where_doubles_cannot_tell)
{
    /* y is longer than x by 2^-149, which 2^100 + 2^-149 in double hides. */
    sl_aabb box = { { 0, -0x1p-149f, 0 }, { 0x1p100f, 0x1p100f, 0x1p100f } };
    assert_int_equal(sl_aabb_measure(&box).longest_axis, 1);
    box.min[2] = -0x2p-149f;
    assert_int_equal(sl_aabb_measure(&box).longest_axis, 2);
    box.min[0] = -0x2p-149f;
    assert_int_equal(sl_aabb_measure(&box).longest_axis, 0); /* of equal ones the lowest */
}

TEST(denormals_are_seen_even_where_the_caller_flushes_them)
{
    const sl_aabb box = { { 0x1p-149f, 0, 0 }, { 0x3p-149f, 1, 1 } };
    const float below[3] = { 0, 0, 0 }, within[3] = { 0x2p-149f, 0, 0 };
    for (int env = 0; env < callers_env_count(); env++) {
        float centre[3];
        callers_env_set(env);
        const bool is_below = sl_volume_contains_point(AS_AABB(&box), below);
        const bool is_within = sl_volume_contains_point(AS_AABB(&box), within);
        const sl_aabb grown = sl_aabb_grow(&box, below);
        memcpy(centre, sl_aabb_measure(&box).centre, sizeof centre);
        callers_env_reset();
        assert_false(is_below);
        assert_true(is_within);
        /* By bytes, since compilers move comparisons of numbers to where they trap. */
        assert_memory_equal(&grown.min[0], &below[0], sizeof below[0]);
        assert_memory_equal(&centre[0], &within[0], sizeof within[0]);
    }
}
