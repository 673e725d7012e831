/* A shape that moves through the space of a tree, in floats: bounds on when it may come to a box or
 * a triangle, tighter than those of slabs that have grown by its reach.
 *
 * The shape lies within reach of its middle along each axis, and within radius of a segment from
 * middle - axis to middle + axis (0: of a ball).  So along any direction w it extends by no more
 * than h(w) = min(sum |w_i| reach_i, |w . axis| + radius |w|).  Where all of an obstacle lies
 * beyond w . x = g, seen from where the middle is at t'', it is apart from the shape at t'' if
 * g > h(w); and then
 *     w . d > 0    all the time before t'', and after it until t'' + (g - h(w)) / (w . d);
 *     w . d <= 0   all the time after t''.
 * w is best the way from the middle to the nearest point of the obstacle, but may be anything.
 * Source   Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems (1996): conservative
 *          advancement.
 *
 * Corners seen from the middle are off by no more than `off` along each axis: what the base is off
 * by, and six roundings of numbers no larger than D, the largest difference between the base and a
 * corner of the tree's bounds, and the reach, together; at t'' within the grown bounds t'' d is no
 * larger.  By this the shape grows instead, and by the roundings of g and of h(w), no more than
 * 16u (D + reach) of sum |w_i|. */
#pragma once

#include "bvh/kernel/instance/walk.inl"
#include "bvh/kernel/nearest/filter.inl"
#include "bvh/kernel/sweep/sweep.h"

#define SWEEP_DOWN (1 - 16 * WALK_U)

typedef struct sweep_space {
    float at[3], dir[3]; /* the middle is at + t'' dir */
    float reach[3], axis[3], radius;
    float inner; /* of a sphere: what is nearer to the middle as it is seen overlaps it; else 0 */
    float first, last;   /* surely after t = 0, and before t = 1 */
    double scale, shift; /* t = (t'' + shift) / scale */
} sweep_space;

/* By how much the inverse shortens at most: the transform stretches no more than the root of the
 * largest sum of a row of M M^T. */
static double sweep_shortest(const sli_transformed *transformed)
{
    double stretch2 = 0;
    for (int i = 0; i < 3; i++) {
        const double *m = transformed->transform.m[i];
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            const double *n = transformed->transform.m[k];
            sum += fabs((m[0] * n[0] + m[1] * n[1]) + m[2] * n[2]);
        }
        stretch2 = fmax(stretch2, sum);
    }
    return 1 / sqrt(stretch2);
}

/* Of a walk that is not wide.  The radius grows by the largest stretch of the inverse A: the square
 * root of the largest eigenvalue of A A^T, which is no more than any row's sum. */
static void sweep_space_make(const walk *w, const sl_bvh *tree, const sli_transformed *transformed,
                             const local_ray *local, const sli_world_sweep *sweep, sweep_space *out)
{
    const double u = WALK_U, (*a)[3] = transformed->inverse;
    double at[3], off = 0, stretch2 = 0, axes = 0;
    const double by_scale = 1 / w->scale;
    for (int i = 0; i < 3; i++) {
        double sum = 0, axis = 0;
        for (int k = 0; k < 3; k++) {
            sum += fabs((a[i][0] * a[k][0] + a[i][1] * a[k][1]) + a[i][2] * a[k][2]);
            axis += a[i][k] * sweep->axis[k];
        }
        stretch2 = fmax(stretch2, sum);
        axes += fabs(axis);
        out->axis[i] = (float)axis;
        out->at[i] = (float)local->base[i];
        out->dir[i] = (float)(local->dir[i] * by_scale);
        at[i] = out->at[i];
        off = fmax(off, fabs(local->base[i] - at[i]));
    }
    const double size = base_reach(&tree->bounds, at) + to_local_largest(local->reach);
    off = (off + local->error + 32 * u * size) * (1 + 16 * u);
    for (int i = 0; i < 3; i++) {
        out->reach[i] = (float)((local->reach[i] + off) * (1 + 16 * u));
    }
    out->radius = (float)((sweep->radius * sqrt(stretch2) + 2 * off + 8 * u * axes) * (1 + 16 * u));
    out->inner = (float)(sweep->inner * sweep_shortest(transformed) * (1 - 32 * u) - 4 * off);
    out->scale = w->scale;
    out->shift = w->shift;
}

/* h(w) */
static SLI_FORCE_INLINE f8 sweep_extent(const sweep_space *s, v8 w, f8 length)
{
    const v8 reach = { f8_splat(s->reach[0]), f8_splat(s->reach[1]), f8_splat(s->reach[2]) };
    const v8 axis = { f8_splat(s->axis[0]), f8_splat(s->axis[1]), f8_splat(s->axis[2]) };
    const v8 sizes = { f8_abs(w.x), f8_abs(w.y), f8_abs(w.z) };
    const f8 round = f8_muladd(f8_splat(s->radius), length, f8_abs(v8_dot(w, axis)));
    return f8_min(v8_dot(sizes, reach), round);
}

/* What a direction w says of an obstacle that lies beyond w . x = g at t'': how far beyond the
 * shape, and how fast that becomes less, no less than in fact and no more. */
typedef struct sweep_gap {
    f8 gap, most, least;
} sweep_gap;

static SLI_FORCE_INLINE sweep_gap sweep_gap_of(const sweep_space *s, v8 w, f8 g, f8 length)
{
    const v8 dir = { f8_splat(s->dir[0]), f8_splat(s->dir[1]), f8_splat(s->dir[2]) };
    const f8 along = v8_dot(w, dir), off = f8_mul(v8_size(w), f8_splat(16 * WALK_U));
    return (sweep_gap){ .gap = f8_sub(g, sweep_extent(s, w, length)),
                        .most = f8_add(along, off),
                        .least = f8_sub(along, off) };
}

/* No contact is earlier than this, given that none is before t'' = t: infinity where there is none
 * at all.  A NaN says nothing. */
static SLI_FORCE_INLINE f8 sweep_advance(const sweep_gap *m, f8 t)
{
    const f8 zero = f8_splat(0);
    const f8 step = f8_mul(f8_div(m->gap, m->most), f8_splat(SWEEP_DOWN));
    const f8 later = f8_max(f8_nmuladd(f8_abs(t), f8_splat(4 * WALK_U), f8_add(t, step)), t);
    return f8_less(zero, m->gap, f8_less(zero, m->most, later, f8_splat(INFINITY)), t);
}

/* Lanes that are apart all the time until the t'' at which they are seen. */
static SLI_FORCE_INLINE uint32_t sweep_apart_before(const sweep_gap *m)
{
    const f8 tiny = f8_splat(SLAB_TINY);
    return f8_bits_le(tiny, m->gap) & f8_bits_le(tiny, m->least);
}
