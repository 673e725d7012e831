/* los/cells.h: a grid of small numbers, row by row, as lines of CSV, an array or a picture; for
 * los/sight.c. */
#pragma once

#include "tools/parts/part.h"

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
