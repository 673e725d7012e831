/* ply.c: the rows of a PLY file, text or binary, behind the header (ply_header.c).
 * Elements may come in any order and have any further properties and lists, which are passed over,
 * but for texture coordinates, normals and colours (ply_attribute.c) and for numbers of faces that
 * make parts; the mesh has notes of elements that are passed over whole.
 * Source: Turk, The PLY Polygon File Format (1994); tristrips as in the Stanford files: a negative
 * index begins a new strip. */
#include "lib/mesh/format/ply_reader.h"

#include "lib/base/error.h"

#include <inttypes.h>
#include <stdio.h>

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
    return sl_mesh_sink_bad_corner(builder, words);
}

static inline bool add_corner(sli_builder *builder, double index)
{
    if (!(index >= 0.0 && index < (double)SL_NONE && index == (double)(uint32_t)index)) {
        return add_bad_corner(builder, index);
    }
    return sl_mesh_sink_corner(builder, (uint32_t)index);
}

/* The name of a part or material: the number in digits, "" of one that is not whole. */
static bool name_number(sli_builder *builder, double number, uint32_t *name)
{
    char digits[24] = "";
    if (number >= -9e15 && number <= 9e15 && number == (double)(int64_t)number) {
        snprintf(digits, sizeof digits, "%" PRId64, (int64_t)number);
    }
    return sli_builder_name(builder, digits, strlen(digits), name);
}

/* The face that begins here belongs to a part of these numbers. */
static bool give_part(sli_ply_reader *in, const double numbers[2])
{
    if (in->row > 0 && memcmp(in->part, numbers, sizeof in->part) == 0) {
        return true;
    }
    memcpy(in->part, numbers, sizeof in->part);
    bool done = true;
    for (uint32_t i = 0; i < 2; i++) {
        done = done && ((in->element->roles & 1u << (SLI_PLY_PART + i)) == 0 ||
                        name_number(in->builder, numbers[i], &in->names[i]));
    }
    return done &&
           sli_builder_part(in->builder, (uint32_t[4]){ in->names[0], in->names[1], 0, SL_NONE });
}

/* Finds the texture coordinates and the part of the face that begins here; the cursor stays. */
static sl_result look_ahead(sli_ply_reader *in)
{
    const sli_text begin = in->text;
    double part[2] = { 0 };
    sl_result result = SL_OK;
    for (size_t i = 0; i < in->element->property_count && result == SL_OK; i++) {
        const sli_ply_property *property = &in->properties[in->element->first + i];
        uint64_t count = 1;
        if (property->count_type != SLI_PLY_NO_TYPE) {
            result = sli_ply_take_length(in, property, &count);
        }
        if (property->role == SLI_PLY_TEXCOORDS) {
            in->uvs = in->text;
            in->uv_count = count;
            in->uv_type = property->type;
            if (!sli_ply_has_parts(in->element)) {
                break;
            }
        }
        const bool is_part = property->role == SLI_PLY_PART || property->role == SLI_PLY_MATERIAL;
        result = result != SL_OK ? result
                 : is_part       ? sli_ply_take_optional(in, property->type,
                                                         &part[property->role - SLI_PLY_PART])
                                 : sli_ply_skip(in, property->type, count);
    }
    in->text = begin;
    return result != SL_OK || !sli_ply_has_parts(in->element)
               ? result
               : sli_built(in->builder, give_part(in, part));
}

/* The next two of them become a row. */
static sl_result take_texcoord(sli_ply_reader *in)
{
    const sli_text here = in->text;
    double uv[2];
    in->text = in->uvs;
    sl_result result = sli_ply_take_optional(in, in->uv_type, &uv[0]);
    result = result == SL_OK ? sli_ply_take_optional(in, in->uv_type, &uv[1]) : result;
    in->uvs = in->text;
    in->text = here;
    if (result != SL_OK) {
        return result;
    }
    return sli_built(in->builder, sli_builder_row(in->builder, SL_MESH_UVS, uv, 2));
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

static sl_result read_face(sli_ply_reader *in, const sli_ply_property *property)
{
    uint64_t length = 0;
    SLI_TRY(sli_ply_take_length(in, property, &length));
    SLI_TRY(sli_built(in->builder, sl_mesh_sink_face(in->builder)));
    /* A list of another length is none. */
    const bool uvs = (in->element->kept & SL_MESH_UVS) != 0 && in->uv_count == 2 * length;
    for (; length > 0; length--) {
        double index;
        SLI_TRY(sli_ply_take(in, property->type, &index));
        if (uvs) {
            SLI_TRY(take_texcoord(in));
            give_corner_rows(in->builder, index);
        }
        SLI_TRY(sli_built(in->builder, add_corner(in->builder, index)));
    }
    return SL_OK;
}

static bool at_row(sli_ply_reader *in)
{
    return sli_builder_at(in->builder, in->ascii ? in->text.line : SLI_NO_LINE,
                          sli_source_byte(in->source, in->text.at));
}

/* Every triangle of a strip is a face of its own; every other one runs backwards. */
static bool add_strip_triangle(sli_ply_reader *in, const double corners[3], bool backwards)
{
    sli_builder *builder = in->builder;
    return at_row(in) && sl_mesh_sink_face(builder) && add_corner(builder, corners[backwards]) &&
           add_corner(builder, corners[!backwards]) && add_corner(builder, corners[2]);
}

static sl_result read_strips(sli_ply_reader *in, const sli_ply_property *property)
{
    uint64_t length = 0;
    SLI_TRY(sli_ply_take_length(in, property, &length));
    double corners[3] = { 0 };
    uint64_t run = 0; /* indices in this strip so far */
    for (; length > 0; length--) {
        SLI_TRY(sli_ply_take(in, property->type, &corners[2]));
        const bool restart = corners[2] < 0.0 || corners[2] == (double)UINT32_MAX;
        if (!restart && run >= 2 && !add_strip_triangle(in, corners, run % 2 == 1)) {
            return in->builder->result;
        }
        run = restart ? 0 : run + 1;
        corners[0] = corners[1];
        corners[1] = corners[2];
    }
    return SL_OK;
}

/* ---- rows ---------------------------------------------------------------------------- */

static sl_result read_list(sli_ply_reader *in, const sli_ply_property *property)
{
    if (property->role == SLI_PLY_INDICES) {
        return in->element->kind == SLI_PLY_FACE ? read_face(in, property)
                                                 : read_strips(in, property);
    }
    uint64_t length = 0;
    SLI_TRY(sli_ply_take_length(in, property, &length));
    return sli_ply_skip(in, property->type, length);
}

static sl_result read_row(sli_ply_reader *in)
{
    double numbers[SLI_PLY_NUMBERS];
    if (in->element->kept != 0) {
        numbers[SLI_PLY_ALPHA] = in->header->colour_most[3];
    }
    if (in->element->kind == SLI_PLY_FACE &&
        (in->element->kept != 0 || sli_ply_has_parts(in->element))) {
        SLI_TRY(look_ahead(in));
    }
    for (size_t i = 0; i < in->element->property_count; i++) {
        const sli_ply_property *property = &in->properties[in->element->first + i];
        SLI_TRY(property->count_type != SLI_PLY_NO_TYPE ? read_list(in, property)
                : property->role <= SLI_PLY_Z
                    ? sli_ply_take(in, property->type, &numbers[property->role])
                : property->role < SLI_PLY_NUMBERS
                    ? sli_ply_take_optional(in, property->type, &numbers[property->role])
                    : sli_ply_skip(in, property->type, 1));
    }
    if (in->element->kind == SLI_PLY_VERTEX &&
        (!sl_mesh_sink_vertex(in->builder, numbers + SLI_PLY_X) ||
         (in->element->kept != 0 &&
          !sli_ply_give_rows(in->header, in->element->kept, in->builder, numbers)))) {
        return in->builder->result;
    }
    return SL_OK;
}

/* Rows that the rest of the file can hold, given the least bytes that one takes. */
static size_t ply_believable(const sli_ply_reader *in, size_t row_size)
{
    const uint64_t most = sli_ply_bytes_left(in) / row_size;
    return (size_t)(in->element->count < most ? in->element->count : most);
}

static bool ply_reserve(sli_ply_reader *in)
{
    const sli_ply_element *element = in->element;
    if (element->kind == SLI_PLY_VERTEX) {
        const size_t row_size = in->ascii ? 2 * element->property_count : element->row_size;
        return sli_builder_reserve(in->builder, ply_believable(in, row_size), 0);
    }
    if (element->kind == SLI_PLY_FACE) {
        /* "3 0 1 2\n", or a length and three indices of a byte each. */
        return sli_builder_reserve(in->builder, 0, ply_believable(in, in->ascii ? 8 : 4));
    }
    return true;
}

/* Rows of known size that are of no interest, or that the file is too short for. */
static sl_result check_fixed_rows(sli_ply_reader *in, bool *skipped)
{
    const sli_ply_element *element = in->element;
    const size_t size = element->row_size;
    if (size > 0 && element->count > sli_ply_bytes_left(in) / size) {
        const uint64_t whole = sli_ply_bytes_left(in) / size;
        const uint64_t rest = element->count - whole;
        in->row = whole;
        return sli_ply_fail_short(in, rest > UINT64_MAX / size
                                          ? UINT64_MAX
                                          : rest * size - sli_ply_bytes_left(in) % size);
    }
    *skipped = element->kind == SLI_PLY_OTHER;
    if (*skipped) {
        in->text.at += element->count * size;
    }
    return SL_OK;
}

/* Of an element that is passed over: lists and edges may be geometry, but for those that are known
 * to be none. */
static bool note_element(sli_ply_reader *in)
{
    static const char *const none[] = { "camera", "material", "texture", "multi_texture_vertex",
                                        "multi_texture_face" };
    const sli_ply_element *element = in->element;
    sli_text name = element->name;
    bool silent = element->kind != SLI_PLY_OTHER || element->count == 0;
    for (size_t i = 0; i < sizeof none / sizeof none[0] && !silent; i++) {
        silent = sli_text_take(&name, none[i], false);
    }
    const bool geometry = element->has_list || sli_text_take(&name, "edge", false);
    return silent ||
           sli_note_word(in->source, in->builder, geometry ? SL_NOTE_GEOMETRY : SL_NOTE_UNKNOWN,
                         &element->name, (size_t)element->count);
}

static sl_result read_element(sli_ply_reader *in)
{
    bool skipped = in->element->property_count == 0;
    sl_result result = sli_built(in->builder, note_element(in));
    if (result == SL_OK && !in->ascii && !in->element->has_list) {
        result = check_fixed_rows(in, &skipped);
    }
    if (result == SL_OK && !skipped && !ply_reserve(in)) {
        result = in->builder->result;
    }
    for (in->row = 0; result == SL_OK && !skipped && in->row < in->element->count; in->row++) {
        if (in->ascii) {
            sli_text_skip_space(&in->text);
        }
        SLI_TRY(sli_built(in->builder, at_row(in)));
        result = read_row(in);
    }
    return result;
}

static sl_result ply_load(const sli_source *source, sli_builder *builder, sl_error *error)
{
    sli_ply_reader in = { .source = source, .builder = builder, .error = error };
    in.text = sli_source_text(source);
    sli_ply_header header;
    sl_result result = sli_ply_read_header(&in.text, &builder->allocator, &header, error);
    in.ascii = header.encoding == SLI_PLY_ASCII;
    in.text.line = in.ascii ? in.text.line : SLI_NO_LINE;
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
    sli_builder_drop_lone_part(builder);
    sli_ply_free_header(&header);
    return SLI_THEN(result, sli_built(builder, sli_note_rest(source, builder, in.text)));
}

static bool ply_recognise(const sli_source *source)
{
    sli_text text = sli_source_text(source);
    return sli_text_take(&text, "ply", false);
}

const sli_format sli_format_ply = {
    .name = "ply", .ending = ".ply", .recognise = ply_recognise, .load = ply_load
};
