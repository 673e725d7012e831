/* shown_box.h: roughly where a triangle appears in a picture, so that a brute force passes over
 * what is far from where it looks: written apart from bvh/pick/screen.h. */
#pragma once

#include <sightline/camera.h>

typedef struct shown_box {
    double low[2], high[2]; /* infinite where it cannot be told */
} shown_box;

/* A box that everything of the triangle that is in front of the near plane appears in, with a
 * quarter of a pixel to spare, and a millionth of its coordinates. */
shown_box shown_box_of(const sl_view *view, double v[3][3]);

/* Whether something in there may be within radius pixels of a position. */
bool shown_box_is_near(const shown_box *box, const double xy[2], double radius);
