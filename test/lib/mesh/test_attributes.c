/* test_attributes.c: texture coordinates, normals and colours of meshes: from files and from
 * arrays. */
#include "test/lib/mesh/attribute_rows.h"
#include "test/support/input/mesh_case.h"

/* ---- OBJ ------------------------------------------------------------------------------- */

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

TEST(corners_of_obj_have_rows_of_their_own)
{
    OWN(sl_mesh) mesh =
        sli_case_load_text(SQUARE "vt 0 0\nvt 1 0\nvt 0.5 1 7\nvn 0 0 1\nvn 0 0 -2\n"
                                  "f 1/1/1 2/2/1 3/3/1 4/1/2\nf 1//2 -3//-1 3/2\n"
                                  "f 1/-3 2 4/+3/\n",
                           "a.obj");
    assert_int_equal(kept_of(mesh), N | T);
    assert_int_equal(sl_mesh_get_info(mesh).attributes, N | T);
    assert_int_equal(row_count(mesh, T), 3);
    expect_row(mesh, T, 0, 1, (float[4]){ 1, 0 });
    expect_row(mesh, T, 0, 2, (float[4]){ 0.5f, 1 });
    /* The fan: corners 0, 2 and 3 of the face. */
    expect_row(mesh, T, 1, 0, (float[4]){ 0, 0 });
    expect_row(mesh, T, 1, 1, (float[4]){ 0.5f, 1 });
    expect_row(mesh, T, 1, 2, (float[4]){ 0, 0 });
    expect_row(mesh, N, 1, 0, (float[4]){ 0, 0, 1 });
    expect_row(mesh, N, 1, 2, (float[4]){ 0, 0, -2 });
    expect_row(mesh, N, 2, 1, (float[4]){ 0, 0, -2 });
    assert_null(corner_row(mesh, 1, 2, 0));
    assert_null(corner_row(mesh, 0, 2, 2));
    expect_row(mesh, T, 2, 2, (float[4]){ 1, 0 });
    expect_row(mesh, T, 3, 0, (float[4]){ 0, 0 });
    assert_null(corner_row(mesh, 1, 3, 1));
    expect_row(mesh, T, 3, 2, (float[4]){ 0.5f, 1 });
    assert_null(corner_row(mesh, 0, 3, 0));
}

TEST(rows_of_vertices_need_no_indices)
{
    static const char *const tables = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 9 9\n";
    char text[512];
    snprintf(text, sizeof text, SQUARE "%sf 1/1 2/2 3/3 4/4\n", tables);
    sl_mesh *mesh = sli_case_load_text(text, "a.obj");
    assert_false(has_indices(mesh, T));
    assert_int_equal(row_count(mesh, T), 4);
    expect_row(mesh, T, 1, 2, (float[4]){ 0, 1 });
    sl_mesh_destroy(mesh);
    /* The last triangle differs: those before it keep what they had. */
    snprintf(text, sizeof text, SQUARE "%sf 1/1 2/2 3/3 4/4\nf 1/1 2/2 3/5\n", tables);
    mesh = sli_case_load_text(text, "a.obj");
    assert_true(has_indices(mesh, T));
    expect_row(mesh, T, 1, 2, (float[4]){ 0, 1 });
    expect_row(mesh, T, 2, 2, (float[4]){ 9, 9 });
    sl_mesh_destroy(mesh);
    /* Faces without come first. */
    snprintf(text, sizeof text, SQUARE "%sf 1 2 3 4\nf 1/1 2/2 3/3\n", tables);
    mesh = sli_case_load_text(text, "a.obj");
    assert_null(corner_row(mesh, 1, 0, 0));
    expect_row(mesh, T, 2, 1, (float[4]){ 1, 0 });
    sl_mesh_destroy(mesh);
    /* Fewer rows than vertices. */
    mesh = sli_case_load_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 5 5 5\nvn 1 0 0\nvn 0 1 0\nvn 0 0 1\n"
                              "f 1//1 2//2 3//3\n",
                              "a.obj");
    expect_row(mesh, N, 0, 2, (float[4]){ 0, 0, 1 });
    sl_mesh_destroy(mesh);
}

TEST(colours_of_obj_stand_behind_the_coordinates)
{
    sl_mesh *mesh = sli_case_load_text("v 0 0 0\nv 1 0 0 0.5 0.25 1\nv 1 1 0 1 0 0 0.5\nv 0 1 0 2\n"
                                       "v 2 2 2 what ever it\nf 1 2 3\nf 3 4 5\n",
                                       "a.obj");
    assert_int_equal(kept_of(mesh), C);
    assert_false(has_indices(mesh, C));
    expect_row(mesh, C, 0, 0, (float[4]){ 1, 1, 1, 1 });
    expect_row(mesh, C, 0, 1, (float[4]){ 0.5f, 0.25f, 1, 1 });
    expect_row(mesh, C, 0, 2, (float[4]){ 1, 0, 0, 0.5f });
    expect_row(mesh, C, 1, 2, (float[4]){ 1, 1, 1, 1 });
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nvt 1 0\nf 3/1 2 1/1\n",
                              "a.obj");
    expect_row(mesh, C, 0, 0, (float[4]){ 0, 0, 1, 1 });
    expect_row(mesh, T, 0, 2, (float[4]){ 1, 0 });
    sl_mesh_destroy(mesh);
}

TEST(corners_of_rows_that_there_are_not_have_none)
{
    static const char *const files[] = {
        SQUARE "vt 0 0\nf 1/1 2/1 3/2\n",
        SQUARE "vt 0 0\nf 1/1 2/1 3/1\nf 3/1 2/1 1/-2\n",
        SQUARE "vt 0 0\nf 1/1 2/1 3/-\n",
        SQUARE "vn 0 0 1\nf 1//1 2//1 3//0\n",
        SQUARE "vn 0 0 1\nf 1//1 2//1 3//4294967295\n",
        SQUARE "vn 0 0 1\nf 1//1 2//1 3//4294967296\n",
        SQUARE "vn 0 0 1\nf 1//1 2//1 3//99999999999999999999\n",
        SQUARE "vn 0 0 1\nf 1//1 2//1 3/+/1\n",
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        /* The triangle stays, whatever is done with bad ones, and whether or not rows are kept. */
        for (int way = 0; way < 4; way++) {
            sl_mesh_def def = { 0 };
            const bool none = way % 2 == 1;
            def.drop = none ? ALL : 0;
            def.bad = way / 2 == 1 ? SL_BAD_REFUSE : SL_BAD_LEAVE_OUT;
            OWN(sl_mesh) mesh = sli_case_load(files[i], strlen(files[i]), "a.obj", &def);
            assert_int_equal(sl_mesh_get_info(mesh).left_out, 0);
            assert_int_equal(kept_of(mesh) != 0, !none);
            const size_t last = sl_mesh_soup(mesh).triangle_count - 1;
            assert_true(none || corner_row(mesh, i < 3, last, 2) == NULL);
            assert_true(none || corner_row(mesh, i < 3, last, 1) != NULL);
        }
    }
    /* Of a kind without any row nothing is said. */
    OWN(sl_mesh) mesh = sli_case_load_text(SQUARE "f 1/7/9 2/7/9 3/7/9\n", "a.obj");
    assert_int_equal(kept_of(mesh), 0);
    assert_int_equal(sl_mesh_get_info(mesh).attributes, 0);
}

/* A float as it is, or any NaN. */
static void expect_values(const float *values, const float *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (isnan(expected[i]) ? !isnan(values[i]) : values[i] != expected[i]) {
            fail_msg("value %zu is %g instead of %g", i, (double)values[i], (double)expected[i]);
        }
    }
}

TEST(rows_that_cannot_be_read_are_not_numbers)
{
    static const struct {
        const char *name, *text;
        size_t kind; /* slot */
        float values[12];
    } files[] = {
        { "a.obj",
          SQUARE "vt 3\nvt\nvt 1 x\nvt 2 3 4 x\nvt 1.#QNAN 5 # 6\nf 1/1 2/2 3/5\n",
          1,
          { 3, 0, NAN, NAN, 1, NAN, 2, 3, NAN, 5 } },
        { "a.obj",
          SQUARE "vn 1 2\nvn 1 2x 3\nvn 1 2 3\nf 1//1 2//2 3//3\n",
          0,
          { 1, 2, NAN, 1, NAN, NAN, 1, 2, 3 } },
        { "a.ply",
          "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
          "property float z\nproperty float s\nproperty float t\nelement face 1\n"
          "property list uchar int vertex_indices\nend_header\n"
          "0 0 0 1 2\n1 0 0 - 3\n0 1 0 4 5,\n3 0 1 2\n",
          1,
          { 1, 2, NAN, 3, 4, NAN } },
        { "a.off",
          "NOFF\n3 1 0\n0 0 0 1 2 3 4\n1 0 0 1 2\n0 1 0 x 2 3\n3 0 1 2\n",
          0,
          { 1, 2, 3, 1, 2, NAN, NAN, NAN, NAN } },
        { "a.off",
          "COFF\n3 1 0\n0 0 0 255 0 0 255 .\n1 0 0 0 255\n0 1 0 0 0 51 0 0\n3 0 1 2\n",
          2,
          { 1, 0, 0, 1, 0, 1, NAN, NAN, 0, 0, 0.2f, 0 } },
    };
    static const size_t widths[] = { 3, 2, 4 };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        sl_mesh *mesh = sli_case_load_text(files[i].text, files[i].name);
        sl_mesh_attribute kept;
        assert_true(sl_mesh_get_attribute(mesh, 1u << files[i].kind, &kept));
        expect_values(kept.values, files[i].values, kept.count * widths[files[i].kind]);
        assert_int_equal(sl_mesh_soup(mesh).triangle_count, 1);
        sl_mesh_destroy(mesh);
        sl_mesh_def def = { .drop = ALL };
        sl_mesh_destroy(sli_case_load(files[i].text, strlen(files[i].text), files[i].name, &def));
    }
}

TEST(colours_of_four_byte_integers_are_bytes)
{
    static const char *const types[] = { "int", "uint" };
    for (size_t i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                 "property float z\nproperty %s red\nproperty %s green\nproperty %s blue\n"
                 "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                 "0 0 0 255 51 0\n1 0 0 0 0 0\n0 1 0 0 0 0\n3 0 1 2\n",
                 types[i], types[i], types[i]);
        OWN(sl_mesh) mesh = sli_case_load_text(text, "a.ply");
        expect_row(mesh, C, 0, 0, (float[4]){ 1, 0.2f, 0, 1 });
    }
}

TEST(triangles_that_are_left_out_have_no_rows)
{
    const char *text = SQUARE "vt 0 0\nvt 1 1\nf 1/1 2/2 9/1\nf 1/2 2/1 3/1\n";
    sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
    OWN(sl_mesh) mesh = sli_case_load(text, strlen(text), "a.obj", &def);
    assert_int_equal(sl_mesh_get_info(mesh).left_out, 1);
    for (size_t corner = 0; corner < 3; corner++) {
        assert_null(corner_row(mesh, 1, 0, corner));
        assert_non_null(corner_row(mesh, 1, 1, corner));
    }
}

/* ---- PLY and OFF ----------------------------------------------------------------------- */

#define PLY(rows) "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n" rows
#define YZ        "property float y\nproperty float z\n"
#define FACES     "element face 1\nproperty list uchar int vertex_indices\n"

TEST(vertices_of_ply_have_rows)
{
    sl_mesh *mesh = sli_case_load_text(
        PLY("property uchar red\nproperty uchar green\nproperty uchar blue\n" YZ
            "property float nx\nproperty float ny\nproperty float nz\nproperty float s\n"
            "property float t\nproperty ushort alpha\n" FACES
            "end_header\n0 255 0 51 0 0 1 0 0 0 0 65535\n1 0 255 0 0 0 0 1 0 1 0 0\n"
            "0 0 0 255 1 0 0 0 1 0 nan 13107\n3 0 1 2\n"),
        NULL);
    assert_int_equal(kept_of(mesh), ALL);
    assert_int_equal(sl_mesh_get_info(mesh).attributes, ALL);
    assert_false(has_indices(mesh, C) || has_indices(mesh, N) || has_indices(mesh, T));
    expect_row(mesh, C, 0, 0, (float[4]){ 1, 0, 0.2f, 1 });
    expect_row(mesh, C, 0, 1, (float[4]){ 0, 1, 0, 0 });
    expect_row(mesh, C, 0, 2, (float[4]){ 0, 0, 1, 0.2f });
    expect_row(mesh, N, 0, 1, (float[4]){ 0, 1, 0 });
    expect_row(mesh, T, 0, 1, (float[4]){ 1, 0 });
    assert_true(isnan(corner_row(mesh, 1, 0, 2)[1]));
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text(
        PLY(YZ "property float red\nproperty float green\nproperty float blue\n"
               "property float texture_u\nproperty float texture_v\n" FACES
               "end_header\n0 0 0 2 0.5 0 0 0\n1 0 0 0 0 0 1 0\n0 1 0 0 0 0 0 1\n3 0 1 2\n"),
        NULL);
    expect_row(mesh, C, 0, 0, (float[4]){ 2, 0.5f, 0, 1 });
    expect_row(mesh, T, 0, 2, (float[4]){ 0, 1 });
    sl_mesh_destroy(mesh);
}

TEST(faces_of_ply_have_texture_coordinates)
{
    static const char *const orders[2] = {
        "element face 3\nproperty list uchar int vertex_indices\nproperty int flags\n"
        "property list uchar float texcoord\nproperty uchar red\nend_header\n"
        "0 0 0 7 7\n1 0 0 7 7\n0 1 0 7 7\n"
        "3 0 1 2 5 6 0 0 1 0 0 1 9\n3 2 1 0 5 0 9\n4 0 1 2 0 5 8 2 2 3 3 4 4 5 5 9\n",
        "element face 3\nproperty list uchar float texcoord\nproperty uchar red\n"
        "property list uchar int vertex_indices\nend_header\n"
        "0 0 0 7 7\n1 0 0 7 7\n0 1 0 7 7\n"
        "6 0 0 1 0 0 1 9 3 0 1 2\n0 9 3 2 1 0\n8 2 2 3 3 4 4 5 5 9 4 0 1 2 0\n"
    };
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text, PLY(YZ "property float s\nproperty float t\n%s"), orders[i]);
        OWN(sl_mesh) mesh = sli_case_load_text(text, NULL);
        assert_int_equal(kept_of(mesh), T);
        assert_int_equal(sl_mesh_get_info(mesh).attributes, T | SL_MESH_OTHER);
        assert_int_equal(row_count(mesh, T), 7);
        expect_row(mesh, T, 0, 0, (float[4]){ 0, 0 });
        expect_row(mesh, T, 0, 1, (float[4]){ 1, 0 });
        expect_row(mesh, T, 0, 2, (float[4]){ 0, 1 });
        for (size_t corner = 0; corner < 3; corner++) {
            assert_null(corner_row(mesh, 1, 1, corner));
        }
        expect_row(mesh, T, 2, 1, (float[4]){ 3, 3 });
        expect_row(mesh, T, 3, 0, (float[4]){ 2, 2 });
        expect_row(mesh, T, 3, 2, (float[4]){ 5, 5 });
    }
}

TEST(vertices_of_off_have_rows)
{
    sl_mesh *mesh = sli_case_load_text("STCNOFF\n3 1 0\n0 0 0 0 0 1 1 0 0 0.5 0 0.25\n"
                                       "1 0 0 0 1 0 0 1 0 1 1 0\n0 1 0 1 0 0 0 0 1 1 0 1\n"
                                       "3 0 1 2\n",
                                       NULL);
    assert_int_equal(kept_of(mesh), ALL);
    expect_row(mesh, N, 0, 1, (float[4]){ 0, 1, 0 });
    expect_row(mesh, C, 0, 0, (float[4]){ 1, 0, 0, 0.5f });
    expect_row(mesh, T, 0, 0, (float[4]){ 0, 0.25f });
    expect_row(mesh, T, 0, 2, (float[4]){ 0, 1 });
    sl_mesh_destroy(mesh);
    /* Three numbers of a colour, whole ones up to 255. */
    mesh = sli_case_load_text("COFF\n3 1 0\n0 0 0 0 0 0\n1 0 0 255 51 0\n0 1 0 0 0 1\n3 0 1 2\n",
                              NULL);
    expect_row(mesh, C, 0, 0, (float[4]){ 0, 0, 0, 1 });
    expect_row(mesh, C, 0, 1, (float[4]){ 1, 0.2f, 0, 1 });
    expect_row(mesh, C, 0, 2, (float[4]){ 0, 0, (float)(1.0 / 255), 1 });
    sl_mesh_destroy(mesh);
}

/* ---- what is wanted -------------------------------------------------------------------- */

static const char *const full[3][2] = {
    { "a.obj",
      "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\nv 0 1 0 1 1 1\nvt 0 0\nvt 1 0\nvt 1 1\n"
      "vn 0 0 1\nvn 1 0 0\ng one\nf 1/1/1 2/2/1 3/3/1\ng two\nf 1/1/2 3/3/1 4/2\n" },
    { "a.ply", PLY(YZ "property float nx\nproperty float ny\nproperty float nz\n"
                      "property float u\nproperty float v\nproperty uchar red\n"
                      "property uchar green\nproperty uchar blue\n" FACES
                      "property list uchar float texcoord\nend_header\n"
                      "0 0 0 0 0 1 0 0 1 2 3\n1 0 0 0 0 1 1 0 4 5 6\n0 1 0 0 0 1 0 1 7 8 9\n"
                      "3 0 1 2 6 0 0 0 1 1 1\n") },
    { "a.off", "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 0 0 0 1 1 1 1 1 0 0\n"
               "0 1 0 0 0 1 1 1 1 1 0 0\n3 0 1 2\n" },
};

TEST(only_what_is_wanted_is_kept)
{
    for (size_t file = 0; file < 3; file++) {
        for (uint32_t keep = 0; keep < 8; keep++) {
            sl_mesh_def def = { .drop = ALL & ~keep };
            sl_mesh *mesh =
                sli_case_load(full[file][1], strlen(full[file][1]), full[file][0], &def);
            assert_int_equal(kept_of(mesh), keep);
            assert_int_equal(sl_mesh_get_info(mesh).attributes & ALL, ALL);
            sl_mesh_attribute untouched = { .count = 77 };
            assert_false(sl_mesh_get_attribute(mesh, 0, &untouched));
            assert_false(sl_mesh_get_attribute(mesh, ALL, &untouched));
            assert_false(sl_mesh_get_attribute(mesh, SL_MESH_OTHER, &untouched));
            assert_int_equal(untouched.count, 77);
            sl_mesh_destroy(mesh);
        }
    }
    sl_mesh_def def = { .drop = SL_MESH_OTHER };
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_from_arrays(NULL, 0, NULL, 0, &def, &mesh, NULL), SL_INVALID_ARGUMENT);
}

TEST(hostile_files_with_attributes_are_survived)
{
    for (size_t file = 0; file < 3; file++) {
        sli_case_hostile(full[file][1], strlen(full[file][1]), full[file][0]);
    }
}

/* The most memory for the bytes: short lines, corners in fans that all have indices. */
TEST(memory_stays_within_the_promise)
{
    enum { CORNERS = 1 << 20 };
    FREED char *text = malloc(8 * (size_t)CORNERS);
    assert_non_null(text);
    static const char *const corners[] = { " 1", " 1/2", " 1/2/2" };
    for (int i = 0; i < 3; i++) {
        char *at = text + sprintf(text, "v 0 0 0 1 1 1\nvt 0\nvt 0\nvn 0 0 1\nvn 0 0 1\n"
                                        "f 1/2/2 1 1\nf");
        for (int k = 0; k < CORNERS; k++) {
            at += sprintf(at, "%s", corners[i]);
        }
        const size_t size = (size_t)(at - text);
        sli_failing_allocator memory;
        sl_mesh_def def = { .hooks.allocator =
                                sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
        OWN(sl_mesh) mesh = sli_case_load(text, size, "a.obj", &def);
        assert_int_equal(kept_of(mesh), ALL);
        print_message("%s: %.1f bytes of memory for each byte of the file\n", corners[i],
                      (double)memory.peak_bytes / (double)size);
        assert_true(memory.peak_bytes + size <= 40 * size);
    }
}

/* ---- arrays ---------------------------------------------------------------------------- */

TEST(arrays_are_copied)
{
    const float xyz[12] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 };
    const uint32_t triangles[6] = { 0, 1, 2, 0, 2, 3 };
    const float uvs[6] = { 0, 0, 1, 0, 1, 1 };
    uint32_t rows[6] = { 0, 1, 2, 2, SL_NONE, 0 };
    sl_mesh_def def = { 0 };
    def.uvs = (sl_mesh_attribute){ .values = uvs, .count = 3, .indices = rows };
    def.normals = (sl_mesh_attribute){ .values = xyz, .count = 4 };
    sl_mesh *mesh = NULL;
    sl_error error;
    assert_int_equal(sl_mesh_from_arrays(xyz, 4, triangles, 2, &def, &mesh, &error), SL_OK);
    assert_int_equal(kept_of(mesh), T | N);
    assert_int_equal(sl_mesh_get_info(mesh).attributes, T | N);
    expect_row(mesh, T, 1, 0, (float[4]){ 1, 1 });
    assert_null(corner_row(mesh, 1, 1, 1));
    expect_row(mesh, N, 1, 2, (float[4]){ 0, 1, 0 });
    sl_mesh_destroy(mesh);

    def.drop = ALL & ~N;
    assert_int_equal(sl_mesh_from_arrays(xyz, 4, triangles, 2, &def, &mesh, &error), SL_OK);
    assert_int_equal(kept_of(mesh), N);
    assert_int_equal(sl_mesh_get_info(mesh).attributes, T | N);
    sl_mesh_destroy(mesh);
    def.drop = 0;

    rows[4] = 3;
    assert_int_equal(sl_mesh_from_arrays(xyz, 4, triangles, 2, &def, &mesh, &error), SL_BAD_INDEX);
    assert_null(mesh);
    assert_non_null(strstr(error.message, "triangle 1, corner 1 names texture coordinate 3"));
    def.bad = SL_BAD_LEAVE_OUT;
    assert_int_equal(sl_mesh_from_arrays(xyz, 4, triangles, 2, &def, &mesh, &error), SL_OK);
    assert_null(corner_row(mesh, 1, 1, 1));
    sl_mesh_destroy(mesh);
    def.normals.count = 3;
    assert_int_equal(sl_mesh_from_arrays(xyz, 4, triangles, 2, &def, &mesh, &error),
                     SL_INVALID_ARGUMENT);
    def.normals = (sl_mesh_attribute){ .count = 4 };
    assert_int_equal(sl_mesh_from_arrays(xyz, 4, triangles, 2, &def, &mesh, &error),
                     SL_INVALID_ARGUMENT);
}
