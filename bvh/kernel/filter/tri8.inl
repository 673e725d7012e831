/* Decides eight pairs of a ray and a triangle: hit or missed, and t, u, v rounded, as far as
 * doubles can tell; the exact predicates decide the pairs that are left.  For stream batches
 * (stream/leaves.inl), hints, packets and single rays.
 *
 * Needed first: filter/tri8_determinants.inl. */
#pragma once

#include "bvh/kernel/filter/tri8_corners.inl"

/* The exact value of x / det lies between low and high. */
static void tri8_quotient(const tri8_determinants *m, d8 inverse, d8 inverse_max, d8 x, d8 x_error,
                          d8 *low, d8 *high)
{
    const d8 q = d8_mul(x, inverse), size = d8_abs(q);
    const d8 off = d8_muladd(size, m->det_error, x_error);
    const d8 margin = d8_muladd(off, inverse_max, d8_mul(size, d8_splat(8 * TRI_EPS)));
    *low = d8_sub(q, margin);
    *high = d8_add(q, margin);
}

/* Puts t, and where it is, into the lanes where it is known. */
static SLI_NOINLINE void tri8_know(const tri8_determinants *m, const tri8_query *query, d8 *low,
                                   d8 *high, uint32_t *sure, uint32_t *missed)
{
    const tri8_limits of = tri8_limits_at(query, m->at);
    *low = d8_where(m->known, m->at, *low);
    *high = d8_where(m->known, m->at, *high);
    *sure = (*sure & ~m->known) | (m->known & of.within & ~of.missed);
    *missed = (*missed & ~m->known) | (m->known & of.missed);
}

/* Applies the limits on t; unless best is NULL, also sets t, u and v of hits. */
static void tri8_measure(const tri8_determinants *m, const tri8_query *query, const float *best,
                         tri8_answer *e)
{
    const d8 one = d8_splat(1), inverse = d8_div(one, m->det), size = d8_abs(m->det);
    /* det is good to one part in 1024, so its reciprocal is no further off than this. */
    const d8 inverse_max = d8_mul(d8_abs(inverse), d8_splat(1 + 0x1p-8));
    const uint32_t steady = d8_bits_gt(size, d8_mul(m->det_error, d8_splat(1024)));
    d8 low, high;
    tri8_quotient(m, inverse, inverse_max, m->t, m->t_error, &low, &high);
    const uint32_t after = d8_bits_gt(low, query->tmin), before = d8_bits_gt(query->tmin, high);
    const uint32_t within = d8_bits_gt(query->tmax, high), beyond = d8_bits_gt(low, query->tmax);
    const uint32_t hit = e->hit & steady;
    uint32_t sure = after & within, missed = before | beyond;
    if (__builtin_expect(m->known != 0, 0)) {
        tri8_know(m, query, &low, &high, &sure, &missed);
    }
    tri8_ask_ends(query, m, hit & ~(sure | missed), &sure, &missed);
    if (best != NULL) {
        const uint32_t alike = tri8_round(low, high, e->t);
        missed |= ~f8_bits_le(f8_load(e->t), f8_load(best));
        sure &= alike;
        tri8_quotient(m, inverse, inverse_max, m->u, m->u_error, &low, &high);
        sure &= tri8_round(low, high, e->u);
        tri8_quotient(m, inverse, inverse_max, m->v, m->v_error, &low, &high);
        sure &= tri8_round(low, high, e->v);
    }
    e->unsure &= ~(steady & missed); /* whatever the weights are */
    e->unsure |= (e->hit & ~steady) | (hit & ~missed & ~sure);
    e->hit = hit & ~missed & sure;
}

static SLI_NOINLINE void tri8_decide_doubles(const tri8_query *query, sl_cull cull,
                                             const float *best, tri8_answer *e)
{
    tri8_determinants m;
    tri8_determine(query, &m);
    tri8_signs(&m, e);
    if (e->unsure != 0 && (query->flags & SL_CROSSINGS) == 0) {
        tri8_by_construction(query, &m, e);
    }
    if (cull != SL_CULL_NONE) {
        e->hit &= cull == SL_CULL_BACK ? ~e->back : e->back;
    }
    tri8_measure(&m, query, best, e);
}

/* best: t beyond which hits are ignored; NULL for any-hit queries, which need no t, u and v.
 * lanes: those that are asked about; others may stay undecided.  The stages are not on the stack at
 * once. */
static void tri8_decide(const tri8_query *query, sl_cull cull, const float *best, uint32_t lanes,
                        tri8_answer *e)
{
    tri8_decide_doubles(query, cull, best, e);
    lanes &= e->unsure;
    if (lanes != 0 && (query->flags & SL_CROSSINGS) == 0) {
        const tri8_bound bound = { .best = best };
        tri8_widen(query, cull, best != NULL ? &bound : NULL, lanes, e);
    }
}

/* Decides exactly a pair that doubles left undecided; hit is NULL for any-hit queries.  Rare: kept
 * out of the loops. */
static SLI_NOINLINE bool tri8_settle(const sli_kernel_batch *batch, size_t index,
                                     const sli_tri_pack *pack, uint32_t lane, float t_bound,
                                     sl_hit *hit, sl_stats *stats)
{
    sli_exact_ray ray;
    float v[3][3];
    sli_kernel_exact_ray(batch, index, &ray);
    sli_pack_corners(pack, (int)lane, v);
    const int cull = (int)batch->options->cull;
    sli_exact_hit exact = { .stage = SLI_STAGE_DOUBLE };
    const bool found = hit != NULL
                           ? sli_exact_ray_hit(&ray, v[0], v[1], v[2], cull, t_bound, &exact)
                           : sli_exact_ray_hits(&ray, v[0], v[1], v[2], cull, &exact.stage);
    if (found && hit != NULL) {
        *hit = (sl_hit){ .t = exact.t, .u = exact.u, .v = exact.v, .flags = exact.flags };
    }
    stats->exact_stage += exact.stage == SLI_STAGE_EXACT;
    stats->double_stage += exact.stage == SLI_STAGE_DOUBLE;
    return found;
}

/* The flags of sl_hit of pair i. */
static SLI_FORCE_INLINE uint32_t tri8_flags(const tri8_answer *e, uint32_t i)
{
    const uint32_t back = (e->back >> i & 1) != 0 ? SL_HIT_BACK : 0u;
    if (__builtin_expect((e->edge | e->vertex) == 0,
                         1)) { /* set where a construction or double-doubles decided */
        return back;
    }
    return back | ((e->edge >> i & 1) != 0 ? SL_HIT_EDGE : 0u) |
           ((e->vertex >> i & 1) != 0 ? SL_HIT_VERTEX : 0u);
}

/* Whether pair i of the eight, which is hit or undecided, is a hit that the query's options leave
 * in; then fills in hit. */
static SLI_FORCE_INLINE bool tri8_hit(const sli_kernel_batch *batch, const tri8_answer *e,
                                      uint32_t i, size_t index, const sli_tri_pack *pack,
                                      uint32_t lane, float best, bool any, sl_hit *hit,
                                      sl_stats *stats)
{
    const uint32_t prim = pack->prim[lane];
    if ((batch->uses & (SLI_USES_MASK | SLI_USES_SKIP)) != 0) {
        const sl_item_options item = sli_item_options(batch->options, index);
        if (!sli_item_has(&item, (sl_triangle_ref){ .prim = prim }, pack->mask[lane])) {
            return false;
        }
    }
    sl_hit found = { .t = e->t[i], .u = e->u[i], .v = e->v[i], .flags = tri8_flags(e, i) };
    if ((e->unsure >> i & 1) != 0) {
        sl_hit settled = { .t = 0 };
        if (!tri8_settle(batch, index, pack, lane, best, any ? NULL : &settled, stats)) {
            return false;
        }
        found = settled;
    }
    *hit = found;
    hit->prim = prim;
    stats->hits++;
    return true;
}

/* Whether a hit replaces the best so far.  One branch, which is mostly taken: of three branches,
 * the first would be mispredicted often. */
static inline bool hit_is_closer(const sl_hit *hit, const sl_hit *best)
{
    const unsigned first = best->prim == SL_NONE, nearer = hit->t < best->t;
    const unsigned as_near = hit->t == best->t, lower = hit->prim < best->prim;
    return (first | nearer | (as_near & lower)) != 0;
}

/* A bound in t' on every exact t that rounds to the given one, in t', or less. */
static inline float ray_bound(float scale, float t)
{
    return t + (fabsf(t) * 0x1p-21f + (scale * RAY_T_SLACK + RAY_T_TINY));
}

/* The same for best, in t. */
static inline float ray_bound_of(float scale, float best)
{
    return ray_bound(scale, best * scale);
}

/* The same in t' from the ray's base.  Entries of boxes are off by 4u of themselves. */
static inline float ray_bound_from_base(const filter_ray *ray, float best)
{
    const float rest = ray_bound_of(ray->w.scale, best) - ray->base_t;
    return rest + fabsf(rest) * 0x1p-21f;
}
