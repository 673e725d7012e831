/* overlap/command.c: which triangles a volume touches. */
#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/output/npy.h"
#include "tools/overlap/overlap.h"

#include <stdlib.h>

#define PLACE(member) .offset = offsetof(overlap_options, member)

static const char *const mode_words[] = { "all", "any", "count", NULL };

static const option_row rows[] = {
    { .name = "mode",
      .kind = OPTION_CHOICE,
      PLACE(mode),
      .choices = mode_words,
      .fallback = "all",
      .main = true,
      .not_names = "list count any",
      .help = "print each triangle that is touched, in rising order, or only whether there is one, "
              "or how many" },
    { .name = "csv",
      .kind = OPTION_FLAG,
      PLACE(csv),
      .help = "print CSV (the default of --mode all)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .main = true,
      .endings = (const char *const[]){ "csv", "json", "npy", NULL },
      .help = "write there instead of stdout, as CSV or JSON by the end of the name, or where it "
              "ends in .npy as an array: for all prim (uint32), of a scene records of instance "
              "and prim (uint32), for any uint8 (N,), for count "
              "uint64 (N,); for all of many volumes NAME.offsets.npy, uint64 (N + 1,), says where "
              "the list of each begins and ends" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help =
          "report the work that was done, on stderr, or in JSON with the answers; with --verify "
          "how long the tree and every triangle in turn take, by the size of the answer" },
    { .name = NULL },
};

static void put_stats(output *out, const overlap_job *s)
{
    if (s->target.query.proxy != NULL) {
        output_field(out, "proxies_rejected", value_count(s->stats.proxies_rejected));
    }
    output_field(out, "nodes", value_count(s->stats.nodes));
    output_field(out, "boxes", value_count(s->stats.boxes));
    output_field(out, "triangles", value_count(s->stats.triangles));
    output_field(out, "hits", value_count(s->stats.hits));
    output_field(out, "seconds", value_rounded(s->seconds, 4));
}

void overlap_report_stats(const overlap_job *s, output *out)
{
    if (s->options->common.json) {
        output_record_begin(out, "stats");
        put_stats(out, s);
        output_record_end(out);
        return;
    }
    output to = { .format = OUTPUT_TEXT, .file.stream = stderr };
    put_stats(&to, s);
}

int overlap_open_source(const overlap_job *job, int kind, volume_source *source)
{
    const volumes_options *many = &job->options->many;
    if (many->volumes != NULL) {
        return volume_source_open_file(source, many->volumes);
    }
    if (job->generates) {
        const query_random m = query_random_make(job->in.mesh, job->in.bvh, many->generate.seed,
                                                 many->generate.number);
        volume_source_generate(source, &m, (sl_volume_kind)kind);
    } else {
        volume_source_one(source, &job->volume);
    }
    return EXIT_DONE;
}

/* The rules of --volumes and --generate. */
static int check_many(const invocation *call)
{
    const overlap_options *o = call->options;
    const bool generates = options_given(call, "generate"), many = generates || o->many.volumes;
    const int status = generate_check(call, &o->many.generate, VOLUME_KIND_COUNT, "volumes",
                                      o->many.volumes, true);
    if (status == EXIT_DONE && npy_is_name(o->out) && !many && o->mode != OVERLAP_ALL) {
        return report_usage(call->command, "only --mode all is an array; choose another --out");
    }
    return status == EXIT_DONE && many ? volume_spec_check_none(call) : status;
}

static int check_options(const invocation *call)
{
    const overlap_options *o = call->options;
    if (o->verify.verify && options_given(call, "mode")) {
        return report_usage(call->command, "--mode and --verify exclude each other");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    int status = verify_check(call, &o->verify, o->out, o->query.skip);
    if (status == EXIT_DONE) {
        status = proxy_in_check(call, &o->proxy, o->verify.brute, o->verify.verify);
    }
    return status == EXIT_DONE ? check_many(call) : status;
}

static int open_job(overlap_job *job, const invocation *call)
{
    const overlap_options *o = job->options;
    query_target *target = &job->target;
    int status = query_in_make(call, &o->query, &target->query);
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
    if (status == EXIT_DONE && !job->is_many) {
        const sl_aabb bounds =
            job->in.scene != NULL ? scene_in_bounds(job->in.scene) : sl_bvh_bounds(job->in.bvh);
        status = volume_spec_make(call, &o->volume, &bounds, &job->volume);
    }
    target->query.stats = o->stats && !o->verify.verify ? &job->stats : NULL;
    if (status == EXIT_DONE && job->in.scene == NULL) {
        target->bvh = job->in.bvh;
        target->tasks = job->in.tasks;
        target->soup = sl_mesh_soup(job->in.mesh);
        target->soup.masks = job->masks;
        proxy_in_make(&o->proxy, &job->in, &job->proxy, &target->query);
        job->touched = calloc(target->soup.triangle_count + 1, sizeof *job->touched);
        job->prims = calloc(target->soup.triangle_count + 1, sizeof *job->prims);
        status = job->touched == NULL || job->prims == NULL ? report_memory() : EXIT_DONE;
    }
    return status;
}

static int run(const invocation *call)
{
    const overlap_options *o = call->options;
    overlap_job job = { .options = o, .generates = options_given(call, "generate") };
    job.is_many = job.generates || o->many.volumes != NULL;
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = mesh_in_check_stdin(call, "volumes", o->many.volumes);
    }
    if (status == EXIT_DONE) {
        status = open_job(&job, call);
    }
    if (status == EXIT_DONE) {
        status = job.in.scene != NULL ? overlap_scene(&job, call)
                 : o->verify.verify   ? overlap_verify(&job)
                 : job.is_many        ? overlap_many(&job)
                                      : overlap_one(&job);
    }
    free(job.touched);
    free(job.prims);
    mesh_in_close(&job.in);
    free(job.masks);
    return status;
}

const subcommand command_overlap = {
    .name = "overlap",
    .line = "which triangles a box, sphere, capsule, frustum or triangle touches",
    .usage = "MESH --aabb X0,Y0,Z0,X1,Y1,Z1 [OPTION...]",
    .about =
        "Prints the triangles of MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) that a volume "
        "touches: a row of CSV for each, prim, its number, and face, that of the face of the "
        "file it came from. Touching counts: the answer is what exact arithmetic on the given "
        "numbers says. Volumes are solid: a triangle inside is touched too. Of many volumes "
        "each row "
        "begins with the number of the volume, counted from 0. Of a scene rows name the "
        "instance, too.",
    .examples =
        "  sightline overlap level.obj --aabb 0,0,0,2,1,2\n"
        "  sightline overlap level.obj --sphere 1,0.5,3,0.25 --mode any\n"
        "  sightline overlap spot.obj --frustum --size 800x600 --rectangle 350,250,450,350\n"
        "  sightline overlap level.obj --volumes triggers.txt --mode any\n"
        "  sightline overlap level.obj --verify --generate all --number 100\n",
    .no = "nothing is touched, or --verify found differences",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(overlap_options),
    .groups = { VOLUME_GROUP(overlap_options),
                VOLUMES_GROUPS(overlap_options),
                { .title = "Report", .rows = rows },
                FILTER_GROUP(overlap_options),
                PROXY_GROUP(overlap_options),
                CAMERA_OF_VOLUME(overlap_options),
                SCENE_GROUP(overlap_options),
                MESH_GROUP(overlap_options),
                COMMON_GROUP(overlap_options),
                FILTERED_VERIFY_GROUP(overlap_options, verify) },
    .run = run,
};
