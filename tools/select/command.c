/* select/command.c: `sightline select`: what a region of the picture selects. */
#include "tools/cli/report.h"
#include "tools/output/file_name.h"
#include "tools/output/npy.h"
#include "tools/select/select.h"

#include <stdlib.h>
#include <string.h>

const char *const select_modes[] = { "touched", "inside", "visible", NULL };
const char *const select_units[] = { "instances", "parts",    "faces", "triangles",
                                     "edges",     "vertices", NULL };

static const char *const edges_words[] = { "all", "features", "faces", NULL };
static const char *const connected_words[] = { "no", "all", "features", NULL };

static const option_row region_rows[] = {
    OPTION_ROW(TEXT, "rect", select_options, rect, "X0,Y0,X1,Y1",
               "a rectangle between two opposite corners, in pixels; 0,0 is the corner of the "
               "top-left pixel, and regions may reach beyond the picture",
               .main = true, .not_names = "rectangle marquee box"),
    OPTION_ROW(
        TEXT, "lasso", select_options, lasso, "X,Y,...",
        "a polygon, which may cross itself: what it has an odd number of times around it; or "
        "@FILE, with a line X,Y for each corner (@- is stdin)",
        .main = true, .not_names = "polygon"),
    OPTION_ROW(TEXT, "brush", select_options, brush, "X,Y,R",
               "a circle of R pixels, or as X0,Y0,X1,Y1,R what is so near to the stroke between",
               .main = true, .not_names = "circle"),
    { .name = NULL },
};

static const option_row what_rows[] = {
    OPTION_CHOICE_ROW(
        "mode", select_options, mode, select_modes,
        "what has a point in the region, hidden or not; what lies inside with all that it "
        "has; or what is seen there: by a pixel whose centre lies in the region, of edges "
        "and vertices by lines of sight",
        .fallback = "touched", .main = true),
    OPTION_CHOICE_ROW(
        "of", select_options, of, select_units,
        "what is selected: faces are those of the file; edges and vertices are numbered as "
        "positions make them, whether the file shares vertices or not (topology.h)",
        .fallback = "faces", .main = true, .not_names = "unit kind"),
    OPTION_ROW(REAL, "budget", select_options, budget, "MS",
               "of --mode visible: stop asking after about this many milliseconds. What is not "
               "asked by then is not selected; --count and --json say how many pixels, sides or "
               "corners that are (pending). 0: no limit",
               .max = 1e9, .fallback = "0"),
    OPTION_CHOICE_ROW(
        "edges", select_options, edges, edges_words,
        "which --of edges or vertices count: every one; creases, open and crossing edges, "
        "those between parts and where texture coordinates part; or the sides of the file's "
        "faces. Of vertices, those where such edges end or turn",
        .fallback = "all"),
    OPTION_ROW(REAL, "crease", select_options, crease, "DEGREES",
               "an edge is a crease where the normals beside it differ by more", .max = 180,
               .fallback = "30"),
    OPTION_CHOICE_ROW(
        "connected", select_options, connected, connected_words,
        "then all that hangs together with what is selected: across every edge, or not "
        "across creases, seams and other features",
        .fallback = "no", .not_names = "linked"),
    OPTION_ROW(COUNT, "grow", select_options, grow, "N",
               "then its neighbours, N times: faces, triangles and edges that share a vertex, "
               "vertices along edges",
               .max = 1000000, .fallback = "0"),
    OPTION_ROW(COUNT, "shrink", select_options, shrink, "N",
               "then without what has a neighbour that is not selected, N times", .max = 1000000,
               .fallback = "0"),
    { .name = NULL },
};

static const option_row report_rows[] = {
    OPTION_OUT_ROW(select_options, ": records of instance and number (uint32)", "csv", "json",
                   "npy", NULL),
    OPTION_FLAG_ROW("count", select_options, count,
                    "print only how many are selected, and how many there are"),
    OPTION_ROW(TEXT, "picture", select_options, picture, "FILE",
               "write a picture of it, a .png: what is selected in orange, the region in blue",
               .file = OPTION_WRITTEN, .main = true),
    OPTION_FLAG_ROW("csv", select_options, csv, "print CSV, as it does anyway"),
    { .name = NULL },
};

/* Options that have no meaning beside each other, before anything is loaded. */
static int check_options(const invocation *call)
{
    const select_options *o = call->options;
    if (o->csv && o->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    if (o->count && (o->csv || npy_is_name(o->out))) {
        return report_usage(call->command, "--count is text or JSON; leave out %s",
                            o->csv ? "--csv" : "the .npy");
    }
    if (o->common.json && npy_is_name(o->out)) {
        return report_usage(call->command, "--json and a .npy exclude each other");
    }
    if (options_given(call, "budget") && o->mode != SL_SELECT_VISIBLE) {
        return report_usage(call->command, "--budget is about --mode visible, not %s",
                            select_modes[o->mode]);
    }
    if (o->edges != SELECT_EDGES_ALL && select_unit(o) != SL_SELECT_EDGES &&
        select_unit(o) != SL_SELECT_VERTICES) {
        return report_usage(call->command, "--edges is about --of edges or vertices, not %s",
                            select_units[o->of]);
    }
    if (select_is_changed(o) && select_unit(o) < SL_SELECT_FACES) {
        return report_usage(call->command,
                            "--connected, --grow and --shrink need neighbours, which %s have not; "
                            "select faces, triangles, edges or vertices",
                            select_units[o->of]);
    }
    if (o->picture != NULL && strcmp(o->picture, "-") == 0) {
        return report_usage(call->command,
                            "--picture - and what is printed both want stdout; name a file");
    }
    const int status = file_name_check(call, "picture", o->picture, ".png");
    return status == EXIT_DONE ? camera_in_check(call, &o->camera) : status;
}

static int select_load(select_run *run)
{
    const select_options *o = run->options;
    mesh_options mesh = o->mesh;
    mesh.keep = SL_MESH_UVS; /* whose seams are features */
    int status =
        query_in_open(run->call, &o->query, &mesh, &o->common, &run->in, run->skip, &run->query);
    status = status == EXIT_DONE ? camera_in_frame(&run->camera, run->call, &o->camera, &run->in)
                                 : status;
    if (status == EXIT_DONE) {
        run->instance_count = mesh_in_instances(&run->in);
        run->view = (sl_view){ .camera = run->camera.camera };
    }
    return status;
}

static int select_find(select_run *run)
{
    const select_options *o = run->options;
    const edge_options edges = { .edges =
                                     o->edges == SELECT_EDGES_FACES ? EDGES_FACES : EDGES_FEATURES,
                                 .crease = o->crease };
    sl_selection_def def = { 0 };
    sl_error error;
    if (select_unit(o) != SL_SELECT_INSTANCES &&
        (select_unit(o) != SL_SELECT_TRIANGLES || select_is_changed(o))) {
        const int status = topologies_make(&run->topologies, &run->in, &edges);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    def.mode = (sl_select_mode)o->mode;
    def.unit = select_unit(o);
    def.topologies = run->topologies.of;
    def.options = &run->query;
    def.budget_ms = (double)o->budget;
    if (sl_selection_create(run->in.bvh, &run->view, &def, &run->selection, &error) != SL_OK ||
        sl_selection_update(run->selection, &run->region, run->in.tasks, &error) != SL_OK) {
        return report_error(&error);
    }
    const sl_selection_info info = sl_selection_get_info(run->selection);
    run->pending = info.pending;
    const int status = select_is_changed(o) ? select_change(run) : EXIT_DONE;
    run->selected = status == EXIT_DONE ? select_each(run, NULL, NULL) : 0;
    return status;
}

static int select_answer(select_run *run)
{
    const select_options *o = run->options;
    int status = select_find(run);
    status = status == EXIT_DONE ? camera_in_save(&run->camera, &o->camera) : status;
    status = status == EXIT_DONE && o->picture != NULL ? select_draw(run) : status;
    status = status == EXIT_DONE ? select_print(run) : status;
    return status == EXIT_DONE && run->selected == 0 ? EXIT_NO : status;
}

static int run_select(const invocation *call)
{
    select_run run = { .call = call, .options = call->options };
    int status = check_options(call);
    status = status == EXIT_DONE ? select_region(&run) : status;
    status = status == EXIT_DONE ? select_load(&run) : status;
    status = status == EXIT_DONE ? select_answer(&run) : status;
    select_free_sets(&run);
    sl_selection_destroy(run.selection);
    topologies_free(&run.topologies);
    mesh_in_close(&run.in);
    free(run.corners);
    return status;
}

const subcommand command_select = {
    .name = "select",
    .line = "what a rectangle, lasso or brush in the picture selects",
    .usage = "MESH --rect X0,Y0,X1,Y1 [OPTION...]",
    .about = "Looks at MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) through a camera and prints "
             "what a region of the picture selects, a row of CSV for each: the instance, which is "
             "0 for a mesh, and the number of the face, edge or whatever --of names. Without "
             "camera options the whole mesh is framed, as render does. Whether something is "
             "touched or inside is decided exactly, on where its corners appear in doubles; what "
             "is seen, by rays and lines of sight.",
    .examples =
        "  sightline select spot.obj --rect 300,200,500,400 --mode visible\n"
        "  sightline select spot.obj --lasso 300,100,600,250,350,400 --of vertices --count\n"
        "  sightline select spot.obj --brush 420,280,40 --picture brush.png -o faces.npy\n"
        "  sightline select town.json --rect 0,0,400,600 --of instances --mode inside\n",
    .no = "nothing is selected",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(select_options),
    .groups = { { .title = "Region", .rows = region_rows },
                { .title = "What", .rows = what_rows },
                { .title = "Report", .rows = report_rows },
                QUERY_GROUP(select_options),
                CAMERA_GROUP(select_options),
                SCENE_GROUP(select_options),
                MESH_GROUP(select_options),
                COMMON_GROUP(select_options) },
    .run = run_select,
};
