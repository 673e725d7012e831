/* gizmo/slide.h: how far a point moves on a line or a plane of the world while the mouse moves in
 * the picture, with a bound on its speed.  docs/notes/gizmos.md derives what is here.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/camera/view.h"

/* A point in the picture. */
typedef struct sli_drag_seen {
    double clip[4], xy[2];
    double pixel; /* sl_view_pixel_size */
} sli_drag_seen;

/* False for a point that is not in front of the eye. */
bool sli_seen_at(const sli_view *view, const double point[3], sli_drag_seen *out);

/* Moved by s along dir, the point appears at xy + s rate / (1 + s fade). */
void sli_seen_rate(const sli_view *view, const sli_drag_seen *seen, const double dir[3],
                   double rate[2], double *fade);

/* How far along a direction a point moves for a displacement d in the picture; Lipschitz with the
 * constant limit.  Sets *clamped where it is not what puts the point's projection nearest to
 * where it is asked to be, and leaves it alone elsewhere. */
double sli_slide_line(const double rate[2], double fade, double limit, const double d[2],
                      bool *clamped);

/* The same in a plane that is spanned by two directions. */
typedef struct sli_slide_plane {
    double inverse[2][2]; /* A: displacement in the picture to steps along the directions */
    double fade[2];       /* k */
    double norm;          /* of A */
    bool clamped;         /* A is not the inverse, but one of a smaller norm */
} sli_slide_plane;

/* The norm of A is at most `first`. */
void sli_slide_plane_make(const double rate[2][2], const double fade[2], double first,
                          sli_slide_plane *out);

/* Within where the speed is surely at most stretch * norm, with stretch >= 1.5, what is asked.
 * Beyond: where the nearest point within leads, and, if onward, from there as A says.  Lipschitz
 * with stretch * norm, if onward with sqrt(stretch^2 + 1) * norm. */
void sli_slide_in_plane(const sli_slide_plane *plane, double stretch, bool onward,
                        const double d[2], double steps[2], bool *clamped);
