/* convex_oracle.h: rays, segments and lines against convex shapes in fractions (GMP): the oracle
 * for the library's answers.  It uses neither discriminants nor slabs: round shapes are squared
 * distances, which it evaluates at given t; boxes are systems of inequalities, from which it
 * eliminates all unknowns but t.
 * Threads  one at a time. */
#pragma once

#include <sightline/intersect.h>

/* What both kinds of hits have in common; solid. */
typedef struct contact {
    bool met;
    float t, point[3], t0, t1;
    bool entry, exit, inside;
} contact;

contact contact_of_round(bool met, const sl_round_hit *hit);
contact contact_of_box(bool met, const sl_obb_hit *hit);

/* NULL, or the name of the result that differs from exact arithmetic.  Shapes are valid.  A sphere
 * is a capsule without length.  For boxes entry and exit are only looked at where the axes span a
 * plane at least. */
const char *convex_oracle_capsule(const sl_line *line, const sl_capsule *capsule,
                                  const contact *got);
const char *convex_oracle_box(const sl_line *line, const sl_obb *box, const contact *got);

/* Asks the library about a capsule, or a sphere that it is, with every start inside: fails where an
 * answer is wrong, and says whether they meet. */
bool convex_oracle_hold(const sl_line *line, const sl_capsule *capsule, const sl_sphere *sphere);

/* The same for the cube that the inverse matrix carries things to, which must not be singular. */
const char *convex_oracle_cube(const sl_line *line, const float inverse[16], const contact *got);
