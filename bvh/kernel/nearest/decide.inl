/* Distances between points and triangles in doubles, four pairs at a time: the weights of the
 * nearest point, and an interval around its distance.  For the candidates of
 * nearest/stream.inl.
 *
 * Operation for operation what lib/geom/closest/point_triangle.c does for one pair, where the proof
 * is (regions: Ericson, Real-Time Collision Detection, 2005, 5.1.5). */
#pragma once

#include "bvh/kernel/simd/simd.h"

/* The corners of four triangles, each relative to its point: [corner][axis]. */
typedef struct d4_corners {
    d4 at[3][3];
} d4_corners;

static d4 d4_dot(const d4 a[3], const d4 b[3])
{
    return d4_add(d4_add(d4_mul(a[0], b[0]), d4_mul(a[1], b[1])), d4_mul(a[2], b[2]));
}

/* The weights of vertices 1 and 2 in one region, as fractions of_b / of_all and of_c / of_all. */
typedef struct d4_region {
    d4 of_b, of_c, of_all;
    d4 on_bc; /* 1 on the side from b to c: there the weight of b is 1 minus that of c; else 0 */
} d4_region;

/* Chooses the region in lanes where claim >= 0 and its divisor is above 0; the others keep their
 * choice. */
static void d4_claim(d4_region *chosen, d4 claim, const d4_region *region)
{
    const d4 zero = d4_splat(0);
    const d4 sure = d4_less(zero, region->of_all, claim, d4_splat(-1));
    chosen->of_b = d4_less(sure, zero, chosen->of_b, region->of_b);
    chosen->of_c = d4_less(sure, zero, chosen->of_c, region->of_c);
    chosen->of_all = d4_less(sure, zero, chosen->of_all, region->of_all);
    chosen->on_bc = d4_less(sure, zero, chosen->on_bc, region->on_bc);
}

static d4 d4_least_of(d4 a, d4 b, d4 c)
{
    return d4_min(d4_min(a, b), c);
}

/* The weights v of vertex 1 and w of vertex 2.  Regions are tried from last to first, so that the
 * first that claims a point keeps it. */
static void d4_weights(const d4_corners *corners, d4 *v, d4 *w)
{
    const d4 zero = d4_splat(0), one = d4_splat(1);
    d4 ab[3], ac[3];
    for (int axis = 0; axis < 3; axis++) {
        ab[axis] = d4_sub(corners->at[1][axis], corners->at[0][axis]);
        ac[axis] = d4_sub(corners->at[2][axis], corners->at[0][axis]);
    }
    d4 s[3][2]; /* d1, d2; d3, d4; d5, d6 */
    for (int corner = 0; corner < 3; corner++) {
        s[corner][0] = d4_sub(zero, d4_dot(ab, corners->at[corner]));
        s[corner][1] = d4_sub(zero, d4_dot(ac, corners->at[corner]));
    }
    const d4 s1 = s[0][0], s2 = s[0][1], s3 = s[1][0], s4 = s[1][1], s5 = s[2][0], s6 = s[2][1];
    const d4 vc = d4_sub(d4_mul(s1, s4), d4_mul(s3, s2));
    const d4 vb = d4_sub(d4_mul(s5, s2), d4_mul(s1, s6));
    const d4 va = d4_sub(d4_mul(s3, s6), d4_mul(s5, s4));
    const d4 along = d4_sub(s4, s3), back = d4_sub(s5, s6);
    d4_region chosen = { zero, zero, one, zero };
    d4_claim(&chosen, d4_least_of(va, vb, vc),
             &(d4_region){ vb, vc, d4_add(d4_add(va, vb), vc), zero });
    d4_claim(&chosen, d4_least_of(d4_sub(zero, va), along, back),
             &(d4_region){ back, along, d4_add(along, back), one });
    d4_claim(&chosen, d4_least_of(d4_sub(zero, vb), s2, d4_sub(zero, s6)),
             &(d4_region){ zero, s2, d4_sub(s2, s6), zero });
    d4_claim(&chosen, d4_least_of(d4_sub(zero, vc), s1, d4_sub(zero, s3)),
             &(d4_region){ s1, zero, d4_sub(s1, s3), zero });
    d4_claim(&chosen, d4_min(s6, d4_sub(s6, s5)), &(d4_region){ zero, one, one, zero });
    d4_claim(&chosen, d4_min(s3, d4_sub(s3, s4)), &(d4_region){ one, zero, one, zero });
    d4_claim(&chosen, d4_sub(zero, d4_max(s1, s2)), &(d4_region){ zero, zero, one, zero });
    const d4 first = d4_div(chosen.of_b, chosen.of_all);
    const d4 second = d4_div(chosen.of_c, chosen.of_all);
    *v = d4_less(zero, chosen.on_bc, d4_sub(one, second), first);
    *w = d4_min(second, d4_sub(one, *v));
}

/* Bounds low and high on the distance of the point with these weights, from the origin. */
static void d4_interval(const d4_corners *corners, d4 v, d4 w, d4 *low, d4 *high)
{
    const d4 zero = d4_splat(0);
    d4 r[3], reach = zero, over = zero;
    for (int axis = 0; axis < 3; axis++) {
        const d4 a = corners->at[0][axis];
        r[axis] = d4_add(d4_add(a, d4_mul(v, d4_sub(corners->at[1][axis], a))),
                         d4_mul(w, d4_sub(corners->at[2][axis], a)));
        for (int i = 0; i < 3; i++) {
            reach = d4_max(reach, d4_abs(corners->at[i][axis]));
        }
    }
    const d4 length = d4_sqrt(d4_dot(r, r));
    for (int i = 0; i < 3; i++) {
        d4 to_corner[3];
        for (int axis = 0; axis < 3; axis++) {
            to_corner[axis] = d4_sub(r[axis], corners->at[i][axis]);
        }
        over = d4_max(over, d4_dot(to_corner, r));
    }
    const d4 error = d4_mul(d4_splat(96 * 0x1p-53), reach);
    *high = d4_add(length, error);
    const d4 least = d4_sub(d4_sub(length, d4_div(over, length)), error);
    *low = d4_max(d4_less(zero, length, least, zero), zero);
}
