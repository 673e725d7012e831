/* ask/near.c: the queries of 'nearest' and 'within'. */
#include "tools/ask/near.h"

#include "tools/ask/verify.h"
#include "tools/cli/report.h"
#include "tools/generate/point_kinds.h"

const option_row ask_near_report_rows[] = {
    OPTION_FLAG_ROW("csv", ask_options, csv, "print CSV (the default)"),
    OPTION_OUT_ROW(ask_options,
                   ": records of distance, u, v (float32), prim, instance, flags (uint32) and "
                   "point (3 float32); of 'nearest' (N,) or, with -k above 1, (N, K); of 'within' "
                   "the triangles of all points, and NAME.offsets.npy, uint64 (N + 1,), says where "
                   "those of each point begin and end; for count uint64 (N,); of a scene the point "
                   "is 3 float64",
                   "csv", "json", "npy", NULL),
    OPTION_FLAG_ROW(
        "stats", ask_options, stats,
        "report the work that was done, on stderr, or in JSON with the answers; with --verify "
        "how long the tree and every triangle in turn take, by the size of the answer"),
    { .name = NULL },
};

static const ask_column columns[] = {
    { .name = "point", .cell = ASK_CELL_ELEMENT },
    { .name = "total", .cell = ASK_CELL_TOTAL, .when = ASK_OF_LISTS },
    { .name = "rank", .cell = ASK_CELL_RANK, .when = ASK_OF_LISTS },
    { .name = "distance", .cell = ASK_CELL_T },
    { .name = "prim", .cell = ASK_CELL_PRIM },
    { .name = "face", .cell = ASK_CELL_FACE },
    { .name = "x", .cell = ASK_CELL_POINT },
    { .name = "y", .cell = ASK_CELL_POINT + 1 },
    { .name = "z", .cell = ASK_CELL_POINT + 2 },
    { .name = "u", .cell = ASK_CELL_U },
    { .name = "v", .cell = ASK_CELL_V },
    { .name = "instance", .cell = ASK_CELL_INSTANCE, .when = ASK_OF_SCENES },
    { .name = "name", .cell = ASK_CELL_NAME },
    { .name = "part", .cell = ASK_CELL_PART },
    { .name = NULL },
};
static const ask_column count_columns[] = { { .name = "point", .cell = ASK_CELL_ELEMENT },
                                            { .name = "count", .cell = ASK_CELL_TOTAL },
                                            { .name = NULL } };

static void plan_rows(const invocation *call, const ask_world *world, bool within, ask_plan *plan)
{
    enum { BLOCK_ROWS = 1 << 18 };
    const ask_options *o = call->options;
    const size_t keep = (size_t)o->keep;
    const bool limited = options_given(call, "radius") || options_given(call, "max-distance");
    plan->has_limits =
        o->points == NULL && o->point == NULL && !limited && (within || o->verify.verify);
    plan->doubles = world->in.scene != NULL;
    plan->type = plan->doubles ? ASK_NEAREST_D : ASK_NEAREST;
    plan->npy = ask_row_npy(plan->type);
    plan->keep = keep;
    plan->capacity = BLOCK_ROWS / keep < ASK_BLOCK ? BLOCK_ROWS / keep : ASK_BLOCK;
    plan->capacity = plan->capacity > 0 ? plan->capacity : 1;
    plan->columns = columns;
}

static void plan_nearest(const invocation *call, const ask_world *world, ask_plan *plan)
{
    const ask_options *o = call->options;
    plan_rows(call, world, false, plan);
    plan->is_list = o->keep > 1;
    plan->mode = plan->is_list ? ASK_FEW : ASK_CLOSEST;
    plan->form = ASK_FORM_ROWS;
    plan->npy_columns = plan->is_list ? o->keep : 0;
}

static void plan_within(const invocation *call, const ask_world *world, ask_plan *plan)
{
    const ask_options *o = call->options;
    plan_rows(call, world, true, plan);
    plan->is_list = true;
    plan->mode = ASK_ALL;
    plan->form = ASK_FORM_LISTS;
    if (o->mode == 1) {
        plan->mode = ASK_COUNT;
        plan->keep = 0;
        plan->capacity = ASK_BLOCK;
        plan->form = ASK_FORM_TOTALS;
        plan->npy = NPY_OUT_U8;
        plan->columns = count_columns;
    }
}

static int check_within(const invocation *call)
{
    if (!options_given(call, "radius") && !options_given(call, "generate")) {
        return report_usage(call->command, "there is no radius; name --radius");
    }
    return ask_check(call);
}

#define NEAR_QUERY                                                                                 \
    .kind = ASK_NEAR, .elements = "points", .counted = "points", .doing = "measuring",             \
    .kind_count = POINT_KIND_COUNT, .stats = ASK_STATS_COUNT | ASK_STATS_STAGES,                   \
    .verify = &verify_near

const ask_query ask_query_nearest = { NEAR_QUERY, .plan = plan_nearest };
const ask_query ask_query_within = { NEAR_QUERY, .check = check_within, .plan = plan_within };
