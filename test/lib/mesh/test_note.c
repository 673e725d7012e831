/* lib/mesh/builder_note.c: what a file has and the mesh does not. */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#include <sightline/mesh_format.h>
#include <sightline/mesh_repair.h>

#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define FACE    "f 1 2 3\n"

typedef struct wanted {
    sl_mesh_note_kind kind;
    const char *what;
    size_t count;
    int64_t line, byte;
} wanted;

/* bytes: they are where the test says, and as many. */
static void expect_notes(const sl_mesh *mesh, const wanted *notes, size_t count, bool bytes)
{
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    for (size_t i = 0; i < info.note_count && i < count; i++) {
        const sl_mesh_note *note = &info.notes[i];
        assert_int_equal(note->kind, notes[i].kind);
        assert_string_equal(note->what, notes[i].what);
        assert_true(strlen(note->words) > 3);
        assert_true(note->count == notes[i].count || (!bytes && note->kind == SL_NOTE_TRAILING));
        assert_int_equal(note->line, notes[i].line);
        assert_true(!bytes || note->byte == notes[i].byte);
    }
    assert_int_equal(info.note_count, count);
}

/* ---- what a format says ---- */

static bool recognise(const sl_mesh_input *input)
{
    return input->size > 5 && memcmp(input->bytes, "notes", 5) == 0;
}

/* A triangle, and notes as many as the digit of the file says. */
static sl_result load(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *error)
{
    (void)error;
    char what[64];
    bool given = true;
    const int count = (input->bytes[5] - '0') * 10;
    for (int i = 0; i < count; i++) {
        snprintf(what, sizeof what, "\x1Bname\xC3 %d of more letters than anybody has time for", i);
        sl_mesh_sink_at(sink, i + 1, 10 * i);
        given = given && sl_mesh_sink_note(sink, SL_NOTE_UNKNOWN, what, 1) &&
                sl_mesh_sink_note(sink, SL_NOTE_UNKNOWN, "none of it", 0) &&
                sl_mesh_sink_note(sink, SL_NOTE_NOT_APPLIED, NULL, 2);
    }
    sl_mesh_sink_at(sink, 0, -1);
    given = given && sl_mesh_sink_face(sink);
    for (uint32_t i = 0; given && i < 3; i++) {
        const double xyz[3] = { i == 1, i == 2, 0 };
        given = sl_mesh_sink_vertex(sink, xyz) && sl_mesh_sink_corner(sink, i);
    }
    given =
        given && (input->bytes[6] != 'x' || sl_mesh_sink_note(sink, (sl_mesh_note_kind)99, "", 1));
    return given ? SL_OK : SL_BAD_DATA;
}

static const sl_mesh_format noting = {
    .name = "noting", .ending = ".noting", .recognise = recognise, .load = load
};
static const sl_mesh_format *const formats[] = { &noting, NULL };

TEST(notes_of_one_kind_and_name_are_one)
{
    const sl_mesh_def def = { .formats = formats };
    OWN(sl_mesh) mesh = sli_case_load("notes1.", 7, NULL, &def);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_int_equal(info.note_count, 11);
    assert_string_equal(info.notes[0].what, "?name? 0 of more letters than anybody has time ");
    assert_string_equal(info.notes[2].what, "?name? 1 of more letters than anybody has time ");
    assert_int_equal(info.notes[2].line, 2);
    assert_int_equal(info.notes[2].byte, 10);
    assert_int_equal(info.notes[1].kind, SL_NOTE_NOT_APPLIED);
    assert_string_equal(info.notes[1].what, "");
    assert_int_equal(info.notes[1].count, 20);
    assert_int_equal(info.notes[1].line, 1);
}

/* A hostile file may have as many names as it has bytes; none of them is lost from the count. */
TEST(beyond_some_names_are_not_told_apart)
{
    const sl_mesh_def def = { .formats = formats };
    OWN(sl_mesh) mesh = sli_case_load("notes9.", 7, NULL, &def);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_true(info.note_count < 40);
    size_t unknown = 0;
    for (size_t i = 0; i < info.note_count; i++) {
        unknown += info.notes[i].kind == SL_NOTE_UNKNOWN ? info.notes[i].count : 0;
    }
    assert_int_equal(unknown, 90);
    assert_string_equal(info.notes[info.note_count - 1].what, "");
}

TEST(a_kind_that_is_none_is_refused)
{
    const sl_mesh_def def = { .formats = formats };
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_load_memory("notes0x", 7, NULL, &def, &mesh, NULL),
                     SL_INVALID_ARGUMENT);
}

TEST(failing_allocations_of_notes_are_survived)
{
    sl_mesh_def def = { .formats = formats };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        OWN(sl_mesh) mesh = NULL;
        const sl_result result = sl_mesh_load_memory("notes9.", 7, NULL, &def, &mesh, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
    }
}

/* ---- what the formats of the library say ---- */

#define PLY(elements)                                                                              \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"                \
    "property float z\nelement face 1\nproperty list uchar int vertex_indices\n" elements          \
    "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
#define OFF   "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 # red\n"
#define FACET "facet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

static const struct {
    const char *text;
    size_t triangles;
    wanted notes[4];
} files[] = {
    { CORNERS FACE "s off\nmtllib a\nvp 1\nvt 0 0\nlod 1\n#l 1 2\n", 1, { { 0 } } },
    { CORNERS "fo 1 2 3\n", 1, { { 0 } } },
    { CORNERS FACE "f 1 2\nf 1\n" FACE "f 1 1", 2, { { SL_NOTE_SHORT_FACES, "", 3, 5, 32 } } },
    { CORNERS "f 1 2\nf 2 3\n",
      0,
      { { SL_NOTE_SHORT_FACES, "", 2, 4, 24 }, { SL_NOTE_NO_TRIANGLES, "", 3, 0, -1 } } },
    { CORNERS, 0, { { SL_NOTE_NO_TRIANGLES, "", 3, 0, -1 } } },
    { CORNERS "l 1 2\n" FACE " l 2 3 \\\n 1\np 1\n",
      1,
      { { SL_NOTE_GEOMETRY, "l", 2, 4, 24 }, { SL_NOTE_GEOMETRY, "p", 1, 8, 50 } } },
    { CORNERS FACE "curv 0 1 1 2 3\nsurf 0 1 0 1 1\nbzp 1 2\ncall a.obj\n",
      1,
      { { SL_NOTE_GEOMETRY, "curv", 1, 5, 32 },
        { SL_NOTE_GEOMETRY, "surf", 1, 6, 47 },
        { SL_NOTE_GEOMETRY, "bzp", 1, 7, 62 },
        { SL_NOTE_GEOMETRY, "call", 1, 8, 70 } } },
    { CORNERS FACE "face 1 2 3\nF 1 2 3\nface 1 2 3\n",
      1,
      { { SL_NOTE_UNKNOWN, "face", 2, 5, 32 }, { SL_NOTE_UNKNOWN, "F", 1, 6, 43 } } },
    { PLY(""), 1, { { 0 } } },
    { PLY("") " \r\n\r", 1, { { 0 } } },
    { PLY("") "\n3 0 2 1\n", 1, { { SL_NOTE_TRAILING, "", 8, 15, 181 } } },
    { PLY("element edge 1\nproperty int vertex1\nelement camera 1\nproperty float view\n"
          "element range_grid 2\nproperty list uchar int vertex_indices\nelement mine 1\n"
          "property float a\nelement none 0\nproperty float a\n") "0 7 1 0 1 2 9",
      1,
      { { SL_NOTE_GEOMETRY, "edge", 1, 9, 151 },
        { SL_NOTE_GEOMETRY, "range_grid", 2, 13, 224 },
        { SL_NOTE_UNKNOWN, "mine", 1, 15, 284 } } },
    { OFF "\n# no more\n", 1, { { 0 } } },
    { OFF "\n3 0 2 1\n", 1, { { SL_NOTE_TRAILING, "", 8, 8, 43 } } },
    { OFF OFF, 1, { { SL_NOTE_TRAILING, "", 42, 7, 42 } } },
    { "solid\n" FACET "endsolid what ever\n", 1, { { 0 } } },
    { "solid\nendsolid\n", 0, { { SL_NOTE_NO_TRIANGLES, "", 0, 0, -1 } } },
};

TEST(what_a_file_has_and_the_mesh_has_not_is_noted)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        static const char *const ends[] = { "\n", "\r\n", "\n\r" };
        for (size_t end = 0; end < 3; end++) {
            char text[1024], *to = text;
            for (const char *from = files[i].text; *from != '\0'; from++) {
                to += *from == '\n' ? sprintf(to, "%s", ends[end]) : sprintf(to, "%c", *from);
            }
            OWN(sl_mesh) mesh = sli_case_load_text(text, NULL);
            assert_int_equal(sl_mesh_get_info(mesh).triangle_count, files[i].triangles);
            size_t count = 0;
            while (count < 4 && files[i].notes[count].what != NULL) {
                count++;
            }
            expect_notes(mesh, files[i].notes, count, end == 0);
        }
    }
}

/* Facets of binary files take 50 bytes behind 84 of a header. */
TEST(bytes_behind_binary_data_are_noted)
{
    uint8_t stl[84 + 50 + 15] = { [80] = 1 };
    memset(stl + 134, 'x', 15);
    const wanted behind = { SL_NOTE_TRAILING, "", 15, 0, 134 };
    OWN(sl_mesh) mesh = sli_case_load(stl, sizeof stl, "a.stl", NULL);
    expect_notes(mesh, &behind, 1, true);
    OWN(sl_mesh) exact = sli_case_load(stl, 134, "a.stl", NULL);
    expect_notes(exact, NULL, 0, true);
    stl[134] = '\n';
    OWN(sl_mesh) blank = sli_case_load(stl, 135, "a.stl", NULL);
    expect_notes(blank, NULL, 0, true);

    static const char header[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\n"
        "property uchar y\nproperty uchar z\nelement face 1\n"
        "property list uchar uchar vertex_indices\nelement edge 1\nproperty uchar a\nend_header\n";
    static const uint8_t data[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 2, 7, 0, 8 };
    uint8_t ply[sizeof header + sizeof data];
    const size_t at = sizeof header - 1;
    memcpy(ply, header, at);
    memcpy(ply + at, data, sizeof data);
    const wanted notes[] = {
        { SL_NOTE_GEOMETRY, "edge", 1, 9, (int64_t)(strstr(header, "edge") - header) },
        { SL_NOTE_TRAILING, "", 2, 0, (int64_t)at + 14 },
    };
    OWN(sl_mesh) mixed = sli_case_load(ply, at + sizeof data, NULL, NULL);
    expect_notes(mixed, notes, 2, true);
}

/* Meshes of the caller's arrays, and those that are made of others, come from no file. */
TEST(other_meshes_have_no_notes)
{
    OWN(sl_mesh) mesh = sli_case_load_text(CORNERS FACE "l 1 2\n", "a.obj");
    OWN(sl_mesh) welded = NULL;
    assert_int_equal(sl_mesh_weld(mesh, NULL, &welded, NULL, NULL), SL_OK);
    expect_notes(welded, NULL, 0, true);
    OWN(sl_mesh) empty = NULL;
    assert_int_equal(sl_mesh_from_arrays(NULL, 0, NULL, 0, NULL, &empty, NULL), SL_OK);
    expect_notes(empty, NULL, 0, true);
}

TEST(hostile_variants_are_survived)
{
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        sli_case_hostile(files[i].text, strlen(files[i].text), NULL);
    }
}
