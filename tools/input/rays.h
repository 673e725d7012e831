/* input/rays.h: rays, segments and points from a file or stdin, in blocks, so that memory is
 * constant.
 *
 * Text: one a line, "ox oy oz dx dy dz [tmin tmax]", "px py pz qx qy qz" or "x y z"; blanks or
 * commas between; '#' begins a comment.  tmin and tmax may be inf or -inf.  A first line without
 * numbers is the header of CSV (columns.h).  Or .npy, recognized by its first byte: float32 or
 * float64, (N, 6), for rays also (N, 8), for points (N, 3).
 * Words, NaN, infinite coordinates and numbers beyond the range of a float are bad input. */
#pragma once

#include "tools/cli/options.h"
#include "tools/input/columns.h"
#include "tools/input/lines.h"
#include "tools/output/npy.h"

typedef enum rays_in_kind { RAYS_IN_RAYS, RAYS_IN_SEGMENTS, RAYS_IN_POINTS } rays_in_kind;

enum { RAYS_IN_AHEAD = 1024 }; /* numbers of an array that are read at a time */

typedef struct rays_in {
    lines_in text;
    rays_in_kind kind;
    bool is_npy;
    npy_in npy;
    uint64_t beside; /* numbers at the end of each row of an array that mean something else */
    bool begun;      /* text: a line that is not blank has been read */
    csv_columns columns;
    float tmin, tmax;            /* for rays that bring none */
    uint64_t left;               /* how many questions are read at most (rays_in_share) */
    uint64_t start;              /* where the stream stands at the first one, once it is measured */
    double ahead[RAYS_IN_AHEAD]; /* rows that are read; those from `at` on are next */
    size_t ahead_count, at;      /* in rows */
    bool doubles;                /* numbers are read as doubles */
} rays_in;

/* path "-": stdin.  kind: what the numbers mean.  beside: how many numbers at the end of each row
 * of an array mean something else.  The caller sets doubles, tmin and tmax afterwards. */
int rays_in_open(rays_in *in, const char *path, rays_in_kind kind, uint64_t beside);

/* The only one, as an option has it: the numbers of a line of text, rounded to floats unless they
 * are doubles; 6 and 7 stay where there are none.  finite: coordinates have to be.  EXIT_DONE or
 * EXIT_USAGE. */
int rays_in_parse(const invocation *call, const char *option, const char *text, rays_in_kind kind,
                  bool finite, bool doubles, double numbers[COLUMNS_MAX]);

/* The same as rays_in_fill stores it. */
void rays_in_store(rays_in_kind kind, const double numbers[COLUMNS_MAX], bool doubles, void *to);

/* Up to capacity of them, of text not more than is there without waiting, but at least one; *count
 * is 0 at the end.  They are sl_ray, sl_segment or float[3], where in->doubles sl_ray_d,
 * sl_segment_d or double[3], whose coordinates are still no larger than floats can be.  EXIT_DONE,
 * or the status of a reported error. */
int rays_in_fill(rays_in *in, void *to, size_t capacity, size_t *count);

/* For runs that ask a share of the questions.  measure reads the file (of a large array 64 MiB
 * spread over it; of text all) before the first question: how many there are, and a hash that tells
 * it from other files, never 0.  What cannot be read twice is kept in a temporary file.  share: the
 * next ones are count questions from first on; a pass over text, a step in arrays. */
int rays_in_measure(rays_in *in, uint64_t *count, uint64_t *hash);
int rays_in_share(rays_in *in, uint64_t first, uint64_t count);

/* Passes over the next line with numbers, which are not read; *found: whether there is one. */
int rays_in_skip_line(rays_in *in, bool *found);

void rays_in_close(rays_in *in); /* a zeroed one is fine */
