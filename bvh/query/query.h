/* query.h: from what callers say to what kernels want: options, and rays turned away at the door.
 */
#ifndef SLI_QUERY_QUERY_H
#define SLI_QUERY_QUERY_H

#include "bvh/kernel/kernel.h"
#include "lib/base/fpenv.h"

#include <sightline/ray_query.h>

extern const sl_query sli_everything; /* what a NULL query means */

/* Ray or segment i of an array, with the options that hold for it.  False: invalid, a miss. */
bool sli_prepare_ray(const sl_ray *ray, const sl_query *query, size_t i, sli_kernel_ray *out);
bool sli_prepare_segment(const sl_segment *segment, const sl_query *query, size_t i,
                         sli_kernel_ray *out);

/* The options for an array that begins at item first of another one.  The caller's struct may end
 * before the hit filter where that is not in use: nothing copies an sl_query otherwise. */
sl_query sli_query_from(const sl_query *query, size_t first);

/* Whether the options leave a prim of the tree in. */
bool sli_selection_has_prim(const sli_kernel_selection *selection, const sl_bvh *tree,
                            uint32_t prim);

/* Whether one ray may go to the kernel's single-ray path at once: nothing is counted, no proxy comes
 * first, and no hit filter is asked. */
static inline bool sli_query_is_plain(const sl_query *query)
{
    return query->stats == NULL && query->proxy == NULL && (query->flags & SL_USE_FILTER) == 0;
}

static inline bool sli_closest_alone(const sli_kernel_batch *batch, sl_hit *hit)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool found = batch->tree->kernels->closest_one(batch, 0, hit, NULL);
    sli_fpenv_leave(saved);
    return found;
}

static inline bool sli_any_alone(const sli_kernel_batch *batch)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const bool found = batch->tree->kernels->any_one(batch, 0, NULL, NULL);
    sli_fpenv_leave(saved);
    return found;
}

/* A miss as it is reported. */
sl_hit sli_miss(float tmax);

/* Runs a block of an array: items begin .. end - 1.  job is the caller's; stats are its own. */
typedef void sli_block_fn(const void *job, size_t begin, size_t end, sl_stats *stats);

/* A whole array, in parallel through the hook: every block under the floating-point guard, with
 * statistics of its own that are added up (to stats, unless NULL) when it is done. */
void sli_run_blocks(size_t count, sli_block_fn *run, const void *job, sl_stats *stats,
                    const sl_tasks *tasks);

/* The same in blocks of about grain items, for items that take longer than rays. */
void sli_run_blocks_of(size_t grain, size_t count, sli_block_fn *run, const void *job,
                       sl_stats *stats, const sl_tasks *tasks);

#endif
