/* The triangles that floats do not dismiss for a packet of a scene batch (scene/packet.inl), in
 * doubles as in scene/batch_leaves.inl, eight pairs of a ray and a triangle at a time. */
#ifndef SLI_KERNEL_SCENE_PACKET_DECIDE_INL
#define SLI_KERNEL_SCENE_PACKET_DECIDE_INL

#include "bvh/kernel/packet/frustum.inl"
#include "bvh/kernel/packet/frustum_decide.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/scene/batch_leaves.inl"
#include "bvh/kernel/scene/batch_state.inl"
#include "bvh/kernel/scene/carry8.inl"
#include "bvh/kernel/scene/decide8.inl"
#include "bvh/kernel/scene/packet_carry.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

/* The depth along the top tree's frustum beyond which a ray has no hits that matter. */
static void scene_packet_bound_top(scene_packet *s, uint32_t ray)
{
    const float rest = carry8_bound_from(s->most[ray], s->top_base_t[ray], 1);
    s->top_bound[ray] = (rest * s->top_rate[ray] + s->top_start[ray]) * (1 + 0x1p-20f) + 0x1p-90f;
}

/* Keeps a hit if it is the closest so far, and narrows the search. */
static void scene_packet_accept(scene_packet *s, uint32_t ray, const sl_hit_d *hit)
{
    frustum *p = &s->f;
    const size_t index = s->first + ray;
    if (!scene_is_closer(s->r, index, hit)) {
        return;
    }
    scene_put(s->r, index, hit);
    s->best[ray] = (float)hit->t;
    const double most = scene_t_most(true, hit->t);
    if (!(most < s->most[ray])) {
        return;
    }
    s->most[ray] = most;
    const float rest = carry8_bound_from(most, s->base_t[ray], 1);
    const float bound = (rest * p->rate[ray] + p->start[ray]) * (1 + 0x1p-20f) + 0x1p-90f;
    p->bound[ray] = bound < p->bound[ray] ? bound : p->bound[ray];
    p->stale |= 1u << ray / PACKET_LANES;
    scene_packet_bound_top(s, ray);
}

/* Decides the pairs that wait. */
static void scene_packet_decide_pairs(scene_packet *s)
{
    scene_batch *r = s->r;
    const uint32_t count = s->pairs;
    const sl_bvh *tree = s->batch.tree;
    scene_eight eight;
    sli_tri_pack unpacked[8];
    scene_decided *a = &r->eights[0];
    for (uint32_t i = 0; i < 8 && count > 0; i++) {
        const uint32_t from = i < count ? i : 0, ray = s->pair_ray[from];
        eight.index[i] = s->first + ray;
        eight.pack[i] = sli_tree_pack(tree, s->pair_place[from] / SLI_PACK, &unpacked[i]);
        eight.lane[i] = s->pair_place[from] % SLI_PACK;
        eight.placed[i] = &r->asked->world->placed[s->instance];
        eight.best[i] = s->best[ray];
        eight.most[i] = s->most[ray];
    }
    s->pairs = 0;
    if (count == 0) {
        return;
    }
    scene_decide_eight(r->asked, &eight, count, false, a);
    s->f.spent += FRUSTUM_COST_EIGHT;
    s->f.saved += PACKET_COST_DOUBLES * count;
    r->stats.double_stage += count - (uint32_t)__builtin_popcount(a->e.unsure);
    for (uint32_t left = a->e.hit | a->e.unsure; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left), ray = s->pair_ray[i];
        const sl_triangle_ref triangle = { .instance = s->instance,
                                           .prim = eight.pack[i]->prim[eight.lane[i]] };
        sl_hit_d hit = scene_hit_of(a, i, true, triangle);
        if ((a->e.unsure >> i & 1) == 0 ||
            scene_settle(r, eight.index[i], (double)s->best[ray], eight.pack[i], eight.lane[i],
                         triangle, &hit)) {
            r->stats.hits++;
            scene_packet_accept(s, ray, &hit);
        }
    }
}

static inline void scene_packet_pair(scene_packet *s, uint32_t ray, uint32_t place)
{
    s->pair_ray[s->pairs] = (uint8_t)ray;
    s->pair_place[s->pairs++] = place;
    if (s->pairs == 8) {
        scene_packet_decide_pairs(s);
    }
}

/* The hook of instances' frusta. */
static void scene_packet_decide(frustum *p, void *context, bool at_end)
{
    scene_packet *s = context;
    for (uint64_t left = at_end ? p->held : 0; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        scene_packet_pair(s, ray, float_to_bits(p->held_place[ray]));
    }
    for (uint32_t i = 0; i < p->listed; i++) {
        const frustum_item *item = &p->list[i];
        const uint32_t first = item->group * PACKET_LANES;
        uint32_t rays = item->rays & f16_bits_le(f16_load(item->from), f16_load(p->bound + first));
        for (; rays != 0; rays &= rays - 1) {
            scene_packet_pair(s, first + (uint32_t)__builtin_ctz(rays), item->place);
        }
    }
    scene_packet_decide_pairs(s);
    p->listed = 0;
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
}

#endif
