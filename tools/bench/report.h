/* bench/report.h: rows of bench as text, CSV and JSON. */
#ifndef TOOLS_BENCH_REPORT_H
#define TOOLS_BENCH_REPORT_H

#include "tools/bench/row.h"

typedef struct bench_report {
    output out;
    bench_row *rows; /* all so far, for the means over scenes */
    size_t count, capacity;
    bool has_peer;
} bench_report;

/* path NULL or "-": stdout.  EXIT_DONE, or the status of a reported error. */
int bench_report_open(bench_report *report, const char *path, output_format format, bool color,
                      bool has_peer);

/* Prints the row at once; in text a new scene begins a new table. */
int bench_report_add(bench_report *report, const bench_row *row);

/* With a peer text and JSON end in the geometric means of the ratios over all scenes. */
int bench_report_close(bench_report *report);
void bench_report_discard(bench_report *report); /* a zeroed or closed one is fine */

#endif
