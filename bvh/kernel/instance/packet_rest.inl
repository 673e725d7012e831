/* What packets leave of a scene batch (packet.inl): for a ray that has been to all that its
 * packet meets, but for some instances, these instances.  The ray then goes on in a slot, which
 * begins with them instead of with the top tree, and with the closest hit that it has so far.
 *
 * Whatever a packet does not finish in an instance, because rays do not fit, are few, or go too far
 * apart there, is left so, and nothing else of a packet is done again. */
#pragma once

#include "bvh/kernel/stream/state.inl"

enum {
    WORLD_PACKETS = 16,       /* that are looked at before the slots take the other rays */
    WORLD_PACKET_ITEMS = 64,  /* in each */
    WORLD_REST_MAX = 128,     /* entries of all of them */
    WORLD_REST_EACH_MAX = 24, /* of a ray; with more it starts anew, as they fill a stack */
};

/* An instance, and the rays that have not been there. */
typedef struct world_rest_entry {
    uint64_t lines;
    float near; /* no hit there has a lesser t, of any of these rays */
    uint32_t instance;
} world_rest_entry;

typedef struct world_rest {
    uint64_t answered[WORLD_PACKETS]; /* rays for which nothing is left */
    uint64_t begun[WORLD_PACKETS];    /* rays for which entries are left; the others start anew */
    uint16_t begin[WORLD_PACKETS], end[WORLD_PACKETS]; /* of a packet's entries, nearest first */
    uint32_t count;
    world_rest_entry entry[WORLD_REST_MAX];
} world_rest;

/* Whether the packets looked at an item, which is the i-th of the batch, and left this of it. */
static SLI_FORCE_INLINE bool world_rest_has(const uint64_t *bits, size_t i)
{
    return i < WORLD_PACKETS * WORLD_PACKET_ITEMS &&
           (bits[i / WORLD_PACKET_ITEMS] >> i % WORLD_PACKET_ITEMS & 1) != 0;
}

_Static_assert(WORLD_REST_EACH_MAX + 2 <= (int)STREAM_ANY_DEPTH_MAX, "they fit a stack");
