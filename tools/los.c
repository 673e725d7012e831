/* tools/los.c: line of sight: which pairs of points see each other, and what stands between. */
#include "tools/cli/report.h"
#include "tools/generate/ray_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/input/scene.h"
#include "tools/los/sight.h"
#include "tools/output/file_name.h"
#include "tools/output/npy.h"
#include "tools/output/output.h"
#include "tools/output/stats.h"
#include "tools/parts/part.h"
#include "tools/verify/ray_batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct los_options {
    const char *segments, *out;
    bool open_start, open_end, summary, csv, stats, doubles;
    sight_options sight;
    query_options query;
    proxy_options proxy;
    parts_options parts;
    mesh_options mesh;
    common_options common;
} los_options;

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

/* Of a scene also the instance, and its names where it has any; the part where there are parts. */
static const out_column columns[] = {
    { "pair", 0 }, { "visible", 0 }, { "t", 0 }, { "prim", 0 }, { "u", 0 }, { "v", 0 },
};
enum { OWN_COLUMNS = sizeof columns / sizeof columns[0], COLUMNS_MAX_OF_LOS = OWN_COLUMNS + 3 };

enum { BLOCK_PAIRS = 16384 };

/* Answers on their way out, whatever the format. */
typedef struct los_out {
    const mesh_in *in; /* to name parts */
    bool is_npy, only_count, doubles, has_names, has_parts;
    out_column columns[COLUMNS_MAX_OF_LOS];
    npy_out array;
    output text;
    uint64_t pairs, visible; /* so far; pairs: those of other parts, too, that come before */
    part_out part;           /* --part or --resume; else zeroed */
    sl_stats stats;
    double seconds;
} los_out;

static void begin_table(los_out *out)
{
    const scene_in *scene = out->in->scene;
    size_t count = OWN_COLUMNS;
    memcpy(out->columns, columns, sizeof columns);
    out->has_names = scene != NULL && scene->has_names;
    out->has_parts = scene != NULL ? scene->has_parts : sl_mesh_part_count(out->in->mesh) > 0;
    if (scene != NULL) {
        out->columns[count++] = (out_column){ "instance", 0 };
    }
    if (out->has_names) {
        out->columns[count++] = (out_column){ "name", 0 };
    }
    if (out->has_parts) {
        out->columns[count++] = (out_column){ "part", 0 };
    }
    output_table_begin(&out->text, "pairs", out->columns, count);
}

static int open_out(los_out *out, const los_options *o, const mesh_in *in, uint64_t pair_count)
{
    *out = (los_out){
        .in = in, .is_npy = npy_is_name(o->out), .only_count = o->summary, .doubles = o->doubles
    };
    const npy_out_type type = o->doubles ? NPY_OUT_HITS_D : NPY_OUT_HITS;
    const bool in_parts = parts_wanted(&o->parts);
    if (out->is_npy) {
        return in_parts ? npy_out_open_part(&out->array, &out->part, type, 0)
                        : npy_out_open(&out->array, o->out, type, 0, pair_count);
    }
    const output_format format = o->common.json          ? OUTPUT_JSON
                                 : o->summary && !o->csv ? OUTPUT_TEXT
                                                         : OUTPUT_CSV;
    const int status = in_parts ? output_open_part(&out->text, &out->part, format, "los")
                                : output_open(&out->text, o->out, format, "los", false);
    if (status == EXIT_DONE && !o->summary) {
        begin_table(out);
    }
    return status;
}

static void put_pair(los_out *out, const sl_hit_d *hit)
{
    const bool visible = hit->prim == SL_NONE;
    const scene_in *scene = out->in->scene;
    out_value values[COLUMNS_MAX_OF_LOS];
    for (int i = 0; i < COLUMNS_MAX_OF_LOS; i++) {
        values[i] = value_nothing();
    }
    values[0] = value_count(out->pairs);
    values[1] = value_bool(visible);
    if (!visible) {
        const scene_mesh *of = scene != NULL ? scene_in_mesh(scene, hit->instance) : NULL;
        const sl_mesh *mesh = scene == NULL ? out->in->mesh : of != NULL ? of->mesh : NULL;
        int used = OWN_COLUMNS;
        values[2] = out->doubles ? value_double(hit->t) : value_float((float)hit->t);
        values[3] = value_count(hit->prim);
        values[4] = value_float(hit->u);
        values[5] = value_float(hit->v);
        if (scene != NULL) {
            values[used++] = value_count(hit->instance);
        }
        if (out->has_names) {
            const char *name = scene_in_name(out->in->scene, hit->instance);
            values[used++] = name != NULL ? value_text(name) : value_nothing();
        }
        if (out->has_parts && mesh != NULL) {
            values[used++] = mesh_in_part(mesh, hit->prim);
        }
    }
    output_row(&out->text, values);
}

/* A block of answers, whatever the format. */
static bool write_rows(los_out *out, const ray_batch *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const sl_hit_d hit = ray_batch_hit(block, i);
        const bool visible = out->only_count ? block->yes[i] == 0 : hit.prim == SL_NONE;
        if (!out->only_count && !out->is_npy) {
            put_pair(out, &hit);
        }
        out->pairs++;
        out->visible += visible;
    }
    if (out->is_npy) {
        return npy_out_write(
            &out->array, block->doubles ? (const void *)block->hits_d : (const void *)block->hits,
            block->count);
    }
    return !ferror(out->text.file.stream);
}

/* False when writing has failed; close_out says why. */
static bool write_block(los_out *out, const los_options *o, const ray_batch *block)
{
    bool written = write_rows(out, block);
    if (written && parts_wanted(&o->parts)) {
        out->part.sums[0] = out->visible;
        written = part_out_block(&out->part, block->count);
    }
    return written;
}

static void put_counts(los_out *out)
{
    const bool csv = out->text.format == OUTPUT_CSV;
    if (csv) {
        output_record_begin(&out->text, "count");
    }
    const uint64_t pairs = out->pairs - out->part.first;
    output_field(&out->text, "pair_count", value_sum(pairs));
    output_field(&out->text, "visible_count", value_sum(out->visible));
    output_field(&out->text, "blocked_count", value_sum(pairs - out->visible));
    if (csv) {
        output_record_end(&out->text);
    }
}

static int close_file(los_out *out, const los_options *o)
{
    const stats_out stats = { .what = "pairs",
                              .asked = out->pairs - out->part.first,
                              .stats = &out->stats,
                              .proxies = o->proxy.proxy != NULL,
                              .seconds = out->seconds };
    if (out->is_npy) {
        if (o->stats) {
            stats_out_put(NULL, &stats);
        }
        return npy_out_close(&out->array);
    }
    if (!out->only_count) {
        output_table_end(&out->text);
    }
    if (out->only_count || out->text.format == OUTPUT_JSON) {
        put_counts(out);
    }
    if (o->stats) {
        stats_out_put(&out->text, &stats);
    }
    return output_close(&out->text);
}

static int close_out(los_out *out, const los_options *o)
{
    const int status = close_file(out, o);
    return status == EXIT_DONE && parts_wanted(&o->parts) ? part_out_close(&out->part) : status;
}

static void discard_out(los_out *out)
{
    if (out->is_npy) {
        npy_out_discard(&out->array);
    } else {
        output_discard(&out->text);
    }
    part_out_discard(&out->part);
}

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
        written = write_block(out, o, block);
        progress_show(&in->bar, "looking",
                      parts_wanted(&o->parts) ? part_out_fraction(&out->part)
                      : source->count > 0     ? (double)out->pairs / (double)source->count
                                              : -1);
        status = ray_source_fill(source, block);
    }
    progress_end(&in->bar);
    return status;
}

/* A part, or a run that can go on: which pairs are to be asked. */
static int begin_part(const invocation *call, los_out *out, ray_source *source, uint64_t hash)
{
    const los_options *o = call->options;
    part_out *part = &out->part;
    const part_question question = { .call = call,
                                     .options = &o->parts,
                                     .out = o->out,
                                     .in = out->in,
                                     .total = source->count,
                                     .hash = hash,
                                     .quiet = o->common.quiet };
    const int status = part_out_start(part, &question);
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    out->pairs = part->first + part->done;
    out->visible = part->sums[0];
    if (!out->is_npy && !out->only_count && out->pairs > 0) {
        output_rows_before(&out->text);
    }
    return ray_source_share(source, out->pairs, part->count - part->done);
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
        status = open_out(out, o, &w->in, source->count);
    }
    if (status == EXIT_DONE && in_parts) {
        status = begin_part(call, out, source, hash);
    }
    if (status == EXIT_DONE && out->part.complete) {
        return out->part.status;
    }
    if (status == EXIT_DONE) {
        status = answer(w, o, source, block, out);
    }
    return status == EXIT_DONE ? close_out(out, o) : status;
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
    int status = sight_check(call, &o->sight, o->out, o->common.json);
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
    discard_out(&out);
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
