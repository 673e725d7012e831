/* What is visible from one point: many directions, or many targets.  The kernel for that takes them
 * together, unless there are too few, or each has options of its own; then they are rays or
 * segments like any others. */
#include "bvh/query/ask.h"

#include <math.h>
#include <string.h>

enum { TOGETHER_MIN = 8 }; /* fewer have nothing to share */

/* Compares floats of the caller's, and so holds the floating-point environment. */
static SLI_NOINLINE bool is_valid(const sli_kernel_point_to_many *from)
{
    const float *o = from->origin;
    return isfinite(o[0]) && isfinite(o[1]) && isfinite(o[2]) && (from->targets || from->tmax >= 0);
}

/* So few that what a batch costs to begin would be more than they do. */
static void ask_singly(const sl_bvh *bvh, const sli_kernel_point_to_many *from, size_t count,
                       const sl_query *query, uint8_t *yes)
{
    for (size_t i = 0; i < count; i++) {
        if (from->targets) {
            const sl_segment segment = sli_point_to_many_segment(from, i);
            yes[i] = sl_bvh_blocked(bvh, &segment, query);
        } else {
            const sl_ray ray = sli_point_to_many_ray(from, i);
            yes[i] = sl_bvh_any(bvh, &ray, query);
        }
    }
}

static void ask(const sl_bvh *bvh, const float origin[3], sli_kernel_point_to_many *from,
                size_t count, const sl_query *query, uint8_t *yes, const sl_tasks *tasks)
{
    const sl_query *options = query != NULL ? query : &sli_everything;
    memcpy(from->origin, origin, sizeof from->origin);
    if (count < TOGETHER_MIN && options->per_ray == NULL && !sli_query_has_filter(options)) {
        ask_singly(bvh, from, count, query, yes);
        return;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const bool valid = is_valid(from);
    sli_fpenv_leave(saved);
    const sli_question question = { .bvh = bvh,
                                    .query = options,
                                    .source = { .from = from },
                                    .asked = SLI_ASKED_ANY,
                                    .yes = yes,
                                    .together = valid && options->proxy == NULL &&
                                                options->per_ray == NULL &&
                                                !sli_query_has_filter(options) &&
                                                count >= TOGETHER_MIN };
    sli_ask(&question, count, tasks);
}

void sl_bvh_any_from(const sl_bvh *bvh, const float origin[3], const float *dirs, size_t count,
                     float tmax, const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_kernel_point_to_many from = { .tmax = tmax, .to = dirs };
    ask(bvh, origin, &from, count, query, any, tasks);
}

void sl_bvh_blocked_from(const sl_bvh *bvh, const float origin[3], const float *targets,
                         size_t count, const sl_query *query, uint8_t *blocked,
                         const sl_tasks *tasks)
{
    sli_kernel_point_to_many from = { .targets = true, .to = targets };
    ask(bvh, origin, &from, count, query, blocked, tasks);
}
