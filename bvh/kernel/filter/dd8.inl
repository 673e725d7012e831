/* Determinants of eight pairs of a ray and a triangle in double-doubles: for t that is rounded to a
 * double, which doubles never suffice for, for u, v and t of small triangles far away
 * (instance/intersect8.inl), and for the signs that doubles leave open (filter/tri8_wide.inl).  As
 * lib/geom/exact/intersection_dd.c, but with the determinants of filter/tri8_determinants.inl.
 *
 * With u = 2^-53, a determinant is off by less than 32 u^2 of the product of the lengths |x| + |y|
 * + |z| of its three vectors (there 25.1 u^2 of a permanent, which is no more).  A quotient
 * N / D is N times the reciprocal of D, off by 1.5 u |N / D|, and what is left of N, at most
 * 4.1 u |N|, times the same reciprocal: the product with D.low, three sums, the product and the
 * reciprocal lose less than 40 u^2 |N / D| of that; 64 are allowed. */
#pragma once

#include "bvh/kernel/filter/tri8_determinants.inl"
#include "lib/base/inline.h"

#include <math.h>

#define DD_DET_ERROR      0x1p-101
#define DD_QUOTIENT_ERROR 0x1p-100
#define DD_RESIDUAL_ERROR 0x1p-99

/* high + low; high is that sum rounded. */
typedef struct dd8 {
    d8 high, low;
} dd8;

/* A value, off by no more than error. */
typedef struct dd8_value {
    dd8 value;
    d8 error;
} dd8_value;

/* The upper 26 bits of a. */
static SLI_FORCE_INLINE d8 dd8_upper(d8 a)
{
    const d8 c = d8_add(d8_mul(d8_splat(0x1p27), a), a);
    return d8_sub(c, d8_sub(c, a));
}

/* a * b, exactly: by Dekker's product where nothing is fused. */
static SLI_FORCE_INLINE dd8 dd8_of_product(d8 a, d8 b)
{
    const d8 product = d8_mul(a, b);
    if (SIMD_FUSED) {
        return (dd8){ product, d8_sub(d8_splat(0), d8_nmuladd(a, b, product)) };
    }
    const d8 a_high = dd8_upper(a), b_high = dd8_upper(b);
    const d8 a_low = d8_sub(a, a_high), b_low = d8_sub(b, b_high);
    const d8 first = d8_sub(product, d8_mul(a_high, b_high));
    const d8 rest = d8_sub(d8_sub(first, d8_mul(a_low, b_high)), d8_mul(a_high, b_low));
    return (dd8){ product, d8_sub(d8_mul(a_low, b_low), rest) };
}

/* a + b, exactly. */
static SLI_FORCE_INLINE dd8 dd8_of_sum(d8 a, d8 b)
{
    const d8 sum = d8_add(a, b), b_part = d8_sub(sum, a), a_part = d8_sub(sum, b_part);
    return (dd8){ sum, d8_add(d8_sub(a, a_part), d8_sub(b, b_part)) };
}

static SLI_FORCE_INLINE dd8 dd8_difference(d8 a, d8 b)
{
    return dd8_of_sum(a, d8_sub(d8_splat(0), b));
}

/* Where |low| is no more than about |high|. */
static SLI_FORCE_INLINE dd8 dd8_of_parts(d8 high, d8 low)
{
    const d8 sum = d8_add(high, low);
    return (dd8){ sum, d8_sub(low, d8_sub(sum, high)) };
}

static SLI_FORCE_INLINE dd8 dd8_sum(dd8 a, dd8 b)
{
    const dd8 highs = dd8_of_sum(a.high, b.high);
    return dd8_of_sum(highs.high, d8_add(highs.low, d8_add(a.low, b.low)));
}

static SLI_FORCE_INLINE dd8 dd8_product(dd8 a, dd8 b)
{
    const dd8 highs = dd8_of_product(a.high, b.high);
    const d8 mixed = d8_add(d8_mul(a.high, b.low), d8_mul(a.low, b.high));
    return dd8_of_parts(highs.high, d8_add(highs.low, mixed));
}

static void dd8_cross(const dd8 a[3], const dd8 b[3], dd8 out[3])
{
    const d8 zero = d8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const dd8 right = dd8_product(a[k], b[j]);
        const dd8 minus = { d8_sub(zero, right.high), d8_sub(zero, right.low) };
        out[axis] = dd8_sum(dd8_product(a[j], b[k]), minus);
    }
}

static dd8 dd8_dot(const dd8 a[3], const dd8 b[3])
{
    return dd8_sum(dd8_sum(dd8_product(a[0], b[0]), dd8_product(a[1], b[1])),
                   dd8_product(a[2], b[2]));
}

static d8 dd8_norm1(const dd8 a[3])
{
    return d8_add(d8_add(d8_abs(a[0].high), d8_abs(a[1].high)), d8_abs(a[2].high));
}

/* What the ratios share: the sides from vertex 0, the ray seen from it, and the determinant that
 * they are divided by. */
typedef struct dd8_pairs {
    dd8 dir[3], s[3], e1[3], e2[3], n[3];
    dd8_value det;
    d8 inverse, inverse_max; /* of det */
    uint32_t steady;         /* lanes that can be divided */
} dd8_pairs;

static SLI_FORCE_INLINE void dd8_divide(const dd8_pairs *by, dd8_value *x)
{
    const d8 first = d8_mul(x->value.high, by->inverse), size = d8_abs(first);
    const dd8 product = dd8_of_product(first, by->det.value.high);
    const d8 left = d8_sub(d8_sub(x->value.high, product.high), product.low);
    const d8 rest = d8_sub(d8_add(left, x->value.low), d8_mul(first, by->det.value.low));
    const d8 off = d8_add(x->error, d8_mul(size, by->det.error));
    x->value = dd8_of_parts(first, d8_mul(rest, by->inverse));
    x->error = d8_add(d8_mul(off, by->inverse_max), d8_mul(size, d8_splat(DD_QUOTIENT_ERROR)));
}

static SLI_FORCE_INLINE d8 dd8_bound(d8 a, d8 b, d8 c)
{
    return d8_mul(d8_mul(a, d8_mul(b, c)), d8_splat(DD_DET_ERROR * (1 + 0x1p-40)));
}

/* t times det; makes the pairs.  With n = e1 x e2, t is s . n over -(d . n). */
static SLI_NOINLINE void dd8_make_t(const tri8_query *query, dd8_pairs *m, dd8_value *t)
{
    const d8 zero = d8_splat(0);
    dd8 minus_d[3];
    for (int axis = 0; axis < 3; axis++) {
        const dd8 dir = { query->dir[axis], zero };
        m->dir[axis] =
            query->segments ? dd8_difference(query->end[axis], query->origin[axis]) : dir;
        minus_d[axis] = (dd8){ d8_sub(zero, m->dir[axis].high), d8_sub(zero, m->dir[axis].low) };
        m->s[axis] = dd8_difference(query->origin[axis], query->corner[0][axis]);
        m->e1[axis] = dd8_difference(query->corner[1][axis], query->corner[0][axis]);
        m->e2[axis] = dd8_difference(query->corner[2][axis], query->corner[0][axis]);
    }
    dd8_cross(m->e1, m->e2, m->n);
    const d8 of_e1 = dd8_norm1(m->e1), of_e2 = dd8_norm1(m->e2);
    m->det = (dd8_value){ dd8_dot(minus_d, m->n), dd8_bound(dd8_norm1(m->dir), of_e1, of_e2) };
    *t = (dd8_value){ dd8_dot(m->s, m->n), dd8_bound(dd8_norm1(m->s), of_e1, of_e2) };
    m->inverse = d8_div(d8_splat(1), m->det.value.high);
    m->inverse_max = d8_mul(d8_abs(m->inverse), d8_splat(1 + 0x1p-8));
    m->steady = d8_bits_gt(d8_abs(m->det.value.high), d8_mul(m->det.error, d8_splat(1024)));
}

/* Whether the differences were all exact, as those of floats nearly always are. */
static SLI_FORCE_INLINE bool dd8_are_exact(const dd8 a[3], const dd8 b[3])
{
    const d8 of_a = d8_add(d8_add(d8_abs(a[0].low), d8_abs(a[1].low)), d8_abs(a[2].low));
    const d8 of_b = d8_add(d8_add(d8_abs(b[0].low), d8_abs(b[1].low)), d8_abs(b[2].low));
    return d8_bits_eq(d8_add(of_a, of_b), d8_splat(0)) == 0xFF;
}

/* The cross product of vectors without low parts. */
static SLI_FORCE_INLINE void dd8_cross_exact(const dd8 a[3], const dd8 b[3], dd8 out[3])
{
    const d8 zero = d8_splat(0);
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const dd8 right = dd8_of_product(a[k].high, b[j].high);
        out[axis] = dd8_sum(dd8_of_product(a[j].high, b[k].high),
                            (dd8){ d8_sub(zero, right.high), d8_sub(zero, right.low) });
    }
}

/* n = e1 x e2 of the sides from vertex 0; returns the product of their lengths. */
static SLI_NOINLINE d8 dd8_normal(const tri8_query *query, dd8 n[3])
{
    dd8 e1[3], e2[3];
    for (int axis = 0; axis < 3; axis++) {
        e1[axis] = dd8_difference(query->corner[1][axis], query->corner[0][axis]);
        e2[axis] = dd8_difference(query->corner[2][axis], query->corner[0][axis]);
    }
    if (__builtin_expect(dd8_are_exact(e1, e2), 1)) {
        dd8_cross_exact(e1, e2, n);
    } else {
        dd8_cross(e1, e2, n);
    }
    return d8_mul(dd8_norm1(e1), dd8_norm1(e2));
}

/* (s + t0 d) . n, off by less than 69 u^2 of the sum of S_i z_i, with S = |s| + |t0 d| and z the
 * sizes of the products in n.  A component of s + t0 d is a high part, no more than S, and a low
 * part of less than 3.1 u S, off by 7.1 u^2 S; one of n is off by 25 u^2 z.  With what is left out,
 * the product of low parts, a product so is off by 35.3 u^2 S z, and by 13.4 u^2 S z more where its
 * low parts are added up, which come to less than 5.2 u S z; the last sums lose 19.8 u^2.  Adds
 * |s| to reach. */
static SLI_FORCE_INLINE d8 dd8_residual(const tri8_query *query, const dd8 n[3], d8 t0, d8 *reach)
{
    const d8 zero = d8_splat(0);
    d8 high[3], low[3];
    for (int axis = 0; axis < 3; axis++) {
        const d8 from = query->origin[axis];
        const dd8 s = dd8_difference(from, query->corner[0][axis]);
        const d8 dir_low = query->segments ? dd8_difference(query->end[axis], from).low : zero;
        const dd8 step = dd8_of_product(t0, query->dir[axis]);
        const dd8 at = dd8_of_sum(s.high, step.high);
        const d8 rest = d8_add(step.low, d8_muladd(t0, dir_low, s.low));
        const d8 at_low = d8_add(at.low, rest);
        const dd8 product = dd8_of_product(at.high, n[axis].high);
        high[axis] = product.high;
        low[axis] = d8_muladd(at.high, n[axis].low, d8_muladd(at_low, n[axis].high, product.low));
        *reach = d8_add(*reach, d8_abs(s.high));
    }
    const dd8 two = dd8_of_sum(high[0], high[1]), all = dd8_of_sum(two.high, high[2]);
    const d8 lows = d8_add(d8_add(low[0], low[1]), low[2]);
    return d8_add(all.high, d8_add(lows, d8_add(two.low, all.low)));
}

/* t from a quotient t0 in doubles: with N / D as in dd8_make_t, t is t0 + (N - t0 D) / D, and
 * N - t0 D is (s + t0 d) . n, which is small, so that its quotient need not be known well: half of
 * the work.  That quotient is off by what D is off by, and by 3 u; of 69 u^2 for N - t0 D 128 are
 * allowed.  Nothing underflows: t0, unless it is too small, is a multiple of 2^-260. */
static SLI_NOINLINE void dd8_refine_t(const tri8_query *query, const tri8_determinants *m,
                                      d8 inverse, dd8_value *t)
{
    dd8 n[3];
    const d8 t0 = d8_mul(m->t, inverse), size = d8_abs(t0), sides = dd8_normal(query, n);
    const d8 inverse_max = d8_mul(d8_abs(inverse), d8_splat(1 + 0x1p-8));
    d8 reach = d8_mul(size, tri8_norm1(query->dir));
    const d8 residual = dd8_residual(query, n, t0, &reach);
    const d8 off = d8_mul(d8_mul(reach, sides), d8_splat(DD_RESIDUAL_ERROR));
    const d8 step = d8_mul(residual, inverse);
    const d8 share = d8_muladd(m->det_error, inverse_max, d8_splat(3 * 0x1p-53));
    const d8 error =
        d8_mul(d8_muladd(off, inverse_max, d8_mul(d8_abs(step), share)), d8_splat(1 + 0x1p-7));
    const uint32_t small = d8_bits_gt(d8_splat(0x1p-200), size);
    t->value = (dd8){ t0, step };
    t->error = d8_where(small, d8_splat(INFINITY), error);
}

/* u = s . (d x e2) and v = d . (s x e1), times det. */
static SLI_NOINLINE void dd8_make_uv(const dd8_pairs *m, dd8_value *u, dd8_value *v)
{
    dd8 across[3];
    const d8 of_d = dd8_norm1(m->dir), of_s = dd8_norm1(m->s);
    dd8_cross(m->dir, m->e2, across);
    *u = (dd8_value){ dd8_dot(m->s, across), dd8_bound(of_s, of_d, dd8_norm1(m->e2)) };
    dd8_cross(m->s, m->e1, across);
    *v = (dd8_value){ dd8_dot(m->dir, across), dd8_bound(of_s, of_d, dd8_norm1(m->e1)) };
}

/* Rounds to doubles; returns the lanes in which that is certain. */
static uint32_t dd8_round(const dd8_value *x, double out[8])
{
    const d8 low = x->value.low;
    const d8 margin = d8_add(x->error, d8_mul(d8_abs(low), d8_splat(0x1p-52)));
    const d8 from = d8_add(x->value.high, d8_sub(low, margin));
    const d8 to = d8_add(x->value.high, d8_add(low, margin));
    d8_store(out, d8_add(from, d8_splat(0))); /* a zero becomes +0 */
    return d8_bits_eq(from, to);
}

/* What the value is between, for rounding to floats. */
static void dd8_between(const dd8_value *x, d8 *low, d8 *high)
{
    const d8 margin = d8_add(x->error, d8_mul(d8_abs(x->value.high), d8_splat(0x1p-51)));
    *low = d8_sub(x->value.high, margin);
    *high = d8_add(x->value.high, margin);
}
