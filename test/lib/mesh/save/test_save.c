/* Meshes that are edited, saved and loaded again: the same triangles in the same order, the same
 * bits of positions, the same parts, and the attributes that the format keeps. */
#include "test/lib/mesh/attribute_rows.h"
#include "test/support/input/io_formats.h"

#include <unistd.h>

static sl_mesh_def with_io;
static char base[64];

TEST_BEFORE_ALL
{
    with_io.formats = sl_io_formats();
    snprintf(base, sizeof base, "/tmp/sightline-save-%ld", (long)getpid());
}

/* A mesh with a seam of texture coordinates, parts of several kinds, a vertex that is not used and
 * corners without rows. */
static const char parts_obj[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nv 0.1 0.2 1\nv 0.7 0.3 1\n"
    "vt 0 0\nvt 1 0\nvt 1 0.3\nvt 0.25 1\nvn 0 0 1\nvn 0 0.6 0.8\n"
    "f 1/1/1 2/2/1 3/3/2\n"
    "o house\nusemtl brick red\nf 1/4/1 3/3/1 4/4/2\n"
    "g roof\nusemtl tiles\nf 1 2 6\nf 2//2 3//1 6//2\n"
    "g wall \"east\"\nusemtl brick red\nf 3/1 4/2 6/3\n"
    "o shed\nf 6 7 1\nf 7 2 1\n";

static sl_mesh *loaded(const char *path)
{
    sl_mesh *mesh = NULL;
    sl_error error;
    const sl_result result = sl_mesh_load(path, &with_io, &mesh, &error);
    if (result != SL_OK) {
        print_message("%s\n", error.message);
    }
    assert_int_equal(result, SL_OK);
    return mesh;
}

static sl_mesh *from_text(const char *text)
{
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(text, strlen(text), "a.obj", NULL, &mesh, NULL), SL_OK);
    return mesh;
}

static sl_mesh *saved_and_loaded(const sl_mesh *mesh, const sl_save_def *def, const char *ending,
                                 sl_save_report *report)
{
    char path[80];
    sl_error error;
    snprintf(path, sizeof path, "%s%s", base, ending);
    const sl_result result = sl_mesh_save(mesh, path, def, report, &error);
    if (result != SL_OK) {
        print_message("%s\n", error.message);
    }
    assert_int_equal(result, SL_OK);
    sl_mesh *back = loaded(path);
    remove(path);
    return back;
}

/* The triangles of a mesh that are there, at the positions xyz, are those of back. */
static void expect_same_triangles(const sl_mesh *mesh, const float *xyz, const sl_mesh *back)
{
    const sl_soup a = sl_mesh_soup(mesh), b = sl_mesh_soup(back);
    size_t next = 0;
    for (size_t i = 0; i < a.triangle_count; i++) {
        for (size_t k = 0; k < 3 && a.indices[3 * i] != SL_NONE; k++) {
            assert_memory_equal(xyz + 3 * (size_t)a.indices[3 * i + k],
                                b.xyz + 3 * (size_t)b.indices[3 * next + k], 12);
        }
        next += a.indices[3 * i] != SL_NONE;
    }
    assert_int_equal(next, b.triangle_count);
}

/* Neighbours of equal names are one. */
static void expect_same_parts(const sl_mesh *mesh, const sl_mesh *back)
{
    sl_mesh_part a, b = { .count = 0 };
    size_t next = 0;
    for (size_t i = 0; sl_mesh_get_part(mesh, i, &a); i++) {
        const bool same = i > 0 && strcmp(a.name, b.name) == 0 && strcmp(a.node, b.node) == 0 &&
                          strcmp(a.material, b.material) == 0;
        assert_true(same || sl_mesh_get_part(back, next++, &b));
        assert_string_equal(a.name, b.name);
        assert_string_equal(a.material, b.material);
        assert_string_equal(a.node, b.node);
        assert_true(same || a.first == b.first);
        assert_true(a.first + a.count <= b.first + b.count);
    }
    assert_int_equal(sl_mesh_get_info(back).part_count, next);
}

/* Rows of the kind are those of the other mesh, to the bit; v may run the other way.  Where a
 * format has no corner without a row, it is what a split gives. */
static void expect_same_rows(const sl_mesh *mesh, const sl_mesh *back, int kind, bool split,
                             bool flipped)
{
    static const float none[3][4] = { { 0 }, { 0 }, { 1, 1, 1, 1 } };
    for (size_t i = 0; i < 3 * sl_mesh_soup(mesh).triangle_count; i++) {
        const float *a = corner_row(mesh, kind, i / 3, i % 3);
        const float *b = corner_row(back, kind, i / 3, i % 3);
        a = a == NULL && split ? none[kind] : a;
        assert_true((a == NULL) == (b == NULL));
        for (size_t k = 0; k < components[kind] && a != NULL; k++) {
            assert_true((flipped && kind == 1 && k == 1 ? 1 - a[k] : a[k]) == b[k]);
        }
    }
}

/* Vertices moved along z, as an editor does. */
static float *edited(const sl_mesh *mesh)
{
    const sl_soup soup = sl_mesh_soup(mesh);
    float *xyz = malloc(12 * soup.vertex_count);
    assert_non_null(xyz);
    memcpy(xyz, soup.xyz, 12 * soup.vertex_count);
    for (size_t i = 0; i < soup.vertex_count; i++) {
        xyz[3 * i + 2] += 0.1f * (float)i + 1e-7f;
    }
    return xyz;
}

TEST(an_edited_obj_comes_back_with_parts_and_rows_of_corners)
{
    OWN(sl_mesh) mesh = from_text(parts_obj);
    FREED float *xyz = edited(mesh);
    sl_save_report report;
    const sl_save_def def = { .xyz = xyz, .material_library = "house.mtl" };
    OWN(sl_mesh) back = saved_and_loaded(mesh, &def, ".obj", &report);
    expect_same_triangles(mesh, xyz, back);
    expect_same_parts(mesh, back);
    expect_same_rows(mesh, back, 0, false, false);
    expect_same_rows(mesh, back, 1, false, false);
    assert_int_equal(report.vertex_count, 7);
    assert_int_equal(report.triangle_count, 7);
    assert_memory_equal(sl_mesh_soup(back).xyz, xyz, 12 * 7);
    assert_memory_equal(sl_mesh_soup(back).indices, sl_mesh_soup(mesh).indices, 12 * 7);
}

TEST(glb_keeps_parts_and_attributes_and_comes_back_to_the_bit)
{
    OWN(sl_mesh) mesh = from_text(parts_obj);
    FREED float *xyz = edited(mesh);
    sl_save_report report;
    const sl_save_def def = { .xyz = xyz };
    OWN(sl_mesh) back = saved_and_loaded(mesh, &def, ".glb", &report);
    expect_same_triangles(mesh, xyz, back);
    expect_same_parts(mesh, back);
    expect_same_rows(mesh, back, 0, true, false);
    expect_same_rows(mesh, back, 1, true, true);
    assert_int_equal(report.vertex_count, sl_mesh_soup(back).vertex_count);
    FREED float *again_xyz = edited(back);
    const sl_save_def again_def = { .xyz = again_xyz };
    OWN(sl_mesh) again = saved_and_loaded(back, &again_def, ".glb", NULL);
    const sl_soup a = sl_mesh_soup(back), b = sl_mesh_soup(again);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_memory_equal(again_xyz, b.xyz, 12 * a.vertex_count);
    assert_memory_equal(a.indices, b.indices, 12 * a.triangle_count);
    expect_same_parts(back, again);
    expect_same_rows(back, again, 0, false, false);
    expect_same_rows(back, again, 1, false, false);
    OWN(sl_mesh) obj = saved_and_loaded(back, NULL, ".OBJ", NULL);
    expect_same_triangles(back, a.xyz, obj);
    expect_same_parts(mesh, obj);
    expect_same_rows(back, obj, 1, false, true);
}

TEST(ply_and_stl_keep_what_they_can)
{
    OWN(sl_mesh) mesh = from_text(parts_obj);
    FREED float *xyz = edited(mesh);
    float quality[7] = { 0, 1, 2, 3, 4, 5, 6 };
    const sl_save_def def = { .xyz = xyz, .quality = quality };
    OWN(sl_mesh) ply = saved_and_loaded(mesh, &def, ".ply", NULL);
    expect_same_triangles(mesh, xyz, ply);
    expect_same_rows(mesh, ply, 0, true, false);
    expect_same_rows(mesh, ply, 1, true, false);
    const sl_save_def bare = { .xyz = xyz, .drop = SL_MESH_NORMALS | SL_MESH_UVS };
    sl_save_report report;
    OWN(sl_mesh) stl = saved_and_loaded(mesh, &bare, ".stl", &report);
    expect_same_triangles(mesh, xyz, stl);
    assert_int_equal(report.vertex_count, 21);
    OWN(sl_mesh) dropped = saved_and_loaded(mesh, &bare, ".ply", &report);
    assert_int_equal(kept_of(dropped), 0);
    assert_memory_equal(sl_mesh_soup(dropped).indices, sl_mesh_soup(mesh).indices, 12 * 7);
}

/* The normal of a facet is its front's, by the right-hand rule. */
TEST(normals_of_stl_are_those_of_facets)
{
    char path[80];
    uint8_t bytes[84 + 50 + 1];
    float normal[3];
    const float xyz[9] = { 0, 0, 0, 0, 3, 0, 0, 0, 4 };
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz, 3, NULL, 1, NULL, &mesh, NULL), SL_OK);
    snprintf(path, sizeof path, "%s.stl", base);
    assert_int_equal(sl_mesh_save(mesh, path, NULL, NULL, NULL), SL_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), 84 + 50);
    fclose(file);
    remove(path);
    memcpy(normal, bytes + 84, sizeof normal);
    assert_true(normal[0] == 1 && normal[1] == 0 && normal[2] == 0);
}

TEST(generated_meshes_with_attributes_of_vertices_come_back_from_each_format)
{
    static const char *const endings[] = { ".obj", ".glb", ".ply", ".stl" };
    OWN(sl_mesh) mesh = made_torus(40, 24, 2, 1);
    const sl_soup soup = sl_mesh_soup(mesh);
    for (int i = 0; i < 4; i++) {
        OWN(sl_mesh) back = saved_and_loaded(mesh, NULL, endings[i], NULL);
        expect_same_triangles(mesh, soup.xyz, back);
        for (int kind = 0; kind < 2 && i < 3; kind++) {
            expect_same_rows(mesh, back, kind, false, i == 1);
        }
    }
}

/* Numbers of vertices jump between nodes; names are hostile. */
TEST(random_parts_come_back_whatever_they_are_called)
{
    static const char *const names[] = {
        "", "a", "b c", "\xC3\xA4\xE2\x82\xAC", "q\"uote", "back\\slash", "\x01\x1f", "tab\tulator"
    };
    test_random random = { 77 };
    for (int round = 0; round < 60; round++) {
        char text[8192], *to = text;
        for (int i = 0; i < 30; i++) {
            to += sprintf(to, "v %g %g %g %g 0.5 %g\n", (double)test_random_unit(&random),
                          1e-30 * i, -1e30 * (i + 1), (double)test_random_unit(&random),
                          (double)test_random_unit(&random));
        }
        for (int i = 0; i < 60; i++) {
            const uint32_t kind = test_random_below(&random, 5);
            if (kind < 3) {
                to += sprintf(to, "%s %s\n", (const char *[]){ "o", "g", "usemtl" }[kind],
                              names[test_random_below(&random, 8)]);
            }
            to += sprintf(to, "f %u %u %u\n", 1 + test_random_below(&random, 30),
                          1 + test_random_below(&random, 30), 1 + test_random_below(&random, 30));
        }
        OWN(sl_mesh) mesh = from_text(text);
        OWN(sl_mesh) glb = saved_and_loaded(mesh, NULL, ".glb", NULL);
        OWN(sl_mesh) obj = saved_and_loaded(glb, NULL, ".obj", NULL);
        expect_same_triangles(mesh, sl_mesh_soup(mesh).xyz, glb);
        expect_same_triangles(mesh, sl_mesh_soup(mesh).xyz, obj);
        expect_same_rows(mesh, glb, 2, false, false);
        expect_same_parts(mesh, glb);
    }
}

TEST(what_was_left_out_is_not_saved_and_parts_close_up)
{
    const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng a\nf 1 2 3\nf 1 2 99\ng b\nf 1 2 98\n"
                        "g c\nf 3 2 1\n";
    static const char *const endings[] = { ".glb", ".obj" };
    const sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(text, strlen(text), "a.obj", &def, &mesh, NULL), SL_OK);
    for (int i = 0; i < 2; i++) {
        sl_mesh_part part;
        sl_save_report report;
        OWN(sl_mesh) back = saved_and_loaded(mesh, NULL, endings[i], &report);
        expect_same_triangles(mesh, sl_mesh_soup(mesh).xyz, back);
        assert_int_equal(report.triangle_count, 2);
        assert_int_equal(sl_mesh_get_info(back).part_count, 2);
        assert_true(sl_mesh_get_part(back, 1, &part));
        assert_string_equal(part.name, "c");
        assert_int_equal(part.first, 1);
    }
    OWN(sl_mesh) welded = NULL;
    const sl_weld_def weld = { .drop = SL_DROP_LEFT_OUT };
    sl_mesh_part part;
    assert_int_equal(sl_mesh_weld(mesh, &weld, &welded, NULL, NULL), SL_OK);
    assert_int_equal(sl_mesh_get_info(welded).part_count, 2);
    assert_true(sl_mesh_get_part(welded, 1, &part));
    assert_string_equal(part.name, "c");
    assert_int_equal(part.first, 1);
}

TEST(what_cannot_be_saved_is_refused_in_words_and_leaves_the_file)
{
    OWN(sl_mesh) mesh = from_text(parts_obj);
    FREED float *xyz = edited(mesh);
    sl_save_report report = { 7, 7 };
    sl_error error;
    sl_save_def def = { .xyz = xyz };
    assert_int_equal(sl_mesh_save(mesh, "/tmp/a.dae", &def, &report, &error), SL_UNSUPPORTED);
    assert_non_null(strstr(error.message, ".glb"));
    assert_int_equal(sl_mesh_save(NULL, "/tmp/a.ply", &def, &report, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_save(mesh, NULL, &def, &report, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_save(mesh, "/nowhere/at/all.glb", &def, &report, &error),
                     SL_NOT_FOUND);
    def.quality = xyz;
    assert_int_equal(sl_mesh_save(mesh, "/tmp/a.obj", &def, &report, &error), SL_INVALID_ARGUMENT);
    def.quality = NULL;
    xyz[3 * 4] = NAN; /* of the vertex that is not used */
    OWN(sl_mesh) back = saved_and_loaded(mesh, &def, ".glb", NULL);
    xyz[3 * 6 + 1] = INFINITY;
    assert_int_equal(sl_mesh_save(mesh, "/tmp/a.ply", &def, &report, &error), SL_NOT_FINITE);
    assert_non_null(strstr(error.message, "triangle 5 has vertex 6"));
    assert_int_equal(report.vertex_count, 7);
}
