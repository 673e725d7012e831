/* A shape at a leaf: from when on it may come to each of four triangles, and until when it surely
 * has; in floats.  For the first contact and any. */
#pragma once

#include "bvh/kernel/sweep/node.inl"

/* met and near: triangles that the shape may come to, and from which t'' on; by: when it surely
 * has, if it does, or infinity. */
typedef struct sweep_entries {
    uint32_t met;
    float near[2 * SLI_PACK], by[2 * SLI_PACK];
} sweep_entries;

/* The corners of a leaf's triangles, seen from the base. */
typedef struct sweep_corners {
    f4 at[3][3];
} sweep_corners;

/* What the way to the nearest point of each triangle says, of four t'' for one time each and of
 * other four. */
static SLI_FORCE_INLINE sweep_gap sweep_gap_to_triangles(const sweep_space *s,
                                                         const sweep_corners *corners, f8 t, f8 *g,
                                                         f8 *length)
{
    v8 v[3];
    for (int corner = 0; corner < 3; corner++) {
        f8 at[3];
        for (int axis = 0; axis < 3; axis++) {
            const f4 x = corners->at[corner][axis];
            at[axis] = f8_nmuladd(t, f8_splat(s->dir[axis]), f8_pair(x, x));
        }
        v[corner] = (v8){ at[0], at[1], at[2] };
    }
    const v8 way = nearest_estimate(v[0], v[1], v[2]);
    *g = f8_min(f8_min(v8_dot(v[0], way), v8_dot(v[1], way)), v8_dot(v[2], way));
    *length = f8_sqrt(v8_dot(way, way));
    return sweep_gap_of(s, way, f8_sub(*g, sweep_extent(s, way, *length)));
}

/* When the middle comes within inner of what lies beyond, as far as this direction can tell. */
static SLI_FORCE_INLINE f8 sweep_reaches(const sweep_space *s, const sweep_gap *m, f8 g, f8 length,
                                         f8 t)
{
    const f8 step = f8_div(f8_nmuladd(length, f8_splat(s->inner), g), m->least);
    return f8_add(t, f8_muladd(f8_add(f8_abs(t), step), f8_splat(32 * WALK_U), step));
}

/* Measures from the t'' at which the shape comes to the boxes of triangles, and back from the
 * bound; then, of those that are left, from what that has given. */
static SLI_FORCE_INLINE void sweep_measure(const sweep_space *s, float bound,
                                           const sli_tri_pack *pack, sweep_entries *e)
{
    enum { TURNS = 2 };
    sweep_corners corners;
    float from[2 * SLI_PACK], until[2 * SLI_PACK], lengths[2 * SLI_PACK];
    f8 g, length, t = f8_pair(f4_load(e->near), f4_splat(bound));
    for (int i = 0; i < 9; i++) {
        corners.at[i / 3][i % 3] =
            f4_sub(f4_load(pack->axis[i % 3].vertex[i / 3]), f4_splat(s->at[i % 3]));
    }
    sweep_gap m = sweep_gap_to_triangles(s, &corners, t, &g, &length);
    e->met &= ~(sweep_apart_before(&m) >> SLI_PACK);
    for (int turn = 0;; turn++) {
        f8_store(from, sweep_advance(&m, t));
        const f4 near = f4_load(from);
        e->met &= f4_bits_le(near, f4_splat(bound));
        if (e->met == 0 || turn == TURNS) {
            break;
        }
        f8_store(until, sweep_reaches(s, &m, g, length, t));
        t = f8_pair(near, f4_load(until));
        m = sweep_gap_to_triangles(s, &corners, t, &g, &length);
        f8_store(lengths, length);
        uint32_t open = e->met;
        for (int lane = 0; lane < SLI_PACK; lane++) {
            if (lengths[SLI_PACK + lane] <= s->inner && until[lane] < e->by[lane]) {
                e->by[lane] = until[lane];
            }
            open &= e->by[lane] < INFINITY ? ~(1u << lane) : UINT32_MAX;
        }
        turn = open == 0 ? TURNS - 1 : turn;
    }
    memcpy(e->near, from, SLI_PACK * sizeof *from);
}
