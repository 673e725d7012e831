/* The state of a packet of a scene batch (packet.inl), and how its rays come to an instance,
 * or to the top tree: transformed as in to_local8.inl, and as rays in floats there, which are off
 * by no more than `moved`.  docs/notes/frustum.md derives it. */
#pragma once

#include "bvh/kernel/instance/batch_state.inl"
#include "bvh/kernel/packet/frustum.inl"

enum {
    WORLD_PACKET_ENTRIES = 64,      /* instances that wait, or are left; with more it is given up */
    WORLD_PACKET_ENTER_MIN = 8,     /* fewer rays at an instance leave the packet */
    WORLD_PACKET_ABANDONED_MAX = 1, /* instances; the others are then left to slots */
    WORLD_PACKET_LIMIT_SHARE = 8,   /* an instance may lose that share of what a packet may */
    WORLD_PACKET_RISK = 4,          /* a frustum may lose a quarter of what others have gained */
    WORLD_PACKET_COST_TO_LOCAL = 80 /* of eight rays, in the units of packet/budget.inl */
};

typedef struct world_packet_entry {
    float near; /* depth along the top tree's frustum */
    uint32_t instance;
    uint64_t lines;
} world_packet_entry;

typedef struct world_packet {
    world_batch *r;
    size_t first;                                         /* the index of the first ray */
    double from[3][PACKET], dir[3][PACKET], tmin[PACKET]; /* in the world */
    packet_rays rays;                          /* in the present space; t counts from base_t */
    double base_t[PACKET], most[PACKET];       /* no hit beyond most matters */
    float best[PACKET];                        /* nor one whose t, rounded, is more */
    float moved[PACKET], slack[PACKET];        /* of frusta, of each ray */
    double top_base_t[PACKET], top_base_least; /* base_t in the top tree, and the least of them */
    uint64_t lost;                             /* rays that start anew */
    uint64_t apart;                            /* rays that are not answered in the present space */
    uint32_t abandoned;
    uint64_t spent, saved;
    world_packet_entry entry[WORLD_PACKET_ENTRIES]; /* instances that wait, the nearest last */
    world_packet_entry left[WORLD_PACKET_ENTRIES];  /* and those that rays have not been to */
    uint32_t entries, lefts;
    bool full;         /* there were more */
    int32_t limit;     /* what it may lose */
    uint32_t instance; /* the present one */
    uint32_t pairs;    /* of a ray and a triangle that are still to be decided */
    uint8_t pair_ray[8];
    uint32_t pair_slot[8];             /* line * SLI_PACK + lane */
    sli_kernel_batch batch, top_batch; /* of the present tree and the top tree, for the frusta */
    sl_stats stats;                    /* their nodes and triangles */
    frustum_hits hits;
    frustum f, top; /* of an instance, and of the top tree, which has no hits */
} world_packet;

/* Transforms eight rays to the instance whose numbers were read; returns those within the range of
 * the filters. */
static SLI_FORCE_INLINE uint32_t world_packet_to_local8(world_packet *s, to_local8 *rays, int at)
{
    to_local8_lines lines;
    for (int axis = 0; axis < 3; axis++) {
        rays->origin[axis] = d8_doubles(s->from[axis] + at);
        rays->dir[axis] = d8_doubles(s->dir[axis] + at);
    }
    rays->tmin = d8_doubles(s->tmin + at);
    rays->most = d8_doubles(s->most + at);
    to_local8_lines_of(rays, &lines);
    f8 base[3], rest[3], dir[3];
    const f8 rounded = to_local8_round(&lines, base, rest);
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = d8_to_f8(lines.dir[axis]);
        f8_store(s->rays.from[axis] + at, base[axis]);
        f8_store(s->rays.dir[axis] + at, dir[axis]);
    }
    const f8 end = d8_to_f8(to_local8_bound(rays, &lines, f8_splat(1)));
    f8_store(s->rays.limits[0] + at, to_local8_tmin(&lines, f8_splat(1)));
    f8_store(s->rays.limits[1] + at,
             f8_add(end, f8_muladd(f8_abs(end), f8_splat(4 * WALK_U), f8_splat(0x1p-100f))));
    d8_store(s->base_t + at, lines.base_t);
    const f8 longest = ray8_largest3(dir);
    const f8 extent = d8_to_f8(d8_add(lines.from_mid, to_local8_number(rays, TO_LOCAL8_RADIUS)));
    /* Twice what is allowed for slopes up to 1; and the rounded direction. */
    const f8 moved = f8_muladd(extent, f8_splat(8 * WALK_U), f8_add(rounded, rounded));
    const f8 tiny = f8_splat(0x1p-100f);
    f8_store(s->moved + at, f8_muladd(moved, f8_splat(0x1p-18f), f8_add(moved, tiny)));
    const f8 size = d8_to_f8(d8_abs(lines.base_t));
    f8_store(s->slack + at, f8_muladd(size, f8_splat(0x1p-22f), f8_splat(RAY_T_SLACK)));
    const d8 lengths = tri8_norm1(rays->dir), most = d8_splat(TO_LOCAL8_SIZE_MAX);
    return f8_bits_le(f8_splat((float)TO_LOCAL8_DIR_MIN), longest) &
           f8_bits_le(longest, f8_splat((float)TO_LOCAL8_SIZE_MAX)) &
           f8_bits_le(moved, f8_splat(WALK_MOST / 2)) & d8_bits_gt(most, lines.sizes) &
           d8_bits_gt(most, lengths) & d8_bits_gt(lengths, d8_splat(TO_LOCAL8_DIR_MIN));
}

/* Transforms the eights that have any of these rays; returns those that are in range and do not end
 * before the instance; those out of range are set apart. */
static uint64_t world_packet_to_local(world_packet *s, const sli_transformed *transformed,
                                      uint64_t rays)
{
    uint64_t there = 0, begun = 0;
    to_local8 read;
    const bool top = transformed == &s->r->top, unmoved = s->r->batch->unmoved && !top;
    to_local8_read_one(&read, transformed, unmoved || top, unmoved);
    for (int at = 0; at < PACKET; at += 8) {
        if ((rays >> at & 0xFF) != 0) {
            there |= (uint64_t)world_packet_to_local8(s, &read, at) << at;
            begun |= (uint64_t)f8_bits_le(f8_splat(0), f8_load(s->rays.limits[1] + at)) << at;
            s->spent += WORLD_PACKET_COST_TO_LOCAL;
        } else { /* to be read, and without effect */
            for (int axis = 0; axis < 3; axis++) {
                f8_store(s->rays.from[axis] + at, f8_splat(0));
                f8_store(s->rays.dir[axis] + at, f8_splat(1));
            }
            f8_store(s->rays.limits[0] + at, f8_splat(0));
            f8_store(s->rays.limits[1] + at, f8_splat(0));
        }
    }
    s->apart |= rays & ~there;
    return rays & there & begun;
}

/* The rays of the first one's octant. */
static uint64_t world_packet_octant(const world_packet *s, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    uint64_t same = rays;
    for (int axis = 0; axis < 3; axis++) {
        uint64_t negative = 0;
        for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
            const f16 dir = f16_load(s->rays.dir[axis] + ray);
            negative |= (uint64_t)(0xFFFF & ~f16_bits_le(f16_splat(0), dir)) << ray;
        }
        same &= (negative >> one & 1) != 0 ? negative : ~negative;
    }
    return same;
}

/* The largest number of a row, of these rays. */
static float world_packet_most(const float row[PACKET], uint64_t rays)
{
    f16 most = f16_splat(0);
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        most = f16_max(f16_where(rays >> ray & 0xFFFF, f16_load(row + ray), f16_splat(0)), most);
    }
    return f16_most(most);
}

/* The least number of a row, of these rays. */
static double world_packet_least(const double row[PACKET], uint64_t rays)
{
    double least = INFINITY;
    for (uint64_t left = rays; left != 0; left &= left - 1) {
        const double at = row[__builtin_ctzll(left)];
        least = at < least ? at : least;
    }
    return least;
}
