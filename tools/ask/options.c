/* ask/options.c: the tables of options that several subcommands share. */
#include "tools/ask/options.h"

#include "tools/generate/point_kinds.h"

const option_row ask_point_rows[] = {
    OPTION_ROW(TEXT, "points", ask_options, points, "FILE",
               "points to ask about, one a line: x y z, blanks or commas between, '#' begins a "
               "comment; or CSV whose header names x, y, z (or point_x ...); or .npy, float32 or "
               "float64 (N, 3); '-' is stdin",
               .file = OPTION_READ, .main = true),
    OPTION_ROW(TEXT, "point", ask_options, point, "NUMBERS",
               "the only point, in one word: \"x y z\"", .main = true,
               .not_names = "position pos query at xyz", .once = true),
    OPTION_CHOICE_ROW("generate", ask_options, generate.kind, point_kind_words,
                      "generate points instead of reading them, the same on every machine"),
    { .name = NULL },
};

const char *ask_options_file(const ask_options *o)
{
    return o->segments != NULL  ? o->segments
           : o->rays != NULL    ? o->rays
           : o->points != NULL  ? o->points
           : o->volumes != NULL ? o->volumes
                                : o->sweeps;
}
