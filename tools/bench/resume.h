/* bench/journal.h: the CSV file that lets a long bench go on after a break.
 *
 * What is in it is not measured again; what is measured is added at once, line by line. */
#ifndef TOOLS_BENCH_JOURNAL_H
#define TOOLS_BENCH_JOURNAL_H

#include "tools/bench/row.h"

typedef struct bench_journal {
    const char *path;
    output out;      /* the end of the file */
    bench_row *rows; /* what was in it */
    size_t count, capacity;
} bench_journal;

/* The file need not be there.  EXIT_DONE, or the status of a reported error. */
int bench_journal_open(bench_journal *journal, const char *path);

/* The row that tells the same as this one, or NULL. */
const bench_row *bench_journal_find(const bench_journal *journal, const bench_row *row);

int bench_journal_add(bench_journal *journal, const bench_row *row);

/* EXIT_DONE, or EXIT_FAILED after a report where writing failed.  A zeroed one is fine. */
int bench_journal_close(bench_journal *journal);

#endif
