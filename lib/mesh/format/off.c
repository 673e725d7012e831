/* off.c: the Object File Format of Geomview, as text.
 * The keyword may have the prefixes ST, C and N, which put texture coordinates, a colour and a
 * normal behind the position of each vertex; they are passed over, as colours behind faces are.
 * Source: Phillips, Levy, Munzner, Geomview Manual 1.9, OFF Files. */
#include "lib/base/error.h"
#include "lib/mesh/format/format.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct off_header {
    int64_t vertex_count, face_count;
    size_t extras; /* numbers behind the three coordinates of a vertex */
    bool colors;
    uint32_t attributes; /* bits SL_MESH_... */
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
    header->colors = take_letters(text, "C");
    const bool normals = take_letters(text, "N");
    header->extras = (uvs ? 2u : 0) + (header->colors ? 4u : 0) + (normals ? 3u : 0);
    header->attributes = (uvs ? SL_MESH_UVS : 0u) | (header->colors ? SL_MESH_COLOURS : 0u) |
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
    sl_result result = read_keyword(text, header, error);
    if (result == SL_OK) {
        result = read_count(text, "OFF and the number of vertices", &header->vertex_count, error);
    }
    if (result == SL_OK) {
        result = read_count(text, "the number of faces", &header->face_count, error);
    }
    if (result == SL_OK) {
        skip_edge_count(text);
    }
    return result;
}

/* At the beginning of a vertex or face. */
static sl_result begin_row(const sli_source *source, sli_text *text, sli_builder *builder,
                           const char *what, int64_t row, int64_t count, sl_error *error)
{
    sli_text_skip_space(text);
    if (text->at == text->end) {
        return sli_fail(error, SL_BAD_DATA, text->name, text->line, SLI_NO_BYTE,
                        "the file ends after %" PRId64 " of %" PRId64 " %s", row, count, what);
    }
    return sli_builder_at(builder, text->line, sli_source_byte(source, text->at)) ? SL_OK
                                                                                  : builder->result;
}

/* Numbers are free to stand in any line, but colours may have three numbers or four, and some
 * writers put things behind a vertex that the keyword does not tell of.  So a first vertex that
 * fills a line, with too much or too little in it, means that all of them do. */
static bool one_vertex_per_line(sli_text text, const off_header *header)
{
    sli_text_skip_space(&text);
    const size_t numbers = 3 + header->extras;
    const size_t words = words_in_line(text);
    return (header->colors && words == numbers - 1) || (words >= numbers && words % numbers != 0);
}

static sl_result load_vertex(sli_text *text, sli_builder *builder, size_t extras, bool line,
                             sl_error *error)
{
    double xyz[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_text_skip_space(text);
        const sl_result result =
            sli_text_double(text, "three coordinates of a vertex", &xyz[axis], error);
        if (result != SL_OK) {
            return result;
        }
    }
    if (line) {
        sli_text_skip_line(text);
    }
    for (size_t i = 0; i < extras && !line; i++) {
        double ignored;
        sli_text_skip_space(text);
        const sl_result result =
            sli_text_double(text, "another number of the vertex", &ignored, error);
        if (result != SL_OK) {
            return result;
        }
    }
    return sli_builder_vertex(builder, xyz) ? SL_OK : builder->result;
}

static bool add_corner(sli_builder *builder, const sli_text *number, int64_t value)
{
    if (value >= 0 && value < (int64_t)SL_NONE) {
        return sli_builder_corner(builder, (uint32_t)value);
    }
    char words[SLI_WORDS] = "";
    if (builder->locate != NULL) {
        snprintf(words, sizeof words, "index %s, but %s", sli_text_quote(number).text,
                 value < 0 ? "vertices are numbered from 0" : "no file has so many vertices");
    }
    return sli_builder_bad_corner(builder, words);
}

static sl_result load_face(sli_text *text, sli_builder *builder, sl_error *error)
{
    int64_t corners;
    sl_result result = read_count(text, "the number of corners of a face", &corners, error);
    if (result != SL_OK) {
        return result;
    }
    if (!sli_builder_face(builder)) {
        return builder->result;
    }
    for (int64_t corner = 0; corner < corners; corner++) {
        sli_text_skip_space(text);
        const sli_text number = *text;
        int64_t value;
        result = sli_text_int(text, "the index of a vertex", &value, error);
        if (result != SL_OK) {
            return result;
        }
        if (!add_corner(builder, &number, value)) {
            return builder->result;
        }
    }
    sli_text_skip_line(text); /* its colour */
    return SL_OK;
}

/* A count, but no more than the rest of the text can hold, of rows with that many numbers. */
static size_t believable(const sli_text *text, int64_t count, size_t numbers)
{
    const size_t most = (size_t)(text->end - text->at) / (2 * numbers);
    return (uint64_t)count < most ? (size_t)count : most;
}

static sl_result load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    sli_text text = sli_source_text(source);
    text.comments = true;
    off_header header;
    sl_result result = read_header(&text, &header, error);
    if (result != SL_OK) {
        return result;
    }
    builder->parts.attributes = header.attributes;
    if (!sli_builder_reserve(builder, believable(&text, header.vertex_count, 3 + header.extras),
                             believable(&text, header.face_count, 4))) {
        return builder->result;
    }
    const bool lines = one_vertex_per_line(text, &header);
    for (int64_t i = 0; i < header.vertex_count && result == SL_OK; i++) {
        result = begin_row(source, &text, builder, "vertices", i, header.vertex_count, error);
        if (result == SL_OK) {
            result = load_vertex(&text, builder, header.extras, lines, error);
        }
    }
    for (int64_t i = 0; i < header.face_count && result == SL_OK; i++) {
        result = begin_row(source, &text, builder, "faces", i, header.face_count, error);
        if (result == SL_OK) {
            result = load_face(&text, builder, error);
        }
    }
    return result;
}

static bool recognise(const sli_source *source)
{
    sli_text text = sli_source_text(source);
    text.comments = true;
    off_header header;
    bool higher;
    sli_text_skip_space(&text);
    return take_keyword(&text, &header, &higher);
}

const sli_format sli_format_off = {
    .name = "off", .ending = ".off", .recognise = recognise, .load = load
};
