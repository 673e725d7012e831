/* inspect.c: finds and counts the faults of a mesh.
 *
 * Vertices are told apart by position, and triangles and edges are sets of the numbers of
 * positions. Sets are compared by sorting them all and looking at neighbours, which takes linear
 * time on any input.  Equal ones stay in rising order when sorted, so the first of its neighbours
 * names a set; afterwards the sort's scratch array says of each item where its set is, so that
 * faults can be told in the order of the items. */
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/geom/exact/predicates.h"
#include "lib/geom/exact/valid.h"
#include "lib/mesh/mesh.h"
#include "lib/mesh/positions.h"

#include <sightline/mesh_repair.h>

/* Three edges a triangle are numbered in 32 bits. */
static const size_t inspected_max = SL_NONE / 3;

typedef struct inspection {
    const sl_mesh *mesh;
    const sl_hooks *hooks;
    const sl_fault_hook *hook; /* NULL: faults are only counted */
    sli_stage *stage;
    uint32_t *corners; /* numbers of positions */
    sl_mesh_report report;
} inspection;

static sl_result inspect_tell(const inspection *s, const sl_fault *fault)
{
    const bool more = s->hook == NULL || s->hook->found(s->hook->user, fault);
    return more ? SL_OK : SL_CANCELLED;
}

static sl_result tell_triangle(const inspection *s, sl_fault_kind kind, size_t prim, uint32_t other)
{
    return inspect_tell(s, &(sl_fault){ .kind = kind,
                                        .prim = (uint32_t)prim,
                                        .other = other,
                                        .vertex = { SL_NONE, SL_NONE } });
}

static sl_result tell_vertex(const inspection *s, sl_fault_kind kind, size_t vertex)
{
    return inspect_tell(s, &(sl_fault){ .kind = kind,
                                        .prim = SL_NONE,
                                        .other = SL_NONE,
                                        .vertex = { (uint32_t)vertex, (uint32_t)vertex } });
}

static sl_result find_left_out(inspection *s)
{
    sl_result result = SL_OK;
    for (size_t prim = 0; prim < s->mesh->info.triangle_count && result == SL_OK; prim++) {
        if (sli_mesh_leaves_out(s->mesh, prim)) {
            s->report.left_out++;
            result = tell_triangle(s, SL_FAULT_LEFT_OUT, prim, SL_NONE);
        }
    }
    return result;
}

static sl_result find_not_finite(inspection *s)
{
    sl_result result = SL_OK;
    for (size_t vertex = 0; vertex < s->mesh->info.vertex_count && result == SL_OK; vertex++) {
        const float *xyz = s->mesh->xyz + 3 * vertex;
        if (!sli_finite(xyz, 3)) {
            s->report.not_finite_vertices++;
            result = tell_vertex(s, SL_FAULT_NOT_FINITE, vertex);
        }
    }
    return result;
}

static sl_result find_unused(inspection *s)
{
    const sl_mesh_info *info = &s->mesh->info;
    uint8_t *used = sli_alloc_array(&s->hooks->allocator, info->vertex_count, 1);
    if (used == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    memset(used, 0, info->vertex_count);
    for (size_t i = 0; i < 3 * info->triangle_count; i++) {
        if (s->mesh->indices[i] != SL_NONE) {
            used[s->mesh->indices[i]] = 1;
        }
    }
    sl_result result = SL_OK;
    for (size_t vertex = 0; vertex < info->vertex_count && result == SL_OK; vertex++) {
        if (used[vertex] == 0) {
            s->report.unused_vertices++;
            result = tell_vertex(s, SL_FAULT_UNUSED_VERTEX, vertex);
        }
    }
    sli_free_array(&s->hooks->allocator, used, info->vertex_count, 1);
    return result;
}

static sl_result tell_duplicates(inspection *s, const sli_table *triangles)
{
    uint32_t *lowest = triangles->scratch;
    for (size_t rank = 0; rank < triangles->count && !sli_stage_stops_at(s->stage, rank); rank++) {
        const uint32_t prim = triangles->order[rank];
        lowest[prim] =
            sli_table_repeats(triangles, rank) ? lowest[triangles->order[rank - 1]] : prim;
    }
    sl_result result = s->stage->stopped ? SL_CANCELLED : SL_OK;
    for (size_t prim = 0; prim < s->mesh->info.triangle_count && result == SL_OK; prim++) {
        if (!sli_mesh_leaves_out(s->mesh, prim) && lowest[prim] != prim) {
            s->report.duplicates++;
            result = tell_triangle(s, SL_FAULT_DUPLICATE, prim, lowest[prim]);
        }
    }
    return result;
}

static sl_result find_duplicates(inspection *s)
{
    const size_t triangle_count = s->mesh->info.triangle_count;
    sli_table triangles;
    if (!sli_table_alloc(&s->hooks->allocator, triangle_count, 3, &triangles)) {
        return SL_OUT_OF_MEMORY;
    }
    for (size_t prim = 0; prim < triangle_count && !sli_stage_stops_at(s->stage, prim); prim++) {
        sli_table_set_triple(&triangles, prim, s->corners + 3 * prim);
        if (!sli_mesh_leaves_out(s->mesh, prim)) {
            triangles.order[triangles.count++] = (uint32_t)prim;
        }
    }
    sli_table_sort(&triangles, s->stage);
    const sl_result result = s->stage->stopped ? SL_CANCELLED : tell_duplicates(s, &triangles);
    sli_table_free(&s->hooks->allocator, &triangles);
    return result;
}

static bool has_area(const sl_mesh *mesh, size_t prim)
{
    sl_triangle triangle;
    return sl_mesh_triangle(mesh, (uint32_t)prim, &triangle) &&
           !sli_zero_area(triangle.v[0], triangle.v[1], triangle.v[2]);
}

/* The edge whose uses begin at this rank of the order. */
static sl_result judge_edge(inspection *s, const sli_table *edges, size_t begin)
{
    size_t end = begin, upward = 0;
    do {
        const size_t edge = edges->order[end];
        upward += s->corners[edge] == edges->items[2 * edge] ? 1 : 0;
        end++;
    } while (end < edges->count && sli_table_repeats(edges, end));
    const size_t uses = end - begin, first = edges->order[begin];
    const bool is_open = uses == 1, is_nonmanifold = uses > 2;
    const bool is_misoriented = uses == 2 && upward != 1;
    s->report.edges++;
    s->report.open_edges += is_open ? 1 : 0;
    s->report.nonmanifold_edges += is_nonmanifold ? 1 : 0;
    s->report.misoriented_edges += is_misoriented ? 1 : 0;
    if (!is_open && !is_nonmanifold && !is_misoriented) {
        return SL_OK;
    }
    const uint32_t *vertices = s->mesh->indices + first - first % 3;
    return inspect_tell(s,
                        &(sl_fault){ .kind = is_open          ? SL_FAULT_OPEN_EDGE
                                             : is_nonmanifold ? SL_FAULT_NONMANIFOLD_EDGE
                                                              : SL_FAULT_MISORIENTED_EDGE,
                                     .prim = (uint32_t)(first / 3),
                                     .other = is_open ? SL_NONE : edges->order[begin + 1] / 3,
                                     .vertex = { vertices[first % 3], vertices[(first + 1) % 3] },
                                     .uses = (uint32_t)uses });
}

static sl_result judge_edges(inspection *s, const sli_table *edges)
{
    uint32_t *rank_of = edges->scratch;
    memset(rank_of, 0xFF, edges->capacity * sizeof *rank_of);
    for (size_t rank = 0; rank < edges->count && !sli_stage_stops_at(s->stage, rank); rank++) {
        if (!sli_table_repeats(edges, rank)) {
            rank_of[edges->order[rank]] = (uint32_t)rank;
        }
    }
    sl_result result = SL_OK;
    for (size_t edge = 0; edge < edges->capacity && result == SL_OK; edge++) {
        if (sli_stage_stops_at(s->stage, edge)) {
            result = SL_CANCELLED;
        } else if (rank_of[edge] != SL_NONE) {
            result = judge_edge(s, edges, rank_of[edge]);
        }
    }
    return result;
}

/* Lists the edges of those of the triangles begin .. end - 1 that have area.  Item 3 * prim +
 * corner is the edge from that corner to the next, its lower number first; SL_NONE where there is
 * no area.  Not inlined, since the caller brackets it with its floating-point environment. */
SLI_NOINLINE static void list_edges(const inspection *s, sli_table *edges, size_t begin, size_t end)
{
    for (size_t prim = begin; prim < end; prim++) {
        if (sli_mesh_leaves_out(s->mesh, prim)) {
            continue;
        }
        const bool there = has_area(s->mesh, prim);
        for (size_t corner = 0; corner < 3; corner++) {
            uint32_t *item = edges->items + 2 * (3 * prim + corner);
            item[0] = there ? s->corners[3 * prim + corner] : SL_NONE;
            item[1] = there ? s->corners[3 * prim + (corner + 1) % 3] : SL_NONE;
            sli_order_pair(&item[0], &item[1]);
            if (there) {
                edges->order[edges->count++] = (uint32_t)(3 * prim + corner);
            }
        }
    }
}

static sl_result tell_zero_area(inspection *s, const sli_table *edges)
{
    sl_result result = SL_OK;
    for (size_t prim = 0; prim < s->mesh->info.triangle_count && result == SL_OK; prim++) {
        if (!sli_mesh_leaves_out(s->mesh, prim) && edges->items[6 * prim] == SL_NONE) {
            s->report.zero_area++;
            result = tell_triangle(s, SL_FAULT_ZERO_AREA, prim, SL_NONE);
        }
    }
    return result;
}

/* The hook gets the caller's floating-point environment. */
static sl_result find_edges(inspection *s)
{
    sli_table edges;
    if (!sli_table_alloc(&s->hooks->allocator, 3 * s->mesh->info.triangle_count, 2, &edges)) {
        return SL_OUT_OF_MEMORY;
    }
    const size_t count = s->mesh->info.triangle_count;
    for (size_t at = 0; at < count && !sli_stage_stops(s->stage); at += SLI_STAGE_ITEMS) {
        const size_t left = count - at;
        SLI_DO_IN_FPENV(
            list_edges(s, &edges, at, at + (left < SLI_STAGE_ITEMS ? left : SLI_STAGE_ITEMS)));
    }
    sl_result result = s->stage->stopped ? SL_CANCELLED : tell_zero_area(s, &edges);
    if (result == SL_OK) {
        sli_table_sort(&edges, s->stage);
        result = s->stage->stopped ? SL_CANCELLED : judge_edges(s, &edges);
    }
    sli_table_free(&s->hooks->allocator, &edges);
    return result;
}

static sl_result number_positions(inspection *s)
{
    const sl_soup soup = sl_mesh_soup(s->mesh);
    size_t used;
    return sli_number_positions(&soup, s->mesh->info.vertex_count, s->stage, s->corners, &used,
                                &s->report.distinct_positions)
               ? SL_OK
               : SL_OUT_OF_MEMORY;
}

static sl_result inspect_whole(inspection *s)
{
    static const struct {
        sl_result (*find)(inspection *s);
        float done;
    } steps[] = { { find_left_out, 0.01f },    { find_not_finite, 0.02f }, { find_unused, 0.03f },
                  { number_positions, 0.35f }, { find_duplicates, 0.6f },  { find_edges, 1 } };
    sl_result result = SL_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == SL_OK; i++) {
        result = steps[i].find(s);
        if (result == SL_OK && !sli_stage_reach(s->stage, steps[i].done)) {
            result = SL_CANCELLED;
        }
    }
    const sl_mesh_report *r = &s->report;
    s->report.closed = r->edges > 0 && r->open_edges == 0 && r->nonmanifold_edges == 0 &&
                       r->misoriented_edges == 0;
    return result;
}

/* Checks arguments, allocates, and writes the message of a failure. */
static sl_result inspect_run(const sl_mesh *mesh, const sl_hooks *hooks, const sl_fault_hook *hook,
                             sl_mesh_report *out, sl_error *error)
{
    SLI_TRY(sli_check_allocator(hooks != NULL ? &hooks->allocator : NULL, error));
    const sl_hooks ready = sli_hooks(hooks);
    if (mesh == NULL) {
        return sli_refuse(error, "mesh is NULL");
    }
    if (mesh->info.triangle_count > inspected_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; at most %zu can be inspected",
                              mesh->info.triangle_count, inspected_max);
    }
    const size_t corner_count = 3 * mesh->info.triangle_count;
    uint32_t *corners = sli_alloc_array(&ready.allocator, corner_count, sizeof *corners);
    SLI_TRY(sli_had_memory(error, corners != NULL));
    sli_stage stage = { .hooks = &ready, .name = "inspect" };
    inspection s = {
        .mesh = mesh, .hooks = &ready, .hook = hook, .stage = &stage, .corners = corners
    };
    const sl_result result = inspect_whole(&s);
    sli_free_array(&ready.allocator, corners, corner_count, sizeof *corners);
    if (result != SL_OK) {
        return sli_fail_result(error, result);
    }
    if (out != NULL) {
        *out = s.report;
    }
    return SL_OK;
}

sl_result sl_mesh_inspect(const sl_mesh *mesh, const sl_hooks *hooks, const sl_fault_hook *hook,
                          sl_mesh_report *out, sl_error *error)
{
    if (hook == NULL ? out == NULL : hook->found == NULL) {
        return sli_refuse(error, hook == NULL ? "out is NULL" : "hook has no function");
    }
    return inspect_run(mesh, hooks, hook, out, error);
}
