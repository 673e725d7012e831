/* Boxes, hulls and triangles that move against triangles: against an oracle in integers, and by
 * hand.  SIGHTLINE_TEST_SCALE=1000 tries 10^7 boxes, 10^5 hulls and 10^3 of 256 points. */
#include "lib/geom/sweep/sweep.h"
#include "test/support/hard/sweeps.h"
#include "test/support/oracle/sweep_oracle.h"
#include "test/support/test.h"

/* Counts of answers, so that a run which has only misses is seen. */
typedef struct tally {
    size_t met[4], none;
} tally;

static void describe(const hard_sweep *c)
{
    const sl_sweep_d *s = &c->sweep;
    double points[SL_HULL_POINTS_MAX][3];
    const int count = sweep_oracle_points(&s->volume, points);
    print_error("kind %d dir %a %a %a policies %d %d %d\n", s->volume.kind, s->dir[0], s->dir[1],
                s->dir[2], s->touching, s->overlapping, s->ignore_grazing);
    for (int i = 0; i < count; i++) {
        print_error("point  %.17g %.17g %.17g\n", points[i][0], points[i][1], points[i][2]);
    }
    for (int i = 0; i < 3; i++) {
        print_error("corner %.17g %.17g %.17g\n", c->corners[i][0], c->corners[i][1],
                    c->corners[i][2]);
    }
}

static void hold(const hard_sweep *c, tally *counts)
{
    static sli_sweep sweep;
    sl_contact got = { .t = -1 };
    const double(*corners)[3] = (const double(*)[3])c->corners;
    assert_true(sli_sweep_take(&c->sweep, &sweep));
    const bool met = sli_sweep_polytope_triangle(&sweep, corners, 1, &got);
    sl_volume_d triangle = { .kind = SL_VOLUME_TRIANGLE };
    memcpy(triangle.shape.triangle.v, corners, sizeof triangle.shape.triangle.v);
    const sweep_answer want = sweep_oracle(&c->sweep, &triangle);
    if (met != want.met ||
        (met && (got.start != want.start || got.t != want.t || got.t_safe != want.t_safe))) {
        describe(c);
        print_error("want %d %d %a %a\ngot  %d %d %a %a\n", want.met, want.start, want.t,
                    want.t_safe, met, got.start, got.t, got.t_safe);
        fail();
    }
    counts->none += !met;
    counts->met[got.start] += met;
}

static void hold_many(sl_volume_kind kind, int most, size_t count, uint64_t seed)
{
    static hard_sweep c;
    test_random random = { test_seed(seed) };
    tally counts = { 0 };
    for (size_t i = 0; i < count; i++) {
        const int points = most <= 16 ? 1 + (int)test_random_below(&random, (uint32_t)most) : most;
        hard_sweep_make(&random, kind, points, &c);
        hold(&c, &counts);
    }
    print_message("none %zu, apart %zu, closing %zu, receding %zu, overlapping %zu\n", counts.none,
                  counts.met[0], counts.met[1], counts.met[2], counts.met[3]);
    for (int i = 0; i < (kind == SL_VOLUME_TRIANGLE ? 3 : 4) && count > 400; i++) {
        assert_true(counts.met[i] > 0);
    }
}

TEST(boxes_along_the_axes_are_as_linear_programs_say)
{
    hold_many(SL_VOLUME_AABB, 8, test_count(5000), 1);
}

TEST(boxes_of_any_orientation_are_as_linear_programs_say)
{
    hold_many(SL_VOLUME_OBB, 8, test_count(5000), 2);
}

TEST(triangles_that_move_are_as_linear_programs_say)
{
    hold_many(SL_VOLUME_TRIANGLE, 3, test_count(5000), 3);
}

TEST(hulls_of_few_points_are_as_linear_programs_say)
{
    hold_many(SL_VOLUME_HULL, 16, test_count(1000), 4);
}

TEST(hulls_of_256_points_are_as_linear_programs_say)
{
    hold_many(SL_VOLUME_HULL, SL_HULL_POINTS_MAX, test_count(20), 5);
}
