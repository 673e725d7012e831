/* The triangles that rays of a scene batch wait at: floats drop what is surely missed in the
 * instance's space, with the edge functions of filter/tri_leaves.inl; the pairs that are left are
 * transformed to the world by the corner rule and decided in doubles, eight at a time
 * (filter/tri8.inl), and what doubles leave open by the exact predicates (intersect.h). */
#pragma once

#include "bvh/kernel/filter/tri_leaves_behind.inl"
#include "bvh/kernel/instance/batch_state.inl"
#include "bvh/kernel/stream/leaves.inl"

/* Afterwards each slot at a leaf of a compact tree is at its unpacked block, until it is queued
 * again.  Blocks take stack, so there are fewer than slots; slots beyond them wait, with their
 * references back on their stacks, for the next phase. */
static SLI_NOINLINE void world_unpack(world_batch *r, bool any)
{
    while (r->count[WORLD_PACKS] > WORLD_UNPACKED_MAX) {
        stream_slot *slot = r->queue[WORLD_PACKS][--r->count[WORLD_PACKS]];
        slot->ray.w.top++;
        world_queue(r, slot, slot_aside(slot, any)->lines);
    }
    for (uint32_t i = 0; i < r->count[WORLD_PACKS]; i++) {
        stream_slot *slot = r->queue[WORLD_PACKS][i];
        const uint32_t instance = slot_aside(slot, any)->instance;
        const sl_bvh *tree = r->batch->world->transformed[instance].tree;
        if (tree->vertices != NULL) {
            const void *block = slot->ray.w.at;
            sli_tri_unpack(block, tree->vertices, tree->masks, &r->unpacked[i]);
            slot->ray.w.at = (const char *)&r->unpacked[i];
        }
    }
}

/* Bits of lanes that are left of one leaf. */
static SLI_NOINLINE uint32_t world_filter_apart(stream_slot *const *slots, uint32_t count,
                                                uint32_t *used)
{
    uint32_t left = 0;
    *used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t here;
        left |= tri_filter(&slots[i]->ray, slots[i]->ray.w.at, &here) << i * SLI_PACK;
        *used |= here << i * SLI_PACK;
    }
    return left;
}

/* Where a triangle that is hit is wanted, too. */
static SLI_NOINLINE void world_tell(world_batch *r, stream_slot *const *slots, uint32_t sure)
{
    for (uint32_t i = 0; i < SIMD_LEAVES; i++) {
        const uint32_t lanes = sure >> i * SLI_PACK & ((1u << SLI_PACK) - 1);
        if (lanes != 0) {
            uint32_t instance = slot_aside(slots[i], true)->instance;
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            const sli_tri_pack *pack =
                sli_world_source(r->batch->world, &instance, pair_pack(slots[i]), &lane);
            r->refs[slots[i]->ray.w.index] =
                (sl_triangle_ref){ .instance = instance, .prim = pack->prim[lane] };
        }
    }
}

/* The lanes of up to SIMD_LEAVES leaves that are left for doubles.  Limits apply; any: rays that
 * surely hit something are answered; all: sure hits are counted, if that is all; closest: what
 * surely lies behind something that is hit is dropped. */
static SLI_FORCE_INLINE uint32_t world_filter_leaves(world_batch *r, stream_slot *const *slots,
                                                     uint32_t count, stream_kind kind,
                                                     uint32_t *used)
{
    const filter_ray *ray[SIMD_LEAVES];
    const uint32_t real = (1u << count * SLI_PACK) - 1;
    for (int k = 0; k < SIMD_LEAVES; k++) {
        ray[k] = &slots[k]->ray;
    }
    leaves_spans spans;
    tri_leaves found = tri_leaves_span(ray, true, &spans);
    *used = found.used & real;
    found.left &= real;
    found.sure &= real & r->sure_lanes;
    if (kind == STREAM_ALL) {
        const uint32_t counted = leaves_count(r->totals, slots, found.sure);
        found.left &= ~counted;
        r->stats.hits += (uint32_t)__builtin_popcount(counted);
    } else if (kind == STREAM_ANY) {
        const uint32_t leaves = leaves_with(found.sure);
        leaves_answer(r->any, slots, leaves);
        found.left &= ~(leaves * ((1u << SLI_PACK) - 1));
        r->stats.hits += (uint32_t)__builtin_popcount(leaves);
        if (leaves != 0 && r->refs != NULL) {
            world_tell(r, slots, found.sure);
        }
    } else {
        const uint32_t crossed = spans.crossed & found.used & r->sure_lanes;
        if ((leaves_with_two(found.left) & leaves_with(crossed)) != 0) {
            found.left &= ~tri_leaves_behind(ray, &spans, crossed);
        }
    }
    return found.left;
}

/* Lists the triangles of the leaves that floats do not decide. */
static SLI_FORCE_INLINE void world_filter(world_batch *r, stream_kind kind)
{
    stream_slot **queue = r->queue[WORLD_PACKS];
    const uint32_t count = r->count[WORLD_PACKS];
    const bool few = count * 2 <= SIMD_LEAVES;
    uint32_t triangles = 0, pairs = 0;
    for (int i = 0; i < SIMD_LEAVES - 1; i++) { /* to be read, and without effect */
        queue[count + (uint32_t)i] = queue[0];
    }
    for (uint32_t i = 0; i < count; i += SIMD_LEAVES) {
        const uint32_t here = count - i < SIMD_LEAVES ? count - i : SIMD_LEAVES;
        uint32_t used;
        const uint32_t left = __builtin_expect(few, 0)
                                  ? world_filter_apart(queue + i, here, &used)
                                  : world_filter_leaves(r, queue + i, here, kind, &used);
        triangles += (uint32_t)__builtin_popcount(used);
        pairs = leaves_list(r->pairs, pairs, i * SLI_PACK * LEAVES_BYTES, left);
    }
    memset(r->pairs + pairs, r->pairs[0], 8);
    r->pair_count = pairs;
    r->stats.triangles += triangles;
    r->stats.float_stage += triangles - pairs;
}

static SLI_FORCE_INLINE stream_slot *world_pair_slot(const world_batch *r, uint32_t pair)
{
    return r->queue[WORLD_PACKS][pair / SLI_PACK];
}

/* Decides eight of the listed pairs, of which the first count are real. */
static SLI_FORCE_INLINE void world_decide_listed(world_batch *r, const uint8_t *pairs,
                                                 uint32_t count, stream_kind kind,
                                                 world_eight *eight)
{
    const bool any = kind != STREAM_CLOSEST;
    for (uint32_t i = 0; i < 8; i++) {
        stream_slot *slot = world_pair_slot(r, pairs[i]);
        const world_aside *aside = slot_aside(slot, any);
        eight->index[i] = slot->ray.w.index;
        eight->pack[i] = pair_pack(slot);
        eight->lane[i] = pair_lane(pairs[i]);
        eight->instance[i] = aside->instance;
        eight->best[i] = slot->ray.best;
        eight->most[i] = aside->most;
    }
    world_decide_eight(r->batch, eight, count, any && r->capacity == 0, &r->stats);
}

/* Keeps a hit if it is the closest so far, and drops the references beyond it that are of the
 * present instance; the others go when the ray returns. */
static SLI_FORCE_INLINE void world_accept(world_batch *r, stream_slot *slot, const sl_hit_d *hit)
{
    ray_words *w = &slot->ray.w;
    world_aside *aside = slot_aside(slot, false);
    /* Most grows with t, so what has less of it is closer; else the best hit, which has left the
     * caches, has to be read. */
    const double most = world_t_most(r->in_floats, hit->t);
    const bool nearer = most < aside->most;
    if (!nearer && !world_is_closer(r, w->index, hit)) {
        return;
    }
    world_put(r, w->index, hit);
    slot->ray.best = r->in_floats ? (float)hit->t : INFINITY;
    if (!nearer) {
        return;
    }
    aside->most = most;
    const float bound = to_local8_bound_from(aside->most, aside->base_t, w->scale);
    w->bound = bound < w->bound ? bound : w->bound;
    const uint32_t begin = aside->floor + 1;
    w->top = aside->floor + simd_keep(slot->ref + begin, slot_nears(slot) + begin,
                                      w->top - aside->floor, w->bound);
}

/* Counts a hit of all, and keeps it if it is among the nearest. */
static SLI_FORCE_INLINE void world_keep(world_batch *r, stream_slot *slot, uint32_t lane,
                                        const sl_hit_d *hit)
{
    const size_t index = slot->ray.w.index;
    const uint32_t before = pair_pack(slot)->before[lane];
    const uint32_t instance = slot_aside(slot, true)->instance;
    if (__builtin_expect(before != 0, 0) &&
        ray_counts_elsewhere(&slot->ray, r->batch->world->transformed[instance].tree, before)) {
        return;
    }
    sli_world_row row = sli_world_row_of(r->hits, r->hits_d, r->capacity, index);
    row.total = r->totals[index];
    sli_world_row_add(&row, hit);
    r->totals[index] = row.total;
}

/* Notes the answer to a pair, lane i of an eight, that doubles found hit or undecided. */
static SLI_FORCE_INLINE void world_note(world_batch *r, const world_eight *eight, stream_slot *slot,
                                        uint32_t i, stream_kind kind)
{
    const size_t index = eight->index[i];
    const bool measured = kind == STREAM_CLOSEST || r->capacity > 0;
    sl_hit_d hit = { .t = 0 };
    if (kind == STREAM_ANY && r->any[index] != 0) { /* by another triangle of the leaf */
        r->stats.double_stage += eight->e.unsure >> i & 1;
        return;
    }
    if (!world_pair_hit(r->batch, eight, i, measured ? &hit : NULL, &r->stats)) {
        return;
    }
    if (kind == STREAM_CLOSEST) {
        world_accept(r, slot, &hit);
    } else if (kind == STREAM_ALL) {
        world_keep(r, slot, eight->lane[i], &hit);
    } else {
        world_put_any(r, index, world_pair_triangle(eight, i));
        slot->ray.w.top = 0;
    }
}

/* Decides the listed pairs, WORLD_EIGHTS eights before their answers are noted. */
static SLI_NOINLINE void world_decide_pairs(world_batch *r, stream_kind kind)
{
    enum { PAIRS_MAX = 8 * WORLD_EIGHTS };
    for (uint32_t begin = 0; begin < r->pair_count; begin += PAIRS_MAX) {
        const uint8_t *pairs = r->pairs + begin;
        const uint32_t left = r->pair_count - begin, count = left < PAIRS_MAX ? left : PAIRS_MAX;
        uint8_t candidate[PAIRS_MAX + 8];
        uint32_t candidates = 0;
        for (uint32_t i = 0; i < count; i += 8) {
            world_eight *eight = &r->eights[i / 8];
            world_decide_listed(r, pairs + i, count - i < 8 ? count - i : 8, kind, eight);
            candidates = leaves_list(candidate, candidates, i * LEAVES_BYTES,
                                     eight->e.hit | eight->e.unsure);
        }
        for (uint32_t i = 0; i < candidates; i++) {
            world_note(r, &r->eights[candidate[i] / 8], world_pair_slot(r, pairs[candidate[i]]),
                       candidate[i] % 8, kind);
        }
    }
    r->pair_count = 0;
}
