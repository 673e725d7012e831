/* pick/command.c: `sightline pick`: what is under a pixel of a camera: triangles along its ray; or,
 * as editors pick, faces, edges and vertices within some pixels. */
#include "tools/cli/report.h"
#include "tools/input/part.h"
#include "tools/output/file_name.h"
#include "tools/pick/pick.h"

#include <stdlib.h>
#include <string.h>

static const char *const unit_words[] = { "auto", "objects", "instances", "parts", "faces", NULL };

static const option_row where_rows[] = {
    OPTION_ROW(REALS, "pixel", pick_options, pixel, "X,Y",
               "look through the middle of this pixel; whole numbers, 0,0 is the top-left one",
               .length = 2, .main = true),
    OPTION_ROW(REALS, "at", pick_options, at, "X,Y",
               "look through this point of the picture instead; the middle of pixel 0,0 is 0.5,0.5",
               .length = 2, .main = true),
    { .name = NULL },
};

static const option_row what_rows[] = {
    OPTION_ROW(
        TEXT, "kind", pick_options, kind, "LIST",
        "what can be picked: one or more of face, edge, vertex and mark with commas between. "
        "A mark within the radius counts before a vertex, a vertex before an edge, an edge "
        "before the face under the pixel. By default the first three where --radius, "
        "--hidden, --all-vertices, --same-part, --edges or --crease is given, otherwise faces; "
        "and marks where there are --marks",
        .main = true, .not_names = "kinds"),
    OPTION_ROW(
        TEXT, "marks", pick_options, marks, "FILE",
        "points and wires of the world to pick, too, from a text file ('-' is stdin): a line "
        "for each, X,Y,Z of a point or X0,Y0,Z0,X1,Y1,Z1 of a wire, and behind that its "
        "tolerance in pixels, which adds to the radius, or nothing. Points are seen through "
        "everything, as icons are; wires are hidden by triangles",
        .file = OPTION_READ, .not_names = "wires points icons"),
    OPTION_ROW(REAL, "radius", pick_options, radius, "PIXELS",
               "how far an edge, a vertex or a mark may be from the point, in pixels",
               .letter = 'r', .main = true, .max = 1e6, .fallback = "5"),
    OPTION_FLAG_ROW("hidden", pick_options, hidden,
                    "edges, vertices and wires behind something count, too"),
    OPTION_FLAG_ROW("all-vertices", pick_options, all_vertices,
                    "vertices within smooth surfaces count, too, not only those of --edges"),
    OPTION_FLAG_ROW("same-part", pick_options, same_part,
                    "where a face is under the point, only edges and vertices of its part count"),
    OPTION_FLAG_ROW(
        "all", pick_options, all,
        "everything under the point in order, not only what is in front: every hit of the "
        "ray; or with the other options of this group the nearest of each --unit",
        .main = true),
    OPTION_CHOICE_ROW("unit", pick_options, unit, unit_words,
                      "what counts as one thing for --all, --after and --cycle: an instance of the "
                      "outermost scene, "
                      "one of any scene, a part of a mesh, or a face of a file; auto: objects of a "
                      "scene, and faces of a mesh",
                      .fallback = "auto"),
    OPTION_ROW(TEXT, "after", pick_options, after, "TRIANGLE",
               "pick what comes behind the unit that this triangle is part of, and behind the last "
               "one the first: a click on what is selected already. In a scene INSTANCE or "
               "INSTANCE:TRIANGLE",
               .not_names = "next"),
    OPTION_ROW(
        COUNT, "cycle", pick_options, cycle, "N",
        "what the Nth of several clicks at the point picks: 1 is what is in front, or behind "
        "--after, 2 the unit behind that, and behind the last one comes the first",
        .main = true, .min = 1, .max = UINT32_MAX, .fallback = "1", .not_names = "click"),
    OPTION_ROW(REAL, "budget", pick_options, budget, "MS",
               "answer with the best so far after this many milliseconds; 0: no limit", .max = 1e9,
               .fallback = "0"),
    { .name = NULL },
};

static const option_row report_rows[] = {
    OPTION_ROW(
        TEXT, "picture", pick_options, picture, "FILE",
        "write a picture of it, a .png ('-' for stdout): what was picked in orange, a cross at "
        "the point",
        .file = OPTION_WRITTEN),
    OPTION_FLAG_ROW("csv", pick_options, csv, "print CSV"),
    { .name = NULL },
};

static int find_point(pick_run *run)
{
    const invocation *call = run->call;
    const bool by_pixel = options_given(call, "pixel");
    const float *at = by_pixel ? run->options->pixel : run->options->at;
    const float sides[2] = { (float)run->camera.camera.width, (float)run->camera.camera.height };
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
    run->x = by_pixel ? at[0] + 0.5f : at[0];
    run->y = by_pixel ? at[1] + 0.5f : at[1];
    if (!sl_camera_ray(&run->camera.camera, run->x, run->y, &run->ray)) {
        return report_usage(call->command, "this camera sends no ray through %.9g,%.9g",
                            (double)run->x, (double)run->y);
    }
    return EXIT_DONE;
}

void pick_names(const pick_run *run, uint32_t instance, uint32_t prim, out_value *face,
                out_value names[PICK_NAMES])
{
    scene_in *scene = run->in.scene;
    const sl_mesh *mesh = mesh_in_mesh(&run->in, instance);
    for (int i = 0; i < PICK_NAMES; i++) {
        names[i] = value_nothing();
    }
    if (scene != NULL) {
        names[3] = value_count(instance);
        names[4] = value_text(scene_in_name(scene, instance));
    }
    *face = value_count(mesh != NULL ? sl_mesh_face(mesh, prim) : prim);
    if (mesh != NULL) {
        part_values_of(mesh, prim, names);
    }
}

/* Options that have no meaning beside each other, before anything is loaded. */
static int check_options(const invocation *call)
{
    const pick_options *options = call->options;
    if (options->csv && options->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    if (options_given(call, "pixel") == options_given(call, "at")) {
        return report_usage(call->command, options_given(call, "at")
                                               ? "--pixel and --at exclude each other"
                                               : "one of --pixel and --at is needed");
    }
    if (options->picture != NULL && strcmp(options->picture, "-") == 0) {
        return report_usage(call->command,
                            "--picture - and what is printed both want stdout; name a file");
    }
    int status = file_name_check(call, "picture", options->picture, ".png");
    status = status == EXIT_DONE ? camera_in_check(call, &options->camera) : status;
    return status == EXIT_DONE && pick_is_edit(call) ? pick_edit_check(call) : status;
}

static int pick_load(pick_run *run)
{
    const pick_options *options = run->options;
    mesh_options mesh = options->mesh;
    mesh.keep = MESH_IN_KEEP_ALL;
    int status = query_in_open(run->call, &options->query, &mesh, &options->common, &run->in,
                               run->skip, &run->query);
    status = status == EXIT_DONE
                 ? camera_in_frame(&run->camera, run->call, &options->camera, &run->in)
                 : status;
    if (status == EXIT_DONE) {
        run->view = (sl_view){ .camera = run->camera.camera };
        status = find_point(run);
    }
    return status;
}

static int pick_answer(pick_run *run)
{
    const bool edit = pick_is_edit(run->call);
    int status = edit ? pick_edit_find(run) : pick_plain_find(run);
    status = status == EXIT_DONE ? camera_in_save(&run->camera, &run->options->camera) : status;
    status = status == EXIT_DONE && run->options->picture != NULL ? pick_draw(run) : status;
    const size_t found = run->hit_count + run->pick_count;
    if (status == EXIT_DONE) {
        status = pick_print(run, edit ? &pick_edit_form : &pick_plain_form, found);
    }
    return status == EXIT_DONE && found == 0 ? EXIT_NO : status;
}

static int run_pick(const invocation *call)
{
    pick_run run = { .call = call, .options = call->options };
    int status = check_options(call);
    status = status == EXIT_DONE ? pick_load(&run) : status;
    status = status == EXIT_DONE ? pick_answer(&run) : status;
    free(run.hits);
    free(run.picks);
    sl_marks_destroy(run.marks);
    topologies_free(&run.topologies);
    mesh_in_close(&run.in);
    return status;
}

const subcommand command_pick = {
    .name = "pick",
    .line = "what is under a pixel: triangles, faces, edges, vertices, marks",
    .usage = "MESH --pixel X,Y [OPTION...]",
    .about =
        "Looks at MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) through one pixel of a "
        "camera and "
        "prints the triangle that is seen there: prim, its number; face, that of the face of "
        "the file it came from; t along the camera's ray, and u, v, the weights of vertices 1 "
        "and 2; the side that is seen; the point and the normal of the front; distance from "
        "the eye along the view axis; and depth in the clip space of --depth. Without camera "
        "options the whole mesh is framed, as render does. With --kind, --radius and the "
        "options beside them it picks as editors do, in doubles: the vertex or edge within "
        "the radius that is really seen, else the face; then it also prints the corner of a "
        "vertex or the first corner of an edge's side, the numbers of the edge and the "
        "vertex, how many pixels away it appears, where in the picture, and how far along "
        "the edge; distance is then that from the near plane along the line of sight. With --marks "
        "it picks points and wires, too, whose prim is the number of their line among the marks, "
        "from 0 on. Where the "
        "mesh has texture coordinates, normals or colours, what they are there comes last.",
    .examples = "  sightline pick spot.obj --pixel 400,300\n"
                "  sightline pick spot.obj --pixel 12,80 --size 160x120 --eye 0,0,-3 --json\n"
                "  sightline pick spot.obj --at 400.25,300 --camera near.json --all --csv\n"
                "  sightline pick part.stl --pixel 400,300 --kind edge,vertex --radius 8\n"
                "  sightline pick town.json --pixel 400,300 --cycle 2 --picture next.png\n"
                "  sightline pick town.json --pixel 400,300 --marks lamps.txt --radius 6\n",
    .no = "nothing is under the pixel",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(pick_options),
    .groups = { { .title = "Where", .rows = where_rows },
                { .title = "What", .rows = what_rows },
                EDGE_GROUP(pick_options),
                { .title = "Report", .rows = report_rows },
                QUERY_GROUP(pick_options),
                CAMERA_GROUP(pick_options),
                SCENE_GROUP(pick_options),
                MESH_GROUP(pick_options),
                COMMON_GROUP(pick_options) },
    .run = run_pick,
};
