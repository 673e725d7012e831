/* render/command.c: `sightline render`: a picture of a mesh as PNG, or arrays of what each pixel
 * sees. */
#include "tools/cli/report.h"
#include "tools/output/canvas.h"
#include "tools/output/file_name.h"
#include "tools/output/npy.h"
#include "tools/output/output.h"
#include "tools/render/render.h"
#include "tools/render/vertex_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_options {
    const char *out, *aov;
    int show;
    uint64_t samples, ao;
    float ao_distance;
    bool flat, no_legend;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} render_options;

static const char *const show_words[] = { "shade",   "depth",  "normal",   "prim", "cost",
                                          "quality", "colour", "instance", NULL };

static const option_row rows[] = {
    OPTION_ROW(TEXT, "out", render_options, out, "FILE",
               "the picture to write, a .png ('-' for stdout), or with --aov a .npy",
               .file = OPTION_WRITTEN, .letter = 'o'),
    OPTION_CHOICE_ROW(
        "show", render_options, show, show_words,
        "what the colours show: light; distance along the view axis; normal of the triangle's "
        "front (red x, green y, blue z, 0 in the middle); number of the triangle; nodes "
        "entered and triangles looked at for one ray; quality or colour that a PLY has for each "
        "vertex, as bake writes them; the number of the instance of a scene",
        .fallback = "shade", .not_names = "mode colour-by color-by"),
    OPTION_ROW(COUNT, "samples", render_options, samples, "N",
               "N x N rays for each pixel, which smooth edges", .min = 1, .max = TILES_SAMPLES_MAX,
               .fallback = "2"),
    OPTION_ROW(COUNT, "ao", render_options, ao, "RAYS",
               "rays for each hit that test how much of the sky is open above it (shade only)",
               .max = 4096, .fallback = "0"),
    OPTION_ROW(REAL, "ao-distance", render_options, ao_distance, "UNITS",
               "how far those rays reach; 0: a third of the mesh's size", .max = 3e38,
               .fallback = "0"),
    OPTION_FLAG_ROW("flat", render_options, flat,
                    "show facets as they are, not smoothed over shared vertices (shade only)"),
    OPTION_FLAG_ROW("no-legend", render_options, no_legend,
                    "no bar with numbers (depth, cost and quality)"),
    OPTION_ROW(
        TEXT, "aov", render_options, aov, "LIST",
        "write arrays instead of a picture, of the ray through the middle of each pixel: one "
        "or more of depth, normal, point, uv, prim, face and instance with commas between. One "
        "alone "
        "is an array (H, W), or (H, W, n) where a pixel has n numbers; several are one array "
        "(H, W) of records: a = numpy.load('x.npy'); a['depth'] is (H, W), a['normal'] is "
        "(H, W, 3). Floats are float32, prim, face and instance uint32. Where there is nothing: "
        "depth inf, normal and uv 0, point nan, prim, face and instance 4294967295"),
    { .name = NULL },
};

/* All that a run owns. */
typedef struct session {
    const invocation *call;
    const render_options *options;
    mesh_in in;
    camera_in camera;
    picture picture;
    tiles_job job;
    double seconds; /* of tracing and shading */

} session;

/* What one worker finds in a first pass, one ray through the centre of each pixel. */
enum { COSTS = 1 << 12 };
typedef struct measure {
    double low, high;       /* depth */
    uint64_t counts[COSTS]; /* rays by cost; the last also stands for more */
} measure;

typedef struct measuring {
    const picture *picture;
    measure *workers;
} measuring;

static void measure_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    const measuring *all = context;
    measure *own = &all->workers[worker];
    if (pixel->costs != NULL) {
        own->counts[pixel->costs[0] < COSTS ? pixel->costs[0] : COSTS - 1]++;
    } else if (pixel->hits[0].prim != SL_NONE) {
        const double depth = render_depth(all->picture->camera, &pixel->rays[0], &pixel->hits[0]);
        own->low = fmin(own->low, depth);
        own->high = fmax(own->high, depth);
    }
}

/* The 99.8th percentile of the costs, so that a few costly rays do not darken all others. */
static double usual_cost(const measure *workers, int count, uint64_t rays)
{
    uint64_t seen = 0;
    for (int cost = 0; cost < COSTS; cost++) {
        for (int i = 0; i < count; i++) {
            seen += workers[i].counts[cost];
        }
        if (seen >= rays - rays / 500) {
            return cost > 0 ? cost : 1;
        }
    }
    return COSTS;
}

/* What the ends of the colour map stand for: from one ray for each pixel. */
static int find_range(session *s)
{
    picture *p = &s->picture;
    const int count = tiles_workers(&s->job);
    measuring all = { .picture = p, .workers = calloc((size_t)count, sizeof *all.workers) };
    if (all.workers == NULL) {
        return report_memory();
    }
    for (int i = 0; i < count; i++) {
        all.workers[i].low = INFINITY;
        all.workers[i].high = -INFINITY;
    }
    tiles_job job = s->job;
    job.samples = 1;
    job.stage = "measuring";
    const int status = tiles_trace(&job, measure_pixel, &all);
    if (p->show == SHOW_COST) {
        p->high = usual_cost(all.workers, count, (uint64_t)p->width * p->height);
    } else {
        p->low = INFINITY;
        p->high = -INFINITY;
        for (int i = 0; i < count; i++) {
            p->low = fmin(p->low, all.workers[i].low);
            p->high = fmax(p->high, all.workers[i].high);
        }
    }
    free(all.workers);
    return status;
}

/* The numbers of vertices come from the file itself, which a mesh does not keep. */
static int load_values(session *s)
{
    static const char *const names[2][3] = { { "quality" }, { "red", "green", "blue" } };
    picture *p = &s->picture;
    const bool colour = p->show == SHOW_COLOUR;
    const invocation *call = s->call;
    if (call->argument_count == 0 || strcmp(call->arguments[0], "-") == 0) {
        return report_usage(call->command, "--show %s reads MESH twice; name a PLY file",
                            show_words[p->show]);
    }
    const size_t count = sl_mesh_soup(s->in.mesh).vertex_count;
    const int status =
        vertex_values_load(call->arguments[0], names[colour], colour ? 3 : 1, count, &p->values);
    p->low = INFINITY;
    p->high = -INFINITY;
    for (size_t i = 0; i < count && status == EXIT_DONE && !colour; i++) {
        if (isfinite(p->values[i])) {
            p->low = fmin(p->low, (double)p->values[i]);
            p->high = fmax(p->high, (double)p->values[i]);
        }
    }
    return status;
}

static const char *legend_title(render_show show)
{
    return show == SHOW_COST      ? "NODES + TRIANGLES PER RAY"
           : show == SHOW_QUALITY ? "QUALITY"
                                  : "DISTANCE FROM THE EYE";
}

static int make_picture(session *s)
{
    const render_options *options = s->options;
    picture *p = &s->picture;
    p->rgb = malloc((size_t)p->width * p->height * 3);
    const bool smooth = p->show == SHOW_SHADE && !options->flat;
    bool made = p->rgb != NULL;
    made = made && (!smooth || render_make_normals(p));
    if (!made) {
        return report_memory();
    }
    const bool measured = p->show == SHOW_COST || p->show == SHOW_DEPTH;
    const bool valued = p->show == SHOW_QUALITY || p->show == SHOW_COLOUR;
    const double started = common_seconds();
    int status = measured ? find_range(s) : valued ? load_values(s) : EXIT_DONE;
    status = status == EXIT_DONE ? tiles_trace(&s->job, render_pixel, p) : status;
    s->seconds = common_seconds() - started;
    const bool mapped = measured || p->show == SHOW_QUALITY;
    if (status == EXIT_DONE && mapped && !options->no_legend && p->low <= p->high) {
        render_legend(p, legend_title(p->show), p->show == SHOW_COST);
    }
    progress_end(&s->in.bar);
    const canvas image = canvas_make(p->rgb, p->width, p->height);
    return status == EXIT_DONE ? canvas_write(&image, options->out) : status;
}

static int make_arrays(session *s)
{
    int status;
    aov *arrays = aov_create(s->options->aov, &s->picture, &status);
    if (arrays == NULL) {
        return status;
    }
    s->job.samples = 1;
    const double started = common_seconds();
    status = tiles_trace(&s->job, aov_pixel, arrays);
    s->seconds = common_seconds() - started;
    progress_end(&s->in.bar);
    status = status == EXIT_DONE ? aov_write(arrays, s->options->out) : status;
    aov_destroy(arrays);
    return status;
}

static void set_up(session *s)
{
    const render_options *options = s->options;
    const sl_aabb bounds = mesh_in_bounds(s->in.bvh);
    const double third = fmin(mesh_in_diagonal(&bounds) / 3, 3e38);
    const sl_camera *camera = &s->camera.camera;
    s->picture = (picture){
        .in = &s->in,
        .camera = &s->camera,
        .show = (render_show)options->show,
        .ao = (int)options->ao,
        .ao_distance = options->ao_distance > 0 ? options->ao_distance : (float)third,
        .width = camera->width,
        .height = camera->height,
    };
    s->job = (tiles_job){
        .in = &s->in,
        .camera = &s->camera,
        .tasks = s->in.tasks,
        .samples = (int)options->samples,
        .costs = options->aov == NULL && options->show == SHOW_COST,
        .bar = &s->in.bar,
        .stage = "rendering",
    };
}

/* Camera rays only: occlusion rays of --ao are in the time but not in the count. */
static int print_summary(const session *s)
{
    const render_options *options = s->options;
    const picture *p = &s->picture;
    const uint64_t rays =
        (uint64_t)p->width * p->height * (uint64_t)(s->job.samples * s->job.samples);
    const double rate = s->seconds > 0 ? (double)rays / s->seconds : 0;
    if (options->common.json) {
        output out;
        const int status = output_open(&out, NULL, OUTPUT_JSON, "render", false);
        if (status != EXIT_DONE) {
            return status;
        }
        output_field(&out, "file", value_text(options->out));
        output_field(&out, "width", value_count(p->width));
        output_field(&out, "height", value_count(p->height));
        output_field(&out, "triangles", value_count(mesh_in_triangles(&s->in)));
        output_field(&out, "camera_rays", value_count(rays));
        output_field(&out, "load_seconds", value_rounded(s->in.load_seconds, 3));
        output_field(&out, "build_seconds", value_rounded(s->in.build_seconds, 3));
        output_field(&out, "render_seconds", value_rounded(s->seconds, 3));
        output_field(&out, "rays_per_second", value_rounded(rate, 3));
        return output_close(&out);
    }
    if (!options->common.quiet) {
        fprintf(stderr,
                "%s: %" PRIu32 " x %" PRIu32 " pixels, %" PRIu64
                " camera rays in %.3g s (%.3g million a second)\n",
                options->out, p->width, p->height, rays, s->seconds, rate * 1e-6);
    }
    return EXIT_DONE;
}

/* Options that have no meaning beside each other. */
static int check_options(const invocation *call, const render_options *options)
{
    const bool is_npy = options->out != NULL && npy_is_name(options->out);
    const bool is_stdout = options->out != NULL && strcmp(options->out, "-") == 0;
    if (options->out == NULL) {
        return report_usage(call->command, "--out is missing; name the picture to write");
    }
    if (options->aov == NULL && is_npy) {
        return report_usage(call->command, "a .npy holds arrays; say which with --aov");
    }
    if (options->aov == NULL && file_name_check(call, "out", options->out, ".png") != EXIT_DONE) {
        return EXIT_USAGE;
    }
    if (options->aov != NULL && !is_npy && !is_stdout) {
        return report_usage(call->command, "--aov writes a .npy; '%s' does not end in .npy",
                            options->out);
    }
    if (options->aov != NULL && options_given(call, "show")) {
        return report_usage(call->command, "--aov and --show exclude each other");
    }
    if (is_stdout && options->common.json) {
        return report_usage(call->command, "-o - and --json both want stdout");
    }
    if (is_stdout && options->camera.save != NULL && strcmp(options->camera.save, "-") == 0) {
        return report_usage(call->command, "-o - and --save-camera - both want stdout");
    }
    const int status = options->aov != NULL ? aov_check(call, options->aov) : EXIT_DONE;
    return status == EXIT_DONE ? camera_in_check(call, &options->camera) : status;
}

static int render_run(const invocation *call)
{
    const render_options *options = call->options;
    int status = check_options(call, options);
    if (status != EXIT_DONE) {
        return status;
    }
    session s = { .call = call, .options = options };
    status = mesh_in_open(&s.in, call, 0, &options->mesh, &options->common);
    status =
        status == EXIT_DONE ? camera_in_frame(&s.camera, call, &options->camera, &s.in) : status;
    const bool valued = options->show == SHOW_QUALITY || options->show == SHOW_COLOUR;
    status = status == EXIT_DONE && valued ? mesh_in_refuse(&s.in, call, "show") : status;
    if (status == EXIT_DONE) {
        set_up(&s);
        progress_begin(&s.in.bar, options->common.quiet);
        status = options->aov != NULL ? make_arrays(&s) : make_picture(&s);
    }
    status = status == EXIT_DONE ? camera_in_save(&s.camera, &options->camera) : status;
    status = status == EXIT_DONE ? print_summary(&s) : status;
    free(s.picture.rgb);
    render_free_normals(&s.picture);
    free(s.picture.values);
    mesh_in_close(&s.in);
    return status;
}

const subcommand command_render = {
    .name = "render",
    .line = "a picture of a mesh: light, depth, numbers, cost or baked values",
    .usage = "MESH -o FILE.png [OPTION...]",
    .about =
        "Looks at MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) through a camera and writes what "
        "it sees as PNG, or as arrays for NumPy. Without camera options the whole mesh is "
        "framed. The picture is the same whatever the number of threads.",
    .examples = "  sightline render spot.obj -o spot.png --ao 16\n"
                "  sightline render part.stl -o cost.png --show cost --up-axis z\n"
                "  sightline render spot_ao.ply -o ao.png --show quality\n"
                "  sightline render spot.obj -o spot.npy --aov depth,normal,prim --size 640x480\n"
                "  sightline render spot.obj -o near.png --eye 0,1,-3 --save-camera near.json\n",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(render_options),
    .groups = { { .title = "Picture", .rows = rows },
                CAMERA_GROUP(render_options),
                SCENE_GROUP(render_options),
                MESH_GROUP(render_options),
                COMMON_GROUP(render_options) },
    .run = render_run,
};
