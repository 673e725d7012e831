/* test_generate.c: generated meshes: counts, closedness, facing, and the same bits everywhere. */
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

static sl_mesh_report inspect(const sl_mesh *mesh)
{
    sl_mesh_report report;
    assert_int_equal(sl_mesh_inspect(mesh, NULL, NULL, &report, NULL), SL_OK);
    return report;
}

/* Six times the volume within: positive where a closed mesh is wound outward. */
static double volume6(const sl_mesh *mesh)
{
    double sum = 0;
    for (uint32_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle triangle;
        assert_true(sl_mesh_triangle(mesh, prim, &triangle));
        double v[3][3];
        for (int corner = 0; corner < 3; corner++) {
            for (int axis = 0; axis < 3; axis++) {
                v[corner][axis] = (double)triangle.v[corner][axis];
            }
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            sum += v[0][i] * (v[1][j] * v[2][k] - v[1][k] * v[2][j]);
        }
    }
    return sum;
}

/* FNV-1a over positions and indices, byte by byte from the lowest. */
static uint64_t hash_mesh(const sl_mesh *mesh)
{
    uint64_t hash = 0xCBF29CE484222325u;
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const uint32_t *indices = sl_mesh_soup(mesh).indices;
    const size_t floats = 3 * sl_mesh_soup(mesh).vertex_count;
    const size_t words = floats + 3 * sl_mesh_soup(mesh).triangle_count;
    for (size_t i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, i < floats ? (const void *)(xyz + i) : (const void *)(indices + i - floats),
               sizeof word);
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (word >> shift & 0xFF)) * 0x100000001B3u;
        }
    }
    return hash;
}

static void assert_closed_and_outward(sl_mesh *mesh, double volume, double tolerance)
{
    const sl_mesh_report report = inspect(mesh);
    assert_true(report.closed);
    assert_int_equal(report.zero_area, 0);
    assert_int_equal(report.duplicates, 0);
    assert_int_equal(report.unused_vertices, 0);
    /* Every vertex shared: none is there twice. */
    assert_int_equal(report.distinct_positions, sl_mesh_soup(mesh).vertex_count);
    assert_true(fabs(volume6(mesh) / 6 - volume) <= tolerance);
    assert_string_equal(sl_mesh_get_info(mesh).format, "generated");
    sl_mesh_destroy(mesh);
}

/* n = 1 is the octahedron itself: volume 4/3.  Euler: V - E + F = 2 with E = 3F / 2. */
TEST(spheres_are_closed_and_wound_outward)
{
    for (uint32_t n = 1; n <= 12; n++) {
        sl_mesh *mesh = made_sphere(n);
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 8 * n * n);
        assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4 * n * n + 2);
        /* The volume of a finer cut grows towards 4/3 pi. */
        const double lowest = n == 1 ? 4.0 / 3 - 1e-6 : 4.0 / 3;
        const double highest = n == 1 ? 4.0 / 3 + 1e-6 : 4.18879020478639098;
        assert_closed_and_outward(mesh, (lowest + highest) / 2, (highest - lowest) / 2);
    }
    assert_closed_and_outward(made_sphere(100), 4.18879020478639098, 2e-3);
}

TEST(sphere_vertices_are_at_distance_one)
{
    OWN(sl_mesh) mesh = made_sphere(33);
    const float *xyz = sl_mesh_soup(mesh).xyz;
    for (size_t i = 0; i < sl_mesh_soup(mesh).vertex_count; i++) {
        double squared = 0;
        for (size_t axis = 0; axis < 3; axis++) {
            squared += (double)xyz[3 * i + axis] * (double)xyz[3 * i + axis];
        }
        assert_true(fabs(sqrt(squared) - 1) < 1e-7);
    }
}

/* The volume of a torus is 2 pi^2 R r^2; 3 rings of 3 sides are a bent triangular prism. */
TEST(tori_are_closed_and_wound_outward)
{
    const uint32_t counts[][2] = { { 3, 3 }, { 3, 7 }, { 7, 3 }, { 8, 8 }, { 16, 5 } };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        sl_mesh *mesh = made_torus(counts[i][0], counts[i][1], 2, 1);
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2 * counts[i][0] * counts[i][1]);
        assert_int_equal(sl_mesh_soup(mesh).vertex_count, counts[i][0] * counts[i][1]);
        assert_closed_and_outward(mesh, 20, 19);
    }
    const double exact = 2 * 3.14159265358979324 * 3.14159265358979324 * 2;
    assert_closed_and_outward(made_torus(400, 300, 2, 1), exact, 1e-2);
}

/* Cosine and sine of whole eighths of a turn are what they should be, mirrored in their bits. */
TEST(torus_points_are_mirrored_exactly)
{
    OWN(sl_mesh) mesh = made_torus(8, 8, 2, 1);
    const float *xyz = sl_mesh_soup(mesh).xyz;
    const float half = 0.707106781186547524f;
    const float direction[8][2] = { { 1, 0 },  { half, half },   { 0, 1 },  { -half, half },
                                    { -1, 0 }, { -half, -half }, { 0, -1 }, { half, -half } };
    for (size_t ring = 0; ring < 8; ring++) {
        const float *outermost = xyz + 3 * 8 * ring; /* radius 3 */
        for (size_t axis = 0; axis < 2; axis++) {
            assert_true(fabsf(outermost[axis] - 3 * direction[ring][axis]) <= 3e-7f);
            assert_true(fabsf(outermost[axis]) == fabsf(xyz[3 * 8 * ((ring + 4) % 8) + axis]));
        }
        assert_true(outermost[2] == 0);
        assert_true(outermost[3 * 2 + 2] == 1); /* the top of the tube */
        assert_true(outermost[3 * 6 + 2] == -1);
    }
}

TEST(torus_angles_are_good_to_a_float)
{
    const uint32_t rings = 997;
    OWN(sl_mesh) mesh = made_torus(rings, 3, 1, 0.25f);
    for (uint32_t ring = 0; ring < rings; ring++) {
        const double angle = 2 * 3.14159265358979324 * ring / rings;
        const float *point = sl_mesh_soup(mesh).xyz + 3 * 3 * (size_t)ring;
        assert_true(fabs((double)point[0] - 1.25 * cos(angle)) <= 0x1p-24);
        assert_true(fabs((double)point[1] - 1.25 * sin(angle)) <= 0x1p-24);
    }
}

/* nx ny quads have nx + ny open edges on each of two sides. */
TEST(grids_are_open_and_face_up)
{
    OWN(sl_mesh) mesh = made_grid(7, 5, 3, 1);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2 * 7 * 5);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 8 * 6);
    const sl_mesh_report report = inspect(mesh);
    assert_false(report.closed);
    assert_int_equal(report.open_edges, 2 * (7 + 5));
    assert_int_equal(report.nonmanifold_edges, 0);
    assert_int_equal(report.misoriented_edges, 0);
    for (uint32_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle triangle;
        assert_true(sl_mesh_triangle(mesh, prim, &triangle));
        float(*const v)[3] = triangle.v;
        /* The z of the normal: integers, so exact; each triangle is half a unit square. */
        assert_true((v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) -
                        (v[1][1] - v[0][1]) * (v[2][0] - v[0][0]) ==
                    1);
    }
}

TEST(grid_heights_fill_their_range)
{
    sl_mesh *mesh = made_grid(200, 100, 3, 9);
    const sl_aabb bounds = sl_mesh_get_info(mesh).bounds;
    assert_true(bounds.min[0] == 0 && bounds.max[0] == 200);
    assert_true(bounds.min[1] == 0 && bounds.max[1] == 100);
    assert_true(bounds.min[2] >= 0 && bounds.min[2] < 0.01f);
    assert_true(bounds.max[2] <= 3 && bounds.max[2] > 2.99f);
    sl_mesh_destroy(mesh);
    mesh = made_grid(3, 3, 0, 9);
    assert_true(sl_mesh_get_info(mesh).bounds.max[2] == 0);
    sl_mesh_destroy(mesh);
}

/* Corners within size of a centre are within twice that of each other. */
TEST(soups_are_as_small_as_asked)
{
    const float size = 0.05f;
    sl_mesh *mesh = made_soup(500, size, 3);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 500);
    for (uint32_t prim = 0; prim < 500; prim++) {
        sl_triangle triangle;
        assert_true(sl_mesh_triangle(mesh, prim, &triangle));
        for (int axis = 0; axis < 3; axis++) {
            for (int corner = 0; corner < 3; corner++) {
                assert_true(fabsf(triangle.v[corner][axis] - triangle.v[0][axis]) <= 2 * size);
                assert_true(triangle.v[corner][axis] >= -size);
                assert_true(triangle.v[corner][axis] <= 1 + size);
            }
        }
    }
    assert_int_equal(inspect(mesh).distinct_positions, 1500);
    sl_mesh_destroy(mesh);
    mesh = made_soup(0, 1, 3);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    sl_mesh_destroy(mesh);
    mesh = made_soup(10, 0, 3); /* points */
    assert_int_equal(inspect(mesh).zero_area, 10);
    sl_mesh_destroy(mesh);
}

TEST(seeds_make_a_difference)
{
    sl_mesh *pairs[2][2] = { { made_grid(9, 9, 1, 1), made_grid(9, 9, 1, 2) },
                             { made_soup(9, 1, 1), made_soup(9, 1, 2) } };
    for (int i = 0; i < 2; i++) {
        assert_true(hash_mesh(pairs[i][0]) != hash_mesh(pairs[i][1]));
        sl_mesh_destroy(pairs[i][0]);
        sl_mesh_destroy(pairs[i][1]);
    }
}

/* A mesh depends on nothing but its arguments.  These numbers were printed once, alike by gcc and
 * clang at -O0 and -O3, and must never change: benchmarks and bug reports name meshes by them. */
TEST(bits_are_the_same_everywhere)
{
    const uint64_t expected[] = { 0x529CB92CBC6AF911u, 0x5ABCC154A9C02820u, 0xB3B0A047E099EFE8u,
                                  0xC43DD48901EC3928u };
    for (int env = 0; env < callers_env_count(); env++) {
        callers_env_set(env);
        sl_mesh *meshes[] = { made_sphere(20), made_torus(31, 17, 2, 0.7f),
                              made_grid(23, 19, 1.5f, 42), made_soup(300, 0.1f, 42) };
        assert_true(callers_env_leave(env));
        for (size_t j = 0; j < 4; j++) {
            const uint64_t found = hash_mesh(meshes[j]);
            if (found != expected[j]) {
                print_error("mesh %zu, rounding %s, has hash 0x%016llX\n", j, callers_env_name(env),
                            (unsigned long long)found);
            }
            assert_true(found == expected[j]);
            sl_mesh_destroy(meshes[j]);
        }
    }
}

/* Denormal sizes are sizes, and NaN is refused without a trap. */
TEST(callers_environments_do_not_matter_to_the_checks)
{
    for (int env = 0; env < callers_env_count(); env++) {
        sl_mesh *mesh = NULL, *none = NULL;
        callers_env_set(env);
        const sl_result small = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, 0x1p-140f, 0x1p-149f } } }, NULL,
            &mesh, NULL);
        const sl_result nan = sl_mesh_generate(
            &(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 1, NAN, 0 } } }, NULL, &none, NULL);
        callers_env_reset();
        assert_int_equal(small, SL_OK);
        assert_int_equal(nan, SL_INVALID_ARGUMENT);
        sl_mesh_destroy(mesh);
    }
}

TEST(counts_out_of_range_are_refused)
{
    sl_mesh *mesh = NULL;
    const uint32_t most = UINT32_MAX;
    const struct {
        sl_result expected, found;
    } cases[] = {
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 0 } } }, NULL, &mesh,
                           NULL) },
        { SL_TOO_LARGE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 16384 } } }, NULL, &mesh,
                           NULL) },
        { SL_TOO_LARGE, sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { most } } },
                                         NULL, &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 2, 3, 2, 1 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 2, 2, 1 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, 1, 1 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, 1, 0 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, 1, NAN } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, NAN, 1 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, INFINITY, 1 } } },
                           NULL, &mesh, NULL) },
        { SL_TOO_LARGE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { most, most, 2, 1 } } },
                           NULL, &mesh, NULL) },
        { SL_TOO_LARGE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 1u << 30, 3, 2, 1 } } },
                           NULL, &mesh, NULL) },
        /* 1.5 times the largest float, once the radii are added */
        { SL_NOT_FINITE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, 3e38f, 2e38f } } },
                           NULL, &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 0, 1, 1, 0 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 0, 1, 0 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 1, -1, 0 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 1, NAN, 0 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 1, INFINITY, 0 } } },
                           NULL, &mesh, NULL) },
        { SL_TOO_LARGE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 16777217, 1, 1, 0 } } },
                           NULL, &mesh, NULL) },
        { SL_TOO_LARGE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1 << 24, 1 << 24, 1, 0 } } },
                           NULL, &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 1, -1, 0 } } }, NULL, &mesh,
                           NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 1, NAN, 0 } } }, NULL, &mesh,
                           NULL) },
        { SL_TOO_LARGE,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { SIZE_MAX, 1, 0 } } }, NULL,
                           &mesh, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 1 } } }, NULL, NULL,
                           NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 3, 3, 2, 1 } } }, NULL,
                           NULL, NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 1, 1, 1, 0 } } }, NULL, NULL,
                           NULL) },
        { SL_INVALID_ARGUMENT,
          sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 1, 1, 0 } } }, NULL, NULL,
                           NULL) },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].expected != cases[i].found) {
            print_error("case %zu: %s\n", i, sl_result_name(cases[i].found));
        }
        assert_int_equal(cases[i].expected, cases[i].found);
    }
    assert_null(mesh);
}

static sl_result generate(int which, const sl_hooks *hooks, sl_mesh **mesh, sl_error *error)
{
    switch (which) {
    case 0:
        return sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SPHERE, { .sphere = { 4 } } }, hooks,
                                mesh, error);
    case 1:
        return sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 5, 4, 2, 1 } } },
                                hooks, mesh, error);
    case 2:
        return sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_GRID, { .grid = { 5, 4, 2, 1 } } }, hooks,
                                mesh, error);
    default:
        return sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_SOUP, { .soup = { 5, 4, 2 } } }, hooks,
                                mesh, error);
    }
}

TEST(every_failed_allocation_is_survived)
{
    for (int which = 0; which < 4; which++) {
        sl_hooks hooks = { .progress = { NULL, NULL } };
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &hooks.allocator)) {
            OWN(sl_mesh) mesh = NULL;
            sl_error error;
            const sl_result result = generate(which, &hooks, &mesh, &error);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
            assert_true((mesh == NULL) == memory.failed);
        }
    }
}
