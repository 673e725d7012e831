/* The phase of leaves: the triangles of all leaves that rays wait at, for stream batches
 * (stream/loop.inl).  Floats drop what is surely missed, several leaves at a time
 * (filter/tri_leaves.inl), and answer any-hit rays that surely hit something, or count what they
 * surely hit; the pairs of ray and triangle that are left are listed, and doubles decide them eight
 * at a time (filter/tri8.inl).
 *
 * Needed first: stream/state.inl. */
#pragma once

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri_leaves.inl"
#include "bvh/kernel/simd/compress_table.h"
#include "bvh/kernel/stream/leaves_all.inl"
#include "bvh/kernel/stream/leaves_ends.inl"
#include "bvh/kernel/stream/occluder_share.inl"
#include "bvh/kernel/stream/state.inl"

/* Makes the slots at leaves the current ones, and takes their leaves off their stacks; slots at
 * SLI_REF_EMPTY among them have ended. */
static SLI_FORCE_INLINE void leaves_turn(stream_state *r)
{
    size_t leaves = 0, ended = r->waiting.ended;
    for (size_t i = 0; i < r->waiting.leaves; i++) { /* in the order of their prefetches */
        stream_slot *slot = r->queue[QUEUE_LEAVES][STREAM_SLOTS_MAX - 1 - i];
        const uint32_t end = ref_is_empty(slot->ref[slot->ray.w.top--]);
        r->queue[QUEUE_CURRENT][leaves] = slot;
        leaves += 1 - end;
        r->queue[QUEUE_ENDED][ended] = slot;
        ended += end;
    }
    r->current_count = (uint32_t)leaves;
    r->waiting.ended = ended;
    r->waiting.leaves = 0;
    for (int i = 0; i < SIMD_LEAVES - 1; i++) { /* to be read, and without effect */
        r->queue[QUEUE_CURRENT][leaves + (size_t)i] = r->queue[QUEUE_CURRENT][0];
    }
}

/* Keeps a hit if it is the closest so far, and drops the references beyond it from the stack. */
static SLI_FORCE_INLINE void leaves_accept(stream_state *r, stream_slot *slot, const sl_hit *hit)
{
    ray_words *w = &slot->ray.w;
    sl_hit *best = &r->answers.hits[w->index];
    if (!hit_is_closer(hit, best)) {
        return;
    }
    *best = *hit;
    if (hit->t == slot->ray.best) {
        return;
    }
    slot->ray.best = hit->t;
    const float bound = ray_bound_from_base(&slot->ray, hit->t);
    w->bound = bound < w->bound ? bound : w->bound;
    /* Entries of boxes are off by 4u of themselves; where tmax is as near, bound is that, without a
     * margin. */
    const float margin = fabsf(w->bound) * 0x1p-21f;
    w->top = simd_keep(slot->ref, slot_nears(slot), w->top + 1, w->bound + margin) - 1;
}

/* Leaves one by one, where some ray runs along an axis, or where there are so few that most lanes
 * would be idle: kept out of the loop, which needs all registers. */
static SLI_NOINLINE tri_leaves leaves_filter_apart(const stream_state *r, stream_slot *const *slots,
                                                   uint32_t count, stream_kind kind)
{
    /* A segment's direction, of which floats show a unit vector, may be a rounded one. */
    const bool exact = kind == STREAM_CLOSEST && !sli_kernel_segments(r->batch);
    tri_leaves found = { .sure = 0 };
    for (uint32_t i = 0; i < count; i++) {
        const filter_ray *ray = &slots[i]->ray;
        uint32_t used, lanes;
        if (ray->grid == 0) {
            lanes = tri_filter(ray, ray->w.at, &used);
        } else {
            const sl_hit *best = exact ? &r->answers.hits[ray->w.index] : NULL;
            lanes = tri_axis_aligned_filter(ray, ray->w.at, best, &used);
        }
        found.used |= used << i * SLI_PACK;
        found.left |= lanes << i * SLI_PACK;
    }
    found.met = found.left;
    return found;
}

/* Bit 0 of each leaf's lanes: whether any of its lanes is set. */
static SLI_FORCE_INLINE uint32_t leaves_with(uint32_t lanes)
{
    const uint32_t pairs = lanes | lanes >> 1;
    return (pairs | pairs >> 2) & 0x1111;
}

/* Answers the rays of these leaves (leaves_with), which hit a triangle.  Nothing branches on it. */
static SLI_FORCE_INLINE void leaves_answer(uint8_t *answers, stream_slot *const *slots,
                                           uint32_t leaves)
{
    for (uint32_t i = 0; i < SIMD_LEAVES; i++) {
        ray_words *w = &slots[i]->ray.w;
        const uint32_t hit = leaves >> i * SLI_PACK & 1;
        answers[w->index] |= (uint8_t)hit;
        w->top &= hit - 1;
    }
}

/* Where more than that a ray is occluded is wanted of those that leaves_answer has answered. */
static SLI_NOINLINE void leaves_tell(stream_state *r, stream_slot *const *slots, uint32_t sure)
{
    for (uint32_t i = 0; i < SIMD_LEAVES; i++) {
        const uint32_t lanes = sure >> i * SLI_PACK & ((1u << SLI_PACK) - 1);
        if (lanes == 0) {
            continue;
        }
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)slots[i]->ray.w.at;
        if (r->answers.refs != NULL) {
            r->answers.refs[slots[i]->ray.w.index] = (sl_triangle_ref){ .prim = pack->prim[lane] };
        }
        if (r->p2m != NULL) {
            p2m_share(r->p2m, r->batch, slot_number(r, slots[i]), pack, lane, r->answers.any,
                      &r->stats);
        }
    }
}

/* The ray or segment of a slot as it was given. */
static SLI_FORCE_INLINE const float *leaves_floats(const stream_state *r, const stream_slot *slot,
                                                   bool any)
{
    return any && r->p2m != NULL ? r->p2m->rays[slot_number(r, slot)]
                                 : ray8_floats(r->batch, slot->ray.w.index);
}

/* The lanes left that leaves_drop_at_ends drops. */
static SLI_NOINLINE uint32_t leaves_at_ends(stream_state *r, stream_slot *const *slots,
                                            uint32_t left, bool any)
{
    const float *segment[SIMD_LEAVES];
    for (int k = 0; k < SIMD_LEAVES; k++) {
        segment[k] = leaves_floats(r, slots[k], any);
    }
    return leaves_drop_at_ends(&r->ends, slots, segment, left);
}

/* A number in each byte. */
#define LEAVES_BYTES UINT64_C(0x0101010101010101)

/* Lists the numbers of set bits, at most sixteen, as pairs (pair_slot) from count on; first: the
 * number of bit 0 in each byte.  Returns how many are listed then. */
static SLI_FORCE_INLINE uint32_t leaves_list(uint8_t *pairs, uint32_t count, uint64_t first,
                                             uint32_t bits)
{
    for (uint32_t at = 0; at < SIMD_LEAVES * SLI_PACK; at += 8) {
        const uint32_t here = bits >> at & 0xFF;
        uint64_t lanes;
        memcpy(&lanes, compress_table[here], sizeof lanes);
        lanes += first + at * LEAVES_BYTES;
        memcpy(pairs + count, &lanes, sizeof lanes);
        count += (uint32_t)__builtin_popcount(here);
    }
    return count;
}

/* Lists the triangles of current leaves that floats do not decide, and eight more pairs to read
 * past the end.  limits, not of closest hits: applies limits, and answers the rays that floats are
 * sure of, or counts what they are sure of.  Returns how many of the triangles that were not surely
 * missed this settled. */
static SLI_FORCE_INLINE uint32_t leaves_filter(stream_state *r, stream_kind kind, bool limits)
{
    const uint32_t count = r->current_count, sure_lanes = r->sure_lanes;
    uint32_t triangles = 0, met = 0, pairs = 0, hits = 0;
    uint64_t first = 0;
    uint8_t *answers = r->answers.any;
    const bool tells = r->tells;
    const uint32_t few = count * 2 <= SIMD_LEAVES;
    for (uint32_t i = 0; i < count;
         i += SIMD_LEAVES, first += SIMD_LEAVES * SLI_PACK * LEAVES_BYTES) {
        stream_slot *const *slots = r->queue[QUEUE_CURRENT] + i;
        const filter_ray *ray[SIMD_LEAVES];
        uint32_t apart = few;
        for (int k = 0; k < SIMD_LEAVES; k++) {
            uint32_t grid;
            ray[k] = &slots[k]->ray;
            memcpy(&grid, &ray[k]->grid, sizeof grid);
            apart |= grid;
        }
        const uint32_t here = count - i < SIMD_LEAVES ? count - i : SIMD_LEAVES;
        tri_leaves found = __builtin_expect(apart != 0, 0)
                               ? leaves_filter_apart(r, slots, here, kind)
                               : tri_leaves_filter(ray, limits);
        const uint32_t real = (1u << here * SLI_PACK) - 1;
        triangles += (uint32_t)__builtin_popcount(found.used & real);
        found.left &= real;
        if (limits) {
            met += (uint32_t)__builtin_popcount(found.met & real);
            found.sure &= real & sure_lanes;
        }
        if (limits && kind == STREAM_ALL) {
            const uint32_t counted = leaves_count(r->answers.totals, slots, found.sure);
            found.left &= ~counted;
            hits += (uint32_t)__builtin_popcount(counted);
        } else if (limits) {
            const uint32_t leaves = leaves_with(found.sure);
            leaves_answer(answers, slots, leaves);
            found.left &= ~(leaves * ((1u << SLI_PACK) - 1));
            hits += (uint32_t)__builtin_popcount(leaves);
            if (__builtin_expect(tells, 0) && leaves != 0) {
                leaves_tell(r, slots, found.sure);
            }
        }
        if (__builtin_expect(r->ends.open != 0, 0) && found.left != 0) {
            const uint32_t at = leaves_at_ends(r, slots, found.left, kind == STREAM_ANY);
            found.left &= ~at;
            met -= limits ? (uint32_t)__builtin_popcount(at) : 0;
        }
        pairs = leaves_list(r->pairs, pairs, first, found.left);
    }
    memset(r->pairs + pairs, r->pairs[0], 8);
    r->pair_count = pairs;
    r->stats.hits += hits;
    r->stats.triangles += triangles;
    r->stats.float_stage += triangles - pairs;
    return met - pairs;
}

enum {
    LIMITS_GAIN = 4,    /* a triangle that limits settle saves as much as they cost four leaves */
    LIMITS_TRIAL = 128, /* leaves for which limits are tried without any gain */
    LIMITS_CREDIT_MAX = 512,
    LIMITS_PAUSE = 64 /* phases until they are tried again */
};

/* Filters the triangles of current leaves; of any-hit rays by limits, too, as long as that pays: of
 * rays that leave the surface of a scan, nearly all that is not missed is next to the origin, where
 * floats cannot tell. */
static SLI_FORCE_INLINE void leaves_filter_any(stream_state *r)
{
    if (r->limits_pause > 0) {
        r->limits_pause--;
        (void)leaves_filter(r, STREAM_ANY, false);
        return;
    }
    const uint32_t settled = leaves_filter(r, STREAM_ANY, true);
    int32_t credit = r->limits_credit + (int32_t)(LIMITS_GAIN * settled - r->current_count);
    if (credit < 0) {
        r->limits_pause = LIMITS_PAUSE;
        credit = LIMITS_TRIAL;
    }
    r->limits_credit = credit < LIMITS_CREDIT_MAX ? credit : LIMITS_CREDIT_MAX;
}

/* Whether t, u and v of hits are wanted. */
static SLI_FORCE_INLINE bool leaves_measures(const stream_state *r, stream_kind kind)
{
    return kind == STREAM_CLOSEST || (kind == STREAM_ALL && r->answers.capacity > 0);
}

/* Notes the answer to a pair, lane i of an eight, that doubles found hit or undecided. */
static SLI_FORCE_INLINE void leaves_note(stream_state *r, const tri8_answer *e, uint32_t pair,
                                         uint32_t i, stream_kind kind)
{
    stream_slot *slot = pair_slot(r, pair);
    const size_t index = slot->ray.w.index;
    if (kind == STREAM_ANY && r->answers.any[index] != 0) { /* by another triangle of the leaf */
        r->stats.double_stage += e->unsure >> i & 1;
        return;
    }
    sl_hit hit;
    if (!tri8_hit(r->batch, e, i, index, pair_pack(slot), pair_lane(pair), slot->ray.best,
                  !leaves_measures(r, kind), &hit, &r->stats)) {
        return;
    }
    if (kind == STREAM_ALL) {
        leaves_keep(r, slot, pair_lane(pair), &hit);
    } else if (kind == STREAM_ANY) {
        r->answers.any[index] = 1;
        if (r->answers.refs != NULL) {
            r->answers.refs[index] = (sl_triangle_ref){ .prim = hit.prim };
        }
        slot->ray.w.top = 0;
        if (r->p2m != NULL) {
            p2m_share(r->p2m, r->batch, slot_number(r, slot), pair_pack(slot), pair_lane(pair),
                      r->answers.any, &r->stats);
        }
    } else {
        leaves_accept(r, slot, &hit);
    }
}

/* Decides eight of the listed pairs, of which the first count are real. */
static SLI_FORCE_INLINE void leaves_decide_eight(stream_state *r, const uint8_t *pairs,
                                                 uint32_t count, stream_kind kind, tri8_answer *e)
{
    tri8_source source;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t pair = pairs[i];
        const stream_slot *slot = pair_slot(r, pair);
        source.ray[i] = leaves_floats(r, slot, kind == STREAM_ANY);
        source.pack[i] = pair_pack(slot);
        source.lane[i] = pair_lane(pair);
        source.best[i] = slot->ray.best;
    }
    tri8_query query;
    tri8_read_rays(&source, sli_kernel_segments(r->batch), &query);
    tri8_read_triangles(&source, &query);
    query.flags = r->batch->options->flags;
    const uint32_t real = (1u << count) - 1;
    tri8_decide(&query, r->batch->options->cull, leaves_measures(r, kind) ? source.best : NULL,
                real, e);
    e->hit &= real;
    e->unsure &= real;
    r->stats.double_stage += count - (uint32_t)__builtin_popcount(e->unsure);
}

/* Lists which of the pairs are hit or undecided.  A list, since the end of a loop over the bits of
 * each eight would be mispredicted each time. */
static SLI_FORCE_INLINE uint32_t leaves_candidates(const stream_state *r, uint32_t count,
                                                   uint8_t *candidate)
{
    uint32_t candidates = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const tri8_answer *e = &r->eights[i / 8];
        uint64_t lanes;
        memcpy(&lanes, compress_table[e->hit | e->unsure], sizeof lanes);
        lanes += i * LEAVES_BYTES;
        memcpy(candidate + candidates, &lanes, sizeof lanes);
        candidates += (uint32_t)__builtin_popcount(e->hit | e->unsure);
    }
    return candidates;
}

/* Decides the listed pairs, STREAM_EIGHTS eights before their answers are noted, so that the
 * eights do not wait for one another. */
static SLI_NOINLINE void leaves_decide(stream_state *r, stream_kind kind)
{
    enum { PAIRS_MAX = 8 * STREAM_EIGHTS };
    for (uint32_t begin = 0; begin < r->pair_count; begin += PAIRS_MAX) {
        const uint8_t *pairs = r->pairs + begin;
        const uint32_t left = r->pair_count - begin, count = left < PAIRS_MAX ? left : PAIRS_MAX;
        for (uint32_t i = 0; i < count; i += 8) {
            const uint32_t here = count - i < 8 ? count - i : 8;
            leaves_decide_eight(r, pairs + i, here, kind, &r->eights[i / 8]);
        }
        uint8_t candidate[PAIRS_MAX + 8];
        const uint32_t candidates = leaves_candidates(r, count, candidate);
        for (uint32_t i = 0; i < candidates; i++) {
            leaves_note(r, &r->eights[candidate[i] / 8], pairs[candidate[i]], candidate[i] % 8,
                        kind);
        }
    }
    r->pair_count = 0;
}
