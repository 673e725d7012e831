/* The triangles that floats do not dismiss for a packet of a scene batch (packet.inl), in
 * doubles as in batch_leaves.inl, eight pairs of a ray and a triangle at a time. */
#pragma once

#include "bvh/kernel/instance/batch_leaves.inl"
#include "bvh/kernel/instance/packet_to_local.inl"
#include "bvh/kernel/packet/frustum_decide.inl"

/* The depth along the top tree's frustum beyond which a ray has no hits that matter. */
static void world_packet_bound_top(world_packet *s, uint32_t ray)
{
    frustum *p = &s->top;
    const float rest = to_local8_bound_from(s->most[ray], s->top_base_t[ray], 1);
    p->bound[ray] = (rest * p->rate[ray] + p->start[ray]) * (1 + 0x1p-20f) + 0x1p-90f;
    p->stale |= 1u << ray / PACKET_LANES;
}

/* Answers a ray of an any-hit query, which then takes no further part. */
static void world_packet_answer(world_packet *s, uint32_t ray, sl_triangle_ref triangle)
{
    world_put_any(s->r, s->first + ray, triangle);
    s->top.bound[ray] = s->f.bound[ray] = -INFINITY;
    s->top.stale |= 1u << ray / PACKET_LANES;
    s->f.stale |= 1u << ray / PACKET_LANES;
}

/* Answers the rays that surely hit something. */
static void world_packet_answer_found(world_packet *s)
{
    for (uint64_t left = s->f.found; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        const uint32_t slot = float_to_bits(s->f.hits->held_slot[ray]);
        sli_tri_pack unpacked;
        const sli_tri_pack *pack = sli_tree_pack(s->batch.tree, slot / SLI_PACK, &unpacked);
        uint32_t instance = s->instance, lane = slot % SLI_PACK;
        pack = sli_world_source(s->r->batch->world, &instance, pack, &lane);
        s->r->stats.hits++;
        world_packet_answer(s, ray,
                            (sl_triangle_ref){ .instance = instance, .prim = pack->prim[lane] });
    }
    s->f.found = 0;
}

/* Keeps a hit if it is the closest so far, and narrows the search. */
static void world_packet_accept(world_packet *s, uint32_t ray, const sl_hit_d *hit)
{
    frustum *p = &s->f;
    const size_t index = s->first + ray;
    if (!world_is_closer(s->r, index, hit)) {
        return;
    }
    world_put(s->r, index, hit);
    s->best[ray] = s->r->in_floats ? (float)hit->t : INFINITY;
    const double most = world_t_most(s->r->in_floats, hit->t);
    if (!(most < s->most[ray])) {
        return;
    }
    s->most[ray] = most;
    const float rest = to_local8_bound_from(most, s->base_t[ray], 1);
    const float bound = (rest * p->rate[ray] + p->start[ray]) * (1 + 0x1p-20f) + 0x1p-90f;
    p->bound[ray] = bound < p->bound[ray] ? bound : p->bound[ray];
    p->stale |= 1u << ray / PACKET_LANES;
    world_packet_bound_top(s, ray);
}

/* Notes pair i of an eight, which doubles found hit or undecided. */
static void world_packet_note(world_packet *s, const world_eight *eight, uint32_t i)
{
    world_batch *r = s->r;
    sl_hit_d hit;
    if (r->any != NULL && r->any[eight->index[i]] != 0) {
        r->stats.double_stage += eight->e.unsure >> i & 1;
    } else if (!world_pair_hit(r->batch, eight, i, &hit, &r->stats)) {
        return;
    } else if (r->any != NULL) {
        world_packet_answer(s, s->pair_ray[i], world_pair_triangle(eight, i));
    } else {
        world_packet_accept(s, s->pair_ray[i], &hit);
    }
}

/* Decides the pairs that wait. */
static void world_packet_decide_pairs(world_packet *s)
{
    world_batch *r = s->r;
    const uint32_t count = s->pairs;
    world_eight *eight = &r->eights[0];
    sli_tri_pack unpacked[8];
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t from = i < count ? i : 0, ray = s->pair_ray[from];
        eight->index[i] = s->first + ray;
        eight->pack[i] = sli_tree_pack(s->batch.tree, s->pair_slot[from] / SLI_PACK, &unpacked[i]);
        eight->lane[i] = s->pair_slot[from] % SLI_PACK;
        eight->instance[i] = s->instance;
        eight->best[i] = s->best[ray];
        eight->most[i] = s->most[ray];
    }
    world_decide_eight(r->batch, eight, count, r->any != NULL, &r->stats);
    s->pairs = 0;
    s->f.spent += FRUSTUM_COST_EIGHT;
    s->f.saved += PACKET_COST_DOUBLES * count;
    for (uint32_t left = eight->e.hit | eight->e.unsure; left != 0; left &= left - 1) {
        world_packet_note(s, eight, (uint32_t)__builtin_ctz(left));
    }
}

static inline void world_packet_pair(world_packet *s, uint32_t ray, uint32_t slot)
{
    s->pair_ray[s->pairs] = (uint8_t)ray;
    s->pair_slot[s->pairs++] = slot;
    if (s->pairs == 8) {
        world_packet_decide_pairs(s);
    }
}

/* The hook of instances' frusta. */
static void world_packet_decide(frustum *p, void *context, bool at_end)
{
    world_packet *s = context;
    for (uint64_t left = at_end ? p->held : 0; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctzll(left);
        world_packet_pair(s, ray, float_to_bits(p->hits->held_slot[ray]));
    }
    for (uint32_t i = 0; i < p->listed; i++) {
        const frustum_item *item = &p->hits->list[i];
        const uint32_t first = item->group * PACKET_LANES;
        uint32_t rays = item->rays & f16_bits_le(f16_load(item->from), f16_load(p->bound + first));
        for (; rays != 0; rays &= rays - 1) {
            world_packet_pair(s, first + (uint32_t)__builtin_ctz(rays), item->slot);
        }
    }
    world_packet_decide_pairs(s);
    p->listed = 0;
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
}
