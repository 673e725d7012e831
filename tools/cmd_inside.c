/* cmd_inside.c: which points are inside of a mesh. */
#include "tools/inside.h"
#include "tools/rays_in.h"
#include "tools/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PLACE(member) .offset = offsetof(inside_options, member)

static const option_row rows[] = {
    { .name = "points",
      .kind = OPTION_TEXT,
      PLACE(points),
      .value = "FILE",
      .help = "points, one a line: x y z, blanks or commas between, '#' begins a comment; or .npy, "
              "float32 or float64 (N, 3); '-' is stdin" },
    { .name = NULL },
};

static const option_row report_rows[] = {
    { .name = "count",
      .kind = OPTION_FLAG,
      PLACE(count),
      .help = "print only how many points there are and how many are inside" },
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .help = "write there instead of stdout; where the name ends in .npy an array: records (N,) "
              "of crossings (uint64), winding (float64) and inside, by_parity, by_winding, differ "
              "and on_surface (bool)" },
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

enum { BLOCK_POINTS = 16384, SHOWN = 10 };

/* All that a run owns. */
typedef struct session {
    const inside_options *options;
    mesh_in in;
    uint32_t *masks;
    sl_boundary *boundary;
    sl_soup soup;
    sl_query query;
    sl_stats stats;
    double seconds;
    rays_in points;
    inside_block block, truth; /* truth: for --verify */
} session;

static void ask_tree(const session *s, inside_block *block)
{
    sl_bvh_inside_many(s->in.bvh, s->boundary, block->points, block->count, &s->query,
                       block->answers, s->in.tasks);
}

typedef struct brute_job {
    const session *session;
    inside_block *block;
} brute_job;

static void ask_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const brute_job *job = context;
    const session *s = job->session;
    for (size_t i = begin; i < end; i++) {
        sl_soup_inside(&s->soup, s->boundary, job->block->points + 3 * i, &s->query,
                       &job->block->answers[i]);
    }
}

static void ask_brute(const session *s, inside_block *block)
{
    brute_job job = { s, block };
    s->in.tasks->parallel_for(s->in.tasks->user, block->count, 1, ask_range, &job);
}

static void put_stats(output *out, const session *s, uint64_t points)
{
    output_field(out, "points", value_count(points));
    output_field(out, "nodes", value_count(s->stats.nodes));
    output_field(out, "boxes", value_count(s->stats.boxes));
    output_field(out, "triangles", value_count(s->stats.triangles));
    output_field(out, "float_stage", value_count(s->stats.float_stage));
    output_field(out, "double_stage", value_count(s->stats.double_stage));
    output_field(out, "exact_stage", value_count(s->stats.exact_stage));
    output_field(out, "seconds", value_rounded(s->seconds, 4));
}

/* To stderr unless the answers are JSON, which takes it in. */
static void report_stats(const session *s, inside_out *answers)
{
    if (s->options->common.json) {
        output_record_begin(&answers->text, "stats");
        put_stats(&answers->text, s, answers->sums.points);
        output_record_end(&answers->text);
        return;
    }
    output out = { .format = OUTPUT_TEXT, .file.stream = stderr };
    put_stats(&out, s, answers->sums.points);
}

static int read_block(session *s)
{
    return rays_in_points(&s->points, s->block.points, s->block.room, &s->block.count);
}

static int answer(session *s)
{
    const inside_options *o = s->options;
    inside_out out = { .is_npy = false };
    int status = inside_out_open(&out, o, s->boundary,
                                 s->points.is_npy ? s->points.npy.rows : NPY_ROWS_UNKNOWN);
    bool written = true;
    while (status == EXIT_DONE && written) {
        status = read_block(s);
        if (status != EXIT_DONE || s->block.count == 0) {
            break;
        }
        const double started = common_seconds();
        if (o->brute) {
            ask_brute(s, &s->block);
        } else {
            ask_tree(s, &s->block);
        }
        s->seconds += common_seconds() - started;
        written = inside_out_write(&out, &s->block);
        progress_show(&s->in.bar, "asking",
                      s->points.is_npy && s->points.npy.rows > 0
                          ? (double)out.sums.points / (double)s->points.npy.rows
                          : -1);
    }
    progress_end(&s->in.bar);
    if (status == EXIT_DONE) {
        inside_out_end(&out);
        if (o->stats) {
            report_stats(s, &out);
        }
        status = inside_out_close(&out);
    }
    inside_out_discard(&out);
    return status == EXIT_DONE && out.sums.points == 1 && out.sums.inside == 0 ? EXIT_NO : status;
}

static void show_difference(output *out, uint64_t point, const sl_inside *tree,
                            const sl_inside *truth)
{
    char line[240];
    snprintf(line, sizeof line,
             "point %" PRIu64 ": the tree says inside %d, winding %.17g, %" PRIu64
             " crossings, on the surface %d; every triangle in turn gives %d, %.17g, %" PRIu64
             ", %d",
             point, tree->inside, tree->winding, tree->crossings, tree->on_surface, truth->inside,
             truth->winding, truth->crossings, truth->on_surface);
    output_line(out, line);
}

/* Reads and asks to the end; the differences are counted, and the first of them shown. */
static int compare(session *s, output *out, inside_sums *sums, uint64_t *differences)
{
    int status;
    while ((status = read_block(s)) == EXIT_DONE && s->block.count > 0) {
        s->truth.count = s->block.count;
        memcpy(s->truth.points, s->block.points, 3 * s->block.count * sizeof *s->block.points);
        ask_tree(s, &s->block);
        ask_brute(s, &s->truth);
        for (size_t i = 0; i < s->block.count; i++) {
            const sl_inside *tree = &s->block.answers[i], *truth = &s->truth.answers[i];
            if (memcmp(tree, truth, sizeof *tree) != 0 && (*differences)++ < SHOWN) {
                show_difference(out, sums->points + i, tree, truth);
            }
        }
        inside_sums_add(sums, &s->truth);
        progress_show(&s->in.bar, "verifying", -1);
    }
    progress_end(&s->in.bar);
    return status;
}

static int verify(session *s)
{
    const inside_options *o = s->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    output out;
    inside_sums sums = { .points = 0 };
    uint64_t differences = 0;
    int status = output_open(&out, o->out, format, "inside", false);
    if (status == EXIT_DONE) {
        status = compare(s, &out, &sums, &differences);
    }
    if (status == EXIT_DONE) {
        if (format == OUTPUT_CSV) {
            output_record_begin(&out, "verify");
        }
        inside_sums_put(&out, &sums, s->boundary);
        output_field(&out, "pairs", value_count(sums.points * s->soup.triangle_count));
        output_field(&out, "differences", value_count(differences));
        if (format == OUTPUT_CSV) {
            output_record_end(&out);
        }
        status = output_close(&out);
    }
    output_discard(&out);
    return status == EXIT_DONE && differences > 0 ? EXIT_NO : status;
}

static int check_options(const invocation *call)
{
    const inside_options *o = call->options;
    if (o->points == NULL) {
        return report_usage(call->command, "there are no points; name --points");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (npy_is_name(o->out) && (o->count || o->verify)) {
        return report_usage(call->command,
                            "--count and --verify are no arrays; choose another --out");
    }
    if (o->verify && (o->brute || o->stats || o->count)) {
        return report_usage(call->command,
                            "--verify asks both ways; leave --brute, --stats and --count out");
    }
    return mesh_in_check_stdin(call, "points", o->points);
}

static int make_boundary(session *s)
{
    sl_mesh_def def = sl_default_mesh_def();
    sl_error error;
    def.progress = progress_hook(&s->in.bar);
    const sl_result result = sl_boundary_create(&s->soup, &s->query, &def, &s->boundary, &error);
    return result == SL_OK ? EXIT_DONE : report_error(&error);
}

static int open_session(session *s, const invocation *call)
{
    const inside_options *o = s->options;
    int status = query_in_make(call, &o->query, &s->query);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&s->in, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&o->query, s->in.mesh, &s->masks);
    }
    if (status == EXIT_DONE) {
        s->in.masks = s->masks;
        status = mesh_in_build(&s->in);
    }
    if (status == EXIT_DONE) {
        s->soup = sl_mesh_soup(s->in.mesh);
        s->soup.masks = s->masks;
        status = make_boundary(s);
    }
    if (status == EXIT_DONE) {
        s->query.stats = o->stats ? &s->stats : NULL;
        status = rays_in_open(&s->points, o->points, RAYS_IN_POINTS, 0, 0);
    }
    return status;
}

static bool make_block(inside_block *block)
{
    *block = (inside_block){ .room = BLOCK_POINTS };
    block->points = calloc(BLOCK_POINTS, 3 * sizeof *block->points);
    block->answers = calloc(BLOCK_POINTS, sizeof *block->answers);
    return block->points != NULL && block->answers != NULL;
}

static void free_block(inside_block *block)
{
    free(block->points);
    free(block->answers);
}

static int run(const invocation *call)
{
    session s = { .options = call->options };
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = open_session(&s, call);
    }
    if (status == EXIT_DONE &&
        (!make_block(&s.block) || (s.options->verify && !make_block(&s.truth)))) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        progress_begin(&s.in.bar, s.options->common.quiet);
        status = s.options->verify ? verify(&s) : answer(&s);
    }
    free_block(&s.block);
    free_block(&s.truth);
    rays_in_close(&s.points);
    sl_boundary_destroy(s.boundary);
    mesh_in_close(&s.in);
    free(s.masks);
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
        "winding where the mesh is closed. Memory does not grow with the number of points.",
    .examples = "  echo '0 0 0' | sightline inside bunny.ply --points -\n"
                "  sightline inside bunny.ply --points cloud.npy -o inside.npy\n"
                "  sightline inside bunny.ply --points cloud.npy --count\n",
    .no = "the only point is not inside, or --verify found differences",
    .argument_max = 1,
    .options_size = sizeof(inside_options),
    .groups = { { .title = "Points", .rows = rows },
                { .title = "Report", .rows = report_rows },
                FILTER_GROUP(inside_options),
                MESH_GROUP(inside_options),
                COMMON_GROUP(inside_options) },
    .run = run,
};
