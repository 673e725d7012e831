/* attributes.h: tables of texture coordinates, normals and colours, as a mesh and its makers hold
 * them. */
#pragma once

#include <sightline/mesh.h>

enum {
    SLI_KEEPABLE = SL_MESH_NORMALS | SL_MESH_UVS | SL_MESH_COLOURS,
    SLI_KINDS = 3,
    SLI_COMPONENTS_MAX = 4
};

#define SLI_ROWS_MAX 0xFFFFFFFEu

/* One of the tables.  values NULL: there is none. */
typedef struct sli_attribute {
    float *values;     /* sli_components of its kind for each row */
    uint32_t *indices; /* three a triangle, SL_NONE for a corner without; NULL: row i is vertex i's,
                        * and there are as many as vertices */
    size_t count;      /* rows */
    size_t values_capacity, indices_capacity; /* as allocated, in items */
} sli_attribute;

/* Each in its slot. */
typedef struct sli_attributes {
    sli_attribute of[SLI_KINDS];
} sli_attributes;

/* The slot of a kind, which is one bit: 0 for normals, 1 for texture coordinates, 2 for colours. */
static inline size_t sli_slot(uint32_t kind)
{
    return kind >> 1;
}

static inline uint32_t sli_kind(size_t slot)
{
    return 1u << slot;
}

/* Floats in a row. */
static inline size_t sli_components(size_t slot)
{
    return slot == 0 ? 3 : slot == 1 ? 2 : 4;
}

/* As errors name the rows of a kind. */
const char *sli_attribute_name(size_t slot);

void sli_attribute_free(const sli_attribute *of, const sl_allocator *allocator);
void sli_attributes_free(const sli_attributes *attributes, const sl_allocator *allocator);

/* Makes room for count rows in a slot, and for indices of that many triangles unless that is 0;
 * contents unset.  False, with nothing to free but what was there, when out of memory. */
bool sli_attribute_alloc(sli_attributes *attributes, size_t slot, size_t count, size_t triangles,
                         const sl_allocator *allocator);
