/* lib/mesh/builder_note.c: what a file has and the mesh does not. */
#include "test/support/input/mesh_case.h"
#include "test/support/test.h"

#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define FACE    "f 1 2 3\n"

typedef struct wanted {
    sl_mesh_note_kind kind;
    const char *what;
    size_t count;
    int64_t line, byte;
} wanted;

static void expect_notes(const sl_mesh *mesh, const wanted *notes, size_t count)
{
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    for (size_t i = 0; i < info.note_count && i < count; i++) {
        const sl_mesh_note *note = &info.notes[i];
        assert_int_equal(note->kind, notes[i].kind);
        assert_string_equal(note->what, notes[i].what);
        assert_true(strlen(note->words) > 3);
        assert_int_equal(note->count, notes[i].count);
        assert_int_equal(note->line, notes[i].line);
        assert_int_equal(note->byte, notes[i].byte);
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

/* ---- what every format may have ---- */

TEST(faces_of_fewer_than_three_corners_are_noted)
{
    const wanted notes[] = { { SL_NOTE_SHORT_FACES, "", 3, 5, 32 } };
    OWN(sl_mesh) mesh = sli_case_load_text(CORNERS FACE "f 1 2\nf 1\n" FACE "f 1 1", "a.obj");
    assert_int_equal(sl_mesh_get_info(mesh).triangle_count, 2);
    expect_notes(mesh, notes, 1);
}

TEST(a_file_that_is_used_up_has_no_notes)
{
    OWN(sl_mesh) mesh = sli_case_load_text(CORNERS FACE, "a.obj");
    expect_notes(mesh, NULL, 0);
}
