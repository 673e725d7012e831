/* Decides, of eight pairs of a ray and a triangle, those that doubles leave open, in
 * double-doubles: rays through vertices and edges, from and to surfaces, along edges and in planes,
 * of which users make many.  For filter/tri8.inl; what is left then, expansions decide one by one.
 *
 * Weights and t are the determinants of filter/dd8.inl.  One that is larger than its error has the
 * sign of its value.  0 is proven by what vectors are multiples of, as in
 * lib/geom/exact/intersection_dd.c; of a weight also by its side and the origin, or the end, being
 * in one line, which leaves the digits of the direction out.  What is half way between two floats
 * stays open.
 *
 * Steps: if M is a vector's largest component and C = 1.5 R M with R of at least 2, x + C is
 * between C / 2 and 2 C; if it is not rounded, x is a multiple of half the last place of C, which
 * is at least 2^-54 C.  The length |x| + |y| + |z| is 3 M at most, so that a step is at least 2^-55
 * R of it.  What is 0 is computed as no more than its error, and both are at most 2^-100 of the
 * product of three lengths, 2^-101 of two (WIDE_LINE_ERROR).  Steps come to more: with R = 2^22 to
 * 2^-99 for three, with 2^6 to 2^-98 for two. */
#pragma once

#include "bvh/kernel/filter/dd8.inl"

#define WIDE_RAISE      (1.5 * 0x1p22)
#define WIDE_LINE_RAISE (1.5 * 0x1p6)
#define WIDE_LIMIT_MAX  0x1p300 /* a limit times a determinant is in range */
#define WIDE_LINE_ERROR 0x1p-102

/* Lanes where a value is surely above 0, below it, and 0. */
typedef struct wide_signs {
    uint32_t above, below, zero;
} wide_signs;

/* Numerators over m.det: of t it is begin, and of t - 1 that of the end of segments. */
typedef struct wide_pairs {
    dd8_pairs m;
    dd8_value u, v, begin;
    wide_signs of[3], of_begin, of_end;
    uint32_t front, back; /* the sign of det */
} wide_pairs;

/* Where closest hits are looked for: t beyond which they are ignored, as floats, or as doubles with
 * the place for t itself. */
typedef struct tri8_bound {
    const float *best;
    const double *most;
    double *t;
} tri8_bound;

/* Lanes whose t is surely less than a limit, more, and equal. */
typedef struct wide_limit {
    uint32_t less, more, equal;
} wide_limit;

/* A step of vectors; clears the lanes of stepped where some component is no multiple of it. */
static SLI_FORCE_INLINE d8 wide_step(const dd8 v[3], double raise_by, uint32_t *stepped)
{
    const d8 most = d8_max(d8_max(d8_abs(v[0].high), d8_abs(v[1].high)), d8_abs(v[2].high));
    const d8 raise = d8_mul(most, d8_splat(raise_by));
    for (int axis = 0; axis < 3; axis++) {
        const d8 x = v[axis].high;
        *stepped &=
            d8_bits_eq(d8_sub(d8_add(x, raise), raise), x) & d8_bits_eq(v[axis].low, d8_splat(0));
    }
    return d8_mul(raise, d8_splat(0x1p-54));
}

/* Of what is a multiple of a step in the lanes of stepped. */
static wide_signs wide_sign(const dd8_value *x, d8 step, uint32_t stepped)
{
    const d8 value = x->value.high, size = d8_add(d8_abs(value), x->error);
    return (wide_signs){ .above = d8_bits_gt(value, x->error),
                         .below = d8_bits_gt(d8_sub(d8_splat(0), value), x->error),
                         .zero = stepped & d8_bits_gt(step, d8_mul(size, d8_splat(1 + 0x1p-40))) };
}

/* The weight of vertex 0: what u and v leave of det.  Each sum is rounded by 3 u^2 of its size. */
static dd8_value wide_rest(const dd8_value *det, const dd8_value *u, const dd8_value *v)
{
    const d8 zero = d8_splat(0);
    const dd8 minus_u = { d8_sub(zero, u->value.high), d8_sub(zero, u->value.low) };
    const dd8 minus_v = { d8_sub(zero, v->value.high), d8_sub(zero, v->value.low) };
    const d8 sizes =
        d8_add(d8_abs(det->value.high), d8_add(d8_abs(u->value.high), d8_abs(v->value.high)));
    const d8 error = d8_add(det->error, d8_add(u->error, v->error));
    return (dd8_value){ dd8_sum(dd8_sum(det->value, minus_u), minus_v),
                        d8_muladd(sizes, d8_splat(0x1p-102), error) };
}

/* The side that the ends of segments are on. */
static SLI_NOINLINE void wide_make_end(const tri8_query *query, wide_pairs *p)
{
    const dd8_pairs *m = &p->m;
    dd8 away[3];
    uint32_t by = 0xFF;
    for (int axis = 0; axis < 3; axis++) {
        away[axis] = dd8_difference(query->end[axis], query->corner[0][axis]);
    }
    const d8 e = d8_mul(wide_step(m->e1, WIDE_RAISE, &by), wide_step(m->e2, WIDE_RAISE, &by));
    const d8 step = d8_mul(wide_step(away, WIDE_RAISE, &by), e);
    const dd8_value end = { dd8_dot(away, m->n),
                            dd8_bound(dd8_norm1(away), dd8_norm1(m->e1), dd8_norm1(m->e2)) };
    p->of_end = wide_sign(&end, step, by);
}

/* The signs of weights, of t and of det. */
static SLI_NOINLINE void wide_make_signs(wide_pairs *p)
{
    const dd8_pairs *m = &p->m;
    const dd8_value rest = wide_rest(&m->det, &p->u, &p->v);
    uint32_t by_e = 0xFF, by_s = 0xFF, by_d = 0xFF;
    const d8 e1 = wide_step(m->e1, WIDE_RAISE, &by_e), e2 = wide_step(m->e2, WIDE_RAISE, &by_e);
    const d8 s = wide_step(m->s, WIDE_RAISE, &by_s), d = wide_step(m->dir, WIDE_RAISE, &by_d);
    const d8 e = d8_mul(e1, e2), sd = d8_mul(s, d);
    const d8 u = d8_mul(sd, e2), v = d8_mul(sd, e1), det = d8_mul(d, e);
    const uint32_t by = by_e & by_s & by_d;
    p->of[1] = wide_sign(&p->u, u, by);
    p->of[2] = wide_sign(&p->v, v, by);
    const d8 uv = d8_where(d8_bits_gt(u, v), v, u), least = d8_where(d8_bits_gt(uv, det), det, uv);
    p->of[0] = wide_sign(&rest, least, by);
    p->of_begin = wide_sign(&p->begin, d8_mul(s, e), by_e & by_s);
    const wide_signs of_det = wide_sign(&m->det, d8_splat(0), 0);
    p->front = of_det.above;
    p->back = of_det.below;
}

/* Lanes where a point is in one line with two corners: their cross product is 0. */
static SLI_NOINLINE uint32_t wide_in_line(const d8 point[3], const d8 a[3], const d8 b[3])
{
    dd8 way[3], side[3], n[3];
    uint32_t in = 0xFF;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = dd8_difference(a[axis], point[axis]);
        side[axis] = dd8_difference(b[axis], a[axis]);
    }
    dd8_cross(way, side, n);
    const d8 step =
        d8_mul(wide_step(way, WIDE_LINE_RAISE, &in), wide_step(side, WIDE_LINE_RAISE, &in));
    const d8 error = d8_mul(d8_mul(dd8_norm1(way), dd8_norm1(side)), d8_splat(WIDE_LINE_ERROR));
    for (int axis = 0; axis < 3; axis++) {
        const d8 size = d8_add(d8_abs(n[axis].high), error);
        in &= d8_bits_gt(step, d8_mul(size, d8_splat(1 + 0x1p-40)));
    }
    return in;
}

/* Finds the weights that are 0 because the origin or the end is in line with a side, of lanes. */
static void wide_find_lines(const tri8_query *query, uint32_t lanes, wide_pairs *p)
{
    for (int i = 0; i < 3; i++) {
        const d8 *a = query->corner[(i + 1) % 3], *b = query->corner[(i + 2) % 3];
        wide_signs *of = &p->of[i];
        if ((lanes & ~(of->above | of->below | of->zero)) != 0) {
            of->zero |= wide_in_line(query->origin, a, b);
            of->zero |= query->segments ? wide_in_line(query->end, a, b) : 0;
        }
    }
}

static wide_limit wide_of_sign(const wide_pairs *p, wide_signs of)
{
    return (wide_limit){ .less = (of.below & p->front) | (of.above & p->back),
                         .more = (of.above & p->front) | (of.below & p->back),
                         .equal = of.zero & (p->front | p->back) };
}

/* Compares t with a limit of rays: begin with det times it.  Nothing holds of a limit that is NaN.
 */
static wide_limit wide_compare(const wide_pairs *p, d8 limit)
{
    const d8 zero = d8_splat(0), most = d8_splat(WIDE_LIMIT_MAX), infinite = d8_splat(INFINITY);
    const uint32_t finite = d8_bits_gt(most, d8_abs(limit)), none = d8_bits_eq(limit, zero);
    const dd8 times = dd8_product(p->m.det.value, (dd8){ d8_where(finite, limit, zero), zero });
    const dd8 minus = { d8_sub(zero, times.high), d8_sub(zero, times.low) };
    const d8 sizes = d8_add(d8_abs(p->begin.value.high), d8_abs(times.high));
    const d8 off = d8_muladd(d8_abs(d8_where(finite, limit, zero)), p->m.det.error, p->begin.error);
    const dd8_value x = { dd8_sum(p->begin.value, minus),
                          d8_mul(d8_muladd(sizes, d8_splat(0x1p-102), off),
                                 d8_splat(1 + 0x1p-40)) };
    wide_signs of = wide_sign(&x, zero, 0);
    of.zero = none & p->of_begin.zero;
    wide_limit out = wide_of_sign(p, of);
    out.less = (out.less & finite) | d8_bits_eq(limit, infinite);
    out.more = (out.more & finite) | d8_bits_eq(limit, d8_sub(zero, infinite));
    return out;
}

/* Decides the limits: lanes that are surely within them, and surely not. */
static void wide_limits(const tri8_query *query, const wide_pairs *p, uint32_t *within,
                        uint32_t *missed)
{
    wide_limit from, to;
    if (query->segments) {
        from = wide_of_sign(p, p->of_begin);
        to = wide_of_sign(p, p->of_end);
    } else {
        from = wide_compare(p, query->tmin);
        to = wide_compare(p, query->tmax);
    }
    *missed = from.less | to.more;
    if (query->segments) {
        *missed |= (query->flags & SL_OPEN_START) != 0 ? p->of_begin.zero : 0;
        *missed |= (query->flags & SL_OPEN_END) != 0 ? p->of_end.zero : 0;
    }
    *within = (from.more | from.equal) & (to.less | to.equal) & ~*missed;
}

/* Copies some lanes. */
static void wide_copy(float *out, const float from[8], uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        out[__builtin_ctz(lanes)] = from[__builtin_ctz(lanes)];
    }
}

static void wide_copy_doubles(double *out, const double from[8], uint32_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        out[__builtin_ctz(lanes)] = from[__builtin_ctz(lanes)];
    }
}

/* Rounds low to a float; returns the lanes where high rounds to the same one. */
static uint32_t tri8_round(d8 low, d8 high, float out[8])
{
    const f8 from = d8_to_f8(low), to = d8_to_f8(high);
    f8_store(out, f8_add(from, f8_splat(0))); /* a zero becomes +0 */
    return f8_bits_le(from, to) & f8_bits_le(to, from);
}

/* x over det as a float, which is 0 in lanes of zero; returns where that is certain. */
static uint32_t wide_round(const wide_pairs *p, const dd8_value *x, uint32_t zero, float out[8])
{
    const d8 none = d8_splat(0);
    dd8_value q = *x;
    d8 low, high;
    dd8_divide(&p->m, &q);
    dd8_between(&q, &low, &high);
    return tri8_round(d8_where(zero, none, low), d8_where(zero, none, high), out);
}

/* Rounds t to doubles where it is no more than most; returns where that is certain. */
static uint32_t wide_t_doubles(const wide_pairs *p, const tri8_bound *bound, uint32_t lanes,
                               uint32_t *beyond)
{
    dd8_value q = p->begin;
    double t[8];
    dd8_divide(&p->m, &q);
    const uint32_t zero = p->of_begin.zero, sure = zero | dd8_round(&q, t);
    const d8 rounded = d8_where(zero, d8_splat(0), d8_doubles(t));
    d8_store(t, rounded);
    *beyond = d8_bits_gt(rounded, d8_doubles(bound->most));
    wide_copy_doubles(bound->t, t, lanes & sure & ~*beyond);
    return sure;
}

/* Sets t, u and v of lanes that are hit, and clears those that are beyond or not certain. */
static SLI_NOINLINE void wide_measure(const wide_pairs *p, const tri8_bound *bound, uint32_t *hit,
                                      uint32_t *missed, tri8_answer *e)
{
    float t[8], u[8], v[8];
    uint32_t sure = 0xFF, beyond;
    sure &= wide_round(p, &p->u, p->of[1].zero, u);
    sure &= wide_round(p, &p->v, p->of[2].zero, v);
    if (bound->t != NULL) {
        sure &= wide_t_doubles(p, bound, *hit & sure, &beyond);
    } else {
        sure &= wide_round(p, &p->begin, p->of_begin.zero, t);
        beyond = ~f8_bits_le(f8_load(t), f8_load(bound->best));
        wide_copy(e->t, t, *hit & sure & ~beyond);
    }
    *missed |= *hit & sure & beyond;
    *hit &= sure & ~beyond;
    wide_copy(e->u, u, *hit);
    wide_copy(e->v, v, *hit);
}

/* Decides what it can of the undecided pairs.  bound: of closest hits, else NULL. */
static SLI_NOINLINE void tri8_widen(const tri8_query *query, sl_cull cull, const tri8_bound *bound,
                                    uint32_t lanes, tri8_answer *e)
{
    wide_pairs p;
    uint32_t within, missed;
    dd8_make_t(query, &p.m, &p.begin);
    dd8_make_uv(&p.m, &p.u, &p.v);
    wide_make_signs(&p);
    if (query->segments) {
        wide_make_end(query, &p);
    }
    wide_limits(query, &p, &within, &missed);
    missed |= cull == SL_CULL_NONE ? 0 : cull == SL_CULL_BACK ? p.back : p.front;
    wide_find_lines(query, lanes & ~missed, &p);
    const wide_signs *of = p.of;
    const uint32_t above = of[0].above | of[1].above | of[2].above;
    const uint32_t below = of[0].below | of[1].below | of[2].below;
    const uint32_t zero[3] = { of[0].zero, of[1].zero, of[2].zero };
    uint32_t known = above ^ below;
    for (int i = 0; i < 3; i++) {
        known &= of[i].above | of[i].below | of[i].zero;
    }
    missed |= (above & below) | (zero[0] & zero[1] & zero[2]);
    uint32_t hit = lanes & known & within & p.m.steady & ~missed;
    if (bound != NULL && hit != 0) {
        wide_measure(&p, bound, &hit, &missed, e);
    }
    e->unsure &= ~(lanes & (hit | missed));
    e->hit |= hit;
    e->back = (e->back & ~hit) | (hit & p.back);
    e->edge |= hit & (zero[0] | zero[1] | zero[2]);
    e->vertex |= hit & ((zero[0] & zero[1]) | (zero[1] & zero[2]) | (zero[2] & zero[0]));
}
