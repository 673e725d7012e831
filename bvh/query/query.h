/* query.h: what the queries of this room share: the options of a query for one item, what NULL
 * means, single rays that go to the kernel at once, and arrays in blocks. */
#pragma once

#include "bvh/kernel/kernel.h"
#include "bvh/tree/instances.h"
#include "lib/base/fpenv.h"

#include <sightline/rays.h>

extern const sl_options sli_everything; /* what options of NULL mean */

/* The options for an array that begins at item first of another one. */
sl_options sli_query_from(const sl_options *options, size_t first);

/* Whether the options leave a prim of the tree in. */
bool sli_item_has_prim(const sl_item_options *item, const sl_bvh *tree, uint32_t prim);

/* Whether one ray may go to the kernel's single-ray path at once: there is no proxy and no hit
 * filter. */
static inline bool sli_query_is_plain(const sl_options *options)
{
    return options->proxy == NULL && options->filter == NULL;
}

/* Whether any item may leave instances out, which trees over triangles answer as worlds of one. */
static inline bool sli_query_ignores(const sl_options *options, size_t count)
{
    return (sli_options_uses(options, 0, count) & SLI_USES_IGNORE) != 0;
}

/* The world for queries for one hit, which is the one without copies unless options may tell copies
 * apart; uses: of the options (selection.h).  filtered: there is a hit filter. */
static inline const sli_world *sli_world_for_one(const sl_bvh *bvh, uint32_t uses, bool filtered)
{
    const bool once = bvh->instances != NULL && bvh->instances->originals != NULL && !filtered &&
                      (uses & (SLI_USES_SKIP | SLI_USES_IGNORE)) == 0;
    return once ? &bvh->instances->once_world : &bvh->world;
}

/* The same for rays, with trees over instances that stand still. */
static inline const sli_world *sli_world_for_rays(const sl_bvh *bvh, uint32_t uses, bool filtered)
{
    const sli_instances *all = bvh->instances;
    const sli_world *one = sli_world_for_one(bvh, uses, filtered);
    const bool copies = all != NULL && all->originals != NULL && one == &bvh->world;
    const bool masked = (uses & SLI_USES_MASK) != 0 && bvh->world.masked;
    return all != NULL && all->still_world.top != NULL && !copies && !masked ? &all->still_world
                                                                             : one;
}

static inline const sli_world *sli_world_for_ray(const sl_bvh *bvh, const sli_world_ray *ray)
{
    const sl_item_options *item = &ray->item;
    return sli_world_for_rays(bvh, sli_item_uses(item->mask, item->skip_count, item->ignore_count),
                              ray->accepts != NULL);
}

/* Answers items begin .. end - 1 of an array.  job is the query; stats belong to the block. */
typedef void sli_block_fn(const void *job, size_t begin, size_t end, sl_stats *stats);

/* Bytes from an item of a caller's array to the next, for a stride that may be 0, which means
 * packed items, or SL_SAME, which means one item for all. */
static inline size_t sli_stride_of(size_t stride, size_t packed)
{
    return stride == SL_SAME ? 0 : stride != 0 ? stride : packed;
}

/* Answers a whole array, in parallel through the hook.  Every block holds the floating-point
 * environment and counts for itself; its counts are added to stats, unless NULL, when it is
 * done. */
void sli_run_blocks(size_t count, sli_block_fn *run, const void *job, sl_stats *stats,
                    const sl_tasks *tasks);

/* The same in blocks of about grain items, for items that take longer than rays. */
void sli_run_blocks_of(size_t grain, size_t count, sli_block_fn *run, const void *job,
                       sl_stats *stats, const sl_tasks *tasks);
