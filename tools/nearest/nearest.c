/* nearest.c: points against a mesh, for the subcommands nearest and within. */
#include "tools/nearest/nearest.h"

#include "tools/cli/report.h"
#include "tools/nearest/scene.h"
#include "tools/output/stats.h"

#include <math.h>
#include <stdlib.h>

#define PLACE(member) .offset = offsetof(nearest_options, member)

const option_row nearest_report_rows[] = {
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .main = true,
      .endings = (const char *const[]){ "csv", "json", "npy", NULL },
      .help =
          "write there instead of stdout, as CSV or JSON by the end of the name, or where it "
          "ends in .npy as an array: records of distance, u, v (float32), prim, instance, "
          "flags (uint32) and point (3 float32); of 'nearest' (N,) or, with -k above 1, (N, K); "
          "of 'within' the triangles of all points, and NAME.offsets.npy, uint64 (N + 1,), "
          "says where those of each point begin and end; for count uint64 (N,); of a scene the "
          "point is 3 float64" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help =
          "report the work that was done, on stderr, or in JSON with the answers; with --verify "
          "how long the tree and every triangle in turn take, by the size of the answer" },
    { .name = NULL },
};

enum { BLOCK_POINTS = 16384, BLOCK_ROWS = 1 << 18 };

bool nearest_block_make(nearest_block *block, size_t capacity, size_t max_found, bool limits)
{
    *block = (nearest_block){ .capacity = capacity, .max_found = max_found };
    block->points = calloc(capacity, 3 * sizeof *block->points);
    block->limits = limits ? calloc(capacity, sizeof *block->limits) : NULL;
    block->rows = calloc(capacity, (max_found > 0 ? max_found : 1) * sizeof *block->rows);
    block->totals = calloc(capacity, sizeof *block->totals);
    return block->points != NULL && block->rows != NULL && block->totals != NULL &&
           (!limits || block->limits != NULL);
}

void nearest_block_free(nearest_block *block)
{
    free(block->points);
    free(block->limits);
    free(block->rows);
    free(block->totals);
    *block = (nearest_block){ .count = 0 };
}

float nearest_limit(const nearest_job *job, const nearest_block *block, size_t i)
{
    return block->limits != NULL ? block->limits[i] : job->options->limit;
}

/* The nearest of every other point is looked for without limit. */
int nearest_fill(nearest_job *job, point_source *source, nearest_block *block)
{
    const uint64_t first = source->next;
    const int status =
        point_source_fill(source, block->points, block->limits, block->capacity, &block->count);
    for (size_t i = 0; job->kind == NEAREST_CLOSEST && job->own_limits && i < block->count; i++) {
        if ((first + i) / 6 % 2 == 0) {
            block->limits[i] = INFINITY;
        }
    }
    return status;
}

static const sl_nearest none = { .distance = INFINITY, .prim = SL_NONE };

static void clear_rows(nearest_block *block)
{
    for (size_t i = 0; i < block->count * block->max_found; i++) {
        block->rows[i] = none;
    }
}

/* Points without a limit in common, for a range of them. */
typedef struct range_job {
    const nearest_job *job;
    nearest_block *block;
} range_job;

static void ask_tree_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const range_job *range = context;
    const nearest_job *job = range->job;
    nearest_block *block = range->block;
    for (size_t i = begin; i < end; i++) {
        block->totals[i] =
            sl_bvh_within(job->in.bvh, block->points + 3 * i, nearest_limit(job, block, i),
                          &job->query, block->rows + i * block->max_found, block->max_found);
    }
}

static void ask_tree(const nearest_job *job, nearest_block *block)
{
    const sl_bvh *bvh = job->in.bvh;
    const float limit = job->options->limit;
    if (job->own_limits) {
        range_job range = { job, block };
        job->in.tasks->parallel_for(job->in.tasks->user, block->count, 64, ask_tree_range, &range);
    } else if (job->kind == NEAREST_WITHIN) {
        sl_bvh_within_many(bvh, block->points, block->count, limit, &job->query, block->rows,
                           block->max_found, block->totals, job->in.tasks);
    } else if (block->max_found > 1) {
        sl_bvh_nearest_k_many(bvh, block->points, block->count, limit, &job->query, block->rows,
                              block->max_found, block->totals, job->in.tasks);
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
    const nearest_job *job = range->job;
    nearest_block *block = range->block;
    for (size_t i = begin; i < end; i++) {
        sl_nearest *row = block->rows + i * block->max_found;
        const size_t total =
            sl_soup_within(&job->soup, block->points + 3 * i, nearest_limit(job, block, i),
                           &job->query, row, block->max_found);
        const bool most = job->kind == NEAREST_CLOSEST && total > block->max_found;
        block->totals[i] = most ? block->max_found : total;
    }
}

static void ray_batch_brute(const nearest_job *job, nearest_block *block)
{
    range_job range = { job, block };
    job->in.tasks->parallel_for(job->in.tasks->user, block->count, 1, ask_brute_range, &range);
}

/* Opens the answers; of a part, or a run that can go on, also where it begins. */
static int open_out(nearest_job *job, const invocation *call, point_source *points,
                    nearest_out *out)
{
    const bool in_parts = parts_wanted(&job->options->parts);
    uint64_t hash = 0;
    int status = in_parts ? point_source_measure(points, &hash) : EXIT_DONE;
    if (status == EXIT_DONE) {
        status = nearest_out_open(out, job->options, job->kind, job->in.mesh,
                                  points->count > 0 ? points->count : NPY_ROWS_UNKNOWN);
    }
    if (status == EXIT_DONE && in_parts) {
        status = nearest_out_begin_part(out, job, call, points->count, hash);
    }
    if (status == EXIT_DONE && in_parts && !out->part.complete) {
        status = point_source_share(points, out->points, out->part.count - out->part.done);
    }
    return status;
}

static int answer(nearest_job *job, point_source *points, nearest_block *block, nearest_out *out)
{
    const nearest_options *o = job->options;
    int status = EXIT_DONE;
    bool written = true;
    while (status == EXIT_DONE && written) {
        status = nearest_fill(job, points, block);
        if (status != EXIT_DONE || block->count == 0) {
            break;
        }
        clear_rows(block);
        const double started = common_seconds();
        if (o->verify.brute) {
            ray_batch_brute(job, block);
        } else {
            ask_tree(job, block);
        }
        job->seconds += common_seconds() - started;
        written = nearest_out_write(out, block);
        progress_show(&job->in.bar, "measuring",
                      parts_wanted(&o->parts) ? part_out_fraction(&out->part)
                      : points->count > 0     ? (double)out->points / (double)points->count
                                              : -1);
    }
    progress_end(&job->in.bar);
    if (status == EXIT_DONE) {
        nearest_out_end(out);
        if (o->stats) {
            stats_out_put(out->is_npy ? NULL : &out->text,
                          &(stats_out){ .what = "points",
                                        .asked = out->points - out->part.first,
                                        .stats = &job->stats,
                                        .proxies = job->query.proxy != NULL,
                                        .seconds = job->seconds });
        }
        status = nearest_out_close(out);
    }
    return status;
}

static int nearest_answer(nearest_job *job, const invocation *call)
{
    const nearest_options *o = job->options;
    nearest_block block = { .count = 0 };
    nearest_out out = { .points = 0 };
    point_source points = { .from_file = false };
    const size_t max_found = (o->mode == NEAREST_COUNT) ? 0 : (size_t)o->max_found;
    const size_t most = max_found > 0 ? BLOCK_ROWS / max_found : BLOCK_POINTS;
    const size_t capacity = most == 0 ? 1 : most < BLOCK_POINTS ? most : BLOCK_POINTS;
    int status = point_source_open(&points, &o->from, o->from.generate.kind, job->in.mesh,
                                   job->in.bvh, job->in.tasks);
    if (status == EXIT_DONE && !nearest_block_make(&block, capacity, max_found, job->own_limits)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = open_out(job, call, &points, &out);
    }
    if (status == EXIT_DONE) {
        status = out.part.complete ? out.part.status : answer(job, &points, &block, &out);
    }
    nearest_out_discard(&out);
    nearest_block_free(&block);
    point_source_close(&points);
    const bool no = !parts_wanted(&o->parts) && out.points == 1 && out.found == 0;
    return status == EXIT_DONE && no ? EXIT_NO : status;
}

static int check_options(const invocation *call)
{
    const nearest_options *o = call->options;
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    int status = verify_check(call, &o->verify, o->out, o->query.skip);
    if (status == EXIT_DONE) {
        status = proxy_in_check(call, &o->proxy, o->verify.brute, o->verify.verify);
    }
    if (status == EXIT_DONE) {
        status = parts_check(call, &o->parts, o->out, o->from.points, o->common.json);
    }
    if (status == EXIT_DONE) {
        status = generate_check(call, &o->from.generate, POINT_KIND_COUNT, "points", o->from.points,
                                false);
    }
    return status == EXIT_DONE ? mesh_in_check_stdin(call, "points", o->from.points) : status;
}

static int open_job(nearest_job *job, const invocation *call)
{
    const nearest_options *o = job->options;
    int status = query_in_make(call, &o->query, &job->query);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&job->in, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = mesh_in_snap(&job->in, o->verify.snap);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&o->query, job->in.mesh, &job->masks);
    }
    if (status == EXIT_DONE) {
        job->in.masks = job->masks;
        status = mesh_in_build(&job->in);
    }
    job->query.stats = o->stats && !o->verify.verify ? &job->stats : NULL;
    if (status == EXIT_DONE && job->in.scene == NULL) {
        job->soup = sl_mesh_soup(job->in.mesh);
        job->soup.masks = job->masks;
        proxy_in_make(&o->proxy, &job->in, &job->proxy, &job->query);
    }
    return status;
}

int nearest_run(const invocation *call, nearest_kind kind)
{
    const nearest_options *o = call->options;
    nearest_job job = { .options = o, .kind = kind };
    const bool limited = options_given(call, kind == NEAREST_WITHIN ? "radius" : "max-distance");
    job.own_limits =
        options_given(call, "generate") && !limited && (kind == NEAREST_WITHIN || o->verify.verify);
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = open_job(&job, call);
    }
    if (status == EXIT_DONE && job.in.scene != NULL) {
        status = nearest_scene(&job, call);
    } else if (status == EXIT_DONE) {
        progress_begin(&job.in.bar, o->common.quiet);
        status = o->verify.verify ? nearest_verify(&job) : nearest_answer(&job, call);
    }
    mesh_in_close(&job.in);
    free(job.masks);
    return status;
}
