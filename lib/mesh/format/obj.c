/* obj.c: Wavefront OBJ, the polygons of it.
 * Read are v (three coordinates; w, colours and whatever follows are ignored) and f (v, v/vt, v//vn
 * and v/vt/vn in any mixture; negative numbers count back from the latest vertex), and the names
 * behind g, o and usemtl, which make parts.  Everything else that begins with a letter is passed
 * over, but a file in which no line is one of OBJ is refused.
 * Source: Wavefront, Advanced Visualizer Manual, appendix B1, Object Files. */
#include "lib/mesh/format/format.h"

#include <stdio.h>
#include <string.h>

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

static sl_result load_vertex(sli_text *text, sli_builder *builder, sl_error *error)
{
    double xyz[3];
    for (int axis = 0; axis < 3; axis++) {
        sli_text_skip_blanks(text);
        const sl_result result = sli_text_double(text, "three numbers behind v", &xyz[axis], error);
        if (result != SL_OK) {
            return result;
        }
    }
    int extras = 0;
    for (sli_text_skip_blanks(text); !sli_text_at_line_end(text); sli_text_skip_blanks(text)) {
        sli_text_skip_word(text);
        extras++;
    }
    builder->parts.attributes |= extras >= 3 ? SL_MESH_COLOURS : 0u; /* one is w */
    return sli_builder_vertex(builder, xyz) ? SL_OK : builder->result;
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
    return sli_builder_bad_corner(builder, words);
}

static bool add_corner(sli_builder *builder, const sli_text *number, int64_t value)
{
    const int64_t count = (int64_t)builder->parts.vertex_count;
    const int64_t vertex = value > 0 ? value - 1 : count + value;
    if (value == 0 || value < -count || vertex >= (int64_t)SL_NONE) {
        return add_bad_corner(builder, number, value);
    }
    return sli_builder_corner(builder, (uint32_t)vertex);
}

static bool is_index_byte(uint8_t c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '/';
}

/* The number of the vertex; those of texture coordinates and normals are passed over. */
static sl_result read_corner(sli_text *text, int64_t *value, sl_error *error)
{
    const sli_text before = *text;
    const uint8_t *after = sli_number_int(text->at, text->end, value);
    if (after != NULL && after < text->end && *after == '/') {
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
    if (!sli_builder_face(builder)) {
        return builder->result;
    }
    for (sli_text_skip_blanks(text); !sli_text_at_line_end(text); sli_text_skip_blanks(text)) {
        const sli_text number = *text;
        int64_t value;
        const sl_result result = read_corner(text, &value, error);
        if (result != SL_OK) {
            return result;
        }
        if (!add_corner(builder, &number, value)) {
            return builder->result;
        }
    }
    return SL_OK;
}

/* The keyword c at the cursor is skipped; else false. */
static bool take_keyword(sli_text *text, uint8_t c)
{
    if (text->at == text->end || *text->at != c) {
        return false;
    }
    text->at++;
    const bool taken = sli_text_at_gap(text);
    text->at -= taken ? 0 : 1;
    return taken;
}

/* The names in force, as numbers of the builder. */
typedef struct obj_names {
    uint32_t group, object, material;
} obj_names;

/* The rest of the line without the blanks around it: a name may have some in it. */
static bool load_name(sli_text *text, sli_builder *builder, uint32_t *name)
{
    sli_text_skip_blanks(text);
    const uint8_t *begin = text->at, *end = begin;
    while (!sli_text_at_line_end(text)) {
        sli_text_skip_word(text);
        end = text->at;
        sli_text_skip_blanks(text);
    }
    return sli_builder_name(builder, (const char *)begin, (size_t)(end - begin), name);
}

/* Takes a line with a name; false where it is none.  A new object is in no group. */
static bool take_name(sli_text *text, sli_builder *builder, obj_names *names)
{
    bool done;
    if (take_keyword(text, 'g')) {
        done = load_name(text, builder, &names->group);
    } else if (take_keyword(text, 'o')) {
        names->group = 0;
        done = load_name(text, builder, &names->object);
    } else if (sli_text_take(text, "usemtl", false)) {
        done = load_name(text, builder, &names->material);
    } else {
        return false;
    }
    const uint32_t part[4] = { names->group != 0 ? names->group : names->object, names->material,
                               names->object, SL_NONE };
    /* A failure stands in the builder. */
    (void)(done && sli_builder_part(builder, part));
    return true;
}

static bool is_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The keywords of OBJ whose lines are passed over. */
static bool is_other_keyword(const sli_text *text)
{
    static const char *const words[] = {
        "vt",       "vn",     "vp",     "p",      "l",          "s",         "mg",
        "mtllib",   "maplib", "usemap", "cstype", "deg",        "bmat",      "step",
        "sp",       "end",    "con",    "curv",   "curv2",      "surf",      "parm",
        "trim",     "hole",   "scrv",   "lod",    "csh",        "bevel",     "c_interp",
        "d_interp", "call",   "ctech",  "stech",  "shadow_obj", "trace_obj",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        sli_text copy = *text;
        if (sli_text_take(&copy, words[i], false)) {
            return true;
        }
    }
    return false;
}

/* Whether any line was one of OBJ, and the first that was not. */
typedef struct obj_lines {
    bool known;
    sli_text unknown; /* .at is NULL: none */
} obj_lines;

static sl_result pass_over(const sli_text *text, obj_lines *lines, sl_error *error)
{
    if (!is_letter(*text->at)) {
        return sli_text_expected(text, "a keyword of OBJ like v or f", error);
    }
    if (!lines->known && is_other_keyword(text)) {
        lines->known = true;
    } else if (lines->unknown.at == NULL) {
        lines->unknown = *text;
    }
    return SL_OK;
}

static void note_attributes(const sli_text *text, sli_builder *builder)
{
    sli_text copy = *text;
    if (sli_text_take(&copy, "vt", false)) {
        builder->parts.attributes |= SL_MESH_UVS;
    } else if (sli_text_take(&copy, "vn", false)) {
        builder->parts.attributes |= SL_MESH_NORMALS;
    }
}

/* One line, up to what is of no interest in it. */
static sl_result load_line(sli_text *text, sli_builder *builder, obj_names *names, obj_lines *lines,
                           sl_error *error)
{
    sl_result result = SL_OK;
    if (take_keyword(text, 'v')) {
        result = load_vertex(text, builder, error);
    } else if (take_keyword(text, 'f')) {
        result = load_face(text, builder, error);
    } else if (take_name(text, builder, names)) {
        result = builder->result;
    } else if (sli_text_at_line_end(text)) {
        return SL_OK;
    } else {
        note_attributes(text, builder);
        return pass_over(text, lines, error);
    }
    lines->known = true;
    return result;
}

static sl_result load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    sli_text text = sli_source_text(source);
    text.comments = true;
    text.continued = true;
    bool continued = false;
    obj_names names = { 0 };
    obj_lines lines = { 0 };
    while (text.at < text.end) {
        if (!sli_builder_at(builder, text.line, sli_source_byte(source, text.at))) {
            return builder->result;
        }
        sli_text_skip_blanks(&text);
        if (!continued) {
            const sl_result result = load_line(&text, builder, &names, &lines, error);
            if (result != SL_OK) {
                return result;
            }
        }
        const bool comment = text.at < text.end && *text.at == '#';
        continued = skip_rest(&text) && !comment;
    }
    return lines.known || lines.unknown.at == NULL
               ? SL_OK
               : sli_text_expected(&lines.unknown, "a keyword of OBJ like v or f", error);
}

/* A line with v and a number or f and an index, among the first ones. */
static bool recognise(const sli_source *source)
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
        if (take_keyword(&text, 'v') || take_keyword(&text, 'f')) {
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
                                    .recognise = recognise,
                                    .load = load };
