#include "tools/nearest/nearest.h"

#include "tools/cli/report.h"
#include "tools/cli/stats_out.h"

#include <math.h>
#include <stdlib.h>

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
      .help = "instead of answers, ask the tree everything there is to ask of each point, hold it "
              "bit for bit against every triangle in turn, and report differences; with --stats "
              "also both speeds, by the size of the answer" },
    { .name = "sieve",
      .kind = OPTION_FLAG,
      PLACE(sieve),
      .help =
          "for --verify of large meshes: ask exactly only of triangles whose bounds come near" },
    { .name = NULL },
};

enum { BLOCK_POINTS = 16384, BLOCK_ROWS = 1 << 18 };

bool near_block_make(near_block *block, size_t room, size_t capacity, bool limits)
{
    *block = (near_block){ .room = room, .capacity = capacity };
    block->points = calloc(room, 3 * sizeof *block->points);
    block->limits = limits ? calloc(room, sizeof *block->limits) : NULL;
    block->rows = calloc(room, (capacity > 0 ? capacity : 1) * sizeof *block->rows);
    block->totals = calloc(room, sizeof *block->totals);
    return block->points != NULL && block->rows != NULL && block->totals != NULL &&
           (!limits || block->limits != NULL);
}

void near_block_free(near_block *block)
{
    free(block->points);
    free(block->limits);
    free(block->rows);
    free(block->totals);
    *block = (near_block){ .count = 0 };
}

float near_limit(const near_job *job, const near_block *block, size_t i)
{
    return block->limits != NULL ? block->limits[i] : job->options->limit;
}

/* The nearest of every other point is looked for without limit. */
int near_fill(near_job *job, point_source *source, near_block *block)
{
    const uint64_t first = source->next;
    const int status =
        point_source_fill(source, block->points, block->limits, block->room, &block->count);
    for (size_t i = 0; job->kind == NEAR_NEAREST && job->own_limits && i < block->count; i++) {
        if ((first + i) / 6 % 2 == 0) {
            block->limits[i] = INFINITY;
        }
    }
    return status;
}

static const sl_nearest none = { .distance = INFINITY, .prim = SL_NONE };

static void clear_rows(near_block *block)
{
    for (size_t i = 0; i < block->count * block->capacity; i++) {
        block->rows[i] = none;
    }
}

/* Points without a limit in common, for a range of them. */
typedef struct range_job {
    const near_job *job;
    near_block *block;
} range_job;

static void ask_tree_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const range_job *range = context;
    const near_job *job = range->job;
    near_block *block = range->block;
    for (size_t i = begin; i < end; i++) {
        block->totals[i] =
            sl_bvh_within(job->in.bvh, block->points + 3 * i, near_limit(job, block, i),
                          &job->query, block->rows + i * block->capacity, block->capacity);
    }
}

static void ask_tree(const near_job *job, near_block *block)
{
    const sl_bvh *bvh = job->in.bvh;
    const float limit = job->options->limit;
    if (job->own_limits) {
        range_job range = { job, block };
        job->in.tasks->parallel_for(job->in.tasks->user, block->count, 64, ask_tree_range, &range);
    } else if (job->kind == NEAR_WITHIN) {
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

/* Every triangle in turn. */
static void ask_brute_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const range_job *range = context;
    const near_job *job = range->job;
    near_block *block = range->block;
    for (size_t i = begin; i < end; i++) {
        sl_nearest *row = block->rows + i * block->capacity;
        const size_t total =
            sl_soup_within(&job->soup, block->points + 3 * i, near_limit(job, block, i),
                           &job->query, row, block->capacity);
        const bool most = job->kind == NEAR_NEAREST && total > block->capacity;
        block->totals[i] = most ? block->capacity : total;
    }
}

static void ask_brute(const near_job *job, near_block *block)
{
    range_job range = { job, block };
    job->in.tasks->parallel_for(job->in.tasks->user, block->count, 1, ask_brute_range, &range);
}

static int answer(near_job *job, point_source *points, near_block *block)
{
    const near_options *o = job->options;
    near_out out = { .points = 0 };
    int status = near_out_open(&out, o, job->kind, job->in.mesh,
                               points->count > 0 ? points->count : NPY_ROWS_UNKNOWN);
    bool written = true;
    while (status == EXIT_DONE && written) {
        status = near_fill(job, points, block);
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
                      points->count > 0 ? (double)out.points / (double)points->count : -1);
    }
    progress_end(&job->in.bar);
    if (status == EXIT_DONE) {
        near_out_end(&out);
        if (o->stats) {
            stats_out_put(out.is_npy ? NULL : &out.text,
                          &(stats_out){ .what = "points",
                                        .asked = out.points,
                                        .stats = &job->stats,
                                        .proxies = job->query.proxy != NULL,
                                        .seconds = job->seconds });
        }
        status = near_out_close(&out);
    }
    near_out_discard(&out);
    return status == EXIT_DONE && out.points == 1 && out.found == 0 ? EXIT_NO : status;
}

static int near_answer(near_job *job)
{
    const near_options *o = job->options;
    near_block block = { .count = 0 };
    point_source points = { .from_file = false };
    const size_t capacity = o->count ? 0 : (size_t)o->capacity;
    const size_t most = capacity > 0 ? BLOCK_ROWS / capacity : BLOCK_POINTS;
    const size_t room = most == 0 ? 1 : most < BLOCK_POINTS ? most : BLOCK_POINTS;
    int status = point_source_open(&points, &o->from, o->from.generate, job->in.mesh, job->in.bvh,
                                   job->in.tasks);
    if (status == EXIT_DONE && !near_block_make(&block, room, capacity, job->own_limits)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = answer(job, &points, &block);
    }
    near_block_free(&block);
    point_source_close(&points);
    return status;
}

static int check_options(const invocation *call)
{
    const near_options *o = call->options;
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (o->verify && npy_is_name(o->out)) {
        return report_usage(call->command, "--verify reports in words, CSV or JSON; not in .npy");
    }
    if (o->verify && o->brute) {
        return report_usage(call->command, "--verify asks both ways; leave --brute out");
    }
    if (o->sieve && (!o->verify || o->query.skip != NULL)) {
        return report_usage(call->command, "--sieve is for --verify, without --skip");
    }
    int status = proxy_in_check(call, &o->proxy, o->brute, o->verify);
    if (status == EXIT_DONE) {
        status = points_check_options(call, &o->from, o->verify);
    }
    return status == EXIT_DONE ? mesh_in_check_stdin(call, "points", o->from.points) : status;
}

static int open_job(near_job *job, const invocation *call)
{
    const near_options *o = job->options;
    int status = query_in_make(call, &o->query, &job->query);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&job->in, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = mesh_in_snap(&job->in, o->from.snap);
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
        job->query.stats = o->stats && !o->verify ? &job->stats : NULL;
        proxy_in_make(&o->proxy, &job->in, &job->proxy, &job->query);
    }
    return status;
}

int near_run(const invocation *call, near_kind kind)
{
    const near_options *o = call->options;
    near_job job = { .options = o, .kind = kind };
    const bool limited = options_given(call, kind == NEAR_WITHIN ? "radius" : "max-distance");
    job.own_limits =
        options_given(call, "generate") && !limited && (kind == NEAR_WITHIN || o->verify);
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = open_job(&job, call);
    }
    if (status == EXIT_DONE) {
        progress_begin(&job.in.bar, o->common.quiet);
        status = o->verify ? near_verify(&job) : near_answer(&job);
    }
    mesh_in_close(&job.in);
    free(job.masks);
    return status;
}
