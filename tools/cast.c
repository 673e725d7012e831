/* tools/cast.c: rays and segments against a mesh or a scene: closest, any, all, count. */
#include "tools/ask/verify.h"
#include "tools/cli/report.h"
#include "tools/generate/ray_kinds.h"

static const char *const mode_words[] = { "closest", "any", "all", "count", NULL };

static const option_row ray_rows[] = {
    OPTION_ROW(TEXT, "rays", ask_options, rays, "FILE",
               "rays to cast, one a line: ox oy oz dx dy dz [tmin tmax], blanks or commas between, "
               "'#' begins a comment; or CSV whose header names these; or .npy, float32 or float64 "
               "(N, 6) or (N, 8); '-' is stdin",
               .file = OPTION_READ, .main = true),
    OPTION_ROW(
        TEXT, "segments", ask_options, segments, "FILE",
        "segments instead of rays, one a line: px py pz qx qy qz, the two ends; or CSV whose "
        "header names these; or .npy, float32 or float64 (N, 6); t runs from 0 to 1",
        .file = OPTION_READ, .main = true),
    OPTION_ROW(TEXT, "ray", ask_options, ray, "NUMBERS",
               "the only ray, in one word: \"ox oy oz dx dy dz\", and \"tmin tmax\" behind that",
               .main = true, .once = true),
    ASK_SEGMENT_ROW,
    OPTION_FLAG_ROW("open-start", ask_options, open_start,
                    "a hit exactly at the first end of a segment does not count"),
    OPTION_FLAG_ROW("open-end", ask_options, open_end,
                    "a hit exactly at the second end of a segment does not count"),
    OPTION_ROW(REAL, "tmin", ask_options, tmin, "T",
               "hits before T do not count, for rays that bring no limits", .fallback = "0",
               .infinite = true, .not_names = "t-min min-t near"),
    OPTION_ROW(REAL, "tmax", ask_options, tmax, "T",
               "hits after T do not count, for rays that bring no limits", .fallback = "inf",
               .infinite = true, .not_names = "t-max max-t far max-distance range length"),
    OPTION_CHOICE_ROW(
        "generate", ask_options, generate.kind, ray_kind_words,
        "generate rays instead of reading them, the same on every machine; vertices, edges and "
        "nearmiss are segments"),
    OPTION_ROW(COUNT, "pairs", ask_options, pairs, "P",
               "instead of --number: generate as many as make rays times triangles, over all "
               "kinds, about P, such as 5e9",
               .min = 1, .max = 1e15),
    { .name = NULL },
};

static const option_row mode_rows[] = {
    OPTION_CHOICE_ROW("mode", ask_options, mode, mode_words, "what to find of each ray",
                      .main = true, .not_names = "query closest any all", .fallback = "closest"),
    OPTION_ROW(COUNT, "keep", ask_options, keep, "K",
               "for --mode all: keep the K nearest hits of each ray", .letter = 'k', .main = true,
               .not_names = "max-hits max-found k top", .fallback = "8", .min = 1, .max = 65536),
    OPTION_FLAG_ROW(
        "crossings", ask_options, crossings,
        "surfaces crossed instead of triangles hit: a shared edge or vertex is one crossing, "
        "or none where it is only grazed"),
    OPTION_FLAG_ROW(
        "double", ask_options, doubles,
        "read rays and segments as doubles, ask in doubles, and print t with 17 digits; for "
        "places far from the origin",
        .main = true, .not_names = "float64 doubles precision"),
    { .name = NULL },
};

static const option_row report_rows[] = {
    OPTION_FLAG_ROW(
        "surface", ask_options, surface,
        "also print, for closest and all, the number of the face of the file, and the point "
        "and the normal of the hit",
        .main = true, .not_names = "normal normals point position"),
    OPTION_FLAG_ROW("stats", ask_options, stats,
                    "report the work done and the time taken: on stderr, or within JSON"),
    OPTION_ROW(COUNT, "repeat", ask_options, repeat, "R", "for --stats: repeat every query R times",
               .fallback = "1", .min = 1, .max = 1000000),
    OPTION_OUT_ROW(ask_options,
                   ": for closest records (N,) of t, u, v (float32), prim, instance and flags "
                   "(uint32), with prim 4294967295 for a miss, and with --double t as float64 and "
                   "4 bytes of padding; for any uint8 (N,); for count uint64 (N,); for all records "
                   "of the hits, and NAME.offsets.npy, uint64 (N + 1,), says where those of each "
                   "ray begin and end",
                   "csv", "json", "npy", NULL),
    OPTION_FLAG_ROW("csv", ask_options, csv, "print CSV (the default)"),
    { .name = NULL },
};

static const ask_column hit_columns[] = {
    { .name = "ray", .cell = ASK_CELL_ELEMENT },
    { .name = "total", .cell = ASK_CELL_TOTAL, .when = ASK_OF_LISTS },
    { .name = "hit", .cell = ASK_CELL_RANK, .when = ASK_OF_LISTS },
    { .name = "t", .cell = ASK_CELL_T },
    { .name = "u", .cell = ASK_CELL_U },
    { .name = "v", .cell = ASK_CELL_V },
    { .name = "prim", .cell = ASK_CELL_PRIM },
    { .name = "instance", .cell = ASK_CELL_INSTANCE },
    { .name = "flags", .cell = ASK_CELL_FLAGS },
    { .name = "name", .cell = ASK_CELL_NAME },
    { .name = "part", .cell = ASK_CELL_PART },
    { .name = "face", .cell = ASK_CELL_FACE, .when = ASK_ON_SURFACE },
    { .name = "point_x", .cell = ASK_CELL_POINT, .when = ASK_ON_SURFACE },
    { .name = "point_y", .cell = ASK_CELL_POINT + 1, .when = ASK_ON_SURFACE },
    { .name = "point_z", .cell = ASK_CELL_POINT + 2, .when = ASK_ON_SURFACE },
    { .name = "normal_x", .cell = ASK_CELL_NORMAL, .when = ASK_ON_SURFACE },
    { .name = "normal_y", .cell = ASK_CELL_NORMAL + 1, .when = ASK_ON_SURFACE },
    { .name = "normal_z", .cell = ASK_CELL_NORMAL + 2, .when = ASK_ON_SURFACE },
    { .name = NULL },
};
static const ask_column any_columns[] = { { .name = "ray", .cell = ASK_CELL_ELEMENT },
                                          { .name = "hit", .cell = ASK_CELL_FOUND },
                                          { .name = NULL } };
static const ask_column count_columns[] = { { .name = "ray", .cell = ASK_CELL_ELEMENT },
                                            { .name = "count", .cell = ASK_CELL_TOTAL },
                                            { .name = NULL } };

/* By the words of --mode; npy: where it is not the type of a row. */
static const struct {
    ask_form form;
    npy_out_type npy;
    const ask_column *columns;
} forms[] = {
    [ASK_CLOSEST] = { ASK_FORM_ROWS, NPY_OUT_HITS, hit_columns },
    [ASK_ANY] = { ASK_FORM_YES, NPY_OUT_U1, any_columns },
    [ASK_ALL] = { ASK_FORM_LISTS, NPY_OUT_HITS, hit_columns },
    [ASK_COUNT] = { ASK_FORM_TOTALS, NPY_OUT_U8, count_columns },
};

/* The rules about where rays come from and what limits them. */
static int check_source(const invocation *call)
{
    const ask_options *o = call->options;
    const bool rays = o->rays != NULL || o->ray != NULL;
    if (!rays && (options_given(call, "tmin") || options_given(call, "tmax"))) {
        return report_usage(call->command, "--tmin and --tmax are for --rays and --ray only");
    }
    if (rays && (o->open_start || o->open_end)) {
        return report_usage(call->command, "--open-start and --open-end are for segments; rays "
                                           "have --tmin and --tmax");
    }
    if (!options_given(call, "generate") && o->pairs != 0) {
        return report_usage(call->command, "--pairs needs --generate");
    }
    return EXIT_DONE;
}

static int check_cast(const invocation *call)
{
    const ask_options *o = call->options;
    if (options_given(call, "keep") && o->mode != ASK_ALL) {
        return report_usage(call->command, "--keep needs --mode all");
    }
    if (o->surface && (o->verify.verify || npy_is_name(o->out) ||
                       (o->mode != ASK_CLOSEST && o->mode != ASK_ALL))) {
        return report_usage(call->command, "--surface is for closest and all, in CSV or JSON");
    }
    const int status = ask_check(call);
    return status == EXIT_DONE ? check_source(call) : status;
}

static void plan_cast(const invocation *call, const ask_world *world, ask_plan *plan)
{
    enum { BLOCK_HITS = 1 << 18 };
    const ask_options *o = call->options;
    const bool has_rows = o->mode == ASK_CLOSEST || o->mode == ASK_ALL;
    (void)world;
    plan->mode = (ask_mode)o->mode;
    plan->type = o->doubles ? ASK_HITS_D : ASK_HITS;
    plan->keep = o->mode == ASK_ALL ? (size_t)o->keep : 1;
    plan->capacity = BLOCK_HITS / plan->keep < ASK_BLOCK ? BLOCK_HITS / plan->keep : ASK_BLOCK;
    plan->is_list = o->mode == ASK_ALL;
    plan->form = forms[o->mode].form;
    plan->npy = has_rows ? ask_row_npy(plan->type) : forms[o->mode].npy;
    plan->columns = forms[o->mode].columns;
}

static const ask_query query = { .kind = ASK_RAYS,
                                 .elements = "rays",
                                 .doing = "casting",
                                 .modes = mode_words,
                                 .kind_count = RAY_KIND_COUNT,
                                 .needs = ASK_VERIFIES_SCENES,
                                 .stats = ASK_STATS_RAYS | ASK_STATS_STAGES | ASK_STATS_HITS,
                                 .check = check_cast,
                                 .plan = plan_cast,
                                 .verify = &verify_rays };

const subcommand command_cast = {
    .name = "cast",
    .line = "rays and segments against a mesh: the closest hit, any, all, or how many",
    .usage = "MESH --rays FILE | --segments FILE [OPTION...]",
    .about =
        "Casts each ray at MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) and prints a row of CSV "
        "for it, in the order of the input: the closest hit's t, u, v (weights of vertices 1 "
        "and 2), prim (the triangle's number in the file), instance (its number in a scene, else "
        "0) and "
        "flags (1 back, 2 on an edge, 4 on a vertex, added up), all empty for a miss. Memory "
        "does not grow with the number "
        "of rays. Hits are exact: edges, vertices and limits included.",
    .examples = "  echo '0 0 5  0 0 -1' | sightline cast bunny.ply --rays -\n"
                "  sightline cast bunny.ply --rays rays.npy --mode any -o hit.npy\n"
                "  sightline cast bunny.ply --verify --generate all --pairs 1e9\n",
    .no = "the only ray hits nothing, or --verify found differences",
    ASK_SUBCOMMAND,
    .groups = { { .title = "Rays", .rows = ray_rows },
                GENERATE_GROUP(ask_options, generate),
                { .title = "Query", .rows = mode_rows },
                QUERY_GROUP(ask_options),
                PROXY_GROUP(ask_options),
                { .title = "Report", .rows = report_rows },
                PARTS_GROUP(ask_options),
                ASK_WORLD_GROUPS,
                VERIFY_GROUP(ask_options, verify) },
    .query = &query,
};
