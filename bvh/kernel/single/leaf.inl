/* A single ray (single/single.inl) at the triangles of a leaf: tested four at a time in floats, and
 * what floats leave undecided is deferred or decided at once.
 *
 * Needed first: filter/tri4_edges.inl and filter/tri_interval.inl, the float tests.
 *
 * t, u and v of a sure hit are computed at once, in doubles that nothing on the way to the next
 * nodes waits for: the bound comes from floats, which are done sooner.  At the end of the traversal
 * the ray would wait for them.
 *
 * Deferring pays because a closer hit that floats are sure of may come later; then deferred
 * triangles beyond it are dropped before doubles see them.  What is not surely hit is mostly
 * touched by the ray's own origin, and no closer hit would drop it: for the closest hit, the
 * distance to the triangle's plane is computed in doubles at once, while the ray goes on.  An
 * any-hit ray defers that too, in the hope of a sure hit elsewhere; an any-hit segment decides at
 * once, since most often one of its ends touches the triangle.
 *
 * Where floats say nothing of where a triangle is hit, as of tiny ones in a huge tree, no closer
 * hit would spare it doubles, and without a bound the ray would look at all that is behind: the
 * closest ray decides these at once, an any-hit ray from the second block on. */
#pragma once

#include "bvh/kernel/filter/ray1.inl"
#include "bvh/kernel/filter/tri1.inl"
#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri_plane4.inl"

enum { SINGLE_DEFERRED_MAX = 8 }; /* leaf blocks */

/* Builds that should be small have no test for eight here, whose decisions fill a tenth of a
 * module, and one copy of what is seldom asked for. */
#if defined(SL_SMALL)
enum { SINGLE_IS_SMALL = 1 };
#else
enum { SINGLE_IS_SMALL = 0 };
#endif

/* Triangles of a leaf block that are left to be decided. */
typedef struct single_deferred {
    const sli_tri_pack *pack;
    uint32_t lanes;
    float from[4]; /* closest: lower bound on t' of the hit, per lane */
} single_deferred;

/* What becomes an sl_stats.  Few words, since each call clears them: for an sl_stats compilers take
 * a register of 64 bytes, and an Intel that uses one closes a port to all vectors meanwhile. */
typedef struct single_counts {
    uint32_t nodes, triangles, double_stage, exact_stage, hits;
} single_counts;

/* A ray on its way through the tree. */
typedef struct single_walk {
    ray1 ray;
    const char *lines; /* of the tree */
    const sli_kernel_batch *batch;
    size_t index; /* of the ray in the batch */
    uint32_t deferred_count;
    single_deferred deferred[SINGLE_DEFERRED_MAX];
    single_counts counts;
    uint32_t ref[SLI_STACK]; /* the stack: see single/single.inl */
    float near[SLI_STACK];
} single_walk;

/* The four triangles of a block as the test for eight wants them, in both of its halves. */
static void single_query(const single_walk *w, const sli_tri_pack *pack, tri8_query *query)
{
    const sli_kernel_batch *batch = w->batch;
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            const f4 four = f4_load(pack->axis[axis].vertex[corner]);
            query->corner[corner][axis] = d8_from_f8(f8_pair(four, four));
        }
    }
    const ray1_double ray = ray1_double_of(batch, w->index);
    for (int axis = 0; axis < 3; axis++) {
        query->origin[axis] = d8_splat(ray.origin[axis]);
        query->dir[axis] = d8_splat(ray.dir[axis]);
        query->end[axis] = d8_splat(ray.end[axis]);
    }
    query->segments = batch->rays == NULL;
    query->tmin = d8_splat(ray.tmin);
    query->tmax = d8_splat(ray.tmax);
}

/* Makes a hit the best so far if it is closer, and lowers the bound. */
static SLI_FORCE_INLINE void single_accept(single_walk *w, const sl_hit *hit, sl_hit *best)
{
    if (hit_is_closer(hit, best)) {
        *best = *hit;
        w->ray.w.best = hit->t;
        ray1_narrow(&w->ray, ray_bound_of(w->ray.w.scale, hit->t) - w->ray.t_shift);
    }
}

/* Decides lanes of a block by the test for eight, as far as it can tell. */
static SLI_FORCE_INLINE void single_decide_eight(const single_walk *w, const sli_tri_pack *pack,
                                                 uint32_t lanes, bool any, tri8_answer *e)
{
    tri8_query query;
    float best_t[8];
    f8_store(best_t, f8_splat(w->ray.w.best));
    single_query(w, pack, &query);
    query.flags = w->batch->options->flags;
    tri8_decide(&query, w->batch->options->cull, any ? NULL : best_t, lanes, e);
}

/* Decides lanes of a block completely: in doubles, then exactly where those cannot tell.  True:
 * an any-hit query has its answer. */
static SLI_NOINLINE bool single_decide(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                       sl_hit *best, bool any)
{
    tri8_answer e;
    if (SINGLE_IS_SMALL) {
        e = (tri8_answer){ .unsure = lanes };
    } else {
        single_decide_eight(w, pack, lanes, any, &e);
    }
    sl_stats stats = { .double_stage = (uint64_t)__builtin_popcount(lanes & ~e.unsure) };
    bool answered = false;
    for (lanes &= e.hit | e.unsure; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (!tri8_hit(w->batch, &e, lane, w->index, pack, lane, w->ray.w.best, any, &hit, &stats)) {
            continue;
        }
        if (any) {
            *best = hit;
            answered = true;
            break;
        }
        single_accept(w, &hit, best);
    }
    w->counts.double_stage += (uint32_t)stats.double_stage;
    w->counts.exact_stage += (uint32_t)stats.exact_stage;
    w->counts.hits += (uint32_t)stats.hits;
    return answered;
}

/* Drops the lanes that doubles show to lie outside the limits. */
static SLI_FORCE_INLINE uint32_t single_within_limits(single_walk *w, const sli_tri_pack *pack,
                                                      uint32_t lanes)
{
    const uint32_t outside = lanes & plane4_outside(w->batch, w->index, pack);
    w->counts.double_stage += (uint32_t)__builtin_popcount(outside);
    return lanes & ~outside;
}

/* Computes t, u and v of lanes that are surely hit; returns those where doubles cannot tell how one
 * of the three is rounded.  The bound is not lowered: single_narrow has done so already. */
static SLI_FORCE_INLINE uint32_t single_take_sure(single_walk *w, const sli_tri_pack *pack,
                                                  uint32_t lanes, sl_hit *best, bool counted)
{
    uint32_t unsettled = 0;
    do {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const tri1_hit found = tri1_measure(w->batch, w->index, pack, lane);
        if (__builtin_expect(!found.settled, 0)) {
            unsettled |= lanes & -lanes;
        } else {
            float tuv[4];
            f4_store(tuv, found.tuv);
            const sl_hit hit = { tuv[0], tuv[1], tuv[2], pack->prim[lane], 0, found.flags };
            if (counted) {
                w->counts.double_stage++;
                w->counts.hits += hit.t <= w->ray.w.best;
            }
            if (hit_is_closer(&hit, best)) {
                *best = hit;
                w->ray.w.best = hit.t;
            }
        }
        lanes &= lanes - 1;
    } while (__builtin_expect(lanes != 0, 0));
    return unsettled;
}

/* Decides the deferred triangles that are still within the bound, the last deferred first.  True:
 * an any-hit query has its answer. */
static SLI_NOINLINE bool single_decide_deferred(single_walk *w, sl_hit *best, bool any)
{
    for (uint32_t i = w->deferred_count; i-- > 0;) {
        const single_deferred *deferred = &w->deferred[i];
        uint32_t lanes = deferred->lanes;
        if (any) {
            lanes = single_within_limits(w, deferred->pack, lanes);
        } else {
            lanes &= f4_bits_le(f4_load(deferred->from), f4_splat(w->ray.w.bound));
        }
        if (lanes != 0 && single_decide(w, deferred->pack, lanes, best, any)) {
            return true;
        }
    }
    w->deferred_count = 0;
    return false;
}

/* The lanes that mask and skip leave in. */
static SLI_NOINLINE uint32_t single_wanted(const single_walk *w, const sli_tri_pack *pack,
                                           uint32_t lanes)
{
    const sl_item_options item = sli_item_options(w->batch->options, w->index);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!sli_item_has(&item, (sl_triangle_ref){ .prim = pack->prim[lane] }, pack->mask[lane])) {
            lanes &= ~(1u << lane);
        }
    }
    return lanes;
}

/* Lanes that an end lies on for certain: as leaves_at of stream/leaves_ends.inl. */
static SLI_FORCE_INLINE uint32_t single_at(const sli_tri_pack *pack, const float point[3])
{
    const f4 zero = f4_splat(0);
    f4 across[3] = { zero, zero, zero };
    uint32_t at = 0;
    for (int corner = 0; corner < 3; corner++) {
        f4 away[3];
        for (int axis = 0; axis < 3; axis++) {
            const f4 x = f4_load(pack->axis[axis].vertex[corner]);
            away[axis] = f4_abs(f4_sub(x, f4_splat(point[axis])));
            across[axis] = f4_add(across[axis], away[axis]);
        }
        at |= f4_bits_le(f4_add(f4_add(away[0], away[1]), away[2]), zero);
    }
    return at | f4_bits_le(f4_min(f4_min(across[0], across[1]), across[2]), zero);
}

/* Drops the lanes that an open end of a segment lies on, where they are met, or nowhere
 * (stream/leaves_ends.inl). */
static SLI_FORCE_INLINE uint32_t single_not_at_ends(const single_walk *w, const sli_tri_pack *pack,
                                                    uint32_t lanes)
{
    const uint32_t flags = w->batch->options->flags;
    const sl_segment *segment = &w->batch->segments[w->index];
    uint32_t at = 0;
    if ((flags & (SL_OPEN_END | SL_CROSSINGS)) == SL_OPEN_END) {
        at |= single_at(pack, segment->q);
    }
    if ((flags & (SL_OPEN_START | SL_CROSSINGS)) == SL_OPEN_START) {
        at |= single_at(pack, segment->p);
    }
    return lanes & ~at;
}

/* Decides lanes of an any-hit query at once.  True: it has its answer. */
static SLI_NOINLINE bool single_decide_now(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                           sl_hit *best)
{
    if (w->batch->rays == NULL) {
        lanes = single_not_at_ends(w, pack, lanes);
    }
    lanes = lanes != 0 ? single_within_limits(w, pack, lanes) : 0;
    return lanes != 0 && single_decide(w, pack, lanes, best, true);
}

/* Defers lanes, and decides the list when it is full.  from: as in single_deferred; not used for
 * any-hit queries.  True: an any-hit query has its answer. */
static SLI_FORCE_INLINE bool single_defer(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                          f4 from, sl_hit *best, bool any)
{
    single_deferred *deferred = &w->deferred[w->deferred_count++];
    deferred->pack = pack;
    deferred->lanes = lanes;
    if (!any) {
        f4_store(deferred->from, from);
    }
    return __builtin_expect(w->deferred_count == SINGLE_DEFERRED_MAX, 0) &&
           single_decide_deferred(w, best, any);
}

/* Lowers the bound to the nearest of the farther ends of the intervals of sure hits, and returns
 * those of them that begin before it.  Behind it other hits may round to the same t: 2^-21 is that
 * of ray_bound of filter/tri8.inl, here of t' from the base, which is >= 0 at a sure hit, and in
 * round_slack of the base's own t'. */
static SLI_FORCE_INLINE uint32_t single_narrow(single_walk *w, uint32_t sure, f4 from, f4 to)
{
    const f4 all = f4_muladd(to, f4_splat(1 + 0x1p-21f), f4_splat(w->ray.round_slack));
    float last[4];
    f4_store(last, all);
    float least = last[__builtin_ctz(sure)];
    const uint32_t others = sure & (sure - 1);
    for (uint32_t left = others; __builtin_expect(left != 0, 0); left &= left - 1) {
        const float other = last[__builtin_ctz(left)];
        least = other < least ? other : least;
    }
    ray1_narrow(&w->ray, least);
    /* The one that ends there is among them; where it is alone, nothing waits for a comparison. */
    return __builtin_expect(others != 0, 0) ? sure & f4_bits_le(from, f4_splat(least)) : sure;
}

/* Drops the lanes that doubles show to lie outside the limits; first, and mostly, those behind the
 * ray's origin. */
static SLI_FORCE_INLINE uint32_t single_in_front(single_walk *w, const sli_tri_pack *pack,
                                                 uint32_t lanes, const tri_interval *range,
                                                 bool counted)
{
    const uint32_t behind =
        lanes & range->steady & plane4_behind(w->batch, w->index, pack, range->backs);
    if (counted) {
        w->counts.double_stage += (uint32_t)__builtin_popcount(behind);
    }
    lanes &= ~behind;
    return __builtin_expect(lanes != 0, 0) ? single_within_limits(w, pack, lanes) : 0;
}

/* Tests the triangles of a leaf in floats.  counted: all of w->counts is wanted.  True: an any-hit
 * query has its answer. */
static SLI_FORCE_INLINE bool single_leaf(single_walk *w, const char *at, sl_hit *best, bool any,
                                         bool counted)
{
    const sl_options *options = w->batch->options;
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)at;
    const tri4_edges edges = tri4_edges_of(&w->ray.w, w->ray.offsets, at);
    uint32_t used, lanes = tri4_not_missed(&edges, at, &used);
    if (counted) {
        w->counts.triangles += (uint32_t)__builtin_popcount(used);
    }
    if (lanes == 0) {
        return false;
    }
    const tri_interval range =
        tri_interval_of(&w->ray.interval, w->ray.tmin, w->ray.w.bound, &edges);
    lanes &= ~range.out;
    if (__builtin_expect((w->batch->uses & (SLI_USES_MASK | SLI_USES_SKIP)) != 0, 0)) {
        lanes = single_wanted(w, pack, lanes);
    }
    if (lanes == 0) {
        return false;
    }
    const uint32_t sure = options->cull == SL_CULL_NONE ? lanes & range.sure : 0;
    if (sure != 0 && any) {
        best->prim = pack->prim[__builtin_ctz(sure)];
        w->counts.hits++;
        return true;
    }
    if (!any) {
        uint32_t unsettled = 0;
        if (sure != 0) {
            const uint32_t nearest = single_narrow(w, sure, f4_mul(range.from, range.by_times),
                                                   f4_mul(range.to, range.by_times));
            unsettled = single_take_sure(w, pack, nearest, best, counted);
        }
        if (lanes != sure) {
            unsettled |= single_in_front(w, pack, lanes & ~sure, &range, counted);
        }
        lanes = unsettled;
    } else if (w->batch->rays == NULL) {
        return single_decide_now(w, pack, lanes, best);
    }
    const uint32_t blind = lanes & ~range.steady;
    if (__builtin_expect(blind != 0 && (!any || w->deferred_count > 0), 0)) {
        if (any ? single_decide_now(w, pack, blind, best)
                : single_decide(w, pack, blind, best, false)) {
            return true;
        }
        lanes &= ~blind;
    }
    return lanes != 0 &&
           single_defer(w, pack, lanes, f4_mul(range.from, range.by_times), best, any);
}
