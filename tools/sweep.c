/* tools/sweep.c: what volumes that move meet first, or all that they meet. */
#include "tools/ask/ask.h"
#include "tools/cli/report.h"

typedef enum sweep_mode { SWEEP_FIRST, SWEEP_ANY, SWEEP_ALL, SWEEP_COUNT } sweep_mode;

static const char *const mode_words[] = { "first", "any", "all", "count", NULL };
static const char *const start_words[] = { "report", "ignore-receding", "ignore", NULL };
static const char *const grazing_words[] = { "report", "ignore", NULL };

static const option_row motion_rows[] = {
    OPTION_ROW(REALS, "dir", ask_options, dir, "X,Y,Z",
               "how far the volume moves; t is 0 where it starts and 1 where it ends", .main = true,
               .length = 3, .not_names = "direction motion move to velocity"),
    OPTION_ROW(TEXT, "sweeps", ask_options, sweeps, "FILE",
               "many, one a line: aabb, sphere, obb, capsule, triangle or hull, behind it the "
               "numbers of the option of that name and the three of its motion; '#' begins a "
               "comment; '-' is "
               "stdin",
               .file = OPTION_READ, .main = true),
    OPTION_CHOICE_ROW("touching", ask_options, touching, start_words,
                      "what a triangle does that the volume touches where it starts: it is met at "
                      "t = 0, or not while the volume rests or moves away, or never",
                      .fallback = "report"),
    OPTION_CHOICE_ROW("overlapping", ask_options, overlapping, start_words,
                      "likewise of one that it overlaps there", .fallback = "report"),
    OPTION_CHOICE_ROW("grazing", ask_options, grazing, grazing_words,
                      "likewise of one that it comes to touch later and would not overlap if it "
                      "moved on, as the next triangle of a floor that it slides over",
                      .fallback = "report"),
    { .name = NULL },
};

static const option_row rows[] = {
    OPTION_CHOICE_ROW("mode", ask_options, mode, mode_words, "what to find of each sweep",
                      .main = true, .fallback = "first"),
    OPTION_ROW(COUNT, "keep", ask_options, keep, "K",
               "for --mode all: keep the first K contacts of each", .letter = 'k', .fallback = "8",
               .min = 1, .max = 65536),
    OPTION_FLAG_ROW("csv", ask_options, csv, "print CSV (the default)"),
    OPTION_OUT_ROW(ask_options,
                   ": for first records (N,) of t, t_safe (float64), prim, instance, start and "
                   "flags (uint32), point and normal (3 float64 each), with prim 4294967295 where "
                   "nothing is met; for any uint8 (N,); for count uint64 (N,); for all records of "
                   "the contacts, and NAME.offsets.npy, uint64 (N + 1,), says where those of each "
                   "begin and end",
                   "csv", "json", "npy", NULL),
    OPTION_FLAG_ROW("stats", ask_options, stats,
                    "report the work that was done, on stderr, or in JSON with the answers"),
    { .name = NULL },
};

static const ask_column contact_columns[] = {
    { .name = "sweep", .cell = ASK_CELL_ELEMENT },
    { .name = "total", .cell = ASK_CELL_TOTAL, .when = ASK_OF_LISTS },
    { .name = "contact", .cell = ASK_CELL_RANK, .when = ASK_OF_LISTS },
    { .name = "t", .cell = ASK_CELL_T },
    { .name = "t_safe", .cell = ASK_CELL_T_SAFE },
    { .name = "prim", .cell = ASK_CELL_PRIM },
    { .name = "instance", .cell = ASK_CELL_INSTANCE },
    { .name = "start", .cell = ASK_CELL_START },
    { .name = "flags", .cell = ASK_CELL_FLAGS },
    { .name = "face", .cell = ASK_CELL_FACE },
    { .name = "name", .cell = ASK_CELL_NAME },
    { .name = "part", .cell = ASK_CELL_PART },
    { .name = "point_x", .cell = ASK_CELL_POINT },
    { .name = "point_y", .cell = ASK_CELL_POINT + 1 },
    { .name = "point_z", .cell = ASK_CELL_POINT + 2 },
    { .name = "normal_x", .cell = ASK_CELL_NORMAL },
    { .name = "normal_y", .cell = ASK_CELL_NORMAL + 1 },
    { .name = "normal_z", .cell = ASK_CELL_NORMAL + 2 },
    { .name = NULL },
};
static const ask_column any_columns[] = { { .name = "sweep", .cell = ASK_CELL_ELEMENT },
                                          { .name = "hit", .cell = ASK_CELL_FOUND },
                                          { .name = NULL } };
static const ask_column count_columns[] = { { .name = "sweep", .cell = ASK_CELL_ELEMENT },
                                            { .name = "count", .cell = ASK_CELL_TOTAL },
                                            { .name = NULL } };

static int check_sweep(const invocation *call)
{
    static const char *const volumes[] = { "aabb",     "sphere", "obb", "capsule",
                                           "triangle", "hull",   NULL };
    const ask_options *o = call->options;
    const int status = ask_check(call);
    if (status != EXIT_DONE) {
        return status;
    }
    if (o->sweeps != NULL) {
        return options_given(call, "dir")
                   ? report_usage(call->command, "--dir is of one sweep; leave it out")
                   : volume_spec_check_none(call);
    }
    if (options_first_given(call, volumes) == NULL) {
        return report_usage(call->command,
                            "there is no volume; name --aabb, --sphere, --obb, --capsule, "
                            "--triangle, --hull or --sweeps");
    }
    return options_given(call, "dir")
               ? volume_spec_check(call, &o->volume)
               : report_usage(call->command, "there is no motion; name --dir");
}

static void plan_sweep(const invocation *call, const ask_world *world, ask_plan *plan)
{
    const ask_options *o = call->options;
    (void)world;
    static const ask_mode modes[] = { ASK_CLOSEST, ASK_ANY, ASK_ALL, ASK_COUNT };
    plan->type = ASK_CONTACTS;
    plan->mode = modes[o->mode];
    plan->capacity = 1024;
    plan->is_list = o->mode == SWEEP_ALL;
    plan->keep = o->mode == SWEEP_ALL ? (size_t)o->keep : o->mode == SWEEP_COUNT ? 0 : 1;
    plan->columns = o->mode == SWEEP_ANY     ? any_columns
                    : o->mode == SWEEP_COUNT ? count_columns
                                             : contact_columns;
    plan->form = o->mode == SWEEP_ANY     ? ASK_FORM_YES
                 : o->mode == SWEEP_COUNT ? ASK_FORM_TOTALS
                 : o->mode == SWEEP_ALL   ? ASK_FORM_LISTS
                                          : ASK_FORM_ROWS;
    plan->npy = o->mode == SWEEP_ANY     ? NPY_OUT_U1
                : o->mode == SWEEP_COUNT ? NPY_OUT_U8
                                         : NPY_OUT_CONTACTS;
}

static const ask_query query = { .kind = ASK_SWEEPS,
                                 .elements = "sweeps",
                                 .doing = "sweeping",
                                 .modes = mode_words,
                                 .optional = true,
                                 .stats = ASK_STATS_HITS,
                                 .check = check_sweep,
                                 .plan = plan_sweep };

const subcommand command_sweep = {
    .name = "sweep",
    .line = "what a sphere, capsule, box, triangle or hull meets first as it moves",
    .usage = "MESH --sphere X,Y,Z,R --dir X,Y,Z [OPTION...]",
    .about =
        "Moves a volume by --dir through MESH (OBJ, PLY, STL, OFF or glTF; '-' is stdin) and "
        "prints "
        "the first triangle that it touches, as a row of CSV: t, from 0 where it starts to 1 where "
        "it ends, rounded to nearest, and t_safe, rounded down, where it does not overlap the "
        "triangle yet; how they lie at the start; and the point and normal of contact. All of it "
        "is what exact arithmetic on the given numbers says.",
    .examples = "  sightline sweep level.obj --sphere 0,1,0,0.4 --dir 0,-5,0\n"
                "  sightline sweep level.obj --capsule 0,0.4,0,0,1.4,0,0.4 --dir 1,0,0 --mode all\n"
                "  sightline sweep part.stl --hull @cutter.stl --dir 0,0,-20\n"
                "  sightline sweep part.stl --sweeps tool.txt --mode any -o hits.npy\n",
    .no = "the only sweep meets nothing",
    ASK_SUBCOMMAND,
    .groups = { MOVING_VOLUME_GROUP(ask_options),
                { .title = "Motion", .rows = motion_rows },
                { .title = "Report", .rows = rows },
                QUERY_GROUP(ask_options),
                ASK_WORLD_GROUPS },
    .query = &query,
};
