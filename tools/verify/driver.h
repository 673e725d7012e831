/* verify/driver.h: --verify of a subcommand: a row for each kind of query, then the differences;
 * what 'cast', 'nearest', 'within', 'overlap' and 'inside' share. */
#ifndef TOOLS_VERIFY_DRIVER_H
#define TOOLS_VERIFY_DRIVER_H

#include "tools/cli/common.h"
#include "tools/output/output.h"
#include "tools/verify/differences.h"
#include "tools/verify/time_by_size.h"

enum { VERIFY_CELLS_MAX = 8, VERIFY_KINDS_MAX = 16 };

/* What one kind of query came to. */
typedef struct verify_row {
    const char *name; /* of the kind, or "file" */
    out_value cells[VERIFY_CELLS_MAX];
    time_by_size times; /* where the subcommand measures them */
} verify_row;

typedef struct verify_driver {
    const char *command;
    const out_column *columns; /* the kind, then the cells */
    size_t column_count;
    int kind, kind_count; /* which kind; kind_count: each in turn, then a row for all */
    void *context;
    /* Verifies all queries of a kind and adds them to the sums.  EXIT_DONE, or the status of a
     * reported error. */
    int (*check)(void *context, int kind, verify_row *row);
    void (*sum)(void *context, out_value *cells); /* the cells of all kinds so far */
    void (*note)(void *context, output *out);     /* fields behind the table; NULL: none */
    const differences *found;
    bool times; /* a table of them, too */
} verify_driver;

/* Writes the report to out (see output_open), as common and csv say.  EXIT_DONE, EXIT_NO where
 * there are differences, or the status of a reported error. */
int verify_drive(const verify_driver *d, const char *out, const common_options *common, bool csv);

#endif
