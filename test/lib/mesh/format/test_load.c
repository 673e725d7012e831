/* lib/mesh/format/load.c, lib/mesh/format/sniff.c and lib/mesh/builder.c: what all formats
 * share. */
#include "lib/mesh/mesh.h"
#include "test/support/environment/comma_locale.h"
#include "test/support/environment/needs.h"
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#include <fenv.h>
#include <locale.h>

#define DATA SOURCE_DIR "/test/data/"
#define OBJ  "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
#define OFF  "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
#define STL                                                                                        \
    "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"   \
    "endfacet\nendsolid\n"
#define PLY                                                                                        \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"       \
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"

static const char *const names[] = { "obj", "off", "stl", "ply" };
static const char *const texts[] = { OBJ, OFF, STL, PLY };

TEST(content_goes_before_the_name)
{
    for (int text = 0; text < 4; text++) {
        for (int ending = -1; ending < 4; ending++) {
            char name[16] = "";
            snprintf(name, sizeof name, "mesh.%s", ending < 0 ? "xyz" : names[ending]);
            OWN(sl_mesh) mesh = sli_case_load_text(texts[text], name);
            assert_string_equal(sl_mesh_get_info(mesh).format, names[text]);
        }
    }
}

TEST(the_name_decides_where_content_says_nothing)
{
    sl_mesh *mesh = sli_case_load_text("# only a comment\n", "folder.off/A.OBJ");
    assert_string_equal(sl_mesh_get_info(mesh).format, "obj");
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text("1 0 0\n0 0 0\n", "a.Off");
    assert_string_equal(sl_mesh_get_info(mesh).format, "off");
    sl_mesh_destroy(mesh);
    sl_error error = sli_case_refuse_text("nothing\n", "a.ply", SL_BAD_DATA);
    assert_non_null(strstr(error.message, "ply"));
    error = sli_case_refuse_text("nothing\n", "a.txt", SL_UNSUPPORTED);
    assert_non_null(strstr(error.message, "OBJ, PLY, STL, OFF"));
    sli_case_refuse_text("nothing\n", NULL, SL_UNSUPPORTED);
    sli_case_refuse_text("nothing\n", "obj", SL_UNSUPPORTED);
}

TEST(empty_files_are_refused)
{
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "a.%s", names[i]);
        const sl_error error = sli_case_refuse(NULL, 0, name, SL_BAD_DATA);
        assert_non_null(strstr(error.message, "empty"));
    }
}

TEST(what_is_no_mesh_is_named)
{
    static const struct {
        const char *bytes;
        size_t size; /* 0: that of the text */
        sl_result code;
        const char *words;
    } cases[] = {
        { "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", 0, SL_BAD_DATA,
          "Git LFS" },
        { "\xFF\xFEv\0 \0", 6, SL_UNSUPPORTED, "UTF-16" },
        { "\xFE\xFF\0v\0 ", 6, SL_UNSUPPORTED, "UTF-16" },
        { "v\0 \0001\0 \0002\0 \0003\0\n\0", 14, SL_UNSUPPORTED, "UTF-16" },
        { "\0v\0 \0001\0 \0002\0 \0003\0\n", 14, SL_UNSUPPORTED, "UTF-16" },
        { "glTF\2\0\0\0", 8, SL_UNSUPPORTED, "GLB" },
        { " \n{ \"scenes\": [], \"asset\": { \"version\": \"2.0\" } }", 0, SL_UNSUPPORTED, "glTF" },
        { "\xEF\xBB\xBF{ \"asset\": {} }", 0, SL_UNSUPPORTED, "glTF" },
        { "{ \"a\": 1 }", 0, SL_UNSUPPORTED, "JSON" },
        { "\x1F\x8B\x08", 0, SL_UNSUPPORTED, "gzip" },
        { "PK\3\4", 0, SL_UNSUPPORTED, "ZIP" },
        { "<!DOCTYPE HTML>\n<pre>\nv 0 0 0\nf 1 1 1\n", 0, SL_BAD_DATA, "HTML" },
        { "<html>\n", 0, SL_BAD_DATA, "HTML" },
        { "<?xml version=\"1.0\"?>", 0, SL_UNSUPPORTED, "XML" },
        { "# vtk DataFile Version 2.0\n", 0, SL_UNSUPPORTED, "VTK" },
        { "; FBX 7.3.0 project file\n", 0, SL_UNSUPPORTED, "FBX" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t size = cases[i].size > 0 ? cases[i].size : strlen(cases[i].bytes);
        const char *const endings[] = { "a.obj", "a.ply", "a.stl", "a.off", "a.bin", NULL };
        for (int name = 0; name < 6; name++) {
            const sl_error error =
                sli_case_refuse(cases[i].bytes, size, endings[name], cases[i].code);
            sli_case_says(&error, cases[i].words);
        }
    }
}

/* The unit cube in each format, from files. */
TEST(files_are_loaded)
{
    test_needs_files();
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, DATA "cube.%s", names[i]);
        OWN(sl_mesh) mesh = NULL;
        sl_error error;
        assert_int_equal(sl_mesh_load(path, NULL, &mesh, &error), SL_OK);
        const sl_mesh_info info = sl_mesh_get_info(mesh);
        assert_string_equal(info.format, names[i]);
        assert_int_equal(info.triangle_count, 12);
        assert_int_equal(info.vertex_count, i == 2 ? 36 : 8);
        assert_int_equal(info.face_count, i == 2 ? 12 : 6);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(info.bounds.min[axis] == 0.0f && info.bounds.max[axis] == 1.0f);
        }
        sl_mesh_report report;
        assert_int_equal(sl_mesh_inspect(mesh, NULL, NULL, &report, &error), SL_OK);
        assert_true(report.closed);
        /* The last face of all is 3 0 4 7: its second triangle is 3 4 7. */
        sl_triangle last;
        assert_true(sl_mesh_triangle(mesh, 11, &last));
        const float corners[3][3] = { { 0, 1, 0 }, { 0, 0, 1 }, { 0, 1, 1 } };
        assert_memory_equal(last.v, corners, sizeof corners);
        assert_int_equal(sl_mesh_face(mesh, 11), i == 2 ? 11 : 5);
    }
}

TEST(failures_name_the_file)
{
    test_needs_files();
    sl_mesh *mesh = NULL;
    sl_error error;
    assert_int_equal(sl_mesh_load(DATA "no_such.obj", NULL, &mesh, &error), SL_NOT_FOUND);
    assert_null(mesh);
    assert_string_equal(error.file, DATA "no_such.obj");
    sl_mesh_def def = { .max_file_size = 10 };
    assert_int_equal(sl_mesh_load(DATA "cube.obj", &def, &mesh, &error), SL_TOO_LARGE);
    assert_string_equal(error.file, DATA "cube.obj");
    assert_int_equal(sl_mesh_load_memory(OBJ, 11, "x.obj", &def, &mesh, &error), SL_TOO_LARGE);
    assert_int_equal(sl_mesh_load_memory("# 3456789\n", 10, "x.obj", &def, &mesh, &error), SL_OK);
    sl_mesh_destroy(mesh);
    def.max_file_size = 0;
    def.max_memory = 10; /* no more is read, either */
    assert_int_equal(sl_mesh_load(DATA "cube.obj", &def, &mesh, &error), SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "the file is larger than the limit of 10 bytes"));
    assert_int_equal(sl_mesh_load(DATA, NULL, &mesh, &error), SL_IO);
}

TEST(wrong_arguments_are_refused)
{
    sl_error error;
    sl_mesh_def def = { 0 };
    sl_mesh *const before = (sl_mesh *)&error;
    sl_mesh *mesh = before;
    assert_int_equal(sl_mesh_load(NULL, NULL, &mesh, &error), SL_INVALID_ARGUMENT);
    assert_null(mesh);
    assert_int_equal(sl_mesh_load(DATA "cube.obj", NULL, NULL, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_load_memory(NULL, 5, NULL, NULL, &mesh, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_load_memory(OBJ, 5, NULL, NULL, NULL, NULL), SL_INVALID_ARGUMENT);
    def.drop = SL_MESH_OTHER;
    mesh = before;
    assert_int_equal(sl_mesh_load_memory(OBJ, 5, NULL, &def, &mesh, &error), SL_INVALID_ARGUMENT);
    assert_null(mesh);
    mesh = before;
    assert_int_equal(sl_mesh_load(DATA "cube.obj", &def, &mesh, &error), SL_INVALID_ARGUMENT);
    assert_null(mesh);
}

TEST(triangles_alone_need_no_map_of_faces)
{
    sl_mesh *mesh = sli_case_load_text("v 0 0 0\nf 1 1 1\nf 1 1 1\nf 1 1\n", NULL);
    assert_null(mesh->faces);
    assert_int_equal(sl_mesh_get_info(mesh).face_count, 3);
    sl_mesh_destroy(mesh);
    mesh = sli_case_load_text("v 0 0 0\nf 1 1 1\nf 1\nf 1 1 1\n", NULL);
    assert_non_null(mesh->faces);
    assert_int_equal(sl_mesh_face(mesh, 0), 0);
    assert_int_equal(sl_mesh_face(mesh, 1), 2);
    sl_mesh_destroy(mesh);
}

/* ---- recentring ---------------------------------------------------------------------- */

/* The bounds of the triangle that stays: 10 .. 14, -2 .. 0, 100 .. 100.  Neither the unused vertex
 * nor those of the triangles that are left out take part. */
TEST(the_centre_is_that_of_the_triangles_that_stay)
{
    const char *text = "v 1e6 1e6 1e6\nv 10 -2 100\nv 14 0 100\nv 11 -1 100\nv 1e300 0 0\n"
                       "v nan -500 0\nv 77 77 77\nf 2 3 4\nf 2 3 5\nf 2 6 7\nf 7 7 99\n";
    sl_mesh_def def = { .recentre = true, .bad = SL_BAD_LEAVE_OUT };
    OWN(sl_mesh) mesh = sli_case_load(text, strlen(text), NULL, &def);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_int_equal(info.left_out, 3);
    assert_true(info.origin[0] == 12.0 && info.origin[1] == -1.0 && info.origin[2] == 100.0);
    sli_case_vertex(mesh, 1, -2, -1, 0);
    sli_case_vertex(mesh, 3, -1, 0, 0);
    assert_true(info.bounds.min[0] == -2.0f && info.bounds.max[0] == 2.0f);
}

TEST(without_triangles_nothing_moves)
{
    sl_mesh_def def = { .recentre = true };
    OWN(sl_mesh) mesh = sli_case_load("v 5 6 7\n", 8, NULL, &def);
    assert_true(sl_mesh_get_info(mesh).origin[0] == 0.0);
    sli_case_vertex(mesh, 0, 5, 6, 7);
}

TEST(bad_vertices_are_named_when_recentred_too)
{
    const char *text = "v 1000 0 0\nv 1001 0 0\nv 1000 inf 0\nf 1 2 1\nf 1 2 3\n";
    sl_mesh_def def = { .recentre = true };
    sl_mesh *mesh = NULL;
    sl_error error;
    assert_int_equal(sl_mesh_load_memory(text, strlen(text), NULL, &def, &mesh, &error),
                     SL_NOT_FINITE);
    assert_int_equal(error.line, 5);
    assert_non_null(strstr(error.message, "vertex 3 (line 3), whose y is infinite"));
}

/* ---- the floating-point environment and the locale ----------------------------------- */

/* 0.1 and 16777217 lie between floats, 1e-40 is subnormal, and the 20 digits take the slow path. */
#define FRAGILE                                                                                    \
    "v 0.1 16777217 1e-40\nv 1.0000000596046448 0.30000000000000000001 3\nv -0.1 -16777217 0\n"    \
    "f 1 2 3\n"

TEST(rounding_modes_make_no_difference)
{
    OWN(sl_mesh) expected = sli_case_load_text(FRAGILE, NULL);
    const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    for (int recentre = 0; recentre < 2; recentre++) {
        sl_mesh_def def = { 0 };
        def.recentre = recentre == 1;
        OWN(sl_mesh) plain = sli_case_load(FRAGILE, strlen(FRAGILE), NULL, &def);
        for (int i = 0; i < 3; i++) {
            OWN(sl_mesh) mesh = NULL;
            fesetround(modes[i]);
            const sl_result result =
                sl_mesh_load_memory(FRAGILE, strlen(FRAGILE), NULL, &def, &mesh, NULL);
            const int mode = fegetround();
            fesetround(FE_TONEAREST);
            assert_int_equal(result, SL_OK);
            assert_int_equal(mode, modes[i]);
            assert_memory_equal(sl_mesh_soup(mesh).xyz, sl_mesh_soup(plain).xyz, 36);
        }
    }
    sli_case_vertex(expected, 0, 0.1f, 16777216.0f, 1e-40f);
}

TEST(the_locale_makes_no_difference)
{
    const char *comma = comma_locale();
    if (comma == NULL) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        return;
    }
    setlocale(LC_ALL, comma);
    OWN(sl_mesh) mesh = NULL;
    const sl_result result = sl_mesh_load_memory(FRAGILE, strlen(FRAGILE), NULL, NULL, &mesh, NULL);
    setlocale(LC_ALL, "C");
    assert_int_equal(result, SL_OK);
    sli_case_vertex(mesh, 1, 1.0f, 0.3f, 3);
}

/* ---- progress ------------------------------------------------------------------------ */

typedef struct reports {
    int count, stop_at; /* stop_at 0: never */
    int mode;           /* of rounding, as the hook sees it */
    float last;
    bool in_order;
} reports;

static bool report(void *user, const char *stage, float fraction)
{
    reports *seen = user;
    seen->in_order &= fraction >= seen->last && fraction <= 1.0f && strcmp(stage, "load") == 0;
    seen->last = fraction;
    seen->mode = fegetround();
    return ++seen->count != seen->stop_at;
}

/* 2 MB or more of each format, by repeating lines that it ignores or takes. */
static char *long_text(int format, size_t *size)
{
    enum { LINES = 200000 };
    char *text = made_memory(64 + 32 * LINES);
    const char *ply = "ply\nformat ascii 1.0\nelement vertex 200000\nproperty float x\n"
                      "property float y\nproperty float z\nend_header\n";
    const char *const heads[] = { OBJ, "OFF\n200000 1 0\n", "solid\n", ply };
    const char *const lines[] = { "vt 0.25 0.5\n", "0 0.5 1.5\n", "endsolid\nsolid\n",
                                  "0 0.5 1\n" };
    const char *const tails[] = { "", "3 0 1 2\n", "endsolid\n", "" };
    *size = (size_t)sprintf(text, "%s", heads[format]);
    const size_t length = strlen(lines[format]);
    for (int i = 0; i < LINES; i++) {
        memcpy(text + *size, lines[format], length);
        *size += length;
    }
    *size += (size_t)sprintf(text + *size, "%s", tails[format]);
    return text;
}

TEST(progress_rises_to_one_and_can_stop)
{
    for (int format = 0; format < 4; format++) {
        size_t size;
        FREED char *text = long_text(format, &size);
        sli_failing_allocator memory;
        reports seen = { .in_order = true };
        sl_mesh_def def = { .hooks.allocator =
                                sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
        def.hooks.progress = (sl_progress){ .report = report, .user = &seen };
        fesetround(FE_DOWNWARD);
        sl_mesh *mesh = NULL;
        sl_error error;
        sl_result result = sl_mesh_load_memory(text, size, NULL, &def, &mesh, &error);
        fesetround(FE_TONEAREST);
        assert_int_equal(result, SL_OK);
        assert_true(seen.in_order);
        assert_int_equal(seen.mode, FE_DOWNWARD);
        assert_true(seen.count >= 3 && seen.count < 100);
        assert_true(seen.last == 1.0f);
        sl_mesh_destroy(mesh);
        const int all = seen.count;
        for (int stop_at = 1; stop_at <= all; stop_at++) {
            seen = (reports){ .in_order = true, .stop_at = stop_at };
            result = sl_mesh_load_memory(text, size, "a name", &def, &mesh, &error);
            assert_int_equal(result, SL_CANCELLED);
            assert_null(mesh);
            assert_int_equal(seen.count, stop_at);
            assert_int_equal(memory.live_blocks, 0);
        }
    }
}

/* ---- memory -------------------------------------------------------------------------- */

static size_t peak_of(const void *bytes, size_t size, bool recentre)
{
    sli_failing_allocator memory;
    sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL),
                        .recentre = recentre,
                        .bad = SL_BAD_LEAVE_OUT };
    sl_mesh *mesh = sli_case_load(bytes, size, NULL, &def);
    sl_mesh_destroy(mesh);
    assert_int_equal(memory.live_blocks, 0);
    return memory.peak_bytes;
}

enum { WORST = 1000000, WORST_KINDS = 4 };

#define PLY_OF_BYTES(count, more)                                                                  \
    "ply\nformat binary_little_endian 1.0\nelement vertex " count "\nproperty uchar x\n"           \
    "property uchar y\nproperty uchar z\n" more "end_header\n"

/* Files that make the most triangles or vertices of the fewest bytes: a polygon and a strip of
 * indices of one byte, a polygon as text, vertices of three bytes.  The first one begins with an
 * empty face, so that a map of faces is needed. */
static size_t write_worst(uint8_t *bytes, int kind)
{
    static const struct {
        const char *head, *filling;
        size_t lead, filling_size; /* lead: zero bytes between head and the length of a list */
        bool list;
    } files[WORST_KINDS] = {
        { PLY_OF_BYTES("0", "element face 2\nproperty list uint uchar vertex_index\n"), "\0", 4, 1,
          true },
        { PLY_OF_BYTES("0", "element tristrips 1\nproperty list uint uchar vertex_index\n"), "\0",
          0, 1, true },
        { "v 0 0 0\nf", " 1", 0, 2, false },
        { PLY_OF_BYTES("1000000", ""), "\0\0", 0, 3, false },
    };
    size_t size = strlen(files[kind].head);
    memcpy(bytes, files[kind].head, size);
    memset(bytes + size, 0, files[kind].lead);
    size += files[kind].lead;
    for (int i = 0; i < 4 && files[kind].list; i++) {
        bytes[size++] = (uint8_t)((uint32_t)WORST >> 8 * i);
    }
    for (size_t i = 0; i < WORST; i++) {
        memcpy(bytes + size, files[kind].filling, files[kind].filling_size);
        size += files[kind].filling_size;
    }
    return size;
}

TEST(memory_stays_within_its_limit_in_the_worst_cases)
{
    FREED uint8_t *bytes = made_memory(1024 + 3 * (size_t)WORST);
    for (int i = 0; i < 2 * WORST_KINDS; i++) {
        const size_t size = write_worst(bytes, i / 2);
        const size_t peak = peak_of(bytes, size, i % 2 == 1);
        print_message("%zu bytes took %zu, %.1f times as much\n", size, peak,
                      (double)peak / (double)size);
        assert_true(peak <= 40 * size);
    }
}

TEST(failing_allocations_of_files_are_survived)
{
    test_needs_files();
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, DATA "cube.%s", names[i]);
        sl_mesh_def def = { 0 };
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &def.hooks.allocator)) {
            OWN(sl_mesh) mesh = NULL;
            sl_error error = { 0 };
            const sl_result result = sl_mesh_load(path, &def, &mesh, &error);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        }
        assert_true(memory.allocations >= 4);
    }
}

/* What is said of a file is what stands in it, whether or not a face uses it. */
TEST(attributes_that_a_file_has_are_told)
{
    enum { N = SL_MESH_NORMALS, T = SL_MESH_UVS, C = SL_MESH_COLOURS, O = SL_MESH_OTHER };
#define VERTICES(rows)                                                                             \
    "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"                \
    "property float z\n" rows "end_header\n"
    static const struct {
        const char *name, *text;
        uint32_t attributes;
    } files[] = {
        { "a.obj", "v 0 0 0\nv 1 2 3 1\n", 0 },
        { "a.obj", "v 0 0 0 1 1 1\n", C },
        { "a.obj", "v 0 0 0\nvt 0 0\n", T },
        { "a.obj", "vn 0 0 1\nvt 0 0\n", N | T },
        { "a.obj", "vtx 0 0 1\nvp 0 0\n", 0 },
        { "a.off", "OFF\n0 0 0\n", 0 },
        { "a.off", "COFF\n0 0 0\n", C },
        { "a.off", "STCNOFF\n0 0 0\n", T | C | N },
        { "a.ply", VERTICES("property float quality\n"), 0 },
        { "a.ply", VERTICES("property float nx\nproperty float ny\nproperty float nz\n"), N },
        { "a.ply", VERTICES("property uchar red\nproperty uchar green\nproperty uchar blue\n"), C },
        { "a.ply", VERTICES("property uchar red\nproperty float s\nproperty float t\n"), O | T },
        { "a.ply", VERTICES("property float s\nproperty float t\nproperty float u\n"), O | T },
        { "a.ply",
          VERTICES("element face 0\nproperty uchar red\nproperty list uchar int "
                   "vertex_index\n"),
          O },
        { "a.off", "OFF\n3 1 0\n0 0 0 0 0 0 0 0 0\n3 0 1 2 255 0 0\n", O },
        { "a.ply",
          VERTICES("element face 0\nproperty list uchar float texcoord\n"
                   "property list uchar int vertex_index\n"),
          T },
        { "a.ply", VERTICES("element other 0\nproperty float nx\n"), 0 },
    };
#undef VERTICES
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        OWN(sl_mesh) mesh = sli_case_load_text(files[i].text, files[i].name);
        assert_int_equal(sl_mesh_get_info(mesh).attributes, files[i].attributes);
    }
}
