/* tools/pick.c: `sightline pick`: the triangles under a pixel of a camera. */
#include "tools/cli/report.h"
#include "tools/input/camera.h"
#include "tools/input/mesh.h"
#include "tools/input/part.h"
#include "tools/input/query.h"
#include "tools/input/scene.h"
#include "tools/output/output.h"

#include <stdlib.h>
#include <string.h>

typedef struct pick_options {
    float pixel[2], at[2];
    bool all, csv;
    query_options query;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} pick_options;

static const option_row rows[] = {
    { .name = "pixel",
      .kind = OPTION_REALS,
      .offset = offsetof(pick_options, pixel),
      .length = 2,
      .value = "X,Y",
      .help = "look through the middle of this pixel; whole numbers, 0,0 is the top-left one" },
    { .name = "at",
      .kind = OPTION_REALS,
      .offset = offsetof(pick_options, at),
      .length = 2,
      .value = "X,Y",
      .help =
          "look through this point of the picture instead; the middle of pixel 0,0 is 0.5,0.5" },
    { .name = "all",
      .kind = OPTION_FLAG,
      .offset = offsetof(pick_options, all),
      .help = "everything under the pixel in order, not only what is in front" },
    { .name = "csv",
      .kind = OPTION_FLAG,
      .offset = offsetof(pick_options, csv),
      .help = "print CSV" },
    { .name = NULL },
};

/* All that a run owns. */
typedef struct session {
    const pick_options *options;
    mesh_in in;
    uint32_t *masks;
    sl_query query;
    camera_in camera;
    float x, y; /* in the picture */
    sl_ray ray;
    sl_hit *hits;
    size_t hit_count;
} session;

static int find_point(session *s, const invocation *call)
{
    const pick_options *options = s->options;
    const bool by_pixel = options_given(call, "pixel");
    if (by_pixel == options_given(call, "at")) {
        return report_usage(call->command, by_pixel ? "--pixel and --at exclude each other"
                                                    : "one of --pixel and --at is needed");
    }
    const float *at = by_pixel ? options->pixel : options->at;
    const float sides[2] = { (float)s->camera.camera.width, (float)s->camera.camera.height };
    for (int i = 0; i < 2; i++) {
        const bool whole = at[i] >= 0 && at[i] < 1e6f && at[i] == (float)(int)at[i];
        if (by_pixel && !whole) {
            return report_usage(call->command,
                                "--pixel %.9g,%.9g is no pixel; for points between use --at",
                                (double)at[0], (double)at[1]);
        }
        if (!(at[i] >= 0) || (by_pixel ? at[i] >= sides[i] : at[i] > sides[i])) {
            return report_usage(call->command,
                                "--%s %.9g,%.9g is outside of the picture of %.9g x %.9g pixels",
                                by_pixel ? "pixel" : "at", (double)at[0], (double)at[1],
                                (double)sides[0], (double)sides[1]);
        }
    }
    s->x = by_pixel ? at[0] + 0.5f : at[0];
    s->y = by_pixel ? at[1] + 0.5f : at[1];
    if (!sl_camera_ray(&s->camera.camera, s->x, s->y, &s->ray)) {
        return report_usage(call->command, "this camera sends no ray through %.9g,%.9g",
                            (double)s->x, (double)s->y);
    }
    return EXIT_DONE;
}

static int find_hits(session *s)
{
    const sl_bvh *bvh = s->in.bvh;
    const sl_scene *scene = s->in.scene != NULL ? s->in.scene->scene : NULL;
    s->hit_count = 1;
    if (s->options->all) {
        s->hit_count = scene != NULL ? sl_scene_count(scene, &s->ray, &s->query)
                                     : sl_bvh_count(bvh, &s->ray, &s->query);
    }
    s->hits = malloc((s->hit_count + 1) * sizeof *s->hits);
    if (s->hits == NULL) {
        return report_memory();
    }
    if (s->options->all && scene != NULL) {
        sl_scene_all(scene, &s->ray, &s->query, s->hits, s->hit_count);
    } else if (s->options->all) {
        sl_bvh_all(bvh, &s->ray, &s->query, s->hits, s->hit_count);
    } else if (scene != NULL) {
        s->hit_count = sl_scene_closest(scene, &s->ray, &s->query, s->hits);
    } else {
        s->hit_count = sl_bvh_closest(bvh, &s->ray, &s->query, s->hits);
    }
    return EXIT_DONE;
}

/* One row of answers, in the order of the columns below; the last two only of a scene. */
enum { COLUMNS = 20, COLUMNS_OF_MESH = 18 };
static const out_column columns[COLUMNS] = {
    { "prim", 8 },      { "face", 8 },      { "t", 14 },        { "u", 12 },
    { "v", 12 },        { "side", 5 },      { "on", 6 },        { "point_x", 12 },
    { "point_y", 12 },  { "point_z", 12 },  { "normal_x", 12 }, { "normal_y", 12 },
    { "normal_z", 12 }, { "distance", 12 }, { "depth", 12 },    { "part", 12 },
    { "material", 12 }, { "node", 12 },     { "instance", 8 },  { "name", 12 },
};

static int column_count(const session *s)
{
    return s->in.scene != NULL ? COLUMNS : COLUMNS_OF_MESH;
}

/* The point and the front's normal, as floats; false where there is none. */
static bool find_surface(const session *s, const sl_hit *hit, float point[3], float normal[3])
{
    if (s->in.scene == NULL) {
        sl_surface surface;
        const bool found = sl_bvh_surface(s->in.bvh, hit, &surface);
        memcpy(point, surface.point, sizeof surface.point);
        memcpy(normal, surface.normal, sizeof surface.normal);
        return found;
    }
    double at[3], front[3];
    const sl_triangle_ref triangle = { .prim = hit->prim, .instance = hit->instance };
    const bool found =
        scene_in_surface(s->in.scene, triangle, (double)hit->u, (double)hit->v, at, front);
    for (int axis = 0; found && axis < 3; axis++) {
        point[axis] = (float)at[axis];
        normal[axis] = (float)front[axis];
    }
    return found;
}

/* What only a scene has, and the names of the part. */
static void fill_names(const session *s, const sl_hit *hit, out_value row[COLUMNS])
{
    scene_in *scene = s->in.scene;
    if (scene == NULL) {
        row[1] = value_count(sl_mesh_face(s->in.mesh, hit->prim));
        part_values_of(s->in.mesh, hit->prim, &row[15]);
        return;
    }
    const scene_mesh *mesh = scene_in_mesh(scene, hit->instance);
    const char *name = scene_in_name(scene, hit->instance);
    row[1] = value_count(hit->prim);
    row[18] = value_count(hit->instance);
    row[19] = name != NULL ? value_text(name) : value_nothing();
    if (mesh != NULL && mesh->mesh != NULL) {
        row[1] = value_count(sl_mesh_face(mesh->mesh, hit->prim));
        part_values_of(mesh->mesh, hit->prim, &row[15]);
    }
}

static void fill_row(const session *s, const sl_hit *hit, out_value row[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        row[i] = value_nothing();
    }
    row[0] = value_count(hit->prim);
    row[2] = value_float(hit->t);
    row[3] = value_float(hit->u);
    row[4] = value_float(hit->v);
    row[5] = value_text((hit->flags & SL_HIT_BACK) != 0 ? "back" : "front");
    row[6] = value_text((hit->flags & SL_HIT_VERTEX) != 0 ? "vertex"
                        : (hit->flags & SL_HIT_EDGE) != 0 ? "edge"
                                                          : "inside");
    fill_names(s, hit, row);
    float at[3], normal[3];
    if (!find_surface(s, hit, at, normal)) {
        return;
    }
    double point[3];
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = s->ray.origin[axis] + (double)hit->t * (double)s->ray.dir[axis];
        row[7 + axis] = value_float(at[axis]);
        row[10 + axis] = value_float(normal[axis]);
    }
    row[13] = value_float((float)camera_in_distance(&s->camera, point));
    float depth, xy[2];
    if (sl_camera_project(&s->camera.camera, at, xy, &depth)) {
        row[14] = value_float(depth);
    }
}

/* The same as fields, vectors together. */
static void print_hit(output *out, const session *s)
{
    out_value row[COLUMNS];
    fill_row(s, &s->hits[0], row);
    for (int i = 0; i < column_count(s); i++) {
        if (i == 7 || i == 10) {
            output_fields(out, i == 7 ? "point" : "normal", &row[i], 3);
            i += 2;
        } else {
            output_field(out, columns[i].name, row[i]);
        }
    }
}

static int print_answer(const session *s)
{
    const pick_options *options = s->options;
    const common_options *common = &options->common;
    const output_format format = common->json   ? OUTPUT_JSON
                                 : options->csv ? OUTPUT_CSV
                                                : OUTPUT_TEXT;
    output out;
    const int status = output_open(&out, NULL, format, "pick", common_use_color(common, stdout));
    if (status != EXIT_DONE) {
        return status;
    }
    const bool table = options->all || format == OUTPUT_CSV;
    const out_value at[2] = { value_float(s->x), value_float(s->y) };
    if (format == OUTPUT_JSON || !table) {
        output_fields(&out, "at", at, 2);
        output_field(&out, "hit", value_bool(s->hit_count > 0));
    }
    if (table) {
        output_table_begin(&out, "hits", columns, (size_t)column_count(s));
        for (size_t i = 0; i < s->hit_count; i++) {
            out_value row[COLUMNS];
            fill_row(s, &s->hits[i], row);
            output_row(&out, row);
        }
        output_table_end(&out);
    } else if (s->hit_count > 0) {
        print_hit(&out, s);
    }
    return output_close(&out);
}

static int run(const invocation *call)
{
    const pick_options *options = call->options;
    if (options->csv && options->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    session s = { .options = options };
    int status = query_in_make(call, &options->query, &s.query);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&s.in, call, 0, &options->mesh, &options->common);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&options->query, s.in.mesh, &s.masks);
    }
    if (status == EXIT_DONE) {
        s.in.masks = s.masks;
        status = mesh_in_build(&s.in);
    }
    if (status == EXIT_DONE) {
        status = camera_in_frame(&s.camera, call, &options->camera, &s.in);
    }
    if (status == EXIT_DONE) {
        status = find_point(&s, call);
    }
    if (status == EXIT_DONE) {
        status = find_hits(&s);
    }
    if (status == EXIT_DONE) {
        status = camera_in_save(&s.camera, &options->camera);
    }
    if (status == EXIT_DONE) {
        status = print_answer(&s);
    }
    if (status == EXIT_DONE && s.hit_count == 0) {
        status = EXIT_NO;
    }
    free(s.hits);
    mesh_in_close(&s.in);
    free(s.masks);
    return status;
}

const subcommand command_pick = {
    .name = "pick",
    .line = "what is under a pixel",
    .usage = "MESH --pixel X,Y [OPTION...]",
    .about = "Looks at MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) through one pixel of a "
             "camera and "
             "prints the triangle that is seen there: prim, its number; face, that of the face of "
             "the file it came from; t along the camera's ray, and u, v, the weights of vertices 1 "
             "and 2; the side that is seen; the point and the normal of the front; distance from "
             "the eye along the view axis; and depth in the clip space of --depth. Without camera "
             "options the whole mesh is framed, as render does.",
    .examples = "  sightline pick spot.obj --pixel 400,300\n"
                "  sightline pick spot.obj --pixel 12,80 --size 160x120 --eye 0,0,-3 --json\n"
                "  sightline pick spot.obj --at 400.25,300 --camera near.json --all --csv\n",
    .no = "nothing is under the pixel",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(pick_options),
    .groups = { { .title = "Where", .rows = rows },
                QUERY_GROUP(pick_options),
                CAMERA_GROUP(pick_options),
                SCENE_GROUP(pick_options),
                MESH_GROUP(pick_options),
                COMMON_GROUP(pick_options) },
    .run = run,
};
