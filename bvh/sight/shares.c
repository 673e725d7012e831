/* How much of a target is seen: samples of many targets are traced together, a few of each in turn,
 * until each is decided. */
#include "bvh/sight/lines.h"
#include "bvh/sight/samples.h"

enum {
    FEW = 8,  /* samples of each between decisions */
    UNIT = 40 /* pairs at a time */
};

typedef struct shares_job {
    const sl_bvh *bvh;
    sl_sight_ends ends; /* targets are never NULL */
    const sl_sight_samples *samples;
    const sl_sight_pair *pairs;
    size_t count;
    const sl_sight *sight;
    sl_sight_share *shares;
} shares_job;

static void shares_take(void *context, const size_t *numbers, const uint8_t *occluded,
                        const sl_triangle_ref *occluders, size_t count)
{
    sl_sight_share *shares = context;
    (void)occluders;
    for (size_t i = 0; i < count; i++) {
        shares[numbers[i]].tried++;
        shares[numbers[i]].seen += occluded[i] == 0;
    }
}

/* Whether it is certain what all samples would say; enough says what. */
static bool share_is_decided(const sl_sight_samples *samples, sl_sight_share *share)
{
    const uint32_t left = share->count - share->tried;
    share->enough = share->seen >= samples->need;
    return left == 0 ||
           (samples->need != 0 && (share->enough != 0 || samples->need - share->seen > left));
}

/* Adds the next few samples of pair i. */
static void shares_add_few(const shares_job *job, sli_lines *lines, size_t i, sli_samples_at *at)
{
    const sl_sight_pair pair = job->pairs[i];
    const sl_sight_end *target = &job->ends.targets[pair.target];
    const sl_sight_samples *samples = &job->samples[pair.target];
    const sl_sight_share *share = &job->shares[i];
    /* Answers may come while lines are added, so tried is read once. */
    const uint32_t left = share->count - share->tried, few = left < FEW ? left : FEW;
    for (uint32_t k = 0; k < few; k++) {
        double s[3], point[3];
        sli_samples_next(samples, at, s);
        sli_samples_position(samples, target->at, s, point);
        sli_lines_add(lines, &job->ends.eyes[pair.eye], target, point, i, NULL);
    }
}

static void shares_unit(const void *context, size_t unit)
{
    const shares_job *job = context;
    const size_t begin = unit * UNIT;
    const size_t end = job->count - begin < UNIT ? job->count : begin + UNIT;
    sli_samples_at at[UNIT] = { { 0 } };
    bool open[UNIT];
    bool any = false;
    sli_lines lines;
    sli_lines_scratch scratch;
    sli_lines_begin(&lines, scratch.bytes, sizeof scratch.bytes, job->bvh, job->sight, false,
                    shares_take, job->shares);
    lines.keep_unused = true;
    for (size_t i = begin; i < end; i++) {
        const sl_sight_pair pair = job->pairs[i];
        sl_sight_share *share = &job->shares[i];
        *share = (sl_sight_share){ .seen = 0 };
        open[i - begin] = false;
        if (pair.eye < job->ends.eye_count && pair.target < job->ends.target_count) {
            const sl_sight_samples *samples = &job->samples[pair.target];
            share->count = samples->count < SLI_SAMPLES_MAX ? samples->count : SLI_SAMPLES_MAX;
            open[i - begin] = !share_is_decided(samples, share);
        }
        any |= open[i - begin];
    }
    while (any) {
        any = false;
        for (size_t i = begin; i < end; i++) {
            if (open[i - begin]) {
                shares_add_few(job, &lines, i, &at[i - begin]);
            }
        }
        sli_lines_flush(&lines);
        for (size_t i = begin; i < end; i++) {
            if (open[i - begin]) {
                const sl_sight_samples *samples = &job->samples[job->pairs[i].target];
                open[i - begin] = !share_is_decided(samples, &job->shares[i]);
                any |= open[i - begin];
            }
        }
    }
    sli_lines_end(&lines);
}

void sl_sight_shares(const sl_bvh *bvh, const sl_sight_ends *ends, const sl_sight_samples *samples,
                     const sl_sight_pair *pairs, size_t count, const sl_sight *sight,
                     sl_sight_share *shares, const sl_tasks *tasks)
{
    const shares_job job = { .bvh = bvh,
                             .ends = sli_sight_both(ends),
                             .samples = samples,
                             .pairs = pairs,
                             .count = count,
                             .sight = sight,
                             .shares = shares };
    sli_sight_run(sight, count / UNIT + (count % UNIT != 0), shares_unit, &job, tasks);
}
