/* boundary.c: sl_boundary: edges are sorted, so that equal ones are neighbours, and the directions
 * in which triangles use each one are counted. */
#include "lib/geom/closest/boundary_winding.h"
#include "lib/geom/exact/valid.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/geom/intersect/soup.h"
#include "lib/mesh/positions.h"

/* Three edges a triangle are numbered in 32 bits. */
static const size_t triangles_max = SL_NONE / 3;

typedef struct job {
    const sl_soup *soup;
    const sl_options *options;
    sli_stage stage;
    uint32_t *corners; /* numbers of positions */
    sli_table edges;   /* item 3 * prim + i: from corner i to the next, the lower number first */
} job;

static const float *corner_at(const sl_soup *soup, size_t corner)
{
    return soup->xyz + 3 * (size_t)soup->indices[corner];
}

static bool has_edges(const job *j, size_t prim)
{
    if (sli_soup_leaves_out(j->soup, j->options, (uint32_t)prim)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        if (!sli_finite(corner_at(j->soup, 3 * prim + i), 3)) {
            return false;
        }
    }
    return true;
}

/* Lists the edges of triangles begin .. end - 1; from a position to itself there is none.  Not
 * inlined, since its caller changes the floating-point environment around it. */
SLI_NOINLINE static void list_edges(job *j, size_t begin, size_t end)
{
    for (size_t prim = begin; prim < end; prim++) {
        for (size_t i = 0; i < 3 && (i > 0 || has_edges(j, prim)); i++) {
            uint32_t *item = j->edges.items + 2 * (3 * prim + i);
            item[0] = j->corners[3 * prim + i];
            item[1] = j->corners[3 * prim + (i + 1) % 3];
            sli_order_pair(&item[0], &item[1]);
            if (item[0] != item[1]) {
                j->edges.order[j->edges.count++] = (uint32_t)(3 * prim + i);
            }
        }
    }
}

/* The edges at places begin .. end - 1 are one: counts it if some of them are left over, and keeps
 * it where there is an array for it. */
static void boundary_judge(const job *j, size_t begin, size_t end, sl_boundary *out)
{
    const uint32_t first = j->edges.order[begin];
    size_t upward = 0;
    for (size_t rank = begin; rank < end; rank++) {
        const uint32_t edge = j->edges.order[rank];
        upward += j->corners[edge] == j->edges.items[2 * (size_t)edge];
    }
    const size_t uses = end - begin, downward = uses - upward;
    if (upward == downward) {
        return;
    }
    if (out->edges != NULL) {
        const size_t from = first, to = first - first % 3 + (first + 1) % 3;
        const bool as_first = (upward > downward) == (j->corners[from] == j->edges.items[2 * from]);
        sli_boundary_edge *edge = &out->edges[out->info.edge_count];
        memcpy(edge->from, corner_at(j->soup, as_first ? from : to), sizeof edge->from);
        memcpy(edge->to, corner_at(j->soup, as_first ? to : from), sizeof edge->to);
        edge->count = (uint32_t)(upward > downward ? upward - downward : downward - upward);
    }
    out->info.edge_count++;
    out->info.odd_count += uses % 2;
}

static void boundary_collect(job *j, sl_boundary *out)
{
    size_t begin = 0;
    out->info = (sl_boundary_info){ .edge_count = 0 };
    for (size_t rank = 1; rank <= j->edges.count && !sli_stage_stops_at(&j->stage, rank); rank++) {
        if (rank == j->edges.count || !sli_table_repeats(&j->edges, rank)) {
            boundary_judge(j, begin, rank, out);
            begin = rank;
        }
    }
}

/* Counts first, so that the array is exactly as long as needed. */
static sl_result boundary_find(job *j, sl_boundary *out)
{
    const size_t count = j->soup->triangle_count;
    if (!sli_stage_reach(&j->stage, 0.4f)) {
        return SL_CANCELLED;
    }
    for (size_t at = 0; at < count && !sli_stage_stops(&j->stage); at += SLI_STAGE_ITEMS) {
        const size_t left = count - at;
        SLI_DO_IN_FPENV(list_edges(j, at, at + (left < SLI_STAGE_ITEMS ? left : SLI_STAGE_ITEMS)));
    }
    sli_table_sort(&j->edges, &j->stage);
    boundary_collect(j, out);
    if (out->info.edge_count > 0 && !j->stage.stopped) {
        out->capacity = out->info.edge_count;
        out->edges = sli_alloc_array(&out->allocator, out->capacity, sizeof *out->edges);
        if (out->edges == NULL) {
            return SL_OUT_OF_MEMORY;
        }
        boundary_collect(j, out);
    }
    return sli_stage_reach(&j->stage, 1) ? SL_OK : SL_CANCELLED;
}

static size_t vertices_in_use(const sl_soup *soup)
{
    size_t count = 0;
    for (size_t i = 0; i < 3 * soup->triangle_count; i++) {
        if (soup->indices[i] != SL_NONE && soup->indices[i] >= count) {
            count = (size_t)soup->indices[i] + 1;
        }
    }
    return count;
}

/* Corners and edges, and what becomes of them. */
static sl_result boundary_make(job *j, sl_boundary *out)
{
    const sl_allocator *allocator = &j->stage.hooks->allocator;
    const size_t corner_count = 3 * j->soup->triangle_count;
    size_t used, distinct;
    j->corners = sli_alloc_array(allocator, corner_count, sizeof *j->corners);
    if (j->corners == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    sl_result result = SL_OUT_OF_MEMORY;
    if (sli_number_positions(j->soup, vertices_in_use(j->soup), &j->stage, j->corners, &used,
                             &distinct) &&
        sli_table_alloc(allocator, corner_count, 2, &j->edges)) {
        result = boundary_find(j, out);
        sli_table_free(allocator, &j->edges);
    }
    sli_free_array(allocator, j->corners, corner_count, sizeof *j->corners);
    return result;
}

sl_result sl_boundary_create(const sl_soup *soup, const sl_options *options, const sl_hooks *hooks,
                             sl_boundary **out, sl_error *error)
{
    static const sl_options everything = { .flags = 0 };
    SLI_TRY(SLI_CLEAR(out, error));
    SLI_TRY(sli_check_allocator(hooks != NULL ? &hooks->allocator : NULL, error));
    const sl_hooks ready = sli_hooks(hooks);
    if (soup == NULL) {
        return sli_refuse(error, "soup is NULL");
    }
    if (soup->triangle_count > triangles_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; at most %zu are possible",
                              soup->triangle_count, triangles_max);
    }
    sl_boundary *boundary = sli_alloc_array(&ready.allocator, 1, sizeof *boundary);
    SLI_TRY(sli_had_memory(error, boundary != NULL));
    *boundary = (sl_boundary){ .allocator = ready.allocator };
    job j = { .soup = soup,
              .options = options != NULL ? options : &everything,
              .stage = { .hooks = &ready, .name = "boundary" } };
    const sl_result result = boundary_make(&j, boundary);
    if (result != SL_OK) {
        sl_boundary_destroy(boundary);
        return sli_fail_result(error, result);
    }
    *out = boundary;
    return SL_OK;
}

void sl_boundary_destroy(sl_boundary *boundary)
{
    if (boundary != NULL) {
        const sl_allocator allocator = boundary->allocator;
        sli_free_array(&allocator, boundary->edges, boundary->capacity, sizeof *boundary->edges);
        sli_free_array(&allocator, boundary, 1, sizeof *boundary);
    }
}

sl_boundary_info sl_boundary_get_info(const sl_boundary *boundary)
{
    return boundary->info;
}
