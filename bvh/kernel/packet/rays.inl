/* The rays of a packet as given, by rows of sixty-four, and the smallest and largest numbers of
 * such rows.  For all kinds of packets (frustum.inl, hybrid.inl). */
#pragma once

#include "bvh/kernel/filter/ray8.inl"

enum {
    PACKET = 64,
    PACKET_LANES = 16, /* of one register */
    PACKET_GROUPS = PACKET / PACKET_LANES,
    PACKET_RAYS_MIN = 40 /* rays; with fewer they go on alone */
};

/* Lines of coherent rays pass c closer than this share of the tree. */
#define PACKET_SPREAD 0.125f

/* The rays as given. */
typedef struct packet_rays {
    float from[3][PACKET], dir[3][PACKET], limits[2][PACKET];
} packet_rays;

/* The smallest number of a row. */
static float least_of(const float a[PACKET])
{
    f16 least = f16_load(a);
    for (int group = PACKET_LANES; group < PACKET; group += PACKET_LANES) {
        least = f16_min(least, f16_load(a + group));
    }
    return f16_least(least);
}

/* The largest number of a row. */
static float most_of(const float a[PACKET])
{
    f16 most = f16_load(a);
    for (int group = PACKET_LANES; group < PACKET; group += PACKET_LANES) {
        most = f16_max(most, f16_load(a + group));
    }
    return f16_most(most);
}

/* Eight rays of the packet at a time. */
enum { PACKET_EIGHTS = PACKET / 8 };

/* Rays split in two kinds by a mask: the more common kind. */
static uint64_t majority(uint64_t one)
{
    return __builtin_popcountll(one) * 2 >= PACKET ? one : ~one;
}

/* Gives rays that take no part the numbers of one that does, so that they widen nothing. */
static void fill_out(float row[PACKET], uint64_t rays)
{
    if (rays == UINT64_MAX) {
        return;
    }
    const f16 other = f16_splat(row[__builtin_ctzll(rays)]);
    for (int group = 0; group < PACKET; group += PACKET_LANES) {
        f16_store(row + group, f16_where(rays >> group & 0xFFFF, f16_load(row + group), other));
    }
}

/* Reads the rays; returns the valid ones of the most common octant. */
static uint64_t packet_read(packet_rays *p, const sl_ray *rays)
{
    uint64_t valid = 0, negative[3] = { 0 };
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        ray8_input in;
        valid |= (uint64_t)ray8_read_rays(rays + 8 * i, &in) << (8 * i);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t below = 0xFF & ~f8_bits_le(f8_splat(0), in.dir[axis]);
            negative[axis] |= (uint64_t)below << (8 * i);
            f8_store(p->from[axis] + 8 * i, in.origin[axis]);
            f8_store(p->dir[axis] + 8 * i, in.dir[axis]);
        }
        f8_store(p->limits[0] + 8 * i, in.tmin);
        f8_store(p->limits[1] + 8 * i, in.tmax);
    }
    return valid & majority(negative[0]) & majority(negative[1]) & majority(negative[2]);
}
