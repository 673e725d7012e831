/* transform.h: where an instance stands in the world: affine maps in doubles, and the corners that
 * they make of a mesh's vertices.
 *
 * Corners  a transform and a grid make a corner of the world from each vertex by one fixed sequence
 *          of roundings (sl_transform_corner).  Corners are multiples of 2^-149, the step of
 *          floats, and no larger than FLT_MAX: they have the range of floats and the digits of
 *          doubles, and what is decided about them is decided exactly.
 * Nested   a transform within a transform is their product (sl_transform_product), multiplied from
 *          the outermost inwards: of three, product(product(a, b), c).  In another order most
 *          corners would differ in their last digits.
 * Fails    where a comment says so, by returning false, with the output left alone.
 * Threads  values and pure functions: safe to call from several threads at once, and in any
 *          floating-point environment.
 * Cost     constant time; allocates nothing. */
#ifndef SIGHTLINE_TRANSFORM_H
#define SIGHTLINE_TRANSFORM_H

#include <sightline/shapes.h>

/* An affine map.  m is row-major: m[axis] makes the coordinate of that axis, as ((m[axis][0] x +
 * m[axis][1] y) + m[axis][2] z) + m[axis][3].  All zeros are no identity: they take everything to
 * the origin, and are refused where instances are made. */
typedef struct sl_transform {
    double m[3][4];
} sl_transform;

/* The transform that moves nothing. */
SL_API sl_transform sl_transform_identity(void);

/* From a matrix in column-major order, such as a mat4 of cglm or a node's of glTF: m[axis][k] is
 * matrix[4 * k + axis].  False for one that is not affine: not finite, or with a last row other
 * than exactly 0 0 0 1. */
SL_API bool sl_transform_from_matrix(const float matrix[16], sl_transform *out);

/* Scaled along the axes, then turned by the quaternion x y z w, then moved: the node of glTF.
 * The quaternion need not have unit length.  Quarter turns about an axis, and turns that permute
 * the axes, are exact where equal components of the quaternion are equal as doubles.  NULL
 * stands for no translation, no rotation or no scale.  False if an argument or an element of the
 * transform is not finite, or if the quaternion is zero. */
SL_API bool sl_transform_from_trs(const double translation[3], const double rotation[4],
                                  const double scale[3], sl_transform *out);

/* The transform of what has the transform inner in a group whose transform is outer.  Each of the
 * first three columns c is (outer[axis][0] c[0] + outer[axis][1] c[1]) + outer[axis][2] c[2], and
 * the last one has outer[axis][3] added to that; each step is rounded to nearest even, and there is
 * no grid.  False if an element is not finite. */
SL_API bool sl_transform_product(const sl_transform *outer, const sl_transform *inner,
                                 sl_transform *out);

/* The corner that the transform makes of a vertex: the sum in the comment on sl_transform, in
 * doubles, each product and each sum rounded to nearest even, none of them fused; then rounded to
 * the nearest multiple of grid, ties to even, a zero being +0.  grid is a power of two, 2^-149 at
 * least and 2^127 at most, or 0, which stands for 2^-149.  False if the grid is neither, or if a
 * coordinate is not finite or larger than FLT_MAX. */
SL_API bool sl_transform_corner(const sl_transform *transform, double grid, const float vertex[3],
                                double corner[3]);

/* A normal of a surface, where the transform carries the surface: by the transpose of the inverse
 * of the linear part, so that it stays upright where the transform stretches, and on its side of
 * the surface where it mirrors.  Of unit length, or zero where normal is; off by less than 2^-47
 * times the condition of the linear part, whatever its scale: 2^-27 for transforms that trees
 * over instances accept.  False if a number is not finite, or if the transform has no inverse (of
 * conditions beyond 2^90 or so that cannot be told).  out may be normal. */
SL_API bool sl_transform_normal(const sl_transform *transform, const double normal[3],
                                double out[3]);

/* The inverse, which takes the world to the object.  Each element is the exact one rounded to the
 * nearest double, ties to even (below 2^-1022 it may be the one next to that), so those that are
 * doubles are exact: of moves, quarter turns, mirrors, scales by powers of two and their products.
 * *error, which may be NULL: no element is farther than that from the exact one; 0 where all are
 * exact.  (Elements below 2^-147 of those beside them in both row and column count as multiples of
 * 2^-200 of these.)  False if there is no inverse, exactly, or if a number is not finite.  out may
 * be transform. */
SL_API bool sl_transform_inverse(const sl_transform *transform, sl_transform *out, double *error);

typedef enum sl_coordinates {
    SL_POINT = 0,
    SL_VECTOR = 1, /* the translation does not move it */
    SL_NORMAL = 2  /* of a surface: what sl_transform_normal takes to the world */
} sl_coordinates;

/* What the transform takes to a point, vector or normal of the world, such as a pick, a drag or
 * sl_bvh_surface tell: where a vertex of the object is to be.  Of points and vectors each
 * coordinate is the exact one rounded to the nearest double, with no rounding of an inverse between
 * (and with none to a grid); normals have unit length, or are zero where the world's is, and are
 * off by less than 2^-48 times the condition of the linear part.  False as above.  out may be
 * world. */
SL_API bool sl_transform_to_object(const sl_transform *transform, sl_coordinates kind,
                                   const double world[3], double out[3]);

/* ---- Transforms moved, turned, scaled.  Exactly the same one for no translation, the rotation 0 0
 * 0 1, the factor 1.  False if an argument or an element is not finite, or a quaternion or an axis
 * zero.  out may be transform ---- */

/* Turned about centre by a quaternion x y z w of any length. */
SL_API bool sl_transform_turned(const sl_transform *transform, const double centre[3],
                                const double rotation[4], sl_transform *out);

/* Scaled about centre: in all directions, or along axis alone if that is not NULL. */
SL_API bool sl_transform_scaled(const sl_transform *transform, const double centre[3],
                                const double axis[3], double factor, sl_transform *out);

/* The quaternion of a turn about an axis, by the right-hand rule; the shortest turn that takes one
 * direction to another (about an axis perpendicular to it, if they are opposite): of what stands
 * on a surface, say.  Directions have any length but 0; false otherwise, or if a number is not
 * finite, or an angle beyond a million. */
SL_API bool sl_turn_about(const double axis[3], double angle_rad, double rotation[4]);
SL_API bool sl_turn_between(const double from[3], const double to[3], double rotation[4]);

#endif
