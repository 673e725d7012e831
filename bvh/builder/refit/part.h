/* refit/part.h: where the part of a triangle that was cut goes when the triangle moves.
 *
 * Cover    the boxes of a cut triangle's blocks cover it (bvh/tree/cover.h): each of its points,
 *          given by its weights, is in one of them.  The point of these weights in the moved
 *          triangle is then in the new box of that block, if this holds the images of all points
 *          of the triangle that the old one holds.  So the new boxes cover the moved triangle.
 * Margin   as in split/clip_reference.h: a new box reaches beyond the image on each face, except
 *          where it ends with the triangle itself.
 * History  a box holds some points that it need not hold, so parts grow as they turn, up to the
 *          whole triangle; sl_bvh_drift sees it. */
#pragma once

#include "bvh/builder/base/box.h"

/* The box of the image of (triangle from within box); to's own box at most.  Vertices are lanes
 * 0 .. 2.  Finite; callers hold the floating-point environment. */
sli_box sli_part_moved(const sli_lanes from[3], const sli_box *box, const sli_lanes to[3]);
