/* test_ray_triangle.c: cases worked out by hand, invalid rays, and callers' environments. */
#include "lib/base/fpenv.h"
#include "test/support/environment/callers_env.h"
#include "test/support/hard/pairs.h"
#include "test/support/test.h"

/* Half of the unit square; its front is seen from above (+z). */
static const sl_triangle half = { .v = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } } };

/* Straight down from z = 1. */
static sl_ray down(float x, float y)
{
    return (sl_ray){ .origin = { x, y, 1 }, .dir = { 0, 0, -1 }, .tmax = INFINITY };
}

static void assert_bits(float found, float expected)
{
    assert_memory_equal(&found, &expected, sizeof found);
}

static void assert_hit(const sl_ray *ray, const sl_triangle *triangle, float t, float u, float v,
                       uint32_t flags)
{
    sl_hit hit;
    assert_true(sl_ray_triangle(ray, triangle, NULL, &hit));
    assert_bits(hit.t, t);
    assert_bits(hit.u, u);
    assert_bits(hit.v, v);
    assert_int_equal(hit.flags, flags);
    assert_int_equal(hit.prim, 0);
    assert_int_equal(hit.instance, 0);
}

static void assert_miss(const sl_ray *ray, const sl_triangle *triangle)
{
    sl_hit hit = { .prim = 5 };
    assert_false(sl_ray_triangle(ray, triangle, NULL, &hit));
    assert_int_equal(hit.prim, SL_NONE);
}

TEST(inside_is_hit_with_its_weights)
{
    sl_ray ray = down(0.25f, 0.5f);
    assert_hit(&ray, &half, 1, 0.25f, 0.5f, 0);
    ray.dir[2] = -4; /* t is in units of dir */
    assert_hit(&ray, &half, 0.25f, 0.25f, 0.5f, 0);
}

TEST(the_back_is_hit_from_below)
{
    const sl_ray up = { .origin = { 0.25f, 0.5f, -2 }, .dir = { 0, 0, 1 }, .tmax = INFINITY };
    assert_hit(&up, &half, 2, 0.25f, 0.5f, SL_HIT_BACK);
}

TEST(edges_and_vertices_belong_to_the_triangle)
{
    const struct {
        float x, y;
        uint32_t flags;
    } cases[] = {
        { 0.5f, 0, SL_HIT_EDGE },
        { 0, 0.5f, SL_HIT_EDGE },
        { 0.5f, 0.5f, SL_HIT_EDGE },
        { 0, 0, SL_HIT_EDGE | SL_HIT_VERTEX },
        { 1, 0, SL_HIT_EDGE | SL_HIT_VERTEX },
        { 0, 1, SL_HIT_EDGE | SL_HIT_VERTEX },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const sl_ray ray = down(cases[i].x, cases[i].y);
        assert_hit(&ray, &half, 1, cases[i].x, cases[i].y, cases[i].flags);
    }
}

TEST(one_step_outside_is_outside)
{
    const float step = 0x1p-149f; /* the smallest there is */
    const float past_half = nextafterf(0.5f, 1);
    const sl_ray misses[] = { down(-step, 0.5f), down(0.5f, -step), down(past_half, 0.5f),
                              down(-step, 0),    down(1, step),     down(step, 1) };
    for (size_t i = 0; i < sizeof misses / sizeof misses[0]; i++) {
        assert_miss(&misses[i], &half);
    }
    const sl_ray inside = down(step, step);
    assert_hit(&inside, &half, 1, step, step, 0);
}

/* Doubles hold neither q - p nor the products: only exact arithmetic can tell these apart. */
TEST(a_segment_goes_to_its_end_exactly)
{
    const sl_options open_end = { .flags = SL_OPEN_END };
    sl_segment segment = { .p = { 0.25f, 0.25f, 1 }, .q = { 0.25f, 0.25f, -0x1p-140f } };
    sl_hit hit;
    /* t = 1 / (1 + 2^-140), below 1 but rounded to it. */
    assert_true(sl_segment_triangle(&segment, &half, &open_end, &hit));
    assert_bits(hit.t, 1);
    segment.q[2] = 0;
    assert_true(sl_segment_triangle(&segment, &half, NULL, &hit));
    assert_bits(hit.t, 1);
    assert_false(sl_segment_triangle(&segment, &half, &open_end, &hit));
    assert_int_equal(hit.prim, SL_NONE);
    segment.q[2] = 0x1p-140f;
    assert_false(sl_segment_triangle(&segment, &half, NULL, &hit));
}

TEST(open_ends_do_not_count_and_closed_ones_do)
{
    const sl_segment from = { .p = { 0.25f, 0.25f, 0 }, .q = { 1, 2, 3 } };
    const sl_segment to = { .p = { 1, 2, 3 }, .q = { 0.25f, 0.25f, 0 } };
    for (uint32_t flags = 0; flags <= (SL_OPEN_START | SL_OPEN_END); flags += SL_OPEN_START) {
        const sl_options options = { .flags = flags };
        assert_int_equal(sl_segment_triangle(&from, &half, &options, NULL),
                         (flags & SL_OPEN_START) == 0);
        assert_int_equal(sl_segment_triangle(&to, &half, &options, NULL),
                         (flags & SL_OPEN_END) == 0);
    }
    /* Rays have no ends of that kind. */
    const sl_options open = { .flags = SL_OPEN_START | SL_OPEN_END };
    sl_ray ray = down(0.25f, 0.25f);
    ray.origin[2] = 0;
    assert_true(sl_ray_triangle(&ray, &half, &open, NULL));
}

TEST(limits_belong_to_the_ray)
{
    sl_ray ray = down(0.25f, 0.25f); /* t = 1 */
    ray.tmax = 1;
    assert_hit(&ray, &half, 1, 0.25f, 0.25f, 0);
    ray.tmin = 1;
    assert_hit(&ray, &half, 1, 0.25f, 0.25f, 0);
    ray.tmax = 2;
    assert_hit(&ray, &half, 1, 0.25f, 0.25f, 0);
    ray.tmin = nextafterf(1, 2);
    assert_miss(&ray, &half);
    ray.tmin = 0;
    ray.tmax = nextafterf(1, 0);
    assert_miss(&ray, &half);
}

/* t = 1/3, which lies below the float nearest to it: that float as tmin misses, though the t that
 * is reported equals it. */
TEST(limits_are_compared_with_the_exact_t)
{
    const float third = 1.0f / 3;
    assert_true((double)third > 1.0 / 3);
    sl_ray ray = down(0.25f, 0.25f);
    ray.dir[2] = -3;
    assert_hit(&ray, &half, third, 0.25f, 0.25f, 0);
    ray.tmax = third;
    assert_hit(&ray, &half, third, 0.25f, 0.25f, 0);
    ray.tmax = INFINITY;
    ray.tmin = third;
    assert_miss(&ray, &half);
}

TEST(a_ray_may_reach_backwards)
{
    sl_ray ray = down(0.25f, 0.25f);
    ray.origin[2] = -1;
    assert_miss(&ray, &half);
    ray.tmin = -INFINITY;
    assert_hit(&ray, &half, -1, 0.25f, 0.25f, 0);
}

TEST(infinite_limits_are_never_reached)
{
    sl_ray ray = down(0.25f, 0.25f);
    ray.tmin = INFINITY;
    assert_miss(&ray, &half);
    ray.tmin = ray.tmax = -INFINITY;
    assert_miss(&ray, &half);
}

TEST(culling_leaves_the_other_side)
{
    const sl_ray rays[2] = {
        down(0.25f, 0.25f), { .origin = { 0.25f, 0.25f, -1 }, .dir = { 0, 0, 1 }, .tmax = INFINITY }
    };
    for (int back = 0; back < 2; back++) {
        const sl_options no_back = { .cull = SL_CULL_BACK }, no_front = { .cull = SL_CULL_FRONT };
        assert_int_equal(sl_ray_triangle(&rays[back], &half, &no_back, NULL), !back);
        assert_int_equal(sl_ray_triangle(&rays[back], &half, &no_front, NULL), back);
    }
}

TEST(a_ray_in_the_plane_misses)
{
    const sl_ray across = { .origin = { -1, 0.25f, 0 }, .dir = { 1, 0, 0 }, .tmax = INFINITY };
    const sl_ray along_edge = { .origin = { -1, 0, 0 }, .dir = { 1, 0, 0 }, .tmax = INFINITY };
    const sl_ray beside = { .origin = { -1, 0.25f, 1 }, .dir = { 1, 0, 0 }, .tmax = INFINITY };
    assert_miss(&across, &half);
    assert_miss(&along_edge, &half);
    assert_miss(&beside, &half);
    /* The smallest slope there is makes a crossing: at t = 1 / 2^-149, beyond the range. */
    sl_ray slope = beside;
    slope.dir[2] = -0x1p-149f;
    assert_miss(&slope, &half); /* but far away from the triangle */
}

TEST(zero_area_is_never_hit)
{
    const sl_triangle line = { .v = { { 0, 0, 0 }, { 1, 1, 0 }, { 3, 3, 0 } } };
    const sl_triangle point = { .v = { { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 } } };
    const sl_ray ray = down(1, 1);
    assert_miss(&ray, &line);
    assert_miss(&ray, &point);
}

/* Legs of the smallest floats, and of the largest. */
TEST(triangles_of_any_size_are_there)
{
    const float tiny = 0x1p-149f, huge = FLT_MAX;
    const sl_triangle small = { .v = { { 0, 0, 0 }, { 2 * tiny, 0, 0 }, { 0, 2 * tiny, 0 } } };
    const sl_triangle large = { .v = {
                                    { -huge, -huge, 0 }, { huge, -huge, 0 }, { -huge, huge, 0 } } };
    sl_ray ray = down(tiny, tiny);
    assert_hit(&ray, &small, 1, 0.5f, 0.5f, SL_HIT_EDGE);
    ray = down(0, 0);
    assert_hit(&ray, &large, 1, 0.5f, 0.5f, SL_HIT_EDGE);
    ray = down(tiny, 0); /* outside, by 2^-149 in 2^128 */
    assert_miss(&ray, &large);
}

TEST(t_beyond_the_floats_is_a_hit_at_infinity)
{
    sl_ray ray = { .origin = { 0.25f, 0.25f, 1 }, .dir = { 0, 0, -0x1p-149f }, .tmax = INFINITY };
    assert_hit(&ray, &half, INFINITY, 0.25f, 0.25f, 0);
    ray.tmax = FLT_MAX;
    assert_miss(&ray, &half);
}

/* (1/3, 1/3) of a triangle with legs of 3, from 7/3 above: each is rounded on its own. */
TEST(t_u_and_v_are_each_rounded_once)
{
    const sl_triangle three = { .v = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 3, 0 } } };
    const sl_ray ray = { .origin = { 1, 1, 7 }, .dir = { 0, 0, -3 }, .tmax = INFINITY };
    assert_hit(&ray, &three, (float)(7.0 / 3), (float)(1.0 / 3), (float)(1.0 / 3), 0);
}

TEST(zeros_are_positive)
{
    const sl_triangle turned = { .v = { { -0.0f, -0.0f, -0.0f }, { -1, 0, 0 }, { 0, -1, -0.0f } } };
    const sl_ray ray = {
        .origin = { -0.0f, -0.0f, -0.0f }, .dir = { -0.0f, -0.0f, -1 }, .tmin = -1, .tmax = 1
    };
    assert_hit(&ray, &turned, 0, 0, 0, SL_HIT_EDGE | SL_HIT_VERTEX);
    /* Exactly -2^-150, in the middle between 0 and the next float: zero, and no sign is left. */
    const sl_ray near = { .origin = { -0x1p-10f, -0x1p-10f, -0x1p-60f },
                          .dir = { 0, 0, -0x1p90f },
                          .tmin = -1,
                          .tmax = 1 };
    assert_hit(&near, &turned, 0, 0x1p-10f, 0x1p-10f, 0);
}

TEST(invalid_rays_miss)
{
    const float bad[] = { NAN, INFINITY, -INFINITY };
    for (size_t i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sl_ray ray = down(0.25f, 0.25f);
            ray.origin[axis] = bad[i];
            assert_miss(&ray, &half);
            ray = down(0.25f, 0.25f);
            ray.dir[axis] = bad[i];
            assert_miss(&ray, &half);
            sl_triangle triangle = half;
            triangle.v[i][axis] = bad[i];
            ray = down(0.25f, 0.25f);
            assert_miss(&ray, &triangle);
            sl_segment segment = { .p = { 0.25f, 0.25f, 1 }, .q = { 0.25f, 0.25f, -1 } };
            assert_true(sl_segment_triangle(&segment, &half, NULL, NULL));
            segment.p[axis] = bad[i];
            assert_false(sl_segment_triangle(&segment, &half, NULL, NULL));
            segment = (sl_segment){ .p = { 0.25f, 0.25f, 1 }, .q = { 0.25f, 0.25f, -1 } };
            segment.q[axis] = bad[i];
            assert_false(sl_segment_triangle(&segment, &half, NULL, NULL));
        }
    }
    sl_ray ray = down(0.25f, 0.25f);
    ray.dir[2] = -0.0f;
    assert_miss(&ray, &half);
    ray = down(0.25f, 0.25f);
    ray.tmin = NAN;
    assert_miss(&ray, &half);
    ray.tmin = 0;
    ray.tmax = NAN;
    assert_miss(&ray, &half);
    ray.tmin = 2;
    ray.tmax = 0;
    assert_miss(&ray, &half);
}

TEST(a_segment_of_no_length_misses)
{
    const sl_segment point = { .p = { 0.25f, 0.25f, 0 }, .q = { 0.25f, 0.25f, -0.0f } };
    assert_false(sl_segment_triangle(&point, &half, NULL, NULL));
}

enum { PAIRS = 4000, SOUP = 128 };

/* What must not depend on the caller's environment: all answers to one pair. */
typedef struct answers {
    sl_hit hit;
    bool found;
    size_t total;
    sl_hit all[4];
} answers;

/* Not inlined, so that nothing of it is done before the environment is set. */
static SLI_NOINLINE void ask(const hard_pair *pair, const sl_soup *soup, answers *out)
{
    const sl_options options = { .flags = pair->flags, .cull = pair->cull };
    memset(out, 0, sizeof *out);
    if (pair->is_segment) {
        out->found = sl_segment_triangle(&pair->segment, &pair->triangle, &options, &out->hit);
        out->total = sl_soup_all_segment(soup, &pair->segment, &options, out->all, 4);
    } else {
        out->found = sl_ray_triangle(&pair->ray, &pair->triangle, &options, &out->hit);
        out->total = sl_soup_all(soup, &pair->ray, &options, out->all, 4);
    }
}

TEST(callers_environments_do_not_matter)
{
    static hard_pair pairs[PAIRS];
    static uint32_t indices[3 * SOUP];
    test_random random = { 99 };
    for (size_t i = 0; i < PAIRS; i++) {
        pairs[i] = hard_pair_make((hard_pair_kind)(i % PAIR_KINDS), &random);
    }
    for (uint32_t i = 0; i < 3 * SOUP; i++) {
        indices[i] = i;
    }
    size_t differences = 0, lost = 0, hits = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        /* A soup of this pair's triangle and others' (denormal ones and all). */
        static float xyz[9 * SOUP];
        const size_t count = i % 8 == 0 ? SOUP : 2;
        for (size_t j = 0; j < count; j++) {
            memcpy(xyz + 9 * j, pairs[(i + j * 7) % PAIRS].triangle.v, 9 * sizeof *xyz);
        }
        const sl_soup soup = { .xyz = xyz, .indices = indices, .triangle_count = count };
        answers expected, found;
        ask(&pairs[i], &soup, &expected);
        hits += expected.total;
        for (int env = 1; env < callers_env_count(); env++) {
            callers_env_set(env);
            ask(&pairs[i], &soup, &found);
            lost += !callers_env_is(env);
            callers_env_reset();
            differences += memcmp(&expected, &found, sizeof found) != 0;
        }
    }
    assert_int_equal(differences, 0);
    assert_int_equal(lost, 0); /* what the caller had set is still set */
    assert_true(hits > PAIRS / 4);
}
