/* space.h: a volume of the world, carried to where an instance's tree is, or to the top
 * tree: which boxes there it may touch, and which lie wholly within it.
 *
 * With M, T the transform, x_c the middle of the tree and c its computed image, a corner of the
 * world that comes from x is v = c + M (x - x_c) + e, with |e| <= margin along each axis of the
 * world: what the corner rule rounds, of v and of c, and half the grid.  So a slab low <= n . v <=
 * high is low - n . c - m <= (M^T n) . (x - x_c) <= high - n . c + m, m = sum |n_i| margin_i; and a
 * box of the tree is, seen from c, a box along the columns of M that has grown by the margin.  No
 * inverse is needed, and what is far from the origin loses nothing but the digits of n . c.
 * Callers  hold the floating-point environment. */
#pragma once

#include "bvh/query/visit.h"
#include "bvh/query/volume/doubles.h"

/* A sphere or capsule, seen from c. */
typedef struct sli_volume_round {
    double p[3], along[3], length2, radius;
    double size; /* at least each coordinate, and the radius */
} sli_volume_round;

typedef struct sli_volume_space {
    int count; /* of slabs of x - middle */
    bool solid, is_round;
    struct sli_volume_slab slab[SLI_VOLUME_FILTER_SLABS];
    sli_volume_round round;
    double middle[3];
    double m[3][3], margin[3];
} sli_volume_space;

/* Filter: that of the volume (sli_volume_filter_make_d). */
void sli_volume_to_object(const sl_volume_d *volume, const sli_volume_filter *filter,
                          const sli_transformed *transformed, sli_volume_space *out);
void sli_volume_to_top(const sl_volume_d *volume, const sli_volume_filter *filter,
                       const sli_world *world, sli_volume_space *out);

/* A box of the tree that holds all of it that the volume may touch, given the volume's bounds in
 * the world.  What the instance has lies within half of c, so that y = v - c does, and x - x_c is
 * M^-1 (y - e): A y, but for share |y| and norm |e| (kernel/instance/to_local.inl). */
sl_aabb sli_volume_object_bounds(const sl_aabb_d *bounds, const sli_transformed *transformed,
                                 const sli_volume_space *space);
sl_aabb sli_volume_top_bounds(const sl_aabb_d *bounds, const sli_world *world,
                              const sli_volume_space *space);

/* SLI_VISIT_NOT and SLI_VISIT_ALL are sure. */
sli_interest sli_volume_space_box(const sli_volume_space *space, const sl_aabb *box);
