/* judge/answers.h: rays, and what another tracer answered about them, from files.
 *
 * CSV with a header, whose columns are found by name: prim, and where they are there t, instance
 * and ray; or .npy whose rows are (t, prim), (ray, t, prim), (ray, t, prim, instance), or begin
 * with the six or eight numbers of a ray and go on with (t, prim) or, behind eight, (t, prim,
 * instance).
 * Where no column says which ray a row is about, rows are those of the rays in turn; else they are
 * in the order of rays, any number for each.  Rays come from a file of their own, or stand in the
 * same rows. */
#pragma once

#include "tools/input/rays.h"

/* Numbers as they were read: a tracer may say anything.  What is not said is not there. */
typedef struct answer {
    double t, prim, instance;
    bool has_t, has_prim;
    uint64_t ray;
} answer;

enum { ANSWERS_ROW = 11, ANSWERS_AHEAD = 128 }; /* rows of an array that are read at a time */

/* An array, row by row. */
typedef struct answers_rows {
    npy_in npy;
    double ahead[ANSWERS_AHEAD * ANSWERS_ROW];
    size_t count, at; /* of rows that are read; the next one */
} answers_rows;

typedef struct answers_in {
    lines_in text, text_of_rays; /* the same file, where an array holds rays, too */
    bool is_npy;
    answers_rows array, array_of_rays;
    csv_columns columns;
    int cells[4];    /* npy: the column of each number; -1: none */
    bool names_rays; /* a column says which ray */
    uint64_t rows;   /* read so far */
    answer next;     /* the next one, where there is one */
    bool has_next;
    rays_in rays; /* where they have a file of their own, or lines */
} answers_in;

/* rays NULL: in the rows of the answers.  doubles: of rays.  tmin, tmax: of rays that bring none.
 * EXIT_DONE, or the status of a reported error; close it either way. */
int answers_open(answers_in *in, const char *path, const char *rays, bool doubles, float tmin,
                 float tmax);

/* Up to capacity sl_ray, or sl_ray_d; *count is 0 at the end. */
int answers_fill_rays(answers_in *in, void *to, size_t capacity, size_t *count);

/* The next answer about this ray, which is not before that of the last call; *found: whether there
 * is one.  Behind the last ray: the number of rays, to be told of rows that are left. */
int answers_next(answers_in *in, uint64_t ray, answer *to, bool *found);
int answers_end(answers_in *in, uint64_t rays);

void answers_close(answers_in *in); /* a zeroed one is fine */
