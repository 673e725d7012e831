/* builder_row.c: rows of texture coordinates, normals and colours, and which of them the corners of
 * triangles have.
 *
 * Indices are written only from the first triangle on that has another row than its vertices'; most
 * files either have none such or all.  Until then a kind is in one of three states. */
#include "lib/mesh/builder.h"

#include <string.h>

enum {
    UNDECIDED, /* no triangle yet, or none whose corners were spoken of */
    BY_VERTEX, /* every corner so far has the row of its vertex */
    WITHOUT,   /* every corner so far has none */
    BY_CORNER  /* indices are written */
};

bool sli_builder_row(sli_builder *builder, uint32_t kind, const double *values, size_t components)
{
    const size_t slot = sli_slot(kind), wanted = sli_components(slot);
    sli_attribute *of = &builder->parts.kept.of[slot];
    builder->parts.attributes |= kind;
    if ((sli_builder_keeps(builder) & kind) == 0) {
        return true;
    }
    if (of->count == SLI_ROWS_MAX) {
        return sli_builder_stop(builder, SL_TOO_LARGE);
    }
    if (!sli_builder_grow(builder, &of->values, &of->values_capacity, wanted * (of->count + 1),
                          sizeof *of->values)) {
        return false;
    }
    float *row = of->values + wanted * of->count++;
    for (size_t i = 0; i < wanted; i++) {
        row[i] = i < components ? (float)values[i] : i == 3 ? 1.0f : 0.0f;
    }
    return true;
}

/* The row of a corner for which the file gives none. */
static uint32_t usual_row(const sli_builder *builder, size_t slot, uint32_t vertex)
{
    return (builder->by_corner & sli_kind(slot)) != 0 ? SL_NONE : vertex;
}

void sli_builder_rows(sli_builder *builder, const uint32_t rows[3])
{
    if (builder->keep == 0 || builder->locate != NULL) {
        return;
    }
    for (size_t slot = 0; slot < SLI_KINDS && !builder->rows_given; slot++) {
        builder->rows[0][slot] = usual_row(builder, slot, builder->first);
        builder->rows[1][slot] = usual_row(builder, slot, builder->previous);
    }
    builder->rows_given = builder->next_given = true;
    memcpy(builder->rows[2], rows, sizeof builder->rows[2]);
}

void sli_builder_next_rows(sli_builder *builder, uint32_t vertex)
{
    for (size_t slot = 0; slot < SLI_KINDS && !builder->next_given; slot++) {
        builder->rows[2][slot] = usual_row(builder, slot, vertex);
    }
    builder->next_given = false;
}

/* Indices for that many triangles in all. */
static bool builder_row_grow(sli_builder *builder, sli_attribute *of, size_t triangles)
{
    return sli_builder_grow(builder, &of->indices, &of->indices_capacity, 3 * triangles,
                            sizeof *of->indices);
}

/* Writes down what the first triangles have, whose state is known. */
static bool begin_indices(sli_builder *builder, size_t slot, size_t triangles)
{
    sli_attribute *of = &builder->parts.kept.of[slot];
    /* As many as there is room for triangles, so that they grow in step. */
    const size_t scratch = builder->parts.indices_capacity / 3;
    if (!builder_row_grow(builder, of, scratch > triangles ? scratch : triangles + 1)) {
        return false;
    }
    if (triangles > 0 && builder->row_state[slot] == BY_VERTEX) {
        memcpy(of->indices, builder->parts.indices, 3 * triangles * sizeof *of->indices);
    } else if (triangles > 0) {
        memset(of->indices, 0xFF, 3 * triangles * sizeof *of->indices);
    }
    builder->row_state[slot] = BY_CORNER;
    return true;
}

static bool keep_slot(sli_builder *builder, size_t slot, size_t prim, const uint32_t corners[3])
{
    const uint32_t rows[3] = { builder->rows[0][slot], builder->rows[1][slot],
                               builder->rows[2][slot] };
    uint8_t *state = &builder->row_state[slot];
    const bool by_vertex = rows[0] == corners[0] && rows[1] == corners[1] && rows[2] == corners[2];
    const bool without = rows[0] == SL_NONE && rows[1] == SL_NONE && rows[2] == SL_NONE;
    if (*state == UNDECIDED && prim > 0) {
        *state = usual_row(builder, slot, 0) == SL_NONE ? WITHOUT : BY_VERTEX;
    } else if (*state == UNDECIDED) {
        *state = without ? WITHOUT : BY_VERTEX;
    }
    if ((*state == BY_VERTEX && by_vertex) || (*state == WITHOUT && without)) {
        return true;
    }
    if (*state != BY_CORNER && !begin_indices(builder, slot, prim)) {
        return false;
    }
    sli_attribute *of = &builder->parts.kept.of[slot];
    if (!builder_row_grow(builder, of, prim + 1)) {
        return false;
    }
    memcpy(of->indices + 3 * prim, rows, sizeof rows);
    return true;
}

bool sli_builder_keep_rows(sli_builder *builder, size_t prim, const uint32_t corners[3])
{
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        if ((builder->keep & sli_kind(slot)) != 0 && !keep_slot(builder, slot, prim, corners)) {
            return false;
        }
    }
    return true;
}

/* Corners that name a row that there is not have none: no triangle depends on it. */
static void drop_missing(const sli_builder *builder, size_t slot)
{
    const sli_attribute *of = &builder->parts.kept.of[slot];
    for (size_t i = 0; i < 3 * builder->parts.triangle_count; i++) {
        of->indices[i] = of->indices[i] < of->count ? of->indices[i] : SL_NONE;
    }
}

/* Indices, where there are none yet: rows of vertices, fewer than there are vertices. */
static bool settle_corners(sli_builder *builder, size_t slot)
{
    if (builder->row_state[slot] != BY_CORNER) {
        builder->row_state[slot] = BY_VERTEX;
        if (!begin_indices(builder, slot, builder->parts.triangle_count)) {
            return false;
        }
    }
    drop_missing(builder, slot);
    return true;
}

bool sli_builder_settle_rows(sli_builder *builder)
{
    sli_mesh_parts *parts = &builder->parts;
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        sli_attribute *of = &parts->kept.of[slot];
        uint8_t state = builder->row_state[slot];
        if (state == UNDECIDED && usual_row(builder, slot, 0) == SL_NONE) {
            state = WITHOUT;
        }
        if (of->count == 0 || state == WITHOUT) {
            sli_attribute_free(of, &builder->allocator);
            *of = (sli_attribute){ 0 };
        } else if (state != BY_CORNER && of->count >= parts->vertex_count) {
            of->count = parts->vertex_count;
        } else if (!settle_corners(builder, slot)) {
            return false;
        }
    }
    return true;
}
