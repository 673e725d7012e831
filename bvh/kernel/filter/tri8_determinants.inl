/* Eight pairs of a ray and a triangle, by determinants in doubles: what filter/tri8.inl decides by.
 * For stream batches, packets and hints, which list pairs that floats leave undecided.
 *
 * With s = o - v0 and the sides e1, e2 from v0, the weights of vertices 1 and 2 are det(d, e2, s)
 * and det(s, e1, d) over det(d, e2, e1), and t is det(s, e1, e2) over it (Möller and Trumbore,
 * "Fast, Minimum Storage Ray-Triangle Intersection", 1997).  Each determinant goes through at most
 * 9 roundings of each product, and the sum of its products' sizes is no more than the product of
 * the lengths |x| + |y| + |z| of its three vectors (docs/notes/filters.md). */
#pragma once

#include "bvh/kernel/ray_floats.h"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"

/* What doubles say of eight pairs.  Lanes: hit; unsure, which is undecided; neither is a miss; of
 * hits, back shows the triangle's back, edge has a weight of 0, vertex two. */
typedef struct tri8_answer {
    _Alignas(SLI_LINE) float t[8]; /* aligned, so that the i-th answer is found by a shift */
    float u[8], v[8];
    uint32_t hit, unsure, back, edge, vertex;
} tri8_answer;

/* Where to read the eight pairs. */
typedef struct tri8_source {
    const float *ray[8]; /* as sl_ray or sl_segment */
    const sli_tri_pack *pack[8];
    uint32_t lane[8];
    float best[8]; /* t beyond which hits are ignored */
} tri8_source;

/* |x| + |y| + |z| */
static d8 tri8_norm1(const d8 a[3])
{
    return d8_add(d8_add(d8_abs(a[0]), d8_abs(a[1])), d8_abs(a[2]));
}

static void tri8_cross(const d8 a[3], const d8 b[3], d8 out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out[axis] = d8_nmuladd(a[k], b[j], d8_mul(a[j], b[k]));
    }
}

static d8 tri8_dot(const d8 a[3], const d8 b[3])
{
    return d8_muladd(a[0], b[0], d8_muladd(a[1], b[1], d8_mul(a[2], b[2])));
}

/* A bound on the relative error of a determinant, in units of the three lengths. */
#define TRI_EPS       0x1p-53
#define TRI_DET_ERROR (16 * TRI_EPS)

/* det: det(d, e2, e1); t, u, v: to be divided by it. */
typedef struct tri8_determinants {
    d8 u, v, t, det;
    d8 u_error, v_error, t_error, det_error;
    uint32_t known; /* lanes whose t is exactly at (tri8_corners.inl, tri_axis_aligned.inl) */
    d8 at;
} tri8_determinants;

/* Eight pairs as doubles. */
typedef struct tri8_query {
    d8 origin[3], dir[3], tmin, tmax;
    d8 corner[3][3]; /* [corner][axis] */
    d8 end[3];       /* of segments */
    bool segments;
    uint32_t flags; /* of sl_options; SL_CROSSINGS: a weight of 0 decides nothing */
} tri8_query;

/* A segment's direction is exact in doubles but for one rounding. */
static void tri8_read_rays(const tri8_source *source, bool segments, tri8_query *q)
{
    f8 row[8];
    for (int i = 0; i < 8; i++) { /* a segment's floats 0 .. 3, then 2 .. 5: float k in k + 2 too */
        const float *from = source->ray[i];
        row[i] = segments ? f8_pair(f4_load(from), f4_load(from + 2)) : f8_load(from);
    }
    f8_transpose(row);
    for (int axis = 0; axis < 3; axis++) {
        q->origin[axis] = d8_from_f8(row[RAY_FLOAT_ORIGIN + axis]);
        if (segments) {
            q->end[axis] = d8_from_f8(row[SEGMENT_FLOAT_Q + 2 + axis]);
            q->dir[axis] = d8_sub(q->end[axis], q->origin[axis]);
        } else {
            q->dir[axis] = d8_from_f8(row[RAY_FLOAT_DIR + axis]);
        }
    }
    q->segments = segments;
    q->tmin = segments ? d8_splat(0) : d8_from_f8(row[RAY_FLOAT_TMIN]);
    q->tmax = segments ? d8_splat(1) : d8_from_f8(row[RAY_FLOAT_TMAX]);
}

static void tri8_read_triangles(const tri8_source *source, tri8_query *q)
{
    f8 xy[8], z[8];
    for (int i = 0; i < 8; i++) {
        const sli_tri_pack *pack = source->pack[i];
        simd_triangle(pack->axis[0].vertex[0], pack->axis[1].vertex[0], pack->axis[2].vertex[0],
                      source->lane[i], &xy[i], &z[i]);
    }
    f8_transpose(xy);
    f8_transpose(z);
    for (int i = 0; i < 3; i++) {
        q->corner[i][0] = d8_from_f8(xy[i]);
        q->corner[i][1] = d8_from_f8(xy[4 + i]);
        q->corner[i][2] = d8_from_f8(z[i]);
    }
}

static void tri8_determine(const tri8_query *query, tri8_determinants *m)
{
    const d8 *d = query->dir;
    d8 s[3], e1[3], e2[3], p[3], q[3];
    for (int axis = 0; axis < 3; axis++) {
        s[axis] = d8_sub(query->origin[axis], query->corner[0][axis]);
        e1[axis] = d8_sub(query->corner[1][axis], query->corner[0][axis]);
        e2[axis] = d8_sub(query->corner[2][axis], query->corner[0][axis]);
    }
    tri8_cross(d, e2, p);
    tri8_cross(s, e1, q);
    m->det = tri8_dot(e1, p);
    m->u = tri8_dot(s, p);
    m->v = tri8_dot(d, q);
    m->t = tri8_dot(e2, q);
    const d8 error = d8_splat(TRI_DET_ERROR), of_d = tri8_norm1(d), of_s = tri8_norm1(s);
    const d8 of_e1 = tri8_norm1(e1), of_e2 = tri8_norm1(e2);
    const d8 of_p = d8_mul(of_d, d8_mul(of_e2, error)), of_q = d8_mul(of_s, d8_mul(of_e1, error));
    m->det_error = d8_mul(of_e1, of_p);
    m->u_error = d8_mul(of_s, of_p);
    m->v_error = d8_mul(of_d, of_q);
    m->t_error = d8_mul(of_e2, of_q);
    m->known = 0;
    m->at = d8_splat(0);
}

/* Decides e->hit, unsure and back by the signs of the three weights, without limits on t. */
static void tri8_signs(const tri8_determinants *m, tri8_answer *e)
{
    const d8 zero = d8_splat(0);
    const d8 w = d8_sub(d8_sub(m->det, m->u), m->v);
    const d8 sizes = d8_add(d8_add(d8_abs(m->det), d8_abs(m->u)), d8_abs(m->v));
    const d8 w_error = d8_muladd(sizes, d8_splat(4 * TRI_EPS),
                                 d8_add(d8_add(m->det_error, m->u_error), m->v_error));
    const uint32_t u_above = d8_bits_gt(m->u, m->u_error), v_above = d8_bits_gt(m->v, m->v_error),
                   w_above = d8_bits_gt(w, w_error);
    const uint32_t u_below = d8_bits_gt(d8_sub(zero, m->u), m->u_error),
                   v_below = d8_bits_gt(d8_sub(zero, m->v), m->v_error),
                   w_below = d8_bits_gt(d8_sub(zero, w), w_error);
    const uint32_t front = u_above & v_above & w_above;
    e->back = u_below & v_below & w_below;
    e->hit = front | e->back;
    const uint32_t missed = (u_above | v_above | w_above) & (u_below | v_below | w_below);
    e->unsure = 0xFF & ~e->hit & ~missed;
    e->edge = e->vertex = 0;
}
