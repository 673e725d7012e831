/* Convex hulls: closed surfaces, in front of which there is none of the points. */
#include "lib/geom/convex/hull.h"
#include "lib/geom/convex/sat.h"
#include "test/support/hard/sweeps.h"
#include "test/support/oracle/brute_force.h"
#include "test/support/test.h"

static void hold(const double (*points)[3], int count, const sli_hull *hull)
{
    static int uses[SL_HULL_POINTS_MAX][SL_HULL_POINTS_MAX];
    memset(uses, 0, sizeof uses);
    for (int i = 0; i < hull->faces; i++) {
        const uint8_t *f = hull->face[i];
        for (int k = 0; k < count; k++) {
            const int side = oracle_orient3d(hull->corner[f[0]], hull->corner[f[1]],
                                             hull->corner[f[2]], points[k]);
            assert_true(side <= 0);
        }
        for (int k = 0; k < 3; k++) {
            uses[f[k]][f[(k + 1) % 3]]++;
        }
    }
    for (int a = 0; a < hull->corners; a++) {
        bool given = false;
        for (int k = 0; k < count && !given; k++) {
            given = memcmp(points[k], hull->corner[a], sizeof points[k]) == 0;
        }
        assert_true(given);
        for (int b = 0; b < hull->corners; b++) {
            assert_int_equal(uses[a][b], uses[b][a]);
            assert_true(hull->rank == 2 || uses[a][b] <= 1);
        }
    }
    for (int i = 0; i < hull->edges && hull->faces > 0; i++) {
        const uint8_t *e = hull->edge[i];
        const double(*c)[3] = (const double(*)[3])hull->corner;
        assert_int_equal(uses[e[0]][e[1]], 1);
        assert_true((oracle_orient3d(c[e[0]], c[e[1]], c[e[2]], c[e[3]]) != 0) ==
                    (hull->rank == 3));
    }
    if (hull->rank == 3) { /* Euler's formula; all faces are triangles */
        assert_int_equal(hull->faces, 2 * hull->corners - 4);
    }
}

TEST(no_point_is_in_front_of_a_hull)
{
    static hard_sweep made;
    static sli_hull hull;
    test_random random = { test_seed(31) };
    int ranks[4] = { 0 };
    for (size_t i = 0; i < test_count(2000); i++) {
        const int count =
            i % 50 == 0 ? SL_HULL_POINTS_MAX : 1 + (int)test_random_below(&random, 30);
        hard_sweep_make(&random, SL_VOLUME_HULL, count, &made);
        sli_hull_make((const double(*)[3])made.points, count, &hull);
        hold((const double(*)[3])made.points, count, &hull);
        ranks[hull.rank]++;
    }
    print_message("%d points, %d segments, %d polygons, %d solids\n", ranks[0], ranks[1], ranks[2],
                  ranks[3]);
    assert_true(ranks[0] > 0 && ranks[1] > 0 && ranks[2] > 0 && ranks[3] > 0);
}

/* The whole numbers 0 .. 2 in each direction: 26 of 27 points are on the surface, in six planes. */
/* On a lattice, where much touches, shifted and scaled so that differences are rounded. */
TEST(a_hull_without_volume_meets_what_separating_axes_say)
{
    static sli_hull hull;
    test_random random = { test_seed(32) };
    size_t met[3] = { 0 }, apart[3] = { 0 };
    for (size_t i = 0; i < test_count(20000); i++) {
        const int count = 1 + (int)test_random_below(&random, 6), size = i % 3 == 0 ? 3 : 6;
        const double step = i % 2 == 0 ? 1 : 0x1.234567p-20, from = i % 4 < 2 ? 0 : 0x1.fedcbap9;
        double points[6][3];
        sl_triangle_d triangle;
        sli_mover mover;
        sli_body body;
        for (int k = 0; k < 3 * (count + 3); k++) {
            double *to = k < 9 ? &triangle.v[k / 3][k % 3] : &points[k / 3 - 3][k % 3];
            *to = from + step * (double)test_random_below(&random, (uint32_t)size);
        }
        for (int k = 0; k < count; k++) { /* in a plane, or on a line */
            points[k][2] = i % 5 < 3 ? points[0][2] : points[k][2];
            points[k][1] = i % 5 == 0 ? points[k][0] : points[k][1];
        }
        sli_hull_make((const double(*)[3])points, count, &hull);
        if (hull.rank == 3) {
            continue;
        }
        sli_body_of_triangle_d(&triangle, &body);
        sli_mover_make(NULL, &hull, &mover);
        const bool meets = sli_hull_meets_triangle(&hull, &triangle);
        assert_true(meets == sli_mover_meets(&mover, &body));
        (meets ? met : apart)[hull.rank]++;
    }
    for (int rank = 0; rank < 3; rank++) {
        assert_true(test_count(20000) < 20000 || (met[rank] > 50 && apart[rank] > 50));
    }
}

TEST(a_cube_of_points_has_six_planes)
{
    static sli_hull hull;
    double points[27][3];
    for (int i = 0; i < 27; i++) {
        points[i][0] = i % 3;
        points[i][1] = i / 3 % 3;
        points[i][2] = i / 9;
    }
    sli_hull_make((const double(*)[3])points, 27, &hull);
    hold((const double(*)[3])points, 27, &hull);
    assert_int_equal(hull.rank, 3);
    assert_int_equal(hull.planes, 6);
    assert_in_range(hull.corners, 8, 26);
}

/* A square with points within, on its sides and given twice. */
TEST(a_polygon_has_no_corner_on_its_sides)
{
    static sli_hull hull;
    const double points[8][3] = { { 1, 1, 1 }, { 0, 0, 0 }, { 2, 0, 0 }, { 1, 0, 0 },
                                  { 2, 2, 2 }, { 0, 2, 2 }, { 0, 0, 0 }, { 0, 1, 1 } };
    sli_hull_make(points, 8, &hull);
    assert_int_equal(hull.rank, 2);
    assert_int_equal(hull.corners, 4);
    assert_int_equal(hull.edges, 4);
    assert_int_equal(hull.faces, 4);
    hold(points, 8, &hull);
}
