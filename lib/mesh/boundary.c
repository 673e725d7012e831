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

/* Up to this many edges of one corner are sorted by insertion. */
enum { INSERTED = 48 };

/* A boundary of at most this many edges has no clusters, and its edges are summed one by one. */
enum { FEW_EDGES = 32 };

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
            uint32_t *item = j->edges.items + 2 * (size_t)j->ends[low]++;
            item[0] = high;
            item[1] = (uint32_t)edge;
        }
    }
}

static void copy_item(uint32_t *to, const uint32_t *from)
{
    to[0] = from[0];
    to[1] = from[1];
}

/* Puts items where the order, which becomes 0, 1, 2 ..., says that they come from. */
static void place_items(uint32_t *items, uint32_t *order, size_t count)
{
    for (uint32_t first = 0; first < count; first++) {
        uint32_t kept[2], to = first;
        copy_item(kept, items + 2 * (size_t)first);
        while (order[to] != first) {
            const uint32_t from = order[to];
            copy_item(items + 2 * (size_t)to, items + 2 * (size_t)from);
            order[to] = to;
            to = from;
        }
        copy_item(items + 2 * (size_t)to, kept);
        order[to] = to;
    }
}

/* Sorts the items of one position by their higher numbers, each edge after those before it. */
static void sort_items(job *j, uint32_t *items, size_t count)
{
    if (count > INSERTED) {
        for (size_t i = 0; i < count; i++) {
            j->edges.order[i] = (uint32_t)i;
        }
        sli_sort_words(items, 2, j->edges.order, j->edges.scratch, count, &j->stage);
        place_items(items, j->edges.order, count);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint32_t item[2];
        size_t at = i;
        copy_item(item, items + 2 * i);
        for (; at > 0 && items[2 * at - 2] > item[0]; at--) {
            copy_item(items + 2 * at, items + 2 * at - 2);
        }
        copy_item(items + 2 * at, item);
    }
}

/* The items are the uses of one edge, whose lower number is low.  If some of them are left over, it
 * is counted, and kept as item edge_count: how many, and the first edge, or one that runs the other
 * way. */
static void boundary_judge(job *j, const uint32_t *items, size_t uses, uint32_t low,
                           sl_boundary_info *info)
{
    size_t upward = 0, edge = items[1];
    for (size_t i = 0; i < uses; i++) {
        upward += j->corners[items[2 * i + 1]] == low;
    }
    const bool rises = upward > uses - upward;
    if (2 * upward == uses) {
        return;
    }
    for (size_t i = 1; (j->corners[edge] == low) != rises; i++) {
        edge = items[2 * i + 1];
    }
    info->odd_count += uses % 2;
    uint32_t *kept = j->edges.items + 2 * info->edge_count++;
    kept[0] = (uint32_t)(rises ? 2 * upward - uses : uses - 2 * upward);
    kept[1] = (uint32_t)edge;
}

/* Equal edges are neighbours among the items of one position.  No more is kept than was read. */
static void boundary_collect(job *j, sl_boundary_info *info)
{
    uint32_t *items = j->edges.items;
    size_t begin = 0;
    for (size_t low = 0; low < j->distinct && !sli_stage_stops_at(&j->stage, low); low++) {
        const size_t end = j->ends[low];
        sort_items(j, items + 2 * begin, end - begin);
        for (size_t i = begin + 1; begin < end; i++) {
            if (i == end || items[2 * i] != items[2 * begin]) {
                boundary_judge(j, items + 2 * begin, i - begin, (uint32_t)low, info);
                begin = i;
            }
        }
    }
}

/* The edges that were kept, and the numbers of their positions in place of what was kept. */
static sl_result boundary_fill(job *j, sl_boundary *out)
{
    uint32_t(*ends)[2] = (uint32_t(*)[2])(void *)j->edges.items;
    const size_t count = out->info.edge_count;
    out->capacity = count;
    out->edges = sli_alloc_array(&out->allocator, out->capacity, sizeof *out->edges);
    if (out->edges == NULL) {
        return SL_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t from = ends[i][1], to = from - from % 3 + (from + 1) % 3;
        memcpy(out->edges[i].from, corner_at(j->soup, from), sizeof out->edges[i].from);
        memcpy(out->edges[i].to, corner_at(j->soup, to), sizeof out->edges[i].to);
        out->edges[i].count = ends[i][0];
        ends[i][0] = j->corners[from];
        ends[i][1] = j->corners[to];
    }
    if (count <= FEW_EDGES) {
        return SL_OK;
    }
    SLI_TRY(sli_boundary_span(out, (const uint32_t(*)[2])ends, j->distinct, &j->stage));
    return sli_boundary_cluster(out, &j->stage);
}

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
        boundary_collect(j, &out->info);
    }
    if (out->info.edge_count > 0 && !j->stage.stopped) {
        SLI_TRY(boundary_fill(j, out));
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
        sli_free_array(&allocator, boundary->caps, boundary->cap_capacity, sizeof *boundary->caps);
        sli_free_array(&allocator, boundary, 1, sizeof *boundary);
    }
}

sl_boundary_info sl_boundary_get_info(const sl_boundary *boundary)
{
    return boundary->info;
}
