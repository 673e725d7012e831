/* pick/edit.c: what editors pick: asked of sightline/pick.h, and printed. */
#include "tools/cli/report.h"
#include "tools/pick/pick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool pick_is_edit(const invocation *call)
{
    static const char *const names[] = { "kind",  "radius", "hidden", "unit",  "after",
                                         "cycle", "budget", "edges",  "crease" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (options_given(call, names[i])) {
            return true;
        }
    }
    return false;
}

/* Bits of the words of --kind; 0 after a report. */
static uint32_t parse_kinds(const invocation *call, const char *text)
{
    static const char *const words[] = { "face", "edge", "vertex" };
    uint32_t kinds = 0;
    for (const char *from = text;; from++) {
        const size_t length = strcspn(from, ",");
        uint32_t kind = 0;
        for (uint32_t i = 0; i < 3; i++) {
            if (strlen(words[i]) == length && strncmp(from, words[i], length) == 0) {
                kind = 1u << i;
            }
        }
        if (kind == 0) {
            report_usage(call->command,
                         "--kind is '%s'; it must be one or more of face, edge and vertex, with "
                         "commas between",
                         text);
            return 0;
        }
        kinds |= kind;
        from += length;
        if (*from == '\0') {
            return kinds;
        }
    }
}

/* Whether it names a triangle, or, with whole, an instance alone. */
static bool parse_after(const char *text, sl_triangle_ref *after, bool *whole)
{
    char *end;
    *whole = strchr(text, ':') == NULL;
    return query_in_triangle(text, after, &end) && *end == '\0';
}

int pick_edit_check(const invocation *call)
{
    const pick_options *options = call->options;
    sl_triangle_ref after;
    bool whole;
    if (options->kind != NULL && parse_kinds(call, options->kind) == 0) {
        return EXIT_USAGE;
    }
    if ((options->after != NULL || options_given(call, "cycle")) && options->all) {
        return report_usage(call->command, "--%s and --all exclude each other",
                            options->after != NULL ? "after" : "cycle");
    }
    if (options->after != NULL && !parse_after(options->after, &after, &whole)) {
        return report_usage(call->command,
                            "--after is '%s'; it must be the number of a triangle, or in a scene "
                            "INSTANCE or INSTANCE:TRIANGLE",
                            options->after);
    }
    return EXIT_DONE;
}

static uint32_t kinds_of(const pick_run *run)
{
    static const char *const snapping[] = { "radius", "hidden", "edges", "crease" };
    if (run->options->kind != NULL) {
        return parse_kinds(run->call, run->options->kind);
    }
    for (size_t i = 0; i < sizeof snapping / sizeof snapping[0]; i++) {
        if (options_given(run->call, snapping[i])) {
            return SL_PICK_FACE | SL_PICK_EDGE | SL_PICK_VERTEX;
        }
    }
    return SL_PICK_FACE;
}

static int set_up(pick_run *run)
{
    const pick_options *options = run->options;
    int status = EXIT_DONE;
    run->scene = run->in.scene != NULL ? run->in.scene->scene : NULL;
    if (run->scene == NULL) {
        status = mesh_in_scene(&run->in, &run->own);
        run->scene = run->own;
    }
    if (status == EXIT_DONE) {
        status = topologies_make(&run->topologies, &run->in, &options->edges);
    }
    run->def = sl_default_pick_def();
    run->def.kinds = kinds_of(run);
    run->def.radius = options->radius;
    run->def.hidden = options->hidden;
    run->def.unit = options->unit != PICK_UNIT_AUTO ? (sl_pick_unit)(options->unit - 1)
                    : run->in.scene != NULL         ? SL_PICK_OBJECTS
                                                    : SL_PICK_FACES;
    run->def.topologies = run->topologies.of;
    run->def.query = &run->query;
    run->def.budget_ms = (double)options->budget;
    return status;
}

/* Whether there is such a triangle: EXIT_DONE, or EXIT_USAGE after a report. */
static int check_after(const pick_run *run, sl_triangle_ref after)
{
    const scene_in *scene = run->in.scene;
    const char *text = run->options->after;
    if (scene == NULL && after.instance != 0) {
        return report_usage(run->call->command,
                            "--after is '%s'; a mesh has no instances: name a triangle of it alone",
                            text);
    }
    if (scene != NULL && after.instance >= run->topologies.count) {
        return report_usage(run->call->command,
                            "--after is '%s'; the scene has %zu instances, numbered from 0", text,
                            run->topologies.count);
    }
    const size_t prims = scene != NULL ? scene_in_prims(scene, after.instance)
                                       : sl_mesh_triangle_count(run->in.mesh);
    if (after.prim >= prims) {
        return report_usage(run->call->command,
                            "--after is '%s'; there are %zu triangles, numbered from 0", text,
                            prims);
    }
    return EXIT_DONE;
}

/* What --after names, as a pick. */
static int find_selected(const pick_run *run, sl_pick *selected)
{
    sl_triangle_ref after;
    bool whole;
    parse_after(run->options->after, &after, &whole);
    if (whole && run->in.scene != NULL) {
        after = (sl_triangle_ref){ .instance = after.prim, .prim = 0 };
        if (run->def.unit == SL_PICK_PARTS || run->def.unit == SL_PICK_FACES) {
            return report_usage(run->call->command,
                                "--after %s names an instance, which has many parts and faces; "
                                "name a triangle of it, as INSTANCE:TRIANGLE",
                                run->options->after);
        }
    }
    const int status = check_after(run, after);
    if (status != EXIT_DONE) {
        return status;
    }
    const sl_topology *topology =
        after.instance < run->topologies.count ? run->topologies.of[after.instance] : NULL;
    *selected = (sl_pick){ .kind = SL_PICK_FACE,
                           .instance = after.instance,
                           .prim = after.prim,
                           .part = SL_NONE,
                           .face = SL_NONE,
                           .edge = SL_NONE,
                           .vertex = SL_NONE };
    if (topology != NULL) {
        selected->part = sl_topology_part_of(topology, after.prim);
        selected->face = sl_topology_face_of(topology, after.prim);
    }
    return EXIT_DONE;
}

/* Everything at the point. */
static int find_all(pick_run *run, const double at[2])
{
    const size_t count = sl_pick_all(run->scene, &run->view, at, &run->def, NULL, 0);
    run->picks = calloc(count + 1, sizeof *run->picks);
    if (run->picks == NULL) {
        return report_memory();
    }
    run->pick_count = sl_pick_all(run->scene, &run->view, at, &run->def, run->picks, count);
    run->pick_count = run->pick_count < count ? run->pick_count : count;
    return EXIT_DONE;
}

static bool is_same(const sl_pick *a, const sl_pick *b)
{
    return a->kind == b->kind && a->instance == b->instance && a->prim == b->prim &&
           a->corner == b->corner;
}

/* What click number --cycle picks: each asks for what is behind the one before, so that they go
 * through the list, again and again.  The answer is left as the first of picks. */
static int find_click(pick_run *run, const double at[2])
{
    const pick_options *options = run->options;
    sl_pick selected = { .kind = SL_PICK_NONE, .instance = SL_NONE }, first;
    int status = options->after != NULL ? find_selected(run, &selected) : EXIT_DONE;
    if (status == EXIT_DONE) {
        status = find_all(run, at);
    }
    if (status != EXIT_DONE || run->pick_count == 0 ||
        !sl_pick_next(run->scene, &run->view, at, &run->def, &selected, &first)) {
        run->pick_count = 0;
        return status;
    }
    size_t from = 0;
    while (from < run->pick_count && !is_same(&run->picks[from], &first)) {
        from++;
    }
    const size_t steps = (size_t)((options->cycle - 1) % run->pick_count);
    run->picks[0] = steps == 0 ? first : run->picks[(from + steps) % run->pick_count];
    run->pick_count = 1;
    return EXIT_DONE;
}

int pick_edit_find(pick_run *run)
{
    const double at[2] = { (double)run->x, (double)run->y };
    int status = set_up(run);
    if (status != EXIT_DONE) {
        return status;
    }
    if (run->options->all) {
        status = find_all(run, at);
    } else if (run->options->after != NULL || options_given(run->call, "cycle")) {
        status = find_click(run, at);
    } else {
        run->picks = calloc(1, sizeof *run->picks);
        if (run->picks == NULL) {
            return report_memory();
        }
        run->pick_count = sl_pick_at(run->scene, &run->view, at, &run->def, run->picks);
    }
    for (size_t i = 0; i < run->pick_count; i++) {
        run->cut_short = run->cut_short || (run->picks[i].flags & SL_PICK_CUT_SHORT) != 0;
    }
    return status;
}

/* One row, in the order of the columns below; the last two only of a scene. */
enum { FACE_AT = 5, POINT_AT = 13, NAMES_AT = 18, COLUMNS = NAMES_AT + PICK_NAMES };
static const out_column columns[COLUMNS] = {
    { "kind", 6 },     { "prim", 8 },      { "corner", 6 }, { "edge", 8 },     { "vertex", 8 },
    { "face", 8 },     { "pixels", 20 },   { "x", 20 },     { "y", 20 },       { "along", 20 },
    { "u", 12 },       { "v", 12 },        { "side", 5 },   { "point_x", 20 }, { "point_y", 20 },
    { "point_z", 20 }, { "distance", 20 }, { "hidden", 6 }, { "part", 12 },    { "material", 12 },
    { "node", 12 },    { "instance", 8 },  { "name", 12 },
};

static size_t own_count(const pick_run *run)
{
    return NAMES_AT + (run->in.scene != NULL ? PICK_NAMES : PICK_NAMES_OF_MESH);
}

static out_value number_or_nothing(uint32_t number)
{
    return number != SL_NONE ? value_count(number) : value_nothing();
}

static void fill_row(const pick_run *run, const sl_pick *pick, out_value row[COLUMNS])
{
    const bool is_face = pick->kind == SL_PICK_FACE, is_edge = pick->kind == SL_PICK_EDGE;
    row[0] = value_text(is_face ? "face" : is_edge ? "edge" : "vertex");
    row[1] = value_count(pick->prim);
    row[2] = is_face ? value_nothing() : value_count(pick->corner);
    row[3] = number_or_nothing(pick->edge);
    row[4] = number_or_nothing(pick->vertex);
    row[6] = value_double(pick->pixels);
    row[7] = value_double(pick->xy[0]);
    row[8] = value_double(pick->xy[1]);
    row[9] = is_edge ? value_double(pick->along) : value_nothing();
    row[10] = value_float(pick->u);
    row[11] = value_float(pick->v);
    row[12] =
        is_face ? value_text((pick->flags & SL_HIT_BACK) != 0 ? "back" : "front") : value_nothing();
    for (int axis = 0; axis < 3; axis++) {
        row[POINT_AT + axis] = value_double(pick->point[axis]);
    }
    row[16] = value_double(pick->distance);
    row[17] = value_bool((pick->flags & SL_PICK_HIDDEN) != 0);
    pick_names(run, pick->instance, pick->prim, &row[FACE_AT], &row[NAMES_AT]);
}

static sl_hit hit_of(const sl_pick *pick)
{
    return (sl_hit){ .u = pick->u, .v = pick->v, .prim = pick->prim, .instance = pick->instance };
}

/* The same as fields, vectors together. */
static void print_pick(output *out, const pick_run *run)
{
    out_value row[COLUMNS];
    fill_row(run, &run->picks[0], row);
    for (size_t i = 0; i < own_count(run); i++) {
        if (i == 7) {
            output_fields(out, "place", &row[i], 2);
            i += 1;
        } else if (i == POINT_AT) {
            output_fields(out, "point", &row[i], 3);
            i += 2;
        } else {
            output_field(out, columns[i].name, row[i]);
        }
    }
    const sl_hit hit = hit_of(&run->picks[0]);
    pick_attribute_fields(run, &hit, out);
}

static void print_table(output *out, const pick_run *run)
{
    out_column all[COLUMNS + PICK_ATTRIBUTES];
    const size_t own = own_count(run);
    memcpy(all, columns, sizeof columns);
    output_table_begin(out, "picks", all, own + pick_attribute_columns(run, all + own));
    for (size_t i = 0; i < run->pick_count; i++) {
        out_value row[COLUMNS + PICK_ATTRIBUTES];
        const sl_hit hit = hit_of(&run->picks[i]);
        fill_row(run, &run->picks[i], row);
        pick_attribute_values(run, &hit, row + own);
        output_row(out, row);
    }
    output_table_end(out);
}

int pick_edit_print(const pick_run *run)
{
    output out;
    bool table;
    const int status = pick_print_begin(run, run->pick_count > 0, &out, &table);
    if (status != EXIT_DONE) {
        return status;
    }
    if (run->options->common.json || run->cut_short) {
        output_field(&out, "cut_short", value_bool(run->cut_short));
    }
    if (table) {
        print_table(&out, run);
    } else if (run->pick_count > 0) {
        print_pick(&out, run);
    }
    return output_close(&out);
}
