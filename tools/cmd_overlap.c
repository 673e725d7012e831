/* cmd_overlap.c: which triangles a volume touches. */
#include "tools/mesh_in.h"
#include "tools/npy.h"
#include "tools/output.h"
#include "tools/query_in.h"
#include "tools/report.h"
#include "tools/volume_in.h"

#include <stdlib.h>
#include <string.h>

typedef struct overlap_options {
    bool list, count, any, csv, brute, verify, stats;
    const char *out;
    volume_options volume;
    query_options query;
    mesh_options mesh;
    common_options common;
} overlap_options;

#define PLACE(member) .offset = offsetof(overlap_options, member)

static const option_row rows[] = {
    { .name = "list",
      .kind = OPTION_FLAG,
      PLACE(list),
      .help = "print each triangle that is touched, in rising order (the default)" },
    { .name = "count",
      .kind = OPTION_FLAG,
      PLACE(count),
      .help = "print only how many triangles are touched" },
    { .name = "any",
      .kind = OPTION_FLAG,
      PLACE(any),
      .help = "print only whether a triangle is touched" },
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default of --list)" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .value = "FILE",
      .help = "write there instead of stdout; the list as .npy if the name ends so" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help = "report the work that was done, on stderr; in JSON with the answer" },
    { .name = "brute",
      .kind = OPTION_FLAG,
      PLACE(brute),
      .help = "ask every triangle in turn instead of the tree" },
    { .name = "verify",
      .kind = OPTION_FLAG,
      PLACE(verify),
      .help = "ask both, all three questions, and count the differences" },
    { .name = NULL },
};

/* All that a run owns. */
typedef struct session {
    const overlap_options *options;
    mesh_in in;
    uint32_t *masks;
    sl_soup soup;
    sl_query query;
    sl_stats stats;
    double seconds;
    sl_volume volume;
    uint32_t *prims; /* room for every triangle */
    size_t total;
} session;

static void put_stats(output *out, const session *s)
{
    output_field(out, "nodes", value_count(s->stats.nodes));
    output_field(out, "boxes", value_count(s->stats.boxes));
    output_field(out, "triangles", value_count(s->stats.triangles));
    output_field(out, "hits", value_count(s->stats.hits));
    output_field(out, "seconds", value_rounded(s->seconds, 4));
}

static void report_stats(const session *s, output *out)
{
    if (s->options->common.json) {
        output_record_begin(out, "stats");
        put_stats(out, s);
        output_record_end(out);
        return;
    }
    output to = { .format = OUTPUT_TEXT, .file.stream = stderr };
    put_stats(&to, s);
}

static size_t ask_list(const session *s, bool brute, uint32_t *prims, size_t capacity)
{
    return brute ? sl_soup_overlap(&s->soup, &s->volume, &s->query, prims, capacity)
                 : sl_bvh_overlap(s->in.bvh, &s->volume, &s->query, prims, capacity);
}

static void ask(session *s)
{
    const overlap_options *o = s->options;
    const double started = common_seconds();
    if (o->any && !o->brute) {
        s->total = sl_bvh_overlaps(s->in.bvh, &s->volume, &s->query);
    } else {
        const bool list = !o->any && !o->count;
        s->total = ask_list(s, o->brute, s->prims, list ? s->soup.triangle_count : 0);
    }
    s->seconds = common_seconds() - started;
}

static int write_npy(const session *s)
{
    npy_out out;
    const int status = npy_out_open(&out, s->options->out, NPY_OUT_U4, 0, s->total);
    if (status != EXIT_DONE) {
        return status;
    }
    (void)npy_out_write(&out, s->prims, s->total);
    if (s->options->stats) {
        report_stats(s, NULL);
    }
    return npy_out_close(&out);
}

static void put_list(const session *s, output *out)
{
    static const out_column columns[] = { { "prim", 10 }, { "face", 10 } };
    output_table_begin(out, "triangles", columns, 2);
    for (size_t i = 0; i < s->total; i++) {
        const out_value values[] = { value_count(s->prims[i]),
                                     value_count(sl_mesh_face(s->in.mesh, s->prims[i])) };
        output_row(out, values);
    }
    output_table_end(out);
}

static int print_answer(const session *s)
{
    const overlap_options *o = s->options;
    const bool list = !o->any && !o->count, json = o->common.json;
    const output_format format = json ? OUTPUT_JSON : list || o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    output out;
    const int status = output_open(&out, o->out, format, "overlap", false);
    if (status != EXIT_DONE) {
        return status;
    }
    if (json) {
        output_field(&out, "volume", value_text(volume_in_word(&s->volume)));
    }
    if (!list && format == OUTPUT_CSV) {
        output_record_begin(&out, "overlap");
    }
    if (json || o->any) {
        output_field(&out, "touches", value_bool(s->total > 0));
    }
    if (!o->any && (json || o->count)) {
        output_field(&out, "count", value_count(s->total));
    }
    if (!list && format == OUTPUT_CSV) {
        output_record_end(&out);
    }
    if (list) {
        put_list(s, &out);
    }
    if (o->stats) {
        report_stats(s, &out);
    }
    return output_close(&out);
}

/* Every triangle on which the two lists, both rising, do not agree. */
static size_t count_differences(const uint32_t *a, size_t a_count, const uint32_t *b,
                                size_t b_count)
{
    size_t i = 0, j = 0, differences = 0;
    while (i < a_count || j < b_count) {
        const bool in_a = i < a_count && (j == b_count || a[i] <= b[j]);
        const bool in_b = j < b_count && (i == a_count || b[j] <= a[i]);
        differences += in_a != in_b;
        i += in_a;
        j += in_b;
    }
    return differences;
}

/* Lists, and then what must follow from them: counts, whether, and lists that are cut off. */
static int verify(const session *s)
{
    const overlap_options *o = s->options;
    const size_t triangles = s->soup.triangle_count;
    uint32_t *truth = calloc(triangles + 1, sizeof *truth);
    uint32_t *part = calloc(triangles + 1, sizeof *part);
    output out = { .format = OUTPUT_TEXT };
    size_t differences = 0;
    int status = EXIT_DONE;
    if (truth == NULL || part == NULL) {
        status = report_memory();
        goto done;
    }
    const size_t expected = ask_list(s, true, truth, triangles);
    const size_t found = ask_list(s, false, s->prims, triangles);
    differences = count_differences(s->prims, found, truth, expected);
    differences += sl_bvh_overlaps(s->in.bvh, &s->volume, &s->query) != (expected > 0);
    differences += ask_list(s, false, NULL, 0) != expected;
    const size_t half = expected / 2;
    differences += ask_list(s, false, part, half) != expected;
    differences += count_differences(part, half, truth, half);
    const output_format format = o->common.json ? OUTPUT_JSON : o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    status = output_open(&out, o->out, format, "overlap", false);
    if (status != EXIT_DONE) {
        goto done;
    }
    if (format == OUTPUT_CSV) {
        output_record_begin(&out, "verify");
    }
    output_field(&out, "volume", value_text(volume_in_word(&s->volume)));
    output_field(&out, "triangles", value_count(triangles));
    output_field(&out, "touched", value_count(expected));
    output_field(&out, "differences", value_count(differences));
    if (format == OUTPUT_CSV) {
        output_record_end(&out);
    }
    status = output_close(&out);
done:
    free(truth);
    free(part);
    return status == EXIT_DONE && differences > 0 ? EXIT_NO : status;
}

static int check_options(const invocation *call)
{
    const overlap_options *o = call->options;
    if (o->list + o->count + o->any + o->verify > 1) {
        return report_usage(call->command,
                            "--list, --count, --any and --verify exclude each other");
    }
    if (o->common.json + o->csv + npy_is_name(o->out) > 1) {
        return report_usage(call->command, "--json, --csv and .npy exclude each other");
    }
    if (npy_is_name(o->out) && (o->count || o->any || o->verify)) {
        return report_usage(call->command, "only the list is an array; choose another --out");
    }
    if (o->verify && (o->brute || o->stats)) {
        return report_usage(call->command,
                            "--verify asks both ways; leave --brute and --stats out");
    }
    return EXIT_DONE;
}

static int open_session(session *s, const invocation *call)
{
    const overlap_options *o = s->options;
    int status = query_in_make(call, &o->query, &s->query);
    if (status == EXIT_DONE) {
        status = mesh_in_load(&s->in, call, 0, &o->mesh, &o->common);
    }
    if (status == EXIT_DONE) {
        status = query_in_masks(&o->query, s->in.mesh, &s->masks);
    }
    if (status == EXIT_DONE) {
        s->in.masks = s->masks;
        status = mesh_in_build(&s->in);
    }
    if (status == EXIT_DONE) {
        const sl_aabb bounds = sl_bvh_bounds(s->in.bvh);
        status = volume_in_make(call, &o->volume, &bounds, &s->volume);
    }
    if (status == EXIT_DONE) {
        s->soup = sl_mesh_soup(s->in.mesh);
        s->soup.masks = s->masks;
        s->query.stats = o->stats ? &s->stats : NULL;
        s->prims = calloc(s->soup.triangle_count + 1, sizeof *s->prims);
        status = s->prims == NULL ? report_memory() : EXIT_DONE;
    }
    return status;
}

static int run(const invocation *call)
{
    session s = { .options = call->options };
    int status = check_options(call);
    if (status == EXIT_DONE) {
        status = open_session(&s, call);
    }
    if (status == EXIT_DONE && s.options->verify) {
        status = verify(&s);
    } else if (status == EXIT_DONE) {
        ask(&s);
        status = npy_is_name(s.options->out) ? write_npy(&s) : print_answer(&s);
        status = status == EXIT_DONE && s.total == 0 ? EXIT_NO : status;
    }
    free(s.prims);
    mesh_in_close(&s.in);
    free(s.masks);
    return status;
}

const subcommand command_overlap = {
    .name = "overlap",
    .line = "which triangles a box, sphere, capsule, frustum or triangle touches",
    .usage = "MESH --aabb X0,Y0,Z0,X1,Y1,Z1 [OPTION...]",
    .about = "Prints the triangles of MESH (OBJ, PLY, STL or OFF; '-' is stdin) that a volume "
             "touches: a row of CSV for each, prim, its number, and face, that of the face of the "
             "file it came from. Touching counts: the answer is what exact arithmetic on the given "
             "numbers says. Volumes are solid: a triangle inside is touched too.",
    .examples =
        "  sightline overlap level.obj --aabb 0,0,0,2,1,2\n"
        "  sightline overlap level.obj --sphere 1,0.5,3,0.25 --any\n"
        "  sightline overlap spot.obj --frustum --size 800x600 --rectangle 350,250,450,350\n",
    .no = "nothing is touched, or --verify found differences",
    .argument_max = 1,
    .options_size = sizeof(overlap_options),
    .groups = { VOLUME_GROUP(overlap_options),
                { .title = "Report", .rows = rows },
                FILTER_GROUP(overlap_options),
                CAMERA_OF_VOLUME(overlap_options),
                MESH_GROUP(overlap_options),
                COMMON_GROUP(overlap_options) },
    .run = run,
};
