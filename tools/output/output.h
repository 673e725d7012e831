/* output/output.h: text, CSV and JSON from the same calls, written as they come.
 *
 * A document is fields, records (named groups of fields) and tables (columns, then rows).
 *   text   fields as aligned "name  value" lines, with blanks for the '_' of a key; records under
 *          their name as a heading; tables with right-aligned columns, or a list for each row where
 *          the table is wider than the terminal
 *   CSV    one header line; a row for each record, or the rows of the table; fields outside of both
 *          are left out
 *   JSON   one object that begins with "schema": 1 and "command"; records are objects in it, tables
 *          arrays of objects
 * Floats are written with 9 significant digits and doubles with 17 where needed, so that they read
 * back to the same bits.  A value that is not there (a miss) is an empty cell, null in JSON, "-" in
 * text.  JSON has no infinities: they are the strings "inf" and "-inf", NaN is "nan". */
#pragma once

#include "tools/output/file.h"
#include "tools/output/memory.h"
#include "tools/output/value.h"

typedef struct out_column {
    const char *name;
    int width; /* in text; 0: 12 */
} out_column;

typedef struct output {
    out_file file;
    output_format format;
    bool color;
    /* The state of the document, private to output.c. */
    const out_column *columns;
    size_t column_count;
    bool as_lists; /* text: the table is wider than the terminal, so that each row is a list */
    int depth;
    bool first[8];       /* nothing written yet at this depth */
    bool header_written; /* CSV */
    bool in_record;
    out_memory header, row; /* CSV: of the record at hand */
    bool failed;            /* out of memory */
} output;

/* path NULL or "-": stdout.  EXIT_DONE, or EXIT_FAILED after a report. */
int output_open(output *out, const char *path, output_format format, const char *command,
                bool color);

/* The beginning of a document whose file is open already, as of a part (parts/part.h). */
void output_begin(output *out, const char *command);

/* Within a table: rows of other parts, or of an earlier run, stand before the next one. */
void output_rows_before(output *out);

void output_field(output *out, const char *key, out_value v);
void output_fields(output *out, const char *key, const out_value *v, size_t count); /* an array */

/* Records stand alone (title: heading and JSON key), or in a list (output_list_begin). */
void output_record_begin(output *out, const char *title);
void output_record_end(output *out);
void output_list_begin(output *out, const char *key);
void output_list_end(output *out);

/* A heading over the fields that follow in a record: text only. */
void output_heading(output *out, const char *title);

void output_table_begin(output *out, const char *key, const out_column *columns, size_t count);
void output_row(output *out, const out_value *values); /* one for each column */
void output_table_end(output *out);

/* A free line, in text only. */
void output_line(output *out, const char *line);

/* EXIT_DONE; EXIT_FAILED after a report where writing failed.  Frees everything. */
int output_close(output *out);
void output_discard(output *out); /* a zeroed or closed one is fine */
