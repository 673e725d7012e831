/* inspect.c: what is the matter with a mesh.
 *
 * Vertices are told apart by position, and triangles and edges are sets of the numbers of
 * positions. Sets are compared by sorting them all and looking at neighbours, which takes linear
 * time on any input. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/geom/exact.h"
#include "lib/mesh/mesh.h"
#include "lib/mesh/positions.h"

#include <string.h>

/* Three edges a triangle are numbered in 32 bits. */
static const size_t max_inspected = SL_NONE / 3;

static bool is_left_out(const sl_mesh *mesh, size_t prim)
{
    return mesh->indices[3 * prim] == SL_NONE;
}

static bool count_duplicates(const sl_mesh *mesh, const sl_allocator *allocator,
                             const uint32_t *corners, sl_mesh_report *report)
{
    const size_t triangle_count = mesh->info.triangle_count;
    sli_table triangles;
    if (!sli_table_alloc(allocator, triangle_count, 3, &triangles)) {
        return false;
    }
    for (size_t prim = 0; prim < triangle_count; prim++) {
        uint32_t *item = triangles.items + 3 * prim;
        memcpy(item, corners + 3 * prim, 3 * sizeof *item);
        sli_order_pair(&item[0], &item[1]);
        sli_order_pair(&item[1], &item[2]);
        sli_order_pair(&item[0], &item[1]);
        if (!is_left_out(mesh, prim)) {
            triangles.order[triangles.count++] = (uint32_t)prim;
        }
    }
    sli_table_sort(&triangles);
    for (size_t place = 0; place < triangles.count; place++) {
        report->duplicates += sli_table_repeats(&triangles, place) ? 1 : 0;
    }
    sli_table_free(allocator, &triangles);
    return true;
}

static bool has_area(const sl_mesh *mesh, size_t prim)
{
    sl_triangle triangle;
    return sl_mesh_triangle(mesh, (uint32_t)prim, &triangle) &&
           !sli_zero_area(triangle.v[0], triangle.v[1], triangle.v[2]);
}

/* One edge, used so often in all, and so often from its lower number to its higher one. */
static void judge_edge(size_t uses, size_t upward, sl_mesh_report *report)
{
    report->edges++;
    report->open_edges += uses == 1 ? 1 : 0;
    report->nonmanifold_edges += uses > 2 ? 1 : 0;
    report->misoriented_edges += uses == 2 && upward != 1 ? 1 : 0;
}

/* Item 3 * prim + corner is the edge from that corner to the next, its lower number first.  Not
 * inlined, since the caller brackets it with its floating-point environment. */
SLI_NOINLINE static bool count_edges(const sl_mesh *mesh, const sl_allocator *allocator,
                                     const uint32_t *corners, sl_mesh_report *report)
{
    sli_table edges;
    if (!sli_table_alloc(allocator, 3 * mesh->info.triangle_count, 2, &edges)) {
        return false;
    }
    for (size_t prim = 0; prim < mesh->info.triangle_count; prim++) {
        if (is_left_out(mesh, prim)) {
            continue;
        }
        if (!has_area(mesh, prim)) {
            report->zero_area++;
            continue;
        }
        for (size_t corner = 0; corner < 3; corner++) {
            uint32_t *item = edges.items + 2 * (3 * prim + corner);
            item[0] = corners[3 * prim + corner];
            item[1] = corners[3 * prim + (corner + 1) % 3];
            sli_order_pair(&item[0], &item[1]);
            edges.order[edges.count++] = (uint32_t)(3 * prim + corner);
        }
    }
    sli_table_sort(&edges);
    size_t uses = 0, upward = 0;
    for (size_t place = 0; place < edges.count; place++) {
        if (place > 0 && !sli_table_repeats(&edges, place)) {
            judge_edge(uses, upward, report);
            uses = upward = 0;
        }
        const size_t edge = edges.order[place];
        uses++;
        upward += corners[edge] == edges.items[2 * edge] ? 1 : 0;
    }
    if (uses > 0) {
        judge_edge(uses, upward, report);
    }
    sli_table_free(allocator, &edges);
    return true;
}

static bool goes_on(const sl_mesh_def *def, float fraction)
{
    return def->progress.report == NULL ||
           def->progress.report(def->progress.user, "inspect", fraction);
}

/* corners is room for one number for each corner. */
static sl_result inspect(const sl_mesh *mesh, const sl_mesh_def *def, uint32_t *corners,
                         sl_mesh_report *report)
{
    const sl_soup soup = sl_mesh_soup(mesh);
    const size_t vertex_count = mesh->info.vertex_count;
    size_t used;
    if (!sli_number_positions(&soup, vertex_count, &def->allocator, corners, &used,
                              &report->distinct_positions)) {
        return SL_OUT_OF_MEMORY;
    }
    report->unused_vertices = vertex_count - used;
    if (!goes_on(def, 0.35f)) {
        return SL_CANCELLED;
    }
    if (!count_duplicates(mesh, &def->allocator, corners, report)) {
        return SL_OUT_OF_MEMORY;
    }
    if (!goes_on(def, 0.6f)) {
        return SL_CANCELLED;
    }
    const sli_fpenv env = sli_fpenv_enter();
    const bool counted = count_edges(mesh, &def->allocator, corners, report);
    sli_fpenv_leave(env);
    if (!counted) {
        return SL_OUT_OF_MEMORY;
    }
    report->closed = report->edges > 0 && report->open_edges == 0 &&
                     report->nonmanifold_edges == 0 && report->misoriented_edges == 0;
    return goes_on(def, 1) ? SL_OK : SL_CANCELLED;
}

sl_result sl_mesh_inspect(const sl_mesh *mesh, const sl_mesh_def *def, sl_mesh_report *out,
                          sl_error *error)
{
    sl_mesh_def checked;
    sl_result result = sli_mesh_def_check(def, &checked, error);
    if (result != SL_OK) {
        return result;
    }
    if (mesh == NULL || out == NULL) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT, "%s is NULL",
                              mesh == NULL ? "mesh" : "out");
    }
    if (mesh->info.triangle_count > max_inspected) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; at most %zu can be inspected",
                              mesh->info.triangle_count, max_inspected);
    }
    const size_t corner_count = 3 * mesh->info.triangle_count;
    uint32_t *corners = sli_alloc_array(&checked.allocator, corner_count, sizeof *corners);
    if (corners == NULL) {
        return sli_fail_memory(error);
    }
    sl_mesh_report report = { 0 };
    result = inspect(mesh, &checked, corners, &report);
    sli_free_array(&checked.allocator, corners, corner_count, sizeof *corners);
    if (result != SL_OK) {
        return sli_fail_plain(error, result, "%s", sl_result_message(result));
    }
    *out = report;
    return SL_OK;
}
