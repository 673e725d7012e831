/* cast/options.c: the tables of options of 'cast'. */
#include "tools/cast/cast.h"

#define PLACE(member) .offset = offsetof(cast_options, member)

const option_row cast_ray_rows[] = {
    { .name = "rays",
      .kind = OPTION_TEXT,
      PLACE(rays),
      .value = "FILE",
      .main = true,
      .help = "rays to cast, one a line: ox oy oz dx dy dz [tmin tmax], blanks or commas between, "
              "'#' begins a comment; or CSV whose header names these; or .npy, float32 or float64 "
              "(N, 6) or (N, 8); '-' is stdin" },
    { .name = "segments",
      .kind = OPTION_TEXT,
      PLACE(segments),
      .value = "FILE",
      .main = true,
      .help = "segments instead of rays, one a line: px py pz qx qy qz, the two ends; or CSV whose "
              "header names these; or .npy, float32 or float64 (N, 6); t runs from 0 to 1" },
    { .name = "open-start",
      .kind = OPTION_FLAG,
      PLACE(open_start),
      .help = "a hit exactly at the first end of a segment does not count" },
    { .name = "open-end",
      .kind = OPTION_FLAG,
      PLACE(open_end),
      .help = "a hit exactly at the second end of a segment does not count" },
    { .name = "tmin",
      .kind = OPTION_REAL,
      PLACE(tmin),
      .value = "T",
      .fallback = "0",
      .infinite = true,
      .help = "hits before T do not count, for rays that bring no limits" },
    { .name = "tmax",
      .kind = OPTION_REAL,
      PLACE(tmax),
      .value = "T",
      .fallback = "inf",
      .infinite = true,
      .help = "hits after T do not count, for rays that bring no limits" },
    { .name = "generate",
      .kind = OPTION_CHOICE,
      PLACE(generate.kind),
      .choices = ray_kind_words,
      .help =
          "generate rays instead of reading them, the same on every machine; vertices, edges and "
          "nearmiss are segments" },
    { .name = "pairs",
      .kind = OPTION_COUNT,
      PLACE(pairs),
      .value = "P",
      .min = 1,
      .max = 1e15,
      .help = "instead of --number: generate as many as make rays times triangles, over all "
              "kinds, about P, such as 5e9" },
    { .name = NULL },
};

const option_row cast_ask_rows[] = {
    { .name = "mode",
      .main = true,
      .kind = OPTION_CHOICE,
      PLACE(mode),
      .choices = ray_mode_words,
      .fallback = "closest",
      .help = "what to find of each ray" },
    { .name = "keep",
      .letter = 'k',
      .main = true,
      .not_names = "max-hits max-found",
      .kind = OPTION_COUNT,
      PLACE(max_hits),
      .value = "K",
      .fallback = "8",
      .min = 1,
      .max = 65536,
      .help = "for --mode all: keep the K nearest hits of each ray" },
    { .name = "crossings",
      .kind = OPTION_FLAG,
      PLACE(crossings),
      .help = "surfaces crossed instead of triangles hit: a shared edge or vertex is one crossing, "
              "or none where it is only grazed" },
    { .name = "double",
      .kind = OPTION_FLAG,
      PLACE(doubles),
      .main = true,
      .help = "read rays and segments as doubles, ask in doubles, and print t with 17 digits; for "
              "places far from the origin" },
    { .name = NULL },
};

const option_row cast_report_rows[] = {
    { .name = "surface",
      .main = true,
      .kind = OPTION_FLAG,
      PLACE(surface),
      .help = "also print, for closest and all, the number of the face of the file, and the point "
              "and the normal of the hit" },
    { .name = "stats",
      .kind = OPTION_FLAG,
      PLACE(stats),
      .help = "report the work done and the time taken: on stderr, or within JSON" },
    { .name = "repeat",
      .kind = OPTION_COUNT,
      PLACE(repeat),
      .value = "R",
      .fallback = "1",
      .min = 1,
      .max = 1000000,
      .help = "for --stats: repeat every query R times" },
    { .name = "out",
      .letter = 'o',
      .kind = OPTION_TEXT,
      PLACE(out),
      .main = true,
      .endings = (const char *const[]){ "csv", "json", "npy", NULL },
      .value = "FILE",
      .help =
          "write there instead of stdout, as CSV or JSON by the end of the name, or where it "
          "ends in .npy as an array: for closest records (N,) of t, u, v (float32), prim, "
          "instance and flags (uint32), with prim 4294967295 for a miss, and with --double t as "
          "float64 and 4 bytes of padding; for any uint8 (N,); "
          "for count uint64 (N,); for all records of the hits, and NAME.offsets.npy, uint64 "
          "(N + 1,), says where those of each ray begin and end" },
    { .name = "csv", .kind = OPTION_FLAG, PLACE(csv), .help = "print CSV (the default)" },
    { .name = NULL },
};
