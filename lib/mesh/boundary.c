/* boundary.c: sl_boundary: edges are dealt to the lower of their two corners and sorted there, so
 * that equal ones are neighbours, and the directions in which triangles use each are counted. */
#include "lib/mesh/boundary.h"
#include "lib/geom/exact/valid.h"

#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/hooks.h"
#include "lib/base/memory.h"
#include "lib/geom/intersect/soup.h"
#include "lib/mesh/positions.h"

/* Three edges a triangle are numbered in 32 bits. */
static const size_t triangles_max = SL_NONE / 3;

/* So many edges of one corner are sorted by insertion at most. */
enum { INSERTED = 48 };

typedef struct job {
    const sl_soup *soup;
    const sl_options *options;
    sli_stage stage;
    uint32_t *corners; /* numbers of positions; the first of a triangle without edges is SL_NONE */
    size_t distinct;
    uint32_t *ends; /* of the items of each position, by the lower of an edge's two */
    /* An item is the higher number of an edge, and the edge: 3 * prim + i goes from corner i to the
     * next. */
    sli_table edges;
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

/* The two numbers of an edge, the lower one first; from a position to itself there is none. */
static bool edge_numbers(const job *j, size_t edge, uint32_t *low, uint32_t *high)
{
    const size_t prim = edge - edge % 3;
    *low = j->corners[edge];
    *high = j->corners[prim + (edge + 1) % 3];
    sli_order_pair(low, high);
    return j->corners[prim] != SL_NONE && *low != *high;
}

/* Counts the edges of triangles begin .. end - 1.  Not inlined, since its caller changes the
 * floating-point environment around it. */
SLI_NOINLINE static void count_edges(job *j, size_t begin, size_t end)
{
    for (size_t prim = begin; prim < end; prim++) {
        uint32_t low, high;
        if (!has_edges(j, prim)) {
            j->corners[3 * prim] = SL_NONE;
        }
        for (size_t edge = 3 * prim; edge < 3 * prim + 3; edge++) {
            if (edge_numbers(j, edge, &low, &high)) {
                j->ends[low]++;
                j->edges.count++;
            }
        }
    }
}

/* From counts to where the items of each position start, then the items, by which starts become
 * ends. */
static void deal_edges(job *j)
{
    uint32_t start = 0;
    for (size_t i = 0; i < j->distinct && !sli_stage_stops_at(&j->stage, i); i++) {
        const uint32_t count = j->ends[i];
        j->ends[i] = start;
        start += count;
    }
    for (size_t edge = 0;
         edge < 3 * j->soup->triangle_count && !sli_stage_stops_at(&j->stage, edge); edge++) {
        uint32_t low, high;
        if (edge_numbers(j, edge, &low, &high)) {
            const uint32_t at = j->ends[low]++;
            j->edges.items[2 * (size_t)at] = high;
            j->edges.items[2 * (size_t)at + 1] = (uint32_t)edge;
            j->edges.order[at] = at;
        }
    }
}

/* Sorts the items of one position by their higher numbers, each edge after those before it. */
static void sort_edges(job *j, size_t begin, size_t end)
{
    const uint32_t *items = j->edges.items;
    uint32_t *order = j->edges.order;
    if (end - begin > INSERTED) {
        sli_sort_words(items, 2, order + begin, j->edges.scratch, end - begin, &j->stage);
        return;
    }
    for (size_t i = begin + 1; i < end; i++) {
        const uint32_t item = order[i], high = items[2 * (size_t)item];
        size_t at = i;
        for (; at > begin && items[2 * (size_t)order[at - 1]] > high; at--) {
            order[at] = order[at - 1];
        }
        order[at] = item;
    }
}

/* The edges at ranks begin .. end - 1 are one, its lower number being low: counts it if some of
 * them are left over, and keeps it where there is an array for it. */
static void boundary_judge(const job *j, size_t begin, size_t end, uint32_t low, sl_boundary *out)
{
    const uint32_t *items = j->edges.items, *order = j->edges.order;
    size_t upward = 0;
    for (size_t rank = begin; rank < end; rank++) {
        upward += j->corners[items[2 * (size_t)order[rank] + 1]] == low;
    }
    const size_t uses = end - begin, downward = uses - upward;
    if (upward == downward) {
        return;
    }
    if (out->edges != NULL) {
        const size_t from = items[2 * (size_t)order[begin] + 1];
        const size_t to = from - from % 3 + (from + 1) % 3;
        const bool as_first = (upward > downward) == (j->corners[from] == low);
        sli_boundary_edge *edge = &out->edges[out->info.edge_count];
        memcpy(edge->from, corner_at(j->soup, as_first ? from : to), sizeof edge->from);
        memcpy(edge->to, corner_at(j->soup, as_first ? to : from), sizeof edge->to);
        edge->count = (uint32_t)(upward > downward ? upward - downward : downward - upward);
    }
    out->info.edge_count++;
    out->info.odd_count += uses % 2;
}

/* Edges of equal numbers are neighbours within those of one position. */
static void boundary_collect(job *j, sl_boundary *out)
{
    const uint32_t *items = j->edges.items, *order = j->edges.order;
    size_t begin = 0;
    out->info = (sl_boundary_info){ .edge_count = 0 };
    for (size_t low = 0; low < j->distinct && !sli_stage_stops_at(&j->stage, low); low++) {
        for (size_t rank = begin + 1; begin < j->ends[low]; rank++) {
            if (rank == j->ends[low] ||
                items[2 * (size_t)order[rank]] != items[2 * (size_t)order[begin]]) {
                boundary_judge(j, begin, rank, (uint32_t)low, out);
                begin = rank;
            }
        }
    }
}

static void sort_all_edges(job *j)
{
    size_t begin = 0;
    for (size_t low = 0; low < j->distinct && !sli_stage_stops_at(&j->stage, low); low++) {
        sort_edges(j, begin, j->ends[low]);
        begin = j->ends[low];
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
        SLI_DO_IN_FPENV(count_edges(j, at, at + (left < SLI_STAGE_ITEMS ? left : SLI_STAGE_ITEMS)));
    }
    if (!j->stage.stopped) {
        deal_edges(j);
    }
    if (!j->stage.stopped) {
        sort_all_edges(j);
    }
    if (!j->stage.stopped) {
        boundary_collect(j, out);
    }
    if (out->info.edge_count > 0 && !j->stage.stopped) {
        out->capacity = out->info.edge_count;
        out->edges = sli_alloc_array(&out->allocator, out->capacity, sizeof *out->edges);
        if (out->edges == NULL) {
            return SL_OUT_OF_MEMORY;
        }
        boundary_collect(j, out);
        SLI_TRY(sli_boundary_cluster(out, &j->stage));
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

/* The items of the edges, and what becomes of them. */
static sl_result boundary_deal(job *j, sl_boundary *out)
{
    const sl_allocator *allocator = &j->stage.hooks->allocator;
    sl_result result = SL_OUT_OF_MEMORY;
    j->ends = sli_alloc_array(allocator, j->distinct, sizeof *j->ends);
    if (j->ends != NULL && sli_table_alloc(allocator, 3 * j->soup->triangle_count, 2, &j->edges)) {
        memset(j->ends, 0, j->distinct * sizeof *j->ends);
        result = boundary_find(j, out);
        sli_table_free(allocator, &j->edges);
    }
    sli_free_array(allocator, j->ends, j->distinct, sizeof *j->ends);
    return result;
}

static sl_result boundary_make(job *j, sl_boundary *out)
{
    const sl_allocator *allocator = &j->stage.hooks->allocator;
    const size_t corner_count = 3 * j->soup->triangle_count;
    size_t used;
    sl_result result = SL_OUT_OF_MEMORY;
    j->corners = sli_alloc_array(allocator, corner_count, sizeof *j->corners);
    if (j->corners != NULL && sli_number_positions(j->soup, vertices_in_use(j->soup), &j->stage,
                                                   j->corners, &used, &j->distinct)) {
        result = boundary_deal(j, out);
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
        sli_free_array(&allocator, boundary->blocks, boundary->block_count,
                       sizeof *boundary->blocks);
        sli_free_array(&allocator, boundary->order, boundary->info.edge_count,
                       sizeof *boundary->order);
        sli_free_array(&allocator, boundary, 1, sizeof *boundary);
    }
}

sl_boundary_info sl_boundary_get_info(const sl_boundary *boundary)
{
    return boundary->info;
}
