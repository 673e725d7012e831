/* sweep/sphere.h: a sphere that moves against a triangle, where doubles and double-doubles decide
 * all: nearly always.  What they leave open is for round.h.
 *
 * The cell (cell.h) that the sphere enters, or that is nearest at the start, is guessed in plain
 * doubles.  If it can be proven to be that, it is the only one, and no other cell is asked about.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/tribool.h"
#include "lib/geom/sweep/round.h"

/* A sphere, and a triangle v: each difference is rounded once. */
typedef struct sli_sphere_case {
    const sli_round *round;
    double m[3][3]; /* the centre less v[i] */
    double e[3][3]; /* v[i + 1] - v[i] */
    double f[3];    /* v[2] - v[0] */
    double n[3];    /* e[0] x f */
    double size;    /* n.n */

    /* What is guessed. */
    int dim, index; /* of a vertex, the edge that begins there, or the face */
    double t;       /* of the entry, or 0: the cell is that nearest at the start */
    double away[3]; /* of a miss: the way from the triangle to the line of the motion */
} sli_sphere_case;

typedef enum sli_sphere_guess {
    SLI_SPHERE_NO_GUESS, /* the triangle is nearly none: several cells may be entered */
    SLI_SPHERE_MEETS,
    SLI_SPHERE_MISSES
} sli_sphere_guess;

sli_sphere_guess sli_sphere_guess_make(const sli_round *round, sli_sphere_case *out);

/* As sli_round_sweep.  *out is filled if there is a contact, and left alone otherwise. */
sli_tribool sli_sphere_sweep(const sli_round *round, double t_bound, sl_contact *out);
