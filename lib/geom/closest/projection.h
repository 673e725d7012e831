/* closest/projection.h: the projection of a point on a point, a line or a plane, and its distance
 * from there; the closest points of all shapes are made of these.
 *
 * Like the numbers that it consists of (number.h), a projection is known in doubles, or exactly as
 * well.
 * Callers  hold the floating-point environment. */
#pragma once

#include "lib/geom/exact/arithmetic/number.h"

#include <sightline/shapes.h>

/* The projection is the point top / bottom.  The distance is sqrt(square / over), or |height| /
 * sqrt(over) if has_height is set, as squares of heights above parallelepipeds are of degree 8,
 * more than doubles hold.  bottom and over are positive. */
typedef struct sli_projection {
    sli_number top[3], bottom;
    sli_number square, height, over;
    bool has_height;
} sli_projection;

/* On the point base.  w is the point seen from base; coordinates of base are floats, or sums of two
 * floats or of products of two. */
void sli_projection_on_point(const sli_number base[3], const sli_number w[3], bool exact,
                             sli_projection *out);

/* On the line through base along dir, which is not zero; *along is set to the parameter times
 * bottom. */
void sli_projection_on_line(const sli_number base[3], const sli_number w[3],
                            const sli_number dir[3], sli_number *along, sli_projection *out);

/* On the plane with the given normal, which is not zero; height is normal . w. */
void sli_projection_on_plane(const sli_number point[3], const sli_number *height,
                             const sli_number normal[3], sli_projection *out);

void sli_projection_point(const sli_projection *projection, float point[3], bool *unsure);
float sli_projection_distance(const sli_projection *projection, bool *unsure);

/* normal . point - offset; normal is the plane's. */
void sli_plane_height(const sl_plane *plane, const sli_number normal[3], const float point[3],
                      bool exact, sli_number *height);

/* On a solid box of any orientation, which is valid.  True if the point is inside; *projection is
 * then not set.  A point on the surface may also give false, with a distance of 0.  Sets *unsure if
 * doubles do not decide. */
bool sli_obb_projection(const sl_obb *box, const float point[3], bool exact,
                        sli_projection *projection, bool *unsure);
