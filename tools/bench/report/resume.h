/* bench/report/resume.h: the CSV file of --resume, with which an interrupted bench continues.
 *
 * Rows that it has are not measured again; each new row is appended as soon as it is measured. */
#pragma once

#include "tools/bench/report/row.h"

typedef struct bench_resume {
    const char *path;
    output out;      /* the end of the file */
    bench_rows rows; /* what was in it */
} bench_resume;

/* The file need not be there.  EXIT_DONE, or the status of a reported error. */
int bench_resume_open(bench_resume *resume, const char *path);

/* The row of the file that measures the same as this one, or NULL. */
const bench_row *bench_resume_find(const bench_resume *resume, const bench_row *row);

int bench_resume_add(bench_resume *resume, const bench_row *row);

/* EXIT_DONE, or EXIT_FAILED after a report where writing failed.  A zeroed one is fine. */
int bench_resume_close(bench_resume *resume);
