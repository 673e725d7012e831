/* sweep/sphere.h: a sphere that moves against a triangle, where doubles and double-doubles decide
 * all: nearly always.  What they leave open is for round.h.
 *
 * The cell (cell.h) that the sphere enters, or that is nearest at the start, is guessed in plain
 * doubles.  If it can be proven to be that, it is the only one, and no other cell is asked about.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/determinant_dd.h"
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

/* The cell at the t that is guessed: y, w, value and slope of sphere_entry.c. */
typedef struct sli_sphere_entry {
    const sli_sphere_case *s;
    const double *base;
    sli_dd y[3], w[3], span[3];
    double y_error[3], w_error[3];
    sli_dd_known value, size, height; /* of a face: n.n and y.n */
    double along[3], along_size[3];   /* the derivative of w, and its size */
    int side;                         /* of a face: s */
    double slope, slope_off, bend;    /* bend: at least a */
    double step, off;                 /* to the root, and how far that may be off */

    /* How far y and w are from those at the root, with the roundings of a dot product. */
    double y_off[3], w_off[3];
} sli_sphere_entry;

/* False where it is unsure on which side of a face the sphere is, or where it goes. */
bool sli_sphere_entry_make(const sli_sphere_case *s, sli_sphere_entry *e);

/* Makes step and off; false where it is unsure whether there is an entry nearby. */
bool sli_sphere_entry_find_root(sli_sphere_entry *e);

/* Whether the cell surely is the nearest one at the root, or at the start, for which step and off
 * are 0. */
bool sli_sphere_entry_is_nearest(sli_sphere_entry *e);

/* 2^-50, 8 u: what is allowed for the roundings of a form; and the sizes of its terms. */
#define SLI_SPHERE_FEW 0x1p-50
static inline double sli_size_of_dot(const double a[3], const double b[3])
{
    return (fabs(a[0]) * fabs(b[0]) + fabs(a[1]) * fabs(b[1])) + fabs(a[2]) * fabs(b[2]);
}

/* As sli_round_sweep.  *out is filled if there is a contact, and left alone otherwise.  Contacts on
 * the way are entries (the slope is below 0), so none of them grazes. */
sli_tribool sli_sphere_sweep(const sli_round *round, double t_bound, sl_contact *out);
