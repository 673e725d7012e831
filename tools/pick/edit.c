/* pick/edit.c: what editors pick, asked of sightline/pick.h and marks.h. */
#include "tools/cli/report.h"
#include "tools/pick/pick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool pick_is_edit(const invocation *call)
{
    static const char *const names[] = { "kind",      "marks",  "radius", "hidden", "all-vertices",
                                         "same-part", "unit",   "after",  "cycle",  "budget",
                                         "edges",     "crease", NULL };
    return options_first_given(call, names) != NULL;
}

/* Bits of the words of --kind; 0 after a report. */
static uint32_t parse_kinds(const invocation *call, const char *text)
{
    static const char *const words[] = { "face", "edge", "vertex", "mark" };
    uint32_t kinds = 0;
    for (const char *from = text;; from++) {
        const size_t length = strcspn(from, ",");
        uint32_t kind = 0;
        for (uint32_t i = 0; i < 4; i++) {
            if (strlen(words[i]) == length && strncmp(from, words[i], length) == 0) {
                kind = 1u << i;
            }
        }
        if (kind == 0) {
            report_usage(call->command,
                         "--kind is '%s'; it must be one or more of face, edge, vertex and mark, "
                         "with commas between",
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

/* --marks beside the others. */
static int check_marks(const invocation *call)
{
    const pick_options *options = call->options;
    const bool named =
        options->kind != NULL && (parse_kinds(call, options->kind) & SL_PICK_MARK) != 0;
    if (options->marks == NULL) {
        return named ? report_usage(call->command, "--kind mark needs --marks") : EXIT_DONE;
    }
    if (options->kind != NULL && !named) {
        return report_usage(call->command, "--marks needs mark among --kind, or no --kind");
    }
    if (options->after != NULL || options_given(call, "cycle")) {
        return report_usage(call->command, "--marks and --%s exclude each other",
                            options->after != NULL ? "after" : "cycle");
    }
    return mesh_in_check_stdin(call, "marks", options->marks);
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
    return check_marks(call);
}

static uint32_t kinds_of(const pick_run *run)
{
    static const char *const snapping[] = { "radius",    "hidden", "all-vertices",
                                            "same-part", "edges",  "crease",
                                            NULL };
    uint32_t kinds = SL_PICK_FACE;
    if (run->options->kind != NULL) {
        return parse_kinds(run->call, run->options->kind);
    }
    if (options_first_given(run->call, snapping) != NULL) {
        kinds |= SL_PICK_EDGE | SL_PICK_VERTEX;
    }
    return run->marks != NULL ? kinds | SL_PICK_MARK : kinds;
}

static int set_up(pick_run *run)
{
    const pick_options *options = run->options;
    int status = topologies_make(&run->topologies, &run->in, &options->edges);
    status = status == EXIT_DONE && options->marks != NULL ? pick_marks_read(run) : status;
    run->def = (sl_pick_def){ 0 };
    run->def.kinds = kinds_of(run);
    run->def.radius = options->radius;
    run->def.hidden = options->hidden;
    run->def.all_vertices = options->all_vertices;
    run->def.same_part = options->same_part;
    run->def.unit = options->unit != PICK_UNIT_AUTO ? (sl_pick_unit)(options->unit - 1)
                    : run->in.scene != NULL         ? SL_PICK_OBJECTS
                                                    : SL_PICK_FACES;
    run->def.topologies = run->topologies.of;
    run->def.options = &run->query;
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
    const size_t prims = mesh_in_prims(&run->in, after.instance);
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
        selected->part = sl_topology_element_of(topology, after.prim, SL_PARTS, 0);
        selected->face = sl_topology_element_of(topology, after.prim, SL_FACES, 0);
    }
    return EXIT_DONE;
}

/* Lists of picks in the order of their distance, of which the first has the first places. */
static void edit_merge(const sl_pick *a, size_t a_count, const sl_pick *b, size_t b_count,
                       sl_pick *out)
{
    size_t i = 0, k = 0;
    while (i < a_count || k < b_count) {
        const bool from_a = k == b_count || (i < a_count && a[i].distance <= b[k].distance);
        out[i + k] = from_a ? a[i] : b[k];
        i += from_a;
        k += !from_a;
    }
}

/* Whether anything but marks is to be picked. */
static bool picks_scene(const pick_run *run)
{
    return (run->def.kinds & ~(uint32_t)SL_PICK_MARK) != 0;
}

/* Everything at the point; marks among the elements of the scene. */
static int find_all(pick_run *run, const double at[2])
{
    const sl_pick_def *def = &run->def;
    const size_t elements =
        picks_scene(run) ? sl_pick_all(run->in.bvh, &run->view, at, def, NULL, 0) : 0;
    const size_t marks = run->marks != NULL ? sl_marks_pick_all(run->marks, run->in.bvh, &run->view,
                                                                at, def, NULL, 0)
                                            : 0;
    sl_pick *apart = calloc(elements + marks + 1, sizeof *apart);
    run->picks = calloc(elements + marks + 1, sizeof *run->picks);
    if (run->picks == NULL || apart == NULL) {
        free(apart);
        return report_memory();
    }
    size_t found =
        elements > 0 ? sl_pick_all(run->in.bvh, &run->view, at, def, apart, elements) : 0;
    found = found < elements ? found : elements; /* a budget may cut either of the two short */
    if (marks > 0) {
        (void)sl_marks_pick_all(run->marks, run->in.bvh, &run->view, at, def, apart + found, marks);
    }
    edit_merge(apart, found, apart + found, marks, run->picks);
    run->pick_count = found + marks;
    free(apart);
    return EXIT_DONE;
}

/* The best at the point. */
static int find_one(pick_run *run, const double at[2])
{
    sl_pick mark;
    run->picks = calloc(1, sizeof *run->picks);
    if (run->picks == NULL) {
        return report_memory();
    }
    if (picks_scene(run)) {
        run->pick_count = sl_pick_at(run->in.bvh, &run->view, at, &run->def, run->picks);
    }
    if (run->marks != NULL &&
        sl_marks_pick(run->marks, run->in.bvh, &run->view, at, &run->def, &mark) &&
        (run->pick_count == 0 || sl_pick_is_better(&run->def, &mark, run->picks))) {
        run->picks[0] = mark;
        run->pick_count = 1;
    }
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
    status = status == EXIT_DONE ? find_all(run, at) : status;
    if (status != EXIT_DONE || run->pick_count == 0 ||
        !sl_pick_next(run->in.bvh, &run->view, at, &run->def, &selected, &first)) {
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
        status = find_one(run, at);
    }
    for (size_t i = 0; i < run->pick_count; i++) {
        run->cut_short = run->cut_short || (run->picks[i].flags & SL_PICK_CUT_SHORT) != 0;
    }
    return status;
}
