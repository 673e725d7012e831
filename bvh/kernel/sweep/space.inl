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

/* How much longer a matrix M makes something, at most: the root of the largest eigenvalue of M M^T,
 * which is no more than any sum of |element| over a row.  A row is stride from the next. */
static double sweep_stretch(const double *m, int stride)
{
    double size[3], square = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = m + i * stride;
        size[i] = (a[0] * a[0] + a[1] * a[1]) + a[2] * a[2];
    }
    for (int i = 0; i < 3; i++) {
        const double *a = m + i * stride, *b = m + (i + 1) % 3 * stride;
        const double between = fabs((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]);
        size[i] += between;
        size[(i + 1) % 3] += between;
    }
    for (int i = 0; i < 3; i++) {
        square = base_larger(square, size[i]);
    }
    return sqrt(square);
}

/* Of a walk that is not wide. */
static void sweep_space_make(const walk *w, const sl_bvh *tree, const sli_transformed *transformed,
                             const local_ray *local, const sli_world_sweep *sweep, sweep_space *out)
{
    const double u = WALK_U;
    double a[3][3], at[3], off = 0, axes = 0;
    const double by_scale = 1 / w->scale;
    for (int i = 0; i < 3; i++) {
        double axis = 0;
        for (int k = 0; k < 3; k++) {
            a[i][k] = transformed->inverse[k][i];
            axis += a[i][k] * sweep->axis[k];
        }
        axes += fabs(axis);
        out->axis[i] = (float)axis;
        out->at[i] = (float)local->base[i];
        out->dir[i] = (float)(local->dir[i] * by_scale);
        at[i] = out->at[i];
        off = base_larger(off, fabs(local->base[i] - at[i]));
    }
    const double size = base_reach(&tree->bounds, at) + to_local_largest(local->reach);
    off = (off + local->error + 32 * u * size) * (1 + 16 * u);
    for (int i = 0; i < 3; i++) {
        out->reach[i] = (float)((local->reach[i] + off) * (1 + 16 * u));
    }
    const double most = sweep->radius * sweep_stretch(a[0], 3);
    const double least = sweep->inner / sweep_stretch(transformed->transform.m[0], 4);
    out->radius = (float)((most + 2 * off + 8 * u * axes) * (1 + 16 * u));
    out->inner = (float)(least * (1 - 32 * u) - 4 * off);
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

/* What a direction w says of an obstacle at t'': how far beyond the shape it lies, and how fast
 * that becomes less, no less than in fact and no more. */
typedef struct sweep_gap {
    f8 gap, most, least;
} sweep_gap;

static SLI_FORCE_INLINE sweep_gap sweep_gap_of(const sweep_space *s, v8 w, f8 gap)
{
    const v8 dir = { f8_splat(s->dir[0]), f8_splat(s->dir[1]), f8_splat(s->dir[2]) };
    const f8 along = v8_dot(w, dir), off = f8_mul(v8_size(w), f8_splat(16 * WALK_U));
    return (sweep_gap){ .gap = gap, .most = f8_add(along, off), .least = f8_sub(along, off) };
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
