/* Lines of sight between pairs of ends. */
#include "bvh/sight/lines.h"

#include "lib/base/fpenv.h"

#include <string.h>

typedef struct pairs_job {
    const sl_bvh *bvh;
    sl_sight_ends ends; /* targets are never NULL */
    const sl_sight_pair *pairs;
    size_t count;
    const sl_sight *sight;
    uint64_t *seen;
} pairs_job;

enum {
    UNIT = 3 * SLI_LINES, /* whole words of bits: workers share none */
    AHEAD = 16            /* pairs */
};
_Static_assert(UNIT % 64 == 0, "whole words");

/* Targets are anywhere in their array. */
static inline void pairs_prefetch(const pairs_job *job, size_t i)
{
    const uint32_t target = job->pairs[i].target;
    if (target < job->ends.target_count) {
        __builtin_prefetch(&job->ends.targets[target].at[0]);
        __builtin_prefetch(&job->ends.targets[target].id);
    }
}

static void pairs_unit(const void *context, size_t unit)
{
    const pairs_job *job = context;
    const size_t begin = unit * UNIT;
    const size_t end = job->count - begin < UNIT ? job->count : begin + UNIT;
    sli_lines lines;
    sli_lines_scratch scratch;
    memset(job->seen + begin / 64, 0, (end - begin + 63) / 64 * sizeof *job->seen);
    sli_lines_begin(&lines, scratch.bytes, sizeof scratch.bytes, job->bvh, job->sight, false,
                    sli_sight_take_bits, job->seen);
    lines.only_seen = true;
    if (job->ends.targets == job->ends.eyes) {
        sli_lines_of_one_list(&lines);
    }
    for (size_t i = begin; i < end; i++) {
        const sl_sight_pair pair = job->pairs[i];
        pairs_prefetch(job, i + AHEAD < end ? i + AHEAD : i);
        if (pair.eye < job->ends.eye_count && pair.target < job->ends.target_count) {
            const sl_sight_end *target = &job->ends.targets[pair.target];
            sli_lines_add(&lines, &job->ends.eyes[pair.eye], target, target->at, i, NULL);
        }
    }
    sli_lines_end(&lines);
}

size_t sl_sight_pairs(const sl_bvh *bvh, const sl_sight_ends *ends, const sl_sight_pair *pairs,
                      size_t count, const sl_sight *sight, uint64_t *seen, const sl_tasks *tasks)
{
    const pairs_job job = { .bvh = bvh,
                            .ends = sli_sight_both(ends),
                            .pairs = pairs,
                            .count = count,
                            .sight = sight,
                            .seen = seen };
    sli_sight_run(sight, count / UNIT + (count % UNIT != 0), pairs_unit, &job, tasks);
    return sli_sight_count_bits(seen, count / 64 + (count % 64 != 0));
}
