/* judge/answers.h: rays or segments, and what another tracer answered about them, from files.
 *
 * CSV with a header, whose columns are found by name: prim, and where they are there t, instance
 * and ray; or .npy whose rows are prim, (t, prim), (ray, t, prim), (ray, t, prim, instance), or
 * begin with the six or eight numbers of a ray and go on with prim, (t, prim) or, behind eight, (t,
 * prim, instance).  Where it is only asked whether anything is hit, "blocked", which is 0 or 1,
 * stands for prim, and CSV may have "visible" instead.
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

typedef struct answers_def {
    const char *path;
    const char *rays; /* NULL, or path again: in the rows of the answers */
    bool segments;    /* instead of rays */
    bool occluded;    /* whether anything is hit: has_prim says so, and prim is 0 */
    bool doubles;     /* of rays */
    float tmin, tmax; /* of rays that bring none */
} answers_def;

typedef struct answers_in {
    answers_def def;
    lines_in text;
    bool is_npy;
    npy_in npy;
    double ahead[RAYS_IN_AHEAD]; /* rows of the array that are read */
    size_t ahead_count, at;      /* of rows that are read; the next one */
    csv_columns columns;
    int cells[4];    /* npy: the column of each number; -1: none */
    bool names_rays; /* a column says which ray */
    bool is_visible; /* the column says whether nothing is hit */
    uint64_t rows;   /* read so far */
    answer next;     /* the next one, where there is one */
    bool has_next;
    rays_in rays; /* which are read from here */
} answers_in;

/* EXIT_DONE, or the status of a reported error; close it either way. */
int answers_open(answers_in *in, const answers_def *def);

/* The next answer about this ray, which is not before that of the last call; *found: whether there
 * is one.  Behind the last ray: the number of rays, to be told of rows that are left. */
int answers_next(answers_in *in, uint64_t ray, answer *to, bool *found);
int answers_end(answers_in *in, uint64_t rays);

void answers_close(answers_in *in); /* a zeroed one is fine */
