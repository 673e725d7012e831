/* What all queries share: options for one item, and arrays in blocks with their statistics. */
#include "bvh/query/query.h"

#include "lib/base/atomic.h"
#include "lib/base/thread/task.h"

#include <string.h>

const sl_options sli_everything = { .flags = 0 };

bool sli_item_has_prim(const sl_item_options *item, const sl_bvh *tree, uint32_t prim)
{
    return sli_item_has(item, (sl_triangle_ref){ .prim = prim }, sli_tree_mask(tree, prim));
}

sl_options sli_query_from(const sl_options *options, size_t first)
{
    sl_options from = *options;
    from.items = from.items != NULL ? from.items + first : NULL;
    return from;
}

static void add_atomically(sl_stats *to, const sl_stats *from)
{
    sli_atomic_add_u64(&to->rays, from->rays);
    sli_atomic_add_u64(&to->nodes, from->nodes);
    sli_atomic_add_u64(&to->boxes, from->boxes);
    sli_atomic_add_u64(&to->triangles, from->triangles);
    sli_atomic_add_u64(&to->float_stage, from->float_stage);
    sli_atomic_add_u64(&to->double_stage, from->double_stage);
    sli_atomic_add_u64(&to->exact_stage, from->exact_stage);
    sli_atomic_add_u64(&to->hits, from->hits);
    sli_atomic_add_u64(&to->proxies_rejected, from->proxies_rejected);
    sli_atomic_add_u64(&to->instances, from->instances);
}

typedef struct blocks {
    sli_block_fn *run;
    const void *job;
    sl_stats *stats;
} blocks;

static void run_block(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const blocks *b = context;
    sl_stats stats = { .rays = 0 };
    const sli_fpenv saved = sli_fpenv_enter();
    b->run(b->job, begin, end, &stats);
    sli_fpenv_leave(saved);
    if (b->stats != NULL) {
        add_atomically(b->stats, &stats);
    }
}

void sli_run_blocks_of(size_t grain, size_t count, sli_block_fn *run, const void *job,
                       sl_stats *stats, const sl_tasks *tasks)
{
    blocks b = { .run = run, .job = job, .stats = stats };
    sli_parallel_for(tasks, count, grain, run_block, &b);
}

void sli_run_blocks(size_t count, sli_block_fn *run, const void *job, sl_stats *stats,
                    const sl_tasks *tasks)
{
    enum { GRAIN = 4096 };
    sli_run_blocks_of(GRAIN, count, run, job, stats, tasks);
}
