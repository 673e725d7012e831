/* The general packet (packet/packet.inl): coherent rays of any kind, and how they are prepared. */
#ifndef SLI_KERNEL_PACKET_SETUP_INL
#define SLI_KERNEL_PACKET_SETUP_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <math.h>
#include <string.h>

/* Costs in the units of packet/budget.inl. */
enum {
    PACKET_COST_START = 500,
    PACKET_COST_BEAM = 40,
    PACKET_COST_CHILD = 3, /* against the rays of a group */
    PACKET_COST_LEAF = 20,
    PACKET_COST_TRI16 = 28,
    PACKET_COST_EIGHT = 90 /* in doubles */
};

typedef struct packet_item {
    float from[PACKET_LANES]; /* t' is not less */
    uint32_t group, rays;     /* of it */
    uint32_t place;           /* line * SLI_PACK + lane */
} packet_item;

typedef struct packet {
    float inverse[3][PACKET], near_base[3][PACKET], far_base[3][PACKET];
    float tmin[PACKET], bound[PACKET], after[PACKET]; /* after: surely beyond tmin */
    float origin[3][PACKET], shear[2][PACKET];        /* along the axes of pack[] */
    float by_z[PACKET];                               /* inverse along the last of them */
    float edge_error[PACKET], scale[PACKET];
    packet_rays *as;
    float best[PACKET];
    float least_tmin;
    /* The beam: on each axis its bases from where it is nearest to a near or far plane, and its
     * inverses. */
    float beam_near[3], beam_far[3], inverse_min[3], inverse_max[3];
    /* Where near sides begin in a node, and the sheared axes in a pack, in bytes; the far sides of
     * an axis are 32 bytes before or behind. */
    uint32_t near_side[3], pack[3];
    uint32_t shift; /* in the words of a node's order */
    size_t first;   /* ray */
    bool narrows;   /* a sure hit counts: no option says otherwise */
    uint32_t spent; /* so far, in the units of packet/budget.inl */
    uint32_t top, listed;
    float most_bound;
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK]; /* where the beam enters, at the earliest */
    uint64_t rays[SLI_STACK];
    packet_item list[PACKET_LIST_MAX];
} packet;

static void store_row(float to[PACKET], const ray8_rows rows[PACKET_EIGHTS], int row, uint64_t rays)
{
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        f8_store(to + 8 * i, rows[i].row[row]);
    }
    fill_out(to, rays);
}

static bool packet_is_narrow(const packet *p, const sl_bvh *tree)
{
    float size = 0;
    for (int axis = 0; axis < 3; axis++) {
        const float side = tree->bounds.max[axis] - tree->bounds.min[axis];
        size = side > size ? side : size;
    }
    bool narrow = true;
    for (int i = 0; i < 3; i++) {
        narrow = narrow && most_of(p->origin[i]) - least_of(p->origin[i]) <= PACKET_SPREAD * size;
    }
    for (int i = 0; i < 2; i++) {
        narrow = narrow && most_of(p->shear[i]) - least_of(p->shear[i]) <= PACKET_SPREAD;
    }
    return narrow;
}

/* The beam's interval on an axis: with a plane at x and inverses of one sign, (x - base) / d is
 * least for the base that is farthest along, and at one end of the inverses.  Rounding keeps that
 * order, so that no ray enters a box before the beam does, as computed. */
static void make_beam(packet *p, const uint32_t negative[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const bool back = negative[axis] != 0;
        p->beam_near[axis] = back ? least_of(p->near_base[axis]) : most_of(p->near_base[axis]);
        p->beam_far[axis] = back ? most_of(p->far_base[axis]) : least_of(p->far_base[axis]);
        p->inverse_min[axis] = least_of(p->inverse[axis]);
        p->inverse_max[axis] = most_of(p->inverse[axis]);
    }
}

/* Of these rays, those that the float filters hold for, counted from their origin, and of the most
 * common largest axis. */
static uint64_t packet_prepare(const sl_bvh *tree, const sl_ray *from, uint64_t rays,
                               ray8_rows rows[PACKET_EIGHTS])
{
    uint64_t in_range = 0, largest[2] = { 0 };
    for (int i = 0; i < PACKET_EIGHTS; i++) {
        ray8_input in;
        (void)ray8_read_rays(from + 8 * i, &in);
        const uint32_t here = ray8_prepare(tree, &in, &rows[i]);
        in_range |= (uint64_t)(here & ~rows[i].moved) << (8 * i);
        largest[0] |= (uint64_t)rows[i].largest[0] << (8 * i);
        largest[1] |= (uint64_t)rows[i].largest[1] << (8 * i);
    }
    return rays & in_range & majority(largest[0]) & majority(largest[1]);
}

static void packet_rows(packet *p, const ray8_rows rows[PACKET_EIGHTS], uint64_t rays)
{
    for (int axis = 0; axis < 3; axis++) {
        store_row(p->inverse[axis], rows, RAY_INVERSE + axis, rays);
        store_row(p->near_base[axis], rows, RAY_NEAR_BASE + axis, rays);
        store_row(p->far_base[axis], rows, RAY_FAR_BASE + axis, rays);
        store_row(p->origin[axis], rows, RAY_ORIGIN + axis, rays);
    }
    store_row(p->tmin, rows, RAY_TMIN, rays);
    store_row(p->bound, rows, RAY_BOUND, rays);
    store_row(p->edge_error, rows, RAY_EDGE_ERROR, rays);
    store_row(p->scale, rows, RAY_SCALE, rays);
    store_row(p->shear[0], rows, RAY_SHEAR, rays);
    store_row(p->shear[1], rows, RAY_SHEAR + 1, rays);
}

/* Which of the rays take part; 0: all go alone.  A function of its own, so that the rows are off
 * the stack when the packet goes down the tree. */
static SLI_NOINLINE uint64_t make_packet(packet *p, const sli_kernel_batch *batch, size_t first,
                                         uint64_t rays)
{
    const sl_bvh *tree = batch->tree;
    ray8_rows rows[PACKET_EIGHTS];
    rays = packet_prepare(tree, batch->rays + first, rays, rows);
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    packet_rows(p, rows, rays);
    if (!packet_is_narrow(p, tree)) {
        return 0;
    }
    const uint32_t one = (uint32_t)__builtin_ctzll(rays), lane = one % 8;
    const ray8_rows *of = &rows[one / 8];
    const uint32_t z = (of->largest[0] >> lane & 1) != 0   ? 0
                       : (of->largest[1] >> lane & 1) != 0 ? 1
                                                           : 2;
    uint32_t negative[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        negative[axis] = of->negative[axis] >> lane & 1;
        p->near_side[axis] = NODE_AXIS * axis + NODE_SIDE * negative[axis];
    }
    const uint32_t octant = negative[0] | negative[1] << 1 | negative[2] << 2;
    memcpy(p->by_z, p->inverse[z], sizeof p->by_z);
    for (uint32_t i = 0; i < 3; i++) {
        p->pack[i] = PACK_AXIS * ((z + 1 + i) % 3);
    }
    p->shift = 3 * octant;
    for (int i = 0; i < PACKET; i += PACKET_LANES) {
        const f16 tmin = f16_load(p->tmin + i);
        f16_store(p->after + i, f16_add(f16_muladd(f16_abs(tmin), f16_splat(0x1p-20f), tmin),
                                        f16_splat(4 * RAY_T_TINY)));
        f16_store(p->best + i, f16_splat(INFINITY));
    }
    make_beam(p, negative);
    p->least_tmin = least_of(p->tmin);
    p->most_bound = most_of(p->bound);
    p->first = first;
    p->narrows = batch->query->cull == SL_CULL_NONE &&
                 (batch->query->flags & (SL_USE_MASK | SL_USE_SKIP)) == 0;
    p->spent = PACKET_COST_START;
    p->listed = 0;
    p->ref[0] = tree->root;
    p->rays[0] = rays;
    p->near[0] = -INFINITY;
    p->top = 1;
    return rays;
}

#endif
