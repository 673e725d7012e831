/* bodies.h: pairs of shapes that are hard to decide, and a driver for tests of overlap on them.
 * Threads  one at a time. */
#pragma once

#include "test/support/hard/shapes.h"

/* One shape of any kind, which is floats from its beginning. */
typedef union hard_body {
    sl_triangle triangle;
    sl_aabb aabb;
    sl_obb obb;
    sl_sphere sphere;
    sl_capsule capsule;
    sl_plane plane;
    sl_frustum frustum;
    float number[36];
} hard_body;

/* All valid.  Lattice boxes have every kind of axes: standard, at right angles and of whole length,
 * sheared, flat, mirrored, zero.  Half of the frusta hold the point 0. */
typedef void hard_maker(test_random *random, hard_numbers numbers, hard_body *out);
hard_maker hard_body_triangle, hard_aabb, hard_obb, hard_sphere, hard_capsule, hard_plane,
    hard_frustum;
/* Each side is taken away one time in four. */
hard_maker hard_infinite_aabb;

/* A point so near to the plane that doubles cannot tell the side: where normal[2] is 1, normal . x
 * - offset is some 2^-70 of what it is made of, otherwise 2^-53.  The rest of the normal is made,
 * too. */
void hard_point_by_plane(test_random *random, sl_plane *plane, float point[3]);

/* Two kinds of shapes.  The library is asked whether they overlap, in either order where there is
 * such a call, and of a plane, on which side of it b is; answers are small whole numbers, 0 for
 * apart.  Whether two touch is told by support_oracle.h, and by frustum_oracle.h where b is a
 * frustum. */
typedef struct hard_query {
    hard_maker *make_a, *make_b;
    int (*right)(const hard_body *a, const hard_body *b); /* NULL: whether they touch */
} hard_query;

/* rounds pairs of each kind of numbers; of the lattice twice as many, and again as many where zeros
 * are moved by hairs that no double can carry beside a whole number.  Fails at the first wrong
 * answer, or if one of the answers is rare. */
void hard_run(const hard_query *query, uint64_t seed, size_t rounds);

/* One pair; fails where the answer is wrong.  Returns the right one. */
int hard_run_one(const hard_query *query, const hard_body *a, const hard_body *b);

/* Where the answer changes as one number of b (counted in floats) grows from low to high: of two
 * neighbouring floats with different answers, both are asked of the oracle.  Shapes of which the
 * answers at low and high are the same are passed over. */
void hard_run_where_it_changes(const hard_query *query, int number, float low, float high,
                               uint64_t seed, size_t rounds);
