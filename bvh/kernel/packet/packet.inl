/* Packets: sixty-four coherent rays that go down the tree together, so that a node is fetched once
 * for all of them.  For batches of rays, closest hit: sl_bvh_closest_many() (closest_many of the
 * kernel table) tries each sixty-four rays as a packet before the interleaved traversal gets what
 * is left (stream/packets_first.inl).
 *
 * Coherent rays have one octant and stay close to one another as far as the tree reaches: camera
 * rays of neighbouring pixels, perspective or parallel, rays to one light.  packet/frustum.inl says
 * how they are traced, packet/budget.inl when they are not. */
#ifndef SLI_KERNEL_PACKET_PACKET_INL
#define SLI_KERNEL_PACKET_PACKET_INL

#include "bvh/kernel/kernel.h"
#include "bvh/kernel/packet/budget.inl"
#include "bvh/kernel/packet/frustum.inl"
#include "bvh/kernel/packet/frustum_decide.inl"
#include "bvh/kernel/packet/frustum_held.inl"
#include "bvh/kernel/packet/frustum_make.inl"
#include "bvh/kernel/packet/frustum_traverse.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/stream/state.inl"
#include "lib/base/inline.h"

/* Coherent rays; returns those that are answered. */
static SLI_NOINLINE uint64_t packet_take_frustum(interleaved_state *r, const packet_rays *as,
                                                 uint64_t rays, packet_account *account)
{
    const sli_kernel_batch *batch = r->batch;
    frustum p;
    frustum_of_tree(&p);
    p.batch = batch;
    p.stats = &r->stats;
    p.hooks = (frustum_hooks){ .context = r, .decide = frustum_decide_all };
    rays = make_frustum(&p, batch->tree, as, rays);
    if (rays == 0) {
        packet_account_enter(account, PACKET_COST_REFUSED, 0, false);
        return 0;
    }
    p.taken = rays;
    p.narrows = batch->query->cull == SL_CULL_NONE &&
                (batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    const bool done = frustum_traverse(&p, packet_account_limit(account));
    packet_account_enter(account, p.spent, p.saved, done);
    if (!done) {
        return 0;
    }
    frustum_write(&p, r->answers.hits + r->next);
    return rays;
}

/* Prefetches the memory of these answers, and the rays after these. */
static void packet_prefetch_batch(const interleaved_state *r)
{
    const char *hits = (const char *)(r->answers.hits + r->next);
    const char *rays = (const char *)(r->batch->rays + r->next + PACKET);
    for (size_t at = 0; at < PACKET * sizeof(sl_hit); at += SLI_LINE) {
        __builtin_prefetch(hits + at, 1);
    }
    for (size_t at = 0; at < PACKET * sizeof(sl_ray) && r->end - r->next >= 2 * PACKET;
         at += SLI_LINE) {
        __builtin_prefetch(rays + at);
    }
}

/* Answers those of the next PACKET rays that are coherent, if they are many; returns which. */
static SLI_NOINLINE uint64_t packet_take(interleaved_state *r, packet_account *account)
{
    packet_rays as;
    if (!packet_account_due(account)) {
        return 0;
    }
    const uint64_t rays = packet_read(&as, r->batch->rays + r->next);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    packet_prefetch_batch(r);
    const uint64_t taken = packet_take_frustum(r, &as, rays, account);
    r->stats.rays += (uint64_t)__builtin_popcountll(taken);
    return taken;
}

#endif
