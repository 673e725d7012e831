/* Which triangles of a tree overlap others of it beyond the vertices and edges that they share. */
#include "bvh/query/query.h"
#include "bvh/query/visit.h"
#include "bvh/query/volume/filter.h"
#include "lib/geom/intersect/k_smallest.h"
#include "lib/geom/overlap/triangle_pair.h"

#include <sightline/closest.h>

typedef struct job {
    const sl_bvh *bvh;
    uint32_t first;
    const sl_options *options;
    uint8_t *touches;
    sl_triangle_ref *others;
    size_t capacity;
    uint64_t *totals;
} job;

/* One triangle on its way through the tree. */
typedef struct search {
    uint32_t prim;
    bool only_whether; /* the first other triangle ends the walk; else all higher ones count */
    bool large;        /* boxes are tested against its plane too */
    sl_triangle triangle;
    sli_volume_filter filter;
    sli_k_smallest found;
    sl_stats *stats;
} search;

static sli_interest box_interest(const void *context, const sl_aabb *box)
{
    const search *s = context;
    return s->large && sli_volume_filter_beside_box(&s->filter, box) ? SLI_VISIT_NOT
                                                                     : SLI_VISIT_SOME;
}

static bool take_triangle(void *context, uint32_t prim, const sl_triangle *triangle, bool sure)
{
    (void)sure;
    search *s = context;
    const bool wanted = s->only_whether ? prim != s->prim : prim > s->prim;
    if (!wanted || !sli_triangle_pair_meets(&s->triangle, triangle)) {
        return true;
    }
    s->stats->hits++;
    sli_k_smallest_add(&s->found, prim);
    return !s->only_whether;
}

/* Most triangles are small beside the boxes that meet their own box: then their planes cull
 * little. */
static bool is_large(const sl_aabb *box, const sl_aabb *of_all)
{
    double own = 0, all = 0;
    for (int axis = 0; axis < 3; axis++) {
        own += (double)box->max[axis] - (double)box->min[axis];
        all += (double)of_all->max[axis] - (double)of_all->min[axis];
    }
    return own * 32 > all;
}

/* Sorted into row; returns how many there are in all. */
static size_t self_overlap_find(const job *j, size_t i, sl_triangle_ref *row, bool only_whether,
                                sl_stats *stats)
{
    const uint64_t prim = (uint64_t)j->first + i;
    search s = { .prim = prim < SL_NONE ? (uint32_t)prim : SL_NONE,
                 .only_whether = only_whether,
                 .found = sli_k_smallest_in(row, j->capacity),
                 .stats = stats };
    sli_visitor visitor = { .context = &s,
                            .selection = sli_item_options(j->options, i),
                            .box = box_interest,
                            .triangle = take_triangle };
    if (!sli_tree_triangle(j->bvh, s.prim, &s.triangle) ||
        !sli_item_has_prim(&visitor.selection, j->bvh, s.prim)) {
        return 0;
    }
    visitor.bounds = sl_aabb_of_points(s.triangle.v[0], 3);
    s.large = is_large(&visitor.bounds, &j->bvh->bounds);
    if (s.large) {
        const sl_volume volume = { SL_VOLUME_TRIANGLE, { .triangle = s.triangle } };
        sli_volume_filter_make(&volume, NULL, &s.filter);
    }
    sli_visit(j->bvh, &visitor, stats);
    return sli_k_smallest_finish(&s.found, row);
}

static void self_overlap_whether(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        j->touches[i] = self_overlap_find(j, i, NULL, true, stats) > 0;
    }
}

static void self_overlap_which(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    for (size_t i = begin; i < end; i++) {
        sl_triangle_ref *row = j->capacity > 0 ? j->others + i * j->capacity : NULL;
        j->totals[i] = self_overlap_find(j, i, row, false, stats);
    }
}

/* A triangle among many others takes as long as hundreds of rays. */
static sl_result run_self(size_t count, sli_block_fn *run, job *j, const sl_options *options,
                          const sl_tasks *tasks, sl_stats *stats)
{
    enum { GRAIN = 64 };
    if (j->bvh->instances != NULL) {
        return SL_UNSUPPORTED;
    }
    j->options = options != NULL ? options : &sli_everything;
    sli_run_blocks_of(GRAIN, count, run, j, stats, tasks);
    return SL_OK;
}

sl_result sl_bvh_self_overlap_any(const sl_bvh *bvh, uint32_t first, size_t count,
                                  const sl_options *options, uint8_t *touches,
                                  const sl_tasks *tasks, sl_stats *stats)
{
    job j = { .bvh = bvh, .first = first, .touches = touches };
    return run_self(count, self_overlap_whether, &j, options, tasks, stats);
}

sl_result sl_bvh_self_pairs(const sl_bvh *bvh, uint32_t first, size_t count,
                            const sl_options *options, sl_triangle_ref *others, size_t capacity,
                            uint64_t *totals, const sl_tasks *tasks, sl_stats *stats)
{
    job j = {
        .bvh = bvh, .first = first, .others = others, .capacity = capacity, .totals = totals
    };
    return run_self(count, self_overlap_which, &j, options, tasks, stats);
}
