/* The phase of leaves: the triangles of all leaves that rays wait at, for interleaved batches
 * (interleaved/loop.inl).  Floats drop what is surely missed (filter/tri_edges.inl); the pairs of
 * ray and triangle that are left are listed, and doubles decide them eight at a time
 * (filter/tri8.inl).
 *
 * Needed first: interleaved/state.inl. */
#ifndef SLI_KERNEL_INTERLEAVED_LEAVES_INL
#define SLI_KERNEL_INTERLEAVED_LEAVES_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/filter/tri_axis_aligned.inl"
#include "bvh/kernel/filter/tri_edges.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/point_to_many/occluder_share.inl"
#include "bvh/kernel/simd/compress_table.h"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <string.h>

/* Makes the slots at leaves the current ones; slots at SLI_REF_EMPTY among them have ended. */
static SLI_FORCE_INLINE void leaves_turn(interleaved_state *r)
{
    size_t leaves = 0, ended = r->waiting.ended;
    for (size_t i = 0; i < r->waiting.leaves; i++) { /* in the order of their prefetches */
        interleaved_slot *slot = r->queue[QUEUE_LEAVES][INTERLEAVED_SLOTS_MAX - 1 - i];
        const uint32_t end = ref_is_empty(slot->ref[slot->ray.w.top]);
        r->queue[QUEUE_CURRENT][leaves] = slot;
        leaves += 1 - end;
        r->queue[QUEUE_ENDED][ended] = slot;
        ended += end;
    }
    r->current_count = (uint32_t)leaves;
    r->waiting.ended = ended;
    r->waiting.leaves = 0;
}

/* Keeps a hit if it is the closest so far, and drops the references beyond it from the stack. */
static SLI_FORCE_INLINE void leaves_accept(interleaved_state *r, interleaved_slot *slot,
                                           const sl_hit *hit)
{
    ray_words *w = &slot->ray.w;
    sl_hit *best = &r->answers.hits[w->index];
    if (!hit_is_closer(hit, best)) {
        return;
    }
    *best = *hit;
    if (hit->t == w->best) {
        return;
    }
    w->best = hit->t;
    const float bound = ray_bound_from_base(&slot->ray, hit->t);
    w->bound = bound < w->bound ? bound : w->bound;
    w->top = simd_keep(slot->ref, slot_nears(slot), w->top + 1, w->bound) - 1;
}

/* Lists these lanes of the leaf that the slot is at, and takes the leaf off the slot's stack. */
static SLI_FORCE_INLINE void leaves_list(interleaved_state *r, uint32_t *pairs,
                                         interleaved_slot *slot, uint32_t lanes)
{
    const uint64_t pair = pair_of(r, slot);
    slot->ray.w.top--;
    u64_store_lanes(r->pairs + *pairs, pair, lanes);
    *pairs += (uint32_t)__builtin_popcount(lanes);
}

/* The triangles of the leaf that the slot is at that are not surely missed; used: all of them. */
static SLI_FORCE_INLINE uint32_t leaves_lanes(interleaved_state *r, const interleaved_slot *slot,
                                              bool any, uint32_t *used)
{
    const char *at = slot->ray.w.at;
    if (slot->ray.axis_aligned == 0) {
        return tri_filter(&slot->ray, at, used);
    }
    const sl_hit *best = any ? NULL : &r->answers.hits[slot->ray.w.index];
    return tri_axis_aligned_filter(&slot->ray, at, best, used);
}

/* Two leaves, where at least one ray runs along an axis: kept out of the loop, which needs all
 * registers. */
static SLI_NOINLINE uint32_t leaves_lanes_apart(interleaved_state *r,
                                                interleaved_slot *const two[2], bool any,
                                                uint32_t *used)
{
    uint32_t used_a, used_b;
    const uint32_t a = leaves_lanes(r, two[0], any, &used_a),
                   b = leaves_lanes(r, two[1], any, &used_b);
    *used = used_a | used_b << SLI_PACK;
    return a | b << SLI_PACK;
}

/* Lists the triangles of the current leaves that are not surely missed, and eight more pairs to
 * read past the end. */
static SLI_FORCE_INLINE void leaves_filter(interleaved_state *r, bool any)
{
    const uint32_t count = r->current_count;
    uint32_t pairs = 0, triangles = 0, used;
    uint32_t i = 0;
    for (; SIMD_TWO_LEAVES && i + 1 < count; i += 2) {
        interleaved_slot *const *two = r->queue[QUEUE_CURRENT] + i;
        const uint32_t axis_aligned = two[0]->ray.axis_aligned | two[1]->ray.axis_aligned;
        const uint32_t lanes = __builtin_expect(axis_aligned != 0, 0)
                                   ? leaves_lanes_apart(r, two, any, &used)
                                   : tri_filter_two(&two[0]->ray, &two[1]->ray, &used);
        leaves_list(r, &pairs, two[0], lanes % (1 << SLI_PACK));
        leaves_list(r, &pairs, two[1], lanes >> SLI_PACK);
        triangles += (uint32_t)__builtin_popcount(used);
    }
    for (; i < count; i++) {
        interleaved_slot *slot = r->queue[QUEUE_CURRENT][i];
        const uint32_t lanes = leaves_lanes(r, slot, any, &used);
        leaves_list(r, &pairs, slot, lanes);
        triangles += (uint32_t)__builtin_popcount(used);
    }
    for (uint32_t fill = 0; pairs > 0 && fill < 8; fill++) {
        r->pairs[pairs + fill] = r->pairs[0];
    }
    r->pair_count = pairs;
    r->stats.triangles += triangles;
    r->stats.float_stage += triangles - pairs;
}

/* Notes the answer to a pair, lane i of an eight, that doubles found hit or undecided. */
static SLI_FORCE_INLINE void leaves_note(interleaved_state *r, const tri8_answer *e, uint64_t pair,
                                         uint32_t i, bool any)
{
    interleaved_slot *slot = pair_slot(r, pair);
    const size_t index = slot->ray.w.index;
    sl_hit hit;
    if (!tri8_hit(r->batch, e, i, index, pair_pack(r, pair), pair_lane(pair), slot->ray.w.best, any,
                  &hit, &r->stats)) {
        return;
    }
    if (any) {
        r->answers.any[index] = 1;
        if (r->answers.refs != NULL) {
            r->answers.refs[index] = (sl_triangle_ref){ .prim = hit.prim };
        }
        slot->ray.w.top = 0;
        if (r->p2m != NULL) {
            p2m_share(r->p2m, r->batch, slot_number(r, slot), pair_pack(r, pair), pair_lane(pair),
                      r->answers.any, &r->stats);
        }
    } else {
        leaves_accept(r, slot, &hit);
    }
}

/* Decides eight of the listed pairs, of which the first count are real. */
static SLI_FORCE_INLINE void leaves_decide_eight(interleaved_state *r, const uint64_t *pairs,
                                                 uint32_t count, bool any, tri8_answer *e)
{
    tri8_source asked;
    for (uint32_t i = 0; i < 8; i++) {
        const uint64_t pair = pairs[i];
        const interleaved_slot *slot = pair_slot(r, pair);
        asked.ray[i] = any && r->p2m != NULL ? r->p2m->asked[slot_number(r, slot)]
                                             : interleaved_floats(r, slot->ray.w.index);
        asked.pack[i] = pair_pack(r, pair);
        asked.lane[i] = pair_lane(pair);
        asked.best[i] = slot->ray.w.best;
    }
    tri8_question ask;
    tri8_read_rays(&asked, sli_kernel_segments(r->batch), &ask);
    tri8_read_triangles(&asked, &ask);
    ask.crossings = (r->batch->query->flags & SL_USE_CROSSINGS) != 0;
    tri8_decide(&ask, r->batch->query->cull, any ? NULL : asked.best, e);
    const uint32_t real = (1u << count) - 1;
    e->hit &= real;
    e->unsure &= real;
    r->stats.double_stage += count - (uint32_t)__builtin_popcount(e->unsure);
}

/* Lists which of the pairs are hit or undecided.  A list, since the end of a loop over the bits of
 * each eight would be mispredicted each time. */
static SLI_FORCE_INLINE uint32_t leaves_candidates(const interleaved_state *r, uint32_t count,
                                                   uint8_t *candidate)
{
    uint32_t candidates = 0;
    for (uint32_t i = 0; i < count; i += 8) {
        const tri8_answer *e = &r->eights[i / 8];
        uint64_t lanes;
        memcpy(&lanes, compress_table[e->hit | e->unsure], sizeof lanes);
        lanes += i * 0x0101010101010101u;
        memcpy(candidate + candidates, &lanes, sizeof lanes);
        candidates += (uint32_t)__builtin_popcount(e->hit | e->unsure);
    }
    return candidates;
}

/* Decides the listed pairs, INTERLEAVED_EIGHTS eights before their answers are noted, so that the
 * eights do not wait for one another. */
static SLI_NOINLINE void leaves_decide(interleaved_state *r, bool any)
{
    enum { PAIRS_MAX = 8 * INTERLEAVED_EIGHTS };
    for (uint32_t begin = 0; begin < r->pair_count; begin += PAIRS_MAX) {
        const uint64_t *pairs = r->pairs + begin;
        const uint32_t left = r->pair_count - begin, count = left < PAIRS_MAX ? left : PAIRS_MAX;
        for (uint32_t i = 0; i < count; i += 8) {
            const uint32_t here = count - i < 8 ? count - i : 8;
            leaves_decide_eight(r, pairs + i, here, any, &r->eights[i / 8]);
        }
        uint8_t candidate[PAIRS_MAX + 8];
        const uint32_t candidates = leaves_candidates(r, count, candidate);
        for (uint32_t i = 0; i < candidates; i++) {
            leaves_note(r, &r->eights[candidate[i] / 8], pairs[candidate[i]], candidate[i] % 8,
                        any);
        }
    }
    r->pair_count = 0;
}

#endif
