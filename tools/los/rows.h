/* los/rows.h: the rows of --matrix and of --viewshed, asked some at a time and on their way out: as
 * a whole, as a part, or from where a run was stopped. */
#pragma once

#include "tools/los/sight.h"

/* What --summary counts. */
typedef enum sight_count {
    SIGHT_ROWS,
    SIGHT_COLUMNS,
    SIGHT_CELLS,
    SIGHT_SEEN,
    SIGHT_NO_GROUND
} sight_count;

typedef struct sight_field {
    const char *key;
    sight_count what;
} sight_field;

enum { SIGHT_FIELDS = 3 };

/* Writes 0, 1 or 2 for each cell of some rows. */
typedef void sight_ask(void *context, uint64_t first, size_t count, uint8_t *cells);

typedef struct sight_rows {
    ask_run *run;
    uint64_t count, width; /* rows of the whole, cells of each */
    size_t step;           /* rows that are asked together: a record of a part */
    npy_out_type type;     /* NPY_OUT_B1 or NPY_OUT_U1 */
    uint64_t hash;         /* of the queries; 0 where the options say all of them */
    sight_field fields[SIGHT_FIELDS];
    sight_ask *ask;
    void *context;
    bool may_be_no; /* a single cell that is not seen is the answer no */
} sight_rows;

/* Rows of at most 2^20 cells, but one at least. */
size_t sight_rows_step(uint64_t count, uint64_t width);

/* Asks, and writes: EXIT_DONE, EXIT_NO, or a status after a report. */
int sight_rows_run(const sight_rows *rows);

/* ---- cells.c: a grid of small numbers, row by row, as lines of CSV, an array or a picture; for
 * los/sight.c. ---- */

typedef struct cells_out {
    bool is_npy, is_png;
    const char *path;
    out_file text;
    npy_out array;
    uint8_t *rgb; /* of a picture: all of it */
    uint64_t width, height, row;
    char *line;
} cells_out;

/* type: NPY_OUT_B1 or NPY_OUT_U1.  EXIT_DONE, or the status of a reported error; discard it either
 * way. */
int cells_out_open(cells_out *out, const char *path, npy_out_type type, uint64_t width,
                   uint64_t height);

/* The same to a part, of which every row is a record's or one of its rows; no pictures. */
int cells_out_open_part(cells_out *out, part_out *part, const char *path, npy_out_type type,
                        uint64_t width);

/* The next row: 0, 1 or 2 for each cell.  False when writing has failed; close says why. */
bool cells_out_row(cells_out *out, const uint8_t *cells);

int cells_out_close(cells_out *out);
void cells_out_discard(cells_out *out); /* a zeroed or closed one is fine */
