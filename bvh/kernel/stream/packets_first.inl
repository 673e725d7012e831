/* Packets before slots: coherent rays among the next ones are answered first, 64 together, so that
 * they share what they fetch.  For closest hits of rays (stream/batch.inl). */
#ifndef SLI_KERNEL_STREAM_PACKETS_FIRST_INL
#define SLI_KERNEL_STREAM_PACKETS_FIRST_INL

#include "bvh/kernel/packet/packet.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/stream/state.inl"
#include "lib/base/inline.h"

#include <string.h>

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

/* Answers what packets take of the rays from next to end, at most INTERLEAVED_PACKED_MAX; returns
 * whether any are left. */
static SLI_NOINLINE bool packets_first(interleaved_state *r, packet_account *account)
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

#endif
