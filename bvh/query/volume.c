/* Which triangles a volume touches: the public questions about one volume, or an array, by the
 * generic walk (visit.h) and the table of volumes (volume_kinds.h). */
#include "bvh/query/k_smallest.h"
#include "bvh/query/proxy.h"
#include "bvh/query/query.h"
#include "bvh/query/volume_kinds.h"

typedef struct job {
    const sl_bvh *bvh;
    const sl_volume *volumes;
    const sl_query *query;
    sli_block_fn *tree; /* asks the tree */
    uint8_t *touches;
    sl_triangle_ref *refs;
    size_t capacity;
    uint64_t *totals;
} job;

/* One volume on its way through the tree. */
typedef struct search {
    const sl_volume *volume;
    const sli_volume_filter *filter;
    double centre[3]; /* of its bounds */
    sli_k_smallest found;
    bool only_whether; /* the first one is enough */
    sl_stats *stats;
} search;

static sli_interest ask_box(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return sli_volume_sees_box(s->volume, s->filter, box);
}

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

/* A triangle that the volume touches is most likely near its centre.  Only the order depends on
 * this: a volume without a centre gives NaN, and any order is right. */
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

/* Sorted into row; returns how many there are in all. */
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

static void whether(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        j->touches[i] = find(j, i, NULL, true, stats) > 0;
    }
}

static void which(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sl_triangle_ref *row = j->capacity > 0 ? j->refs + i * j->capacity : NULL;
        j->totals[i] = find(j, i, row, false, stats);
    }
}

static sli_meeting meet_proxy(const void *context, size_t i, sli_proxy_answer *answer)
{
    const job *j = context;
    const bool met = sli_proxy_volume(j->query->proxy, &j->volumes[i]);
    answer->hit = (sl_hit){ .prim = met ? SL_PROXY_PRIM : SL_NONE };
    return met ? SLI_MEETS_PROXY : SLI_MISSES_PROXY;
}

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
