/* bench/report/row.h: one line of a report of bench, and its cells. */
#pragma once

#include "tools/bench/harness/spread.h"
#include "tools/output/output.h"

/* A figure of the peer's beside ours. */
typedef struct bench_beside {
    bool there;
    char call[32];      /* its best tree and call */
    bench_spread value; /* of each round, as the ratio is */
    bench_spread ratio;
} bench_beside;

/* A figure of ours, and the peer's beside it.  Ratios are in our favour above 1, whatever the unit:
 * ours over theirs for rates, theirs over ours for times and bytes. */
typedef struct bench_row {
    char scene[64], quality[24], kernel[16], against[16]; /* what was measured */
    uint64_t triangles, rays, seed;                       /* how it was measured */
    char row[24], unit[16];
    uint64_t count;    /* rays, points or triangles that the figure is about */
    double hits;       /* share of rays and segments that hit; NAN where nothing hits or misses */
    bench_spread ours; /* in units */
    bool has_single;
    bench_spread over_single; /* our rate over that of one ray a call */
    bench_beside peer;        /* of all its trees but the robust ones */
    double agree; /* share of answers that the peer agrees with; NAN where it was not compared */
    bench_beside medium, high; /* of one of its trees */
    bench_beside packed;       /* of all but the robust ones, packing and unpacking included */
    bench_beside robust;       /* of its robust trees */
} bench_row;

/* Whether two rows hold the same figure of the same scene, measured in the same way. */
bool bench_row_is_same(const bench_row *a, const bench_row *b);

enum { BENCH_COLUMNS = 53 };
extern const out_column bench_columns[BENCH_COLUMNS];

/* The cells of a row; they point into it. */
void bench_row_values(const bench_row *row, out_value values[BENCH_COLUMNS]);

/* A row from a line of CSV, without its end; false if it is none.  The line is changed. */
bool bench_row_parse(char *line, bench_row *row);

/* A growing array of rows. */
typedef struct bench_rows {
    bench_row *all;
    size_t count, capacity;
} bench_rows;

/* Appends a copy.  EXIT_DONE, or the status of a reported error. */
int bench_rows_add(bench_rows *rows, const bench_row *row);
