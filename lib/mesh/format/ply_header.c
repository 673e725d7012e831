/* format/ply_header.c: the header of a PLY file: elements, their properties, and where the rows
 * begin; for format/ply.c. */
#include "lib/mesh/format/ply_header.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <inttypes.h>

static const struct {
    const char *name, *other_name;
    size_t size;
} types[SLI_PLY_NO_TYPE] = {
    [SLI_PLY_INT8] = { "char", "int8", 1 },        [SLI_PLY_UINT8] = { "uchar", "uint8", 1 },
    [SLI_PLY_INT16] = { "short", "int16", 2 },     [SLI_PLY_UINT16] = { "ushort", "uint16", 2 },
    [SLI_PLY_INT32] = { "int", "int32", 4 },       [SLI_PLY_UINT32] = { "uint", "uint32", 4 },
    [SLI_PLY_FLOAT32] = { "float", "float32", 4 }, [SLI_PLY_FLOAT64] = { "double", "float64", 8 },
};

size_t sli_ply_type_size(sli_ply_type type)
{
    return types[type].size;
}

static sl_result take_type(sli_text *text, uint8_t *out, sl_error *error)
{
    sli_text_skip_blanks(text);
    for (int type = 0; type < SLI_PLY_NO_TYPE; type++) {
        if (sli_text_take(text, types[type].name, false) ||
            sli_text_take(text, types[type].other_name, false)) {
            *out = (uint8_t)type;
            return SL_OK;
        }
    }
    return sli_text_expected(
        text, "a type (char uchar short ushort int uint float double, or int8 ... float64)", error);
}

/* The rest of the line must be blank. */
static sl_result end_line(sli_text *text, sl_error *error)
{
    sli_text_skip_blanks(text);
    if (!sli_text_at_line_end(text)) {
        return sli_text_expected(text, "the end of the line", error);
    }
    sli_text_skip_line(text);
    return SL_OK;
}

static sl_result read_format(sli_text *text, sli_ply_header *header, sl_error *error)
{
    sli_text_skip_blanks(text);
    if (header->encoding != SLI_PLY_NO_ENCODING) {
        return sli_text_fail(text, error, "a second format line; expected one");
    }
    if (sli_text_take(text, "ascii", false)) {
        header->encoding = SLI_PLY_ASCII;
    } else if (sli_text_take(text, "binary_little_endian", false)) {
        header->encoding = SLI_PLY_LITTLE;
    } else if (sli_text_take(text, "binary_big_endian", false)) {
        header->encoding = SLI_PLY_BIG;
    } else {
        return sli_text_expected(text, "ascii, binary_little_endian or binary_big_endian", error);
    }
    sli_text_skip_blanks(text);
    if (!sli_text_take(text, "1.0", false)) {
        return sli_text_expected(text, "version 1.0", error);
    }
    return end_line(text, error);
}

static sli_ply_kind take_kind(sli_text *text)
{
    if (sli_text_take(text, "vertex", false)) {
        return SLI_PLY_VERTEX;
    }
    if (sli_text_take(text, "face", false)) {
        return SLI_PLY_FACE;
    }
    if (sli_text_take(text, "tristrips", false)) {
        return SLI_PLY_STRIPS;
    }
    sli_text_skip_word(text);
    return SLI_PLY_OTHER;
}

static sl_result read_element(sli_text *text, sli_ply_header *header, sl_error *error)
{
    sli_ply_element element = { .first = header->property_count, .line = text->line };
    sli_text_skip_blanks(text);
    if (sli_text_at_line_end(text)) {
        return sli_text_expected(text, "the name of an element", error);
    }
    const sli_text name = element.name = *text;
    element.kind = take_kind(text);
    for (size_t i = 0; element.kind != SLI_PLY_OTHER && i < header->element_count; i++) {
        if (header->elements[i].kind == element.kind) {
            return sli_text_fail(text, error,
                                 "a second element %s; the first one stands in line %" PRId64,
                                 sli_text_quote(&name).text, header->elements[i].line);
        }
    }
    sli_text_skip_blanks(text);
    int64_t count = 0;
    const sli_text number = *text;
    SLI_TRY(sli_text_int(text, "the number of rows of the element", &count, error));
    if (count < 0) {
        return sli_text_expected(&number, "a count of 0 or more", error);
    }
    SLI_TRY(end_line(text, error));
    SLI_TRY(sli_had_memory(error, sli_grow_array(&header->allocator, &header->elements,
                                                 &header->element_capacity,
                                                 header->element_count + 1, sizeof element)));
    element.count = (uint64_t)count;
    header->elements[header->element_count++] = element;
    return SL_OK;
}

/* Numbers of faces by which scans (Replica, Matterport3D) and MeshLab tell objects and materials
 * apart. */
static sli_ply_role take_part_role(sli_text *text)
{
    static const char *const parts[] = { "object_id", "segment_id", "part_id" };
    static const char *const materials[] = { "material_index", "material_id", "texnumber" };
    for (size_t i = 0; i < 3; i++) {
        if (sli_text_take(text, parts[i], false)) {
            return SLI_PLY_PART;
        }
        if (sli_text_take(text, materials[i], false)) {
            return SLI_PLY_MATERIAL;
        }
    }
    return SLI_PLY_NO_ROLE;
}

static sli_ply_role take_role(sli_text *text, sli_ply_kind kind, bool list, bool *other)
{
    static const char *const axes[] = { "x", "y", "z" };
    for (int axis = 0; axis < 3 && kind == SLI_PLY_VERTEX && !list; axis++) {
        if (sli_text_take(text, axes[axis], false)) {
            return (sli_ply_role)(SLI_PLY_X + axis);
        }
    }
    if (list && (kind == SLI_PLY_FACE || kind == SLI_PLY_STRIPS) &&
        (sli_text_take(text, "vertex_indices", false) ||
         sli_text_take(text, "vertex_index", false))) {
        return SLI_PLY_INDICES;
    }
    if (!list && kind == SLI_PLY_FACE) {
        const sli_ply_role role = take_part_role(text);
        if (role != SLI_PLY_NO_ROLE) {
            return role;
        }
    }
    const sli_ply_role role = sli_ply_take_attribute(text, kind, list, other);
    if (role == SLI_PLY_NO_ROLE && !*other) {
        sli_text_skip_word(text);
    }
    return role;
}

static sl_result read_types(sli_text *text, sli_ply_property *property, sl_error *error)
{
    sli_text_skip_blanks(text);
    property->count_type = SLI_PLY_NO_TYPE;
    if (!sli_text_take(text, "list", false)) {
        return take_type(text, &property->type, error);
    }
    SLI_TRY(take_type(text, &property->count_type, error));
    return take_type(text, &property->type, error);
}

static sl_result add_property(sli_ply_header *header, const sli_ply_property *property,
                              sl_error *error)
{
    sli_ply_element *element = &header->elements[header->element_count - 1];
    SLI_TRY(sli_had_memory(error, sli_grow_array(&header->allocator, &header->properties,
                                                 &header->property_capacity,
                                                 header->property_count + 1, sizeof *property)));
    header->properties[header->property_count++] = *property;
    element->property_count++;
    element->row_size += sli_ply_type_size(property->type);
    element->has_list |= property->count_type != SLI_PLY_NO_TYPE;
    return SL_OK;
}

static sl_result read_property(sli_text *text, sli_ply_header *header, sl_error *error)
{
    if (header->element_count == 0) {
        return sli_text_fail(
            text, error, "a property before the first element; expected an element it belongs to");
    }
    sli_ply_element *element = &header->elements[header->element_count - 1];
    sli_ply_property property;
    SLI_TRY(read_types(text, &property, error));
    sli_text_skip_blanks(text);
    if (sli_text_at_line_end(text)) {
        return sli_text_expected(text, "the name of the property", error);
    }
    const sli_text name = *text;
    bool other = false;
    sli_ply_role role =
        take_role(text, element->kind, property.count_type != SLI_PLY_NO_TYPE, &other);
    const bool again = role != SLI_PLY_NO_ROLE && (element->roles & 1u << role) != 0;
    if (again && role > SLI_PLY_Z && role != SLI_PLY_INDICES) {
        other = role != SLI_PLY_PART && role != SLI_PLY_MATERIAL;
        role = SLI_PLY_NO_ROLE;
    } else if (again) {
        return sli_text_fail(text, error, "property %s for the second time in this element",
                             sli_text_quote(&name).text);
    }
    property.role = (uint8_t)role;
    element->roles |= 1u << role;
    header->attributes |= other ? SL_MESH_OTHER : 0u;
    SLI_TRY(end_line(text, error));
    return add_property(header, &property, error);
}

/* How lines end: some writers have \n\r, which the data behind the last one must not begin with. */
typedef enum ply_line_end { LINE_END_NEW_LINE, LINE_END_OLD_MAC, LINE_END_BACKWARDS } ply_line_end;

static ply_line_end find_line_end(const uint8_t *at, size_t left)
{
    return left > 1 && at[0] == '\r' && at[1] != '\n'                    ? LINE_END_OLD_MAC
           : left > 2 && at[0] == '\n' && at[1] == '\r' && at[2] != '\n' ? LINE_END_BACKWARDS
                                                                         : LINE_END_NEW_LINE;
}

/* Behind the line with end_header: only its own line end belongs to the header, since the data may
 * begin with a byte that looks like another one. */
static sl_result end_header(sli_text *text, ply_line_end line_end, sl_error *error)
{
    while (text->at < text->end &&
           (sli_is_blank(*text->at) || (*text->at == '\r' && line_end != LINE_END_OLD_MAC))) {
        text->at++;
    }
    if (text->at == text->end) {
        return SL_OK;
    }
    if (!sli_is_newline(*text->at)) {
        return sli_text_expected(text, "the end of the line behind end_header", error);
    }
    text->at++;
    text->at += line_end == LINE_END_BACKWARDS && text->at < text->end && *text->at == '\r';
    text->line++;
    return SL_OK;
}

static sl_result read_line(sli_text *text, sli_ply_header *header, sl_error *error)
{
    if (sli_text_take(text, "comment", false) || sli_text_take(text, "obj_info", false)) {
        sli_text_skip_line(text);
        return SL_OK;
    }
    if (sli_text_take(text, "format", false)) {
        return read_format(text, header, error);
    }
    if (sli_text_take(text, "element", false)) {
        return read_element(text, header, error);
    }
    if (sli_text_take(text, "property", false)) {
        return read_property(text, header, error);
    }
    return sli_text_expected(text, "format, element, property, comment, obj_info or end_header",
                             error);
}

/* What must have been declared. */
static sl_result ply_header_check(const sli_text *text, const sli_ply_header *header,
                                  sl_error *error)
{
    if (header->encoding == SLI_PLY_NO_ENCODING) {
        return sli_text_fail(text, error, "the header ends without a format line");
    }
    const uint32_t axes = 1u << SLI_PLY_X | 1u << SLI_PLY_Y | 1u << SLI_PLY_Z;
    bool vertices = false;
    for (size_t i = 0; i < header->element_count; i++) {
        const sli_ply_element *element = &header->elements[i];
        const bool faces = element->kind == SLI_PLY_FACE || element->kind == SLI_PLY_STRIPS;
        vertices |= element->kind == SLI_PLY_VERTEX;
        if (element->kind == SLI_PLY_VERTEX && (element->roles & axes) != axes) {
            const uint32_t missing = axes & ~element->roles;
            const char axis = (missing & 1u << SLI_PLY_X) != 0   ? 'x'
                              : (missing & 1u << SLI_PLY_Y) != 0 ? 'y'
                                                                 : 'z';
            return sli_fail(error, SL_BAD_DATA, text->name, element->line, SLI_NO_BYTE,
                            "element vertex has no property %c; expected x, y and z", axis);
        }
        if (faces && element->count > 0 && (element->roles & 1u << SLI_PLY_INDICES) == 0) {
            return sli_fail(error, SL_BAD_DATA, text->name, element->line, SLI_NO_BYTE,
                            "element %s has no list property vertex_indices (or vertex_index)",
                            element->kind == SLI_PLY_FACE ? "face" : "tristrips");
        }
    }
    if (!vertices) {
        return sli_text_fail(text, error, "the header declares no element vertex");
    }
    return SL_OK;
}

sl_result sli_ply_read_header(sli_text *text, const sl_allocator *allocator, sli_ply_header *out,
                              sl_error *error)
{
    *out = (sli_ply_header){ .allocator = *allocator, .colour_most = { 1, 1, 1, 1 } };
    if (!sli_text_take(text, "ply", true)) {
        return sli_text_expected(text, "the word ply", error);
    }
    const ply_line_end line_end = find_line_end(text->at, (size_t)(text->end - text->at));
    sl_result result = end_line(text, error);
    while (result == SL_OK) {
        sli_text_skip_space(text);
        if (text->at == text->end) {
            return sli_text_fail(text, error,
                                 "the file ends inside its header; expected end_header");
        }
        if (sli_text_take(text, "end_header", false)) {
            const sli_text last = *text;
            result = end_header(text, line_end, error);
            return result != SL_OK ? result : ply_header_check(&last, out, error);
        }
        result = read_line(text, out, error);
    }
    return result;
}

void sli_ply_free_header(sli_ply_header *header)
{
    sli_free_array(&header->allocator, header->elements, header->element_capacity,
                   sizeof *header->elements);
    sli_free_array(&header->allocator, header->properties, header->property_capacity,
                   sizeof *header->properties);
    *header = (sli_ply_header){ 0 };
}
