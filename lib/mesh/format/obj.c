/* obj.c: Wavefront OBJ, the polygons of it.
 * Read are v (three coordinates, and three or four numbers of a colour behind them; a single one is
 * w, and means nothing), vt, vn, f and its older form fo (v, v/vt, v//vn and v/vt/vn in any
 * mixture; negative numbers count back from the latest row), and the names behind g, o and usemtl,
 * which make parts.  Everything else that begins with a letter is passed over; of geometry and of
 * words that are not known, the mesh has notes.  But a file in which no line is one of OBJ is
 * refused.
 * Source: Wavefront, Advanced Visualizer Manual, appendix B1, Object Files. */
#include "lib/mesh/format/obj.h"
#include "lib/base/error.h"

#include <math.h>
#include <stdio.h>

enum { LOOK_AT = 1 << 18 }; /* bytes looked at to recognise the format */

/* The rest of a line that is of no interest.  Returns true where the next one belongs to it. */
static bool skip_rest(sli_text *text)
{
    const uint8_t *begin = text->at;
    const int64_t line = text->line;
    sli_text_skip_line(text);
    const uint8_t *last = text->at;
    while (last > begin && sli_is_newline(last[-1])) {
        last--;
    }
    return text->line > line && last > begin && last[-1] == '\\';
}

/* Rows for vertices without a colour in a file where others have one: white. */
static bool pad_colours(sli_builder *builder)
{
    static const double white[3] = { 1, 1, 1 };
    bool done = true;
    while (done &&
           builder->parts.kept.of[sli_slot(SL_MESH_COLOURS)].count < builder->parts.vertex_count) {
        done = sli_builder_row(builder, SL_MESH_COLOURS, white, 3);
    }
    return done;
}

/* Numbers behind the coordinates, as many as there are up to most. */
static size_t take_numbers(sli_text *text, double *out, size_t most)
{
    size_t count = 0;
    for (; count < most; count++) {
        sli_text_skip_blanks(text);
        const uint8_t *after = sli_number_double(text->at, text->end, &out[count]);
        sli_text ahead = *text;
        ahead.at = after;
        if (after == NULL || !sli_text_at_gap(&ahead)) {
            break;
        }
        text->at = after;
    }
    return count;
}

static bool load_colour(sli_text *text, sli_builder *builder)
{
    const bool wanted = (sli_builder_keeps(builder) & SL_MESH_COLOURS) != 0;
    double colour[4];
    const size_t numbers = wanted ? take_numbers(text, colour, 4) : 0;
    size_t extras = numbers;
    for (sli_text_skip_blanks(text); !sli_text_at_line_end(text); sli_text_skip_blanks(text)) {
        sli_text_skip_word(text);
        extras++;
    }
    builder->parts.attributes |= extras >= 3 ? SL_MESH_COLOURS : 0u; /* one is w */
    return numbers < 3 ||
           (pad_colours(builder) && sli_builder_row(builder, SL_MESH_COLOURS, colour, numbers));
}

static sl_result load_vertex(sli_text *text, sli_builder *builder, sl_error *error)
{
    double xyz[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_text_skip_blanks(text);
        SLI_TRY(sli_text_double(text, "three numbers behind v", &xyz[axis], error));
    }
    sli_text_skip_blanks(text);
    const bool done = sli_text_at_line_end(text) || load_colour(text, builder);
    return sli_built(builder, done && sl_mesh_sink_vertex(builder, xyz));
}

/* What stands behind vt or vn.  The second of two texture coordinates may be missing, and is 0.
 * From the first one on that is no number they are NaN: no triangle depends on them. */
static bool load_row(sli_text *text, sli_builder *builder, uint32_t kind)
{
    double row[3] = { NAN, NAN, NAN };
    size_t count = take_numbers(text, row, sli_components(sli_slot(kind)));
    if (kind == SL_MESH_NORMALS || count != 1 || !sli_text_at_line_end(text)) {
        for (; count < sli_components(sli_slot(kind)); count++) {
            row[count] = NAN;
        }
    }
    return sli_builder_row(builder, kind, row, count);
}

/* A number that no vertex can have. */
static bool add_bad_corner(sli_builder *builder, const sli_text *number, int64_t value)
{
    char words[SLI_WORDS] = "";
    if (builder->locate != NULL) {
        const sli_quote quote = sli_text_quote(number);
        if (value < 0) {
            snprintf(words, sizeof words, "index %s, but only %zu vertices stand above it",
                     quote.text, builder->parts.vertex_count);
        } else {
            snprintf(words, sizeof words, "index %s, but %s", quote.text,
                     value == 0 ? "vertices are numbered from 1" : "no file has so many vertices");
        }
    }
    return sl_mesh_sink_bad_corner(builder, words);
}

/* A corner as it is written; the format has no number 0, so of a row it says: none. */
typedef struct obj_corner {
    int64_t vertex, uv, normal;
    bool has_rows; /* uv and normal were looked at */
} obj_corner;

static uint32_t row_of(const sli_builder *builder, uint32_t kind, int64_t value)
{
    const int64_t count = (int64_t)builder->parts.kept.of[sli_slot(kind)].count;
    const int64_t row = value > 0 ? value - 1 : count + value;
    return value == 0 || row < 0 || row >= SLI_ROWS_MAX ? SL_NONE : (uint32_t)row;
}

static bool add_corner(sli_builder *builder, const sli_text *number, const obj_corner *corner)
{
    const int64_t value = corner->vertex;
    const int64_t count = (int64_t)builder->parts.vertex_count;
    const int64_t vertex = value > 0 ? value - 1 : count + value;
    if (value == 0 || value < -count || vertex >= (int64_t)SL_NONE) {
        return add_bad_corner(builder, number, value);
    }
    if (corner->has_rows) {
        const uint32_t rows[SLI_KINDS] = { row_of(builder, SL_MESH_NORMALS, corner->normal),
                                           row_of(builder, SL_MESH_UVS, corner->uv),
                                           (uint32_t)vertex };
        sli_builder_rows(builder, rows);
    }
    return sl_mesh_sink_corner(builder, (uint32_t)vertex);
}

static bool is_index_byte(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '/';
}

/* The number behind a slash at the cursor, which may be missing, or none. */
static const uint8_t *take_row(const uint8_t *at, const uint8_t *end, int64_t *value)
{
    if (at == end || *at != '/') {
        return at;
    }
    at++;
    if (at == end || *at == '/' || !is_index_byte(*at)) {
        return at;
    }
    const uint8_t *after = sli_number_int(at, end, value);
    return after != NULL ? after : at;
}

/* The numbers of the vertex and, if rows are wanted, of texture coordinates and normal. */
static sl_result read_corner(sli_text *text, bool rows, obj_corner *corner, sl_error *error)
{
    const sli_text before = *text;
    const uint8_t *after = sli_number_int(text->at, text->end, &corner->vertex);
    if (after != NULL && after < text->end && *after == '/') {
        if (rows) {
            corner->has_rows = true;
            after = take_row(after, text->end, &corner->uv);
            after = take_row(after, text->end, &corner->normal);
        }
        while (after < text->end && is_index_byte(*after)) {
            after++;
        }
    }
    if (after != NULL) {
        text->at = after;
        if (sli_text_at_gap(text)) {
            return SL_OK;
        }
    }
    return sli_text_expected(&before, "a corner like 1, 1/2, 1//3 or 1/2/3", error);
}

static sl_result load_face(sli_text *text, sli_builder *builder, sl_error *error)
{
    const bool rows = (sli_builder_keeps(builder) & (SL_MESH_UVS | SL_MESH_NORMALS)) != 0;
    SLI_TRY(sli_built(builder, sl_mesh_sink_face(builder)));
    for (sli_text_skip_blanks(text); !sli_text_at_line_end(text); sli_text_skip_blanks(text)) {
        const sli_text number = *text;
        obj_corner corner = { 0 };
        SLI_TRY(read_corner(text, rows, &corner, error));
        SLI_TRY(sli_built(builder, add_corner(builder, &number, &corner)));
    }
    return SL_OK;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The keywords of OBJ whose lines are passed over: first those of geometry, of which call reads
 * another file, and bsp, bzp, cdc and cdp are older ones. */
static const char *const other_keywords[] = {
    "p",     "l",         "curv",     "surf",       "call",     "bsp",   "bzp",   "cdc",
    "cdp",   "s",         "mtllib",   "usemap",     "maplib",   "mg",    "vp",    "cstype",
    "deg",   "bmat",      "step",     "sp",         "end",      "con",   "curv2", "parm",
    "trim",  "hole",      "scrv",     "lod",        "csh",      "bevel", "res",   "ctech",
    "stech", "trace_obj", "c_interp", "shadow_obj", "d_interp",
};
enum { OTHER_KEYWORDS = sizeof other_keywords / sizeof other_keywords[0], GEOMETRY_KEYWORDS = 9 };

static size_t find_keyword(const sli_text *text)
{
    sli_text copy = *text;
    size_t i = 0;
    while (i < OTHER_KEYWORDS && !sli_text_take(&copy, other_keywords[i], false)) {
        i++;
    }
    return i;
}

/* Whether any line was one of OBJ, and the first that was not. */
typedef struct obj_lines {
    bool known;
    sli_text unknown; /* .at is NULL: none */
} obj_lines;

static sl_result pass_over(const sli_source *source, const sli_text *text, sli_builder *builder,
                           obj_lines *lines, sl_error *error)
{
    if (!is_letter(*text->at)) {
        return sli_text_expected(text, "a keyword of OBJ like v or f", error);
    }
    const size_t keyword = find_keyword(text);
    const bool known = keyword < OTHER_KEYWORDS;
    if (!known && lines->unknown.at == NULL) {
        lines->unknown = *text;
    }
    lines->known |= known;
    return sli_built(
        builder,
        (known && keyword >= GEOMETRY_KEYWORDS) ||
            sli_note_word(source, builder, known ? SL_NOTE_GEOMETRY : SL_NOTE_UNKNOWN, text, 1));
}

/* The kind of the row in a line of vt or vn, whose keyword is skipped; else 0. */
static uint32_t take_row_keyword(sli_text *text)
{
    if (text->at == text->end || *text->at != 'v') {
        return 0;
    }
    return sli_text_take(text, "vt", false)   ? SL_MESH_UVS
           : sli_text_take(text, "vn", false) ? SL_MESH_NORMALS
                                              : 0;
}

/* One line, up to what is of no interest in it. */
static sl_result load_line(const sli_source *source, sli_text *text, sli_builder *builder,
                           sli_obj_names *names, obj_lines *lines, sl_error *error)
{
    sl_result result = SL_OK;
    uint32_t kind = 0;
    if (sli_obj_take_keyword(text, 'v')) {
        result = load_vertex(text, builder, error);
    } else if (sli_obj_take_keyword(text, 'f') || sli_text_take(text, "fo", false)) {
        result = load_face(text, builder, error);
    } else if ((kind = take_row_keyword(text)) != 0) {
        builder->parts.attributes |= kind;
        if ((sli_builder_keeps(builder) & kind) != 0 && !load_row(text, builder, kind)) {
            result = builder->result;
        }
    } else if (sli_obj_take_name(text, builder, names)) {
        result = builder->result;
    } else if (sli_text_at_line_end(text)) {
        return SL_OK;
    } else {
        return pass_over(source, text, builder, lines, error);
    }
    lines->known = true;
    return result;
}

static sl_result obj_load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    sli_text text = sli_source_text(source);
    text.comments = true;
    text.continued = true;
    bool continued = false;
    sli_obj_names names = { 0 };
    obj_lines lines = { 0 };
    builder->by_corner = SL_MESH_UVS | SL_MESH_NORMALS;
    while (text.at < text.end) {
        SLI_TRY(sli_built(builder,
                          sli_builder_at(builder, text.line, sli_source_byte(source, text.at))));
        sli_text_skip_blanks(&text);
        if (!continued) {
            SLI_TRY(load_line(source, &text, builder, &names, &lines, error));
        }
        const bool comment = text.at < text.end && *text.at == '#';
        continued = skip_rest(&text) && !comment;
    }
    if (builder->parts.kept.of[sli_slot(SL_MESH_COLOURS)].count > 0 && !pad_colours(builder)) {
        return builder->result;
    }
    return lines.known || lines.unknown.at == NULL
               ? SL_OK
               : sli_text_expected(&lines.unknown, "a keyword of OBJ like v or f", error);
}

/* A line with v and a number or f and an index, among the first ones. */
static bool obj_recognise(const sli_source *source)
{
    sli_text text = sli_source_text(source);
    if (text.end - text.at > LOOK_AT) {
        text.end = text.at + LOOK_AT;
    }
    if (memchr(text.at, 0, (size_t)(text.end - text.at)) != NULL) {
        return false;
    }
    while (text.at < text.end) {
        sli_text_skip_blanks(&text);
        if (sli_obj_take_keyword(&text, 'v') || sli_obj_take_keyword(&text, 'f')) {
            sli_text_skip_blanks(&text);
            const uint8_t c = text.at < text.end ? *text.at : 0;
            if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
                return true;
            }
        }
        sli_text_skip_line(&text);
    }
    return false;
}

const sli_format sli_format_obj = { .name = "obj",
                                    .ending = ".obj",
                                    .first_index = 1,
                                    .weak = true,
                                    .recognise = obj_recognise,
                                    .load = obj_load };
