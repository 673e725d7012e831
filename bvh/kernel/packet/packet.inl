/* Packets: sixty-four coherent rays that go down the tree together, so that a node is fetched once
 * for all of them.  For batches of rays, closest hit: sl_bvh_closest_many() (closest_many of the
 * kernel table) tries each sixty-four rays as a packet before the interleaved traversal gets what
 * is left (interleaved/packets_first.inl).
 *
 * Coherent rays have one octant and one largest axis, and stay close to one another as far as the
 * tree reaches (camera rays of neighbouring pixels, shadow rays to one light).  Children that the
 * beam, the box around the rays, misses are left out by interval arithmetic; each of the others is
 * tested against every ray, since the beam meets much more than its rays do (Boulos et al.,
 * "Packet-based Whitted and Distribution Ray Tracing", 2007).
 *
 * The search is all in floats.  A ray that is surely inside a triangle narrows its search by an
 * upper bound on t at once.  Triangles that are not surely missed are listed with a lower bound;
 * when nothing is left to visit, or the list is full, doubles decide them, eight rays at a time
 * (filter/tri8.inl).  Rays whose lines meet in a point take a quicker way (packet/frustum.inl),
 * which is tried first. */
#ifndef SLI_KERNEL_PACKET_PACKET_INL
#define SLI_KERNEL_PACKET_PACKET_INL

#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/packet/budget.inl"
#include "bvh/kernel/packet/frustum.inl"
#include "bvh/kernel/packet/frustum_decide.inl"
#include "bvh/kernel/packet/frustum_traverse.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/packet/setup.inl"
#include "bvh/kernel/packet/traverse.inl"
#include "lib/base/inline.h"

/* The accounts of a batch's packets. */
typedef struct packet_accounts {
    packet_account frusta, others;
} packet_accounts;

/* Coherent rays of any kind; returns those that are answered. */
static SLI_NOINLINE uint64_t packet_take_any(interleaved_state *r, packet_rays *as, uint64_t rays,
                                             packet_account *account)
{
    const sli_kernel_batch *batch = r->batch;
    const size_t first = r->next;
    packet p;
    p.as = as;
    rays = make_packet(&p, batch, first, rays);
    if (rays == 0) {
        packet_account_enter(account, PACKET_COST_REFUSED, false);
        return 0;
    }
    for (size_t i = first; i < first + PACKET; i++) {
        r->answers.hits[i] = (sl_hit){ .t = batch->rays[i].tmax, .prim = SL_NONE };
    }
    const bool done = packet_traverse(&p, r, account);
    packet_account_enter(account, p.spent, done);
    return done ? rays : 0;
}

/* Coherent rays whose lines meet in a point; returns those that are answered. */
static SLI_NOINLINE uint64_t packet_take_frustum(interleaved_state *r, const packet_rays *as,
                                                 uint64_t rays, packet_account *account)
{
    const sli_kernel_batch *batch = r->batch;
    frustum p;
    rays = make_frustum(&p, batch->tree, as, rays);
    if (rays == 0) {
        packet_account_enter(account, PACKET_COST_REFUSED, false);
        return 0;
    }
    p.taken = rays;
    p.narrows = batch->query->cull == SL_CULL_NONE &&
                (batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    const bool done = frustum_traverse(&p, r, account);
    packet_account_enter(account, p.spent, done);
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
static SLI_NOINLINE uint64_t packet_take(interleaved_state *r, packet_accounts *accounts)
{
    packet_rays as;
    const bool frustum_due = packet_account_due(&accounts->frusta);
    const bool other_due = packet_account_due(&accounts->others);
    if (!frustum_due && !other_due) {
        return 0;
    }
    const uint64_t rays = packet_read(&as, r->batch->rays + r->next);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    packet_prefetch_batch(r);
    uint64_t taken = 0;
    if (frustum_due) {
        taken = packet_take_frustum(r, &as, rays, &accounts->frusta);
    }
    if (taken == 0 && other_due) {
        taken = packet_take_any(r, &as, rays, &accounts->others);
    }
    r->stats.rays += (uint64_t)__builtin_popcountll(taken);
    return taken;
}

#endif
