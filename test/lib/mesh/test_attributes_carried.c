/* test_attributes_carried.c: texture coordinates, normals and colours of meshes: welded, split,
 * written and read back, generated. */
#include "test/lib/mesh/attribute_rows.h"
#include "test/support/input/mesh_case.h"

#include <unistd.h>

/* ---- welding and splitting ------------------------------------------------------------- */

/* A mesh of random triangles over few positions, with tables of few different rows: by vertex or by
 * corner, as the bits of how say, some corners without. */
static sl_mesh *random_mesh(uint32_t how, test_random *seed)
{
    enum { VERTICES = 24, TRIANGLES = 40, ROWS = 9 };
    float xyz[3 * VERTICES], values[3][4 * VERTICES];
    uint32_t triangles[3 * TRIANGLES], rows[3][3 * TRIANGLES];
    for (int i = 0; i < 3 * VERTICES; i++) {
        xyz[i] = (float)(test_random_below(seed, 2));
    }
    for (int i = 0; i < 3 * TRIANGLES; i++) {
        triangles[i] = test_random_below(seed, VERTICES + 2 * (i < 9));
    }
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    sl_mesh_attribute *tables[3] = { &def.normals, &def.uvs, &def.colours };
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4 * VERTICES; i++) {
            values[k][i] = (float)test_random_below(seed, 2);
        }
        for (int i = 0; i < 3 * TRIANGLES; i++) {
            rows[k][i] = test_random_below(seed, ROWS + 1);
            rows[k][i] = rows[k][i] == ROWS ? SL_NONE : rows[k][i];
        }
        const uint32_t mode = how >> 2 * k & 3;
        *tables[k] = mode == 0   ? (sl_mesh_attribute){ 0 }
                     : mode == 1 ? (sl_mesh_attribute){ values[k], VERTICES, NULL }
                                 : (sl_mesh_attribute){ values[k], ROWS, rows[k] };
    }
    return made_mesh(xyz, VERTICES, triangles, TRIANGLES, &def);
}

/* Corners have equal rows, but for those without, which may have the given ones. */
static void expect_same_corners(const sl_mesh *a, size_t prim_a, const sl_mesh *b, size_t prim_b,
                                bool filled)
{
    static const float none[3][4] = { { 0 }, { 0 }, { 1, 1, 1, 1 } };
    for (size_t corner = 0; corner < 3; corner++) {
        for (int k = 0; k < 3; k++) {
            const float *x = corner_row(a, k, prim_a, corner);
            const float *y = corner_row(b, k, prim_b, corner);
            sl_mesh_attribute table;
            if (x == NULL && filled && sl_mesh_get_attribute(a, kinds[k], &table)) {
                x = none[k];
            }
            assert_int_equal(x == NULL, y == NULL);
            assert_true(x == NULL || memcmp(x, y, components[k] * sizeof *x) == 0);
        }
    }
}

TEST(welding_keeps_the_rows_of_corners)
{
    test_random seed = { 20261123 };
    for (uint32_t round = 0; round < 300; round++) {
        OWN(sl_mesh) mesh = random_mesh(round % 64, &seed);
        OWN(sl_mesh) welded = NULL;
        uint32_t map[64];
        sl_weld_def def = { .drop = round % 8, .triangle_map = map };
        assert_int_equal(sl_mesh_weld(mesh, &def, &welded, NULL, NULL), SL_OK);
        assert_int_equal(kept_of(welded), kept_of(mesh));
        assert_int_equal(sl_mesh_get_info(welded).attributes, sl_mesh_get_info(mesh).attributes);
        for (size_t i = 0; i < sl_mesh_soup(mesh).triangle_count; i++) {
            sl_triangle triangle;
            if (map[i] != SL_NONE && sl_mesh_triangle(mesh, (uint32_t)i, &triangle)) {
                expect_same_corners(mesh, i, welded, map[i], false);
            }
        }
    }
}

TEST(welding_leaves_tables_by_vertex_where_it_can)
{
    const float xyz[12] = { 9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    const float more[15] = { 9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0 };
    const uint32_t one[3] = { 1, 2, 3 }, two[6] = { 1, 2, 3, 4, 2, 3 };
    float colours[20] = { 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1 };
    sl_mesh_def def = { 0 };
    def.colours = (sl_mesh_attribute){ .values = colours, .count = 4 };
    sl_mesh *welded = NULL;
    sl_mesh *mesh = made_mesh(xyz, 4, one, 1, &def);
    assert_int_equal(sl_mesh_weld(mesh, NULL, &welded, NULL, NULL), SL_OK);
    assert_false(has_indices(welded, C));
    assert_int_equal(row_count(welded, C), 3);
    expect_row(welded, C, 0, 0, colours + 4);
    sl_mesh_destroy(welded);
    sl_mesh_destroy(mesh);
    def.colours.count = 5;
    for (int differ = 0; differ < 2; differ++) {
        colours[19] = differ ? 0.5f : 1;
        mesh = made_mesh(more, 5, two, 2, &def);
        assert_int_equal(sl_mesh_weld(mesh, NULL, &welded, NULL, NULL), SL_OK);
        assert_int_equal(sl_mesh_soup(welded).vertex_count, 3);
        assert_int_equal(has_indices(welded, C), differ);
        expect_row(welded, C, 1, 0, colours + 16);
        sl_mesh_destroy(welded);
        sl_mesh_destroy(mesh);
    }
}

TEST(split_vertices_have_one_row_each)
{
    test_random seed = { 20261123 };
    for (uint32_t round = 0; round < 300; round++) {
        OWN(sl_mesh) mesh = random_mesh(round % 64, &seed);
        OWN(sl_mesh) split = NULL;
        uint32_t sources[256];
        sl_split_def def = { .sources = sources, .source_capacity = 256 };
        assert_int_equal(sl_mesh_split_vertices(mesh, &def, &split, NULL), SL_OK);
        assert_int_equal(kept_of(split), kept_of(mesh));
        const size_t count = sl_mesh_soup(split).vertex_count;
        for (size_t i = 0; i < count; i++) {
            assert_true(i >= sl_mesh_soup(mesh).vertex_count || sources[i] == i);
            assert_memory_equal(sl_mesh_soup(split).xyz + 3 * i,
                                sl_mesh_soup(mesh).xyz + 3 * (size_t)sources[i], 12);
        }
        /* Each pair of corners: one vertex exactly where vertex and rows are equal. */
        const size_t corners = 3 * sl_mesh_soup(mesh).triangle_count;
        const uint32_t *old = sl_mesh_soup(mesh).indices, *now = sl_mesh_soup(split).indices;
        uint32_t next = (uint32_t)sl_mesh_soup(mesh).vertex_count;
        for (size_t i = 0; i < corners; i++) {
            assert_int_equal(now[i] == SL_NONE, old[i] == SL_NONE);
            if (old[i] == SL_NONE) {
                continue;
            }
            assert_int_equal(sources[now[i]], old[i]);
            bool known = now[i] < sl_mesh_soup(mesh).vertex_count;
            for (size_t k = 0; k < i; k++) {
                bool same = old[k] == old[i];
                for (int s = 0; s < 3 && same; s++) {
                    const float *x = corner_row(mesh, s, i / 3, i % 3);
                    const float *y = corner_row(mesh, s, k / 3, k % 3);
                    same = (x == NULL) == (y == NULL) &&
                           (x == NULL || memcmp(x, y, components[s] * sizeof *x) == 0);
                }
                assert_int_equal(now[k] == now[i], same);
                known |= same;
            }
            assert_true(known || now[i] == next);
            next += !known;
        }
        assert_int_equal(next, count);
        for (int k = 0; k < 3; k++) {
            assert_true((kept_of(split) & kinds[k]) == 0 || !has_indices(split, kinds[k]));
        }
        for (size_t i = 0; i < corners; i += 3) {
            if (old[i] != SL_NONE) {
                expect_same_corners(mesh, i / 3, split, i / 3, true);
            }
        }
    }
}

TEST(splitting_keeps_faces_and_parts)
{
    static const char text[] =
        "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\nvt 0 0\nvt 1 0\nvt 1 1\n"
        "vn 0 0 1\nvn 1 0 0\ng one\nf 1/1/1 2/2/1 3/3/1\ng two\nf 1/1/2 3/3/1 4/2\n";
    sl_mesh *mesh = sli_case_load_text(text, "a.obj"), *split = NULL;
    sl_split_def def = { 0 };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        const sl_result result = sl_mesh_split_vertices(mesh, &def, &split, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        if (split != NULL) {
            sl_mesh_part part;
            assert_true(sl_mesh_get_part(split, 1, &part));
            assert_string_equal(part.name, "two");
            assert_int_equal(sl_mesh_face(split, 1), 1);
        }
        sl_mesh_destroy(split);
    }
    assert_int_equal(sl_mesh_split_vertices(NULL, NULL, &split, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_split_vertices(mesh, NULL, NULL, NULL), SL_INVALID_ARGUMENT);
    sl_mesh_destroy(mesh);
}

/* Rows that corners name are no rows of vertices, even where there is no corner. */
TEST(tables_with_indices_have_some_without_triangles)
{
    const float values[12] = { 0 };
    const uint32_t none[3] = { 0 };
    sl_mesh_def def = { 0 };
    def.uvs = (sl_mesh_attribute){ .values = values, .count = 2, .indices = none };
    OWN(sl_mesh) split = NULL;
    OWN(sl_mesh) mesh = made_mesh(values, 4, NULL, 0, &def);
    sl_mesh_attribute kept;
    assert_true(sl_mesh_get_attribute(mesh, T, &kept));
    assert_int_equal(kept.count, 2);
    assert_non_null(kept.indices);
    assert_int_equal(sl_mesh_split_vertices(mesh, NULL, &split, NULL), SL_OK);
    assert_true(sl_mesh_get_attribute(split, T, &kept));
    assert_int_equal(kept.count, 4);
    assert_null(kept.indices);
}

TEST(split_and_weld_survive_failing_allocations)
{
    for (int welds = 0; welds < 2; welds++) {
        test_random seed = { 8 };
        OWN(sl_mesh) mesh = random_mesh(2 | 1 << 2 | 2 << 4, &seed);
        sl_weld_def weld = { 0 };
        sl_split_def split = { 0 };
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &split.hooks.allocator)) {
            OWN(sl_mesh) out = NULL;
            weld.hooks = split.hooks;
            const sl_result result = welds ? sl_mesh_weld(mesh, &weld, &out, NULL, NULL)
                                           : sl_mesh_split_vertices(mesh, &split, &out, NULL);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        }
    }
}

/* ---- written and read back ------------------------------------------------------------- */

/* Any mesh can be written with what it has. */
TEST(what_is_split_is_written_and_read_back)
{
    test_random seed = { 20261123 };
    char path[64];
    snprintf(path, sizeof path, "/tmp/sightline-attributes-%ld.ply", (long)getpid());
    for (uint32_t round = 0; round < 64; round++) {
        OWN(sl_mesh) mesh = random_mesh(round, &seed);
        OWN(sl_mesh) split = NULL;
        OWN(sl_mesh) back = NULL;
        assert_int_equal(sl_mesh_split_vertices(mesh, NULL, &split, NULL), SL_OK);
        sl_mesh_attribute normals = { 0 }, uvs = { 0 }, colours = { 0 };
        sl_mesh_get_attribute(split, N, &normals);
        sl_mesh_get_attribute(split, T, &uvs);
        sl_mesh_get_attribute(split, C, &colours);
        sl_ply ply = { .xyz = sl_mesh_soup(split).xyz,
                       .vertex_count = sl_mesh_soup(split).vertex_count,
                       .indices = sl_mesh_soup(split).indices,
                       .triangle_count = sl_mesh_soup(split).triangle_count,
                       .normals = normals.values,
                       .uvs = uvs.values,
                       .colours = colours.values };
        assert_int_equal(sl_ply_write(path, &ply, NULL), SL_OK);
        assert_int_equal(sl_mesh_load(path, NULL, &back, NULL), SL_OK);
        assert_int_equal(kept_of(back), kept_of(mesh));
        size_t next = 0;
        for (size_t i = 0; i < ply.triangle_count; i++) {
            if (ply.indices[3 * i] != SL_NONE) {
                expect_same_corners(split, i, back, next++, false);
            }
        }
        assert_int_equal(next, sl_mesh_soup(back).triangle_count);
    }
    remove(path);
}

TEST(colours_are_written_as_the_nearest_bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/sightline-attributes-%ld.ply", (long)getpid());
    const float xyz[6] = { 0 };
    const float colours[8] = { 0.5f, -1, 2, NAN, 0.2f, 1.0f / 255, 254.4f / 255, 1 };
    const uint8_t rgb[6] = { 1, 2, 3, 4, 5, 6 }, alpha[2] = { 51, 102 };
    sl_ply ply = { .xyz = xyz, .vertex_count = 2, .colours = colours };
    sl_mesh *mesh = NULL;
    sl_mesh_attribute table;
    assert_int_equal(sl_ply_write(path, &ply, NULL), SL_OK);
    assert_int_equal(sl_mesh_load(path, NULL, &mesh, NULL), SL_OK);
    assert_true(sl_mesh_get_attribute(mesh, C, &table));
    const int bytes[8] = { 128, 0, 255, 0, 51, 1, 254, 255 };
    for (int i = 0; i < 8; i++) {
        assert_true(table.values[i] == (float)(bytes[i] / 255.0));
    }
    sl_mesh_destroy(mesh);
    ply.alpha = alpha;
    assert_int_equal(sl_ply_write(path, &ply, NULL), SL_INVALID_ARGUMENT);
    ply.colours = NULL;
    assert_int_equal(sl_ply_write(path, &ply, NULL), SL_INVALID_ARGUMENT);
    ply.rgb = rgb;
    assert_int_equal(sl_ply_write(path, &ply, NULL), SL_OK);
    assert_int_equal(sl_mesh_load(path, NULL, &mesh, NULL), SL_OK);
    assert_true(sl_mesh_get_attribute(mesh, C, &table));
    assert_true(table.values[3] == 0.2f && table.values[7] == 0.4f);
    assert_true(table.values[4] == (float)(4 / 255.0));
    sl_mesh_destroy(mesh);
    remove(path);
}

/* ---- generators ------------------------------------------------------------------------ */

/* Twice the area that a triangle has in the unit square, with the sign of its turn. */
static double uv_area2(const sl_mesh *mesh, size_t prim)
{
    const float *a = corner_row(mesh, 1, prim, 0), *b = corner_row(mesh, 1, prim, 1);
    const float *c = corner_row(mesh, 1, prim, 2);
    return ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
           ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
}

/* All triangles together cover the square once: none is turned over, and the areas sum to 1. */
TEST(generated_texture_coordinates_cover_the_square_once)
{
    for (uint32_t n = 1; n < 9; n++) {
        sl_mesh *meshes[3] = { NULL };
        meshes[0] = made_sphere(n);
        meshes[1] = made_torus(n + 2, 3, 2, 1);
        meshes[2] = made_grid(n, 5, 2, 1);
        for (int i = 0; i < 3; i++) {
            const size_t count = sl_mesh_soup(meshes[i]).triangle_count;
            double sum = 0;
            for (size_t prim = 0; prim < count; prim++) {
                const double area2 = uv_area2(meshes[i], prim);
                assert_true(area2 > 0);
                /* Each triangle of these has the same share. */
                assert_true(fabs(area2 * (double)count / 2 - 1) < 1e-4);
                sum += area2 / 2;
            }
            assert_true(fabs(sum - 1) < 1e-5);
            assert_int_equal(kept_of(meshes[i]), i < 2 ? T | N : T);
            sl_mesh_destroy(meshes[i]);
        }
    }
}

TEST(generated_normals_are_those_of_the_surface)
{
    sl_mesh_attribute normals;
    sl_mesh *mesh = made_sphere(5);
    assert_true(sl_mesh_get_attribute(mesh, N, &normals));
    assert_memory_equal(normals.values, sl_mesh_soup(mesh).xyz, 12 * normals.count);
    sl_mesh_destroy(mesh);
    mesh = made_torus(7, 9, 3, 1);
    assert_true(sl_mesh_get_attribute(mesh, N, &normals));
    for (size_t i = 0; i < normals.count; i++) {
        const float *p = sl_mesh_soup(mesh).xyz + 3 * i, *n = normals.values + 3 * i;
        const double around = hypot((double)p[0], (double)p[1]);
        const double centre[3] = { 3 * (double)p[0] / around, 3 * (double)p[1] / around, 0 };
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(((double)p[axis] - centre[axis]) - (double)n[axis]) < 1e-6);
        }
    }
    sl_mesh_destroy(mesh);
}
