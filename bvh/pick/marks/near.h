/* marks/near.h: which boxes may hold something that appears within some pixels of a position.
 *
 * A point appears more than r pixels to the right of the position where X - (p_x + r) W > 0, a row
 * of the picture (pick/screen.h), and likewise to the left, above and below.  Over a box each is
 * least at a corner that the signs of its gradient name, so large boxes are judged as sharply as
 * small ones.  What a row may be off by is taken of each box, not of the whole tree: one mark at
 * the end of the world makes no other one slow.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/pick/screen.h"

typedef struct sli_near {
    sli_row x, y, w, front; /* x and y: less the position; of points less the origin */
    double from[3];         /* what boxes count from, less the origin */
    double far[3];          /* |middle| + |origin| */
} sli_near;

/* At a position that is finite, of boxes that count from middle. */
void sli_near_make(const sli_screen *screen, const double xy[2], const double middle[3],
                   sli_near *out);

typedef struct sli_near_box {
    double centre[3], half[3];
} sli_near_box;

/* Whether something in a box may appear within radius pixels. */
bool sli_near_has(const sli_near *near, const sli_near_box *box, double radius);

/* About how far from the position, in pixels squared, the box's centre appears; 0 behind the
 * eye. */
double sli_near_guess(const sli_near *near, const sli_near_box *box);
