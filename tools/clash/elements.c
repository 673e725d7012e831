/* clash/elements.c: which elements of a scene, or parts of a mesh, clash. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"
#include "tools/input/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_words[] = { "hard", "touching", "clearance" };
enum { ELEMENT_COLUMNS = 11 }; /* the last one with --solids only */

/* Of an element, in the world: no larger than the box of its box. */
static sl_aabb_d element_bounds(const clash_run *run, uint32_t instance)
{
    if (run->parts != NULL) {
        return sl_bvh_bounds(run->parts[instance]);
    }
    sl_transform place;
    const scene_in *scene = run->in[0].scene;
    const sl_aabb_d own = sl_bvh_bounds(scene_in_mesh(scene, instance)->bvh);
    sl_aabb_d box;
    (void)scene_in_place(scene, instance, &place);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = box.max[axis] = place.m[axis][3];
        for (int i = 0; i < 3; i++) {
            const double m = place.m[axis][i];
            box.min[axis] += m * (m < 0 ? own.max[i] : own.min[i]);
            box.max[axis] += m * (m < 0 ? own.min[i] : own.max[i]);
        }
    }
    return box;
}

double clash_size(const clash_run *run, uint32_t instance)
{
    const sl_aabb_d box = element_bounds(run, instance);
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += (box.max[axis] - box.min[axis]) * (box.max[axis] - box.min[axis]);
    }
    return sqrt(square);
}

void clash_place(const clash_run *run, const sl_instance_clash *clash, double point[3])
{
    const bool meets = clash->nearest.a.prim != SL_NONE;
    const uint32_t inner =
        clash_size(run, clash->a) < clash_size(run, clash->b) ? clash->a : clash->b;
    const sl_aabb_d box = element_bounds(run, inner);
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = meets ? clash->nearest.point_a[axis] : 0.5 * (box.min[axis] + box.max[axis]);
    }
}

static void elements_row(clash_run *run, const sl_instance_clash *found, const char *name_a)
{
    const bool apart = found->kind == SL_CLASH_CLEARANCE;
    double at[3];
    clash_place(run, found, at);
    const out_value row[ELEMENT_COLUMNS] = {
        value_count(found->a),
        value_text(name_a),
        value_count(found->b),
        value_text(clash_name(run, 0, found->b)),
        value_text(kind_words[found->kind]),
        value_count(found->pairs),
        value_float(apart ? found->nearest.distance : 0),
        value_double(at[0]),
        value_double(at[1]),
        value_double(at[2]),
        found->solids != SL_SOLIDS_NONE ? value_text(clash_solid_words[found->solids])
                                        : value_nothing(),
    };
    output_row(&run->out, row);
}

static int elements_table(clash_run *run, const sl_instance_clash *found, size_t count)
{
    static const out_column columns[ELEMENT_COLUMNS] = {
        { "a", 7 },     { "name_a", 16 }, { "b", 7 },         { "name_b", 16 },
        { "kind", 10 }, { "pairs", 8 },   { "distance", 12 }, { "x", 12 },
        { "y", 12 },    { "z", 12 },      { "solids", 12 },
    };
    const size_t used = ELEMENT_COLUMNS - !run->options->solids;
    const size_t most = run->out.format == OUTPUT_TEXT && run->options->limit < count
                            ? (size_t)run->options->limit
                            : count;
    if (most == 0 && run->out.format == OUTPUT_TEXT) {
        return EXIT_DONE;
    }
    output_table_begin(&run->out, "clashes", columns, used);
    for (size_t i = 0; i < most; i++) {
        const char *name = clash_name(run, 0, found[i].a);
        char *copy = name != NULL ? strdup(name) : NULL;
        if (name != NULL && copy == NULL) {
            return report_memory();
        }
        elements_row(run, &found[i], copy);
        free(copy);
    }
    output_table_end(&run->out);
    return EXIT_DONE;
}

static int elements_draw(clash_run *run, const sl_instance_clash *found, size_t count)
{
    static const clash_color of_kind[] = { CLASH_RED, CLASH_YELLOW, CLASH_BLUE };
    static const char *const words[CLASH_COLORS] = { "HARD", NULL, "TOUCHING", "CLEARANCE" };
    clash_mark *marks = malloc((2 * count + 1) * sizeof *marks);
    if (marks == NULL) {
        return report_memory();
    }
    for (size_t i = 0; i < count; i++) {
        const clash_color color = of_kind[found[i].kind];
        marks[2 * i] = (clash_mark){ { found[i].a, SL_NONE }, color };
        marks[2 * i + 1] = (clash_mark){ { found[i].b, SL_NONE }, color };
    }
    const int status = clash_picture(run, marks, 2 * count, words);
    free(marks);
    return status;
}

static void elements_summary(clash_run *run, const sl_instance_clash *found, size_t count)
{
    uint64_t counts[SL_CLASH_CLEARANCE + 1] = { 0 };
    for (size_t i = 0; i < count; i++) {
        counts[found[i].kind]++;
    }
    const sl_bvh_info info = sl_bvh_get_info(run->world);
    output_field(&run->out, "elements", value_count(info.instance_count - info.hole_count));
    output_field(&run->out, "clash_count", value_count(count));
    for (int kind = 0; kind <= SL_CLASH_CLEARANCE; kind++) {
        output_field(&run->out, kind_words[kind], value_count(counts[kind]));
    }
}

int clash_elements(clash_run *run)
{
    const clash_options *o = run->options;
    sl_clashes_def def = { .hooks = { .progress = progress_hook(&run->in[0].bar),
                                      .tasks = run->in[0].tasks },
                           .clash = &run->clash,
                           .solids = o->solids };
    sl_clashes *clashes = NULL;
    sl_error error;
    uint32_t *bits;
    int status = clash_groups(run, &def, &bits);
    if (status != EXIT_DONE) {
        free(bits);
        return status;
    }
    const sl_result result = sl_clashes_find(run->world, &def, &clashes, &error);
    progress_end(&run->in[0].bar);
    free(bits);
    if (result != SL_OK) {
        return report_error(&error);
    }
    size_t count;
    const sl_instance_clash *found = sl_clashes_list(clashes, &count);
    run->is_no = count == 0;
    elements_summary(run, found, count);
    status = elements_table(run, found, count);
    if (status == EXIT_DONE && o->picture != NULL) {
        status = elements_draw(run, found, count);
    }
    if (status == EXIT_DONE && o->bcf != NULL) {
        status = clash_bcf(run, found, count);
    }
    sl_clashes_destroy(clashes);
    return status;
}
