/* Which triangles a volume touches, or whether any: the public queries of volume_query.h.  Each
 * volume goes through the tree by the generic walk (visit.h); volume_kinds.h decides what the boxes
 * and triangles on the way have to do with it, by quick filters first, then exactly.  A query about
 * one volume is one about an array of one. */
#include "bvh/query/k_smallest.h"
#include "bvh/query/proxy.h"
#include "bvh/query/query.h"
#include "bvh/query/volume_kinds.h"

/* A public query.  Either touches is set (whether) or totals (which), with refs unless capacity is
 * 0; all arrays are the caller's. */
typedef struct job {
    const sl_bvh *bvh;
    const sl_volume *volumes;
    const sl_query *query;
    sli_block_fn *tree;    /* answers by the tree: whether() or which() */
    uint8_t *touches;      /* one for each volume: 1 or 0 */
    sl_triangle_ref *refs; /* a row of capacity triangles for each volume */
    size_t capacity;
    uint64_t *totals; /* one for each volume: how many it touches, kept in its row or not */
} job;

/* One volume on its way through the tree. */
typedef struct search {
    const sl_volume *volume;
    const sli_volume_filter *filter;
    double centre[3]; /* of its bounds */
    sli_k_smallest found;
    bool only_whether; /* the walk ends at the first triangle that is touched */
    sl_stats *stats;
} search;

/* sli_visitor.box: whether to enter a box of the tree. */
static sli_interest ask_box(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_sees_box(s->volume, s->filter, box);
}

/* sli_visitor.triangle.  sure: it is in a box wholly inside the volume and needs no test.  False
 * ends the walk. */
static bool take_triangle(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    search *s = context;
    if (!sure && !sli_volume_sees_triangle(s->volume, s->filter, triangle)) {
        return true;
    }
    s->stats->hits++;
    sli_k_smallest_add(&s->found, prim);
    return !s->only_whether;
}

/* sli_visitor.distance, squared, from the centre of the volume's bounds to that of a box: a
 * triangle that the volume touches is most likely near its centre.  Only the order depends on this:
 * frustums have no bounds and give NaN, and any order is right. */
static double from_centre(const void *context, const sl_aabb *box)
{
    const search *s = context;
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = ((double)box->min[axis] + (double)box->max[axis]) / 2 - s->centre[axis];
        sum += d * d;
    }
    return sum;
}

/* Finds the triangles that volume i touches: the lowest j->capacity prims go to row, in rising
 * order.  Returns how many there are in all; with only_whether, 1 or 0. */
static size_t find(const job *j, size_t i, sl_triangle_ref *row, bool only_whether, sl_stats *stats)
{
    sli_volume_filter filter;
    search s = { .volume = &j->volumes[i],
                 .filter = &filter,
                 .found = sli_k_smallest_in(row, j->capacity),
                 .only_whether = only_whether,
                 .stats = stats };
    sli_volume_filter_make(s.volume, &filter);
    const sli_visitor visitor = { .context = &s,
                                  .bounds = sli_volume_bounds(s.volume),
                                  .selection = sli_selection_of(j->query, i),
                                  .box = ask_box,
                                  .distance = only_whether ? from_centre : NULL,
                                  .triangle = take_triangle };
    for (int axis = 0; axis < 3; axis++) {
        s.centre[axis] = ((double)visitor.bounds.min[axis] + (double)visitor.bounds.max[axis]) / 2;
    }
    sli_visit(j->bvh, &visitor, stats);
    return sli_k_smallest_finish(&s.found, row);
}

/* Items begin .. end - 1 by the tree, for overlap_any. */
static void whether(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        j->touches[i] = find(j, i, NULL, true, stats) > 0;
    }
}

/* Items begin .. end - 1 by the tree, for overlap_all. */
static void which(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sl_triangle_ref *row = j->capacity > 0 ? j->refs + i * j->capacity : NULL;
        j->totals[i] = find(j, i, row, false, stats);
    }
}

/* For sli_ask_behind_proxy: whether volume i touches the proxy; of the answer only prim is used. */
static sli_meeting meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const job *j = context;
    const bool met = sli_proxy_volume(j->query->proxy, &j->volumes[i]);
    answer->hit = (sl_hit){ .prim = met ? SL_PROXY_PRIM : SL_NONE };
    return met ? SLI_MEETS_PROXY : SLI_MISSES_PROXY;
}

/* Writes the proxy's answer where that of the tree would go: SL_PROXY_PRIM is the only triangle. */
static void answer_by_proxy(const void *context, size_t i, const sli_proxy_answer *answer)
{
    const job *j = context;
    const bool met = answer->hit.prim != SL_NONE;
    if (j->touches != NULL) {
        j->touches[i] = met;
        return;
    }
    j->totals[i] = met;
    if (met && j->capacity > 0) {
        j->refs[i * j->capacity] = (sl_triangle_ref){ .prim = SL_PROXY_PRIM };
    }
}

/* A block of items, by the proxy, the tree or both. */
static void run(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_proxied proxied = { .job = j,
                                  .proxy = j->query->proxy,
                                  .tree = j->tree,
                                  .meet = meet_proxy,
                                  .answer = answer_by_proxy };
    sli_ask_behind_proxy(&proxied, begin, end, stats);
}

static void ask(size_t count, sli_block_fn *tree, job *j, const sl_query *query,
                const sl_tasks *tasks)
{
    j->query = query != NULL ? query : &sli_everything;
    j->tree = tree;
    sli_run_blocks(count, run, j, j->query->stats, tasks);
}

void sl_bvh_overlap_any_many(const sl_bvh *bvh, const sl_volume *volumes, size_t count,
                             const sl_query *query, uint8_t *touches, const sl_tasks *tasks)
{
    ask(count, whether, &(job){ .bvh = bvh, .volumes = volumes, .touches = touches }, query, tasks);
}

void sl_bvh_overlap_all_many(const sl_bvh *bvh, const sl_volume *volumes, size_t count,
                             const sl_query *query, sl_triangle_ref *refs, size_t capacity,
                             uint64_t *totals, const sl_tasks *tasks)
{
    job j = {
        .bvh = bvh, .volumes = volumes, .refs = refs, .capacity = capacity, .totals = totals
    };
    ask(count, which, &j, query, tasks);
}

bool sl_bvh_overlap_any(const sl_bvh *bvh, const sl_volume *volume, const sl_query *query)
{
    uint8_t touches;
    sl_bvh_overlap_any_many(bvh, volume, 1, query, &touches, NULL);
    return touches != 0;
}

size_t sl_bvh_overlap_all(const sl_bvh *bvh, const sl_volume *volume, const sl_query *query,
                          sl_triangle_ref *refs, size_t capacity)
{
    uint64_t total;
    sl_bvh_overlap_all_many(bvh, volume, 1, query, refs, capacity, &total, NULL);
    return (size_t)total;
}
