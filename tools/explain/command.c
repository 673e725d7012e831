/* explain/command.c: why a ray or a segment hits, or why it does not. */
#include "tools/cli/numbers.h"
#include "tools/cli/report.h"
#include "tools/explain/sentences.h"
#include "tools/input/mesh.h"
#include "tools/input/query.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct explain_options {
    const char *ray, *segment;
    uint64_t prim;
    bool open_start, open_end;
    query_options query;
    mesh_options mesh;
    common_options common;
} explain_options;

static const option_row rows[] = {
    { .name = "ray",
      .kind = OPTION_TEXT,
      .offset = offsetof(explain_options, ray),
      .value = "NUMBERS",
      .help = "\"ox oy oz dx dy dz\" or \"ox oy oz dx dy dz tmin tmax\"; tmin is 0 and tmax inf "
              "unless given" },
    { .name = "segment",
      .kind = OPTION_TEXT,
      .offset = offsetof(explain_options, segment),
      .value = "NUMBERS",
      .help = "\"px py pz qx qy qz\", instead of a ray" },
    { .name = "open-start",
      .kind = OPTION_FLAG,
      .offset = offsetof(explain_options, open_start),
      .help = "segment: a hit with p itself does not count" },
    { .name = "open-end",
      .kind = OPTION_FLAG,
      .offset = offsetof(explain_options, open_end),
      .help = "segment: a hit with q itself does not count" },
    { .name = "prim",
      .kind = OPTION_COUNT,
      .offset = offsetof(explain_options, prim),
      .value = "N",
      .help = "explain this triangle; without it the closest hit, or the nearest miss" },
    { .name = NULL },
};

static int read_question(const invocation *call, explain_question *q)
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
    float numbers[8];
    const int count = numbers_parse(q->is_segment ? options->segment : options->ray, numbers, 8);
    if (count != 6 && (count != 8 || q->is_segment)) {
        return report_usage(call->command, "--%s is '%s'; it must be %s",
                            q->is_segment ? "segment" : "ray",
                            q->is_segment ? options->segment : options->ray,
                            q->is_segment ? "6 numbers" : "6 or 8 numbers");
    }
    if (q->is_segment) {
        memcpy(q->segment.p, numbers, sizeof q->segment.p);
        memcpy(q->segment.q, numbers + 3, sizeof q->segment.q);
        return EXIT_DONE;
    }
    q->ray = sl_ray_make(numbers, numbers + 3);
    if (count == 8) {
        q->ray.tmin = numbers[6];
        q->ray.tmax = numbers[7];
    }
    return EXIT_DONE;
}

/* Every hit of the tree, in order. */
typedef struct answers {
    sl_hit *hits;
    size_t count;
    sl_stats stats; /* of the walk to the closest one */
} answers;

static int ask_tree(const explain_question *q, answers *a)
{
    const sl_bvh *bvh = q->bvh;
    a->count = q->is_segment ? sl_bvh_count_segment(bvh, &q->segment, &q->query)
                             : sl_bvh_count(bvh, &q->ray, &q->query);
    a->hits = malloc((a->count + 1) * sizeof *a->hits);
    if (a->hits == NULL) {
        return report_memory();
    }
    sl_query counted = q->query;
    counted.stats = &a->stats;
    if (q->is_segment) {
        sl_bvh_all_segment(bvh, &q->segment, &q->query, a->hits, a->count);
        sl_bvh_closest_segment(bvh, &q->segment, &counted, a->hits + a->count);
    } else {
        sl_bvh_all(bvh, &q->ray, &q->query, a->hits, a->count);
        sl_bvh_closest(bvh, &q->ray, &counted, a->hits + a->count);
    }
    return EXIT_DONE;
}

/* Which stage of arithmetic decided: the harder the closer. */
static const char *stage_word(const sl_stats *stats)
{
    return stats->exact_stage > 0 ? "exact" : stats->double_stage > 0 ? "double" : "float";
}

static void print_plane(output *out, const explanation *e)
{
    const out_value nothing = value_nothing();
    const bool met = e->at.prim != SL_NONE;
    out_value weights[3];
    for (int i = 0; i < 3; i++) {
        weights[i] = e->crosses ? value_rounded(e->weights[i], 9) : nothing;
    }
    output_field(out, "t",
                 met          ? value_float(e->at.t)
                 : e->crosses ? value_rounded(e->t, 9)
                              : nothing);
    output_field(out, "u", met ? value_float(e->at.u) : weights[1]);
    output_field(out, "v", met ? value_float(e->at.v) : weights[2]);
    output_fields(out, "weights", weights, 3);
    output_field(out, "side",
                 e->facing == 0 ? nothing : value_text(e->facing > 0 ? "front" : "back"));
    output_field(out, "on",
                 !met ? nothing
                      : value_text((e->at.flags & SL_HIT_VERTEX) != 0 ? "vertex"
                                   : (e->at.flags & SL_HIT_EDGE) != 0 ? "edge"
                                                                      : "inside"));
    output_field(out, "distance", isfinite(e->distance) ? value_rounded(e->distance, 9) : nothing);
    output_field(out, "decided_by",
                 e->stats.triangles == 0 ? nothing : value_text(stage_word(&e->stats)));
}

/* Everything about one triangle.  title: "triangle" or "nearest_miss". */
static void print_triangle(output *out, const explain_question *q, const explanation *e,
                           const answers *a, const char *title)
{
    output_record_begin(out, title);
    output_field(out, "prim", value_count(e->prim));
    output_field(out, "face", value_count(sl_mesh_face(q->mesh, e->prim)));
    output_field(out, "hit", value_bool(e->hit));
    out_value words[REASON_COUNT];
    size_t count = 0;
    for (int i = 0; i < REASON_COUNT; i++) {
        if (e->reasons[i]) {
            words[count++] = value_text(explain_reason_words[i]);
        }
    }
    if (count == 0 && out->format == OUTPUT_TEXT) {
        output_field(out, "reasons_against", value_text("none"));
    } else {
        output_fields(out, "reasons_against", words, count);
    }
    size_t place = 0;
    while (place < a->count && a->hits[place].prim != e->prim) {
        place++;
    }
    output_field(out, "place_among_hits",
                 place < a->count ? value_count(place + 1) : value_nothing());
    print_plane(out, e);
    output_record_end(out);
    for (int i = 0; i < REASON_COUNT; i++) {
        if (e->reasons[i]) {
            explain_say(out, q, e, (explain_reason)i);
        }
    }
}

static void print_question(output *out, const explain_question *q)
{
    out_value values[3];
    const float *from = q->is_segment ? q->segment.p : q->ray.origin;
    const float *to = q->is_segment ? q->segment.q : q->ray.dir;
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            values[axis] = value_float(i == 0 ? from[axis] : to[axis]);
        }
        output_fields(out, q->is_segment ? (i == 0 ? "p" : "q") : (i == 0 ? "origin" : "dir"),
                      values, 3);
    }
    if (!q->is_segment) {
        output_field(out, "tmin", value_float(q->ray.tmin));
        output_field(out, "tmax", value_float(q->ray.tmax));
    }
    bool faults[FAULT_COUNT];
    out_value words[FAULT_COUNT];
    size_t count = 0;
    explain_faults(q, faults);
    for (int i = 0; i < FAULT_COUNT; i++) {
        if (faults[i]) {
            words[count++] = value_text(explain_fault_words[i]);
        }
    }
    output_field(out, "valid", value_bool(count == 0));
    if (count > 0) {
        output_fields(out, "faults", words, count);
    }
}

static void print_walk(output *out, const answers *a)
{
    const sl_stats *s = &a->stats;
    output_field(out, "hits", value_count(a->count));
    output_record_begin(out, "walk");
    output_field(out, "nodes", value_count(s->nodes));
    output_field(out, "boxes", value_count(s->boxes));
    output_field(out, "triangles", value_count(s->triangles));
    output_field(out, "decided_by_float", value_count(s->float_stage));
    output_field(out, "decided_by_double", value_count(s->double_stage));
    output_field(out, "decided_exactly", value_count(s->exact_stage));
    output_record_end(out);
}

/* The tree, the single triangle and plain arithmetic must all say the same. */
static int check_agreement(const explanation *e, const answers *a)
{
    size_t place = 0;
    while (place < a->count && a->hits[place].prim != e->prim) {
        place++;
    }
    if (e->contradicted || e->hit != (place < a->count)) {
        return report_failure(NULL,
                              "triangle %" PRIu32 ": the tree, the triangle test and plain "
                              "arithmetic do not agree; please report this mesh and ray",
                              e->prim);
    }
    return EXIT_DONE;
}

/* The triangle to speak of: the one that was named, the closest hit, or the nearest miss. */
static uint32_t choose(const invocation *call, const explain_question *q, const answers *a)
{
    const explain_options *options = call->options;
    if (options_given(call, "prim")) {
        return (uint32_t)options->prim;
    }
    return a->count > 0 ? a->hits[0].prim : explain_nearest(q);
}

static int explain(const invocation *call, const explain_question *q, answers *a)
{
    const explain_options *options = call->options;
    const common_options *common = &options->common;
    const bool named = options_given(call, "prim");
    const size_t count = sl_mesh_triangle_count(q->mesh);
    if (named && options->prim >= count) {
        return report_usage(call->command, "--prim is %" PRIu64 "; the mesh has %zu triangles",
                            options->prim, count);
    }
    int status = ask_tree(q, a);
    if (status != EXIT_DONE) {
        return status;
    }
    explanation e = { .hit = false };
    const uint32_t prim = choose(call, q, a);
    if (prim != SL_NONE) {
        explain_triangle(q, prim, &e);
        status = check_agreement(&e, a);
    }
    output out;
    if (status == EXIT_DONE) {
        status = output_open(&out, NULL, common->json ? OUTPUT_JSON : OUTPUT_TEXT, "explain",
                             common_use_color(common, stdout));
    }
    if (status != EXIT_DONE) {
        return status;
    }
    print_question(&out, q);
    print_walk(&out, a);
    if (prim != SL_NONE) {
        print_triangle(&out, q, &e, a, named || e.hit ? "triangle" : "nearest_miss");
    } else if (!explain_is_valid(q)) {
        explain_say_invalid(&out, q);
    }
    status = output_close(&out);
    return status != EXIT_DONE ? status : e.hit ? EXIT_DONE : EXIT_NO;
}

static int run(const invocation *call)
{
    const explain_options *options = call->options;
    explain_question q = { .is_segment = false };
    int status = read_question(call, &q);
    if (status == EXIT_DONE) {
        status = query_in_make(call, &options->query, &q.query);
    }
    if (status != EXIT_DONE) {
        return status;
    }
    mesh_in in;
    uint32_t *masks = NULL;
    answers a = { .hits = NULL };
    status = mesh_in_load(&in, call, 0, &options->mesh, &options->common);
    if (status == EXIT_DONE) {
        status = query_in_masks(&options->query, in.mesh, &masks);
    }
    if (status == EXIT_DONE) {
        q.query.flags |=
            (options->open_start ? SL_OPEN_START : 0u) | (options->open_end ? SL_OPEN_END : 0u);
        in.masks = q.masks = masks;
        status = mesh_in_build(&in);
    }
    if (status == EXIT_DONE) {
        q.mesh = in.mesh;
        q.bvh = in.bvh;
        status = explain(call, &q, &a);
    }
    free(a.hits);
    mesh_in_close(&in);
    free(masks);
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
        "most narrowly.",
    .examples = "  sightline explain spot.obj --ray \"0 0 -3 0 0 1\"\n"
                "  sightline explain spot.obj --ray \"0 0 -3 0 0 1\" --prim 1200 --cull back\n"
                "  sightline explain level.ply --segment \"0 1.7 0 12 1.7 30\" --open-end --json\n",
    .no = "there is no hit, or with --prim none of that triangle",
    .argument_max = 1,
    .options_size = sizeof(explain_options),
    .groups = { { .title = "Question", .rows = rows },
                QUERY_GROUP(explain_options),
                MESH_GROUP(explain_options),
                COMMON_GROUP(explain_options) },
    .run = run,
};
