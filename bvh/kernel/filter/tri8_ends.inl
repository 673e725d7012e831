/* Segments that end on a triangle or next to it: of eight pairs, those whose two ends doubles show
 * to be on one side of the triangle's plane, or on both, and those whose open end is in it.  For
 * filter/tri8.inl and instance/intersect8.inl, whose t from the other end says less.
 *
 * With a = end - v0, the side is the sign of det(a, e1, e2), whose error is as small as a.  Ends on
 * the same side are a miss, whatever the weights are, and so is an open end in the plane: the line
 * meets it there, or lies in it.  Ends on both sides have t within (0, 1).
 *
 * If all three vectors are multiples of steps (filter/tri8_wide.inl), nothing is rounded: with M
 * their largest components, steps g are at least 1.5 R M 2^-54, and no sum of products is above 6 M
 * M M, which is at most 2^53 g g g from R = 2^36.7 on.  Then 0 is 0. */
#pragma once

#include "bvh/kernel/filter/tri8_wide.inl"
#include "bvh/kernel/filter/tri_axis_aligned.inl"

#define SIDE_RAISE (1.5 * 0x1p37)

/* The sign of a value that is off by no more than error; zero stays open. */
static SLI_FORCE_INLINE wide_signs ends_sign(d8 value, d8 error)
{
    return (wide_signs){ .above = d8_bits_gt(value, error),
                         .below = d8_bits_gt(d8_sub(d8_splat(0), value), error) };
}

/* The lanes that are open in of: no sign is known. */
static SLI_FORCE_INLINE uint32_t ends_open(const wide_signs *of, uint32_t lanes)
{
    return lanes & ~(of->above | of->below | of->zero);
}

/* The sides of the triangles' planes that points are on, for lanes. */
static SLI_NOINLINE wide_signs tri8_side(const tri8_query *query, const d8 point[3], uint32_t lanes)
{
    const d8 *from[3] = { point, query->corner[1], query->corner[2] };
    dd8 v[3][3];
    d8 x[3][3], n[3], error = d8_splat(TRI_DET_ERROR);
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            v[i][axis] = dd8_difference(from[i][axis], query->corner[0][axis]);
            x[i][axis] = v[i][axis].high;
        }
        error = d8_mul(error, tri8_norm1(x[i]));
    }
    tri8_cross(x[1], x[2], n);
    const d8 value = tri8_dot(x[0], n);
    wide_signs of = ends_sign(value, error);
    if (ends_open(&of, lanes) != 0) {
        uint32_t exact = 0xFF;
        for (int i = 0; i < 3; i++) {
            (void)wide_step(v[i], SIDE_RAISE, &exact);
        }
        const d8 zero = d8_splat(0);
        of.above |= exact & d8_bits_gt(value, zero);
        of.below |= exact & d8_bits_gt(zero, value);
        of.zero = exact & d8_bits_eq(value, zero);
    }
    return of;
}

/* Of the t of lanes of segments that are not moved, what their ends show: whether it is within
 * (0, 1), or missed. */
static SLI_NOINLINE tri8_limits tri8_limits_by_ends(const tri8_query *query,
                                                    const tri8_determinants *m, uint32_t lanes)
{
    const bool open_start = (query->flags & SL_OPEN_START) != 0;
    const d8 sizes = d8_add(d8_abs(m->t), d8_abs(m->det));
    const d8 error = d8_muladd(sizes, d8_splat(4 * TRI_EPS), d8_add(m->t_error, m->det_error));
    wide_signs from = ends_sign(m->t, m->t_error), to = ends_sign(d8_sub(m->t, m->det), error);
    if (ends_open(&to, lanes) != 0) {
        to = tri8_side(query, query->end, lanes);
    }
    if (open_start && ends_open(&from, lanes & ~to.zero) != 0) {
        from = tri8_side(query, query->origin, lanes);
    }
    const uint32_t in_plane =
        (open_start ? from.zero : 0) | ((query->flags & SL_OPEN_END) != 0 ? to.zero : 0);
    return (tri8_limits){
        .within = lanes & ((from.above & to.below) | (from.below & to.above)),
        .missed = lanes & (in_plane | (from.above & to.above) | (from.below & to.below)),
    };
}

/* Adds to what is known of the t of lanes, those of segments that are not moved, what their ends
 * show. */
static SLI_FORCE_INLINE void tri8_ask_ends(const tri8_query *query, const tri8_determinants *m,
                                           uint32_t lanes, uint32_t *within, uint32_t *missed)
{
    if (query->segments && (query->flags & SL_CROSSINGS) == 0 && lanes != 0) {
        const tri8_limits of = tri8_limits_by_ends(query, m, lanes);
        *within |= of.within;
        *missed |= of.missed;
    }
}
