/* gltf/slice.c: one mesh out of the mesh that has all of a file's: a format whose "file" is a run
 * of another mesh. */
#include "lib/mesh/gltf/gltf.h"

#include <string.h>

typedef struct slice {
    const sl_mesh *whole;
    size_t vertices[2], triangles[2]; /* begin and end */
    size_t rows[SLI_GLTF_ROWS][2];
    sl_mesh_attribute kept[SLI_GLTF_ROWS]; /* of the whole; values NULL: none */
    bool by_corner;                        /* one of them has indices */
} slice;

static bool slice_recognise(const sl_mesh_input *input)
{
    (void)input;
    return true;
}

static bool give_part(const slice *from, uint32_t index, sl_mesh_sink *sink)
{
    sl_mesh_part part;
    uint32_t name, material;
    if (!sl_mesh_get_part(from->whole, index, &part)) {
        return true;
    }
    return sl_mesh_sink_name(sink, part.name, strlen(part.name), &name) &&
           sl_mesh_sink_name(sink, part.material, strlen(part.material), &material) &&
           sl_mesh_sink_part(sink, name, material, 0, SL_NONE);
}

/* The first mesh has the notes of the file. */
static bool give_notes(const slice *from, sl_mesh_sink *sink)
{
    const sl_mesh_info info = sl_mesh_get_info(from->whole);
    bool given = true;
    for (size_t i = 0; given && from->triangles[0] == 0 && i < info.note_count; i++) {
        const sl_mesh_note *note = &info.notes[i];
        sl_mesh_sink_at(sink, note->line, note->byte);
        given = sl_mesh_sink_note(sink, note->kind, note->what, note->count);
    }
    return given;
}

/* Rows of one kind; those of the vertices where they are shared with these. */
static bool give_rows(const slice *from, int kind, sl_mesh_sink *sink)
{
    static const size_t widths[SLI_GLTF_ROWS] = { 3, 2, 4 };
    const size_t width = widths[kind];
    const sl_mesh_attribute *kept = &from->kept[kind];
    bool given = true;
    for (size_t i = from->rows[kind][0]; given && i < from->rows[kind][1]; i++) {
        double values[4];
        for (size_t k = 0; k < width; k++) {
            values[k] = (double)kept->values[width * i + k];
        }
        given = sl_mesh_sink_attribute(sink, 1u << kind, values, width);
    }
    return given;
}

static uint32_t row_of(const slice *from, int kind, size_t corner)
{
    const sl_mesh_attribute *kept = &from->kept[kind];
    const uint32_t *rows =
        kept->indices != NULL ? kept->indices : sl_mesh_soup(from->whole).indices;
    return kept->values != NULL && rows[corner] != SL_NONE
               ? rows[corner] - (uint32_t)from->rows[kind][0]
               : SL_NONE;
}

static bool give_triangle(const slice *from, size_t prim, sl_mesh_sink *sink)
{
    const uint32_t *corners = sl_mesh_soup(from->whole).indices + 3 * prim;
    bool given = sl_mesh_sink_face(sink);
    for (size_t i = 0; given && i < 3; i++) {
        if (from->by_corner) {
            const size_t corner = 3 * prim + i;
            sl_mesh_sink_corner_attributes(sink, row_of(from, 1, corner), row_of(from, 0, corner),
                                           row_of(from, 2, corner));
        }
        given = corners[i] == SL_NONE
                    ? sl_mesh_sink_bad_corner(sink, "what was left out")
                    : sl_mesh_sink_corner(sink, corners[i] - (uint32_t)from->vertices[0]);
    }
    return given;
}

static sl_result slice_load(const sl_mesh_input *input, sl_mesh_sink *sink, sl_error *error)
{
    (void)error;
    const slice *from = input->user;
    const float *xyz = sl_mesh_soup(from->whole).xyz;
    bool given = sl_mesh_sink_reserve(sink, from->vertices[1] - from->vertices[0],
                                      from->triangles[1] - from->triangles[0]) &&
                 give_notes(from, sink);
    sl_mesh_sink_attributes(sink, sl_mesh_get_info(from->whole).attributes);
    for (size_t i = from->vertices[0]; given && i < from->vertices[1]; i++) {
        const double point[3] = { xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2] };
        given = sl_mesh_sink_vertex(sink, point);
    }
    for (int kind = 0; given && kind < SLI_GLTF_ROWS; kind++) {
        given = give_rows(from, kind, sink);
    }
    uint32_t last = SL_NONE;
    for (size_t i = from->triangles[0]; given && i < from->triangles[1]; i++) {
        const uint32_t part = sl_mesh_part_of(from->whole, (uint32_t)i);
        given = (part == last || give_part(from, part, sink)) && give_triangle(from, i, sink);
        last = part;
    }
    return given ? SL_OK : SL_CANCELLED;
}

/* Which rows belong to the slice: those that its mesh has given, or, where the whole has a row for
 * each vertex, those of its vertices. */
static void find_rows(slice *from, const sli_gltf_listed *at)
{
    for (int kind = 0; kind < SLI_GLTF_ROWS; kind++) {
        sl_mesh_attribute *kept = &from->kept[kind];
        if (!sl_mesh_get_attribute(from->whole, 1u << kind, kept)) {
            *kept = (sl_mesh_attribute){ .values = NULL };
            continue;
        }
        from->by_corner = from->by_corner || kept->indices != NULL;
        from->rows[kind][0] = kept->indices != NULL ? at[0].first_row[kind] : at[0].first_vertex;
        from->rows[kind][1] = kept->indices != NULL ? at[1].first_row[kind] : at[1].first_vertex;
    }
}

sl_result sli_gltf_slice(const sl_mesh *whole, const sli_gltf_listing *list, size_t index,
                         const sl_allocator *allocator, sl_mesh **out, sl_error *error)
{
    const sli_gltf_listed *at = &list->meshes[index];
    const sl_mesh_info info = sl_mesh_get_info(whole);
    const sl_mesh_format format = {
        .name = info.format, .ending = "", .recognise = slice_recognise, .load = slice_load
    };
    const sl_mesh_format *const formats[] = { &format, NULL };
    slice from = { .whole = whole,
                   .vertices = { at[0].first_vertex, at[1].first_vertex },
                   .triangles = { at[0].first_triangle, at[1].first_triangle } };
    find_rows(&from, at);
    const sl_mesh_def def = { .hooks.allocator = *allocator,
                              .bad = SL_BAD_LEAVE_OUT, /* once more */
                              .max_memory = SIZE_MAX,  /* the whole was within it */
                              .formats = formats,
                              .formats_user = &from };
    return sl_mesh_load_memory("slice", 5, NULL, &def, out, error);
}
