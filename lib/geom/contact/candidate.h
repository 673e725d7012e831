/* contact/candidate.h: a pair of faces of two triangles, each a corner, an edge or all of it, with
 * the points of both that are nearest to one another; for exact distances.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/tribool.h"

#include <sightline/shapes.h>

enum { SLI_CANDIDATES = 49 };

/* The vector to - from. */
typedef struct sli_span {
    const double *from, *to;
} sli_span;

typedef struct sli_contact_candidate {
    const sl_triangle_d *a, *b;
    const struct sli_face *of_a, *of_b;
    bool exact;
    int count;
    sli_span w, e[3];
    sli_number normal[3]; /* of the last two edges, where there are two or more */
    sli_number t[3], den; /* weights of the edges, times den */
} sli_contact_candidate;

/* Of a number below SLI_CANDIDATES; false where there is none of that number. */
bool sli_candidate_start(const sl_triangle_d *a, const sl_triangle_d *b, int number, bool exact,
                         sli_contact_candidate *out);

/* Fills in normal, den and t. */
void sli_candidate_solve(sli_contact_candidate *c);

/* Whether its points lie in the triangles and are nearest there; solves it. */
sli_tribool sli_candidate_is_accepted(sli_contact_candidate *c);

/* Of one that is solved: the square of its distance, times den, or 0 for an edge that pierces a
 * triangle. */
void sli_candidate_square(const sli_contact_candidate *c, sli_number *out);

/* Likewise the coordinates of the nearest point on a triangle, a or b, times den. */
void sli_candidate_point(const sli_contact_candidate *c, bool on_b, sli_number top[3]);
