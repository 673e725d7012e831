#include "tools/near.h"

#include "tools/rays_in.h"
#include "tools/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACE(member) .offset = offsetof(near_options, member)

const option_row near_report_rows[] = {
    { .name = "count",
      .kind = OPTION_FLAG,
      PLACE(count),
      .help = "print only how many triangles there are for each point" },
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .help = "write there instead of stdout; as .npy if the name ends so" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help = "report the work that was done, on stderr; in JSON with the answers" },
    { .name = "brute",
      .kind = OPTION_FLAG,
      PLACE(brute),
      .help = "ask every triangle in turn instead of the tree" },
    { .name = "verify",
      .kind = OPTION_FLAG,
      PLACE(verify),
      .help = "ask both and count the differences instead of printing answers" },
    { .name = NULL },
};

enum { BLOCK_POINTS = 16384, BLOCK_ROWS = 1 << 18, SHOWN = 10 };

typedef struct near_job {
    const near_options *options;
    near_kind kind;
    mesh_in in;
    uint32_t *masks;
    sl_soup soup;
    sl_query query;
    sl_stats stats;
    double seconds;
    uint64_t differences;
} near_job;

static bool make_block(near_block *block, size_t room, size_t capacity)
{
    *block = (near_block){ .room = room, .capacity = capacity };
    block->points = calloc(room, 3 * sizeof *block->points);
    block->rows = calloc(room, (capacity > 0 ? capacity : 1) * sizeof *block->rows);
    block->totals = calloc(room, sizeof *block->totals);
    return block->points != NULL && block->rows != NULL && block->totals != NULL;
}

static void free_block(near_block *block)
{
    free(block->points);
    free(block->rows);
    free(block->totals);
    *block = (near_block){ .count = 0 };
}

static const sl_nearest none = { .distance = INFINITY, .prim = SL_NONE };

static void clear_rows(near_block *block)
{
    for (size_t i = 0; i < block->count * block->capacity; i++) {
        block->rows[i] = none;
    }
}

static void ask_tree(const near_job *job, near_block *block)
{
    const sl_bvh *bvh = job->in.bvh;
    const float limit = job->options->limit;
    if (job->kind == NEAR_WITHIN) {
        sl_bvh_within_many(bvh, block->points, block->count, limit, &job->query, block->rows,
                           block->capacity, block->totals, job->in.tasks);
    } else if (block->capacity > 1) {
        sl_bvh_nearest_k_many(bvh, block->points, block->count, limit, &job->query, block->rows,
                              block->capacity, block->totals, job->in.tasks);
    } else {
        sl_bvh_nearest_many(bvh, block->points, block->count, limit, &job->query, block->rows,
                            job->in.tasks);
        for (size_t i = 0; i < block->count; i++) {
            block->totals[i] = block->rows[i].prim != SL_NONE;
            block->rows[i] = block->totals[i] > 0 ? block->rows[i] : none;
        }
    }
}

/* Every triangle in turn, for a range of points. */
typedef struct brute_job {
    const near_job *job;
    near_block *block;
} brute_job;

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const brute_job *brute = context;
    const near_job *job = brute->job;
    near_block *block = brute->block;
    for (size_t i = begin; i < end; i++) {
        sl_nearest *row = block->rows + i * block->capacity;
        const size_t total = sl_soup_within(&job->soup, block->points + 3 * i, job->options->limit,
                                            &job->query, row, block->capacity);
        const bool most = job->kind == NEAR_NEAREST && total > block->capacity;
        block->totals[i] = most ? block->capacity : total;
    }
}

static void ask_brute(const near_job *job, near_block *block)
{
    brute_job brute = { job, block };
    job->in.tasks->parallel_for(job->in.tasks->user, block->count, 1, ask_range, &brute);
}

static void put_stats(output *out, const near_job *job, uint64_t points)
{
    const sl_stats *s = &job->stats;
    output_field(out, "points", value_count(points));
    output_field(out, "nodes", value_count(s->nodes));
    output_field(out, "boxes", value_count(s->boxes));
    output_field(out, "triangles", value_count(s->triangles));
    output_field(out, "float_stage", value_count(s->float_stage));
    output_field(out, "double_stage", value_count(s->double_stage));
    output_field(out, "exact_stage", value_count(s->exact_stage));
    output_field(out, "seconds", value_rounded(job->seconds, 4));
}

/* To stderr unless the answers are JSON, which takes it in. */
static void report_stats(near_out *answers, const near_job *job)
{
    if (job->options->common.json) {
        output_record_begin(&answers->text, "stats");
        put_stats(&answers->text, job, answers->points);
        output_record_end(&answers->text);
        return;
    }
    output out = { .format = OUTPUT_TEXT, .file.stream = stderr };
    put_stats(&out, job, answers->points);
}

/* Bit for bit, what is kept and how much there is. */
static bool is_same(const near_block *a, const near_block *b, size_t i)
{
    return a->totals[i] == b->totals[i] &&
           memcmp(a->rows + i * a->capacity, b->rows + i * b->capacity,
                  a->capacity * sizeof *a->rows) == 0;
}

static void note_differences(near_job *job, output *out, const near_block *tree,
                             const near_block *truth, uint64_t first)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (is_same(tree, truth, i)) {
            continue;
        }
        if (job->differences++ < SHOWN) {
            char line[160];
            snprintf(line, sizeof line,
                     "point %" PRIu64 ": the tree finds %" PRIu64 " triangles, prim %" PRIu32
                     " first; every triangle in turn gives %" PRIu64 ", prim %" PRIu32 " first",
                     first + i, tree->totals[i], tree->rows[i * tree->capacity].prim,
                     truth->totals[i], truth->rows[i * truth->capacity].prim);
            output_line(out, line);
        }
    }
}

static int verify(near_job *job, rays_in *points, near_block *block)
{
    const near_options *o = job->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    near_block truth = { .count = 0 };
    output out;
    uint64_t count = 0, found = 0;
    int status =
        output_open(&out, o->out, format, job->kind == NEAR_WITHIN ? "within" : "nearest", false);
    if (status == EXIT_DONE && !make_block(&truth, block->room, block->capacity)) {
        status = report_memory();
    }
    while (status == EXIT_DONE) {
        status = rays_in_points(points, block->points, block->room, &block->count);
        if (status != EXIT_DONE || block->count == 0) {
            break;
        }
        truth.count = block->count;
        memcpy(truth.points, block->points, 3 * block->count * sizeof *block->points);
        clear_rows(block);
        clear_rows(&truth);
        ask_tree(job, block);
        ask_brute(job, &truth);
        note_differences(job, &out, block, &truth, count);
        for (size_t i = 0; i < truth.count; i++) {
            found += truth.totals[i];
        }
        count += block->count;
        progress_show(&job->in.bar, "verifying", -1);
    }
    progress_end(&job->in.bar);
    if (status == EXIT_DONE) {
        const bool csv = format == OUTPUT_CSV;
        if (csv) {
            output_record_begin(&out, "verify");
        }
        output_field(&out, "points", value_count(count));
        output_field(&out, "pairs", value_count(count * job->soup.triangle_count));
        output_field(&out, "found", value_count(found));
        output_field(&out, "differences", value_count(job->differences));
        if (csv) {
            output_record_end(&out);
        }
        status = output_close(&out);
    }
    output_discard(&out);
    free_block(&truth);
    return status == EXIT_DONE && job->differences > 0 ? EXIT_NO : status;
}

static int answer(near_job *job, rays_in *points, near_block *block)
{
    const near_options *o = job->options;
    near_out out = { .points = 0 };
    int status = near_out_open(&out, o, job->kind, job->in.mesh,
                               points->is_npy ? points->npy.rows : NPY_ROWS_UNKNOWN);
    bool written = true;
    while (status == EXIT_DONE && written) {
        status = rays_in_points(points, block->points, block->room, &block->count);
        if (status != EXIT_DONE || block->count == 0) {
            break;
        }
        clear_rows(block);
        const double started = common_seconds();
        if (o->brute) {
            ask_brute(job, block);
        } else {
            ask_tree(job, block);
        }
        job->seconds += common_seconds() - started;
        written = near_out_write(&out, block);
        progress_show(&job->in.bar, "measuring",
                      points->is_npy && points->npy.rows > 0
                          ? (double)out.points / (double)points->npy.rows
                          : -1);
    }
    progress_end(&job->in.bar);
    if (status == EXIT_DONE) {
        near_out_end(&out);
        if (o->stats) {
            report_stats(&out, job);
        }
        status = near_out_close(&out);
    }
    near_out_discard(&out);
    return status == EXIT_DONE && out.points == 1 && out.found == 0 ? EXIT_NO : status;
}

static int check_options(const invocation *call)
{
    const near_options *o = call->options;
    if (o->points == NULL) {
        return report_usage(call->command, "there are no points; name --points");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (o->verify && npy_is_name(o->out)) {
        return report_usage(call->command, "--verify reports in words, CSV or JSON; not in .npy");
    }
    if (o->verify && (o->brute || o->stats)) {
        return report_usage(call->command,
                            "--verify asks both ways; leave --brute and --stats out");
    }
    return EXIT_DONE;
}

static int open_job(near_job *job, const invocation *call)
{
    const near_options *o = job->options;
    int status = query_in_make(call, &o->query, &job->query);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&job->in, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&o->query, job->in.mesh, &job->masks);
    }
    if (status == EXIT_DONE) {
        job->in.masks = job->masks;
        status = mesh_in_build(&job->in);
    }
    if (status == EXIT_DONE) {
        job->soup = sl_mesh_soup(job->in.mesh);
        job->soup.masks = job->masks;
        job->query.stats = o->stats ? &job->stats : NULL;
    }
    return status;
}

int near_run(const invocation *call, near_kind kind)
{
    const near_options *o = call->options;
    near_job job = { .options = o, .kind = kind };
    near_block block = { .count = 0 };
    rays_in points = { .is_npy = false };
    const size_t capacity = o->count && !o->verify ? 0 : (size_t)o->capacity;
    const size_t most = capacity > 0 ? BLOCK_ROWS / capacity : BLOCK_POINTS;
    const size_t room = most == 0 ? 1 : most < BLOCK_POINTS ? most : BLOCK_POINTS;
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = open_job(&job, call);
    }
    if (status == EXIT_DONE) {
        status = rays_in_open(&points, o->points, RAYS_IN_POINTS, 0, 0);
    }
    if (status == EXIT_DONE && !make_block(&block, room, capacity)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        progress_begin(&job.in.bar, o->common.quiet);
        status = o->verify ? verify(&job, &points, &block) : answer(&job, &points, &block);
    }
    free_block(&block);
    rays_in_close(&points);
    mesh_in_close(&job.in);
    free(job.masks);
    return status;
}
