/* tools/inside.c: which points are inside of a mesh, and in which instances of a scene. */
#include "tools/ask/verify.h"
#include "tools/cli/report.h"
#include "tools/generate/point_kinds.h"

enum { MOST_INSTANCES = 64 };

static const char *const by_words[] = { "auto", "parity", "winding", NULL };

static const option_row what_rows[] = {
    OPTION_CHOICE_ROW(
        "by", ask_options, by, by_words,
        "what makes a point inside of a mesh: parity, an odd number of crossings, so that what "
        "two closed parts have in common is outside, and a shell in a shell is a hole; winding, "
        "that the surface runs around it by more than half a turn, so that parts which overlap "
        "are one body; auto: parity where the mesh is closed, else winding",
        .fallback = "auto", .main = true),
    { .name = NULL },
};

static const option_row report_rows[] = {
    OPTION_FLAG_ROW("summary", ask_options, summary,
                    "print only how many points there are and how many are inside, and where "
                    "parity and winding tell different things, which of them to take",
                    .main = true, .not_names = "count"),
    OPTION_FLAG_ROW("csv", ask_options, csv, "print CSV (the default)"),
    OPTION_OUT_ROW(ask_options,
                   ": records (N,) of crossings (uint64), winding (float64) and inside, by_parity, "
                   "by_winding, differ and on_surface (bool)",
                   "csv", "json", "npy", NULL),
    OPTION_FLAG_ROW("stats", ask_options, stats,
                    "report the work that was done, on stderr; in JSON with the answers"),
    { .name = NULL },
};

static const ask_column mesh_columns[] = {
    { .name = "point", .cell = ASK_CELL_ELEMENT },
    { .name = "inside", .cell = ASK_CELL_INSIDE },
    { .name = "parity", .cell = ASK_CELL_PARITY },
    { .name = "winding", .cell = ASK_CELL_WINDING },
    { .name = "crossings", .cell = ASK_CELL_CROSSINGS },
    { .name = "differ", .cell = ASK_CELL_DIFFER },
    { .name = "on_surface", .cell = ASK_CELL_ON_SURFACE },
    { .name = NULL },
};
static const ask_column scene_columns[] = {
    { .name = "point", .cell = ASK_CELL_ELEMENT },
    { .name = "inside", .cell = ASK_CELL_FOUND },
    { .name = "total", .cell = ASK_CELL_TOTAL },
    { .name = "rank", .cell = ASK_CELL_RANK },
    { .name = "instance", .cell = ASK_CELL_INSTANCE },
    { .name = "name", .cell = ASK_CELL_NAME },
    { .name = NULL },
};

static int check_inside(const invocation *call)
{
    const ask_options *o = call->options;
    if (o->verify.verify && (o->stats || o->summary)) {
        return report_usage(call->command, "--verify has no --stats and no --summary");
    }
    return ask_check(call);
}

static void plan_inside(const invocation *call, const ask_world *world, ask_plan *plan)
{
    (void)call;
    plan->mode = ASK_CLOSEST;
    plan->type = ASK_INSIDES;
    plan->form = ASK_FORM_ROWS;
    plan->npy = NPY_OUT_INSIDE;
    plan->columns = mesh_columns;
    if (world->in.scene != NULL) {
        plan->mode = ASK_ALL;
        plan->doubles = true;
        plan->type = ASK_INSTANCES;
        plan->keep = MOST_INSTANCES;
        plan->capacity = 4096;
        plan->form = ASK_FORM_TOTALS;
        plan->npy = NPY_OUT_U8;
        plan->columns = scene_columns;
    }
}

static void tally_inside(const ask_block *block, size_t i, uint64_t sums[PART_SUMS])
{
    if (block->type == ASK_INSTANCES) {
        sums[0] += block->totals[i] > 0;
        return;
    }
    const sl_inside *inside = ask_block_row(block, i);
    sums[0] += inside->inside;
    sums[1] += inside->on_surface;
    sums[2] += inside->differ;
}

/* By the mesh alone, so that parts of a run say the same.  Without a boundary a winding number is
 * odd where the number of crossings is: the two differ where the surface runs around a point
 * twice, or more often. */
static const char *what_to_take(const sl_boundary *boundary)
{
    const sl_boundary_info info = sl_boundary_get_info(boundary);
    return info.edge_count == 0  ? "winding if parts overlap, parity if inner shells are holes"
           : info.odd_count == 0 ? "parity, since triangles are wound in different ways"
                                 : "winding, since the mesh is open";
}

static void summarise_inside(const ask_run *run, output *out)
{
    output_field(out, "point_count", value_sum(run->next - run->part.first));
    output_field(out, "inside_count", value_sum(run->sums[0]));
    if (run->world.in.scene == NULL) {
        output_field(out, "on_surface_count", value_sum(run->sums[1]));
        output_field(out, "differ_count", value_sum(run->sums[2]));
        output_field(out, "where_they_differ", value_text(what_to_take(run->world.boundary)));
    }
}

/* How the points of a mesh are judged. */
static void note_judged(const ask_world *world, output *out)
{
    sl_boundary_info info;
    if (world->boundary != NULL) {
        info = sl_boundary_get_info(world->boundary);
        const bool closed = info.odd_count == 0;
        const bool by_parity = world->by == ASK_BY_AUTO ? closed : world->by == ASK_BY_PARITY;
        output_field(out, "judged_by", value_text(by_parity ? "parity" : "winding"));
        output_field(out, "boundary_edges", value_count(info.edge_count));
    }
}

static const ask_query query = { .kind = ASK_INSIDE,
                                 .elements = "points",
                                 .counted = "points",
                                 .doing = "asking",
                                 .kind_count = POINT_KIND_COUNT,
                                 .needs = ASK_NEEDS_BOUNDARY,
                                 .stats = ASK_STATS_COUNT | ASK_STATS_STAGES,
                                 .check = check_inside,
                                 .plan = plan_inside,
                                 .tally = tally_inside,
                                 .summarise = summarise_inside,
                                 .note = note_judged,
                                 .verify = &verify_inside };

const subcommand command_inside = {
    .name = "inside",
    .line = "which points are inside",
    .usage = "MESH --points FILE [OPTION...]",
    .about =
        "For each point prints a row of CSV, in the order of the input: whether it is inside; "
        "parity, whether a ray from it crosses the surface an odd number of times; winding, how "
        "often the surface runs around it; crossings, how many there are; differ, whether parity "
        "and winding tell different things; on_surface, whether it lies on a triangle. Without "
        "--by a mesh is judged by parity where every edge is used by an even number of triangles, "
        "and else by winding, more than half a turn being inside. Parity and crossings are exact; "
        "so is winding where the mesh is closed. Of a scene: how many instances contain the point, "
        "each "
        "judged by parity, and a row for each of them, up to 64; in .npy how many, uint64 (N,). "
        "Memory does not grow with the number of points.",
    .examples = "  echo '0 0 0' | sightline inside bunny.ply --points -\n"
                "  sightline inside bunny.ply --points cloud.npy -o inside.npy\n"
                "  sightline inside bunny.ply --points cloud.npy --summary\n"
                "  sightline inside parts.stl --points cloud.npy --by winding\n"
                "  sightline inside bunny.ply --verify --generate all\n",
    .no = "the only point is not inside, or --verify found differences",
    ASK_SUBCOMMAND,
    .groups = { ASK_POINT_GROUPS,
                { .title = "What", .rows = what_rows },
                { .title = "Report", .rows = report_rows },
                PARTS_GROUP(ask_options),
                FILTER_GROUP(ask_options),
                PROXY_GROUP(ask_options),
                ASK_WORLD_GROUPS,
                VERIFY_GROUP(ask_options, verify) },
    .query = &query,
};
