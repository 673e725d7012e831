/* picture_oracle.h: the point of a segment nearest to a position of the picture, by the words of
 * pick.h, written apart from the library: bit for bit the same. */
#pragma once

#include <sightline/camera.h>

typedef struct picture_point {
    double point[3], xy[2], pixels, s;
} picture_point;

/* False where nothing of it appears.  a equal to b: a point. */
bool picture_nearest(const sl_view *view, const double xy[2], const double a[3], const double b[3],
                     picture_point *out);

/* The part of a segment in front of the near plane: its ends in the picture, where on the segment
 * they are, and their w.  False: none. */
bool picture_part(const sl_view *view, const double a[3], const double b[3], double at[2][2],
                  double s[2], double w[2]);
