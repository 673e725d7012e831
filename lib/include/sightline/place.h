/* place.h: where an instance stands in the world: affine maps in doubles, and the corners that
 * they make of a mesh's vertices.
 *
 * Corners  a place and a grid make a corner of the world from each vertex by one fixed sequence
 *          of roundings (sl_place_corner).  Corners are multiples of 2^-149, the step of floats,
 *          and no larger than FLT_MAX: they have the range of floats and the digits of doubles,
 *          and what is decided about them is decided exactly.
 * Nested   a place within a place is their product (sl_place_product), multiplied from the
 *          outermost inwards: of three, product(product(a, b), c).  In another order most corners
 *          would differ in their last digits.
 * Fails    where a comment says so, by returning false, with the output left alone.
 * Threads  values and pure functions: safe to call from several threads at once, and in any
 *          floating-point environment.
 * Cost     constant time; allocates nothing. */
#ifndef SIGHTLINE_PLACE_H
#define SIGHTLINE_PLACE_H

#include <sightline/shapes.h>

/* An affine map.  m is row-major: m[axis] makes the coordinate of that axis, as
 * ((m[axis][0] x + m[axis][1] y) + m[axis][2] z) + m[axis][3]. */
typedef struct sl_place {
    double m[3][4];
} sl_place;

/* The place that moves nothing. */
SL_API sl_place sl_place_identity(void);

/* From a matrix in column-major order, such as a mat4 of cglm or a node's of glTF: m[axis][k] is
 * matrix[4 * k + axis].  False for one that is not affine: not finite, or with a last row other
 * than exactly 0 0 0 1. */
SL_API bool sl_place_from_matrix(const float matrix[16], sl_place *out);

/* Scaled along the axes, then turned by the quaternion x y z w, then moved: the node of glTF.
 * The quaternion need not have unit length.  Quarter turns about an axis, and turns that permute
 * the axes, are exact where equal components of the quaternion are equal as doubles.  NULL
 * stands for no translation, no rotation or no scale.  False if an argument or an element of the
 * place is not finite, or if the quaternion is zero. */
SL_API bool sl_place_from_trs(const double translation[3], const double rotation[4],
                              const double scale[3], sl_place *out);

/* The place of what has the place inner in a group whose place is outer.  Each of the first three
 * columns c is (outer[axis][0] c[0] + outer[axis][1] c[1]) + outer[axis][2] c[2], and the last one
 * has outer[axis][3] added to that; each step is rounded to nearest even, and there is no grid.
 * False if an element is not finite. */
SL_API bool sl_place_product(const sl_place *outer, const sl_place *inner, sl_place *out);

/* The corner that the place makes of a vertex: the sum in the comment on sl_place, in doubles,
 * each product and each sum rounded to nearest even, none of them fused; then rounded to the
 * nearest multiple of grid, ties to even, a zero being +0.  grid is a power of two, 2^-149 at
 * least and 2^127 at most, or 0, which stands for 2^-149.  False if the grid is neither, or if a
 * coordinate is not finite or larger than FLT_MAX. */
SL_API bool sl_place_corner(const sl_place *place, double grid, const float vertex[3],
                            double corner[3]);

/* A normal of a surface, where the place carries the surface: by the transpose of the inverse of
 * the linear part, so that it stays upright where the place stretches, and on its side of the
 * surface where it mirrors.  Of unit length, or zero where normal is; off by less than 2^-47 times
 * the condition of the linear part, whatever its scale: 2^-27 for places that scenes accept.
 * False if a number is not finite, or if the place has no inverse (of conditions beyond 2^90 or so
 * that cannot be told).  out may be normal. */
SL_API bool sl_place_normal(const sl_place *place, const double normal[3], double out[3]);

#endif
