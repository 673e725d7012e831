/* What lassos say of estimates against what they say exactly: what is sure of positions, sides and
 * triangles has to hold for each position within the errors.  Lassos of random corners, of corners
 * on a small lattice, so that sides overlap and end on each other, and with equal sides.
 *
 * SIGHTLINE_TEST_SCALE=N multiplies the number of lassos. */
#include "bvh/select/region/lasso.h"
#include "bvh/select/region/lasso_grid.h"
#include "bvh/select/region/lasso_sure.h"
#include "bvh/select/region/planar.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "test/support/oracle/region_oracle.h"
#include "test/support/selection/polygons.h"
#include "test/support/test.h"

enum { SEED = 20261128, LASSOS = 1000, PLACES = 60, CORNERS = 300, MOVES = 4, SIZE = 64 };

static size_t sure_points, sure_items, unsure_points, unsure_items, places;

static size_t draw(test_random *random, size_t number, double *corners)
{
    size_t count = 1 + test_random_below(random, number % 5 == 0 ? CORNERS : 12);
    const uint32_t step = 1 + test_random_below(random, 8);
    if (number % 3 == 0) {
        const polygon_def def = {
            .kind = (polygon_kind)test_random_below(random, POLYGON_KINDS),
            .count = count = count < 5 ? 5 : count,
            .param = test_random_in_d(random, 0, 1),
            .seed = number,
            .size = { SIZE, SIZE },
        };
        polygon_make(&def, corners);
        return count;
    }
    for (size_t i = 0; i < 2 * count; i++) {
        corners[i] = number % 3 == 1 ? test_random_in_d(random, 0, SIZE)
                                     : (double)(step * test_random_below(random, 1 + SIZE / step));
    }
    return count;
}

/* Positions near each other, some of them next to corners and middles of sides. */
static void draw_place(test_random *random, const double *corners, size_t count, bool lattice,
                       double x[12], double y[12])
{
    const double size = pow(2, test_random_in_d(random, -6, 5));
    const size_t at = test_random_below(random, (uint32_t)count), to = (at + 1) % count;
    const double share = (double)test_random_below(random, 3) / 2;
    const double cx = corners[2 * at] + share * (corners[2 * to] - corners[2 * at]);
    const double cy = corners[2 * at + 1] + share * (corners[2 * to + 1] - corners[2 * at + 1]);
    for (int i = 0; i < 12; i++) {
        x[i] = cx + test_random_in_d(random, -size, size);
        y[i] = cy + test_random_in_d(random, -size, size);
        if (lattice) {
            x[i] = floor(x[i]);
            y[i] = floor(y[i]);
        }
    }
}

static void check_points(const sli_lasso *lasso, const sli_lasso_vicinity *place, const double *x,
                         const double *y)
{
    double side[8];
    sli_lasso_points(place, x, y, side);
    for (int i = 0; i < 8; i++) {
        const double at[2] = { sli_planar_number(x[i]), sli_planar_number(y[i]) };
        sure_points += side[i] != 0;
        unsure_points += side[i] == 0;
        if (side[i] != 0) {
            assert_int_equal(sli_lasso_has(lasso, at), side[i] > 0);
        }
    }
}

/* Triangle `lane` with its corners anywhere within the errors. */
static void check_moved(test_random *random, const sli_lasso *lasso, const double *x,
                        const double *y, double off, int lane, const double side[12],
                        const double free[12])
{
    double at[3][2];
    const bool extreme = test_random_below(random, 2) == 0;
    for (int k = 0; k < 3; k++) {
        for (int axis = 0; axis < 2; axis++) {
            const double by = extreme ? off * ((double)test_random_below(random, 3) - 1)
                                      : test_random_in_d(random, -off, off);
            at[k][axis] = sli_planar_number((axis == 0 ? x : y)[4 * k + lane] + by * (1 - 0x1p-30));
        }
    }
    for (int k = 0; k < 3; k++) {
        const double *a = at[k], *b = at[(k + 1) % 3];
        const double ends[2][2] = { { a[0], a[1] }, { b[0], b[1] } };
        const double known = side[4 * k + lane];
        sure_items += known != 0;
        unsure_items += known == 0;
        if (known != 0) {
            assert_int_equal(sli_lasso_has(lasso, at[k]), known > 0);
        }
        if (known != 0 && free[4 * k + lane] > 0) {
            assert_int_equal(sli_lasso_touches(lasso, (const double(*)[2])ends, 2), known > 0);
            assert_int_equal(sli_lasso_holds(lasso, (const double(*)[2])ends, 2), known > 0);
        }
    }
    if (side[lane] != 0 && free[lane] > 0 && free[4 + lane] > 0 && free[8 + lane] > 0) {
        assert_int_equal(sli_lasso_touches(lasso, (const double(*)[2])at, 3), side[lane] > 0);
        assert_int_equal(sli_lasso_holds(lasso, (const double(*)[2])at, 3), side[lane] > 0);
    }
}

static void check_place(test_random *random, const sli_lasso *lasso, const double *x,
                        const double *y, double off)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    double side[12], free[12];
    sli_lasso_vicinity place;
    for (int i = 0; i < 24; i++) {
        const double at = i < 12 ? x[i] : y[i - 12];
        low[i / 12] = fmin(low[i / 12], at - off);
        high[i / 12] = fmax(high[i / 12], at + off);
    }
    sli_lasso_look(lasso, low, high, &place);
    for (int i = 0; i < 12; i++) {
        side[i] = place.all;
        free[i] = 1;
    }
    if (place.all == 0 && place.count < 0) {
        return;
    }
    places++;
    if (place.all == 0) {
        check_points(lasso, &place, x, y);
        sli_lasso_triangles(&place, x, y, off, side, free);
    }
    for (int i = 0; i < 4 * MOVES; i++) {
        check_moved(random, lasso, x, y, off, i % 4, side, free);
    }
}

TEST(what_is_sure_holds)
{
    static double corners[2 * CORNERS];
    const uint64_t seed = test_seed(SEED);
    const size_t lassos = test_is_brief() ? LASSOS / 10 : LASSOS * test_scale();
    const double grids[2][4] = { { 0, 0, SIZE, SIZE }, { 20, -SIZE, 2 * SIZE, 50 } };
    const sl_allocator memory = sli_allocator(NULL);
    sli_lasso lasso;
    memset(&lasso, 0, sizeof lasso);
    print_message("seed %llu\n", (unsigned long long)seed);
    const sli_fpenv saved = sli_fpenv_enter();
    for (size_t number = 0; number < lassos; number++) {
        test_random random = { seed + 1000003 * number };
        const size_t count = draw(&random, number, corners);
        assert_true(sli_lasso_prepare(&memory, corners, count, grids[number % 2], &lasso));
        for (int i = 0; i < PLACES; i++) {
            double x[12], y[12];
            const bool lattice = number % 3 == 2 && i % 2 == 0;
            draw_place(&random, corners, count, lattice, x, y);
            check_place(&random, &lasso, x, y,
                        i % 3 == 0 ? 0 : pow(2, test_random_in_d(&random, -45, -3)));
        }
    }
    sli_fpenv_leave(saved);
    sli_lasso_free(&memory, &lasso);
    print_message("%zu places; points: %zu sure, %zu not; corners of triangles: %zu and %zu\n",
                  places, sure_points, unsure_points, sure_items, unsure_items);
    assert_true(sure_points > 50 * lassos && sure_items > 100 * lassos);
}

/* The exact answers themselves, against fractions. */
TEST(exact_answers_are_those_of_fractions)
{
    static double corners[2 * CORNERS];
    const uint64_t seed = test_seed(SEED);
    const size_t lassos = test_is_brief() ? LASSOS / 10 : LASSOS * test_scale();
    const double grid[4] = { 10, -SIZE, 2 * SIZE, 50 };
    size_t compared = 0, held = 0;
    const sl_allocator memory = sli_allocator(NULL);
    sli_lasso lasso;
    memset(&lasso, 0, sizeof lasso);
    const sli_fpenv saved = sli_fpenv_enter();
    for (size_t number = 0; number < lassos; number++) {
        test_random random = { seed + 1000003 * number };
        const size_t count = draw(&random, number, corners);
        const sl_region region =
            (sl_region){ .kind = SL_REGION_LASSO, .corners = corners, .corner_count = count };
        assert_true(sli_lasso_prepare(&memory, corners, count, grid, &lasso));
        for (int i = 0; i < 12; i++) {
            double x[12], y[12], at[3][2];
            draw_place(&random, corners, count, number % 3 == 2 && i % 4 != 0, x, y);
            for (int k = 0; k < 3; k++) {
                at[k][0] = sli_planar_number(x[k]);
                at[k][1] = sli_planar_number(y[k]);
            }
            if (i % 3 == 0) { /* a corner of the lasso */
                memcpy(at[1], corners + 2 * test_random_below(&random, (uint32_t)count),
                       sizeof at[1]);
                at[1][0] = sli_planar_number(at[1][0]);
                at[1][1] = sli_planar_number(at[1][1]);
            }
            for (int n = 1; n <= 3; n++) {
                const double(*figure)[2] = (const double(*)[2])at;
                const bool touched = region_oracle_touches(&region, figure, n);
                const bool inside = region_oracle_holds(&region, figure, n);
                if (!region_oracle_gave_up()) {
                    assert_int_equal(sli_lasso_touches(&lasso, figure, n), touched);
                    assert_int_equal(sli_lasso_holds(&lasso, figure, n), inside);
                    compared++;
                    held += inside;
                }
            }
        }
    }
    sli_fpenv_leave(saved);
    sli_lasso_free(&memory, &lasso);
    print_message("%zu figures, %zu inside\n", compared, held);
    assert_true(held > lassos);
}
