/* ply_header.h: the header of a PLY file: which elements there are and what their rows are made
 * of. */
#pragma once

#include "lib/mesh/format/format.h"

typedef enum sli_ply_encoding {
    SLI_PLY_NO_ENCODING,
    SLI_PLY_ASCII,
    SLI_PLY_LITTLE,
    SLI_PLY_BIG
} sli_ply_encoding;

typedef enum sli_ply_type {
    SLI_PLY_INT8,
    SLI_PLY_UINT8,
    SLI_PLY_INT16,
    SLI_PLY_UINT16,
    SLI_PLY_INT32,
    SLI_PLY_UINT32,
    SLI_PLY_FLOAT32,
    SLI_PLY_FLOAT64,
    SLI_PLY_NO_TYPE
} sli_ply_type;

typedef enum sli_ply_kind {
    SLI_PLY_OTHER,
    SLI_PLY_VERTEX,
    SLI_PLY_FACE,
    SLI_PLY_STRIPS
} sli_ply_kind;

/* What a property is to us. */
typedef enum sli_ply_role {
    SLI_PLY_X,
    SLI_PLY_Y,
    SLI_PLY_Z,
    SLI_PLY_NX,
    SLI_PLY_NY,
    SLI_PLY_NZ,
    SLI_PLY_U,
    SLI_PLY_V,
    SLI_PLY_RED,
    SLI_PLY_GREEN,
    SLI_PLY_BLUE,
    SLI_PLY_ALPHA,
    SLI_PLY_PART, /* of a face: the name of its part, and its material */
    SLI_PLY_MATERIAL,
    SLI_PLY_NUMBERS, /* those above are single numbers of a vertex or face; below are lists */
    SLI_PLY_INDICES = SLI_PLY_NUMBERS,
    SLI_PLY_TEXCOORDS, /* of a face: two numbers for each corner */
    SLI_PLY_NO_ROLE
} sli_ply_role;

typedef struct sli_ply_property {
    uint8_t type, count_type; /* sli_ply_type; count_type is SLI_PLY_NO_TYPE unless it is a list */
    uint8_t role;
} sli_ply_property;

typedef struct sli_ply_element {
    sli_ply_kind kind;
    uint64_t count;
    size_t first, property_count; /* its properties */
    int64_t line;                 /* where it is declared */
    sli_text name;                /* a cursor at it */
    uint32_t roles;               /* bits: those that its properties have */
    uint32_t kept;                /* bits SL_MESH_...: kinds that a row has, and that are wanted */
    bool has_list;
    size_t row_size; /* in binary files, where there is no list */
} sli_ply_element;

typedef struct sli_ply_header {
    sl_allocator allocator;
    sli_ply_encoding encoding;
    sli_ply_element *elements;
    sli_ply_property *properties;
    size_t element_count, element_capacity;
    size_t property_count, property_capacity;
    uint32_t attributes;   /* bits SL_MESH_... that vertices and faces have */
    bool uvs_by_corner;    /* faces have them, in a list */
    double colour_most[4]; /* what red, green, blue and alpha of a vertex are divided by */
} sli_ply_header;

/* text: a cursor at the beginning of the file; behind the header afterwards. */
sl_result sli_ply_read_header(sli_text *text, const sl_allocator *allocator, sli_ply_header *out,
                              sl_error *error);
void sli_ply_free_header(sli_ply_header *header); /* a zeroed one is fine */

/* What a property of texture coordinates, normals or colours is, by the names in use; the cursor is
 * moved over its name if it is any.  *other: it is something of the kind that is never kept. */
sli_ply_role sli_ply_take_attribute(sli_text *text, sli_ply_kind kind, bool list, bool *other);

/* Whether faces have what makes parts. */
static inline bool sli_ply_has_parts(const sli_ply_element *element)
{
    return (element->roles & (1u << SLI_PLY_PART | 1u << SLI_PLY_MATERIAL)) != 0;
}

/* Behind the header: which kinds the file has, and what is wanted of them (bits of wanted).  The
 * properties of others lose their roles. */
void sli_ply_choose_attributes(sli_ply_header *header, uint32_t wanted);

/* Gives the builder what stands in the numbers of a vertex, by their roles. */
bool sli_ply_give_rows(const sli_ply_header *header, uint32_t kept, sli_builder *builder,
                       const double numbers[SLI_PLY_NUMBERS]);

size_t sli_ply_type_size(sli_ply_type type);
