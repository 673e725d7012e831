/* input/note.c: notes of meshes as lines on stderr and as tables of reports. */
#include "tools/input/note.h"

#include "tools/cli/report.h"
#include "tools/input/scene.h"

#include <inttypes.h>

enum { WARNINGS_MAX = 8 };

const char *const note_words[] = {
    [SL_NOTE_GEOMETRY] = "geometry",           [SL_NOTE_UNKNOWN] = "unknown",
    [SL_NOTE_NOT_APPLIED] = "not-applied",     [SL_NOTE_SHORT_FACES] = "short-faces",
    [SL_NOTE_CROSSED_FACES] = "crossed-faces", [SL_NOTE_TRAILING] = "trailing",
    [SL_NOTE_NO_TRIANGLES] = "no-triangles",   [SL_NOTE_HIDDEN] = "hidden",
};

static void warn_of(const char *name, const sl_mesh_note *note)
{
    char place[48] = "";
    if (note->line > 0) {
        snprintf(place, sizeof place, ", the first in line %" PRId64, note->line);
    } else if (note->byte >= 0) {
        snprintf(place, sizeof place, ", the first at byte %" PRId64, note->byte);
    }
    const bool named = note->what[0] != '\0';
    (void)report_note(name, "%s%s%s%s: %zu%s", note->words, named ? " (" : "", note->what,
                      named ? ")" : "", note->count, place);
}

/* Returns how many notes there are so far. */
static size_t warn_of_all(const char *name, const sl_mesh *mesh, size_t count)
{
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    for (size_t i = 0; i < info.note_count; i++) {
        if (count++ < WARNINGS_MAX) {
            warn_of(name, &info.notes[i]);
        }
    }
    return count;
}

void notes_warn(const mesh_in *in)
{
    size_t count = in->mesh != NULL ? warn_of_all(in->name, in->mesh, 0) : 0;
    for (size_t i = 0; in->scene != NULL && i < in->scene->mesh_count; i++) {
        const scene_mesh *one = &in->scene->meshes[i];
        count = one->mesh != NULL ? warn_of_all(one->path, one->mesh, count) : count;
    }
    if (count > WARNINGS_MAX) {
        (void)report_note(in->name, "%zu more notes; sightline info lists those of a mesh",
                          count - WARNINGS_MAX);
    }
}

void notes_report(output *out, const mesh_in *in)
{
    static const out_column columns[] = { { "note", 13 }, { "what", 15 }, { "count", 9 },
                                          { "line", 9 },  { "byte", 10 }, { "words", 38 } };
    const sl_mesh_info info = sl_mesh_get_info(in->mesh);
    if (out->format == OUTPUT_CSV && !in->quiet) {
        notes_warn(in);
    }
    if (out->format == OUTPUT_CSV || (out->format == OUTPUT_TEXT && info.note_count == 0)) {
        return;
    }
    output_heading(out, "notes");
    output_table_begin(out, "notes", columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < info.note_count; i++) {
        const sl_mesh_note *note = &info.notes[i];
        const out_value values[] = {
            value_text(note_words[note->kind]),
            note->what[0] != '\0' ? value_text(note->what) : value_nothing(),
            value_count(note->count),
            note->line > 0 ? value_count((uint64_t)note->line) : value_nothing(),
            note->byte >= 0 ? value_count((uint64_t)note->byte) : value_nothing(),
            value_text(note->words),
        };
        output_row(out, values);
    }
    output_table_end(out);
}
