/* As many rays as a register has room for, each against the four triangles of its leaf, in floats:
 * which are surely missed, surely outside the limits, or surely hit within them.  For interleaved
 * batches (stream/leaves.inl); filter/tri_edges.inl and filter/tri_interval.inl are the same
 * for one ray, and explain the edge functions and the interval.
 *
 * SIMD_LEAVES leaves are taken at once: lanes 4 k .. 4 k + 3 belong to leaf k.  The interval is not
 * divided by the sum of the weights; limits are multiplied by it instead. */
#pragma once

#include "bvh/kernel/filter/ray8.inl"

/* What points along the ray are off by, in units of edge_error of ray_words. */
#define LIMITS_ERROR 2.0f
/* Limits are applied where edge functions are off by less than this share of their sum. */
#define LIMITS_SHARE_MAX 0.25f

/* Bits of lanes: used hold a triangle; met are not surely missed; left are, of these, not surely
 * outside the limits; sure are surely hit within them. */
typedef struct tri_leaves {
    uint32_t used, met, left, sure;
} tri_leaves;

/* Edge functions of the weights of vertices 2, 0, 1, and the vertices' z, of the leaves. */
typedef struct leaves_edges {
    fl edge[3], bound[3], z[3];
    uint32_t not_missed, one_sided; /* no two edges surely differ in sign; all surely agree */
} leaves_edges;

/* Where along the rays the triangles of leaves are hit, if they are: t' between from and to over
 * size.  Lanes: steady, in which that holds; crossed, of which the line surely crosses the
 * triangle, and not before tmin. */
typedef struct leaves_spans {
    fl from, to, size;
    uint32_t steady, crossed;
} leaves_spans;

/* Four words of each ray, beginning with the one at this offset of filter_ray: word i of all rays,
 * in each lane of the ray's leaf, in out[i]. */
static SLI_FORCE_INLINE void leaves_words(const filter_ray *const ray[SIMD_LEAVES], size_t offset,
                                          fl out[4])
{
    const float *at[SIMD_LEAVES];
    for (int k = 0; k < SIMD_LEAVES; k++) {
        at[k] = (const float *)(const void *)((const char *)ray[k] + offset);
    }
    fl_spread(at, out);
}

static SLI_FORCE_INLINE fl leaves_corner(const filter_ray *const ray[SIMD_LEAVES], int axis,
                                         int corner)
{
    const float *at[SIMD_LEAVES];
    for (int k = 0; k < SIMD_LEAVES; k++) {
        at[k] =
            (const float *)(const void *)(ray[k]->w.at + ray[k]->o.pack[axis]) + corner * SLI_PACK;
    }
    return fl_rows(at);
}

static SLI_FORCE_INLINE void leaves_edges_of(const filter_ray *const ray[SIMD_LEAVES],
                                             const fl origin[4], const fl shear[4], leaves_edges *e)
{
    const fl k = origin[RAY_EDGE_ERROR - RAY_ORIGIN];
    fl x[3], y[3], w[3];
    uint32_t above[3], below[3];
    for (int i = 0; i < 3; i++) {
        e->z[i] = fl_sub(leaves_corner(ray, 2, i), origin[2]);
    }
    for (int i = 0; i < 3; i++) {
        const fl right = fl_sub(leaves_corner(ray, 0, i), origin[0]);
        x[i] = fl_nmuladd(shear[0], e->z[i], right);
    }
    for (int i = 0; i < 3; i++) {
        const fl up = fl_sub(leaves_corner(ray, 1, i), origin[1]);
        y[i] = fl_nmuladd(shear[1], e->z[i], up);
        w[i] = fl_mul(fl_add(fl_add(fl_abs(x[i]), fl_abs(y[i])), k), k);
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        e->edge[i] = fl_nmuladd(y[i], x[next], fl_mul(x[i], y[next]));
        e->bound[i] = fl_add(w[i], w[next]);
        above[i] = fl_bits_le(e->bound[i], e->edge[i]);
        below[i] = fl_bits_le(e->edge[i], fl_sub(fl_splat(0), e->bound[i]));
    }
    e->not_missed = ~((above[0] | above[1] | above[2]) & (below[0] | below[1] | below[2]));
    e->one_sided = (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
}

/* Applies the limits, tmin and bound of ray_words, to the triangles that are left.  All is
 * multiplied by the sum of the weights and by the component of the direction along z, each of
 * either sign.  No hit has a t' < 0, so that a tmin below 0, which is no less than -RAY_T_TINY,
 * counts as 0: products with it would be denormal. */
static SLI_FORCE_INLINE void leaves_apply_limits(const leaves_edges *e, fl k, fl along, fl tmin,
                                                 fl bound, tri_leaves *found, leaves_spans *spans)
{
    const fl sum = fl_mul(fl_add(fl_add(e->edge[0], e->edge[1]), e->edge[2]), along);
    const fl size = fl_abs(sum); /* between the sum and twice that */
    const fl error = fl_add(fl_add(e->bound[0], e->bound[1]), e->bound[2]);
    const fl mean =
        fl_muladd(e->edge[1], e->z[0], fl_muladd(e->edge[2], e->z[1], fl_mul(e->edge[0], e->z[2])));
    const fl length = fl_sub(fl_max(fl_max(e->z[0], e->z[1]), e->z[2]),
                             fl_min(fl_min(e->z[0], e->z[1]), e->z[2]));
    const fl rounding = fl_mul(k, fl_splat(LIMITS_ERROR));
    const fl off = fl_muladd(error, fl_add(length, rounding), fl_mul(rounding, size));
    const fl middle = fl_flip(mean, sum);
    const fl from = fl_sub(middle, off), to = fl_add(middle, off);
    const fl begin = fl_mul(fl_max(tmin, fl_splat(0)), size), end = fl_mul(bound, size);
    const uint32_t steady = fl_bits_le(error, fl_mul(size, fl_splat(LIMITS_SHARE_MAX / 2)));
    const uint32_t out = fl_bits_le(to, begin) | fl_bits_le(end, from);
    const uint32_t crossed = steady & e->one_sided & fl_bits_le(begin, from);
    found->left &= ~(steady & out);
    found->sure = found->left & crossed & fl_bits_le(to, end);
    *spans = (leaves_spans){ from, to, size, steady, crossed };
}

/* The triangles of the leaves where the rays are; limits: else only what is surely missed is told,
 * and no spans. */
static SLI_FORCE_INLINE tri_leaves tri_leaves_span(const filter_ray *const ray[SIMD_LEAVES],
                                                   bool limits, leaves_spans *spans)
{
    leaves_edges e;
    fl origin[4], shear[4], inverse[4], near[4];
    const uint32_t *prim[SIMD_LEAVES];
    leaves_words(ray, offsetof(filter_ray, w.origin), origin);
    leaves_words(ray, offsetof(filter_ray, w.shear), shear);
    leaves_edges_of(ray, origin, shear, &e);
    for (int i = 0; i < SIMD_LEAVES; i++) {
        prim[i] = ((const sli_tri_pack *)(const void *)ray[i]->w.at)->prim;
    }
    tri_leaves found = { .used = fl_bits_ne(prim, SL_NONE) };
    found.met = found.left = found.used & e.not_missed;
    if (limits) {
        leaves_words(ray, offsetof(filter_ray, w.inverse), inverse);
        leaves_words(ray, offsetof(filter_ray, w.near_base), near);
        leaves_apply_limits(&e, origin[RAY_EDGE_ERROR - RAY_ORIGIN], shear[RAY_ALONG - RAY_SHEAR],
                            inverse[RAY_TMIN], near[RAY_BOUND - RAY_NEAR_BASE], &found, spans);
    }
    return found;
}

static SLI_FORCE_INLINE tri_leaves tri_leaves_filter(const filter_ray *const ray[SIMD_LEAVES],
                                                     bool limits)
{
    leaves_spans spans;
    return tri_leaves_span(ray, limits, &spans);
}
