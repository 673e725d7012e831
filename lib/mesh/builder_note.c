/* builder_note.c: notes of what a file has and the mesh does not. */
#include "lib/mesh/builder.h"

#include "lib/base/error.h"

#include <string.h>

enum { NAMED_MAX = 32 }; /* notes that may have names: a hostile file has no end of them */

static const char *const words[] = {
    [SL_NOTE_GEOMETRY] = "geometry that is not read",
    [SL_NOTE_UNKNOWN] = "not known and not read",
    [SL_NOTE_NOT_APPLIED] = "not applied",
    [SL_NOTE_SHORT_FACES] = "faces of fewer than three corners",
    [SL_NOTE_CROSSED_FACES] = "polygons that cross themselves, fanned",
    [SL_NOTE_TRAILING] = "bytes behind the end, not read",
    [SL_NOTE_NO_TRIANGLES] = "no triangles; vertices",
    [SL_NOTE_HIDDEN] = "hidden in the file, left out",
};

static void copy_printable(char *to, size_t size, const char *from)
{
    for (size_t i = 0; from[i] != '\0' && i + 1 < size; i++) {
        to[i] = (char)(from[i] >= ' ' && from[i] < 0x7F ? from[i] : '?');
    }
}

static bool add_note(sli_builder *builder, const sl_mesh_note *note)
{
    sli_note_list *list = &builder->parts.notes;
    for (size_t i = 0; i < list->count; i++) {
        if (list->rows[i].kind == note->kind &&
            memcmp(list->rows[i].what, note->what, sizeof note->what) == 0) {
            list->rows[i].count += note->count;
            return true;
        }
    }
    if (list->count >= NAMED_MAX && note->what[0] != '\0') {
        sl_mesh_note nameless = *note;
        memset(nameless.what, 0, sizeof nameless.what);
        return add_note(builder, &nameless);
    }
    if (!sli_builder_grow(builder, &list->rows, &list->capacity, list->count + 1, sizeof *note)) {
        return false;
    }
    list->rows[list->count++] = *note;
    return true;
}

bool sli_builder_note(sli_builder *builder, sl_mesh_note_kind kind, const char *what, size_t count,
                      int64_t line, size_t byte)
{
    if ((size_t)kind >= sizeof words / sizeof words[0]) {
        return sli_builder_stop(builder, SL_INVALID_ARGUMENT);
    }
    sl_mesh_note note = { .kind = kind,
                          .words = words[kind],
                          .count = count,
                          .line = line,
                          .byte = byte == (size_t)SLI_NO_BYTE ? SLI_NO_BYTE : (int64_t)byte };
    copy_printable(note.what, sizeof note.what, what != NULL ? what : "");
    return builder->locate != NULL || add_note(builder, &note);
}

bool sl_mesh_sink_note(sli_builder *builder, sl_mesh_note_kind kind, const char *what, size_t count)
{
    return count == 0 || sli_builder_note(builder, kind, what, count, builder->line, builder->byte);
}
