/* ply.c: the rows of a PLY file, text or binary, behind the header (ply_header.c).
 * Elements may come in any order and have any further properties and lists, which are passed over,
 * but for texture coordinates, normals and colours (ply_attribute.c).
 * Source: Turk, The PLY Polygon File Format (1994); tristrips as in the Stanford files: a negative
 * index begins a new strip. */
#include "lib/mesh/format/ply.h"

#include "lib/base/error.h"
#include "lib/mesh/format/bytes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    const sli_source *source;
    sli_builder *builder;
    sl_error *error;
    sli_text text; /* the cursor, of binary files too */
    bool ascii, big;
    const sli_ply_header *header;
    const sli_ply_property *properties;
    const sli_ply_element *element; /* the one being read, and the number of the row in it */
    uint64_t row;
    sli_text uvs; /* the list of texture coordinates of this face: what is left of it */
    uint64_t uv_count;
    uint8_t uv_type;
} reader;

/* ---- numbers ------------------------------------------------------------------------- */

static double decode_little(const uint8_t *at, sli_ply_type type)
{
    switch (type) {
    case SLI_PLY_INT8:
        return (double)(int8_t)at[0];
    case SLI_PLY_UINT8:
        return (double)at[0];
    case SLI_PLY_INT16:
        return (double)(int16_t)sli_little16(at);
    case SLI_PLY_UINT16:
        return (double)sli_little16(at);
    case SLI_PLY_INT32:
        return (double)(int32_t)sli_little32(at);
    case SLI_PLY_UINT32:
        return (double)sli_little32(at);
    case SLI_PLY_FLOAT32:
        return sli_float_of_bits(sli_little32(at));
    default:
        return sli_double_of_bits(sli_little64(at));
    }
}

static double decode_big(const uint8_t *at, sli_ply_type type)
{
    uint8_t turned[8];
    const size_t size = sli_ply_type_size(type);
    for (size_t i = 0; i < size; i++) {
        turned[i] = at[size - 1 - i];
    }
    return decode_little(turned, type);
}

/* ---- where the file ends too early --------------------------------------------------- */

static const char *element_name(const sli_ply_element *element)
{
    static const char *const names[] = { "row", "vertex", "face", "row of tristrips" };
    return names[element->kind];
}

static sl_result fail_short(const reader *in, uint64_t missing)
{
    if (in->ascii) {
        return sli_fail(in->error, SL_BAD_DATA, in->source->name, in->text.line, SLI_NO_BYTE,
                        "the file ends in %s %" PRIu64 " of %" PRIu64, element_name(in->element),
                        in->row + 1, in->element->count);
    }
    return sli_fail(in->error, SL_BAD_DATA, in->source->name, SLI_NO_LINE,
                    (int64_t)in->source->size,
                    "the file ends in %s %" PRIu64 " of %" PRIu64 "; at least %" PRIu64
                    " more byte(s) are needed",
                    element_name(in->element), in->row + 1, in->element->count, missing);
}

static size_t bytes_left(const reader *in)
{
    return (size_t)(in->text.end - in->text.at);
}

/* ---- one scalar, one list ------------------------------------------------------------ */

static sl_result take_ascii(reader *in, double *out)
{
    sli_text_skip_space(&in->text);
    if (in->text.at == in->text.end) {
        return fail_short(in, 1);
    }
    return sli_text_double(&in->text, "a number", out, in->error);
}

static inline sl_result take(reader *in, uint8_t type, double *out)
{
    if (in->ascii) {
        return take_ascii(in, out);
    }
    const size_t size = sli_ply_type_size((sli_ply_type)type);
    if (bytes_left(in) < size) {
        return fail_short(in, size - bytes_left(in));
    }
    *out = in->big ? decode_big(in->text.at, (sli_ply_type)type)
                   : decode_little(in->text.at, (sli_ply_type)type);
    in->text.at += size;
    return SL_OK;
}

/* A number that no triangle depends on: NaN where it is none. */
static inline sl_result take_attribute(reader *in, uint8_t type, double *out)
{
    if (!in->ascii) {
        return take(in, type, out);
    }
    sli_text_skip_space(&in->text);
    if (in->text.at == in->text.end) {
        return fail_short(in, 1);
    }
    if (sli_text_double(&in->text, "a number", out, NULL) != SL_OK) {
        *out = NAN;
        sli_text_skip_word(&in->text);
    }
    return SL_OK;
}

static sl_result skip(reader *in, uint8_t type, uint64_t count)
{
    if (!in->ascii) {
        const size_t size = sli_ply_type_size((sli_ply_type)type);
        if (count > bytes_left(in) / size) {
            return fail_short(in, count * size - bytes_left(in));
        }
        in->text.at += count * size;
        return SL_OK;
    }
    for (; count > 0; count--) {
        sli_text_skip_space(&in->text);
        if (in->text.at == in->text.end) {
            return fail_short(in, 1);
        }
        sli_text_skip_word(&in->text);
    }
    return SL_OK;
}

static sl_result take_length(reader *in, const sli_ply_property *property, uint64_t *out)
{
    double length;
    if (in->ascii) {
        sli_text_skip_space(&in->text);
    }
    const sli_text before = in->text;
    const sl_result result = take(in, property->count_type, &length);
    if (result != SL_OK) {
        return result;
    }
    if (!(length >= 0.0 && length <= (double)UINT32_MAX && length == (double)(uint32_t)length)) {
        if (in->ascii) {
            return sli_text_expected(&before, "the length of a list", in->error);
        }
        return sli_fail(in->error, SL_BAD_DATA, in->source->name, SLI_NO_LINE,
                        (int64_t)sli_source_byte(in->source, before.at),
                        "the length of a list is negative or no whole number, in %s %" PRIu64,
                        element_name(in->element), in->row + 1);
    }
    *out = (uint64_t)length;
    const size_t size = sli_ply_type_size((sli_ply_type)property->type);
    if (!in->ascii && *out > bytes_left(in) / size) {
        return fail_short(in, *out * size - bytes_left(in));
    }
    return SL_OK;
}

/* ---- faces --------------------------------------------------------------------------- */

static bool add_bad_corner(sli_builder *builder, double index)
{
    char words[SLI_WORDS] = "";
    if (builder->locate != NULL) {
        if (index >= -9e15 && index <= 9e15 && index == (double)(int64_t)index) {
            snprintf(words, sizeof words, "index %" PRId64 ", but %s", (int64_t)index,
                     index < 0 ? "vertices are numbered from 0" : "no file has so many vertices");
        } else {
            snprintf(words, sizeof words, "an index that is %s",
                     index < -9e15 || index > 9e15 ? "far beyond any vertex" : "no whole number");
        }
    }
    return sli_builder_bad_corner(builder, words);
}

static inline bool add_corner(sli_builder *builder, double index)
{
    if (!(index >= 0.0 && index < (double)SL_NONE && index == (double)(uint32_t)index)) {
        return add_bad_corner(builder, index);
    }
    return sli_builder_corner(builder, (uint32_t)index);
}

/* Finds the texture coordinates of the face that begins here; the cursor stays. */
static sl_result find_texcoords(reader *in)
{
    const sli_text begin = in->text;
    sl_result result = SL_OK;
    for (size_t i = 0; i < in->element->property_count && result == SL_OK; i++) {
        const sli_ply_property *property = &in->properties[in->element->first + i];
        uint64_t count = 1;
        if (property->count_type != SLI_PLY_NO_TYPE) {
            result = take_length(in, property, &count);
        }
        if (property->role == SLI_PLY_TEXCOORDS) {
            in->uvs = in->text;
            in->uv_count = count;
            in->uv_type = property->type;
            break;
        }
        result = result == SL_OK ? skip(in, property->type, count) : result;
    }
    in->text = begin;
    return result;
}

/* The next two of them become a row. */
static sl_result take_texcoord(reader *in)
{
    const sli_text here = in->text;
    double uv[2];
    in->text = in->uvs;
    sl_result result = take_attribute(in, in->uv_type, &uv[0]);
    result = result == SL_OK ? take_attribute(in, in->uv_type, &uv[1]) : result;
    in->uvs = in->text;
    in->text = here;
    if (result != SL_OK) {
        return result;
    }
    return sli_builder_row(in->builder, SL_MESH_UVS, uv, 2) ? SL_OK : in->builder->result;
}

/* The corner that comes next has the latest of these rows, and those of its vertex. */
static void give_corner_rows(sli_builder *builder, double index)
{
    if (index >= 0.0 && index < (double)SL_NONE) {
        const size_t count = builder->parts.kept.of[sli_slot(SL_MESH_UVS)].count;
        sli_builder_rows(builder, (uint32_t[SLI_KINDS]){ (uint32_t)index, (uint32_t)(count - 1),
                                                         (uint32_t)index });
    }
}

static sl_result read_face(reader *in, const sli_ply_property *property)
{
    uint64_t length;
    sl_result result = take_length(in, property, &length);
    if (result != SL_OK) {
        return result;
    }
    if (!sli_builder_face(in->builder)) {
        return in->builder->result;
    }
    /* A list of another length is none. */
    const bool uvs = (in->element->kept & SL_MESH_UVS) != 0 && in->uv_count == 2 * length;
    for (; length > 0; length--) {
        double index;
        result = take(in, property->type, &index);
        if (uvs && result == SL_OK) {
            result = take_texcoord(in);
            give_corner_rows(in->builder, index);
        }
        if (result != SL_OK) {
            return result;
        }
        if (!add_corner(in->builder, index)) {
            return in->builder->result;
        }
    }
    return SL_OK;
}

static bool at_row(reader *in)
{
    return sli_builder_at(in->builder, in->ascii ? in->text.line : SLI_NO_LINE,
                          sli_source_byte(in->source, in->text.at));
}

/* Every triangle of a strip is a face of its own; every other one runs backwards. */
static bool add_strip_triangle(reader *in, const double corners[3], bool backwards)
{
    sli_builder *builder = in->builder;
    return at_row(in) && sli_builder_face(builder) && add_corner(builder, corners[backwards]) &&
           add_corner(builder, corners[!backwards]) && add_corner(builder, corners[2]);
}

static sl_result read_strips(reader *in, const sli_ply_property *property)
{
    uint64_t length = 0;
    sl_result result = take_length(in, property, &length);
    double corners[3] = { 0 };
    uint64_t run = 0; /* indices in this strip so far */
    for (; length > 0 && result == SL_OK; length--) {
        result = take(in, property->type, &corners[2]);
        if (result != SL_OK) {
            break;
        }
        const bool restart = corners[2] < 0.0 || corners[2] == (double)UINT32_MAX;
        if (!restart && run >= 2 && !add_strip_triangle(in, corners, run % 2 == 1)) {
            return in->builder->result;
        }
        run = restart ? 0 : run + 1;
        corners[0] = corners[1];
        corners[1] = corners[2];
    }
    return result;
}

/* ---- rows ---------------------------------------------------------------------------- */

static sl_result read_list(reader *in, const sli_ply_property *property)
{
    if (property->role == SLI_PLY_INDICES) {
        return in->element->kind == SLI_PLY_FACE ? read_face(in, property)
                                                 : read_strips(in, property);
    }
    uint64_t length;
    const sl_result result = take_length(in, property, &length);
    return result != SL_OK ? result : skip(in, property->type, length);
}

static sl_result read_row(reader *in)
{
    double numbers[SLI_PLY_NUMBERS];
    numbers[SLI_PLY_ALPHA] = in->header->colour_most[3];
    if (in->element->kind == SLI_PLY_FACE && in->element->kept != 0) {
        const sl_result result = find_texcoords(in);
        if (result != SL_OK) {
            return result;
        }
    }
    for (size_t i = 0; i < in->element->property_count; i++) {
        const sli_ply_property *property = &in->properties[in->element->first + i];
        const sl_result result = property->count_type != SLI_PLY_NO_TYPE ? read_list(in, property)
                                 : property->role <= SLI_PLY_Z
                                     ? take(in, property->type, &numbers[property->role])
                                 : property->role < SLI_PLY_NUMBERS
                                     ? take_attribute(in, property->type, &numbers[property->role])
                                     : skip(in, property->type, 1);
        if (result != SL_OK) {
            return result;
        }
    }
    if (in->element->kind == SLI_PLY_VERTEX &&
        (!sli_builder_vertex(in->builder, numbers + SLI_PLY_X) ||
         !sli_ply_give_rows(in->header, in->element->kept, in->builder, numbers))) {
        return in->builder->result;
    }
    return SL_OK;
}

/* Rows that the rest of the file can hold, given the least bytes that one takes. */
static size_t believable(const reader *in, size_t row_size)
{
    const uint64_t most = bytes_left(in) / row_size;
    return (size_t)(in->element->count < most ? in->element->count : most);
}

static bool reserve(reader *in)
{
    const sli_ply_element *element = in->element;
    if (element->kind == SLI_PLY_VERTEX) {
        const size_t row_size = in->ascii ? 2 * element->property_count : element->row_size;
        return sli_builder_reserve(in->builder, believable(in, row_size), 0);
    }
    if (element->kind == SLI_PLY_FACE) {
        /* "3 0 1 2\n", or a length and three indices of a byte each. */
        return sli_builder_reserve(in->builder, 0, believable(in, in->ascii ? 8 : 4));
    }
    return true;
}

/* Rows of known size that are of no interest, or that the file is too short for. */
static sl_result check_fixed_rows(reader *in, bool *skipped)
{
    const sli_ply_element *element = in->element;
    const size_t size = element->row_size;
    if (size > 0 && element->count > bytes_left(in) / size) {
        const uint64_t whole = bytes_left(in) / size;
        const uint64_t rest = element->count - whole;
        in->row = whole;
        return fail_short(in, rest > UINT64_MAX / size ? UINT64_MAX
                                                       : rest * size - bytes_left(in) % size);
    }
    *skipped = element->kind == SLI_PLY_OTHER;
    if (*skipped) {
        in->text.at += element->count * size;
    }
    return SL_OK;
}

static sl_result read_element(reader *in)
{
    bool skipped = in->element->property_count == 0;
    sl_result result = SL_OK;
    if (!in->ascii && !in->element->has_list) {
        result = check_fixed_rows(in, &skipped);
    }
    if (result == SL_OK && !skipped && !reserve(in)) {
        result = in->builder->result;
    }
    for (in->row = 0; result == SL_OK && !skipped && in->row < in->element->count; in->row++) {
        if (in->ascii) {
            sli_text_skip_space(&in->text);
        }
        if (!at_row(in)) {
            return in->builder->result;
        }
        result = read_row(in);
    }
    return result;
}

static sl_result load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    reader in = { .source = source, .builder = builder, .error = error };
    in.text = sli_source_text(source);
    sli_ply_header header;
    sl_result result = sli_ply_read_header(&in.text, &builder->allocator, &header, error);
    in.ascii = header.encoding == SLI_PLY_ASCII;
    in.big = header.encoding == SLI_PLY_BIG;
    in.header = &header;
    in.properties = header.properties;
    sli_ply_choose_attributes(&header, sli_builder_keeps(builder));
    builder->parts.attributes = header.attributes;
    builder->by_corner = header.uvs_by_corner ? SL_MESH_UVS : 0;
    for (size_t i = 0; i < header.element_count && result == SL_OK; i++) {
        in.element = &header.elements[i];
        result = read_element(&in);
    }
    sli_ply_free_header(&header);
    return result;
}

static bool recognise(const sli_source *source)
{
    sli_text text = sli_source_text(source);
    return sli_text_take(&text, "ply", false);
}

const sli_format sli_format_ply = {
    .name = "ply", .ending = ".ply", .recognise = recognise, .load = load
};
