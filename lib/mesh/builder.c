/* builder.c: collects vertices and faces in growing arrays, makes fans of polygons, and moves and
 * rounds coordinates; for every format that is read. */
#include "lib/mesh/builder.h"

#include "lib/base/error.h"
#include "lib/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OF_OUR_OWN = 1 << 16 }; /* bytes that any loading takes beside source and arrays */

static const size_t most_vertices = 0xFFFFFFFEu, most_triangles = 0x7FFFFFFFu;

void sli_builder_open(sli_builder *builder, const sl_mesh_def *def, size_t size, sli_fpenv caller)
{
    *builder = (sli_builder){ .allocator = def->hooks.allocator,
                              .progress = def->hooks.progress,
                              .caller = caller,
                              .recentre = def->recentre,
                              .keep = SLI_KEEPABLE & ~def->drop,
                              .size = size,
                              .part = { 0, 0, 0, SL_NONE },
                              .memory = sli_add_product(OF_OUR_OWN, size, 1),
                              .fixed_memory = def->max_memory > 0,
                              .max_memory = sli_builder_max_memory(def, size),
                              .result = SL_OK };
}

void sli_builder_close(sli_builder *builder)
{
    sli_mesh_parts_free(&builder->parts, &builder->allocator);
    sli_free_array(&builder->allocator, builder->wide, builder->wide_capacity, sizeof(double));
    builder->parts = (sli_mesh_parts){ 0 };
    builder->wide = NULL;
    builder->wide_capacity = 0;
}

static bool grow_vertices(sli_builder *builder, size_t count)
{
    sli_mesh_parts *parts = &builder->parts;
    return builder->recentre ? sli_builder_grow(builder, &builder->wide, &builder->wide_capacity,
                                                3 * count, sizeof *builder->wide)
                             : sli_builder_grow(builder, &parts->xyz, &parts->xyz_capacity,
                                                3 * count, sizeof *parts->xyz);
}

static bool grow_indices(sli_builder *builder, size_t count)
{
    sli_mesh_parts *parts = &builder->parts;
    return sli_builder_grow(builder, &parts->indices, &parts->indices_capacity, 3 * count,
                            sizeof *parts->indices);
}

static bool grow_faces(sli_builder *builder, size_t count)
{
    sli_mesh_parts *parts = &builder->parts;
    return sli_builder_grow(builder, &parts->faces, &parts->faces_capacity, count,
                            sizeof *parts->faces);
}

bool sli_builder_reserve(sli_builder *builder, size_t vertices, size_t triangles)
{
    const sli_mesh_parts *parts = &builder->parts;
    return builder->locate != NULL || (grow_vertices(builder, parts->vertex_count + vertices) &&
                                       grow_indices(builder, parts->triangle_count + triangles));
}

/* Rounds once, and remembers the largest move of a coordinate that stays finite. */
static void round_vertex(sli_mesh_parts *parts, const double xyz[3], float to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = (float)xyz[axis];
        const double moved = fabs(xyz[axis] - (double)to[axis]);
        if (moved > parts->rounding && isfinite(to[axis])) {
            parts->rounding = moved;
        }
    }
}

static void locate_vertex(sli_builder *builder, const double xyz[3])
{
    sli_locate *locate = builder->locate;
    for (int corner = 0; corner < 3 && locate->vertices_wanted; corner++) {
        if (locate->corners[corner] == builder->parts.vertex_count) {
            locate->vertices[corner].line = builder->line;
            locate->vertices[corner].byte = (int64_t)builder->byte;
            memcpy(locate->vertices[corner].xyz, xyz, 3 * sizeof xyz[0]);
        }
    }
}

bool sl_mesh_sink_vertex(sli_builder *builder, const double xyz[3])
{
    sli_mesh_parts *parts = &builder->parts;
    const size_t vertex = parts->vertex_count;
    if (vertex == most_vertices) {
        return sli_builder_stop(builder, SL_TOO_LARGE);
    }
    if (builder->locate != NULL) {
        locate_vertex(builder, xyz);
    } else if (!grow_vertices(builder, vertex + 1)) {
        return false;
    } else if (builder->recentre) {
        memcpy(builder->wide + 3 * vertex, xyz, 3 * sizeof xyz[0]);
    } else {
        round_vertex(parts, xyz, parts->xyz + 3 * vertex);
    }
    parts->vertex_count++;
    return true;
}

/* The face in progress, if there is one, has no more corners. */
static bool end_face(sli_builder *builder)
{
    return builder->corner_count >= 3 || builder->parts.face_count == 0 ||
           sli_builder_note(builder, SL_NOTE_SHORT_FACES, NULL, 1, builder->face_line,
                            builder->face_byte);
}

bool sl_mesh_sink_face(sli_builder *builder)
{
    if (builder->parts.face_count == most_vertices) {
        return sli_builder_stop(builder, SL_TOO_LARGE);
    }
    if (!end_face(builder)) {
        return false;
    }
    builder->parts.face_count++;
    builder->corner_count = 0;
    builder->face_line = builder->line;
    builder->face_byte = builder->byte;
    return true;
}

/* From now on triangles and faces have different numbers: writes down those so far. */
static bool begin_face_map(sli_builder *builder)
{
    sli_mesh_parts *parts = &builder->parts;
    if (!grow_faces(builder, parts->triangle_count + 1)) {
        return false;
    }
    for (size_t i = 0; i < parts->triangle_count; i++) {
        parts->faces[i] = (uint32_t)i;
    }
    return true;
}

static bool keep_triangle(sli_builder *builder, const uint32_t corners[3])
{
    sli_mesh_parts *parts = &builder->parts;
    const size_t prim = parts->triangle_count;
    const size_t face = parts->face_count - 1;
    if (!grow_indices(builder, prim + 1) ||
        (builder->part_is_new && !sli_builder_begin_part(builder, prim))) {
        return false;
    }
    if (parts->faces == NULL && face != prim && !begin_face_map(builder)) {
        return false;
    }
    if (parts->faces != NULL) {
        if (!grow_faces(builder, prim + 1)) {
            return false;
        }
        parts->faces[prim] = (uint32_t)face;
    }
    memcpy(parts->indices + 3 * prim, corners, 3 * sizeof corners[0]);
    return !builder->rows_given || sli_builder_keep_rows(builder, prim, corners);
}

static bool locate_triangle(sli_builder *builder, const uint32_t corners[3], const char *words)
{
    sli_locate *locate = builder->locate;
    if (locate->vertices_wanted || locate->prim != builder->parts.triangle_count) {
        return true;
    }
    locate->found = true;
    locate->face = builder->parts.face_count - 1;
    locate->line = builder->line;
    locate->byte = (int64_t)builder->byte;
    memcpy(locate->corners, corners, sizeof locate->corners);
    memcpy(locate->words, builder->words, sizeof builder->words);
    snprintf(locate->words[2], sizeof locate->words[2], "%s", words);
    return sli_builder_stop(builder, SL_CANCELLED);
}

static bool builder_triangle(sli_builder *builder, const uint32_t corners[3], const char *words)
{
    if (builder->parts.triangle_count == most_triangles) {
        return sli_builder_stop(builder, SL_TOO_LARGE);
    }
    if (builder->locate != NULL ? !locate_triangle(builder, corners, words)
                                : !keep_triangle(builder, corners)) {
        return false;
    }
    builder->parts.triangle_count++;
    return true;
}

static bool add_corner(sli_builder *builder, uint32_t vertex, const char *words)
{
    const size_t corner = builder->corner_count++;
    if (builder->rows_given) {
        sli_builder_next_rows(builder, vertex);
    }
    if (corner >= 2) {
        const uint32_t corners[3] = { builder->first, builder->previous, vertex };
        if (!builder_triangle(builder, corners, words)) {
            return false;
        }
    }
    if (corner == 0) {
        builder->first = vertex;
    } else {
        builder->previous = vertex;
    }
    if (builder->rows_given) {
        memcpy(builder->rows[corner > 0], builder->rows[2], sizeof builder->rows[2]);
    }
    if (builder->locate != NULL) {
        char *slot = builder->words[corner > 0];
        snprintf(slot, sizeof builder->words[0], "%s", words);
    }
    return true;
}

bool sl_mesh_sink_corner(sli_builder *builder, uint32_t vertex)
{
    return add_corner(builder, vertex, "");
}

bool sl_mesh_sink_bad_corner(sli_builder *builder, const char *words)
{
    return add_corner(builder, SL_NONE, words);
}

/* True where the float coordinates of vertex will be finite. */
static bool builder_fits(const sli_builder *builder, uint32_t vertex)
{
    if (vertex >= builder->parts.vertex_count) {
        return false;
    }
    const double *xyz = builder->wide + 3 * (size_t)vertex;
    return isfinite((float)xyz[0]) && isfinite((float)xyz[1]) && isfinite((float)xyz[2]);
}

/* The centre of the bounds of the triangles that are good; 0 where there are none. */
static void find_centre(const sli_builder *builder, double centre[3])
{
    const sli_mesh_parts *parts = &builder->parts;
    double min[3] = { INFINITY, INFINITY, INFINITY };
    double max[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (size_t prim = 0; prim < parts->triangle_count; prim++) {
        const uint32_t *corners = parts->indices + 3 * prim;
        if (!builder_fits(builder, corners[0]) || !builder_fits(builder, corners[1]) ||
            !builder_fits(builder, corners[2])) {
            continue;
        }
        for (int i = 0; i < 9; i++) {
            const double value = builder->wide[3 * (size_t)corners[i / 3] + (size_t)(i % 3)];
            min[i % 3] = value < min[i % 3] ? value : min[i % 3];
            max[i % 3] = value > max[i % 3] ? value : max[i % 3];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        const double middle = min[axis] * 0.5 + max[axis] * 0.5;
        centre[axis] = min[axis] <= max[axis] ? middle : 0.0;
    }
}

static bool note_no_triangles(sli_builder *builder)
{
    return builder->parts.triangle_count > 0 ||
           sli_builder_note(builder, SL_NOTE_NO_TRIANGLES, NULL, builder->parts.vertex_count,
                            SLI_NO_LINE, (size_t)SLI_NO_BYTE);
}

bool sli_builder_settle(sli_builder *builder)
{
    sli_mesh_parts *parts = &builder->parts;
    /* An empty mesh has arrays too. */
    if (!end_face(builder) || !note_no_triangles(builder) ||
        !grow_vertices(builder, parts->vertex_count + 1) ||
        !grow_indices(builder, parts->triangle_count + 1) || !sli_builder_settle_rows(builder)) {
        return false;
    }
    if (!builder->recentre) {
        return true;
    }
    find_centre(builder, parts->origin);
    const size_t count = 3 * parts->vertex_count;
    if (!sli_builder_spend(builder, count * sizeof(float))) {
        return false;
    }
    parts->xyz = sli_alloc_array(&builder->allocator, count, sizeof(float));
    if (parts->xyz == NULL) {
        return sli_builder_stop(builder, SL_OUT_OF_MEMORY);
    }
    parts->xyz_capacity = count;
    for (size_t vertex = 0; vertex < parts->vertex_count; vertex++) {
        double moved[3];
        for (size_t axis = 0; axis < 3; axis++) {
            moved[axis] = builder->wide[3 * vertex + axis] - parts->origin[axis];
        }
        round_vertex(parts, moved, parts->xyz + 3 * vertex);
    }
    sli_free_array(&builder->allocator, builder->wide, builder->wide_capacity, sizeof(double));
    builder->wide = NULL;
    builder->wide_capacity = 0;
    return true;
}

bool sli_builder_end(sli_builder *builder)
{
    builder->byte = builder->size;
    return sli_builder_report(builder);
}
