/* Rays that begin, and segments that end, at a vertex of the triangle that they are paired with:
 * filters always leave these open.  For eight pairs, where doubles leave some undecided
 * (filter/tri8.inl, packets, instances).
 *
 * A line through a vertex, bit by bit, meets the triangle's plane there and nowhere else, unless it
 * lies in the plane; so t is exactly 0 or 1, the vertex weighs 1 and the others 0.  Whether it lies
 * in the plane does not matter where limits or an open end exclude that t: it is a miss either way.
 * Else the determinant decides, if its sign is certain.  A segment from one vertex to another lies
 * in the plane.  This holds for the ray as it is, not for one that is moved (SL_CROSSINGS). */
#pragma once

#include "bvh/kernel/filter/tri8_ends.inl"

static uint32_t tri8_same(const d8 a[3], const d8 b[3])
{
    return d8_bits_eq(a[0], b[0]) & d8_bits_eq(a[1], b[1]) & d8_bits_eq(a[2], b[2]);
}

/* Makes lanes hits at a vertex, with the weight u of vertex 1 and v of vertex 2: t is 0 or 1. */
static void tri8_hit_corner(uint32_t begin, uint32_t end, const uint32_t at[3],
                            tri8_determinants *m, tri8_answer *e)
{
    const d8 zero = d8_splat(0);
    const uint32_t lanes = begin | end;
    m->u = d8_where(lanes, d8_where(at[1], m->det, zero), m->u);
    m->v = d8_where(lanes, d8_where(at[2], m->det, zero), m->v);
    m->u_error = d8_where(lanes, zero, m->u_error);
    m->v_error = d8_where(lanes, zero, m->v_error);
    m->at = d8_where(lanes, d8_where(end, d8_splat(1), zero), m->at);
    m->known |= lanes;
    e->hit |= lanes;
    e->back = (e->back & ~lanes) | (lanes & d8_bits_gt(zero, m->det));
    e->edge |= lanes;
    e->vertex |= lanes;
    e->unsure &= ~lanes;
}

/* Decides, of the undecided pairs of eight, those at a vertex. */
static void tri8_at_corners(const tri8_query *query, tri8_determinants *m, tri8_answer *e)
{
    uint32_t at[3], begin = 0, end = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t from = tri8_same(query->origin, query->corner[i]);
        const uint32_t to = query->segments ? tri8_same(query->end, query->corner[i]) : 0;
        at[i] = from | to;
        begin |= from;
        end |= to;
    }
    begin &= e->unsure;
    end &= e->unsure;
    const d8 t = d8_where(end, d8_splat(1), d8_splat(0));
    e->unsure &= ~(begin & end) & ~((begin | end) & tri8_limits_at(query, t).missed);
    const uint32_t sure = e->unsure & d8_bits_gt(d8_abs(m->det), m->det_error);
    begin &= sure;
    end &= sure;
    if ((begin | end) != 0) {
        tri8_hit_corner(begin, end, at, m, e);
    }
}

/* Decides, of the undecided pairs of eight, those where it follows from how they lie.  Rare: kept
 * out of the loops. */
static SLI_NOINLINE void tri8_by_construction(const tri8_query *query, tri8_determinants *m,
                                              tri8_answer *e)
{
    if (query->segments) {
        e->unsure &= ~tri8_limits_by_ends(query, m, e->unsure).missed;
    }
    if (e->unsure != 0) {
        tri8_at_corners(query, m, e);
    }
    if (e->unsure != 0) {
        tri8_axis_aligned(query, m, e);
    }
}
