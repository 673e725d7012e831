/* along.h: where a point or a segment of the world is nearest to a position of the picture, and
 * whether that is seen.
 *
 * Segment  from a to b, of which what is in front of the near plane counts: with n = z - near w in
 *          clip space (its negative where depth falls away from the eye), an end whose n is
 *          negative is moved to a + s (b - a) at s = n_a / (n_a - n_b), its clip coordinates
 *          c_a + s (c_b - c_a).  Both ends are projected, to A and B.  Of what is between them in
 *          pixels, r = ((p - A) . (B - A)) / |B - A|^2 is nearest to the position p, at least 0 and
 *          at most 1 (0 where the divisor is 0); of the clipped segment that is
 *          t = r w_a / ((1 - r) w_b + r w_a); and of the whole one s_a + t (s_b - s_a).  The point
 *          is a + s (b - a), or a or b itself where s is 0 or 1; where it appears is
 *          sl_view_project of that.
 * Bits     each step is rounded to double, products before sums, sums from the left.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/camera/view.h"

#include <sightline/pick.h>

typedef struct sli_along {
    double point[3], xy[2], pixels, s;
} sli_along;

/* False where it does not appear. */
bool sli_along_point(const sli_view *view, const double xy[2], const double point[3],
                     sli_along *out);
bool sli_along_segment(const sli_view *view, const double xy[2], const double a[3],
                       const double b[3], sli_along *out);

/* The part of a segment that is in front of the near plane: where its ends are in the picture and
 * on the segment, and what their clip coordinates are divided by.  False: none appears. */
typedef struct sli_along_part {
    double xy[2][2], s[2], w[2];
} sli_along_part;

bool sli_along_part_of(const sli_view *view, const double a[3], const double b[3],
                       sli_along_part *out);

/* Of the end of a segment that was moved to the near plane, to which there is no line of sight, for
 * its rounded point is before the plane: s + c (i - s), i being 1 or 0 at the inner end, for the
 * first c of 2^-44, 2^-36, 2^-28, 2^-20 that has one.  False: another point, or none has. */
bool sli_along_inwards(const sli_view *view, const double xy[2], const double a[3],
                       const double b[3], sli_along *at, sl_segment_d *sight);

/* Where on the segment the share r of the part in the picture is. */
double sli_along_share(const sli_along_part *part, double r);

/* The point a + s (b - a). */
void sli_along_at(const double a[3], const double b[3], double s, double point[3]);

/* sqrt((dx dx + dy dy) + dz dz) from p to q. */
double sli_along_length(const sl_segment_d *sight);

/* Does what sl_bvh_occluded_d does.  hint is a triangle to try first, any reference at all, and
 * then the one that occludes. */
bool sli_along_occluded(const sl_bvh *bvh, const sl_segment_d *sight, const sl_options *options,
                        sl_triangle_ref *hint);
