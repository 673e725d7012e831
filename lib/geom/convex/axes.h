/* convex/axes.h: separating axes between a convex body that moves by t * dir, a box or a hull, and
 * one that stands, a triangle or a box: for sweeps, and, with a dir of zero, for overlaps of hulls.
 *
 * Along an axis n let the mover reach from l to h, the target from l' to h', and be s = n . dir.
 * They overlap there as long as l' - h <= t s <= h' - l: for s > 0 from the entry (l' - h) / s to
 * the exit (h' - l) / s, for s < 0 the other way around, and for s = 0 always or never.
 *
 * The bodies touch at t exactly if they do along each axis that is normal to a facet of target -
 * mover, and along every other axis too: a facet is spanned by two edges.  Where the mover has no
 * volume the directions x, y, z count as edges, as in sat.c.  A hull's face, or an edge of it with
 * one of the target's, bounds on one side alone, where the hull's extent is known: then h' - l is
 * infinite.  An edge counts only where the hull lies behind the plane through it, that is, where
 * the third corners of its two faces do.
 *
 * Order    of axes: the target's normals; the mover's, a hull's in the order of its faces; edges of
 *          the mover, each with those of the target; the rest.
 * Callers  hold the floating-point environment; numbers are in the range of exact decisions.
 * Source   as sat.c; Schneider and Eberly, Geometric Tools for Computer Graphics (2002), 11.11.4,
 *          for bodies that move. */
#pragma once

#include "lib/geom/convex/hull.h"
#include "lib/geom/convex/support.h"

/* A body that moves: the box, or the hull.  It is seen from the reference in doubles, within low ..
 * high along the edges of a box, and no farther than reach. */
typedef struct sli_mover {
    const sli_body *box;  /* or NULL */
    const sli_hull *hull; /* or NULL */
    bool solid;           /* it has volume */
    double reference[3], low[3], high[3], reach[3];
} sli_mover;

void sli_mover_make(const sli_body *box, const sli_hull *hull, sli_mover *out);

typedef struct sli_axes {
    const sli_mover *mover;
    const sli_body *target;
    const double *dir;
    int count, normals, faces, edges; /* of axes: in all; in the first three groups */
    /* The target seen from the mover's reference: corners, or a box. */
    double corner[3][3], low[3], high[3];
    double reach[3]; /* of both bodies */
} sli_axes;

void sli_axes_make(const sli_mover *mover, const double dir[3], const sli_body *target,
                   sli_axes *out);

/* What doubles say about an axis: entry and exit are within these limits.  Apart: surely, at every
 * t in [0, 1].  Doubtful: it may be one along which the mover does not move, and the two may be
 * apart or have only a point in common. */
typedef struct sli_gauge {
    bool apart, doubtful;
    double entry_low, entry_high, exit_low, exit_high;
} sli_gauge;

/* False where the axis surely bounds nothing. */
bool sli_axes_gauge(const sli_axes *axes, int axis, sli_gauge *out);

/* An axis exactly. */
typedef struct sli_exact_axis {
    sli_number n[3], speed;
    sli_number ahead, behind; /* l' - h, h' - l */
    bool is_ahead, is_behind; /* whether they are finite */
} sli_exact_axis;

/* False where the axis bounds nothing. */
bool sli_axes_exact(const sli_axes *axes, int axis, sli_exact_axis *out);

/* Its n alone. */
bool sli_axes_normal(const sli_axes *axes, int axis, sli_number n[3]);

/* Whether the two touch, where dir is zero. */
bool sli_axes_meet(const sli_axes *axes);

/* n . p. */
void sli_dot_point(const sli_number n[3], const double p[3], sli_number *out);

/* ---- What an axis is made of: for axes.c and axes_exact.c ---- */

/* A direction is the exact difference of two points. */
typedef struct sli_direction {
    const double *head, *tail;
} sli_direction;

/* The axis u x w.  Where it is known where the hull touches it: at on the hull; it is outwards, or
 * so are those of its signs for which the third corners lie behind. */
typedef struct sli_axis_pick {
    sli_direction u, w;
    const double *at, *third[2];
} sli_axis_pick;

void sli_axes_find(const sli_axes *axes, int axis, sli_axis_pick *out);

/* Whether it is not zero, exactly. */
bool sli_axis_is_some(const sli_axis_pick *pick);

/* Widens low .. high to hold n . x of the hull's corners, seen from the mover's reference, each off
 * by 8 roundings of sum |n_k| reach_k. */
void sli_hull_extent(const sli_mover *mover, const double n[3], double *low, double *high);
