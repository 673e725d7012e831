/* Rays, segments and lines against planes of any orientation. */
#include "test/support/hard/shapes.h"
#include "test/support/oracle/rational.h"
#include "test/support/test.h"

#include <fenv.h>

/* x + y + z = 3. */
static const sl_plane slanted = { { 1, 1, 1 }, 3 };

TEST(a_plane_is_met_in_one_point)
{
    sl_plane_hit hit;
    /* From the origin along (1, 1, 1) to (4, 4, 4): the sum is 12 t. */
    const sl_segment segment = { { 0, 0, 0 }, { 4, 4, 4 } };
    assert_int_equal(sl_line_plane(sl_line_of_segment(&segment), &slanted, &hit), SL_PLANE_POINT);
    assert_true(hit.t == 0.25f && hit.point[0] == 1 && hit.point[1] == 1 && hit.point[2] == 1);
    /* From behind and from the front alike; both ends belong to it. */
    const sl_segment back = { { 4, 4, 4 }, { 1, 1, 1 } };
    assert_int_equal(sl_line_plane(sl_line_of_segment(&back), &slanted, &hit), SL_PLANE_POINT);
    assert_true(hit.t == 1);
    const sl_segment short_of = { { 4, 4, 4 }, { 1, 1, nextafterf(1, 2) } };
    hit.t = 7;
    assert_int_equal(sl_line_plane(sl_line_of_segment(&short_of), &slanted, &hit), SL_PLANE_MISS);
    assert_true(hit.t == 7); /* left alone */
    const sl_ray ray = sl_ray_make((float[3]){ 4, 4, 4 }, (float[3]){ 1, 0, 0 });
    assert_int_equal(sl_line_plane(sl_line_of_ray(&ray), &slanted, NULL),
                     SL_PLANE_MISS); /* behind it */
    const sl_line line = {
        .origin = { 4, 4, 4 }, .head = { 1, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_int_equal(sl_line_plane(line, &slanted, &hit), SL_PLANE_POINT);
    assert_true(hit.t == -9 && hit.point[0] == -5 && hit.point[1] == 4);
}

TEST(parallel_misses_and_in_the_plane_is_said_to_be)
{
    sl_plane_hit hit;
    const sl_segment within = { { 3, 0, 0 }, { 0, 3, 0 } };
    assert_int_equal(sl_line_plane(sl_line_of_segment(&within), &slanted, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == 0 && hit.point[0] == 3);
    const sl_segment beside = { { 3, 0, 1 }, { 0, 3, 1 } };
    assert_int_equal(sl_line_plane(sl_line_of_segment(&beside), &slanted, NULL), SL_PLANE_MISS);
    /* Of the t allowed, the one nearest to 0. */
    const sl_ray ray = { { 3, 0, 0 }, -5, { -1, 1, 0 }, -2 };
    assert_int_equal(sl_line_plane(sl_line_of_ray(&ray), &slanted, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == -2 && hit.point[0] == 5 && hit.point[1] == -2);
    /* Floats that look parallel: 0.1 + 0.2 - 0.3 is not 0 in floats, nor exactly. */
    const sl_plane tenths = { { 0.1f, 0.2f, -0.3f }, 0 };
    const sl_line along = {
        .origin = { 0, 0, 0 }, .head = { 1, 1, 1 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_int_equal(sl_line_plane(along, &tenths, &hit), SL_PLANE_POINT);
    const sl_line point = {
        .origin = { 1, 1, 1 }, .head = { 0, 0, 0 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_int_equal(sl_line_plane(point, &slanted, &hit), SL_PLANE_WITHIN);
    assert_true(hit.t == 0);
    const sl_line off = { .origin = { 1, 1, nextafterf(1, 2) },
                          .head = { 0, 0, 0 },
                          .tmin = -INFINITY,
                          .tmax = INFINITY };
    assert_int_equal(sl_line_plane(off, &slanted, &hit), SL_PLANE_MISS);
}

TEST(what_is_not_valid_misses)
{
    const sl_segment good = { { 0, 0, 0 }, { 4, 4, 4 } };
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; i++) {
        sl_plane plane = slanted;
        plane.normal[i] = bad[i];
        assert_int_equal(sl_line_plane(sl_line_of_segment(&good), &plane, NULL), SL_PLANE_MISS);
        plane = slanted;
        plane.offset = bad[i];
        assert_int_equal(sl_line_plane(sl_line_of_segment(&good), &plane, NULL), SL_PLANE_MISS);
        sl_segment segment = good;
        segment.q[i] = bad[i];
        assert_int_equal(sl_line_plane(sl_line_of_segment(&segment), &slanted, NULL),
                         SL_PLANE_MISS);
    }
    const sl_plane none = { { 0, -0.0f, 0 }, 0 };
    assert_int_equal(sl_line_plane(sl_line_of_segment(&good), &none, NULL), SL_PLANE_MISS);
    const sl_ray backwards = { { 0, 0, 0 }, 1, { 1, 1, 1 }, 0 };
    assert_int_equal(sl_line_plane(sl_line_of_ray(&backwards), &slanted, NULL), SL_PLANE_MISS);
    const sl_line line = {
        .origin = { 0, NAN, 0 }, .head = { 1, 1, 1 }, .tmin = -INFINITY, .tmax = INFINITY
    };
    assert_int_equal(sl_line_plane(line, &slanted, NULL), SL_PLANE_MISS);
}

static struct {
    mpq_t origin[3], dir[3], normal[3], n, d, x, y;
} room;

static void init_room(void)
{
    for (int i = 0; i < 3; i++) {
        mpq_inits(room.origin[i], room.dir[i], room.normal[i], NULL);
    }
    mpq_inits(room.n, room.d, room.x, room.y, NULL);
}

/* t = (offset - normal . origin) / (normal . dir), in fractions. */
static sl_plane_meet expected_meet(const sl_line *line, const sl_plane *plane, sl_plane_hit *hit)
{
    const double tmin = (double)line->tmin, tmax = (double)line->tmax;
    if (tmin == INFINITY || tmax == -INFINITY) {
        return SL_PLANE_MISS;
    }
    rational_set(room.n, (double)plane->offset);
    mpq_set_ui(room.d, 0, 1);
    for (int i = 0; i < 3; i++) {
        rational_set(room.origin[i], (double)line->origin[i]);
        rational_set(room.dir[i], (double)line->head[i]);
        rational_set(room.normal[i], (double)plane->normal[i]);
        rational_set(room.x, (double)line->tail[i]);
        mpq_sub(room.dir[i], room.dir[i], room.x);
        mpq_mul(room.x, room.normal[i], room.origin[i]);
        mpq_sub(room.n, room.n, room.x);
        mpq_mul(room.x, room.normal[i], room.dir[i]);
        mpq_add(room.d, room.d, room.x);
    }
    const bool parallel = mpq_sgn(room.d) == 0;
    if (parallel) {
        if (mpq_sgn(room.n) != 0) {
            return SL_PLANE_MISS;
        }
        rational_set(room.n, tmin > 0 ? tmin : tmax < 0 ? tmax : 0);
    } else {
        mpq_div(room.n, room.n, room.d);
    }
    rational_set(room.x, isinf(tmin) ? 0 : tmin);
    rational_set(room.y, isinf(tmax) ? 0 : tmax);
    if ((!isinf(tmin) && mpq_cmp(room.n, room.x) < 0) ||
        (!isinf(tmax) && mpq_cmp(room.n, room.y) > 0)) {
        return SL_PLANE_MISS;
    }
    hit->t = rational_round(mpq_numref(room.n), mpq_denref(room.n), 0);
    for (int i = 0; i < 3; i++) {
        mpq_mul(room.x, room.n, room.dir[i]);
        mpq_add(room.x, room.x, room.origin[i]);
        hit->point[i] = rational_round(mpq_numref(room.x), mpq_denref(room.x), 0);
    }
    return parallel ? SL_PLANE_WITHIN : SL_PLANE_POINT;
}

TEST(every_answer_is_that_of_exact_arithmetic)
{
    test_random random = { 99 };
    const size_t count = test_count(40000);
    size_t met[3] = { 0, 0, 0 };
    print_message("seed 99, %zu cases\n", HARD_KINDS * HARD_NUMBERS * count);
    init_room();
    for (size_t i = 0; i < HARD_NUMBERS * count; i++) {
        const hard_numbers numbers = (hard_numbers)(i % HARD_NUMBERS);
        float a[3], b[3], last = 1;
        sl_plane plane;
        for (int axis = 0; axis < 3; axis++) {
            a[axis] = last = hard_number(&random, numbers, last, 3);
            b[axis] = last = hard_number(&random, numbers, last, 3);
            plane.normal[axis] = last = hard_number(&random, numbers, last, 2);
        }
        plane.offset = hard_number(&random, numbers, last, 4);
        if (plane.normal[0] == 0 && plane.normal[1] == 0 && plane.normal[2] == 0) {
            continue;
        }
        for (int kind = 0; kind < HARD_KINDS; kind++) {
            const sl_line line = hard_line(&random, (hard_kind)kind, a, b, numbers);
            sl_plane_hit hit, right;
            memset(&hit, 0, sizeof hit);
            memset(&right, 0, sizeof right);
            const sl_plane_meet meet = sl_line_plane(line, &plane, &hit);
            assert_int_equal(meet, expected_meet(&line, &plane, &right));
            assert_memory_equal(&hit, &right, sizeof hit);
            met[meet]++;
        }
    }
    print_message("%zu missed, %zu in a point, %zu within\n", met[0], met[1], met[2]);
    assert_true(met[SL_PLANE_POINT] > count && met[SL_PLANE_WITHIN] > count / 50);
}

/* Whatever rounding the caller likes: the same bits, for all of the shapes decided by numbers. */
TEST(the_callers_rounding_changes_nothing)
{
    const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    const sl_segment segment = { { -3, 0.1f, 0.7f }, { 5, 0.3f, 0.1f } };
    const sl_sphere sphere = { { 0.1f, 0.2f, 0.3f }, 0.9f };
    const sl_capsule capsule = { { 0.1f, -1, 0.3f }, { 0.2f, 1, 0.4f }, 0.7f };
    const sl_obb box = { { 0.1f, 0, 0 },
                         { { 0.3f, 0.1f, 0 }, { 0, 1, 0.1f }, { 0.2f, 0, 0.9f } },
                         { 1, 1, 1 } };
    const sl_plane plane = { { 0.3f, 0.7f, -0.1f }, 0.2f };
    struct {
        sl_round_hit sphere, capsule;
        sl_obb_hit box;
        sl_plane_hit plane;
    } first, now;
    memset(&first, 0, sizeof first);
    for (int i = 0; i < 4; i++) {
        memset(&now, 0, sizeof now);
        fesetround(modes[i]);
        const bool all =
            sl_line_sphere(sl_line_of_segment(&segment), &sphere, SL_INSIDE_SOLID, &now.sphere) &&
            sl_line_capsule(sl_line_of_segment(&segment), &capsule, SL_INSIDE_SOLID,
                            &now.capsule) &&
            sl_line_obb(sl_line_of_segment(&segment), &box, SL_INSIDE_SOLID, &now.box) &&
            sl_line_plane(sl_line_of_segment(&segment), &plane, &now.plane) == SL_PLANE_POINT;
        fesetround(FE_TONEAREST);
        assert_true(all);
        if (i == 0) {
            first = now;
        }
        assert_memory_equal(&first, &now, sizeof first);
    }
}
