/* tools/los.c: line of sight: which pairs of points see each other, and what stands between. */
#include "tools/cli/report.h"
#include "tools/los/sight.h"
#include "tools/output/file_name.h"

static const option_row rows[] = {
    OPTION_ROW(TEXT, "segments", ask_options, segments, "FILE",
               "pairs of points, one pair a line: px py pz qx qy qz, blanks or commas between, '#' "
               "begins a comment; or CSV whose header names these; or .npy, float32 or float64 "
               "(N, 6); '-' is stdin",
               .file = OPTION_READ, .main = true, .not_names = "pairs"),
    ASK_SEGMENT_ROW,
    OPTION_FLAG_ROW("open-start", ask_options, open_start,
                    "a triangle that only touches the first point does not block", .main = true),
    OPTION_FLAG_ROW("open-end", ask_options, open_end,
                    "a triangle that only touches the second point does not block", .main = true),
    OPTION_FLAG_ROW("summary", ask_options, summary,
                    "print only how many pairs there are and how many are visible", .main = true,
                    .not_names = "count"),
    OPTION_FLAG_ROW(
        "double", ask_options, doubles,
        "read points as doubles, ask in doubles, and print t with 17 digits; for places far "
        "from the origin"),
    OPTION_FLAG_ROW("stats", ask_options, stats,
                    "report the work that was done, on stderr; in JSON with the answers"),
    OPTION_FLAG_ROW("csv", ask_options, csv, "print CSV (the default)"),
    OPTION_OUT_ROW(ask_options,
                   " of the blockers: records (N,) of t, u, v (float32), prim, instance and flags "
                   "(uint32), with prim 4294967295 for a pair that sees each other",
                   "csv", "json", "npy", "png", NULL),
    { .name = NULL },
};

static const ask_column columns[] = {
    { .name = "pair", .cell = ASK_CELL_ELEMENT },
    { .name = "visible", .cell = ASK_CELL_FREE },
    { .name = "t", .cell = ASK_CELL_T },
    { .name = "prim", .cell = ASK_CELL_PRIM },
    { .name = "u", .cell = ASK_CELL_U },
    { .name = "v", .cell = ASK_CELL_V },
    { .name = "instance", .cell = ASK_CELL_INSTANCE, .when = ASK_OF_SCENES },
    { .name = "name", .cell = ASK_CELL_NAME },
    { .name = "part", .cell = ASK_CELL_PART },
    { .name = NULL },
};

static int check_pairs(const invocation *call)
{
    const ask_options *o = call->options;
    if (file_name_ends(o->out, ".png")) {
        return report_usage(call->command, "a picture is of --matrix or --viewshed; name one");
    }
    if (o->segments == NULL && o->segment == NULL) {
        return report_usage(call->command, "there are no pairs of points; name --segments, "
                                           "--segment, --matrix or --viewshed");
    }
    return ask_check(call);
}

static void plan_pairs(const invocation *call, const ask_world *world, ask_plan *plan)
{
    const ask_options *o = call->options;
    (void)world;
    plan->mode = o->summary ? ASK_ANY : ASK_CLOSEST;
    plan->type = o->doubles ? ASK_HITS_D : ASK_HITS;
    plan->form = ASK_FORM_ROWS;
    plan->npy = ask_row_npy(plan->type);
    plan->key = "pairs";
    plan->columns = columns;
}

/* Those that see each other. */
static void tally_pair(const ask_block *block, size_t i, uint64_t sums[PART_SUMS])
{
    sums[0] += block->totals[i] == 0;
}

static void summarise_pairs(const ask_run *run, output *out)
{
    const uint64_t count = run->next - run->part.first;
    output_field(out, "pair_count", value_sum(count));
    output_field(out, "visible_count", value_sum(run->sums[0]));
    output_field(out, "blocked_count", value_sum(count - run->sums[0]));
}

static const ask_query pairs = { .kind = ASK_SEGMENTS,
                                 .elements = "segments",
                                 .counted = "pairs",
                                 .doing = "looking",
                                 .stats = ASK_STATS_COUNT | ASK_STATS_STAGES,
                                 .check = check_pairs,
                                 .plan = plan_pairs,
                                 .tally = tally_pair,
                                 .summarise = summarise_pairs };

static int run_los(const invocation *call)
{
    const los_options *o = call->options;
    const int status = sight_check(call);
    return status != EXIT_DONE ? status
           : o->sight.matrix != NULL || options_given(call, "viewshed")
               ? ask_run_all(call, &ask_query_sight)
               : ask_run_command(call);
}

const subcommand command_los = {
    .name = "los",
    .line = "line of sight: which pairs of points see each other, and what stands between",
    .usage = "MESH --segments FILE | --matrix FILE | --viewshed X,Y,Z [OPTION...]",
    .about =
        "For each pair of points prints a row of CSV, in the order of the input: whether they "
        "see each other, and if not the closest blocker: its t (0 at the first point, 1 at the "
        "second), prim (the triangle's number in MESH) and u, v (weights of its vertices 1 "
        "and 2). Touching counts as blocking, unless --open-start or --open-end says "
        "otherwise. Memory does not grow with "
        "the number of pairs. --matrix asks all points of a file about all of another, --viewshed "
        "what is seen from one point all over MESH.",
    .examples = "  echo '0 0 5  0 0 -5' | sightline los level.obj --segments -\n"
                "  sightline los level.obj --segments pairs.npy --open-start --open-end --summary\n"
                "  sightline los level.obj --matrix guards.csv --targets doors.csv -o seen.npy\n"
                "  sightline los level.obj --viewshed 3,1.7,4 --rise 1.7 -o seen.png\n",
    .no = "the only pair does not see each other",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(los_options),
    .groups = { { .title = "Pairs", .rows = rows },
                { .title = "All with all",
                  .rows = sight_matrix_rows,
                  .offset = offsetof(los_options, sight) },
                { .title = "What is seen from a point",
                  .rows = sight_view_rows,
                  .offset = offsetof(los_options, sight) },
                QUERY_GROUP(ask_options),
                PROXY_GROUP(ask_options),
                PARTS_GROUP(ask_options),
                ASK_WORLD_GROUPS },
    .query = &pairs,
    .run = run_los,
};
