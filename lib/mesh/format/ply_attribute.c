/* format/ply_attribute.c: texture coordinates, normals and colours among the properties of a PLY
 * file, by the names that programs give them; for format/ply.c and ply_header.c. */
#include "lib/mesh/format/ply_header.h"

static const uint32_t normal_roles = 1u << SLI_PLY_NX | 1u << SLI_PLY_NY | 1u << SLI_PLY_NZ;
static const uint32_t uv_roles = 1u << SLI_PLY_U | 1u << SLI_PLY_V;
static const uint32_t rgb_roles = 1u << SLI_PLY_RED | 1u << SLI_PLY_GREEN | 1u << SLI_PLY_BLUE;

sli_ply_role sli_ply_take_attribute(sli_text *text, sli_ply_kind kind, bool list, bool *other)
{
    static const struct {
        const char *word;
        sli_ply_role role;
    } names[] = {
        { "nx", SLI_PLY_NX },
        { "ny", SLI_PLY_NY },
        { "nz", SLI_PLY_NZ },
        { "s", SLI_PLY_U },
        { "t", SLI_PLY_V },
        { "u", SLI_PLY_U },
        { "v", SLI_PLY_V },
        { "texture_u", SLI_PLY_U },
        { "texture_v", SLI_PLY_V },
        { "texture_s", SLI_PLY_U },
        { "texture_t", SLI_PLY_V },
        { "red", SLI_PLY_RED },
        { "green", SLI_PLY_GREEN },
        { "blue", SLI_PLY_BLUE },
        { "alpha", SLI_PLY_ALPHA },
        { "r", SLI_PLY_RED },
        { "g", SLI_PLY_GREEN },
        { "b", SLI_PLY_BLUE },
        { "a", SLI_PLY_ALPHA },
        { "diffuse_red", SLI_PLY_RED },
        { "diffuse_green", SLI_PLY_GREEN },
        { "diffuse_blue", SLI_PLY_BLUE },
        { "diffuse_alpha", SLI_PLY_ALPHA },
        { "texcoord", SLI_PLY_TEXCOORDS },
    };
    *other = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && kind != SLI_PLY_OTHER; i++) {
        if (sli_text_take(text, names[i].word, false)) {
            const bool of_face = names[i].role == SLI_PLY_TEXCOORDS;
            if (list == of_face && kind == (of_face ? SLI_PLY_FACE : SLI_PLY_VERTEX)) {
                return names[i].role;
            }
            *other = true;
            return SLI_PLY_NO_ROLE;
        }
    }
    return SLI_PLY_NO_ROLE;
}

static bool has_all(const sli_ply_element *element, uint32_t roles)
{
    return (element->roles & roles) == roles;
}

/* The kinds that the rows of an element have, whole. */
static uint32_t kinds_of(const sli_ply_element *element)
{
    if (element->kind == SLI_PLY_FACE) {
        return has_all(element, 1u << SLI_PLY_TEXCOORDS) ? SL_MESH_UVS : 0;
    }
    return (has_all(element, normal_roles) ? SL_MESH_NORMALS : 0u) |
           (has_all(element, uv_roles) ? SL_MESH_UVS : 0u) |
           (has_all(element, rgb_roles) ? SL_MESH_COLOURS : 0u);
}

/* Whether they have a part of a kind. */
static bool has_parts(const sli_ply_element *element)
{
    const uint32_t of_all[] = { normal_roles, uv_roles, rgb_roles };
    bool parts = false;
    for (size_t i = 0; i < sizeof of_all / sizeof of_all[0]; i++) {
        parts |= (element->roles & of_all[i]) != 0 && !has_all(element, of_all[i]);
    }
    return parts;
}

static uint32_t kind_of_role(sli_ply_role role)
{
    return role < SLI_PLY_NX || role == SLI_PLY_INDICES ? 0
           : role <= SLI_PLY_NZ                         ? SL_MESH_NORMALS
           : role <= SLI_PLY_V                          ? SL_MESH_UVS
           : role <= SLI_PLY_ALPHA                      ? SL_MESH_COLOURS
           : role == SLI_PLY_TEXCOORDS                  ? SL_MESH_UVS
                                                        : 0;
}

/* Integers stand for fractions of the largest one of their type; but those of 32 bits for bytes,
 * which their writer has not narrowed. */
static double most_of(uint8_t type)
{
    static const double most[] = { 127, 255, 32767, 65535, 255, 255, 1, 1 };
    return type < SLI_PLY_NO_TYPE ? most[type] : 1;
}

static void choose_in(sli_ply_header *header, sli_ply_element *element)
{
    for (size_t i = 0; i < element->property_count; i++) {
        sli_ply_property *property = &header->properties[element->first + i];
        const uint32_t kind = kind_of_role((sli_ply_role)property->role);
        if (kind != 0 && (element->kept & kind) == 0) {
            element->roles &= ~(1u << property->role);
            property->role = SLI_PLY_NO_ROLE;
        } else if (kind == SL_MESH_COLOURS) {
            header->colour_most[property->role - SLI_PLY_RED] = most_of(property->type);
        }
    }
}

void sli_ply_choose_attributes(sli_ply_header *header, uint32_t wanted)
{
    for (size_t i = 0; i < header->element_count; i++) {
        const sli_ply_element *element = &header->elements[i];
        header->uvs_by_corner |=
            element->kind == SLI_PLY_FACE && element->count > 0 && kinds_of(element) != 0;
    }
    for (size_t i = 0; i < header->element_count; i++) {
        sli_ply_element *element = &header->elements[i];
        uint32_t kinds = kinds_of(element);
        header->attributes |= kinds | (has_parts(element) ? SL_MESH_OTHER : 0u);
        if (header->uvs_by_corner && element->kind == SLI_PLY_VERTEX &&
            (kinds & SL_MESH_UVS) != 0) {
            /* Those of corners are the more particular. */
            kinds &= ~(uint32_t)SL_MESH_UVS;
            header->attributes |= SL_MESH_OTHER;
        }
        element->kept = kinds & wanted;
        choose_in(header, element);
    }
}

bool sli_ply_give_rows(const sli_ply_header *header, uint32_t kept, sli_builder *builder,
                       const double numbers[SLI_PLY_NUMBERS])
{
    bool done = true;
    if ((kept & SL_MESH_NORMALS) != 0) {
        done = sli_builder_row(builder, SL_MESH_NORMALS, numbers + SLI_PLY_NX, 3);
    }
    if (done && (kept & SL_MESH_UVS) != 0) {
        done = sli_builder_row(builder, SL_MESH_UVS, numbers + SLI_PLY_U, 2);
    }
    if (done && (kept & SL_MESH_COLOURS) != 0) {
        double colour[4];
        for (int i = 0; i < 4; i++) {
            colour[i] = numbers[SLI_PLY_RED + i] / header->colour_most[i];
        }
        done = sli_builder_row(builder, SL_MESH_COLOURS, colour, 4);
    }
    return done;
}
