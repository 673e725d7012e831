/* cast/command.c: rays and segments against a mesh: closest, any, all, count. */
#include "tools/cast/cast.h"
#include "tools/cast/hits_out.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

/* Rays that are read, asked and written at a time. */
enum { BLOCK_RAYS = 16384, BLOCK_HITS = 1 << 18 };

int cast_open_source(cast_job *job, int kind, ray_source *source)
{
    const cast_options *o = job->options;
    if (o->segments != NULL) {
        return ray_source_open_file(source, o->segments, true, 0, INFINITY);
    }
    if (o->rays != NULL) {
        return ray_source_open_file(source, o->rays, false, o->tmin, o->tmax);
    }
    uint64_t count = o->generate.number;
    const scene_in *scene = job->mesh.scene;
    if (o->pairs != 0) {
        const uint64_t kinds = o->generate.kind == RAY_KIND_COUNT ? RAY_KIND_COUNT : 1;
        const uint64_t triangles = mesh_in_triangles(&job->mesh);
        count = o->pairs / kinds / (triangles > 0 ? triangles : 1);
        count = count > 0 ? count : 1;
    }
    const query_random random =
        scene != NULL ? query_random_make_of(scene, o->generate.seed, count)
                      : query_random_make(job->mesh.mesh, job->mesh.bvh, o->generate.seed, count);
    ray_source_generate(source, &random, (ray_kind)kind, job->mesh.tasks);
    return EXIT_DONE;
}

/* The rules about where rays come from and what limits them. */
static int check_source(const invocation *call)
{
    const cast_options *o = call->options;
    const bool generates = options_given(call, "generate");
    if (o->rays != NULL && o->segments != NULL) {
        return report_usage(call->command, "--rays and --segments exclude each other");
    }
    const char *what = o->segments != NULL ? "segments" : "rays";
    const char *file = o->segments != NULL ? o->segments : o->rays;
    const int status =
        generate_check(call, &o->generate, RAY_KIND_COUNT, what, file, o->segments != NULL);
    if (status != EXIT_DONE) {
        return status;
    }
    if (o->rays == NULL && (options_given(call, "tmin") || options_given(call, "tmax"))) {
        return report_usage(call->command, "--tmin and --tmax are for rays of --rays only");
    }
    if (o->rays != NULL && (o->open_start || o->open_end)) {
        return report_usage(call->command, "--open-start and --open-end are for segments; rays "
                                           "have --tmin and --tmax");
    }
    if (!generates && o->pairs != 0) {
        return report_usage(call->command, "--pairs needs --generate");
    }
    return mesh_in_check_stdin(call, what, file);
}

/* The rules between options that no single row can say. */
static int check_options(const invocation *call)
{
    const cast_options *o = call->options;
    if (options_given(call, "keep") && o->mode != RAY_MODE_ALL) {
        return report_usage(call->command, "--keep needs --mode all");
    }
    if (o->surface && (o->verify.verify || npy_is_name(o->out) ||
                       (o->mode != RAY_MODE_CLOSEST && o->mode != RAY_MODE_ALL))) {
        return report_usage(call->command, "--surface is for closest and all, in CSV or JSON");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    int status = verify_check(call, &o->verify, o->out, o->query.skip);
    if (status == EXIT_DONE) {
        status = proxy_in_check(call, &o->proxy, o->verify.brute, o->verify.verify);
    }
    return status == EXIT_DONE ? check_source(call) : status;
}

/* The masks go to the tree and to what is asked without it. */
static int load_masks(cast_job *job)
{
    const int status = query_in_masks(&job->options->query, job->mesh.mesh, &job->masks);
    job->mesh.masks = job->masks;
    return status;
}

static int aim_at_scene(cast_job *job, const invocation *call)
{
    const cast_options *o = job->options;
    int status = mesh_in_refuse(&job->mesh, call, "proxy");
    job->target.scene = job->mesh.scene->scene;
    if (status == EXIT_DONE && (o->verify.verify || o->verify.brute)) {
        status = scene_soup_make(&job->triangles, job->mesh.scene);
        job->target.triangles = &job->triangles;
    }
    return status;
}

/* Doubles are asked of scenes: one instance is how a mesh gets them. */
static int make_scene(cast_job *job, const invocation *call)
{
    const cast_options *o = job->options;
    if (o->proxy.proxy != NULL) {
        return report_usage(call->command, "--proxy and --double exclude each other");
    }
    const int status = mesh_in_scene(&job->mesh, &job->alone);
    job->target.scene = job->alone;
    if (status == EXIT_DONE && (o->verify.verify || o->verify.brute)) {
        job->target.triangles = &job->triangles;
        return scene_soup_make_of_tree(&job->triangles, job->alone, job->mesh.bvh);
    }
    return status;
}

static int open_job(cast_job *job, const invocation *call)
{
    const cast_options *o = call->options;
    *job = (cast_job){ .options = o };
    int status = query_in_make(call, &o->query, &job->target.query);
    job->target.query.flags |= o->open_start ? SL_OPEN_START : 0;
    job->target.query.flags |= o->open_end ? SL_OPEN_END : 0;
    if (o->crossings) {
        job->target.query.flags |= SL_USE_CROSSINGS;
    }
    if (status == EXIT_DONE) {
        status = mesh_in_load(&job->mesh, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = mesh_in_snap(&job->mesh, o->verify.snap);
    }
    if (status == EXIT_DONE) {
        status = load_masks(job);
    }
    if (status == EXIT_DONE) {
        status = mesh_in_build(&job->mesh);
    }
    job->target.tasks = job->mesh.tasks;
    if (status == EXIT_DONE && job->mesh.scene != NULL) {
        return aim_at_scene(job, call);
    }
    if (status == EXIT_DONE) {
        job->target.bvh = job->mesh.bvh;
        job->target.soup = sl_mesh_soup(job->mesh.mesh);
        job->target.soup.masks = job->masks;
        proxy_in_make(&o->proxy, &job->mesh, &job->proxy, &job->target.query);
    }
    return status == EXIT_DONE && o->doubles ? make_scene(job, call) : status;
}

static void close_job(cast_job *job)
{
    scene_soup_free(&job->triangles);
    sl_scene_destroy(job->alone);
    mesh_in_close(&job->mesh);
    free(job->masks);
}

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

static int cast_blocks(cast_job *job, ray_source *source, ray_batch *block, hits_out *answers,
                       cast_sums *sums)
{
    const cast_options *o = job->options;
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
        written = hits_out_write(answers, block);
        progress_show(&job->mesh.bar, "casting",
                      source->count > 0 ? (double)sums->rays / (double)source->count : -1);
        status = ray_source_fill(source, block);
    }
    progress_end(&job->mesh.bar);
    return status;
}

static int cast_answers(cast_job *job)
{
    const cast_options *o = job->options;
    const ray_mode mode = (ray_mode)o->mode;
    const size_t max_hits = mode == RAY_MODE_ALL ? (size_t)o->max_hits : 1;
    const size_t capacity = BLOCK_HITS / max_hits < BLOCK_RAYS ? BLOCK_HITS / max_hits : BLOCK_RAYS;
    ray_source source;
    ray_batch block = { 0 };
    hits_out answers = { 0 };
    cast_sums sums = { 0 };
    int status = cast_open_source(job, o->generate.kind, &source);
    if (status == EXIT_DONE &&
        !ray_batch_make(&block, source.are_segments, o->doubles, capacity, max_hits)) {
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
                                   .rows = source.count };
        status = hits_out_open(&answers, &def);
    }
    if (status == EXIT_DONE) {
        status = cast_blocks(job, &source, &block, &answers, &sums);
    }
    if (status == EXIT_DONE) {
        hits_out_end(&answers);
        if (o->stats) {
            report_stats(&answers, job, &sums);
        }
        status = hits_out_close(&answers);
    }
    hits_out_discard(&answers);
    ray_batch_free(&block);
    ray_source_close(&source);
    return status == EXIT_DONE && sums.rays == 1 && sums.hits == 0 ? EXIT_NO : status;
}

static int run(const invocation *call)
{
    const cast_options *options = call->options;
    int status = check_options(call);
    if (status != EXIT_DONE) {
        return status;
    }
    cast_job job;
    status = open_job(&job, call);
    if (status == EXIT_DONE) {
        status = options->verify.verify ? cast_verify(&job) : cast_answers(&job);
    }
    close_job(&job);
    return status;
}

const subcommand command_cast = {
    .name = "cast",
    .line = "rays and segments against a mesh: the closest hit, any, all, or how many",
    .usage = "MESH --rays FILE | --segments FILE [OPTION...]",
    .about =
        "Casts each ray at MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) and prints a row of CSV "
        "for it, in the order of the input: the closest hit's t, u, v (weights of vertices 1 "
        "and 2), prim (the triangle's number in the file), instance (its number in a scene, else "
        "0) and "
        "flags (1 back, 2 on an edge, 4 on a vertex, added up), all empty for a miss. Memory "
        "does not grow with the number "
        "of rays. Hits are exact: edges, vertices and limits included.",
    .examples = "  echo '0 0 5  0 0 -1' | sightline cast bunny.ply --rays -\n"
                "  sightline cast bunny.ply --rays rays.npy --mode any -o hit.npy\n"
                "  sightline cast bunny.ply --verify --generate all --pairs 1e9\n",
    .no = "the only ray hits nothing, or --verify found differences",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(cast_options),
    .groups = { { .title = "Rays", .rows = cast_ray_rows },
                GENERATE_GROUP(cast_options, generate),
                { .title = "Question", .rows = cast_ask_rows },
                QUERY_GROUP(cast_options),
                PROXY_GROUP(cast_options),
                { .title = "Report", .rows = cast_report_rows },
                SCENE_GROUP(cast_options),
                MESH_GROUP(cast_options),
                COMMON_GROUP(cast_options),
                VERIFY_GROUP(cast_options, verify) },
    .run = run,
};
