/* bench/report/report.h: rows of bench as text, CSV and JSON. */
#pragma once

#include "tools/bench/report/row.h"

typedef struct bench_report {
    output out;
    bench_rows rows; /* all so far, for the summary */
    bool has_peer, summary;
} bench_report;

/* path NULL or "-": stdout.  summary: nothing else than that.  EXIT_DONE, or the status of a
 * reported error. */
int bench_report_open(bench_report *report, const char *path, output_format format, bool color,
                      bool has_peer, bool summary);

/* Prints the row at once; in text a new scene begins a new table. */
int bench_report_add(bench_report *report, const bench_row *row);

/* Text and JSON of several scenes end in a summary. */
int bench_report_close(bench_report *report);
void bench_report_discard(bench_report *report); /* a zeroed or closed one is fine */

/* ---- summary.c: what the rows of several scenes come to ---- */

/* Whether any row is there for more than one scene. */
bool bench_summary_is_due(const bench_row *rows, size_t count);

/* For each row the geometric means over all scenes and the scene where it is worst; then what the
 * tori of --grow keep of their rates with ten times the triangles (not in CSV, which has one
 * table). */
void bench_summary_print(output *out, const bench_row *rows, size_t count);
