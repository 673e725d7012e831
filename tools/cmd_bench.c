/* cmd_bench.c: rays per second on a mesh, and next to another library's. */
#include "tools/bench_report.h"
#include "tools/mesh_in.h"
#include "tools/report.h"

#include <math.h>
#include <string.h>

typedef struct bench_options {
    const char *sets, *out;
    uint64_t rays, rounds, seed;
    bool csv;
    int against;
    mesh_options mesh;
    common_options common;
} bench_options;

#define PLACE(member) .offset = offsetof(bench_options, member)

static const char *const against_words[] = { "nobody", "embree", NULL };

static const option_row bench_rows[] = {
    { .name = "sets",
      .kind = OPTION_TEXT,
      PLACE(sets),
      .value = "A,B,...",
      .help = "only these sets (default all)" },
    { .name = "rays",
      .kind = OPTION_COUNT,
      PLACE(rays),
      .value = "N",
      .fallback = "262144",
      .min = 1,
      .max = BENCH_RAYS_MAX,
      .help = "rays in a set; a quarter as many points" },
    { .name = "rounds",
      .kind = OPTION_COUNT,
      PLACE(rounds),
      .value = "N",
      .fallback = "5",
      .min = 1,
      .max = BENCH_ROUNDS_MAX,
      .help = "ask each set so many times, in turn with the peer" },
    { .name = "against",
      .kind = OPTION_CHOICE,
      PLACE(against),
      .choices = against_words,
      .fallback = "nobody",
      .help = "ask the same of another library in the same rounds" },
    { .name = "seed",
      .kind = OPTION_COUNT,
      PLACE(seed),
      .value = "S",
      .fallback = "1",
      .help = "another seed makes other rays" },
    { .name = NULL },
};

static const option_row report_rows[] = {
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .help = "write there instead of stdout" },
    { .name = NULL },
};

/* A run over several meshes. */
typedef struct bench_job {
    const invocation *call;
    const bench_options *options;
    bool wanted[SET_COUNT];
    bench_report report;
} bench_job;

/* One of them. */
typedef struct bench_scene {
    char name[64];
    mesh_in in;
    bench_source source;
    bench_peer *peer;
    unsigned trees, point_trees; /* bits 1 << peer_tree */
} bench_scene;

static bool parse_sets(bench_job *job)
{
    const char *words = job->options->sets;
    if (words == NULL) {
        memset(job->wanted, true, sizeof job->wanted);
        return true;
    }
    for (;;) {
        const size_t size = strcspn(words, ",");
        int set = 0;
        while (set < SET_COUNT && (strncmp(bench_set_names[set], words, size) != 0 ||
                                   bench_set_names[set][size] != '\0')) {
            set++;
        }
        if (set == SET_COUNT) {
            report_usage(job->call->command, "there is no set '%.*s'", (int)size, words);
            return false;
        }
        job->wanted[set] = true;
        if (words[size] == '\0') {
            return true;
        }
        words += size + 1;
    }
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* DEFAULT and FAST stand against MEDIUM, HIGH against both; points against both anyway. */
static int open_peer(const bench_job *job, bench_scene *s)
{
    const bool high = s->in.quality == SL_QUALITY_HIGH;
    const bool points = job->wanted[SET_PTNEAR] || job->wanted[SET_PTBOX];
    s->trees = 1u << PEER_MEDIUM | 1u << PEER_ROBUST_MEDIUM;
    s->trees |= high ? 1u << PEER_HIGH | 1u << PEER_ROBUST_HIGH : 0;
    s->point_trees = 1u << PEER_MEDIUM | 1u << PEER_HIGH;
    s->peer = bench_peer_open(0);
    if (s->peer == NULL) {
        return report_failure(NULL, "Embree cannot be started; leave --against out");
    }
    for (int tree = 0; tree < PEER_TREE_COUNT; tree++) {
        const bool wanted = ((s->trees | (points ? s->point_trees : 0)) >> tree & 1) != 0;
        if (wanted) {
            progress_begin(&s->in.bar, job->options->common.quiet);
            progress_show(&s->in.bar, peer_tree_names[tree], -1);
            if (!bench_peer_build(s->peer, s->in.mesh, (peer_tree)tree, NULL)) {
                return report_memory();
            }
            progress_end(&s->in.bar);
        }
    }
    return EXIT_DONE;
}

static int open_source(const bench_job *job, bench_scene *s)
{
    const sl_aabb bounds = sl_mesh_get_info(s->in.mesh).bounds;
    s->source =
        (bench_source){ .bounds = bounds, .seed = job->options->seed, .tasks = s->in.tasks };
    double square = 0;
    float size[3];
    sl_aabb_size(&bounds, size);
    for (int axis = 0; axis < 3; axis++) {
        square += (double)size[axis] * (double)size[axis];
    }
    s->source.diagonal = (float)sqrt(square);
    bool empty = false;
    if (sl_mesh_triangle_count(s->in.mesh) > 0 &&
        bench_surface_make(&s->source.surface, s->in.mesh, s->in.bvh, &empty)) {
        return EXIT_DONE;
    }
    if (!empty && sl_mesh_triangle_count(s->in.mesh) > 0) {
        return report_memory();
    }
    return report_input(s->name, 0, "there is no triangle with an area, so nothing to measure");
}

static int run_set(bench_job *job, bench_scene *s, bench_set set)
{
    bench_rays rays;
    if (!bench_rays_make(&s->source, set, (size_t)job->options->rays, &rays)) {
        return report_memory();
    }
    const bool points = rays.query == BENCH_NEAREST;
    const bench_duel duel = { .bvh = s->in.bvh,
                              .peer = s->peer,
                              .trees = points ? s->point_trees : s->trees,
                              .rounds = (size_t)job->options->rounds,
                              .tolerance = 1e-6f * s->source.diagonal };
    bench_row row = { .triangles = sl_mesh_triangle_count(s->in.mesh), .unit = "M/s" };
    snprintf(row.scene, sizeof row.scene, "%s", s->name);
    snprintf(row.quality, sizeof row.quality, "%s", quality_words[s->in.quality]);
    snprintf(row.row, sizeof row.row, "%s", bench_set_names[set]);
    int status = EXIT_DONE;
    if (rays.count > 0) {
        status = bench_duel_run(&duel, &rays, &row) ? bench_report_add(&job->report, &row)
                                                    : report_memory();
    }
    bench_rays_free(&rays);
    return status;
}

static void close_scene(bench_scene *s)
{
    bench_peer_close(s->peer);
    bench_surface_free(&s->source.surface);
    mesh_in_close(&s->in);
}

static int run_scene(bench_job *job, bench_scene *s, const bool wanted[SET_COUNT])
{
    int status = open_source(job, s);
    if (status == EXIT_DONE && job->options->against != 0) {
        status = open_peer(job, s);
    }
    for (int set = 0; set < SET_COUNT && status == EXIT_DONE; set++) {
        if (wanted[set]) {
            progress_begin(&s->in.bar, job->options->common.quiet);
            progress_show(&s->in.bar, bench_set_names[set], -1);
            status = run_set(job, s, (bench_set)set);
            progress_end(&s->in.bar);
        }
    }
    return status;
}

static int run_mesh(bench_job *job, size_t index)
{
    bool wanted[SET_COUNT];
    memcpy(wanted, job->wanted, sizeof wanted);
    wanted[SET_LATTICE] = false;
    bench_scene s = { 0 };
    int status = mesh_in_open(&s.in, job->call, index, &job->options->mesh, &job->options->common);
    if (status == EXIT_DONE) {
        snprintf(s.name, sizeof s.name, "%s", file_name(s.in.name));
        status = run_scene(job, &s, wanted);
    }
    close_scene(&s);
    return status;
}

/* The set that has a mesh of its own. */
static int run_lattice(bench_job *job)
{
    const bool wanted[SET_COUNT] = { [SET_LATTICE] = job->wanted[SET_LATTICE] };
    if (!wanted[SET_LATTICE]) {
        return EXIT_DONE;
    }
    bench_scene s = { .name = "lattice" };
    sl_error error;
    int status = common_apply_isa(job->call, &job->options->common);
    if (status == EXIT_DONE && bench_lattice_mesh(&s.in.mesh, &error) != SL_OK) {
        status = report_error(&error);
    }
    if (status == EXIT_DONE) {
        s.in.quality = (sl_quality)job->options->mesh.quality;
        status = mesh_in_build(&s.in);
    }
    if (status == EXIT_DONE) {
        status = run_scene(job, &s, wanted);
    }
    close_scene(&s);
    return status;
}

static int check_options(const bench_job *job)
{
    const bench_options *o = job->options;
    if (o->csv && o->common.json) {
        return report_usage(job->call->command, "--csv and --json exclude each other");
    }
    if (o->against != 0 && !bench_peer_is_there()) {
        return report_usage(job->call->command,
                            "this sightline was built without Embree; install libembree-dev and "
                            "build it anew, or leave --against out");
    }
    return EXIT_DONE;
}

static int run(const invocation *call)
{
    const bench_options *options = call->options;
    bench_job job = { .call = call, .options = options };
    int status = check_options(&job);
    if (status != EXIT_DONE || !parse_sets(&job)) {
        return EXIT_USAGE;
    }
    const output_format format = options->common.json ? OUTPUT_JSON
                                 : options->csv       ? OUTPUT_CSV
                                                      : OUTPUT_TEXT;
    status = bench_report_open(&job.report, options->out, format,
                               common_use_color(&options->common, stdout), options->against != 0);
    const size_t count = call->argument_count > 0 ? call->argument_count : 1;
    for (size_t i = 0; i < count && status == EXIT_DONE; i++) {
        status = run_mesh(&job, i);
    }
    if (status == EXIT_DONE) {
        status = run_lattice(&job);
    }
    if (status == EXIT_DONE) {
        return bench_report_close(&job.report);
    }
    bench_report_discard(&job.report);
    return status;
}

const subcommand command_bench = {
    .name = "bench",
    .line = "rays per second, alone or next to Embree's",
    .usage = "MESH... [OPTION...]",
    .about = "Asks the tree over each MESH (OBJ, PLY, STL or OFF; '-' is stdin) sets of rays, "
             "segments and points and tells how many million a second one thread answers: the "
             "median, the smallest and the largest of several rounds, in the thread's own time on "
             "the processor.",
    .examples = "  sightline bench bunny.ply\n"
                "  sightline bench --against embree --sets diffuse,ao *.ply\n",
    .argument_max = SIZE_MAX,
    .options_size = sizeof(bench_options),
    .groups = { { .title = "Measurement", .rows = bench_rows },
                { .title = "Report", .rows = report_rows },
                MESH_GROUP(bench_options),
                COMMON_GROUP(bench_options) },
    .run = run,
};
