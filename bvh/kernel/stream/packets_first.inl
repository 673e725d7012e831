/* Packets before slots: coherent rays among the next ones are answered first, 64 together, so that
 * they share what they fetch.  For closest hits of rays (stream/batch.inl).
 *
 * Coherent rays have one octant and stay close to one another as far as the tree reaches: camera
 * rays of neighbouring pixels, perspective or parallel, rays to one light.  packet/frustum.inl says
 * how they are traced, packet/budget.inl when they are not. */
#pragma once

#include "bvh/kernel/packet/frustum_make.inl"
#include "bvh/kernel/packet/frustum_traverse.inl"
#include "bvh/kernel/stream/state.inl"

/* The octant of a ray; -0 counts as negative. */
static inline uint32_t ray_octant(const sl_ray *ray)
{
    uint32_t dir[3];
    memcpy(dir, ray->dir, sizeof dir);
    return dir[0] >> 31 | dir[1] >> 31 << 1 | dir[2] >> 31 << 2;
}

/* Whether PACKET rays may be coherent: of four of them, three have one octant. */
static bool packets_may_take(const sl_ray *rays)
{
    const uint32_t a = ray_octant(rays), b = ray_octant(rays + PACKET / 3),
                   c = ray_octant(rays + PACKET * 2 / 3), d = ray_octant(rays + PACKET - 1);
    return (a == b) + (a == c) + (a == d) >= 2 || (b == c && b == d);
}

/* Coherent rays; returns those that are answered. */
static SLI_NOINLINE uint64_t packet_take_frustum(stream_state *r, const packet_rays *as,
                                                 uint64_t rays, packet_account *account)
{
    const sli_kernel_batch *batch = r->batch;
    frustum p;
    frustum_hits hits;
    frustum_of_tree(&p);
    p.hits = &hits;
    p.batch = batch;
    p.first = r->next;
    p.stats = &r->stats;
    p.hooks = (frustum_hooks){ .decide = frustum_decide_all };
    rays = make_frustum(&p, batch->tree, as, rays);
    if (rays == 0) {
        packet_account_enter(account, PACKET_COST_REFUSED, 0, false);
        return 0;
    }
    p.taken = rays;
    p.narrows = batch->options->cull == SL_CULL_NONE &&
                (batch->uses & (SLI_USES_MASK | SLI_USES_SKIP)) == 0;
    const bool done = frustum_traverse(&p, packet_account_limit(account));
    packet_account_enter(account, p.spent, p.saved, done);
    if (!done) {
        return 0;
    }
    frustum_write(&p, r->answers.hits + r->next);
    return rays;
}

/* Answers those of the next PACKET rays that are coherent, if they are many; returns which. */
static SLI_NOINLINE uint64_t packet_take(stream_state *r, packet_account *account)
{
    packet_rays as;
    if (!packet_account_due(account)) {
        return 0;
    }
    const size_t next = r->end - r->next >= 2 * PACKET ? PACKET : 0;
    const uint64_t rays = packet_read(&as, r->batch->rays + r->next, next);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    const uint64_t taken = packet_take_frustum(r, &as, rays, account);
    r->stats.rays += (uint64_t)__builtin_popcountll(taken);
    return taken;
}

/* Answers what packets take of the rays from next to end, at most STREAM_PACKED_MAX; returns
 * whether any are left. */
static SLI_NOINLINE bool packets_first(stream_state *r, packet_account *account)
{
    bool left = (r->end - r->first) % PACKET != 0;
    r->packed = false;
    if (r->end - r->first < PACKET) {
        return true;
    }
    memset(r->answered, 0, sizeof r->answered);
    for (; r->end - r->next >= PACKET; r->next += PACKET) {
        uint64_t taken = 0;
        if (packets_may_take(r->batch->rays + r->next)) {
            taken = packet_take(r, account);
        }
        r->answered[(r->next - r->first) / PACKET] = taken;
        r->packed = r->packed || taken != 0;
        left = left || taken != UINT64_MAX;
    }
    r->next = r->first;
    return left;
}
