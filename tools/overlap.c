/* tools/overlap.c: which triangles volumes touch. */
#include "tools/ask/verify.h"
#include "tools/cli/report.h"
#include "tools/generate/volume_kinds.h"

typedef enum overlap_mode { OVERLAP_ALL, OVERLAP_ANY, OVERLAP_COUNT } overlap_mode;

static const option_row volumes_rows[] = {
    OPTION_ROW(
        TEXT, "volumes", ask_options, volumes, "FILE",
        "volumes, one a line: aabb, sphere, obb, capsule, triangle, planes or hull, and "
        "behind it the numbers of the option of that name, blanks or commas between; '#' begins a "
        "comment; '-' is stdin",
        .file = OPTION_READ, .main = true),
    OPTION_CHOICE_ROW(
        "generate", ask_options, generate.kind, volume_kind_words,
        "generate volumes instead of reading them, the same on every machine; every other one is "
        "awkward: it touches a vertex, is flat, or misses by one step of a float"),
    { .name = NULL },
};

static const char *const mode_words[] = { "all", "any", "count", NULL };

static const option_row rows[] = {
    OPTION_CHOICE_ROW(
        "mode", ask_options, mode, mode_words,
        "print each triangle that is touched, in rising order, or only whether there is one, "
        "or how many",
        .fallback = "all", .main = true, .not_names = "list count any"),
    OPTION_FLAG_ROW("csv", ask_options, csv, "print CSV (the default of --mode all)"),
    OPTION_OUT_ROW(ask_options,
                   ": for all prim (uint32), of a scene records of instance and prim (uint32), for "
                   "any uint8 (N,), for count uint64 (N,); for all of many volumes "
                   "NAME.offsets.npy, uint64 (N + 1,), says where the list of each begins and ends",
                   "csv", "json", "npy", NULL),
    OPTION_FLAG_ROW(
        "stats", ask_options, stats,
        "report the work that was done, on stderr, or in JSON with the answers; with --verify "
        "how long the tree and every triangle in turn take, by the size of the answer"),
    { .name = NULL },
};

static const ask_column list_columns[] = {
    { .name = "volume", .cell = ASK_CELL_ELEMENT, .when = ASK_OF_MANY },
    { .name = "instance", .cell = ASK_CELL_INSTANCE, .when = ASK_OF_SCENES },
    { .name = "prim", .cell = ASK_CELL_PRIM },
    { .name = "face", .cell = ASK_CELL_FACE },
    { .name = "name", .cell = ASK_CELL_NAME },
    { .name = "part", .cell = ASK_CELL_PART },
    { .name = NULL },
};
static const ask_column any_columns[] = { { .name = "volume", .cell = ASK_CELL_ELEMENT },
                                          { .name = "touches", .cell = ASK_CELL_TOTAL },
                                          { .name = NULL } };
static const ask_column count_columns[] = { { .name = "volume", .cell = ASK_CELL_ELEMENT },
                                            { .name = "count", .cell = ASK_CELL_TOTAL },
                                            { .name = NULL } };

static bool is_many(const invocation *call)
{
    const ask_options *o = call->options;
    return o->volumes != NULL || options_given(call, "generate");
}

static int check_overlap(const invocation *call)
{
    const ask_options *o = call->options;
    if (o->verify.verify && options_given(call, "mode")) {
        return report_usage(call->command, "--mode and --verify exclude each other");
    }
    const int status = ask_check(call);
    if (status == EXIT_DONE && npy_is_name(o->out) && !is_many(call) && o->mode != OVERLAP_ALL) {
        return report_usage(call->command, "only --mode all is an array; choose another --out");
    }
    return status != EXIT_DONE ? status
           : is_many(call)     ? volume_spec_check_none(call)
                               : volume_spec_check(call, &o->volume);
}

/* Lists are asked for one by one: each may be as long as the world. */
static void plan_overlap(const invocation *call, const ask_world *world, ask_plan *plan)
{
    const ask_options *o = call->options;
    const bool list = o->mode == OVERLAP_ALL, is_scene = world->in.scene != NULL;
    plan->is_many = is_many(call);
    plan->type = ASK_REFS;
    plan->mode = list ? ASK_ALL : o->mode == OVERLAP_ANY ? ASK_ANY : ASK_COUNT;
    plan->keep = list && !is_scene ? world->soup.triangle_count : 0;
    plan->capacity = list ? 1 : 1024;
    plan->form = !list           ? o->mode == OVERLAP_ANY ? ASK_FORM_YES : ASK_FORM_TOTALS
                 : plan->is_many ? ASK_FORM_LISTS
                                 : ASK_FORM_LIST;
    plan->npy = !list      ? o->mode == OVERLAP_ANY ? NPY_OUT_U1 : NPY_OUT_U8
                : is_scene ? NPY_OUT_REFS
                           : NPY_OUT_U4;
    plan->key = plan->is_many || is_scene ? "answers" : "triangles";
    plan->columns = list ? list_columns : o->mode == OVERLAP_ANY ? any_columns : count_columns;
}

static void put_one(ask_run *run)
{
    const ask_options *o = run->options;
    output *out = &run->text;
    const uint64_t total = run->block.totals[0];
    const bool list = o->mode == OVERLAP_ALL, record = !list && out->format == OUTPUT_CSV;
    const bool more = o->common.json && run->world.in.scene == NULL;
    if (more) {
        output_field(out, "volume", value_text(run->source.name));
    }
    if (record) {
        output_record_begin(out, "overlap");
    }
    if (more || o->mode == OVERLAP_ANY) {
        output_field(out, "touches", value_bool(total > 0));
    }
    if (o->mode == OVERLAP_COUNT || (more && list)) {
        output_field(out, "count", value_count(total));
    }
    if (record) {
        output_record_end(out);
    }
    if (list) {
        ask_out_table(run);
    }
}

/* One volume is asked about before its answer is opened, which may say how long it is. */
static int answer_overlap(ask_run *run)
{
    const ask_options *o = run->options;
    const output_format format = o->common.json                     ? OUTPUT_JSON
                                 : o->mode == OVERLAP_ALL || o->csv ? OUTPUT_CSV
                                                                    : OUTPUT_TEXT;
    if (run->plan.is_many) {
        return ask_answer(run);
    }
    int status = ask_open_elements(run);
    status = status == EXIT_DONE ? ask_source_fill(&run->source, &run->block) : status;
    status = status == EXIT_DONE ? ask_block_answer(run) : status;
    status = status == EXIT_DONE ? ask_out_open(run, format, run->block.totals[0]) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    if (!run->is_npy) {
        put_one(run);
    }
    (void)ask_out_write(run);
    return ask_out_close(run);
}

static const ask_query query = { .kind = ASK_VOLUMES,
                                 .elements = "volumes",
                                 .doing = "overlapping",
                                 .kind_count = VOLUME_KIND_COUNT,
                                 .optional = true,
                                 .stats = ASK_STATS_HITS,
                                 .check = check_overlap,
                                 .plan = plan_overlap,
                                 .answer = answer_overlap,
                                 .verify = &verify_volumes };

const subcommand command_overlap = {
    .name = "overlap",
    .line = "which triangles a box, sphere, capsule, frustum, triangle or hull touches",
    .usage = "MESH --aabb X0,Y0,Z0,X1,Y1,Z1 [OPTION...]",
    .about =
        "Prints the triangles of MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) that a volume "
        "touches: a row of CSV for each, prim, its number, and face, that of the face of the "
        "file it came from. Touching counts: the answer is what exact arithmetic on the given "
        "numbers says. Volumes are solid: a triangle inside is touched too. Of many volumes "
        "each row "
        "begins with the number of the volume, counted from 0. Of a scene rows name the "
        "instance, too.",
    .examples =
        "  sightline overlap level.obj --aabb 0,0,0,2,1,2\n"
        "  sightline overlap level.obj --sphere 1,0.5,3,0.25 --mode any\n"
        "  sightline overlap spot.obj --frustum --size 800x600 --rectangle 350,250,450,350\n"
        "  sightline overlap level.obj --volumes triggers.txt --mode any\n"
        "  sightline overlap level.obj --verify --generate all --number 100\n",
    .no = "nothing is touched, or --verify found differences",
    ASK_SUBCOMMAND,
    .groups = { VOLUME_GROUP(ask_options),
                { .title = "Many volumes", .rows = volumes_rows },
                GENERATE_GROUP(ask_options, generate),
                { .title = "Report", .rows = rows },
                FILTER_GROUP(ask_options),
                PROXY_GROUP(ask_options),
                CAMERA_OF_VOLUME(ask_options),
                ASK_WORLD_GROUPS,
                FILTERED_VERIFY_GROUP(ask_options, verify) },
    .query = &query,
};
