/* bake/command.c: `sightline bake`: ambient occlusion or thickness of each vertex or point. */
#include "tools/bake/bake.h"
#include "tools/cli/report.h"
#include "tools/input/mesh.h"
#include "tools/output/file_name.h"
#include "tools/output/mesh_file.h"
#include "tools/output/npy.h"

#include <sightline/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct bake_options {
    const char *at, *out;
    uint64_t rays;
    float distance, lift, spread;
    bool least;
    mesh_options mesh;
    common_options common;
} bake_options;

static const option_row rows[] = {
    OPTION_ROW(TEXT, "at", bake_options, at, "WHERE",
               "'vertices', or a .npy file of points and normals, float32 or float64 (N, 6)",
               .fallback = "vertices"),
    OPTION_ROW(COUNT, "rays", bake_options, rays, "N", "rays for each point", .fallback = "256",
               .min = 1, .max = 65536),
    OPTION_ROW(
        REAL, "distance", bake_options, distance, "D",
        "the distance within which the mesh counts; default: a quarter of the diagonal of its "
        "bounds for ao, the whole diagonal for thickness",
        .letter = 'd', .max = 3e38),
    OPTION_ROW(REAL, "lift", bake_options, lift, "L",
               "the height above the point (thickness: below it) at which rays start; default: a "
               "10000th of the diagonal",
               .max = 3e38),
    OPTION_ROW(REAL, "spread", bake_options, spread, "S",
               "the sine of the largest angle between a ray and the normal; default: 1 for ao, 0.5 "
               "for thickness",
               .min = 1e-6, .max = 1),
    OPTION_FLAG_ROW("least", bake_options, least,
                    "the smallest of the distances instead of their mean (thickness only)"),
    OPTION_ROW(
        TEXT, "out", bake_options, out, "FILE",
        "a .ply file gets the mesh (or the points) with a quality and a colour for each "
        "vertex, with its normals and UVs, without its own colours and parts; a .npy file an "
        "array of float32 (N,)",
        .file = OPTION_WRITTEN, .letter = 'o'),
    { .name = NULL },
};

/* What is baked, and where. */
typedef struct bake {
    mesh_in in;
    bake_job job;
    size_t count;
    float *points, *normals; /* of a file; normals of vertices, too */
    float *values;
    bake_scratch *scratch;       /* one for each worker */
    size_t scratch_count, first; /* of the block at hand */
    double seconds;
} bake;

typedef struct summary {
    uint64_t finite;
    double sum;
    float least, most;
} summary;

static bool is_ply(const char *path)
{
    return file_name_ends(path, ".ply");
}

/* Rows of six floats to points and normals. */
static int read_points(bake *b, const char *path)
{
    float *both;
    const int status = npy_load_floats(path, 6, &both, &b->count);
    if (status != EXIT_DONE) {
        return status;
    }
    b->points = malloc((3 * b->count + 1) * sizeof *b->points);
    b->normals = malloc((3 * b->count + 1) * sizeof *b->normals);
    const bool made = b->points != NULL && b->normals != NULL;
    for (size_t i = 0; i < b->count && made; i++) {
        memcpy(b->points + 3 * i, both + 6 * i, 3 * sizeof *both);
        memcpy(b->normals + 3 * i, both + 6 * i + 3, 3 * sizeof *both);
    }
    free(both);
    b->job.points = b->points;
    return made ? EXIT_DONE : report_memory();
}

static int find_points(bake *b, const bake_options *o)
{
    if (strcmp(o->at, "vertices") != 0) {
        return read_points(b, o->at);
    }
    b->count = sl_mesh_soup(b->in.mesh).vertex_count;
    b->job.points = sl_mesh_soup(b->in.mesh).xyz;
    b->normals = bake_normals(b->in.mesh);
    return b->normals != NULL ? EXIT_DONE : report_memory();
}

static void make_job(bake *b, const invocation *call, const bake_options *o)
{
    const bool is_ao = b->job.kind == BAKE_AO;
    const sl_aabb bounds = mesh_in_bounds(b->in.bvh);
    const double diagonal = mesh_in_diagonal(&bounds);
    b->job.bvh = b->in.bvh;
    b->job.normals = b->normals;
    b->job.rays = (uint32_t)o->rays;
    b->job.least = o->least;
    b->job.distance =
        options_given(call, "distance") ? o->distance : (float)(is_ao ? diagonal / 4 : diagonal);
    b->job.lift = options_given(call, "lift") ? o->lift : (float)(diagonal / 10000);
    b->job.spread = options_given(call, "spread") ? o->spread : is_ao ? 1 : 0.5f;
}

static int bake_allocate(bake *b)
{
    b->scratch_count = (size_t)b->in.tasks->worker_count;
    b->values = malloc((b->count + 1) * sizeof *b->values);
    b->scratch = calloc(b->scratch_count, sizeof *b->scratch);
    bool made = b->values != NULL && b->scratch != NULL;
    for (size_t i = 0; i < b->scratch_count && made; i++) {
        made = bake_scratch_make(&b->scratch[i], &b->job);
    }
    return made ? EXIT_DONE : report_memory();
}

static void bake_range(void *context, size_t begin, size_t end, int worker)
{
    const bake *b = context;
    for (size_t i = b->first + begin; i < b->first + end; i++) {
        b->values[i] = bake_point(&b->job, i, &b->scratch[worker]);
    }
}

static void bake_all(bake *b, const char *what, bool quiet)
{
    enum { BLOCK = 4096, GRAIN = 16 };
    const sl_tasks *tasks = b->in.tasks;
    const double started = common_seconds();
    progress_begin(&b->in.bar, quiet);
    for (b->first = 0; b->first < b->count; b->first += BLOCK) {
        const size_t left = b->count - b->first;
        progress_show(&b->in.bar, what, (double)b->first / (double)b->count);
        tasks->parallel_for(tasks->user, left < BLOCK ? left : BLOCK, GRAIN, bake_range, b);
    }
    progress_end(&b->in.bar);
    b->seconds = common_seconds() - started;
}

static summary bake_summarize(const bake *b)
{
    summary s = { .least = INFINITY, .most = -INFINITY };
    for (size_t i = 0; i < b->count; i++) {
        const float value = b->values[i];
        if (isfinite(value)) {
            s.finite++;
            s.sum += (double)value;
            s.least = fminf(s.least, value);
            s.most = fmaxf(s.most, value);
        }
    }
    return s;
}

/* Grey for ao, else a colour map up to the largest value; nan is black, inf the lightest colour. */
static void bake_colour(const bake *b, float most, uint8_t *rgb)
{
    for (size_t i = 0; i < b->count; i++) {
        const float value = b->values[i];
        if (b->job.kind == BAKE_AO) {
            const uint8_t grey = value >= 0 ? (uint8_t)(value * 255 + 0.5f) : 0;
            memset(rgb + 3 * i, grey, 3);
        } else {
            sl_colour_map(value > 0 && most > 0 ? value / most : 0, rgb + 3 * i);
        }
    }
}

static int write_ply(const bake *b, const char *path, float most)
{
    uint8_t *rgb = malloc(3 * b->count + 1);
    if (rgb == NULL) {
        return report_memory();
    }
    bake_colour(b, most, rgb);
    int status;
    if (b->points == NULL) {
        const mesh_out what = {
            .mesh = b->in.mesh, .from = b->in.mesh, .quality = b->values, .rgb = rgb
        };
        status = mesh_out_write(path, &what, NULL);
    } else {
        sl_ply ply = {
            .xyz = b->job.points, .vertex_count = b->count, .quality = b->values, .rgb = rgb
        };
        status = mesh_out_write_ply(path, &ply);
    }
    free(rgb);
    return status;
}

static int write_npy(const bake *b, const char *path)
{
    npy_out out;
    int status = npy_out_open(&out, path, NPY_OUT_F4, 0, b->count);
    if (status == EXIT_DONE) {
        npy_out_write(&out, b->values, b->count);
        status = npy_out_close(&out);
    }
    npy_out_discard(&out);
    return status;
}

/* Whose attributes are written, or not: its colours make way. */
static mesh_out bake_written(const bake *b)
{
    static const uint8_t some[3];
    return (mesh_out){ .mesh = b->in.mesh, .from = b->in.mesh, .rgb = some };
}

/* Whether the mesh itself is written, with its values. */
static bool writes_mesh(const bake *b, const bake_options *o)
{
    return is_ply(o->out) && b->points == NULL;
}

static int print_summary(const bake *b, const bake_options *o, const char *what, const summary *s)
{
    output out;
    const int status = output_open(&out, NULL, o->common.json ? OUTPUT_JSON : OUTPUT_TEXT, "bake",
                                   common_use_color(&o->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    const bool any = s->finite > 0;
    output_field(&out, "what", value_text(what));
    output_field(&out, "points", value_count(b->count));
    output_field(&out, "without_value", value_count(b->count - s->finite));
    output_field(&out, "rays", value_count(b->job.rays));
    output_field(&out, "distance", value_float(b->job.distance));
    output_field(&out, "lift", value_float(b->job.lift));
    output_field(&out, "spread", value_float(b->job.spread));
    output_field(&out, "least", any ? value_float(s->least) : value_nothing());
    output_field(&out, "mean",
                 any ? value_rounded(s->sum / (double)s->finite, 6) : value_nothing());
    output_field(&out, "most", any ? value_float(s->most) : value_nothing());
    output_field(&out, "seconds", value_rounded(b->seconds, 3));
    if (writes_mesh(b, o)) {
        const mesh_out file = bake_written(b);
        mesh_out_report(&out, &file, o->out);
    }
    return output_close(&out);
}

static void close_bake(bake *b)
{
    for (size_t i = 0; i < b->scratch_count && b->scratch != NULL; i++) {
        bake_scratch_free(&b->scratch[i]);
    }
    free(b->scratch);
    free(b->values);
    free(b->points);
    free(b->normals);
    mesh_in_close(&b->in);
}

static int bake_check(const invocation *call, const bake_options *o, bake_kind *kind)
{
    const char *what = call->argument_count > 0 ? call->arguments[0] : "";
    const bool is_ao = strcmp(what, "ao") == 0;
    if (!is_ao && strcmp(what, "thickness") != 0) {
        return report_usage(call->command, "'%s' cannot be baked; give ao or thickness", what);
    }
    if (!is_ply(o->out) && !npy_is_name(o->out)) {
        return report_usage(call->command,
                            "the values are written as .ply or .npy; name such a file with --out");
    }
    if (is_ao && o->least) {
        return report_usage(call->command, "--least is for thickness");
    }
    if (strcmp(o->at, "vertices") != 0 && !npy_is_name(o->at)) {
        return report_usage(call->command, "--at is 'vertices' or a .npy file, not '%s'", o->at);
    }
    *kind = is_ao ? BAKE_AO : BAKE_THICKNESS;
    return EXIT_DONE;
}

static int bake_run(const invocation *call)
{
    const bake_options *o = call->options;
    bake b = { .count = 0 };
    int status = bake_check(call, o, &b.job.kind);
    if (status != EXIT_DONE) {
        return status;
    }
    const char *what = call->arguments[0];
    mesh_options mesh = o->mesh;
    mesh.keep = is_ply(o->out) ? MESH_IN_KEEP_ALL : 0;
    status = mesh_in_open(&b.in, call, 1, &mesh, &o->common);
    status = status == EXIT_DONE ? find_points(&b, o) : status;
    if (status == EXIT_DONE) {
        make_job(&b, call, o);
        status = bake_allocate(&b);
    }
    if (status == EXIT_DONE) {
        bake_all(&b, what, o->common.quiet);
        const summary s = bake_summarize(&b);
        status = is_ply(o->out) ? write_ply(&b, o->out, s.most) : write_npy(&b, o->out);
        if (status == EXIT_DONE && writes_mesh(&b, o) && !o->common.quiet) {
            const mesh_out file = bake_written(&b);
            mesh_out_warn(&file, b.in.name, o->out);
        }
        status = status == EXIT_DONE ? print_summary(&b, o, what, &s) : status;
    }
    close_bake(&b);
    return status;
}

const subcommand command_bake = {
    .name = "bake",
    .line = "ambient occlusion or thickness, for each vertex or point",
    .usage = "ao|thickness MESH -o FILE [OPTION...]",
    .about =
        "ao: the share of cosine-weighted rays over the hemisphere of the normal that meet "
        "nothing within the distance: 1 in the open, 0 in a narrow corner. thickness: how far rays "
        "go on average from the point inwards, in a cone around the reversed normal, until they "
        "meet the mesh; inf where none does. The normal of a vertex is the mean of its triangles', "
        "weighted by area; a point without one gets nan. The rays are the same for the same "
        "number of the point, so the same command gives the same bits on every machine. A summary "
        "goes to stdout.",
    .examples = "  sightline bake ao bunny.ply -o bunny_ao.ply\n"
                "  sightline bake ao hall.obj --rays 1024 --distance 2 -o ao.npy --json\n"
                "  sightline bake thickness part.stl --at points.npy -o thickness.npy\n",
    .argument_max = 2,
    .options_size = sizeof(bake_options),
    .groups = { { .title = "Bake", .rows = rows },
                MESH_GROUP(bake_options),
                COMMON_GROUP(bake_options) },
    .run = bake_run,
};
