/* A triangle against a box, held against integers and fractions, where it is hard: touching,
 * coplanar, without area, of all sizes.  SIGHTLINE_TEST_SCALE=N does N times as many. */
#include "lib/geom/overlap/triangle_aabb.h"
#include "test/support/hard/floats.h"
#include "test/support/oracle/box_oracle.h"
#include "test/support/test.h"
#include "test/support/volume.h"

typedef struct tally {
    size_t cases, overlaps;
    sli_sat_trace trace;
} tally;

static tally total;

static void check(const sl_triangle *triangle, const sl_aabb *box, bool right, tally *count)
{
    const sli_sat_axis one = sli_triangle_aabb(triangle, box, SLI_SAT_ORDER_123, &count->trace);
    const sli_sat_axis two = sli_triangle_aabb(triangle, box, SLI_SAT_ORDER_312, &count->trace);
    if ((one == SLI_SAT_OVERLAP) != right || (two == SLI_SAT_OVERLAP) != right) {
        for (int i = 0; i < 3; i++) {
            print_message("vertex %a %a %a\n", (double)triangle->v[i][0], (double)triangle->v[i][1],
                          (double)triangle->v[i][2]);
        }
        print_message("box %a %a %a .. %a %a %a: %s, %s\n", (double)box->min[0],
                      (double)box->min[1], (double)box->min[2], (double)box->max[0],
                      (double)box->max[1], (double)box->max[2], sli_sat_axis_name(one),
                      sli_sat_axis_name(two));
    }
    assert_int_equal(one == SLI_SAT_OVERLAP, right);
    assert_int_equal(two == SLI_SAT_OVERLAP, right);
    assert_int_equal(sl_volume_overlaps_aabb(AS_TRIANGLE(triangle), box), right);
    count->cases++;
    count->overlaps += right;
}

static void report(const char *what, const tally *count)
{
    const uint64_t *exact = count->trace.exact;
    print_message("%s: %zu cases, %zu overlap; exact stage: - %llu, 0 %llu, + %llu\n", what,
                  count->cases, count->overlaps, (unsigned long long)exact[0],
                  (unsigned long long)exact[1], (unsigned long long)exact[2]);
    assert_true(count->overlaps > count->cases / 50);
    assert_true(count->overlaps < count->cases - count->cases / 50);
    total.cases += count->cases;
    for (int i = 0; i < 3; i++) {
        total.trace.exact[i] += exact[i];
    }
}

/* Small whole numbers: one in several touches, and points, segments and coplanar ones are common.
 */
static void make_lattice(test_random *random, uint32_t reach, sl_triangle *triangle, sl_aabb *box)
{
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) {
            triangle->v[i][axis] = (float)test_random_below(random, 2 * reach + 1) - (float)reach;
        }
        low[axis] = (float)test_random_below(random, reach + 1) - (float)(reach / 2);
        high[axis] = (float)test_random_below(random, reach + 1) - (float)(reach / 2);
    }
    *box = sl_aabb_from_corners(low, high);
}

TEST(on_lattices)
{
    static const uint32_t reaches[4] = { 2, 4, 9, 500 };
    test_random random = { 201 };
    tally count = { 0 };
    const size_t rounds = test_count(150000);
    for (size_t i = 0; i < rounds; i++) {
        sl_triangle triangle;
        sl_aabb box;
        make_lattice(&random, reaches[i % 4], &triangle, &box);
        const bool right = oracle_lattice(&triangle, &box);
        check(&triangle, &box, right, &count);
        if (i % 64 == 0) { /* the two oracles are held against each other as well */
            assert_int_equal(oracle_clip(&triangle, &box), right);
        }
    }
    report("seed 201, lattice", &count);
    assert_true(count.trace.exact[1] > 0);
}

/* Lattices whose zeros are moved by so little that a double cannot hold both that and an integer.
 */
TEST(on_nudged_lattices)
{
    test_random random = { 202 };
    tally count = { 0 };
    const size_t rounds = test_count(250000);
    for (size_t i = 0; i < rounds; i++) {
        sl_triangle triangle;
        sl_aabb box;
        make_lattice(&random, 3, &triangle, &box);
        float *const coordinates[15] = {
            &triangle.v[0][0], &triangle.v[0][1], &triangle.v[0][2], &triangle.v[1][0],
            &triangle.v[1][1], &triangle.v[1][2], &triangle.v[2][0], &triangle.v[2][1],
            &triangle.v[2][2], &box.min[0],       &box.min[1],       &box.min[2],
            &box.max[0],       &box.max[1],       &box.max[2],
        };
        for (int j = 0; j < 15; j++) {
            if (*coordinates[j] == 0 && test_random_below(&random, 3) != 0) {
                const int exponent = -50 - (int)test_random_below(&random, 100);
                *coordinates[j] =
                    test_random_below(&random, 2) != 0 ? ldexpf(1, exponent) : -ldexpf(1, exponent);
            }
        }
        box = sl_aabb_from_corners(box.min, box.max);
        check(&triangle, &box, oracle_clip(&triangle, &box), &count);
    }
    report("seed 202, nudged", &count);
    assert_true(count.trace.exact[0] > 0 && count.trace.exact[2] > 0);
}

TEST(on_floats_of_all_sizes)
{
    test_random random = { 203 };
    tally count = { 0 };
    const size_t rounds = test_count(150000);
    for (size_t i = 0; i < rounds; i++) {
        float x[15];
        for (int j = 0; j < 15; j++) {
            x[j] = hard_float_wild(&random, j >= 3 ? x[j - 3] : 0);
        }
        const sl_triangle triangle = {
            { { x[0], x[1], x[2] }, { x[3], x[4], x[5] }, { x[6], x[7], x[8] } }
        };
        const sl_aabb box = sl_aabb_from_corners(x + 9, x + 12);
        check(&triangle, &box, oracle_clip(&triangle, &box), &count);
    }
    report("seed 203, wild", &count);
}

/* A corner of the box is put on the triangle's plane, or on the crossing of two edges, as nearly as
 * floats allow, at sizes from 1e-30 to 1e30 and into the denormals. */
TEST(nearly_touching_at_every_size)
{
    test_random random = { 204 };
    tally count = { 0 };
    const size_t rounds = test_count(100000);
    for (size_t i = 0; i < rounds; i++) {
        const int exponent = (int)test_random_below(&random, 247) - 147;
        const double size = ldexp(1, exponent);
        double v[3][3];
        sl_triangle triangle;
        for (int j = 0; j < 9; j++) {
            const double whole = (double)test_random_below(&random, 17) - 8;
            const double any = (double)test_random_in(&random, -8, 8);
            triangle.v[j / 3][j % 3] = (float)(size * (i % 2 == 0 ? whole : any));
            v[j / 3][j % 3] = (double)triangle.v[j / 3][j % 3];
        }
        /* A point of the triangle, of one of its edges every third time. */
        const double a = (double)test_random_below(&random, 9) / 8;
        const double b = i % 3 == 0 ? 0 : (1 - a) * (double)test_random_below(&random, 9) / 8;
        float corner[3], opposite[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (float)((1 - a - b) * v[0][axis] + a * v[1][axis] + b * v[2][axis]);
            const double side = (double)test_random_below(&random, 9) - 4;
            opposite[axis] = (float)((double)corner[axis] + size * side);
        }
        const sl_aabb box = sl_aabb_from_corners(corner, opposite);
        check(&triangle, &box, oracle_clip(&triangle, &box), &count);
    }
    report("seed 204, near", &count);
}

TEST(enough_was_decided_by_the_exact_stage)
{
    print_message("in all %zu cases; exact stage: - %llu, 0 %llu, + %llu\n", total.cases,
                  (unsigned long long)total.trace.exact[0],
                  (unsigned long long)total.trace.exact[1],
                  (unsigned long long)total.trace.exact[2]);
    const size_t least = test_count(30000);
    assert_true(total.cases >= 20 * least);
    for (int i = 0; i < 3; i++) {
        assert_true(total.trace.exact[i] >= least);
    }
}
