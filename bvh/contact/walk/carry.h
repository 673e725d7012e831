/* walk/carry.h: boxes of one tree, carried to where another one is: where boxes that are
 * compared there are surely apart, so is what is in them.
 *
 * With M, T the transform of an instance, x_c the middle of its tree and c its computed image, a
 * point of a triangle in the world that comes from x is w = c + M (x - x_c) + e (volume/space.h).
 * So a point of instance b that comes from y is, in the space of the tree of a, at
 *
 *     x = x_c + M^-1 (c_b - c_a + M_b (y - y_c) + e_b - e_a),
 *
 * that is t + R (y - y_c) with R = A M_b and t = x_c + A (c_b - c_a), A being the computed inverse
 * of M, but for
 *     (M^-1 - A) z       z = w - c_a; no more than share |z| (kernel/instance/to_local.inl)
 *     M^-1 (e_b - e_a)   no more than norm (|e_a| + |e_b|)
 *     roundings          of R, of t, of the sums
 * which is slack.  A box about y becomes the box about t + R (y - y_c), grown by the slack and
 * rounded outwards to floats: comparing floats is exact, so what is far from the origin loses
 * nothing but what the tree's own coordinates are rounded to.
 * Order     a box within another one is carried to a box within the other one's.  A box that is
 *           carried `exactly` is within the same box carried otherwise: it has less room for
 *           roundings (once.c).  Kernels carry them (bvh/kernel/contact/dual.inl).
 * Callers   hold the floating-point environment. */
#pragma once

#include "bvh/kernel/contact/dual.h"
#include "bvh/tree/transformed.h"

/* What is the same for all b of a world: sizes that bound what corners are off by. */
typedef struct sli_world_sizes {
    double most[3]; /* of |M| |x| + |T| */
    double grid;
} sli_world_sizes;

/* To the space of the tree of a. */
void sli_carry_to_instance(const sli_transformed *a, const sli_transformed *b, sli_carry *out);

/* To that of the top tree of a, from that of b, which stands under one more transform (NULL: none);
 * sizes: of b, read where there is one. */
void sli_carry_to_top(const sli_world *a, const sli_world *b, const sl_transform *under,
                      const sli_world_sizes *sizes, sli_carry *out);
void sli_world_sizes_find(const sli_world *world, sli_world_sizes *out);

/* No distance in the world of points of two instances is less than the distance in the space of
 * a's tree over this. */
double sli_carry_stretch(const sli_transformed *a);
