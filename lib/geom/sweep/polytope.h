/* sweep/polytope.h: a box or a hull that moves against a triangle or a box: when they touch first,
 * and where.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/sweep/sweep.h"

/* target: a triangle or a box. */
bool sli_sweep_polytope(const sli_sweep *sweep, const sli_body *target, double t_bound,
                        sl_contact *out);

/* Fills normal, point and flags.  n (not zero) points to the mover for a sign of 1, from it for -1.
 *
 * Touch: they touch along n at out->t, each in a corner, an edge or a face.  The point is the
 * target's corner, else the mover's, else the mean of the corners of what both edges or faces have
 * in common; within a few roundings.
 * Overlap: they overlap; n is NULL where no axis has an entry: then the normal is that of the
 * triangle's front, zero where it has no area or the target is a box.  The point is the one of a
 * triangle that is nearest to the middle of the mover's bounds, of a box its middle. */
void sli_sweep_touch(const sli_sweep *sweep, const sli_body *target, const sli_number n[3],
                     int sign, sl_contact *out);
void sli_sweep_overlap(const sli_sweep *sweep, const sli_body *target, const sli_number *n,
                       int sign, sl_contact *out);
