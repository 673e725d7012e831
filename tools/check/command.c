/* check/command.c: `sightline check`: its options, and what is loaded and opened for them. */
#include "tools/check/check.h"
#include "tools/cli/report.h"
#include "tools/output/file_name.h"

#include <string.h>

static const option_row rows[] = {
    OPTION_ROW(
        TEXT, "allow", check_options, allow, "KINDS",
        "what does not make the check fail: one or more of left-out, not-finite, "
        "unused-vertex, duplicate, zero-area, open-edge, nonmanifold-edge, misoriented-edge, "
        "intersection, no-triangles and note, with commas between"),
    OPTION_ROW(COUNT, "limit", check_options, limit, "N",
               "print at most N rows of each kind; counts are of all", .fallback = "10"),
    OPTION_FLAG_ROW("no-intersections", check_options, no_intersections,
                    "do not look for triangles that meet others, which takes most of the time"),
    OPTION_FLAG_ROW("seams", check_options, seams,
                    "of a scene: list corners of different instances that are close and not equal, "
                    "instead"),
    OPTION_ROW(
        REAL, "tolerance", check_options, tolerance, "D",
        "how close (default 2^-20 of the largest coordinate, but at most 2^-10 of the size of "
        "the smallest instance)",
        .max = 3.4e38),
    OPTION_FLAG_ROW("csv", check_options, csv, "print CSV: a header, then a row for each fault"),
    OPTION_REPORT_OUT_ROW(check_options),
    OPTION_ROW(
        TEXT, "repair", check_options, repair, "FILE",
        "write a repaired mesh there, as binary PLY or, by the name's ending, .obj, .stl or .glb; "
        "without triangles that are left out, have no area or are duplicates, equal vertices "
        "made one and unused ones dropped. Normals, UVs, colours and parts are kept as far as the "
        "format has them; in PLY and GLB corners of a vertex that differ become vertices of "
        "their own, and an OBJ has colours only where they do not differ. What is not kept is "
        "named. "
        "The check is of the mesh as it was",
        .file = OPTION_WRITTEN),
    OPTION_ROW(TEXT, "picture", check_options, picture, "FILE.png",
               "write a picture there that shows where the faults are", .file = OPTION_WRITTEN),
    OPTION_ROW(COUNT, "samples", check_options, samples, "N",
               "N x N rays for each pixel of the picture", .min = 1, .max = TILES_SAMPLES_MAX,
               .fallback = "2"),
    { .name = NULL },
};

/* Options that have no meaning beside each other. */
static int check_usage(const invocation *call, check_session *s)
{
    const check_options *o = s->options;
    const char *const files[] = { o->picture, o->repair };
    static const char *const others[] = { "allow", "no-intersections", "repair", "picture", NULL };
    const char *other = o->seams ? options_first_given(call, others) : NULL;
    if (other != NULL) {
        return report_usage(call->command, "--%s is about meshes; leave it out with --seams",
                            other);
    }
    if (o->csv && o->common.json) {
        return report_usage(call->command, "--csv and --json exclude each other");
    }
    for (size_t i = 0; i < 2; i++) {
        if (files[i] != NULL && strcmp(files[i], "-") == 0) {
            return report_usage(call->command, "stdout is for the report; name a file for --%s",
                                i == 0 ? "picture" : "repair");
        }
    }
    if (o->camera.save != NULL && strcmp(o->camera.save, "-") == 0) {
        return report_usage(call->command, "stdout is for the report; name a file for "
                                           "--save-camera");
    }
    int status = file_name_check(call, "picture", o->picture, ".png");
    status = status == EXIT_DONE ? file_name_check(call, "repair", o->repair, ".ply .obj .stl .glb")
                                 : status;
    status = status == EXIT_DONE ? camera_in_check(call, &o->camera) : status;
    return status == EXIT_DONE
               ? common_parse_words(call, "allow", o->allow, check_words, s->allowed)
               : status;
}

/* Bad triangles are what is looked for: they are left out, unless --bad refuse is given.  Of a
 * scene they are not, and what is left out would hide a seam. */
static int check_load(check_session *s, const invocation *call)
{
    mesh_options mesh = s->options->mesh;
    if (!options_given(call, "bad") && !s->options->seams) {
        mesh.bad = SL_BAD_LEAVE_OUT;
    }
    mesh.keep = s->options->repair != NULL ? MESH_IN_KEEP_ALL : 0;
    mesh.has_notes = true;
    return mesh_in_load(&s->in, call, 0, &mesh, &s->options->common);
}

static int open_picture(check_session *s, const invocation *call)
{
    int status = camera_in_make_of(&s->camera, call, &s->options->camera, s->in.mesh);
    status = status == EXIT_DONE ? camera_in_save(&s->camera, &s->options->camera) : status;
    if (status == EXIT_DONE) {
        progress_begin(&s->in.bar, s->options->common.quiet);
        s->picture =
            marks_create(&s->in, &s->camera, &s->in.bar, (int)s->options->samples, &status);
        progress_end(&s->in.bar);
    }
    return status;
}

static int open_report(check_session *s)
{
    const check_options *o = s->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    return output_open(&s->out, o->out, format, "check", common_use_color(&o->common, stdout));
}

/* Of a scene, --seams is all there is to check. */
static int check_seams(check_session *s)
{
    const check_options *o = s->options;
    bool fine = false;
    int status = mesh_in_build(&s->in);
    status = status == EXIT_DONE ? open_report(s) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    status = check_seams_print(&s->out, &s->in, (double)o->tolerance, (size_t)o->limit, &fine);
    if (status != EXIT_DONE) {
        output_discard(&s->out);
        return status;
    }
    status = output_close(&s->out);
    return status == EXIT_DONE && !fine ? EXIT_NO : status;
}

static int check_whole(check_session *s, const invocation *call)
{
    const bool wants_picture = s->options->picture != NULL;
    int status = check_load(s, call);
    if (status == EXIT_DONE && s->options->seams != (s->in.scene != NULL)) {
        status = report_usage(call->command, s->options->seams
                                                 ? "--seams needs a scene: a scene file, or --nodes"
                                                 : "of a scene only --seams is checked; its meshes "
                                                   "are checked by their own names");
    }
    if (status == EXIT_DONE && s->options->seams) {
        return check_seams(s);
    }
    if (status == EXIT_DONE && (wants_picture || !s->options->no_intersections)) {
        status = mesh_in_build(&s->in);
    }
    status = status == EXIT_DONE && wants_picture ? open_picture(s, call) : status;
    status = status == EXIT_DONE ? open_report(s) : status;
    status = status == EXIT_DONE ? check_look(s) : status;
    if (status != EXIT_DONE) {
        output_discard(&s->out);
        return status;
    }
    status = output_close(&s->out);
    const bool asked = s->options->repair == NULL; /* else it is done once the mesh is written */
    return status == EXIT_DONE && asked && !check_is_fine(s) ? EXIT_NO : status;
}

static int check_run(const invocation *call)
{
    check_session s = { .options = call->options };
    int status = check_usage(call, &s);
    status = status == EXIT_DONE ? check_whole(&s, call) : status;
    check_self_intersections_destroy(s.intersections);
    marks_destroy(s.picture);
    mesh_in_close(&s.in);
    return status;
}

const subcommand command_check = {
    .name = "check",
    .line = "what is wrong with a mesh, and where",
    .usage = "MESH [OPTION...]",
    .about =
        "Looks for triangles that name vertices that are not there or not finite (left out here, "
        "unless --bad refuse is typed), vertices that are not finite or not used, duplicate "
        "triangles, triangles of zero area, edges that are open, used by more than two triangles "
        "or by two that are wound differently, triangles that meet others elsewhere than in the "
        "corners and edges that they share, a mesh without any triangle, and what of the file is "
        "not used or not as it says (notes). Vertices are told "
        "apart by position. All of it is exact. Prints a row for each fault, up to a limit, and "
        "how many there are of each kind. Of a scene --seams looks for corners of different "
        "instances that are close and not equal, where rays may pass.",
    .examples = "  sightline check part.stl\n"
                "  sightline check terrain.ply --allow open-edge\n"
                "  sightline check part.stl --picture part.png --from 1,1,1\n"
                "  sightline check part.stl --csv --limit 1000000 > faults.csv\n"
                "  sightline check part.stl --repair mended.ply\n"
                "  sightline check town.json --seams\n",
    .no = "the check failed: there is something that --allow does not name (with --repair: never)",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(check_options),
    .groups = { { .title = "Check", .rows = rows },
                SCENE_GROUP(check_options),
                CAMERA_GROUP(check_options),
                MESH_GROUP(check_options),
                COMMON_GROUP(check_options) },
    .run = check_run,
};
