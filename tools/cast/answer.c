/* cast/answer.c: rays in blocks, asked and written, for 'cast' without --verify. */
#include "tools/cast/cast.h"
#include "tools/cast/hits_out.h"
#include "tools/cli/report.h"
#include "tools/parts/part.h"

/* Rays that are read, asked and written at a time. */
enum { BLOCK_RAYS = 16384, BLOCK_HITS = 1 << 18 };

typedef struct cast_sums {
    uint64_t rays, hits;
    double seconds;
    sl_stats stats;
} cast_sums;

static void count_hits(const ray_batch *block, ray_mode mode, cast_sums *sums)
{
    sums->rays += block->count;
    for (size_t i = 0; i < block->count; i++) {
        sums->hits += mode == RAY_MODE_CLOSEST ? ray_batch_hit(block, i).prim != SL_NONE
                      : mode == RAY_MODE_ANY   ? block->yes[i] != 0
                                               : block->totals[i] > 0;
    }
}

static void print_stats(output *out, const cast_job *job, const cast_sums *sums)
{
    const sl_stats *s = &sums->stats;
    const struct {
        const char *key;
        uint64_t count;
    } fields[] = {
        { "rays", s->rays },
        { "nodes", s->nodes },
        { "boxes", s->boxes },
        { "triangles", s->triangles },
        { "float_stage", s->float_stage },
        { "double_stage", s->double_stage },
        { "exact_stage", s->exact_stage },
        { "hits", s->hits },
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        output_field(out, fields[i].key, value_count(fields[i].count));
    }
    if (job->target.scene != NULL) {
        output_field(out, "instances", value_count(s->instances));
    }
    if (job->target.query.proxy != NULL) {
        output_field(out, "proxies_rejected", value_count(s->proxies_rejected));
    }
    const double asked = (double)sums->rays * (double)job->options->repeat;
    output_field(out, "seconds", value_rounded(sums->seconds, 4));
    output_field(out, "rays_per_second",
                 value_rounded(sums->seconds > 0 ? asked / sums->seconds : 0, 4));
}

/* To stderr unless the answers are JSON, which takes it in. */
static void report_stats(hits_out *answers, const cast_job *job, const cast_sums *sums)
{
    if (job->options->common.json) {
        output_record_begin(&answers->text, "stats");
        print_stats(&answers->text, job, sums);
        output_record_end(&answers->text);
        return;
    }
    output out = { .format = OUTPUT_TEXT, .file.stream = stderr };
    print_stats(&out, job, sums);
}

/* Where rays come from, and where their answers go. */
typedef struct cast_run {
    ray_source source;
    ray_batch block;
    hits_out answers;
    part_out part; /* --part or --resume; else zeroed */
    cast_sums sums;
} cast_run;

/* The rows of a block are in the answers; of a part they become a record. */
static bool keep_block(const cast_job *job, cast_run *run)
{
    if (!parts_wanted(&job->options->parts)) {
        return true;
    }
    run->part.sums[0] = run->sums.hits;
    return part_out_block(&run->part, run->block.count);
}

static double fraction(const cast_job *job, const cast_run *run)
{
    const uint64_t count = run->source.count;
    return parts_wanted(&job->options->parts) ? part_out_fraction(&run->part)
           : count > 0                        ? (double)run->sums.rays / (double)count
                                              : -1;
}

static int cast_blocks(cast_job *job, cast_run *run)
{
    const cast_options *o = job->options;
    ray_source *source = &run->source;
    ray_batch *block = &run->block;
    cast_sums *sums = &run->sums;
    const ray_mode mode = (ray_mode)o->mode;
    if (o->stats) {
        job->target.query.stats = &sums->stats;
    }
    progress_begin(&job->mesh.bar, o->common.quiet);
    bool written = true;
    int status = ray_source_fill(source, block);
    while (status == EXIT_DONE && written && block->count > 0) {
        const double started = common_seconds();
        for (uint64_t i = 0; i < o->repeat; i++) {
            ray_batch_answer(&job->target, mode, o->verify.brute, block);
        }
        sums->seconds += common_seconds() - started;
        count_hits(block, mode, sums);
        written = hits_out_write(&run->answers, block) && keep_block(job, run);
        progress_show(&job->mesh.bar, "casting", fraction(job, run));
        status = ray_source_fill(source, block);
    }
    progress_end(&job->mesh.bar);
    return status;
}

/* A part, or a run that can go on: which rays are to be asked. */
static int begin_part(const cast_job *job, const invocation *call, cast_run *run, uint64_t hash)
{
    const cast_options *o = job->options;
    part_out *part = &run->part;
    const part_question question = { .call = call,
                                     .options = &o->parts,
                                     .out = o->out,
                                     .in = &job->mesh,
                                     .total = run->source.count,
                                     .hash = hash,
                                     .quiet = o->common.quiet };
    const int status = part_out_start(part, &question);
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    run->sums.hits = part->sums[0];
    hits_out_go_on(&run->answers, part);
    return ray_source_share(&run->source, part->first + part->done, part->count - part->done);
}

static int open_run(cast_job *job, const invocation *call, cast_run *run)
{
    const cast_options *o = job->options;
    const ray_mode mode = (ray_mode)o->mode;
    const bool in_parts = parts_wanted(&o->parts);
    const size_t max_hits = mode == RAY_MODE_ALL ? (size_t)o->max_hits : 1;
    const size_t capacity = BLOCK_HITS / max_hits < BLOCK_RAYS ? BLOCK_HITS / max_hits : BLOCK_RAYS;
    uint64_t hash = 0;
    int status = cast_open_source(job, o->generate.kind, &run->source);
    if (status == EXIT_DONE && in_parts) {
        status = ray_source_measure(&run->source, &hash);
    }
    if (status == EXIT_DONE &&
        !ray_batch_make(&run->block, run->source.are_segments, o->doubles, capacity, max_hits)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        const hits_out_def def = { .path = o->out,
                                   .mode = mode,
                                   .json = o->common.json,
                                   .surface = o->surface,
                                   .doubles = o->doubles,
                                   .scene = job->target.scene,
                                   .mesh = &job->mesh,
                                   .rows = run->source.count,
                                   .part = in_parts ? &run->part : NULL };
        status = hits_out_open(&run->answers, &def);
    }
    return status == EXIT_DONE && in_parts ? begin_part(job, call, run, hash) : status;
}

static int finish_run(const cast_job *job, cast_run *run)
{
    hits_out_end(&run->answers);
    if (job->options->stats) {
        report_stats(&run->answers, job, &run->sums);
    }
    const int status = hits_out_close(&run->answers);
    return status == EXIT_DONE && parts_wanted(&job->options->parts) ? part_out_close(&run->part)
                                                                     : status;
}

int cast_answer(cast_job *job, const invocation *call)
{
    cast_run run = { .sums = { .rays = 0 } };
    int status = open_run(job, call, &run);
    const bool complete = run.part.complete;
    if (status == EXIT_DONE && !complete) {
        status = cast_blocks(job, &run);
    }
    if (status == EXIT_DONE && !complete) {
        status = finish_run(job, &run);
    }
    status = status == EXIT_DONE && complete ? run.part.status : status;
    hits_out_discard(&run.answers);
    part_out_discard(&run.part);
    ray_batch_free(&run.block);
    ray_source_close(&run.source);
    const bool no = !parts_wanted(&job->options->parts) && run.sums.rays == 1 && run.sums.hits == 0;
    return status == EXIT_DONE && no ? EXIT_NO : status;
}
