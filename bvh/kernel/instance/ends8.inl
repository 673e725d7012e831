/* On which side of the planes of eight triangles the ends of segments are, in double-doubles:
 * doubles leave that open of ends on a surface that are rounded to doubles.  For intersect8.inl.
 *
 * With n = e1 x e2, the side of a point is the sign of (v0 - point) . n; of the origin that is N of
 * t, of the end N - D.  Determinants and bounds are those of dd8.inl.  What is 0 is proven as in
 * lib/geom/exact/intersection_dd.c, by what vectors are multiples of.  If M is the largest
 * component and C = 1.5 * 2^22 M, x + C is between C / 2 and 2 C; if it is not rounded, x is a
 * multiple of half the last place of C, which is at least 2^-54 C = 1.5 * 2^-32 M. */
#pragma once

#include "bvh/kernel/instance/dd8.inl"

#define ENDS_RAISE (1.5 * 0x1p22)
#define ENDS_STEP  (1.5 * 0x1p-32)

/* The planes, and lanes where steps of both sides are known. */
typedef struct ends8_plane {
    dd8 n[3];
    d8 error, step;
    uint32_t stepped;
} ends8_plane;

/* Lanes with a point surely above the plane as n has it, below it, and in it. */
typedef struct ends8_side {
    uint32_t above, below, in;
} ends8_side;

/* A step of vectors; clears the lanes of stepped where some component is no multiple of it. */
static SLI_FORCE_INLINE d8 ends8_step(const dd8 v[3], uint32_t *stepped)
{
    const d8 most = d8_max(d8_max(d8_abs(v[0].high), d8_abs(v[1].high)), d8_abs(v[2].high));
    const d8 raise = d8_mul(most, d8_splat(ENDS_RAISE));
    for (int axis = 0; axis < 3; axis++) {
        const d8 x = v[axis].high;
        *stepped &=
            d8_bits_eq(d8_sub(d8_add(x, raise), raise), x) & d8_bits_eq(v[axis].low, d8_splat(0));
    }
    return d8_mul(most, d8_splat(ENDS_STEP));
}

static SLI_FORCE_INLINE void ends8_differences(const d8 a[3], const d8 b[3], dd8 out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = dd8_difference(a[axis], b[axis]);
    }
}

static SLI_NOINLINE void ends8_make_plane(const tri8_query *query, ends8_plane *out)
{
    dd8 e1[3], e2[3];
    ends8_differences(query->corner[1], query->corner[0], e1);
    ends8_differences(query->corner[2], query->corner[0], e2);
    dd8_cross(e1, e2, out->n);
    out->error = d8_mul(dd8_norm1(e1), dd8_norm1(e2));
    out->stepped = 0xFF;
    out->step = d8_mul(ends8_step(e1, &out->stepped), ends8_step(e2, &out->stepped));
}

static SLI_NOINLINE ends8_side ends8_side_of(const tri8_query *query, const ends8_plane *plane,
                                             const d8 point[3])
{
    dd8 away[3];
    uint32_t stepped = plane->stepped;
    ends8_differences(query->corner[0], point, away);
    const d8 side = dd8_dot(away, plane->n).high;
    const d8 error =
        d8_mul(d8_mul(dd8_norm1(away), plane->error), d8_splat(DD_DET_ERROR * (1 + 0x1p-40)));
    const d8 step = d8_mul(ends8_step(away, &stepped), plane->step);
    const d8 most = d8_mul(d8_add(d8_abs(side), error), d8_splat(1 + 0x1p-40));
    return (ends8_side){ .above = d8_bits_gt(d8_sub(d8_splat(0), side), error),
                         .below = d8_bits_gt(side, error),
                         .in = stepped & d8_bits_gt(step, most) };
}
