/* tools/within.c: the triangles within a radius of points. */
#include "tools/ask/near.h"

#include <math.h>

static const char *const mode_words[] = { "all", "count", NULL };

static const option_row rows[] = {
    OPTION_ROW(REAL, "radius", ask_options, limit, "R",
               "how far away a triangle may be; exactly R still counts; without it, --generate "
               "gives each point a radius of its own, many of which end in a triangle exactly",
               .letter = 'r', .main = true, .infinite = true, .min = 0, .max = INFINITY),
    OPTION_CHOICE_ROW("mode", ask_options, mode, mode_words,
                      "print the triangles of each point, or only how many there are",
                      .fallback = "all", .main = true, .not_names = "count list"),
    OPTION_ROW(COUNT, "keep", ask_options, keep, "K",
               "for --mode all: keep the K nearest triangles of each point", .letter = 'k',
               .fallback = "64", .main = true, .not_names = "max-found max-hits k top", .min = 1,
               .max = 1000000),
    { .name = NULL },
};

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
    ASK_SUBCOMMAND,
    .groups = { NEAR_GROUPS(rows) },
    .query = &ask_query_within,
};
