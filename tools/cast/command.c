/* cast/command.c: rays and segments against a mesh: closest, any, all, count. */
#include "tools/cast/cast.h"
#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

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
    if (status == EXIT_DONE) {
        status = parts_check(call, &o->parts, o->out, o->segments != NULL ? o->segments : o->rays,
                             o->common.json);
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
        status = options->verify.verify ? cast_verify(&job) : cast_answer(&job, call);
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
                PARTS_GROUP(cast_options),
                SCENE_GROUP(cast_options),
                MESH_GROUP(cast_options),
                COMMON_GROUP(cast_options),
                VERIFY_GROUP(cast_options, verify) },
    .run = run,
};
