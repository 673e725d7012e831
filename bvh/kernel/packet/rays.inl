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
    _Alignas(SLI_LINE) float from[3][PACKET];
    float dir[3][PACKET], limits[2][PACKET];
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

/* Whether all numbers of a row are equal; there is no NaN. */
static bool one_number(const float a[PACKET])
{
    f16 least = f16_load(a), most = least;
    for (int group = PACKET_LANES; group < PACKET; group += PACKET_LANES) {
        least = f16_min(least, f16_load(a + group));
        most = f16_max(most, f16_load(a + group));
    }
    const f16 first = f16_splat(a[0]);
    return (f16_bits_le(first, least) & f16_bits_le(most, first)) == 0xFFFF;
}

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

/* Reads the rays, and prefetches those that are `next` rays further; returns the valid ones of the
 * most common octant. */
static SLI_FORCE_INLINE uint64_t packet_read(packet_rays *p, const sl_ray *rays, size_t next)
{
    uint64_t valid = 0, negative[3] = { 0 };
    for (int i = 0; i < PACKET; i += PACKET_LANES) {
        for (int k = 0; k < PACKET_LANES; k += SLI_LINE / (int)sizeof *rays) {
            __builtin_prefetch(rays + next + (size_t)(i + k));
        }
        f8 low[8], high[8];
        f16 word[8], sum = f16_splat(0), longest = sum; /* sum: 0 where all are finite */
        f8_columns((const float *)(const void *)(rays + i), low);
        f8_columns((const float *)(const void *)(rays + i + 8), high);
        for (int k = 0; k < 8; k++) {
            word[k] = f16_pair(low[k], high[k]);
        }
        for (int axis = 0; axis < 3; axis++) {
            const f16 from = word[RAY_FLOAT_ORIGIN + axis], dir = word[RAY_FLOAT_DIR + axis];
            sum = f16_muladd(from, f16_splat(0), f16_muladd(dir, f16_splat(0), sum));
            longest = f16_max(f16_abs(dir), longest);
            negative[axis] |= (uint64_t)(0xFFFF & ~f16_bits_le(f16_splat(0), dir)) << i;
            f16_store(p->from[axis] + i, from);
            f16_store(p->dir[axis] + i, dir);
        }
        const f16 tmin = word[RAY_FLOAT_TMIN], tmax = word[RAY_FLOAT_TMAX];
        const uint32_t finite = f16_bits_le(sum, f16_splat(0));
        valid |= (uint64_t)(finite & f16_bits_le(tmin, tmax) & ~f16_bits_le(longest, f16_splat(0)))
                 << i;
        f16_store(p->limits[0] + i, tmin);
        f16_store(p->limits[1] + i, tmax);
    }
    return valid & majority(negative[0]) & majority(negative[1]) & majority(negative[2]);
}
