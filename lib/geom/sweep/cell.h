/* sweep/cell.h: the pieces that the difference of a segment that moves and a convex obstacle is
 * made of, and when the moving shape, which is round about the segment, comes to each.
 *
 * Let y be a point of the mover's segment at t = 0 minus a point of the obstacle.  All of these
 * make a polytope; a shape of radius r touches the obstacle at t where y + t d comes within r of
 * 0.  A cell is a part of the polytope's surface: a vertex, edge or face of the obstacle together
 * with an end or all of the segment, of dimension 0, 1 or 2 in all.  It is the nearest to 0 where
 * the foot of 0 on it lies strictly within it, and no step within the polytope, which are sums of
 * steps along its cone's directions, leads nearer.  The polytope is convex, so this is enough, and
 * it needs neither area nor volume; some cell is such, unless 0 lies within the polytope.
 *
 * With m = start - base, spans e and f (of limits 1), and t that of the entry:
 *   0  |m + t d| = r;                     (m + t d) . g <= 0 for each g of the cone
 *   1  |e x m + t (e x d)| = r |e|;       0 < (m + t d) . e < e.e
 *                                         (e x m + t (e x d)) . (e x g) <= 0
 *   2  n = e x f, (m + t d) . n = s r |n| with the side s = -1 where d . n > 0, else 1;
 *                                         0 < (m + t d) . (f x n), (m + t d) . (n x e)
 *                                         their sum, or each of them, < n.n
 *                                         s n . g <= 0
 * So t is the entry root of a quadratic of degree 4 in the coordinates, or (s r sqrt(n.n) - m.n) /
 * (d.n); the signs of the linear terms above there are signs of degree 12 and 14.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.5.7, for the Minkowski sum. */
#pragma once

#include "lib/geom/exact/quadratic.h"

/* The vector head - tail. */
typedef struct sli_way {
    const double *tail, *head;
} sli_way;

/* The vector times the factor. */
typedef struct sli_shift {
    double factor;
    const double *vector;
} sli_shift;

typedef struct sli_cell {
    int dim, cone_count, shift_count;
    const double *start, *base;
    sli_shift shift[3]; /* which are added to base */
    sli_way span[2], cone[4];
    double limit[2]; /* how many times as long each span of the cell is */
    int on_obstacle; /* spans below this number are the obstacle's, the others the mover's */
    bool cut;        /* a triangle of its spans, not a parallelogram; limits are 1 */
} sli_cell;

/* A cell in numbers. */
typedef struct sli_cell_numbers {
    sli_number m[3], d[3], span[2][3], radius;
    sli_number across_m[3], across_d[3]; /* m and d, or e x m and e x d; of a face n in across_m */
    sli_number size;                     /* 1, e.e, n.n */
    sli_number height, speed;            /* of a face: m.n and d.n */
    sli_quadratic q;                     /* of others; part and scale only where it is entered */

    /* What sli_cell_entry and sli_cell_is_nearest find. */
    int side;     /* of a face: s */
    bool grazes;  /* of others: the roots are one, t = -b / a */
    sli_number t; /* of the entry, in doubles */
} sli_cell_numbers;

/* radius is the sum of two.  Leaves what has been found about a cell alone. */
void sli_cell_make(const sli_cell *cell, const double dir[3], const double radius[2], bool exact,
                   sli_cell_numbers *out);

typedef enum sli_cell_event {
    SLI_CELL_NONE,   /* never entered here */
    SLI_CELL_ENTERS, /* the shape is apart before t, and overlaps after it */
    SLI_CELL_GRAZES  /* it touches at t and never overlaps: t = -b / a */
} sli_cell_event;

/* What happens on the whole line of the motion, which is not zero; of a grazed polytope other cells
 * may be grazed earlier.  Makes the rest of *numbers. */
sli_cell_event sli_cell_entry(const sli_cell *cell, sli_cell_numbers *numbers, bool *unsure);

/* The sign of the entry's t minus x. */
int sli_cell_compare_t(const sli_cell *cell, const sli_cell_numbers *numbers, const sli_number *x,
                       bool *unsure);

/* Signs at t = 0: of the distance minus the radius, and of the distance's derivative. */
typedef struct sli_cell_distance {
    int gap, motion;
    bool meets; /* the distance is 0 */
} sli_cell_distance;

/* Whether the cell is nearest at t = 0. */
bool sli_cell_is_nearest(const sli_cell *cell, sli_cell_numbers *numbers, sli_cell_distance *out,
                         bool *unsure);
