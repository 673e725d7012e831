/* check/command.c: `sightline check`: finds the faults of a mesh, prints them and writes a
 * repaired one. */
#include "tools/check/check.h"
#include "tools/check/seams.h"
#include "tools/cli/report.h"
#include "tools/output/file_name.h"
#include "tools/output/mesh_file.h"

#include <sightline/self_query.h>

#include <stdlib.h>
#include <string.h>

typedef struct check_options {
    bool csv, no_intersections, seams;
    float tolerance; /* of seams; 0: the default */
    uint64_t limit, samples;
    const char *allow, *out, *picture, *repair;
    camera_options camera;
    mesh_options mesh;
    common_options common;
} check_options;

static const option_row rows[] = {
    { .name = "allow",
      .kind = OPTION_TEXT,
      .offset = offsetof(check_options, allow),
      .value = "KINDS",
      .help = "what does not make the check fail: one or more of left-out, not-finite, "
              "unused-vertex, duplicate, zero-area, open-edge, nonmanifold-edge, misoriented-edge, "
              "intersection and no-triangles, with commas between" },
    { .name = "limit",
      .kind = OPTION_COUNT,
      .offset = offsetof(check_options, limit),
      .value = "N",
      .fallback = "10",
      .help = "print at most N rows of each kind; counts are of all" },
    { .name = "no-intersections",
      .kind = OPTION_FLAG,
      .offset = offsetof(check_options, no_intersections),
      .help = "do not look for triangles that meet others, which takes most of the time" },
    { .name = "seams",
      .kind = OPTION_FLAG,
      .offset = offsetof(check_options, seams),
      .help = "of a scene: list corners of different instances that are close and not equal, "
              "instead" },
    { .name = "tolerance",
      .kind = OPTION_REAL,
      .offset = offsetof(check_options, tolerance),
      .value = "D",
      .min = 0,
      .max = 3.4e38,
      .help =
          "how close (default 2^-20 of the largest coordinate, but at most 2^-10 of the size of "
          "the smallest instance)" },
    { .name = "csv",
      .kind = OPTION_FLAG,
      .offset = offsetof(check_options, csv),
      .help = "print CSV: a header, then a row for each fault" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      .offset = offsetof(check_options, out),
      .value = "FILE",
      .endings = (const char *const[]){ "csv", "json", "txt", NULL },
      .help =
          "write there instead of stdout; a name that ends in .csv or .json asks for that format" },
    { .name = "repair",
      .kind = OPTION_TEXT,
      .offset = offsetof(check_options, repair),
      .value = "FILE",
      .help =
          "write a repaired mesh there, as binary PLY or, to a name that ends in .obj, as OBJ; "
          "without triangles that are left out, have no area or are duplicates, equal vertices "
          "made one and unused ones dropped. Normals, UVs and colours are kept; in a PLY corners "
          "of a vertex that differ in them become vertices of their own, and an OBJ has colours "
          "only where they do not differ. What is not kept, such as parts, is named. "
          "The check is of the mesh as it was" },
    { .name = "picture",
      .kind = OPTION_TEXT,
      .offset = offsetof(check_options, picture),
      .value = "FILE.png",
      .help = "write a picture there that shows where the faults are" },
    { .name = "samples",
      .kind = OPTION_COUNT,
      .offset = offsetof(check_options, samples),
      .value = "N",
      .min = 1,
      .max = TILES_SAMPLES_MAX,
      .fallback = "2",
      .help = "N x N rays for each pixel of the picture" },
    { .name = NULL },
};

/* All that a run owns. */
typedef struct session {
    const check_options *options;
    mesh_in in;
    camera_in camera;
    check_picture *picture;                  /* NULL: none is wanted */
    check_self_intersections *intersections; /* NULL: not looked for */
    output out;
    check_rows rows;
    sl_mesh_report report;
    uint64_t counts[CHECK_KINDS];
    bool allowed[CHECK_KINDS];
} session;

static int parse_allow(const invocation *call, const char *names, bool allowed[CHECK_KINDS])
{
    for (const char *name = names; name != NULL;) {
        const size_t size = strcspn(name, ",");
        int kind = 0;
        while (kind < CHECK_KINDS &&
               (strlen(check_words[kind]) != size || strncmp(check_words[kind], name, size) != 0)) {
            kind++;
        }
        if (kind == CHECK_KINDS) {
            return report_usage(call->command, "--allow knows no '%.*s'", (int)size, name);
        }
        allowed[kind] = true;
        name = name[size] == ',' ? name + size + 1 : NULL;
    }
    return EXIT_DONE;
}

/* Options that have no meaning beside each other. */
static int check_usage(const invocation *call, session *s)
{
    const check_options *o = s->options;
    const char *const files[] = { o->picture, o->repair };
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
    if (status == EXIT_DONE) {
        status = file_name_check(call, "repair", o->repair, ".ply .obj");
    }
    return status == EXIT_DONE ? parse_allow(call, o->allow, s->allowed) : status;
}

/* Bad triangles are what is looked for: they are left out, unless --bad refuse is given.  Of a
 * scene they are not, and what is left out would hide a seam. */
static int load(session *s, const invocation *call)
{
    mesh_options mesh = s->options->mesh;
    if (!options_given(call, "bad") && !s->options->seams) {
        mesh.bad = SL_BAD_LEAVE_OUT;
    }
    mesh.keep = s->options->repair != NULL ? sl_default_mesh_def().keep : 0;
    return mesh_in_load(&s->in, call, 0, &mesh, &s->options->common);
}

static int open_picture(session *s, const invocation *call)
{
    int status = camera_in_make_of(&s->camera, call, &s->options->camera, s->in.mesh);
    if (status == EXIT_DONE) {
        status = camera_in_save(&s->camera, &s->options->camera);
    }
    if (status == EXIT_DONE) {
        progress_begin(&s->in.bar, s->options->common.quiet);
        s->picture =
            check_picture_create(&s->in, &s->camera, &s->in.bar, (int)s->options->samples, &status);
        progress_end(&s->in.bar);
    }
    return status;
}

static int open_report(session *s)
{
    const check_options *o = s->options;
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    return output_open(&s->out, o->out, format, "check", common_use_color(&o->common, stdout));
}

static void add(session *s, int kind, const sl_fault *fault)
{
    s->counts[kind]++;
    if (s->picture != NULL) {
        check_picture_add(s->picture, kind, fault);
    }
    if (check_rows_left(&s->rows, kind) > 0) {
        progress_clear(&s->in.bar);
        check_rows_put(&s->rows, kind, fault);
    }
}

static bool take_fault(void *user, const sl_fault *fault)
{
    session *s = user;
    add(s, (int)fault->kind, fault);
    if (s->intersections != NULL && fault->kind == SL_FAULT_DUPLICATE) {
        check_self_intersections_duplicate(s->intersections, fault);
    }
    return true;
}

static bool is_empty(const session *s)
{
    sl_mesh_info info;
    sl_mesh_get_info(s->in.mesh, &info, sizeof info);
    return info.triangle_count == info.left_out;
}

static int find_faults(session *s)
{
    const sl_fault_hook hook = { .found = take_fault, .user = s };
    const sl_hooks hooks = { .progress = progress_hook(&s->in.bar) };
    sl_error error;
    progress_begin(&s->in.bar, s->options->common.quiet);
    const sl_result result =
        sl_mesh_find_faults(s->in.mesh, &hooks, &hook, &s->report, sizeof s->report, &error);
    progress_end(&s->in.bar);
    if (result != SL_OK) {
        return report_error(&error);
    }
    if (is_empty(s)) {
        const sl_fault none = { .prim = SL_NONE, .other = SL_NONE, .vertex = { SL_NONE, SL_NONE } };
        add(s, CHECK_NO_TRIANGLES, &none);
    }
    return EXIT_DONE;
}

/* A row for each pair, up to --limit. */
static void put_pairs(session *s, uint32_t prim, sl_triangle_ref *others, size_t capacity)
{
    const uint64_t left = check_rows_left(&s->rows, CHECK_INTERSECTION);
    if (left == 0) {
        return;
    }
    const size_t most = left < capacity ? (size_t)left : capacity;
    const size_t total = sl_bvh_self_pairs(s->in.bvh, prim, NULL, others, most);
    for (size_t i = 0; i < total && i < most; i++) {
        const sl_fault pair = { .prim = prim,
                                .other = others[i].prim,
                                .vertex = { SL_NONE, SL_NONE } };
        progress_clear(&s->in.bar);
        check_rows_put(&s->rows, CHECK_INTERSECTION, &pair);
    }
}

/* Counts triangles: pairs may be as many as the square of that. */
static void take_triangle(session *s, uint32_t prim)
{
    const sl_fault fault = { .prim = prim, .other = SL_NONE, .vertex = { SL_NONE, SL_NONE } };
    s->counts[CHECK_INTERSECTION]++;
    if (s->picture != NULL) {
        check_picture_add(s->picture, CHECK_INTERSECTION, &fault);
    }
}

/* In blocks, for a bar that moves. */
static int find_intersections(session *s)
{
    const size_t count = sl_mesh_triangle_count(s->in.mesh);
    sl_triangle_ref *others = malloc((count + 1) * sizeof *others);
    if (others == NULL) {
        return report_memory();
    }
    progress_begin(&s->in.bar, s->options->common.quiet);
    for (size_t prim = 0; prim < count;) {
        progress_show(&s->in.bar, "intersections", (double)prim / (double)count);
        for (const size_t end = check_self_intersections_find(s->intersections, prim); prim < end;
             prim++) {
            if (check_self_intersections_has(s->intersections, prim)) {
                take_triangle(s, (uint32_t)prim);
                put_pairs(s, (uint32_t)prim, others, count);
            }
        }
    }
    progress_end(&s->in.bar);
    free(others);
    return EXIT_DONE;
}

static bool is_fine(const session *s)
{
    for (int kind = 0; kind < CHECK_KINDS; kind++) {
        if (s->counts[kind] > 0 && !s->allowed[kind]) {
            return false;
        }
    }
    return true;
}

static void put_summary(session *s)
{
    output *out = &s->out;
    sl_mesh_info info;
    sl_mesh_get_info(s->in.mesh, &info, sizeof info);
    const sl_mesh_report *r = &s->report;
    output_field(out, "file", value_text(s->in.name));
    output_field(out, "vertices", value_count(info.vertex_count));
    output_field(out, "triangles", value_count(info.triangle_count));
    output_field(out, "left_out", value_count(r->left_out));
    output_field(out, "not_finite_vertices", value_count(r->not_finite_vertices));
    output_field(out, "unused_vertices", value_count(r->unused_vertices));
    output_field(out, "duplicates", value_count(r->duplicates));
    output_field(out, "zero_area", value_count(r->zero_area));
    output_field(out, "edges", value_count(r->edges));
    output_field(out, "open_edges", value_count(r->open_edges));
    output_field(out, "nonmanifold_edges", value_count(r->nonmanifold_edges));
    output_field(out, "misoriented_edges", value_count(r->misoriented_edges));
    output_field(out, "intersecting_triangles",
                 s->options->no_intersections ? value_nothing()
                                              : value_count(s->counts[CHECK_INTERSECTION]));
    output_field(out, "closed", value_bool(r->closed));
    output_field(out, "fine", value_bool(is_fine(s)));
}

static int write_picture(session *s)
{
    const canvas image = check_picture_finish(s->picture, s->counts);
    return canvas_write(&image, s->options->picture);
}

static int weld(session *s, sl_mesh **welded, sl_weld_report *report)
{
    sl_error error;
    sl_weld_def def = sl_default_weld_def();
    def.drop = SL_DROP_LEFT_OUT | SL_DROP_ZERO_AREA | SL_DROP_DUPLICATES;
    def.hooks.progress = progress_hook(&s->in.bar);
    progress_begin(&s->in.bar, s->options->common.quiet);
    const sl_result result = sl_mesh_weld(s->in.mesh, &def, welded, report, sizeof *report, &error);
    progress_end(&s->in.bar);
    if (result != SL_OK) {
        (void)report_error(&error);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int write_repaired(session *s)
{
    sl_mesh *welded = NULL;
    sl_weld_report report;
    int status = weld(s, &welded, &report);
    const mesh_out what = { .mesh = welded, .from = s->in.mesh };
    size_t vertices = 0;
    if (status == EXIT_DONE) {
        status = mesh_out_write(s->options->repair, &what, &vertices);
    }
    if (status == EXIT_DONE && !s->options->common.quiet) {
        mesh_out_warn(&what, s->in.name, s->options->repair);
    }
    if (status == EXIT_DONE && s->out.format != OUTPUT_CSV) {
        output_record_begin(&s->out, "repair");
        output_field(&s->out, "file", value_text(s->options->repair));
        output_field(&s->out, "vertices", value_count(vertices));
        output_field(&s->out, "triangles", value_count(sl_mesh_triangle_count(welded)));
        output_field(&s->out, "merged_vertices", value_count(report.merged_vertices));
        output_field(&s->out, "dropped_vertices", value_count(report.unused_vertices));
        output_field(&s->out, "dropped_left_out", value_count(report.left_out));
        output_field(&s->out, "dropped_zero_area", value_count(report.zero_area));
        output_field(&s->out, "dropped_duplicates", value_count(report.duplicates));
        mesh_out_report(&s->out, &what, s->options->repair);
        output_record_end(&s->out);
    }
    sl_mesh_destroy(welded);
    return status;
}

/* Of a scene, --seams is all there is to check. */
static int check_seams(session *s, const invocation *call)
{
    const check_options *o = s->options;
    bool fine = false;
    static const char *const others[] = { "allow", "no-intersections", "repair", "picture" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (options_given(call, others[i])) {
            return report_usage(call->command, "--%s is about meshes; leave it out with --seams",
                                others[i]);
        }
    }
    int status = mesh_in_build(&s->in);
    if (status == EXIT_DONE) {
        status = open_report(s);
    }
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

/* Everything between opening the report and closing it. */
static int look(session *s)
{
    check_rows_begin(&s->rows, &s->out, s->in.mesh, s->options->limit);
    if (!s->options->no_intersections) {
        s->intersections = check_self_intersections_create(&s->in);
    }
    int status = s->intersections == NULL && !s->options->no_intersections ? report_memory()
                                                                           : find_faults(s);
    if (status == EXIT_DONE && !s->options->no_intersections) {
        status = find_intersections(s);
    }
    check_rows_end(&s->rows);
    if (status == EXIT_DONE) {
        put_summary(s);
    }
    if (status == EXIT_DONE && s->options->repair != NULL) {
        status = write_repaired(s);
    }
    if (status == EXIT_DONE && s->picture != NULL) {
        status = write_picture(s);
    }
    return status;
}

static int check(session *s, const invocation *call)
{
    const bool wants_picture = s->options->picture != NULL;
    int status = load(s, call);
    if (status == EXIT_DONE && s->options->seams != (s->in.scene != NULL)) {
        status = report_usage(call->command, s->options->seams
                                                 ? "--seams needs a scene: a scene file, or --nodes"
                                                 : "of a scene only --seams is checked; its meshes "
                                                   "are checked by their own names");
    }
    if (status == EXIT_DONE && s->options->seams) {
        return check_seams(s, call);
    }
    if (status == EXIT_DONE && (wants_picture || !s->options->no_intersections)) {
        status = mesh_in_build(&s->in);
    }
    if (status == EXIT_DONE && wants_picture) {
        status = open_picture(s, call);
    }
    if (status == EXIT_DONE) {
        status = open_report(s);
    }
    if (status != EXIT_DONE) {
        return status;
    }
    status = look(s);
    if (status != EXIT_DONE) {
        output_discard(&s->out);
        return status;
    }
    status = output_close(&s->out);
    return status == EXIT_DONE && !is_fine(s) ? EXIT_NO : status;
}

static int run(const invocation *call)
{
    session s = { .options = call->options };
    int status = check_usage(call, &s);
    if (status == EXIT_DONE) {
        status = check(&s, call);
    }
    check_self_intersections_destroy(s.intersections);
    check_picture_destroy(s.picture);
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
        "corners and edges that they share, and a mesh without any triangle. Vertices are told "
        "apart by position. All of it is exact. Prints a row for each fault, up to a limit, and "
        "how many there are of each kind. Of a scene --seams looks for corners of different "
        "instances that are close and not equal, where rays may pass.",
    .examples = "  sightline check part.stl\n"
                "  sightline check terrain.ply --allow open-edge\n"
                "  sightline check part.stl --picture part.png --from 1,1,1\n"
                "  sightline check part.stl --csv --limit 1000000 > faults.csv\n"
                "  sightline check part.stl --repair mended.ply\n"
                "  sightline check town.json --seams\n",
    .no = "the check failed: there is something that --allow does not name",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(check_options),
    .groups = { { .title = "Check", .rows = rows },
                SCENE_GROUP(check_options),
                CAMERA_GROUP(check_options),
                MESH_GROUP(check_options),
                COMMON_GROUP(check_options) },
    .run = run,
};
