/* tools/nearest.c: the nearest triangles to points. */
#include "tools/ask/near.h"

#include <math.h>

static const option_row rows[] = {
    OPTION_ROW(COUNT, "keep", ask_options, keep, "K", "keep the K nearest triangles of each point",
               .letter = 'k', .main = true,
               .not_names = "neighbours neighbors count max-found max-hits k top", .fallback = "1",
               .min = 1, .max = 1000000),
    OPTION_ROW(REAL, "max-distance", ask_options, limit, "D",
               "find nothing that is further away than D", .main = true, .fallback = "inf",
               .infinite = true, .min = 0, .max = INFINITY),
    { .name = NULL },
};

const subcommand command_nearest = {
    .name = "nearest",
    .line = "the nearest triangles to points",
    .usage = "MESH --points FILE [OPTION...]",
    .about =
        "For each point prints a row of CSV, in the order of the input: the distance to the "
        "nearest triangle (exact, rounded to the nearest float), prim, its number, face, that of "
        "the face of the file it came from, the nearest point x, y, z on it, and u, v (weights of "
        "its vertices 1 and 2 there); all empty where nothing is found. Of equally near ones the "
        "lowest prim counts. With -k above 1 there is a row for each triangle. In a "
        "scene points are doubles, x, y and z have 17 digits, and a row names the instance. Memory "
        "does not grow with the number of points.",
    .examples = "  echo '0 0 5' | sightline nearest bunny.ply --points -\n"
                "  sightline nearest bunny.ply --points cloud.npy -k 8 -o near.npy\n"
                "  sightline nearest bunny.ply --points cloud.npy --max-distance 0.1\n"
                "  sightline nearest bunny.ply --verify --generate all --number 100\n",
    .no = "nothing is near the only point, or --verify found differences",
    ASK_SUBCOMMAND,
    .groups = { NEAR_GROUPS(rows) },
    .query = &ask_query_nearest,
};
