/* overlap/command.c: which triangles a volume touches. */
#include "tools/cli/npy.h"
#include "tools/cli/report.h"
#include "tools/overlap/overlap.h"

#include <stdlib.h>

#define PLACE(member) .offset = offsetof(overlap_options, member)

static const option_row rows[] = {
    { .name = "list",
      .kind = OPTION_FLAG,
      PLACE(list),
      .help = "print each triangle that is touched, in rising order (the default)" },
    { .name = "count",
      .kind = OPTION_FLAG,
      PLACE(count),
      .help = "print only how many triangles each touches" },
    { .name = "any",
      .kind = OPTION_FLAG,
      PLACE(any),
      .help = "print only whether a triangle is touched" },
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default of --list)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .help = "write there instead of stdout; as .npy if the name ends so: the list of one volume, "
              "the counts or answers to --any of many" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help = "report the work that was done, on stderr; in JSON with the answer" },
    { .name = "brute",
      .kind = OPTION_FLAG,
      PLACE(brute),
      .help = "ask every triangle in turn instead of the tree" },
    { .name = "verify",
      .kind = OPTION_FLAG,
      PLACE(verify),
      .help = "instead of answers, ask the tree everything there is to ask of each volume, hold it "
              "against every triangle in turn, and report differences; with --stats also both "
              "speeds, by the size of the answer" },
    { .name = "box-filter",
      .kind = OPTION_FLAG,
      PLACE(box_filter),
      .help =
          "for --verify of large meshes: ask exactly only of triangles whose bounds come near" },
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
        const query_random m =
            query_random_make(job->in.mesh, job->in.bvh, many->seed, many->number);
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
    const bool list = !o->count && !o->any;
    if (generates && o->many.volumes != NULL) {
        return report_usage(call->command, "--volumes and --generate exclude each other");
    }
    if (generates && o->many.generate == VOLUME_KIND_COUNT && !o->verify) {
        return report_usage(call->command, "--generate all needs --verify; else name one kind");
    }
    if (!generates && (options_given(call, "number") || options_given(call, "seed"))) {
        return report_usage(call->command, "--number and --seed need --generate");
    }
    if (npy_is_name(o->out) && list == many) {
        return report_usage(call->command,
                            many ? "lists of many volumes are no array; choose another --out"
                                 : "only the list is an array; choose another --out");
    }
    return many ? volume_spec_check_none(call) : EXIT_DONE;
}

static int check_options(const invocation *call)
{
    const overlap_options *o = call->options;
    if (o->list + o->count + o->any + o->verify > 1) {
        return report_usage(call->command,
                            "--list, --count, --any and --verify exclude each other");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (o->verify && (o->brute || npy_is_name(o->out))) {
        return report_usage(call->command, o->brute ? "--verify asks both ways; leave --brute out"
                                                    : "--verify reports in words, CSV or JSON; not "
                                                      "in .npy");
    }
    if (o->box_filter && (!o->verify || o->query.skip != NULL)) {
        return report_usage(call->command, "--box-filter is for --verify, without --skip");
    }
    const int status = proxy_in_check(call, &o->proxy, o->brute, o->verify);
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
        status = mesh_in_snap(&job->in, o->many.snap);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&o->query, job->in.mesh, &job->masks);
    }
    if (status == EXIT_DONE) {
        job->in.masks = job->masks;
        status = mesh_in_build(&job->in);
    }
    if (status == EXIT_DONE && !job->is_many) {
        const sl_aabb bounds = sl_bvh_bounds(job->in.bvh);
        status = volume_spec_make(call, &o->volume, &bounds, &job->volume);
    }
    if (status == EXIT_DONE) {
        target->bvh = job->in.bvh;
        target->tasks = job->in.tasks;
        target->soup = sl_mesh_soup(job->in.mesh);
        target->soup.masks = job->masks;
        proxy_in_make(&o->proxy, &job->in, &job->proxy, &target->query);
        target->query.stats = o->stats && !o->verify ? &job->stats : NULL;
        job->prims = calloc(target->soup.triangle_count + 1, sizeof *job->prims);
        status = job->prims == NULL ? report_memory() : EXIT_DONE;
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
        status = o->verify     ? overlap_verify(&job)
                 : job.is_many ? overlap_many(&job)
                               : overlap_one(&job);
    }
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
        "begins with the number of the volume, counted from 0.",
    .examples =
        "  sightline overlap level.obj --aabb 0,0,0,2,1,2\n"
        "  sightline overlap level.obj --sphere 1,0.5,3,0.25 --any\n"
        "  sightline overlap spot.obj --frustum --size 800x600 --rectangle 350,250,450,350\n"
        "  sightline overlap level.obj --volumes triggers.txt --any\n"
        "  sightline overlap level.obj --verify --generate all --number 100\n",
    .no = "nothing is touched, or --verify found differences",
    .argument_max = 1,
    .options_size = sizeof(overlap_options),
    .groups = { VOLUME_GROUP(overlap_options),
                VOLUMES_GROUP(overlap_options),
                { .title = "Report", .rows = rows },
                FILTER_GROUP(overlap_options),
                PROXY_GROUP(overlap_options),
                CAMERA_OF_VOLUME(overlap_options),
                MESH_GROUP(overlap_options),
                COMMON_GROUP(overlap_options) },
    .run = run,
};
