/* Crossings and insides: closed meshes are crossed an even number of times from outside, and points
 * straight under vertices and edges are told right. */
#include "test/support/hard/rays.h"
#include "test/support/input/solids.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20260802, POINTS = 4000 };

typedef struct solid {
    sl_mesh *mesh;
    sl_bvh *bvh;
} solid;

static solid solid_of(sl_mesh *mesh)
{
    solid s = { .mesh = mesh };
    s.bvh = made_bvh(mesh, NULL);
    return s;
}

static void solid_close(solid *s)
{
    unmake_bvh(s->bvh, s->mesh);
}

/* Points of a half-integer lattice: every ray along +x runs through edges, vertices and, beside the
 * cube, in the planes of its faces.  Strictly inside and strictly outside are known; on the surface
 * the moved point (+e, +e^2, +e^3) is inside where no coordinate is n. */
TEST(a_cube_on_the_lattice_is_told_right)
{
    enum { N = 4 };
    UNDONE(solid_close) solid s = solid_of(solid_cube(N));
    size_t inside = 0, surface = 0;
    for (int x = -2; x <= 2 * N + 2; x++) {
        for (int y = -2; y <= 2 * N + 2; y++) {
            for (int z = -2; z <= 2 * N + 2; z++) {
                const int p[3] = { x, y, z };
                bool holds = true, within = true, face = false;
                for (int axis = 0; axis < 3; axis++) {
                    holds = holds && p[axis] >= 0 && p[axis] < 2 * N;
                    within = within && p[axis] >= 0 && p[axis] <= 2 * N;
                    face = face || p[axis] == 0 || p[axis] == 2 * N;
                }
                const float point[3] = { 0.5f * (float)x, 0.5f * (float)y, 0.5f * (float)z };
                sl_inside found;
                assert_int_equal(winding_of_one(s.bvh, NULL, point, NULL, &found), holds);
                assert_int_equal(found.by_winding, holds);
                assert_int_equal(found.winding, holds);
                assert_int_equal(found.on_surface, within && face);
                inside += holds;
                surface += found.on_surface;
            }
        }
    }
    assert_int_equal(inside, 8 * N * N * N);
    assert_true(surface > 100);
}

/* The sphere of octahedra contains the ball of radius 0.9 and lies in that of radius 1. */
TEST(points_under_vertices_of_a_sphere_are_told_right)
{
    sl_mesh *mesh = made_sphere(8);
    UNDONE(solid_close) solid s = solid_of(mesh);
    test_random random = { SEED };
    for (size_t i = 0; i < POINTS * test_scale(); i++) {
        const hard_ray r = hard_ray_make(s.mesh, i % 2 ? HARD_VERTEX : HARD_EDGE, &random);
        const float y = r.segment.q[1], z = r.segment.q[2], x = test_random_in(&random, -2, 2);
        const float point[3] = { x, y, z };
        const double r2 = (double)x * x + (double)y * y + (double)z * z;
        if (r2 > 0.81 && r2 < 1.0001) {
            continue; /* may be either */
        }
        assert_int_equal(winding_of_one(s.bvh, NULL, point, NULL, NULL), r2 < 0.9);
    }
}

TEST(every_ray_from_outside_crosses_an_even_number_of_times)
{
    sl_mesh *meshes[3] = { solid_cube(3), NULL, NULL };
    meshes[1] = made_torus(24, 12, 2, 0.5f);
    meshes[2] = made_sphere(6);
    test_random random = { SEED + 1 };
    for (int m = 0; m < 3; m++) {
        UNDONE(solid_close) solid s = solid_of(meshes[m]);
        size_t crossed = 0;
        for (size_t i = 0; i < POINTS * test_scale(); i++) {
            const hard_kind kinds[3] = { HARD_BEYOND, HARD_AXIS, HARD_BOX };
            hard_ray r = hard_ray_make(s.mesh, kinds[i % 3], &random);
            const sl_options options = { .flags = SL_CROSSINGS };
            r.ray.tmin = -INFINITY; /* the whole line comes from outside and goes there */
            const size_t count = sl_bvh_all(s.bvh, &r.ray, &options, NULL, 0);
            assert_int_equal(count % 2, 0);
            const sl_soup soup = sl_mesh_soup(s.mesh);
            assert_int_equal(count, sl_soup_all(&soup, &r.ray, &options, NULL, 0));
            crossed += count > 0;
        }
        assert_true(crossed > POINTS / 4);
    }
}

/* A segment cut anywhere, at a surface too, is crossed as often as its parts together. */
TEST(parts_of_a_ray_add_up)
{
    UNDONE(solid_close) solid s = solid_of(solid_cube(3));
    test_random random = { SEED + 2 };
    const sl_options options = { .flags = SL_CROSSINGS };
    for (int i = 0; i < POINTS; i++) {
        const hard_ray r = hard_ray_make(s.mesh, i % 2 ? HARD_BEYOND : HARD_AXIS, &random);
        sl_hit hits[8];
        const size_t total = sl_bvh_all(s.bvh, &r.ray, &options, hits, 8);
        if (total == 0) {
            continue;
        }
        sl_ray first = r.ray, second = r.ray;
        first.tmax = second.tmin = hits[test_random_below(&random, (uint32_t)total)].t;
        assert_int_equal(sl_bvh_all(s.bvh, &first, &options, NULL, 0) +
                             sl_bvh_all(s.bvh, &second, &options, NULL, 0),
                         total);
    }
}

/* Two cubes, one in the other: by winding the inner one counts twice, by parity it is a hole. */
TEST(overlapping_shells_make_the_two_disagree)
{
    sl_mesh *outer = solid_cube(4);
    sl_mesh *inner = solid_placed(outer, (const float[3]){ 0.5f, 0.5f, 0.5f },
                                  (const float[3]){ 1, 1, 1 }, false);
    sl_mesh *both = solid_join(outer, inner);
    sl_mesh_destroy(outer);
    sl_mesh_destroy(inner);
    UNDONE(solid_close) solid s = solid_of(both);
    sl_inside found;
    const float middle[3] = { 2, 2, 2 }, between[3] = { 0.5f, 2, 2 };
    assert_false(winding_of_one(s.bvh, NULL, middle, NULL, &found));
    assert_true(found.by_winding);
    assert_true(found.differ);
    assert_int_equal(found.winding, 2);
    assert_int_equal(found.crossings, 2);
    assert_true(winding_of_one(s.bvh, NULL, between, NULL, &found));
    assert_int_equal(found.winding, 1);
    assert_false(found.differ);
    const float nowhere[3] = { NAN, 0, 0 };
    assert_false(winding_of_one(s.bvh, NULL, nowhere, NULL, &found));
}
