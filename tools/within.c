/* tools/within.c: the triangles within a radius of points. */
#include "tools/cli/report.h"
#include "tools/nearest/nearest.h"

#include <math.h>

#define PLACE(member) .offset = offsetof(nearest_options, member)

static const option_row rows[] = {
    { .name = "radius",
      .letter = 'r',
      .kind = OPTION_REAL,
      PLACE(limit),
      .value = "R",
      .main = true,
      .infinite = true,
      .min = 0,
      .max = INFINITY,
      .help = "how far away a triangle may be; exactly R still counts; without it, --generate "
              "gives each point a radius of its own, many of which end in a triangle exactly" },
    { .name = "mode",
      .kind = OPTION_CHOICE,
      PLACE(mode),
      .choices = (const char *const[]){ "all", "count", NULL },
      .fallback = "all",
      .main = true,
      .not_names = "count list",
      .help = "print the triangles of each point, or only how many there are" },
    { .name = "keep",
      .letter = 'k',
      .kind = OPTION_COUNT,
      PLACE(max_found),
      .value = "K",
      .fallback = "64",
      .main = true,
      .not_names = "max-found max-hits",
      .min = 1,
      .max = 1000000,
      .help = "for --mode all: keep the K nearest triangles of each point" },
    { .name = NULL },
};

static int run(const invocation *call)
{
    if (!options_given(call, "radius") && !options_given(call, "generate")) {
        return report_usage(call->command, "there is no radius; name --radius");
    }
    return nearest_run(call, NEAREST_WITHIN);
}

const subcommand command_within = {
    .name = "within",
    .line = "the triangles within a radius of points",
    .usage = "MESH --points FILE --radius R [OPTION...]",
    .about = "For each point prints a row of CSV for each triangle that is at most R away, the "
             "nearest first: how many there are in all, its rank, its distance (exact, rounded to "
             "the nearest float), prim, its number, face, that of the face of the file it came "
             "from, the nearest point x, y, z on it, and u, v (weights of its vertices 1 and 2 "
             "there). A point with nothing around it has one row with empty cells. Memory does "
             "not grow with the number of points.",
    .examples =
        "  echo '0 0 5' | sightline within bunny.ply --points - --radius 0.5\n"
        "  sightline within bunny.ply --points cloud.npy -r 0.1 --mode count -o counts.npy\n"
        "  sightline within bunny.ply --verify --generate all --number 100\n",
    .no = "nothing is around the only point, or --verify found differences",
    .takes_scenes = true,
    .argument_max = 1,
    .options_size = sizeof(nearest_options),
    .groups = { POINTS_GROUPS(nearest_options),
                { .title = "Question", .rows = rows },
                { .title = "Report", .rows = nearest_report_rows },
                PARTS_GROUP(nearest_options),
                FILTER_GROUP(nearest_options),
                PROXY_GROUP(nearest_options),
                SCENE_GROUP(nearest_options),
                MESH_GROUP(nearest_options),
                COMMON_GROUP(nearest_options),
                FILTERED_VERIFY_GROUP(nearest_options, verify) },
    .run = run,
};
