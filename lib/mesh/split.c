/* split.c: sl_mesh_split_vertices: every attribute by vertex.
 *
 * A corner is its vertex and its rows, equal rows having one number; corners that are equal become
 * one vertex.  They are found by sorting (positions.h), in linear time on any input. */
#include "lib/base/error.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/mesh/mesh.h"
#include "lib/mesh/positions.h"

#include <sightline/mesh_repair.h>

#include <string.h>

enum { CORNER_WORDS = 1 + SLI_KINDS };

static const size_t most_vertices = 0xFFFFFFFEu;

typedef struct job {
    const sl_mesh *mesh;
    sl_split_def def;
    sli_stage stage;
    uint32_t *rows[SLI_KINDS]; /* of a table with indices: the first row with the same bits */
    size_t corner_count;
    /* corner_count; the first corner that is equal, SL_NONE of what was left out. */
    uint32_t *leads;
    uint32_t *corners; /* corner_count; the new vertex */
    /* New vertices: a corner that has it; the old ones before: SL_NONE, if none. */
    uint32_t *firsts;
    size_t vertex_count, added; /* old vertices, and new ones behind them */
} job;

/* For each item the first one that is equal, once the table is sorted. */
static void find_firsts(sli_table *table, sli_stage *stage, uint32_t *firsts)
{
    sli_table_sort(table, stage);
    for (size_t rank = 0; rank < table->count; rank++) {
        const uint32_t item = table->order[rank];
        firsts[item] = sli_table_repeats(table, rank) ? firsts[table->order[rank - 1]] : item;
    }
}

/* Gives equal rows of a slot one number. */
static bool number_rows(job *j, size_t slot)
{
    const sl_allocator *allocator = &j->def.hooks.allocator;
    const sli_attribute *of = &j->mesh->kept.of[slot];
    const size_t words = sli_components(slot);
    sli_table table;
    if (of->indices == NULL) {
        return true;
    }
    j->rows[slot] = sli_alloc_array(allocator, of->count, sizeof *j->rows[slot]);
    if (j->rows[slot] == NULL || !sli_table_alloc(allocator, of->count, words, &table)) {
        return false;
    }
    memcpy(table.items, of->values, of->count * words * sizeof *table.items);
    for (size_t i = 0; i < of->count; i++) {
        table.order[table.count++] = (uint32_t)i;
    }
    find_firsts(&table, &j->stage, j->rows[slot]);
    sli_table_free(allocator, &table);
    return true;
}

/* The row of a corner, as a number of what is told apart: SL_NONE where there is none, and 0 in a
 * table by vertex. */
static uint32_t row_of(const job *j, size_t slot, size_t corner)
{
    if (j->rows[slot] == NULL) {
        return 0;
    }
    const uint32_t row = j->mesh->kept.of[slot].indices[corner];
    return row != SL_NONE ? j->rows[slot][row] : SL_NONE;
}

static bool find_equal_corners(job *j)
{
    const sl_allocator *allocator = &j->def.hooks.allocator;
    sli_table table;
    if (!sli_table_alloc(allocator, j->corner_count, CORNER_WORDS, &table)) {
        return false;
    }
    memset(j->leads, 0xFF, j->corner_count * sizeof *j->leads);
    for (size_t i = 0; i < j->corner_count; i++) {
        uint32_t *item = table.items + CORNER_WORDS * i;
        item[0] = j->mesh->indices[i];
        for (size_t slot = 0; slot < SLI_KINDS; slot++) {
            item[1 + slot] = row_of(j, slot, i);
        }
        if (item[0] != SL_NONE) {
            table.order[table.count++] = (uint32_t)i;
        }
    }
    find_firsts(&table, &j->stage, j->leads);
    sli_table_free(allocator, &table);
    return true;
}

/* The first kind of corner at a vertex keeps its number.  False: there are too many. */
static bool number_vertices(job *j)
{
    memset(j->firsts, 0xFF, j->vertex_count * sizeof *j->firsts);
    for (size_t i = 0; i < j->corner_count; i++) {
        const uint32_t vertex = j->mesh->indices[i];
        if (j->leads[i] != i) {
            j->corners[i] = j->leads[i] != SL_NONE ? j->corners[j->leads[i]] : SL_NONE;
            continue;
        }
        const bool first = j->firsts[vertex] == SL_NONE;
        if (!first && j->vertex_count + j->added == most_vertices) {
            return false;
        }
        j->corners[i] = first ? vertex : (uint32_t)(j->vertex_count + j->added++);
        j->firsts[j->corners[i]] = (uint32_t)i;
    }
    return true;
}

static uint32_t source_of(const job *j, size_t vertex)
{
    return vertex < j->vertex_count ? (uint32_t)vertex : j->mesh->indices[j->firsts[vertex]];
}

/* The row of a new vertex, or SL_NONE. */
static uint32_t final_row(const job *j, size_t slot, size_t vertex)
{
    const sli_attribute *of = &j->mesh->kept.of[slot];
    return of->indices == NULL            ? source_of(j, vertex)
           : j->firsts[vertex] == SL_NONE ? SL_NONE
                                          : of->indices[j->firsts[vertex]];
}

static bool fill_attributes(const job *j, sli_mesh_parts *parts)
{
    static const float none[SLI_KINDS][SLI_COMPONENTS_MAX] = { { 0 }, { 0 }, { 1, 1, 1, 1 } };
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        const sli_attribute *of = &j->mesh->kept.of[slot];
        const size_t words = sli_components(slot);
        if (of->values == NULL) {
            continue;
        }
        if (!sli_attribute_alloc(&parts->kept, slot, parts->vertex_count, 0,
                                 &j->def.hooks.allocator)) {
            return false;
        }
        for (size_t i = 0; i < parts->vertex_count; i++) {
            const uint32_t row = final_row(j, slot, i);
            memcpy(parts->kept.of[slot].values + words * i,
                   row != SL_NONE ? of->values + words * row : none[slot],
                   words * sizeof *of->values);
        }
    }
    return true;
}

static bool fill_faces(const job *j, sli_mesh_parts *parts)
{
    if (j->mesh->faces == NULL) {
        return true;
    }
    parts->faces_capacity = parts->triangle_count;
    parts->faces =
        sli_alloc_array(&j->def.hooks.allocator, parts->faces_capacity, sizeof *parts->faces);
    if (parts->faces != NULL && parts->triangle_count > 0) {
        memcpy(parts->faces, j->mesh->faces, parts->triangle_count * sizeof *parts->faces);
    }
    return parts->faces != NULL;
}

static sl_result make_mesh(const job *j, sl_mesh **out, sl_error *error)
{
    const sl_mesh_info *info = &j->mesh->info;
    const sl_mesh_def def = { .hooks.allocator = j->def.hooks.allocator, .bad = SL_BAD_LEAVE_OUT };
    sli_mesh_parts parts;
    SLI_TRY(sli_mesh_parts_alloc(&parts, j->vertex_count + j->added, info->triangle_count,
                                 info->format, &def, error));
    parts.face_count = info->face_count;
    parts.rounding = info->rounding;
    parts.attributes = j->mesh->attributes;
    memcpy(parts.origin, info->origin, sizeof parts.origin);
    for (size_t i = 0; i < parts.vertex_count; i++) {
        memcpy(parts.xyz + 3 * i, j->mesh->xyz + 3 * (size_t)source_of(j, i), 3 * sizeof(float));
    }
    for (size_t i = 0; i < j->corner_count; i++) {
        parts.indices[i] = j->corners[i];
    }
    if (!fill_faces(j, &parts) || !fill_attributes(j, &parts) ||
        !sli_part_list_copy(&j->mesh->part_list, &def.hooks.allocator, &parts.list)) {
        sli_mesh_parts_free(&parts, &def.hooks.allocator);
        return sli_fail_memory(error);
    }
    return sli_mesh_finish(&parts, &def, NULL, NULL, NULL, out, error);
}

static sl_result split_run(job *j, sl_mesh **out, sl_error *error)
{
    bool memory = j->leads != NULL && j->corners != NULL && j->firsts != NULL;
    for (size_t slot = 0; slot < SLI_KINDS && memory; slot++) {
        memory = number_rows(j, slot);
    }
    if (!memory || !find_equal_corners(j)) {
        return sli_fail_memory(error);
    }
    if (!sli_stage_reach(&j->stage, 0.7f)) {
        return sli_fail_result(error, SL_CANCELLED);
    }
    if (!number_vertices(j)) {
        return sli_fail_plain(error, SL_TOO_LARGE, "more than %zu vertices", most_vertices);
    }
    const sl_result result = make_mesh(j, out, error);
    for (size_t i = 0; result == SL_OK && j->def.sources != NULL &&
                       i < j->vertex_count + j->added && i < j->def.source_capacity;
         i++) {
        j->def.sources[i] = source_of(j, i);
    }
    return result;
}

static sl_result split_check(const sl_mesh *mesh, const sl_split_def *def, sl_mesh **out, job *j,
                             sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    *j = (job){ .mesh = mesh };
    j->def = def != NULL ? *def : (sl_split_def){ 0 };
    if (mesh == NULL) {
        return sli_refuse(error, "mesh is NULL");
    }
    if (mesh->info.triangle_count > SL_NONE / 3) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; at most %lu can be split",
                              mesh->info.triangle_count, (unsigned long)(SL_NONE / 3));
    }
    SLI_TRY(sli_check_allocator(&j->def.hooks.allocator, error));
    j->def.hooks = sli_hooks(&j->def.hooks);
    j->stage = (sli_stage){ .hooks = &j->def.hooks, .name = "split" };
    j->corner_count = 3 * mesh->info.triangle_count;
    j->vertex_count = mesh->info.vertex_count;
    return SL_OK;
}

sl_result sl_mesh_split_vertices(const sl_mesh *mesh, const sl_split_def *def, sl_mesh **out,
                                 sl_error *error)
{
    job j;
    SLI_TRY(split_check(mesh, def, out, &j, error));
    const sl_allocator *allocator = &j.def.hooks.allocator;
    const size_t most = j.vertex_count + j.corner_count;
    j.leads = sli_alloc_array(allocator, j.corner_count, sizeof *j.leads);
    j.corners = sli_alloc_array(allocator, j.corner_count, sizeof *j.corners);
    j.firsts = sli_alloc_array(allocator, most, sizeof *j.firsts);
    const sl_result result = split_run(&j, out, error);
    for (size_t slot = 0; slot < SLI_KINDS; slot++) {
        sli_free_array(allocator, j.rows[slot], mesh->kept.of[slot].count, sizeof *j.rows[slot]);
    }
    sli_free_array(allocator, j.leads, j.corner_count, sizeof *j.leads);
    sli_free_array(allocator, j.corners, j.corner_count, sizeof *j.corners);
    sli_free_array(allocator, j.firsts, most, sizeof *j.firsts);
    return result;
}
