/* side.h: where corners and sides of the world's triangles appear, and how far from a position:
 * the definition of docs/notes/picking.md, in one fixed sequence of operations.
 * Callers  hold the floating-point environment. */
#ifndef SLI_PICK_SIDE_H
#define SLI_PICK_SIDE_H

#include "lib/geom/camera/view.h"

/* Something that appears near a position. */
typedef struct sli_shown {
    double point[3]; /* in the world */
    double xy[2];    /* where it appears */
    double pixels;   /* from the position to there */
    double along;    /* of a side: from its lower end (0) to the higher one (1) */
} sli_shown;

/* False for a corner that does not appear. */
bool sli_corner_shown(const sli_view *view, const double corner[3], const double position[2],
                      sli_shown *out);

/* The point of a side that is nearest to the position; false where there is none. */
bool sli_side_shown(const sli_view *view, const double lower[3], const double higher[3],
                    const double position[2], sli_shown *out);

/* Whether one corner is lower than another: by x, then y, then z. */
static inline bool sli_corner_is_lower(const double a[3], const double b[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (a[axis] != b[axis]) {
            return a[axis] < b[axis];
        }
    }
    return false;
}

static inline bool sli_corner_equals(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

#endif
