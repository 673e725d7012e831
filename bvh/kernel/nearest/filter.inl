/* Lower and upper bounds on the distances between points and the triangles of leaf blocks, in
 * floats.  For both ways to find the nearest triangle (nearest/stream.inl,
 * nearest/walk.inl).
 *
 * A block has four triangles, so two blocks are done at a time, each with a point of its own: lanes
 * 0 .. 3 are the first block's, 4 .. 7 the second's.  The nearest point of a triangle is found by
 * Ericson's regions (Real-Time Collision Detection, 2005, 5.1.5), without branches and roughly; the
 * bounds hold however good it is. */
#pragma once

#include "bvh/kernel/plain/ray.inl"
#include "bvh/kernel/simd/simd.h"

#define NEAREST_DOWN (1 - 8 * WALK_U)
#define NEAREST_UP   (1 + 8 * WALK_U)
#define NEAREST_TINY 0x1p-90f /* squares of directions below this have lost bits to underflow */
/* Covers what underflows in a square; and a factor that covers all distances that round to one
 * float. */
#define NEAREST_FLOOR 0x1p-100f
#define NEAREST_ALIKE (1 + 0x1p-21f)

/* Eight vectors, one in each lane. */
typedef struct v8 {
    f8 x, y, z;
} v8;

static v8 v8_sub(v8 a, v8 b)
{
    return (v8){ f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z) };
}

static f8 v8_dot(v8 a, v8 b)
{
    return f8_muladd(a.z, b.z, f8_muladd(a.y, b.y, f8_mul(a.x, b.x)));
}

static v8 v8_muladd(f8 s, v8 a, v8 b)
{
    return (v8){ f8_muladd(s, a.x, b.x), f8_muladd(s, a.y, b.y), f8_muladd(s, a.z, b.z) };
}

/* |x| + |y| + |z| */
static f8 v8_size(v8 a)
{
    return f8_add(f8_add(f8_abs(a.x), f8_abs(a.y)), f8_abs(a.z));
}

static f8 f8_negate(f8 a)
{
    return f8_sub(f8_splat(0), a);
}

/* Clamped to [0, 1]; a NaN, which comes from a side of length 0, becomes 0. */
static f8 f8_clamp(f8 a)
{
    return f8_min(f8_max(a, f8_splat(0)), f8_splat(1));
}

/* One coordinate of a corner of all eight triangles, relative to their points. */
static f8 corner_axis(const sli_tri_pack *const pack[2], const float *const at[2], int corner,
                      int axis)
{
    const f8 corners = f8_pair(f4_load(pack[0]->axis[axis].vertex[corner]),
                               f4_load(pack[1]->axis[axis].vertex[corner]));
    return f8_sub(corners, f8_pair(f4_splat(at[0][axis]), f4_splat(at[1][axis])));
}

static v8 corner_from(const sli_tri_pack *const pack[2], const float *const at[2], int corner)
{
    return (v8){ corner_axis(pack, at, corner, 0), corner_axis(pack, at, corner, 1),
                 corner_axis(pack, at, corner, 2) };
}

/* An estimate of the point of each triangle that is nearest to the origin, by Ericson's regions.
 * The weights of b and c lie in [0, 1] and their sum is at most 1, but for a rounding; only speed
 * depends on how good the estimate is otherwise.  Regions need no masks: the minimum of several
 * numbers is >= 0 where all of them are. */
static v8 nearest_estimate(v8 a, v8 b, v8 c)
{
    const f8 zero = f8_splat(0), one = f8_splat(1);
    const v8 ab = v8_sub(b, a), ac = v8_sub(c, a);
    const f8 ab2 = v8_dot(ab, ab), ac2 = v8_dot(ac, ac), abac = v8_dot(ab, ac);
    const f8 s1 = f8_negate(v8_dot(ab, a)), s2 = f8_negate(v8_dot(ac, a));
    const f8 s3 = f8_sub(s1, ab2), s4 = f8_sub(s2, abac);
    const f8 s5 = f8_sub(s1, abac), s6 = f8_sub(s2, ac2);
    const f8 along = f8_sub(s4, s3), back = f8_sub(s5, s6);
    const f8 va = f8_sub(f8_mul(s3, s6), f8_mul(s5, s4));
    const f8 vb = f8_sub(f8_mul(s5, s2), f8_mul(s1, s6));
    const f8 vc = f8_sub(f8_mul(s1, s4), f8_mul(s3, s2));
    /* On one of the three sides; a corner is an end of a side: of one from a, or c of that to c. */
    const f8 on_bc = f8_min(f8_min(f8_negate(va), along), back);
    const f8 on_ac =
        f8_max(f8_min(f8_min(f8_negate(vb), s2), f8_negate(s6)), f8_min(s6, f8_negate(back)));
    const f8 from_a = f8_less(on_ac, zero, s1, s2), from_a2 = f8_less(on_ac, zero, ab2, ac2);
    const f8 num = f8_less(on_bc, zero, from_a, along);
    const f8 den = f8_less(on_bc, zero, from_a2, f8_add(along, back));
    const f8 t = f8_clamp(f8_div(num, den));
    const f8 v_from_a = f8_less(on_ac, zero, t, zero), w_from_a = f8_less(on_ac, zero, zero, t);
    const f8 v_side = f8_less(on_bc, zero, v_from_a, f8_sub(one, t));
    const f8 w_side = f8_less(on_bc, zero, w_from_a, t);
    /* Inside, where the origin projects into the triangle. */
    const f8 over = f8_min(f8_min(va, vb), vc), sum = f8_add(f8_add(va, vb), vc);
    const f8 inverse = f8_div(one, sum);
    const f8 v_in = f8_clamp(f8_mul(vb, inverse));
    const f8 w_in = f8_min(f8_clamp(f8_mul(vc, inverse)), f8_sub(one, v_in));
    const f8 v = f8_less(zero, over, v_in, v_side), w = f8_less(zero, over, w_in, w_side);
    return v8_muladd(w, ac, v8_muladd(v, ab, a));
}

/* Bounds the squared distances of the triangles whose bits are set in wanted; the bounds of the
 * others are infinite.
 *   least2[0 .. 3]  below: of each triangle of pack[0] from at[0]
 *   most2[0 .. 3]   above: of the nearest of them, the same in all four
 *   [4 .. 7]        likewise for pack[1] from at[1]
 *
 * Let m be the largest |x| + |y| + |z| of a corner relative to the point, r the estimate and q the
 * point of the triangle with the estimate's weights, in exact arithmetic from the corners as they
 * are.
 *
 * Above: |r - q| <= 10u m, which is u m from a, 6u m from both weighted sides (4u m from each
 * side's corners and its own rounding, 2u m from the product; the weights sum up to 1), 2u m from
 * two sums, and u m where the sum of the weights is u above 1.  So the square is at most
 * r^2 + 20u m |r| + 100 u^2 m^2, and |r| is at most |x| + |y| + |z| of r.
 *
 * Below: a triangle lies on the far side of any plane that its corners w lie beyond, so for every r
 * the distance is at least min w . r / |r|.  The computed dot products are off by less than 8u m
 * |r| (a rounding in each w, three products, two sums), and the division by |r|^2 of the square by
 * less than 8u of itself.  A direction that is zero bounds nothing: 0.
 *
 * Nothing here overflows as long as m < 2^62: the square of a dot product would, so it is divided
 * by |r|^2 before it is multiplied.  (The cross products of the estimate may; no bound rests on
 * them.) */
static void bound_triangles(const sli_tri_pack *const pack[2], const float *const at[2],
                            uint32_t wanted, float least2[2 * SLI_PACK], float most2[2 * SLI_PACK])
{
    const v8 a = corner_from(pack, at, 0), b = corner_from(pack, at, 1),
             c = corner_from(pack, at, 2);
    const v8 r = nearest_estimate(a, b, c);
    const f8 m = f8_max(f8_max(v8_size(a), v8_size(b)), v8_size(c));
    const f8 r2 = v8_dot(r, r), zero = f8_splat(0);
    const f8 slack = f8_mul(f8_splat(8 * WALK_U), m), across = f8_mul(slack, v8_size(r));
    const f8 high = f8_muladd(slack, f8_mul(f8_splat(2), slack),
                              f8_muladd(across, f8_splat(3), f8_splat(NEAREST_FLOOR)));
    const f8 most = f8_muladd(r2, f8_splat(NEAREST_UP), high);
    f8_store(most2, f8_least_halves(f8_only(most, wanted)));
    const f8 nearest = f8_min(f8_min(v8_dot(a, r), v8_dot(b, r)), v8_dot(c, r));
    const f8 sure = f8_max(f8_sub(nearest, across), zero);
    const f8 low = f8_mul(f8_mul(f8_div(sure, r2), sure), f8_splat(NEAREST_DOWN));
    const f8 least = f8_less(f8_splat(NEAREST_TINY), r2, low, zero);
    f8_store(least2, f8_only(least, wanted));
}
