/* bench/row.h: one line of a report of bench, and its cells. */
#ifndef TOOLS_BENCH_ROW_H
#define TOOLS_BENCH_ROW_H

#include "tools/bench/rounds.h"
#include "tools/output/output.h"

/* A figure of ours, and the peer's beside it.  Ratios are in our favour above 1, whatever the unit:
 * ours over theirs for rates, theirs over ours for times and bytes. */
typedef struct bench_row {
    char scene[64], quality[16], kernel[16], against[16]; /* what was measured, */
    uint64_t triangles, rays, seed;                       /* and how */
    char row[24], unit[16];
    uint64_t count;    /* rays, points or triangles that the figure is about */
    double hits;       /* share of rays and segments that hit; NAN where nothing hits or misses */
    bench_spread ours; /* in units */
    bool has_peer, has_robust;
    char peer_call[32], robust_call[32]; /* the best of its trees and calls */
    bench_spread peer, ratio;            /* of each round */
    bench_spread robust, robust_ratio;   /* the same from the peer's robust trees */
    double agree; /* share of answers that the peer agrees with; NAN where it was not compared */
} bench_row;

/* Whether two rows hold the same figure of the same scene, measured in the same way. */
bool bench_row_is_same(const bench_row *a, const bench_row *b);

enum { BENCH_COLUMNS = 29 };
extern const out_column bench_columns[BENCH_COLUMNS];

/* The cells of a row; they point into it. */
void bench_row_values(const bench_row *row, out_value values[BENCH_COLUMNS]);

/* A row from a line of CSV, without its end; false if it is none.  The line is changed. */
bool bench_row_parse(char *line, bench_row *row);

#endif
