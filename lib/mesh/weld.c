/* weld.c: sl_mesh_weld: vertices at equal positions become one, and triangles without area,
 * duplicates and those left out are dropped on request. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"
#include "lib/mesh/mesh.h"
#include "lib/mesh/positions.h"

#include <sightline/mesh_repair.h>

#include <string.h>

static const uint32_t all_drops = SL_DROP_LEFT_OUT | SL_DROP_ZERO_AREA | SL_DROP_DUPLICATES;

typedef struct job {
    const sl_mesh *mesh;
    sl_weld_def def;
    sli_stage stage;
    uint32_t *corners;  /* numbers of positions; 3 * triangle_count */
    uint32_t *vertices; /* vertex_count; see number_vertices */
    uint32_t *firsts;   /* vertex_count; the first vertex that became each new one */
    uint8_t *drops;     /* triangle_count; the bit of SL_DROP_... for which it goes, 0: it stays */
    size_t distinct;    /* positions */
    size_t vertex_count, triangle_count; /* of the new mesh */
    sl_weld_report report;
} job;

/* Not inlined, since the caller brackets it with its floating-point environment. */
SLI_NOINLINE static void mark_zero_area(job *j)
{
    for (size_t prim = 0; prim < j->mesh->info.triangle_count; prim++) {
        sl_triangle t;
        if (sl_mesh_triangle(j->mesh, (uint32_t)prim, &t) &&
            sli_zero_area(t.v[0], t.v[1], t.v[2])) {
            j->drops[prim] = SL_DROP_ZERO_AREA;
            j->report.zero_area++;
        }
    }
}

static void mark_left_out(job *j)
{
    for (size_t prim = 0; prim < j->mesh->info.triangle_count; prim++) {
        if (sli_mesh_leaves_out(j->mesh, prim)) {
            j->drops[prim] = SL_DROP_LEFT_OUT;
            j->report.left_out++;
        }
    }
}

/* Of those that are still there; equal ones stay in rising order when sorted. */
static bool mark_duplicates(job *j)
{
    const size_t count = j->mesh->info.triangle_count;
    sli_table triangles;
    if (!sli_table_alloc(&j->def.hooks.allocator, count, 3, &triangles)) {
        return false;
    }
    for (size_t prim = 0; prim < count; prim++) {
        sli_table_set_triple(&triangles, prim, j->corners + 3 * prim);
        if (j->drops[prim] == 0 && !sli_mesh_leaves_out(j->mesh, prim)) {
            triangles.order[triangles.count++] = (uint32_t)prim;
        }
    }
    sli_table_sort(&triangles, &j->stage);
    for (size_t rank = 0; rank < triangles.count; rank++) {
        if (sli_table_repeats(&triangles, rank)) {
            j->drops[triangles.order[rank]] = SL_DROP_DUPLICATES;
            j->report.duplicates++;
        }
    }
    sli_table_free(&j->def.hooks.allocator, &triangles);
    return true;
}

static sl_result mark_triangles(job *j)
{
    const size_t count = j->mesh->info.triangle_count;
    memset(j->drops, 0, count);
    if ((j->def.drop & SL_DROP_LEFT_OUT) != 0) {
        mark_left_out(j);
    }
    if ((j->def.drop & SL_DROP_ZERO_AREA) != 0) {
        SLI_DO_IN_FPENV(mark_zero_area(j));
    }
    if ((j->def.drop & SL_DROP_DUPLICATES) != 0 && !mark_duplicates(j)) {
        return SL_OUT_OF_MEMORY;
    }
    j->triangle_count = count - j->report.left_out - j->report.zero_area - j->report.duplicates;
    return SL_OK;
}

/* Sets vertices[i] to the new number of vertex i, or SL_NONE.  On the way it is the number of the
 * vertex's position, and first[position] the first vertex there. */
static sl_result number_vertices(job *j)
{
    const size_t count = j->mesh->info.vertex_count;
    uint32_t *first = sli_alloc_array(&j->def.hooks.allocator, j->distinct, sizeof *first);
    if (first == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    memset(j->vertices, 0xFF, count * sizeof *j->vertices);
    for (size_t i = 0; i < 3 * j->mesh->info.triangle_count; i++) {
        if (j->drops[i / 3] == 0 && j->corners[i] != SL_NONE) {
            j->vertices[j->mesh->indices[i]] = j->corners[i];
        }
    }
    for (size_t i = count; i-- > 0;) {
        if (j->vertices[i] != SL_NONE) {
            first[j->vertices[i]] = (uint32_t)i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (j->vertices[i] == SL_NONE) {
            j->report.unused_vertices++;
        } else if (first[j->vertices[i]] == i) {
            j->firsts[j->vertex_count] = (uint32_t)i;
            j->vertices[i] = (uint32_t)j->vertex_count++;
        } else {
            j->vertices[i] = j->vertices[first[j->vertices[i]]];
            j->report.merged_vertices++;
        }
    }
    sli_free_array(&j->def.hooks.allocator, first, j->distinct, sizeof *first);
    return SL_OK;
}

static void fill_vertices(const job *j, float *xyz)
{
    for (size_t i = 0; i < j->vertex_count; i++) {
        memcpy(xyz + 3 * i, j->mesh->xyz + 3 * (size_t)j->firsts[i], 3 * sizeof *xyz);
    }
}

static void fill_triangles(const job *j, const sli_mesh_parts *parts)
{
    size_t next = 0;
    for (size_t prim = 0; prim < j->mesh->info.triangle_count; prim++) {
        if (j->drops[prim] != 0) {
            continue;
        }
        for (size_t corner = 0; corner < 3; corner++) {
            const uint32_t vertex = j->mesh->indices[3 * prim + corner];
            parts->indices[3 * next + corner] = vertex != SL_NONE ? j->vertices[vertex] : SL_NONE;
        }
        if (parts->faces != NULL) {
            parts->faces[next] = sl_mesh_face(j->mesh, (uint32_t)prim);
        }
        next++;
    }
}

/* The parts that have triangles still. */
static bool weld_parts(const job *j, sli_part_list *list)
{
    size_t count = 0, prim = 0;
    uint32_t next = 0;
    if (!sli_part_list_copy(&j->mesh->part_list, &j->def.hooks.allocator, list)) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const size_t end = sli_part_end(j->mesh, i);
        const uint32_t first = next;
        for (; prim < end; prim++) {
            next += j->drops[prim] == 0;
        }
        list->rows[count] = list->rows[i];
        list->rows[count].first = first;
        count += next > first;
    }
    list->count = count;
    return true;
}

/* Whether vertices that became one have rows of equal bits. */
static bool merged_agree(const job *j, size_t slot)
{
    const size_t row = sli_components(slot);
    const float *values = j->mesh->kept.of[slot].values;
    bool agree = true;
    for (size_t i = 0; i < j->mesh->info.vertex_count && agree; i++) {
        const uint32_t to = j->vertices[i];
        agree = to == SL_NONE || memcmp(values + row * i, values + row * (size_t)j->firsts[to],
                                        row * sizeof *values) == 0;
    }
    return agree;
}

/* The rows of the vertices that stay. */
static bool weld_by_vertex(const job *j, sli_mesh_parts *parts, size_t slot)
{
    const size_t row = sli_components(slot);
    const float *from = j->mesh->kept.of[slot].values;
    if (!sli_attribute_alloc(&parts->kept, slot, j->vertex_count, 0, &j->def.hooks.allocator)) {
        return false;
    }
    for (size_t i = 0; i < j->vertex_count; i++) {
        memcpy(parts->kept.of[slot].values + row * i, from + row * (size_t)j->firsts[i],
               row * sizeof *from);
    }
    return true;
}

/* The whole table, and the rows of the corners that stay: those that they name, or those of the
 * vertices that they had. */
static bool weld_by_corner(const job *j, sli_mesh_parts *parts, size_t slot)
{
    const sli_attribute *from = &j->mesh->kept.of[slot];
    const uint32_t *rows = from->indices != NULL ? from->indices : j->mesh->indices;
    /* One triangle more: there are indices even where none stays. */
    if (!sli_attribute_alloc(&parts->kept, slot, from->count, j->triangle_count + 1,
                             &j->def.hooks.allocator)) {
        return false;
    }
    const sli_attribute *to = &parts->kept.of[slot];
    memcpy(to->values, from->values, from->count * sli_components(slot) * sizeof *to->values);
    size_t next = 0;
    for (size_t prim = 0; prim < j->mesh->info.triangle_count; prim++) {
        if (j->drops[prim] == 0) {
            memcpy(to->indices + 3 * next++, rows + 3 * prim, 3 * sizeof *rows);
        }
    }
    return true;
}

static bool weld_attributes(const job *j, sli_mesh_parts *parts)
{
    bool done = true;
    for (size_t slot = 0; slot < SLI_KINDS && done; slot++) {
        const sli_attribute *from = &j->mesh->kept.of[slot];
        if (from->values != NULL) {
            done = from->indices == NULL && merged_agree(j, slot) ? weld_by_vertex(j, parts, slot)
                                                                  : weld_by_corner(j, parts, slot);
        }
    }
    return done;
}

/* Those that were left out before, and stay, are left out again. */
static sl_result make_mesh(const job *j, sl_mesh **out, sl_error *error)
{
    const sl_mesh_info *info = &j->mesh->info;
    const sl_mesh_def def = { .hooks.allocator = j->def.hooks.allocator, .bad = SL_BAD_LEAVE_OUT };
    sli_mesh_parts parts;
    SLI_TRY(sli_mesh_parts_alloc(&parts, j->vertex_count, j->triangle_count, info->format, &def,
                                 error));
    parts.face_count = info->face_count;
    parts.rounding = info->rounding;
    memcpy(parts.origin, info->origin, sizeof parts.origin);
    if (j->mesh->faces != NULL || j->triangle_count < info->triangle_count) {
        parts.faces_capacity = j->triangle_count;
        parts.faces =
            sli_alloc_array(&def.hooks.allocator, parts.faces_capacity, sizeof *parts.faces);
        if (parts.faces == NULL) {
            sli_mesh_parts_free(&parts, &def.hooks.allocator);
            return sli_fail_memory(error);
        }
    }
    fill_vertices(j, parts.xyz);
    fill_triangles(j, &parts);
    parts.attributes = j->mesh->attributes;
    if (!weld_attributes(j, &parts) || !weld_parts(j, &parts.list)) {
        sli_mesh_parts_free(&parts, &def.hooks.allocator);
        return sli_fail_memory(error);
    }
    return sli_mesh_finish(&parts, &def, NULL, NULL, NULL, out, error);
}

static void fill_maps(const job *j)
{
    uint32_t next = 0;
    for (size_t prim = 0; prim < j->mesh->info.triangle_count && j->def.triangle_map != NULL;
         prim++) {
        j->def.triangle_map[prim] = j->drops[prim] == 0 ? next++ : SL_NONE;
    }
    if (j->def.vertex_map != NULL && j->mesh->info.vertex_count > 0) {
        memcpy(j->def.vertex_map, j->vertices,
               j->mesh->info.vertex_count * sizeof *j->def.vertex_map);
    }
}

/* The arrays of the job are allocated. */
static sl_result weld_run(job *j, sl_mesh **out, sl_error *error)
{
    const sl_soup soup = sl_mesh_soup(j->mesh);
    size_t used;
    sl_result result = SL_OUT_OF_MEMORY;
    if (sli_number_positions(&soup, j->mesh->info.vertex_count, &j->stage, j->corners, &used,
                             &j->distinct)) {
        result = sli_stage_reach(&j->stage, 0.5f) ? mark_triangles(j) : SL_CANCELLED;
    }
    result = SLI_THEN(result, sli_stage_reach(&j->stage, 0.8f) ? number_vertices(j) : SL_CANCELLED);
    if (result != SL_OK || !sli_stage_reach(&j->stage, 1)) {
        result = result != SL_OK ? result : SL_CANCELLED;
        return sli_fail_result(error, result);
    }
    return make_mesh(j, out, error);
}

static sl_result weld_check(const sl_mesh *mesh, const sl_weld_def *def, sl_mesh **out, job *j,
                            sl_error *error)
{
    SLI_TRY(SLI_CLEAR(out, error));
    *j = (job){ .mesh = mesh };
    j->def = def != NULL ? *def : (sl_weld_def){ 0 };
    if (mesh == NULL) {
        return sli_refuse(error, "mesh is NULL");
    }
    if ((j->def.drop & ~all_drops) != 0) {
        return sli_refuse(error, "sl_weld_def.drop has bits that are no SL_DROP_...: 0x%x",
                          (unsigned)(j->def.drop & ~all_drops));
    }
    SLI_TRY(sli_check_allocator(&j->def.hooks.allocator, error));
    j->def.hooks = sli_hooks(&j->def.hooks);
    j->stage = (sli_stage){ .hooks = &j->def.hooks, .name = "weld" };
    return SL_OK;
}

sl_result sl_mesh_weld(const sl_mesh *mesh, const sl_weld_def *def, sl_mesh **out,
                       sl_weld_report *report, sl_error *error)
{
    job j;
    SLI_TRY(weld_check(mesh, def, out, &j, error));
    const sl_allocator *allocator = &j.def.hooks.allocator;
    const size_t triangles = mesh->info.triangle_count, vertices = mesh->info.vertex_count;
    j.corners = sli_alloc_array(allocator, 3 * triangles, sizeof *j.corners);
    j.vertices = sli_alloc_array(allocator, vertices, sizeof *j.vertices);
    j.firsts = sli_alloc_array(allocator, vertices, sizeof *j.firsts);
    j.drops = sli_alloc_array(allocator, triangles, sizeof *j.drops);
    sl_result result =
        j.corners != NULL && j.vertices != NULL && j.firsts != NULL && j.drops != NULL
            ? weld_run(&j, out, error)
            : sli_fail_memory(error);
    if (result == SL_OK) {
        fill_maps(&j);
        if (report != NULL) {
            *report = j.report;
        }
    }
    sli_free_array(allocator, j.corners, 3 * triangles, sizeof *j.corners);
    sli_free_array(allocator, j.vertices, vertices, sizeof *j.vertices);
    sli_free_array(allocator, j.firsts, vertices, sizeof *j.firsts);
    sli_free_array(allocator, j.drops, triangles, sizeof *j.drops);
    return result;
}
