/* Distances of segments against a reach, for capsules: signs of polynomials, without division.
 * Source   Ericson, Real-Time Collision Detection (2005), 5.1.2 and 5.1.9, for the cases. */
#include "lib/geom/overlap/segment_distance.h"

#include "lib/geom/exact/compare_length.h"

/* Ends: |w| <= r.  Between them, along the direction u: |w x u| <= r |u|. */
sli_tribool sli_point_near_segment(const sli_number point[3], const sli_number a[3],
                                   const sli_number b[3], const sli_number *reach)
{
    sli_number w[3], u[3], end[3];
    sli_number_sub3(point, a, w);
    sli_number_sub3(point, b, end);
    const sli_tribool ends =
        sli_or(sli_is_length_at_most(3, w, 1, reach), sli_is_length_at_most(3, end, 1, reach));
    if (ends == SLI_YES) {
        return SLI_YES;
    }
    sli_number along, den, across[3];
    sli_number_sub3(b, a, u);
    sli_number_dot(w, u, &along);
    sli_number_dot(u, u, &den);
    sli_tribool beside = sli_is_fraction(&along, &den);
    if (beside != SLI_NO) {
        sli_number_cross(w, u, across);
        /* For a segment that is a point (u = 0) the ends decide. */
        beside = sli_and(beside, sli_is_positive(&den));
        beside = sli_and(beside, sli_is_length_within(3, across, reach, u));
    }
    return sli_or(ends, beside);
}

/* With n = u x v and w from p to a, the lines are nearest at ((w x v) . n) / |n|^2 on p q and at
 * ((w x u) . n) / |n|^2 on a b, and |w . n| / |n| is between them.  Parallel ones never pass. */
sli_tribool sli_segments_pass_near(const sli_number p[3], const sli_number q[3],
                                   const sli_number a[3], const sli_number b[3],
                                   const sli_number *reach)
{
    sli_number u[3], v[3], w[3], n[3], side[3], num, den, height;
    sli_number_sub3(q, p, u);
    sli_number_sub3(b, a, v);
    sli_number_sub3(a, p, w);
    sli_number_cross(u, v, n);
    sli_number_dot(w, n, &height);
    sli_tribool pass = sli_is_length_within(1, &height, reach, n);
    if (pass == SLI_NO) {
        return SLI_NO;
    }
    sli_number_dot(n, n, &den);
    pass = sli_and(pass, sli_is_positive(&den));
    for (int i = 0; i < 2 && pass != SLI_NO; i++) {
        sli_number_cross(w, i == 0 ? v : u, side);
        sli_number_dot(side, n, &num);
        pass = sli_and(pass, sli_is_fraction(&num, &den));
    }
    return pass;
}
