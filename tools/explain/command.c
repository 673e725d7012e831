/* explain/command.c: why a ray or a segment hits, or why it does not. */
#include "tools/cli/report.h"
#include "tools/explain/print.h"
#include "tools/input/query.h"
#include "tools/input/rays.h"
#include "tools/input/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct explain_options {
    const char *ray, *segment;
    uint64_t prim, instance;
    bool open_start, open_end;
    query_options query;
    mesh_options mesh;
    common_options common;
} explain_options;

static const option_row rows[] = {
    OPTION_ROW(TEXT, "ray", explain_options, ray, "NUMBERS",
               "\"ox oy oz dx dy dz\" or \"ox oy oz dx dy dz tmin tmax\"; tmin is 0 and tmax inf "
               "unless given",
               .once = true),
    OPTION_ROW(TEXT, "segment", explain_options, segment, "NUMBERS",
               "\"px py pz qx qy qz\", instead of a ray", .once = true),
    OPTION_FLAG_ROW("open-start", explain_options, open_start,
                    "segment: a hit with p itself does not count"),
    OPTION_FLAG_ROW("open-end", explain_options, open_end,
                    "segment: a hit with q itself does not count"),
    OPTION_ROW(COUNT, "prim", explain_options, prim, "N",
               "explain this triangle; without it the closest hit, or the nearest miss"),
    OPTION_ROW(COUNT, "instance", explain_options, instance, "N",
               "of a scene: the instance whose triangle --prim names"),
    { .name = NULL },
};

static int read_query(const invocation *call, bool doubles, explain_query *q)
{
    const explain_options *options = call->options;
    q->is_segment = options->segment != NULL;
    if ((options->ray != NULL) == q->is_segment) {
        return report_usage(call->command, q->is_segment ? "--ray and --segment exclude each other"
                                                         : "one of --ray and --segment is needed");
    }
    if (!q->is_segment && (options->open_start || options->open_end)) {
        return report_usage(call->command, "--open-start and --open-end need --segment");
    }
    if (options_given(call, "instance") && !options_given(call, "prim")) {
        return report_usage(call->command, "--instance needs --prim, one of its triangles");
    }
    const bool is_segment = q->is_segment;
    double numbers[COLUMNS_MAX] = { [6] = 0, [7] = INFINITY };
    const int status = rays_in_parse(
        call, is_segment ? "segment" : "ray", is_segment ? options->segment : options->ray,
        is_segment ? RAYS_IN_SEGMENTS : RAYS_IN_RAYS, false, doubles, numbers);
    if (status == EXIT_DONE && is_segment) {
        memcpy(q->segment.p, numbers, sizeof q->segment.p);
        memcpy(q->segment.q, numbers + 3, sizeof q->segment.q);
    } else if (status == EXIT_DONE) {
        q->ray = sl_ray_d_make(numbers, numbers + 3);
        q->ray.tmin = numbers[6];
        q->ray.tmax = numbers[7];
    }
    return status;
}

/* The masks of triangles in tree files are only seen by what they leave out. */
static int find_hidden_mask(const explain_query *q, const subject_hits *a, explanation *e)
{
    if (q->in.scene == NULL || q->query.mask == 0 || !e->hit || subject_find(a, e->is) < a->count) {
        return EXIT_DONE;
    }
    sl_options every = q->query;
    every.mask = 0;
    subject_hits unmasked;
    const int status = subject_ask(q, &every, &unmasked);
    if (status == EXIT_DONE && subject_find(&unmasked, e->is) < unmasked.count) {
        e->reasons[REASON_MASKED] = true;
        e->hit = false;
    }
    free(unmasked.hits);
    return status;
}

/* The tree, the single triangle and plain arithmetic must all say the same. */
static int check_agreement(const explanation *e, const subject_hits *a)
{
    if (e->contradicted || e->hit != (subject_find(a, e->is) < a->count)) {
        return report_failure(NULL,
                              "triangle %" PRIu32 " of instance %" PRIu32
                              ": the tree, the triangle test and plain arithmetic do not agree; "
                              "please report this mesh and ray",
                              e->is.prim, e->is.instance);
    }
    return EXIT_DONE;
}

/* The triangle to speak of: the one that was named, the closest hit, or the nearest miss. */
static sl_triangle_ref explain_choose(const invocation *call, const explain_query *q,
                                      const subject_hits *a)
{
    const explain_options *options = call->options;
    if (options_given(call, "prim")) {
        return (sl_triangle_ref){ .prim = (uint32_t)options->prim,
                                  .instance = (uint32_t)options->instance };
    }
    return a->count > 0
               ? (sl_triangle_ref){ .prim = a->hits[0].prim, .instance = a->hits[0].instance }
               : explain_nearest(q);
}

/* Whether --prim, and --instance, name what there is. */
static int check_named(const invocation *call, const explain_query *q)
{
    const explain_options *options = call->options;
    const size_t instances = mesh_in_instances(&q->in);
    if (!options_given(call, "prim")) {
        return EXIT_DONE;
    }
    if (options_given(call, "instance") && q->in.scene == NULL) {
        return report_usage(call->command, "--instance is for scenes; this is a mesh");
    }
    if (q->in.scene != NULL && !options_given(call, "instance")) {
        return report_usage(call->command,
                            "--prim needs --instance in a scene: which one it is in");
    }
    if (options->instance >= instances) {
        return report_usage(call->command, "--instance is %" PRIu64 "; the scene has %zu instances",
                            options->instance, instances);
    }
    const size_t count = mesh_in_prims(&q->in, (uint32_t)options->instance);
    if (q->in.scene != NULL && count == 0) {
        return report_usage(call->command,
                            "--instance is %" PRIu64 ", which has no triangles: a hole, or one "
                            "whose mesh is empty",
                            options->instance);
    }
    if (options->prim >= count) {
        return report_usage(call->command, "--prim is %" PRIu64 "; the %s has %zu triangles",
                            options->prim, q->in.scene != NULL ? "instance" : "mesh", count);
    }
    return EXIT_DONE;
}

static int explain_whole(const invocation *call, const explain_query *q, subject_hits *a)
{
    const explain_options *options = call->options;
    const common_options *common = &options->common;
    const bool named = options_given(call, "prim");
    int status = check_named(call, q);
    status = status == EXIT_DONE ? subject_ask(q, &q->query, a) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    explanation e = { .hit = false };
    const sl_triangle_ref is = explain_choose(call, q, a);
    if (is.prim != SL_NONE) {
        explain_triangle(q, is, &e);
        status = find_hidden_mask(q, a, &e);
    }
    status = status == EXIT_DONE && is.prim != SL_NONE ? check_agreement(&e, a) : status;
    output out;
    if (status == EXIT_DONE) {
        status = output_open(&out, NULL, common->json ? OUTPUT_JSON : OUTPUT_TEXT, "explain",
                             common_use_color(common, stdout));
    }
    if (status != EXIT_DONE) {
        return status;
    }
    explain_print_query(&out, q);
    explain_print_walk(&out, q, a);
    if (is.prim != SL_NONE) {
        explain_print_triangle(&out, q, &e, a, named || e.hit ? "triangle" : "nearest_miss");
    } else if (!explain_is_valid(q)) {
        explain_say_invalid(&out, q);
    }
    status = output_close(&out);
    return status != EXIT_DONE ? status : e.hit ? EXIT_DONE : EXIT_NO;
}

static int explain_run(const invocation *call)
{
    const explain_options *options = call->options;
    explain_query q = { .is_segment = false };
    subject_hits a = { .hits = NULL };
    int status = read_query(call, false, &q);
    if (status != EXIT_DONE) {
        return status;
    }
    status = query_in_open(call, &options->query, &options->mesh, &options->common, &q.in, q.skip,
                           &q.query);
    if (status == EXIT_DONE) {
        q.query.flags |=
            (options->open_start ? SL_OPEN_START : 0u) | (options->open_end ? SL_OPEN_END : 0u);
        status = q.in.scene != NULL ? read_query(call, true, &q) : EXIT_DONE;
    }
    status = status == EXIT_DONE ? explain_whole(call, &q, &a) : status;
    free(a.hits);
    mesh_in_close(&q.in);
    return status;
}

const subcommand command_explain = {
    .name = "explain",
    .line = "why a ray or a segment hits, or why it does not",
    .usage = "MESH --ray NUMBERS | --segment NUMBERS [--prim N] [OPTION...]",
    .about =
        "Asks MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) one ray or segment, and says of one "
        "triangle why it is hit or every reason why it is not: invalid_ray, left_out, skipped, "
        "masked, culled, zero_area, in_plane, parallel, missed, before_tmin, beyond_tmax or "
        "open_end (the last three only where the line meets the triangle). Each alone is "
        "enough. Verdicts are exact; the numbers beside them are rounded. "
        "Without --prim it speaks of the closest hit, or of the triangle that was missed "
        "most narrowly. Of a scene numbers are doubles, and sides those of the object.",
    .examples = "  sightline explain spot.obj --ray \"0 0 -3 0 0 1\"\n"
                "  sightline explain spot.obj --ray \"0 0 -3 0 0 1\" --prim 1200 --cull back\n"
                "  sightline explain level.ply --segment \"0 1.7 0 12 1.7 30\" --open-end --json\n"
                "  sightline explain town.json --ray \"0 0 20 0 0 -1\" --instance 3 --prim 7\n",
    .no = "there is no hit, or with --prim none of that triangle",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(explain_options),
    .groups = { { .title = "Query", .rows = rows },
                QUERY_GROUP(explain_options),
                SCENE_GROUP(explain_options),
                MESH_GROUP(explain_options),
                COMMON_GROUP(explain_options) },
    .run = explain_run,
};
