/* inspect.c: what is the matter with a mesh.
 *
 * Vertices are told apart by position: equal positions get one number (zeros of either sign are
 * equal), and triangles and edges are then sets of such numbers.  Sets are compared by sorting them
 * all and looking at neighbours, which takes linear time on any input. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/geom/exact.h"
#include "lib/mesh/mesh.h"

#include <string.h>

/* Three edges a triangle are numbered in 32 bits. */
static const size_t max_inspected = SL_NONE / 3;

/* Items of a few words each, and the order they come in. */
typedef struct table {
    uint32_t *items, *order, *scratch;
    size_t words, capacity, count;
} table;

static void table_free(const sl_allocator *allocator, table *them)
{
    sli_free_array(allocator, them->items, them->capacity, them->words * sizeof(uint32_t));
    sli_free_array(allocator, them->order, them->capacity, sizeof(uint32_t));
    sli_free_array(allocator, them->scratch, them->capacity, sizeof(uint32_t));
}

static bool table_alloc(const sl_allocator *allocator, size_t capacity, size_t words, table *out)
{
    *out = (table){ .words = words, .capacity = capacity };
    out->items = sli_alloc_array(allocator, capacity, words * sizeof(uint32_t));
    out->order = sli_alloc_array(allocator, capacity, sizeof(uint32_t));
    out->scratch = sli_alloc_array(allocator, capacity, sizeof(uint32_t));
    if (out->items != NULL && out->order != NULL && out->scratch != NULL) {
        return true;
    }
    table_free(allocator, out);
    return false;
}

static void table_sort(table *them)
{
    sli_sort_words(them->items, them->words, them->order, them->scratch, them->count);
}

/* Whether the item at this place of the order equals the one before it. */
static bool repeats(const table *them, size_t place)
{
    return place > 0 && memcmp(them->items + them->order[place] * them->words,
                               them->items + them->order[place - 1] * them->words,
                               them->words * sizeof(uint32_t)) == 0;
}

static bool is_left_out(const sl_mesh *mesh, size_t prim)
{
    return mesh->indices[3 * prim] == SL_NONE;
}

static uint32_t coordinate_word(float coordinate)
{
    uint32_t word;
    memcpy(&word, &coordinate, sizeof word);
    return word == 0x80000000u ? 0 : word;
}

/* Numbers the positions of the vertices that triangles use, into one number for each corner. */
static bool number_positions(const sl_mesh *mesh, const sl_allocator *allocator, uint32_t *corners,
                             sl_mesh_report *report)
{
    const size_t vertex_count = mesh->info.vertex_count;
    const size_t corner_count = 3 * mesh->info.triangle_count;
    uint32_t *number = sli_alloc_array(allocator, vertex_count, sizeof *number);
    table vertices;
    if (number == NULL || !table_alloc(allocator, vertex_count, 3, &vertices)) {
        sli_free_array(allocator, number, vertex_count, sizeof *number);
        return false;
    }
    memset(number, 0, vertex_count * sizeof *number);
    for (size_t i = 0; i < corner_count; i++) {
        if (mesh->indices[i] != SL_NONE) {
            number[mesh->indices[i]] = 1;
        }
    }
    for (size_t i = 0; i < vertex_count; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            vertices.items[3 * i + axis] = coordinate_word(mesh->xyz[3 * i + axis]);
        }
        if (number[i] != 0) {
            vertices.order[vertices.count++] = (uint32_t)i;
        }
    }
    report->unused_vertices = vertex_count - vertices.count;
    table_sort(&vertices);
    for (size_t place = 0; place < vertices.count; place++) {
        report->distinct_positions += repeats(&vertices, place) ? 0 : 1;
        number[vertices.order[place]] = (uint32_t)(report->distinct_positions - 1);
    }
    for (size_t i = 0; i < corner_count; i++) {
        corners[i] = mesh->indices[i] != SL_NONE ? number[mesh->indices[i]] : SL_NONE;
    }
    table_free(allocator, &vertices);
    sli_free_array(allocator, number, vertex_count, sizeof *number);
    return true;
}

static void order_pair(uint32_t *a, uint32_t *b)
{
    if (*a > *b) {
        const uint32_t swap = *a;
        *a = *b;
        *b = swap;
    }
}

static bool count_duplicates(const sl_mesh *mesh, const sl_allocator *allocator,
                             const uint32_t *corners, sl_mesh_report *report)
{
    const size_t triangle_count = mesh->info.triangle_count;
    table triangles;
    if (!table_alloc(allocator, triangle_count, 3, &triangles)) {
        return false;
    }
    for (size_t prim = 0; prim < triangle_count; prim++) {
        uint32_t *item = triangles.items + 3 * prim;
        memcpy(item, corners + 3 * prim, 3 * sizeof *item);
        order_pair(&item[0], &item[1]);
        order_pair(&item[1], &item[2]);
        order_pair(&item[0], &item[1]);
        if (!is_left_out(mesh, prim)) {
            triangles.order[triangles.count++] = (uint32_t)prim;
        }
    }
    table_sort(&triangles);
    for (size_t place = 0; place < triangles.count; place++) {
        report->duplicates += repeats(&triangles, place) ? 1 : 0;
    }
    table_free(allocator, &triangles);
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
    table edges;
    if (!table_alloc(allocator, 3 * mesh->info.triangle_count, 2, &edges)) {
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
            order_pair(&item[0], &item[1]);
            edges.order[edges.count++] = (uint32_t)(3 * prim + corner);
        }
    }
    table_sort(&edges);
    size_t uses = 0, upward = 0;
    for (size_t place = 0; place < edges.count; place++) {
        if (place > 0 && !repeats(&edges, place)) {
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
    table_free(allocator, &edges);
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
    if (!number_positions(mesh, &def->allocator, corners, report)) {
        return SL_OUT_OF_MEMORY;
    }
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
