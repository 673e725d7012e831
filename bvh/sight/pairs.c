/* Lines of sight between pairs of ends. */
#include "bvh/sight/lines.h"

#include "bvh/query/query.h"
#include "lib/base/fpenv.h"

#include <string.h>

sl_sight_end sl_sight_end_at(const float point[3], uint32_t id)
{
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_sight_end end = { .at = { (double)point[0], (double)point[1], (double)point[2] },
                               .id = id };
    sli_fpenv_leave(saved);
    return end;
}

typedef struct pairs_job {
    const sl_scene *scene;
    sl_sight_ends ends; /* targets are never NULL */
    const sl_sight_pair *pairs;
    size_t count;
    const sl_sight *sight;
    uint64_t *seen;
    size_t *total;
} pairs_job;

/* Where answers of a unit go. */
typedef struct pairs_out {
    uint64_t *seen;
    size_t total;
} pairs_out;

static void take(void *context, const size_t *numbers, const uint8_t *blocked,
                 const sl_triangle_ref *blockers, size_t count)
{
    pairs_out *out = context;
    (void)blockers;
    for (size_t i = 0; i < count; i++) {
        const uint64_t is_seen = blocked[i] == 0;
        out->seen[numbers[i] / 64] |= is_seen << numbers[i] % 64;
        out->total += is_seen;
    }
}

enum {
    UNIT = 3 * SLI_LINES, /* whole words of bits: workers share none */
    AHEAD = 16            /* pairs */
};
_Static_assert(UNIT % 64 == 0, "whole words");

/* Targets are anywhere in their array. */
static inline void prefetch_target(const pairs_job *job, size_t i)
{
    const uint32_t target = job->pairs[i].target;
    if (target < job->ends.target_count) {
        __builtin_prefetch(&job->ends.targets[target].at[0]);
        __builtin_prefetch(&job->ends.targets[target].id);
    }
}

static void run_unit(const pairs_job *job, size_t begin)
{
    const size_t end = job->count - begin < UNIT ? job->count : begin + UNIT;
    pairs_out out = { .seen = job->seen };
    sli_lines lines;
    sli_lines_room room;
    memset(job->seen + begin / 64, 0, (end - begin + 63) / 64 * sizeof *job->seen);
    sli_lines_begin(&lines, room.bytes, sizeof room.bytes, job->scene, job->sight, false, take,
                    &out);
    lines.only_seen = true;
    if (job->ends.targets == job->ends.eyes) {
        sli_lines_of_one_list(&lines);
    }
    for (size_t i = begin; i < end; i++) {
        const sl_sight_pair pair = job->pairs[i];
        prefetch_target(job, i + AHEAD < end ? i + AHEAD : i);
        if (pair.eye < job->ends.eye_count && pair.target < job->ends.target_count) {
            const sl_sight_end *target = &job->ends.targets[pair.target];
            sli_lines_add(&lines, &job->ends.eyes[pair.eye], target, target->at, i, NULL);
        }
    }
    sli_lines_end(&lines);
    (void)sli_atomic_fetch_add_size(job->total, out.total);
}

static void run_units(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    (void)stats;
    for (size_t unit = begin; unit < end; unit++) {
        run_unit(context, unit * UNIT);
    }
}

size_t sl_sight_pairs(const sl_scene *scene, const sl_sight_ends *ends, const sl_sight_pair *pairs,
                      size_t count, const sl_sight *sight, uint64_t *seen, const sl_tasks *tasks)
{
    size_t total = 0;
    const pairs_job job = { .scene = scene,
                            .ends = sli_sight_both(ends),
                            .pairs = pairs,
                            .count = count,
                            .sight = sight,
                            .seen = seen,
                            .total = &total };
    sli_sight_begin(sight);
    sli_run_blocks_of(1, count / UNIT + (count % UNIT != 0), run_units, &job, NULL, tasks);
    return total;
}
