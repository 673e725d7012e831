/* tools/distance.c: how far two meshes or scenes are apart, and where. */
#include "tools/cli/report.h"
#include "tools/input/mesh.h"
#include "tools/output/output.h"

#include <sightline/clash.h>

#include <math.h>

typedef struct distance_options {
    float limit;
    bool csv;
    const char *out;
    mesh_options mesh;
    common_options common;
} distance_options;

static const option_row rows[] = {
    OPTION_ROW(REAL, "max-distance", distance_options, limit, "D",
               "look no further than D: what is farther apart counts as not found", .main = true,
               .fallback = "inf", .infinite = true, .max = INFINITY),
    OPTION_FLAG_ROW("csv", distance_options, csv, "print CSV"),
    OPTION_REPORT_OUT_ROW(distance_options),
    { .name = NULL },
};

typedef struct distance_run {
    mesh_in in[2];
    sl_distance found;
} distance_run;

/* One triangle and its point: instance_a, prim_a, face_a, ..., x_a, y_a, z_a. */
static void distance_side(output *out, const mesh_in *in, bool of_b, sl_triangle_ref triangle,
                          const double point[3])
{
    static const char *const axes[2][3] = { { "x_a", "y_a", "z_a" }, { "x_b", "y_b", "z_b" } };
    const char *names[MESH_IN_TOLD];
    out_value values[MESH_IN_TOLD];
    const size_t count = mesh_in_told(in, of_b, names);
    mesh_in_tell(in, triangle, values);
    for (size_t i = 0; i < count; i++) {
        output_field(out, names[i], values[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        output_field(out, axes[of_b][axis],
                     triangle.prim != SL_NONE ? value_double(point[axis]) : value_nothing());
    }
}

static int distance_print(const invocation *call, const distance_run *run)
{
    const distance_options *o = call->options;
    const sl_distance *found = &run->found;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    output out;
    const int status =
        output_open(&out, o->out, format, "distance", common_use_color(&o->common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    if (format == OUTPUT_CSV) {
        output_record_begin(&out, "distance");
    }
    output_field(&out, "distance",
                 found->a.prim != SL_NONE ? value_float(found->distance) : value_nothing());
    distance_side(&out, &run->in[0], false, found->a, found->point_a);
    distance_side(&out, &run->in[1], true, found->b, found->point_b);
    if (format == OUTPUT_CSV) {
        output_record_end(&out);
    }
    return output_close(&out);
}

static int distance_run_command(const invocation *call)
{
    const distance_options *o = call->options;
    distance_run run = { .found = { .a = { .prim = SL_NONE } } };
    int status = EXIT_DONE;
    if (o->csv && o->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    if (!(o->limit >= 0)) {
        return report_usage(call->command, "--max-distance is no number from 0 on");
    }
    for (size_t i = 0; i < 2 && status == EXIT_DONE; i++) {
        status = mesh_in_open(&run.in[i], call, i, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        const bool there =
            sl_bvh_distance(run.in[0].bvh, run.in[1].bvh, o->limit, NULL, &run.found);
        status = distance_print(call, &run);
        status = status == EXIT_DONE && !there ? EXIT_NO : status;
    }
    mesh_in_close(&run.in[0]);
    mesh_in_close(&run.in[1]);
    return status;
}

const subcommand command_distance = {
    .name = "distance",
    .line = "how far two meshes are apart, and where",
    .usage = "A B [OPTION...]",
    .about = "Prints the least distance between two meshes or scenes, the nearest triangle of "
             "either and the nearest points on them. The distance is 0 exactly where they meet, "
             "else the exact one, rounded to the nearest float; of equally near pairs the lowest "
             "triangle of A counts, then the lowest of B. Meshes are surfaces: one inside the "
             "other is as far as its surface (see clash).",
    .examples = "  sightline distance gripper.stl part.stl\n"
                "  sightline distance pipe.obj wall.obj --max-distance 0.05\n",
    .no = "nothing is within --max-distance",
    .takes_scenes = true,
    .argument_min = 2,
    .argument_max = 2,
    .options_size = sizeof(distance_options),
    .groups = { { .title = "Query", .rows = rows },
                SCENE_GROUP(distance_options),
                MESH_GROUP(distance_options),
                COMMON_GROUP(distance_options) },
    .run = distance_run_command,
};
