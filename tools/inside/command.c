/* inside/command.c: which points are inside of a mesh. */
#include "tools/cli/report.h"
#include "tools/inside/inside.h"
#include "tools/inside/scene.h"
#include "tools/output/stats.h"

#include <stdlib.h>

#define PLACE(member) .offset = offsetof(inside_options, member)

static const option_row report_rows[] = {
    { .name = "summary",
      .kind = OPTION_FLAG,
      PLACE(summary),
      .main = true,
      .not_names = "count",
      .help = "print only how many points there are and how many are inside" },
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .main = true,
      .endings = (const char *const[]){ "csv", "json", "npy", NULL },
      .help = "write there instead of stdout, as CSV or JSON by the end of the name, or where it "
              "ends in .npy as an array: records (N,) "
              "of crossings (uint64), winding (float64) and inside, by_parity, by_winding, differ "
              "and on_surface (bool)" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help = "report the work that was done, on stderr; in JSON with the answers" },
    { .name = NULL },
};

enum { BLOCK_POINTS = 16384 };

bool inside_block_make(inside_block *block, size_t capacity)
{
    *block = (inside_block){ .capacity = capacity };
    block->points = calloc(capacity, 3 * sizeof *block->points);
    block->answers = calloc(capacity, sizeof *block->answers);
    return block->points != NULL && block->answers != NULL;
}

void inside_block_free(inside_block *block)
{
    free(block->points);
    free(block->answers);
    *block = (inside_block){ .count = 0 };
}

void inside_ask_tree(const inside_job *job, inside_block *block)
{
    sl_bvh_inside_many(job->in.bvh, job->boundary, block->points, block->count, &job->query,
                       block->answers, job->in.tasks);
}

typedef struct brute_job {
    const inside_job *job;
    const float *points;
    sl_inside *answers;
} brute_job;

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const brute_job *brute = context;
    const inside_job *job = brute->job;
    for (size_t i = begin; i < end; i++) {
        sl_soup_inside(&job->soup, job->boundary, brute->points + 3 * i, &job->query,
                       &brute->answers[i]);
    }
}

void inside_ask_brute(const inside_job *job, const inside_block *block, sl_inside *answers)
{
    brute_job brute = { job, block->points, answers };
    job->in.tasks->parallel_for(job->in.tasks->user, block->count, 1, ask_range, &brute);
}

static int answer_source(inside_job *job, point_source *points, inside_block *block,
                         inside_out *out)
{
    progress *bar = &job->in.bar;
    bool written = true;
    int status = EXIT_DONE;
    while (status == EXIT_DONE && written) {
        status = point_source_fill(points, block->points, NULL, block->capacity, &block->count);
        if (status != EXIT_DONE || block->count == 0) {
            break;
        }
        const double started = common_seconds();
        if (job->options->verify.brute) {
            inside_ask_brute(job, block, block->answers);
        } else {
            inside_ask_tree(job, block);
        }
        job->seconds += common_seconds() - started;
        written = inside_out_write(out, block);
        progress_show(bar, "asking",
                      out->part.format != NULL ? part_out_fraction(&out->part)
                      : points->count > 0      ? (double)out->sums.points / (double)points->count
                                               : -1);
    }
    progress_end(bar);
    return status;
}

/* Opens the answers; of a part, or a run that can go on, also where it begins. */
static int open_out(inside_job *job, const invocation *call, point_source *points, inside_out *out)
{
    const bool in_parts = parts_wanted(&job->options->parts);
    uint64_t hash = 0;
    int status = in_parts ? point_source_measure(points, &hash) : EXIT_DONE;
    if (status == EXIT_DONE) {
        status = inside_out_open(out, job->options, job->boundary,
                                 points->count > 0 ? points->count : NPY_ROWS_UNKNOWN);
    }
    if (status == EXIT_DONE && in_parts) {
        status = inside_out_begin_part(out, job, call, points->count, hash);
    }
    if (status == EXIT_DONE && in_parts && !out->part.complete) {
        status = point_source_share(points, out->sums.points, out->part.count - out->part.done);
    }
    return status;
}

static int close_out(inside_job *job, inside_out *out)
{
    inside_out_end(out);
    if (job->options->stats) {
        stats_out_put(out->is_npy ? NULL : &out->text,
                      &(stats_out){ .what = "points",
                                    .asked = out->sums.points - out->part.first,
                                    .stats = &job->stats,
                                    .proxies = job->query.proxy != NULL,
                                    .seconds = job->seconds });
    }
    return inside_out_close(out);
}

static int answer(inside_job *job, const invocation *call)
{
    const inside_options *o = job->options;
    inside_block block = { .count = 0 };
    inside_out out = { .is_npy = false };
    point_source points = { .from_file = false };
    int status = point_source_open(&points, &o->from, o->from.generate.kind, job->in.mesh,
                                   job->in.bvh, job->in.tasks);
    if (status == EXIT_DONE && !inside_block_make(&block, BLOCK_POINTS)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = open_out(job, call, &points, &out);
    }
    const bool complete = out.part.complete;
    if (status == EXIT_DONE && !complete) {
        status = answer_source(job, &points, &block, &out);
    }
    if (status == EXIT_DONE) {
        status = complete ? out.part.status : close_out(job, &out);
    }
    inside_out_discard(&out);
    inside_block_free(&block);
    point_source_close(&points);
    const bool no = !parts_wanted(&o->parts) && out.sums.points == 1 && out.sums.inside == 0;
    return status == EXIT_DONE && no ? EXIT_NO : status;
}

static int check_options(const invocation *call)
{
    const inside_options *o = call->options;
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (npy_is_name(o->out) && o->summary) {
        return report_usage(call->command, "--summary is no array; choose another --out");
    }
    if (o->verify.verify && (o->stats || o->summary)) {
        return report_usage(call->command, "--verify has no --stats and no --summary");
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

static int make_boundary(inside_job *job)
{
    const sl_hooks hooks = { .progress = progress_hook(&job->in.bar) };
    sl_error error;
    const sl_result result =
        sl_boundary_create(&job->soup, &job->query, &hooks, &job->boundary, &error);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static int open_job(inside_job *job, const invocation *call)
{
    const inside_options *o = job->options;
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
    if (status == EXIT_DONE && job->in.scene != NULL) {
        job->query.stats = o->stats ? &job->stats : NULL;
        return EXIT_DONE;
    }
    if (status == EXIT_DONE) {
        job->soup = sl_mesh_soup(job->in.mesh);
        job->soup.masks = job->masks;
        status = make_boundary(job);
    }
    if (status == EXIT_DONE) {
        proxy_in_make(&o->proxy, &job->in, &job->proxy, &job->query);
        job->query.stats = o->stats ? &job->stats : NULL;
    }
    return status;
}

static int run(const invocation *call)
{
    const inside_options *o = call->options;
    inside_job job = { .options = o };
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = open_job(&job, call);
    }
    if (status == EXIT_DONE && job.in.scene != NULL) {
        status = inside_scene(&job, call);
    } else if (status == EXIT_DONE) {
        progress_begin(&job.in.bar, o->common.quiet);
        status = o->verify.verify ? inside_verify(&job) : answer(&job, call);
    }
    sl_boundary_destroy(job.boundary);
    mesh_in_close(&job.in);
    free(job.masks);
    return status;
}

const subcommand command_inside = {
    .name = "inside",
    .line = "which points are inside",
    .usage = "MESH --points FILE [OPTION...]",
    .about =
        "For each point prints a row of CSV, in the order of the input: whether it is inside; "
        "parity, whether a ray from it crosses the surface an odd number of times; winding, how "
        "often the surface runs around it; crossings, how many there are; differ, whether parity "
        "and winding tell different things; on_surface, whether it lies on a triangle. A mesh is "
        "judged by parity where every edge is used by an even number of triangles, and else by "
        "winding, more than half a turn being inside. Parity and crossings are exact; so is "
        "winding where the mesh is closed. Of a scene: how many instances contain the point, each "
        "judged by parity, and a row for each of them, up to 64; in .npy how many, uint64 (N,). "
        "Memory does not grow with the number of points.",
    .examples = "  echo '0 0 0' | sightline inside bunny.ply --points -\n"
                "  sightline inside bunny.ply --points cloud.npy -o inside.npy\n"
                "  sightline inside bunny.ply --points cloud.npy --summary\n"
                "  sightline inside bunny.ply --verify --generate all\n",
    .no = "the only point is not inside, or --verify found differences",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(inside_options),
    .groups = { POINTS_GROUPS(inside_options),
                { .title = "Report", .rows = report_rows },
                PARTS_GROUP(inside_options),
                FILTER_GROUP(inside_options),
                PROXY_GROUP(inside_options),
                SCENE_GROUP(inside_options),
                MESH_GROUP(inside_options),
                COMMON_GROUP(inside_options),
                VERIFY_GROUP(inside_options, verify) },
    .run = run,
};
