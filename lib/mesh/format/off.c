/* off.c: the Object File Format of Geomview, as text.
 * The keyword may have the prefixes ST, C and N, which put a normal, a colour and texture
 * coordinates, in this order, behind the position of each vertex.  What stands behind a face is its
 * colour, which is passed over; what stands behind the last one, maybe another object, is noted.
 * Colours are numbers in [0, 1], or whole ones up to 255: which of the two only all of them
 * together tell.
 * Source: Phillips, Levy, Munzner, Geomview Manual 1.9, OFF Files. */
#include "lib/base/error.h"
#include "lib/mesh/format/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { EXTRAS_MAX = 9 };

typedef struct off_header {
    int64_t vertex_count, face_count;
    size_t extras;       /* numbers behind the three coordinates of a vertex */
    uint32_t attributes; /* bits SL_MESH_... that vertices have */
} off_header;

static bool take_letters(sli_text *text, const char *letters)
{
    const uint8_t *at = text->at;
    for (; *letters != '\0'; letters++, at++) {
        if (at == text->end || *at != (uint8_t)*letters) {
            return false;
        }
    }
    text->at = at;
    return true;
}

/* [ST][C][N][4][n]OFF.  False, with the cursor where it was, where there is no such word. */
static bool take_keyword(sli_text *text, off_header *header, bool *higher)
{
    const sli_text before = *text;
    *header = (off_header){ 0 };
    const bool uvs = take_letters(text, "ST");
    const bool colours = take_letters(text, "C");
    const bool normals = take_letters(text, "N");
    header->extras = (uvs ? 2u : 0) + (colours ? 4u : 0) + (normals ? 3u : 0);
    header->attributes = (uvs ? SL_MESH_UVS : 0u) | (colours ? SL_MESH_COLOURS : 0u) |
                         (normals ? SL_MESH_NORMALS : 0u);
    *higher = take_letters(text, "4");
    *higher |= take_letters(text, "n");
    /* Some writers leave no blank before the first count. */
    if (take_letters(text, "OFF") &&
        (sli_text_at_gap(text) || (*text->at >= '0' && *text->at <= '9'))) {
        return true;
    }
    *text = before;
    return false;
}

static sl_result read_keyword(sli_text *text, off_header *header, sl_error *error)
{
    bool higher;
    const sli_text before = *text;
    if (!take_keyword(text, header, &higher)) {
        /* Geomview takes the keyword as optional. */
        return SL_OK;
    }
    if (higher) {
        return sli_fail(error, SL_UNSUPPORTED, text->name, text->line, SLI_NO_BYTE,
                        "%s has vertices of another dimension than 3; only OFF with the prefixes "
                        "ST, C and N is read",
                        sli_text_quote(&before).text);
    }
    sli_text_skip_blanks(text);
    if (sli_text_take(text, "BINARY", false)) {
        return sli_fail(error, SL_UNSUPPORTED, text->name, text->line, SLI_NO_BYTE,
                        "OFF BINARY is not supported; convert it to text or to PLY");
    }
    return SL_OK;
}

static sl_result read_count(sli_text *text, const char *what, int64_t *out, sl_error *error)
{
    sli_text_skip_space(text);
    const sli_text before = *text;
    const sl_result result = sli_text_int(text, what, out, error);
    return result == SL_OK && *out < 0 ? sli_text_expected(&before, what, error) : result;
}

/* How many words are left in this line. */
static size_t words_in_line(sli_text text)
{
    size_t count = 0;
    for (sli_text_skip_blanks(&text); !sli_text_at_line_end(&text); sli_text_skip_blanks(&text)) {
        sli_text_skip_word(&text);
        count++;
    }
    return count;
}

/* The count of edges, which means nothing, and which some writers forget. */
static void skip_edge_count(sli_text *text)
{
    if (words_in_line(*text) == 0) {
        sli_text ahead = *text;
        sli_text_skip_space(&ahead);
        if (words_in_line(ahead) != 1) {
            return;
        }
        *text = ahead;
    }
    sli_text_skip_blanks(text);
    sli_text_skip_word(text);
}

static sl_result read_header(sli_text *text, off_header *header, sl_error *error)
{
    *header = (off_header){ 0 };
    sli_text_skip_space(text);
    SLI_TRY(read_keyword(text, header, error));
    SLI_TRY(read_count(text, "OFF and the number of vertices", &header->vertex_count, error));
    SLI_TRY(read_count(text, "the number of faces", &header->face_count, error));
    skip_edge_count(text);
    return SL_OK;
}

/* At the beginning of a vertex or face. */
static sl_result begin_row(const sli_source *source, sli_text *text, sli_builder *builder,
                           const char *what, int64_t row, int64_t count, sl_error *error)
{
    sli_text_skip_space(text);
    if (text->at == text->end) {
        return sli_text_fail(text, error, "the file ends after %" PRId64 " of %" PRId64 " %s", row,
                             count, what);
    }
    return sli_built(builder,
                     sli_builder_at(builder, text->line, sli_source_byte(source, text->at)));
}

/* How the vertices are written, and what was seen of their colours. */
typedef struct off_layout {
    bool lines;            /* each fills a line, whatever else stands behind it */
    size_t extras;         /* numbers behind the coordinates */
    size_t colour_numbers; /* of them; 3, 4, or 0 for none */
    bool whole, above_one; /* all of them were whole numbers; one was more than 1 */
} off_layout;

/* Numbers are free to stand in any line, but colours may have three numbers or four, and some
 * writers put things behind a vertex that the keyword does not tell of.  So a first vertex that
 * fills a line, with too much or too little in it, means that all of them do. */
static off_layout find_layout(sli_text text, const off_header *header)
{
    sli_text_skip_space(&text);
    const size_t numbers = 3 + header->extras;
    const size_t words = words_in_line(text);
    const bool colours = (header->attributes & SL_MESH_COLOURS) != 0;
    const bool three = colours && words == numbers - 1;
    return (off_layout){ .lines = three || (words >= numbers && words % numbers != 0),
                         .extras = header->extras - three,
                         .colour_numbers = colours ? 4u - three : 0,
                         .whole = true };
}

/* What stands behind the coordinates of a vertex becomes rows. */
static bool give_rows(sli_builder *builder, uint32_t attributes, off_layout *layout,
                      const double *numbers)
{
    bool done = true;
    if ((attributes & SL_MESH_NORMALS) != 0) {
        done = sli_builder_row(builder, SL_MESH_NORMALS, numbers, 3);
        numbers += 3;
    }
    if ((attributes & SL_MESH_COLOURS) != 0 && done) {
        done = sli_builder_row(builder, SL_MESH_COLOURS, numbers, layout->colour_numbers);
        for (size_t i = 0; i < layout->colour_numbers; i++) {
            layout->whole &= isnan(numbers[i]) || numbers[i] == floor(numbers[i]);
            layout->above_one |= numbers[i] > 1;
        }
        numbers += layout->colour_numbers;
    }
    if ((attributes & SL_MESH_UVS) != 0 && done) {
        done = sli_builder_row(builder, SL_MESH_UVS, numbers, 2);
    }
    return done;
}

/* Behind the last vertex: colours up to 255 become fractions.  A missing alpha is 1 already. */
static void scale_colours(const sli_builder *builder, const off_layout *layout)
{
    const sli_attribute *of = &builder->parts.kept.of[sli_slot(SL_MESH_COLOURS)];
    for (size_t i = 0; i < 4 * of->count && layout->whole && layout->above_one; i++) {
        if (i % 4 < layout->colour_numbers) {
            of->values[i] = (float)((double)of->values[i] / 255);
        }
    }
}

static sl_result load_numbers(sli_text *text, const char *what, double *out, size_t count,
                              sl_error *error)
{
    for (size_t i = 0; i < count; i++) {
        sli_text_skip_space(text);
        SLI_TRY(sli_text_double(text, what, &out[i], error));
    }
    return SL_OK;
}

/* The same in the rest of a line, where no triangle depends on them: from the first one on that is
 * missing or no number, they are NaN. */
static void load_rest(sli_text *text, double *out, size_t count)
{
    sl_result result = SL_OK;
    for (size_t i = 0; i < count; i++) {
        sli_text_skip_blanks(text);
        result = result == SL_OK ? sli_text_double(text, "a number", &out[i], NULL) : result;
        out[i] = result == SL_OK ? out[i] : (double)NAN;
    }
    sli_text_skip_line(text);
}

static sl_result load_vertex(sli_text *text, sli_builder *builder, uint32_t attributes,
                             off_layout *layout, sl_error *error)
{
    double numbers[3 + EXTRAS_MAX];
    const bool rows = (sli_builder_keeps(builder) & attributes) != 0;
    SLI_TRY(load_numbers(text, "three coordinates of a vertex", numbers, 3, error));
    if (layout->lines) {
        load_rest(text, numbers + 3, rows ? layout->extras : 0);
    } else {
        SLI_TRY(
            load_numbers(text, "another number of the vertex", numbers + 3, layout->extras, error));
    }
    return sli_built(builder, sl_mesh_sink_vertex(builder, numbers) &&
                                  (!rows || give_rows(builder, attributes, layout, numbers + 3)));
}

static bool add_corner(sli_builder *builder, const sli_text *number, int64_t value)
{
    if (value >= 0 && value < (int64_t)SL_NONE) {
        return sl_mesh_sink_corner(builder, (uint32_t)value);
    }
    char words[SLI_WORDS] = "";
    if (builder->locate != NULL) {
        snprintf(words, sizeof words, "index %s, but %s", sli_text_quote(number).text,
                 value < 0 ? "vertices are numbered from 0" : "no file has so many vertices");
    }
    return sl_mesh_sink_bad_corner(builder, words);
}

static sl_result load_face(sli_text *text, sli_builder *builder, sl_error *error)
{
    int64_t corners;
    SLI_TRY(read_count(text, "the number of corners of a face", &corners, error));
    SLI_TRY(sli_built(builder, sl_mesh_sink_face(builder)));
    for (int64_t corner = 0; corner < corners; corner++) {
        sli_text_skip_space(text);
        const sli_text number = *text;
        int64_t value;
        SLI_TRY(sli_text_int(text, "the index of a vertex", &value, error));
        SLI_TRY(sli_built(builder, add_corner(builder, &number, value)));
    }
    sli_text_skip_blanks(text);
    builder->parts.attributes |= sli_text_at_line_end(text) ? 0u : SL_MESH_OTHER;
    sli_text_skip_line(text); /* its colour */
    return SL_OK;
}

/* A count, but no more than the rest of the text can hold, of rows with that many numbers. */
static size_t off_believable(const sli_text *text, int64_t count, size_t numbers)
{
    const size_t most = (size_t)(text->end - text->at) / (2 * numbers);
    return (uint64_t)count < most ? (size_t)count : most;
}

static sl_result off_load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    sli_text text = sli_source_text(source);
    text.comments = true;
    off_header header;
    SLI_TRY(read_header(&text, &header, error));
    builder->parts.attributes = header.attributes;
    SLI_TRY(sli_built(
        builder,
        sli_builder_reserve(builder, off_believable(&text, header.vertex_count, 3 + header.extras),
                            off_believable(&text, header.face_count, 4))));
    off_layout layout = find_layout(text, &header);
    for (int64_t i = 0; i < header.vertex_count; i++) {
        SLI_TRY(begin_row(source, &text, builder, "vertices", i, header.vertex_count, error));
        SLI_TRY(load_vertex(&text, builder, header.attributes, &layout, error));
    }
    scale_colours(builder, &layout);
    for (int64_t i = 0; i < header.face_count; i++) {
        SLI_TRY(begin_row(source, &text, builder, "faces", i, header.face_count, error));
        SLI_TRY(load_face(&text, builder, error));
    }
    return sli_built(builder, sli_note_rest(source, builder, text));
}

static bool off_recognise(const sli_source *source)
{
    sli_text text = sli_source_text(source);
    text.comments = true;
    off_header header;
    bool higher;
    sli_text_skip_space(&text);
    return take_keyword(&text, &header, &higher);
}

const sli_format sli_format_off = {
    .name = "off", .ending = ".off", .recognise = off_recognise, .load = off_load
};
