/* Sixty-four rays that go the same way, together down the tree: a node is fetched once for all of
 * them.
 *
 * Coherent are rays of one octant and one largest axis that stay close to one another as far as the
 * tree reaches (camera rays of neighbouring pixels, shadow rays to one light).  Of a node's
 * children, those that the whole beam misses are left out by interval arithmetic; each of the
 * others is tested against every ray, since a beam as such is met by much more than its rays are
 * (Boulos et al., Packet-based Whitted and Distribution Ray Tracing, 2007).
 *
 * The search is all in floats.  A ray that is surely within a triangle narrows its search by an
 * upper bound on t at once; what is not surely missed is listed, with a lower bound, and when
 * nothing is left to visit, or the list is full, doubles decide it, eight at a time
 * (filter/tri8.inl).  Rays whose lines meet, as a camera's do, go by a quicker way
 * (packet/frustum.inl). */
#ifndef SLI_KERNEL_PACKET_PACKET_INL
#define SLI_KERNEL_PACKET_PACKET_INL

#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/packet/frustum.inl"
#include "bvh/kernel/packet/frustum_decide.inl"
#include "bvh/kernel/packet/frustum_traverse.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/packet/setup.inl"
#include "bvh/kernel/packet/traverse.inl"
#include "lib/base/inline.h"

/* Coherent rays of any kind. */
static SLI_NOINLINE uint64_t packet_take_any(interleaved_state *r, packet_rays *as, uint64_t rays)
{
    const sli_kernel_batch *batch = r->batch;
    const size_t first = r->next;
    packet p;
    p.as = as;
    rays = make_packet(&p, batch, first, rays);
    if (rays == 0) {
        return 0;
    }
    for (size_t i = first; i < first + PACKET; i++) {
        r->answers.hits[i] = (sl_hit){ .t = batch->rays[i].tmax, .prim = SL_NONE };
    }
    packet_traverse(&p, r);
    return rays;
}

/* Those whose lines meet. */
static SLI_NOINLINE uint64_t packet_take_frustum(interleaved_state *r, const packet_rays *as,
                                                 uint64_t rays)
{
    const sli_kernel_batch *batch = r->batch;
    frustum p;
    rays = make_frustum(&p, batch->tree, as, rays);
    if (rays == 0) {
        return 0;
    }
    p.taken = rays;
    p.narrows = batch->query->cull == SL_CULL_NONE &&
                (batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    frustum_traverse(&p, r);
    frustum_write(&p, r->answers.hits + r->next);
    return rays;
}

/* Asks for the memory of these answers, and of the rays behind these. */
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

/* Answers those of the next rays that are coherent, if they are many; returns which. */
static SLI_NOINLINE uint64_t packet_take(interleaved_state *r)
{
    packet_rays as;
    const uint64_t rays = packet_read(&as, r->batch->rays + r->next);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    packet_prefetch_batch(r);
    uint64_t taken = packet_take_frustum(r, &as, rays);
    if (taken == 0) {
        taken = packet_take_any(r, &as, rays);
    }
    r->stats.rays += (uint64_t)__builtin_popcountll(taken);
    return taken;
}

#endif
