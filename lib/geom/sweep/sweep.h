/* sweep/sweep.h: a shape that moves by t * dir, t in [0, 1], made ready once and then asked about
 * many triangles: when it first touches them, exactly.
 *
 * Let E and X be the first and the last t, of all there are, at which the shape touches the
 * triangle: E the largest of the entry times over all separating axes, X the least of the exit
 * times; without motion -inf and +inf.  What both do is decided by E and X alone:
 *   E > 0    apart at the start; contact at E, if E <= X and E <= 1.  A solid grazes where E = X or
 *            where, along an axis on which it does not move, they have only a point in common.
 *   E < 0 < X, and along every axis on which it does not move the two overlap by more than a point:
 *            overlapping, or, of a shape without volume, touching and closing: it is run through.
 *   E = 0 < X, and likewise: touching and closing.
 *   else     if X >= 0: touching and receding.
 * An overlapping shape recedes (SL_START_IGNORE_RECEDING) where X <= -E: it is nearer to leaving
 * ahead than behind; without motion it rests.
 *
 * Callers  hold the floating-point environment; corners are in the range of exact decisions
 *          (overlap_d.h). */
#pragma once

#include "lib/geom/convex/axes.h"

#include <sightline/contact.h>

/* 13 KB, so that a call has room for one or two on its stack. */
typedef struct sli_sweep {
    sl_volume_kind kind; /* of a sphere or capsule without a radius SL_VOLUME_HULL */
    sl_start_contact touching, overlapping;
    bool ignore_grazing; /* false for what has no volume */
    bool moves;          /* dir is not zero */
    double dir[3];
    sl_aabb_d bounds; /* of the shape where it starts, rounded outwards; infinite where it is */
    sl_aabb_d swept;  /* of all its way */

    sl_volume_d volume; /* in the range of exact decisions; of a hull the kind alone */

    /* Round shapes have no more.  All others are a box or a hull, which the mover points to, so
     * that the struct stays where it is. */
    sli_mover mover;
    sli_body box;
    sli_hull hull;
} sli_sweep;

/* False for an invalid sweep, which meets nothing: an invalid or empty shape, a frustum, a dir that
 * is not finite or larger than FLT_MAX, or an unknown kind or start. */
bool sli_sweep_take(const sl_sweep_d *given, sli_sweep *out);
bool sli_sweep_take_floats(const sl_sweep *given, sli_sweep *out);

/* The same sweep in doubles; xyz: room for the points of a hull. */
sl_sweep_d sli_sweep_d_of(const sl_sweep *sweep, double *xyz);

/* Whether there is a contact; *out is then filled but for prim and instance, else left alone.  A
 * contact whose t is larger than t_bound may be reported as none; t_bound is at most 1. */
bool sli_sweep_triangle(const sli_sweep *sweep, const double corners[3][3], double t_bound,
                        sl_contact *out);

/* The same of spheres and capsules, and of the others. */
bool sli_sweep_round_triangle(const sli_sweep *sweep, const double corners[3][3], double t_bound,
                              sl_contact *out);
bool sli_sweep_polytope_triangle(const sli_sweep *sweep, const double corners[3][3], double t_bound,
                                 sl_contact *out);
