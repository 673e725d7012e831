/* gizmo/drag.h: a drag made ready for one position of the mouse.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/vector.h"
#include "lib/geom/gizmo/slide.h"

#include <sightline/gizmo.h>

typedef struct sli_dragged {
    const sl_drag *drag;
    sli_view view;
    double axis[3];     /* of unit length */
    sli_drag_seen seen; /* the grabbed point, in this view */
    double d[2];        /* from there to where it is asked to appear */
    bool still;         /* d is 0 */
    double limit;       /* how far the point may move for a pixel */
} sli_dragged;

/* Checks everything; SL_DRAG_MOVED if it is usable. */
sl_drag_answer sli_drag_open(const sl_drag *drag, const sl_view *view, const double xy[2],
                             sli_dragged *out);

/* An answer in which nothing has moved. */
void sli_drag_still(const sli_dragged *dragged, sl_drag_move *out);

/* Writes translation and point, rounded to steps and flags included. */
void sli_drag_along_axis(const sli_dragged *dragged, sl_drag_move *out);
void sli_drag_in_plane(const sli_dragged *dragged, sl_drag_move *out);
void sli_drag_on_screen(const sli_dragged *dragged, sl_drag_move *out);

/* The unit normal of the plane parallel to the picture through the grabbed point, towards the eye;
 * false if there is none. */
bool sli_drag_towards_eye(const sli_dragged *dragged, double normal[3]);

/* How directions u and v look from where the drag began (sli_slide_plane_make). */
void sli_drag_plane(const sli_dragged *dragged, const double u[3], const double v[3], double first,
                    sli_slide_plane *out);

/* Steps in a plane spanned by two unit vectors at right angles, as the picture's displacement
 * asks; bounded as the translation of a point is. */
void sli_drag_steps(const sli_dragged *dragged, const double u[3], const double v[3],
                    double steps[2], bool *clamped);

/* The nearest multiple; the value itself without a step. */
double sli_drag_rounded(double value, double step);

sl_drag_answer sli_drag_ring(const sli_dragged *dragged, const sl_drag_move *last,
                             sl_drag_move *out);
sl_drag_answer sli_drag_roll(const sli_dragged *dragged, sl_drag_move *out);

/* Sets drag->pull, by its ring and how it is seen. */
sl_drag_answer sli_drag_ring_begin(const sli_dragged *dragged, sl_drag *drag);

sl_drag_answer sli_drag_scale(const sli_dragged *dragged, sl_drag_move *out);
sl_drag_answer sli_drag_stretch(const sli_dragged *dragged, sl_drag_move *out);
