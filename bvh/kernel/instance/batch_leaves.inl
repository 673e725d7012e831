/* The triangles that rays of a scene batch wait at: floats drop what is surely missed in the
 * instance's space, with the edge functions of filter/tri_leaves.inl; the pairs that are left are
 * carried into the world by the corner rule and decided in doubles, eight at a time
 * (filter/tri8.inl), and what doubles leave open by the exact predicates (intersect.h). */
#ifndef SLI_KERNEL_INSTANCE_BATCH_LEAVES_INL
#define SLI_KERNEL_INSTANCE_BATCH_LEAVES_INL

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/filter/tri_edges.inl"
#include "bvh/kernel/filter/tri_leaves.inl"
#include "bvh/kernel/filter/tri_leaves_behind.inl"
#include "bvh/kernel/instance/batch_state.inl"
#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/intersect8.inl"
#include "bvh/kernel/instance/to_local8.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/simd/compress_table.h"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"
#include "lib/geom/exact/predicates.h"

#include <string.h>

/* Afterwards each slot at a leaf of a compact tree is at its unpacked block, until it is queued
 * again.  Blocks take stack, so there are fewer than slots; slots beyond them wait, with their
 * references back on their stacks, for the next phase. */
static SLI_NOINLINE void scene_unpack(scene_batch *r, bool any)
{
    while (r->count[SCENE_PACKS] > SCENE_UNPACKED_MAX) {
        interleaved_slot *slot = r->queue[SCENE_PACKS][--r->count[SCENE_PACKS]];
        slot->ray.w.top++;
        scene_queue(r, slot, slot_aside(slot, any)->lines);
    }
    for (uint32_t i = 0; i < r->count[SCENE_PACKS]; i++) {
        interleaved_slot *slot = r->queue[SCENE_PACKS][i];
        const uint32_t instance = slot_aside(slot, any)->instance;
        const sl_bvh *tree = r->asked->world->placed[instance].tree;
        if (tree->vertices != NULL) {
            const void *block = slot->ray.w.at;
            sli_tri_unpack(block, tree->vertices, tree->masks, &r->unpacked[i]);
            slot->ray.w.at = (const char *)&r->unpacked[i];
        }
    }
}

/* Bits of lanes that are left of one leaf. */
static SLI_NOINLINE uint32_t scene_filter_apart(interleaved_slot *const *slots, uint32_t count,
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

/* Answers the rays of leaves with lanes that are surely hit; bit 0 of each leaf's lanes in leaves.
 * Nothing branches on it. */
static SLI_FORCE_INLINE void scene_answer(scene_batch *r, interleaved_slot *const *slots,
                                          uint32_t leaves)
{
    for (uint32_t i = 0; i < SIMD_LEAVES; i++) {
        ray_words *w = &slots[i]->ray.w;
        const uint32_t hit = leaves >> i * SLI_PACK & 1;
        r->any[w->index] |= (uint8_t)hit;
        w->top &= hit - 1;
    }
}

/* Where a triangle that is hit is wanted, too. */
static SLI_NOINLINE void scene_tell(scene_batch *r, interleaved_slot *const *slots, uint32_t sure)
{
    for (uint32_t i = 0; i < SIMD_LEAVES; i++) {
        const uint32_t lanes = sure >> i * SLI_PACK & ((1u << SLI_PACK) - 1);
        if (lanes != 0) {
            r->refs[slots[i]->ray.w.index] = (sl_triangle_ref){
                .instance = slot_aside(slots[i], true)->instance,
                .prim = pair_pack(slots[i])->prim[__builtin_ctz(lanes)],
            };
        }
    }
}

/* The lanes of up to SIMD_LEAVES leaves that are left for doubles.  Limits apply; any: rays that
 * surely hit something are answered; closest: what surely lies behind something that is hit is
 * dropped. */
static SLI_FORCE_INLINE uint32_t scene_filter_leaves(scene_batch *r, interleaved_slot *const *slots,
                                                     uint32_t count, bool any, uint32_t *used)
{
    const filter_ray *ray[SIMD_LEAVES];
    const uint32_t real = (1u << count * SLI_PACK) - 1;
    for (int k = 0; k < SIMD_LEAVES; k++) {
        ray[k] = &slots[k]->ray;
    }
    leaves_places places;
    tri_leaves found = tri_leaves_place(ray, true, &places);
    *used = found.used & real;
    found.left &= real;
    if (any) {
        found.sure &= real & r->sure_lanes;
        const uint32_t pairs = found.sure | found.sure >> 1;
        const uint32_t leaves = (pairs | pairs >> 2) & 0x1111;
        scene_answer(r, slots, leaves);
        found.left &= ~(leaves * ((1u << SLI_PACK) - 1));
        r->stats.hits += (uint32_t)__builtin_popcount(leaves);
        if (leaves != 0 && r->refs != NULL) {
            scene_tell(r, slots, found.sure);
        }
    } else {
        const uint32_t crossed = places.crossed & found.used & r->sure_lanes;
        const uint32_t some = crossed | crossed >> 1;
        if ((leaves_with_two(found.left) & (some | some >> 2)) != 0) {
            found.left &= ~tri_leaves_behind(ray, &places, crossed);
        }
    }
    return found.left;
}

/* Lists the triangles of the leaves that floats do not decide. */
static SLI_FORCE_INLINE void scene_filter(scene_batch *r, bool any)
{
    interleaved_slot **queue = r->queue[SCENE_PACKS];
    const uint32_t count = r->count[SCENE_PACKS], few = count * 2 <= SIMD_LEAVES;
    uint32_t triangles = 0, pairs = 0;
    for (int i = 0; i < SIMD_LEAVES - 1; i++) { /* to be read, and without effect */
        queue[count + (uint32_t)i] = queue[0];
    }
    for (uint32_t i = 0; i < count; i += SIMD_LEAVES) {
        const uint32_t here = count - i < SIMD_LEAVES ? count - i : SIMD_LEAVES;
        uint32_t used;
        const uint32_t left = __builtin_expect(few, 0)
                                  ? scene_filter_apart(queue + i, here, &used)
                                  : scene_filter_leaves(r, queue + i, here, any, &used);
        triangles += (uint32_t)__builtin_popcount(used);
        for (uint32_t at = 0; at < SIMD_LEAVES * SLI_PACK; at += 8) {
            const uint32_t byte = left >> at & 0xFF;
            uint64_t lanes;
            memcpy(&lanes, compress_table[byte], sizeof lanes);
            lanes += (i * SLI_PACK + at) * UINT64_C(0x0101010101010101);
            memcpy(r->pairs + pairs, &lanes, sizeof lanes);
            pairs += (uint32_t)__builtin_popcount(byte);
        }
    }
    memset(r->pairs + pairs, r->pairs[0], 8);
    r->pair_count = pairs;
    r->stats.triangles += triangles;
    r->stats.float_stage += triangles - pairs;
}

static SLI_FORCE_INLINE interleaved_slot *scene_pair_slot(const scene_batch *r, uint32_t pair)
{
    return r->queue[SCENE_PACKS][pair / SLI_PACK];
}

/* Decides eight of the listed pairs, of which the first count are real. */
static SLI_FORCE_INLINE void scene_decide_listed(scene_batch *r, const uint8_t *pairs,
                                                 uint32_t count, bool any, scene_decided *out)
{
    const sli_scene_batch *asked = r->asked;
    scene_eight eight;
    for (uint32_t i = 0; i < 8; i++) {
        interleaved_slot *slot = scene_pair_slot(r, pairs[i]);
        const scene_aside *aside = slot_aside(slot, any);
        eight.index[i] = slot->ray.w.index;
        eight.pack[i] = pair_pack(slot);
        eight.lane[i] = pair_lane(pairs[i]);
        eight.placed[i] = &asked->world->placed[aside->instance];
        eight.best[i] = slot->ray.best;
        eight.most[i] = aside->most;
    }
    scene_decide_eight(asked, &eight, count, any, out);
    r->stats.double_stage += count - (uint32_t)__builtin_popcount(out->e.unsure);
}

/* t beyond which hits of a ray do not matter. */
static double scene_best_t(const scene_batch *r, const interleaved_slot *slot)
{
    const sl_hit_d *best = r->hits_d != NULL ? &r->hits_d[slot->ray.w.index] : NULL;
    return best == NULL ? (double)slot->ray.best : best->prim != SL_NONE ? best->t : INFINITY;
}

/* Decides exactly a pair that doubles left undecided.  Rare: kept out of the loops. */
static SLI_NOINLINE bool scene_settle(scene_batch *r, size_t index, double best_t,
                                      const sli_tri_pack *pack, uint32_t lane,
                                      sl_triangle_ref triangle, sl_hit_d *hit)
{
    sli_scene_ray ray;
    float x[3][3];
    sli_decision_stage stage;
    (void)sli_scene_batch_ray(r->asked, index, &ray);
    sli_pack_corners(pack, (int)lane, x);
    const bool is_hit = sli_scene_decide(r->asked->world, &ray, triangle, x, best_t, hit, &stage);
    r->stats.exact_stage += stage == SLI_STAGE_EXACT;
    r->stats.double_stage += stage == SLI_STAGE_DOUBLE;
    return is_hit;
}

/* Whether the options leave a triangle in. */
static SLI_NOINLINE bool scene_has(const scene_batch *r, size_t index, sl_triangle_ref triangle,
                                   uint32_t mask)
{
    sli_scene_ray ray;
    sli_scene_options(r->asked->query, index, &ray);
    return sli_scene_has(&ray, triangle, mask);
}

/* Whether a hit comes before the best so far.  One branch, which is mostly taken. */
static SLI_FORCE_INLINE bool scene_is_closer(const scene_batch *r, size_t index,
                                             const sl_hit_d *hit)
{
    const double t = r->in_floats ? (double)r->hits[index].t : r->hits_d[index].t;
    const uint32_t prim = r->in_floats ? r->hits[index].prim : r->hits_d[index].prim;
    const uint32_t instance = r->in_floats ? r->hits[index].instance : r->hits_d[index].instance;
    const unsigned first = prim == SL_NONE, nearer = hit->t < t;
    const unsigned lower =
        hit->instance < instance || (hit->instance == instance && hit->prim < prim);
    return (first | nearer | ((hit->t == t) & lower)) != 0;
}

/* Keeps a hit if it is the closest so far, and drops the references beyond it that are of the
 * present instance; the others go when the ray returns. */
static SLI_FORCE_INLINE void scene_accept(scene_batch *r, interleaved_slot *slot,
                                          const sl_hit_d *hit)
{
    ray_words *w = &slot->ray.w;
    if (!scene_is_closer(r, w->index, hit)) {
        return;
    }
    scene_put(r, w->index, hit);
    scene_aside *aside = slot_aside(slot, false);
    const double most = scene_t_most(r->in_floats, hit->t);
    slot->ray.best = r->in_floats ? (float)hit->t : INFINITY;
    if (!(most < aside->most)) {
        return;
    }
    aside->most = most;
    const float bound = carry8_bound_from(aside->most, aside->base_t, w->scale);
    w->bound = bound < w->bound ? bound : w->bound;
    const uint32_t begin = aside->floor + 1;
    w->top = aside->floor + simd_keep(slot->ref + begin, slot_nears(slot) + begin,
                                      w->top - aside->floor, w->bound);
}

/* Notes the answer to a pair, lane i of an eight, that doubles found hit or undecided. */
static SLI_FORCE_INLINE void scene_note(scene_batch *r, const scene_decided *a, uint32_t pair,
                                        uint32_t i, bool any)
{
    interleaved_slot *slot = scene_pair_slot(r, pair);
    const size_t index = slot->ray.w.index;
    const uint32_t lane = pair_lane(pair), unsure = a->e.unsure >> i & 1;
    const sli_tri_pack *pack = pair_pack(slot);
    const sl_triangle_ref triangle = { .instance = slot_aside(slot, any)->instance,
                                       .prim = pack->prim[lane] };
    if (any && r->any[index] != 0) { /* by another triangle of the leaf */
        r->stats.double_stage += unsure;
        return;
    }
    if ((r->asked->query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0 &&
        !scene_has(r, index, triangle, pack->mask[lane])) {
        r->stats.double_stage += unsure;
        return;
    }
    sl_hit_d hit = scene_hit_of(a, i, r->in_floats, triangle);
    if (unsure != 0 && !scene_settle(r, index, scene_best_t(r, slot), pack, lane, triangle, &hit)) {
        return;
    }
    r->stats.hits++;
    if (any) {
        r->any[index] = 1;
        if (r->refs != NULL) {
            r->refs[index] = triangle;
        }
        slot->ray.w.top = 0;
        return;
    }
    scene_accept(r, slot, &hit);
}

/* Decides the listed pairs, SCENE_EIGHTS eights before their answers are noted. */
static SLI_NOINLINE void scene_decide_pairs(scene_batch *r, bool any)
{
    enum { PAIRS_MAX = 8 * SCENE_EIGHTS };
    for (uint32_t begin = 0; begin < r->pair_count; begin += PAIRS_MAX) {
        const uint8_t *pairs = r->pairs + begin;
        const uint32_t left = r->pair_count - begin, count = left < PAIRS_MAX ? left : PAIRS_MAX;
        uint8_t candidate[PAIRS_MAX + 8];
        uint32_t candidates = 0;
        for (uint32_t i = 0; i < count; i += 8) {
            const uint32_t here = count - i < 8 ? count - i : 8;
            scene_decided *a = &r->eights[i / 8];
            scene_decide_listed(r, pairs + i, here, any, a);
            const uint32_t met = a->e.hit | a->e.unsure;
            uint64_t lanes;
            memcpy(&lanes, compress_table[met], sizeof lanes);
            lanes += i * UINT64_C(0x0101010101010101);
            memcpy(candidate + candidates, &lanes, sizeof lanes);
            candidates += (uint32_t)__builtin_popcount(met);
        }
        for (uint32_t i = 0; i < candidates; i++) {
            scene_note(r, &r->eights[candidate[i] / 8], pairs[candidate[i]], candidate[i] % 8, any);
        }
    }
    r->pair_count = 0;
}

#endif
