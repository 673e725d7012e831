/* tools/los.c: line of sight: which pairs of points see each other, and what stands between. */
#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/los/out.h"
#include "tools/output/file_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option_row rows[] = {
    { .name = "segments",
      .kind = OPTION_TEXT,
      .offset = offsetof(los_options, segments),
      .value = "FILE",
      .main = true,
      .not_names = "pairs",
      .help = "pairs of points, one pair a line: px py pz qx qy qz, blanks or commas between, '#' "
              "begins a comment; or CSV whose header names these; or .npy, float32 or float64 "
              "(N, 6); '-' is stdin" },
    { .name = "open-start",
      .kind = OPTION_FLAG,
      .offset = offsetof(los_options, open_start),
      .main = true,
      .help = "a triangle that only touches the first point does not block" },
    { .name = "open-end",
      .kind = OPTION_FLAG,
      .offset = offsetof(los_options, open_end),
      .main = true,
      .help = "a triangle that only touches the second point does not block" },
    { .name = "summary",
      .kind = OPTION_FLAG,
      .offset = offsetof(los_options, summary),
      .main = true,
      .not_names = "count",
      .help = "print only how many pairs there are and how many are visible" },
    { .name = "double",
      .kind = OPTION_FLAG,
      .offset = offsetof(los_options, doubles),
      .help = "read points as doubles, ask in doubles, and print t with 17 digits; for places far "
              "from the origin" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      .offset = offsetof(los_options, stats),
      .help = "report the work that was done, on stderr; in JSON with the answers" },
    { .name = "csv",
      .kind = OPTION_FLAG,
      .offset = offsetof(los_options, csv),
      .help = "print CSV (the default)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      .offset = offsetof(los_options, out),
      .main = true,
      .endings = (const char *const[]){ "csv", "json", "npy", "png", NULL },
      .value = "FILE",
      .help = "write there instead of stdout, as CSV or JSON by the end of the name, or where it "
              "ends in .npy as an array of the blockers: records (N,) of t, u, v (float32), prim, "
              "instance and flags (uint32), "
              "with prim 4294967295 for a pair that sees each other" },
    { .name = NULL },
};

enum { BLOCK_PAIRS = 16384 };

/* What is looked through, and how. */
typedef struct los_world {
    mesh_in in;
    sl_scene *alone; /* the mesh as a scene; NULL where it is one, or need not be */
    uint32_t *masks;
    sl_query query;
} los_world;

static void close_world(los_world *w)
{
    sl_scene_destroy(w->alone);
    mesh_in_close(&w->in);
    free(w->masks);
}

/* as_scene: a mesh, too.  close_world must follow whatever the result. */
static int open_world(los_world *w, const invocation *call, const los_options *o, bool as_scene)
{
    int status = query_in_make(call, &o->query, &w->query);
    w->query.flags |= (o->open_start ? SL_OPEN_START : 0u) | (o->open_end ? SL_OPEN_END : 0u);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&w->in, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&o->query, w->in.mesh, &w->masks);
        w->in.masks = w->masks;
    }
    if (status == EXIT_DONE) {
        status = mesh_in_build(&w->in);
    }
    if (status == EXIT_DONE && as_scene && w->in.scene == NULL) {
        status = mesh_in_scene(&w->in, &w->alone);
    }
    return status;
}

static int answer(los_world *w, const los_options *o, ray_source *source, ray_batch *block,
                  los_out *out)
{
    mesh_in *in = &w->in;
    sl_proxy proxy;
    query_target target = { .bvh = in->bvh,
                            .scene = in->scene != NULL ? in->scene->scene : w->alone,
                            .query = w->query,
                            .tasks = in->tasks };
    target.query.stats = o->stats ? &out->stats : NULL;
    if (target.scene == NULL) {
        proxy_in_make(&o->proxy, in, &proxy, &target.query);
    }
    progress_begin(&in->bar, o->common.quiet);
    bool written = true;
    int status = ray_source_fill(source, block);
    while (status == EXIT_DONE && written && block->count > 0) {
        const double started = common_seconds();
        ray_batch_answer(&target, o->summary ? RAY_MODE_ANY : RAY_MODE_CLOSEST, false, block);
        out->seconds += common_seconds() - started;
        written = los_out_write(out, o, block);
        progress_show(&in->bar, "looking",
                      parts_wanted(&o->parts) ? part_out_fraction(&out->part)
                      : source->count > 0     ? (double)out->pairs / (double)source->count
                                              : -1);
        status = ray_source_fill(source, block);
    }
    progress_end(&in->bar);
    return status;
}

/* Opens pairs and answers, and asks. */
static int look_along(const invocation *call, los_world *w, ray_source *source, ray_batch *block,
                      los_out *out)
{
    const los_options *o = call->options;
    const bool in_parts = parts_wanted(&o->parts);
    uint64_t hash = 0;
    int status = ray_source_open_file(source, o->segments, true, 0, INFINITY);
    if (status == EXIT_DONE && in_parts) {
        status = ray_source_measure(source, &hash);
    }
    if (status == EXIT_DONE && !ray_batch_make(block, true, o->doubles, BLOCK_PAIRS, 1)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = los_out_open(out, o, &w->in, source->count);
    }
    if (status == EXIT_DONE && in_parts) {
        status = los_out_begin_part(out, call, source, hash);
    }
    if (status == EXIT_DONE && out->part.complete) {
        return out->part.status;
    }
    if (status == EXIT_DONE) {
        status = answer(w, o, source, block, out);
    }
    return status == EXIT_DONE ? los_out_close(out, o) : status;
}

/* --matrix and --viewshed. */
static int look(const invocation *call, const los_options *o)
{
    los_world world = { .alone = NULL };
    int status = mesh_in_check_stdin(call, "matrix", o->sight.matrix);
    if (status == EXIT_DONE) {
        status = mesh_in_check_stdin(call, "targets", o->sight.targets);
    }
    if (status == EXIT_DONE) {
        status = open_world(&world, call, o, true);
    }
    if (status == EXIT_DONE) {
        const scene_in *scene = world.in.scene;
        sight_job job = { .call = call,
                          .options = &o->sight,
                          .parts = &o->parts,
                          .in = &world.in,
                          .scene = scene != NULL ? scene->scene : world.alone,
                          .out = o->out,
                          .query = world.query,
                          .doubles = o->doubles,
                          .summary = o->summary,
                          .json = o->common.json,
                          .csv = o->csv,
                          .quiet = o->common.quiet };
        status = o->sight.matrix != NULL ? sight_matrix(&job) : sight_viewshed(&job);
    }
    close_world(&world);
    return status;
}

/* Whether the options for pairs go together; EXIT_DONE or the status of a reported error. */
static int check_pairs(const invocation *call, const los_options *o)
{
    if (file_name_ends(o->out, ".png")) {
        return report_usage(call->command, "a picture is of --matrix or --viewshed; name one");
    }
    if (o->segments == NULL) {
        return report_usage(
            call->command, "there are no pairs of points; name --segments, --matrix or --viewshed");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (o->doubles && o->proxy.proxy != NULL) {
        return report_usage(call->command, "--proxy and --double exclude each other");
    }
    if (o->summary && npy_is_name(o->out)) {
        return report_usage(call->command, "--summary is no array; choose another --out");
    }
    return parts_check(call, &o->parts, o->out, o->segments, o->common.json);
}

static int run(const invocation *call)
{
    const los_options *o = call->options;
    int status = sight_check(call, &o->sight, &o->parts, o->out, o->common.json);
    if (status != EXIT_DONE) {
        return status;
    }
    if (o->sight.matrix != NULL || options_given(call, "viewshed")) {
        return look(call, o);
    }
    status = check_pairs(call, o);
    if (status != EXIT_DONE) {
        return status;
    }
    los_world world = { .alone = NULL };
    ray_source source = { 0 };
    ray_batch block = { 0 };
    los_out out = { 0 };
    status = proxy_in_check(call, &o->proxy, false, false);
    if (status == EXIT_DONE) {
        status = mesh_in_check_stdin(call, "segments", o->segments);
    }
    if (status == EXIT_DONE) {
        status = open_world(&world, call, o, o->doubles);
    }
    if (status == EXIT_DONE) {
        status = mesh_in_refuse(&world.in, call, "proxy");
    }
    if (status == EXIT_DONE) {
        status = look_along(call, &world, &source, &block, &out);
    }
    los_out_discard(&out);
    ray_batch_free(&block);
    ray_source_close(&source);
    close_world(&world);
    const bool no = !parts_wanted(&o->parts) && out.pairs == 1 && out.visible == 0;
    return status == EXIT_DONE && no ? EXIT_NO : status;
}

const subcommand command_los = {
    .name = "los",
    .line = "line of sight: which pairs of points see each other, and what stands between",
    .usage = "MESH --segments FILE | --matrix FILE | --viewshed X,Y,Z [OPTION...]",
    .about =
        "For each pair of points prints a row of CSV, in the order of the input: whether they "
        "see each other, and if not the closest blocker: its t (0 at the first point, 1 at the "
        "second), prim (the triangle's number in MESH) and u, v (weights of its vertices 1 "
        "and 2). Touching counts as blocking, unless --open-start or --open-end says "
        "otherwise. Memory does not grow with "
        "the number of pairs. --matrix asks all points of a file about all of another, --viewshed "
        "what is seen from one point all over MESH.",
    .examples = "  echo '0 0 5  0 0 -5' | sightline los level.obj --segments -\n"
                "  sightline los level.obj --segments pairs.npy --open-start --open-end --summary\n"
                "  sightline los level.obj --matrix guards.csv --targets doors.csv -o seen.npy\n"
                "  sightline los level.obj --viewshed 3,1.7,4 --rise 1.7 -o seen.png\n",
    .no = "the only pair does not see each other",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(los_options),
    .groups = { { .title = "Pairs", .rows = rows },
                { .title = "All with all",
                  .rows = sight_matrix_rows,
                  .offset = offsetof(los_options, sight) },
                { .title = "What is seen from a point",
                  .rows = sight_view_rows,
                  .offset = offsetof(los_options, sight) },
                QUERY_GROUP(los_options),
                PROXY_GROUP(los_options),
                PARTS_GROUP(los_options),
                SCENE_GROUP(los_options),
                MESH_GROUP(los_options),
                COMMON_GROUP(los_options) },
    .run = run,
};
