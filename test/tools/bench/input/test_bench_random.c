/* Random numbers, directions and points of a surface for bench. */
#include "test/support/test.h"
#include "tools/bench/harness/random.h"

enum { COUNT = 3000 };

static double along(const float a[3], const float b[3])
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        sum += (double)a[axis] * (double)b[axis];
    }
    return sum;
}

/* The mean height over a plane is 0 over the whole sphere, 1/2 over a hemisphere and 2/3 with the
 * cosine; 0.05 is at least four deviations of 3000. */
TEST(directions_have_unit_length_and_their_density)
{
    static const float normal[3] = { 0.6f, 0, -0.8f };
    static const double means[3] = { 0, 0.5, 2.0 / 3 };
    bench_random random = bench_random_make(1, 2);
    for (int kind = 0; kind < 3; kind++) {
        double sum = 0;
        for (int i = 0; i < COUNT; i++) {
            float dir[3];
            switch (kind) {
            case 0:
                bench_random_sphere(&random, dir);
                break;
            case 1:
                bench_random_hemisphere(&random, normal, dir);
                break;
            default:
                bench_random_cosine(&random, normal, dir);
            }
            assert_true(fabs(along(dir, dir) - 1) < 1e-5);
            assert_true(kind == 0 || along(dir, normal) > -1e-6);
            sum += along(dir, normal);
        }
        assert_true(fabs(sum / (double)COUNT - means[kind]) < 0.05);
    }
}

TEST(streams_of_other_seeds_and_purposes_differ)
{
    uint64_t first[9];
    for (uint64_t i = 0; i < 9; i++) {
        bench_random random = bench_random_make(i / 3, i % 3);
        first[i] = bench_random_bits(&random);
        for (uint64_t j = 0; j < i; j++) {
            assert_true(first[i] != first[j]);
        }
    }
}

/* Two triangles, one of three times the area of the other, and one of no area. */
TEST(surface_points_go_by_area)
{
    static const float xyz[][3] = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 2, 0 }, { 5, 0, 0 },
                                    { 6, 0, 0 }, { 5, 2, 0 }, { 7, 0, 0 } };
    static const uint32_t indices[] = { 0, 3, 6, 0, 1, 2, 3, 4, 5 };
    UNDONE(bench_surface_free) bench_surface surface;
    bool empty;
    OWN(sl_mesh) mesh = made_mesh(xyz[0], 7, indices, 3, NULL);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    assert_true(bench_surface_make(&surface, mesh, bvh, &empty));
    bench_random random = bench_random_make(1, 2);
    size_t large = 0;
    for (int i = 0; i < COUNT; i++) {
        const bench_point at = bench_surface_point(&surface, &random);
        assert_float_equal(at.normal[2], 1, 1e-6f);
        large += at.point[0] < 4;
    }
    /* 3000 * 3/4 = 2250, with a deviation of 24. */
    assert_in_range(large, 2250 - 200, 2250 + 200);
}

TEST(a_mesh_without_area_has_no_surface)
{
    static const float xyz[] = { 0, 0, 0, 1, 0, 0, 2, 0, 0 };
    for (size_t count = 0; count < 2; count++) {
        bench_surface surface;
        bool empty = false;
        OWN(sl_mesh) mesh = made_mesh(xyz, 3 * count, NULL, count, NULL);
        OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
        assert_false(bench_surface_make(&surface, mesh, bvh, &empty));
        assert_true(empty);
    }
}
