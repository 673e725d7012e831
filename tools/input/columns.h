/* input/columns.h: CSV with a header: which column holds which number.
 *
 * A header is a first line of which no cell is a number.  Columns are found by their names, in any
 * order, in any case; others are passed over.  Cells are separated by commas if the header has
 * one, else by blanks, and may stand in double quotes.  RFC 4180, without line ends in cells. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { COLUMNS_MAX = 8 };

/* The names of the numbers of a line: the first `needed` must be there, the others may be. */
typedef struct column_names {
    const char *const (*names)[COLUMNS_MAX]; /* sets of names, a set for each way to call them */
    size_t set_count;
    int needed, count;
} column_names;

typedef struct csv_columns {
    bool found;            /* there is a header */
    char separator;        /* ',' or ' ' */
    int cell_count;        /* in the header */
    int cell[COLUMNS_MAX]; /* the cell of each number; -1: none */
} csv_columns;

/* Whether no cell of a line that is not blank is a number. */
bool columns_is_header(const char *line);

/* Finds the columns.  Returns NULL, or the name of a column that is missing or, with *twice, one
 * that the header has twice.  Of several sets of names the first one that is there counts. */
const char *columns_find(csv_columns *c, const char *header, const column_names *names,
                         bool *twice);

/* The next cell of a line, without quotes and the blanks around it: where it begins, and its size;
 * *at begins as the line and moves on.  A quote that is not closed, or is followed by more than
 * blanks, stays in the cell, so that it is no number.  False at the end of the line. */
bool columns_next_cell(const csv_columns *c, const char **at, const char **cell, size_t *size);
