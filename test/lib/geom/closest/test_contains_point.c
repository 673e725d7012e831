/* Whether points lie in shapes: by hand, and against fractions. */
#include "lib/geom/exact/valid.h"
#include "test/support/hard/floats.h"
#include "test/support/oracle/fraction.h"
#include "test/support/test.h"
#include "test/support/volume.h"

/* 2, 3 and 6 are 7 apart from the origin; so is a radius of 7, and no less. */
TEST(the_surface_is_inside)
{
    const float p[3] = { 2, 3, 6 };
    const sl_sphere seven = { { 0, 0, 0 }, 7 }, less = { { 0, 0, 0 }, nextafterf(7, 0) };
    assert_true(sl_volume_contains_point(AS_SPHERE(&seven), p));
    assert_false(sl_volume_contains_point(AS_SPHERE(&less), p));
    const sl_capsule capsule = { { -4, 3, 6 }, { 9, 3, 6 }, 0 }; /* p is on its axis */
    const sl_capsule beside = { { -4, 0, 2 }, { 9, 0, 2 }, 5 };  /* 3 and 4 away */
    const sl_capsule ends = { { 0, 0, 0 }, { -5, -5, -5 }, 7 };
    assert_true(sl_volume_contains_point(AS_CAPSULE(&capsule), p));
    assert_true(sl_volume_contains_point(AS_CAPSULE(&beside), p));
    assert_true(sl_volume_contains_point(AS_CAPSULE(&ends), p));
    const sl_obb box = { { 0, 0, 0 },
                         { { 1, 1, 0 }, { -1, 1, 0 }, { 0, 0, 1 } },
                         { 2.5f, 0.5f, 6 } };
    assert_true(
        sl_volume_contains_point(AS_OBB(&box), p)); /* 2.5 (1,1) + 0.5 (-1,1) = (2,3): a corner */
    const sl_plane planes[2] = { { { 1, 1, 1 }, 11 }, { { -1, 0, 0 }, -2 } };
    assert_true(sli_convex_contains_point(planes, 2, p)); /* on both */
}

TEST(no_planes_hold_everything)
{
    const float p[3] = { 2, 3, 6 }, bad[3] = { 2, NAN, 6 };
    const sl_frustum none = { .count = 0 };
    assert_true(sli_convex_contains_point(NULL, 0, p));
    assert_true(sl_volume_contains_point(AS_FRUSTUM(&none), p));
    assert_false(sl_volume_contains_point(AS_FRUSTUM(&none), bad));
}

TEST(invalid_shapes_hold_nothing)
{
    const float p[3] = { 0, 0, 0 }, off[3] = { 0, INFINITY, 0 };
    for (int i = 0; i < 4; i++) {
        const float bad = i == 0 ? -FLT_TRUE_MIN : i == 1 ? NAN : i == 2 ? INFINITY : -1;
        const sl_sphere sphere = { { 0, 0, 0 }, bad };
        const sl_capsule capsule = { { 0, 0, 0 }, { 1, 0, 0 }, bad };
        const sl_obb box = { { 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, bad, 1 } };
        assert_false(sl_volume_contains_point(AS_SPHERE(&sphere), p));
        assert_false(sl_volume_contains_point(AS_CAPSULE(&capsule), p));
        assert_false(sl_volume_contains_point(AS_OBB(&box), p));
    }
    const sl_sphere sphere = { { 0, 0, 0 }, 1 }, centreless = { { 0, NAN, 0 }, 1 };
    assert_false(sl_volume_contains_point(AS_SPHERE(&sphere), off));
    assert_false(sl_volume_contains_point(AS_SPHERE(&centreless), p));
    sl_frustum frustum = { .count = 1 }; /* a normal of zero */
    assert_false(sl_volume_contains_point(AS_FRUSTUM(&frustum), p));
    frustum.plane[0].normal[1] = 1;
    frustum.plane[0].offset = 1;
    assert_true(sl_volume_contains_point(AS_FRUSTUM(&frustum), p));
    frustum.count = SL_FRUSTUM_PLANES_MAX + 1;
    assert_false(sl_volume_contains_point(AS_FRUSTUM(&frustum), p));
    /* not valid, wherever it stands: also after one that the point is in front of */
    const sl_plane planes[2] = { { { 0, 0, 1 }, -1 }, { { 0, 0, 0 }, 1 } };
    assert_false(sli_convex_contains_point(planes, 2, p));
}

static fraction square_distance(fraction3 a, fraction3 b)
{
    fraction3 d = fraction3_sub(a, b);
    return fraction3_dot(d, d);
}

/* By the nearest point of the segment, its parameter clamped to 0 .. 1. */
static fraction square_distance_from_segment(const float p[3], const float q[3],
                                             const float point[3])
{
    fraction3 from = fraction3_of(p), dir = fraction3_sub(fraction3_of(q), from);
    fraction3 x = fraction3_of(point);
    fraction size = fraction3_dot(dir, dir), t = fraction_of(0);
    if (fraction_sign(size) != 0) {
        t = fraction_div(fraction3_dot(fraction3_sub(x, from), dir), size);
        t = fraction_sign(t) < 0 ? fraction_of(0) : t;
        t = fraction_compare(t, fraction_of(1)) > 0 ? fraction_of(1) : t;
    }
    return square_distance(x, fraction3_add(from, fraction3_mul(dir, t)));
}

TEST(spheres_and_capsules_are_as_fractions_say)
{
    test_random random = { 341 };
    size_t inside = 0, touching = 0;
    const size_t rounds = test_count(200000);
    for (size_t i = 0; i < rounds; i++) {
        float x[10];
        hard_floats(&random, i, x, 10);
        const sl_sphere sphere = { { x[0], x[1], x[2] }, fabsf(x[9]) };
        const sl_capsule capsule = { { x[0], x[1], x[2] }, { x[3], x[4], x[5] }, fabsf(x[9]) };
        fraction_reset();
        fraction limit = fraction_mul(fraction_of(x[9]), fraction_of(x[9]));
        const int in_sphere =
            fraction_compare(square_distance(fraction3_of(x), fraction3_of(x + 6)), limit);
        const int in_capsule =
            fraction_compare(square_distance_from_segment(x, x + 3, x + 6), limit);
        const bool ok = sl_volume_contains_point(AS_SPHERE(&sphere), x + 6) == (in_sphere <= 0) &&
                        sl_volume_contains_point(AS_CAPSULE(&capsule), x + 6) == (in_capsule <= 0);
        if (!ok) {
            for (int j = 0; j < 10; j++) {
                print_message(" %a", (double)x[j]);
            }
            fail_msg(": sphere %d, capsule %d", in_sphere, in_capsule);
        }
        inside += in_capsule <= 0;
        touching += in_capsule == 0;
    }
    print_message("seed 341: %zu capsules, %zu inside, %zu touching\n", rounds, inside, touching);
    assert_true(inside > rounds / 10 && touching > rounds / 100);
}

TEST(planes_are_as_fractions_say)
{
    test_random random = { 342 };
    size_t inside = 0, touching = 0;
    const size_t rounds = test_count(100000);
    for (size_t i = 0; i < rounds; i++) {
        float x[15];
        hard_floats(&random, i, x, 15);
        sl_frustum frustum = { .count = 3 };
        memcpy(frustum.plane, x, 48);
        bool right = true, on = false;
        fraction_reset();
        for (int j = 0; j < 3; j++) {
            const float *n = x + 4 * j;
            fraction height = fraction_sub(fraction3_dot(fraction3_of(n), fraction3_of(x + 12)),
                                           fraction_of(n[3]));
            right = right && fraction_sign(height) <= 0 && (n[0] != 0 || n[1] != 0 || n[2] != 0);
            on = on || fraction_sign(height) == 0;
        }
        assert_int_equal(sl_volume_contains_point(AS_FRUSTUM(&frustum), x + 12), right);
        inside += right;
        touching += right && on;
    }
    print_message("seed 342: %zu frusta, %zu inside, %zu touching\n", rounds, inside, touching);
    assert_true(inside > rounds / 20 && touching > rounds / 100);
}

TEST(triangles_contain_the_points_on_them)
{
    const sl_triangle triangle = { { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 3, 3 } } };
    const float on[3] = { 1, 1, 1 }, off[3] = { 1, 1, nextafterf(1, 2) }, beside[3] = { 2, 2, 2 };
    assert_true(sl_volume_contains_point(AS_TRIANGLE(&triangle), on));
    assert_false(sl_volume_contains_point(AS_TRIANGLE(&triangle), off));
    assert_false(sl_volume_contains_point(AS_TRIANGLE(&triangle), beside));
}
