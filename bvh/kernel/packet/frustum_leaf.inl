/* The frusta of packet/frustum.inl at a leaf, in floats: its four triangles against the four
 * groups, then the groups' lines against the triangles that are left, which rays hold
 * (packet/frustum_held.inl) or which are listed for doubles (packet/frustum_decide.inl). */
#pragma once

#include "bvh/kernel/packet/frustum_held.inl"

_Static_assert(FRUSTUM_GROUPS == 4 && SLI_PACK == 4, "four groups and triangles are sixteen bits");

/* What all rays share of the four triangles of a block, relative to c.  Rows of four lanes, one for
 * each corner P and the side e that begins there; z is multiplied by the sign of the directions. */
typedef struct frustum_pack {
    float side_normal[3][12]; /* P x e */
    float side_error[12];
    float plane_normal[3][12]; /* the triangle's normal, once for each corner */
    float det_error[12];
    float volume[12], volume_error[12];
    float corner[3][12]; /* P */
    float side[3][12];   /* e, x and y times the sign instead of z; only where spread */
} frustum_pack;

static void frustum_cross(const f12 a[3], const f12 b[3], f12 out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = f12_nmuladd(a[k], b[j], f12_mul(a[j], b[k]));
    }
}

static f12 frustum_norm1x12(const f12 a[3])
{
    return f12_add(f12_add(f12_abs(a[0]), f12_abs(a[1])), f12_abs(a[2]));
}

/* Computes these for the triangles of a block. */
static void frustum_make_pack(const frustum *p, const sli_tri_pack *pack, frustum_pack *out)
{
    f12 corner[3], side[3], next[3], side_normal[3], plane_normal[3];
    for (int i = 0; i < 3; i++) {
        const f12 at = f12_load(pack->axis[p->axis[i]].vertex[0]);
        corner[i] = f12_sub(at, f12_splat(p->apex[i]));
        side[i] = f12_sub(f12_turn(at), at);
        next[i] = f12_turn(side[i]);
    }
    frustum_cross(corner, side, side_normal);
    frustum_cross(side, next, plane_normal);
    const f12 tiny = f12_splat(FRUSTUM_TINY), miss = f12_splat(p->miss);
    const f12 of_corner = f12_add(frustum_norm1x12(corner), f12_splat(p->away));
    const f12 of_side = frustum_norm1x12(side);
    const f12 of_normal = f12_mul(of_side, f12_turn(of_side));
    const f12 off =
        f12_muladd(of_corner, f12_splat(FRUSTUM_SIDE_ERROR), f12_mul(miss, f12_splat(5)));
    f12_store(out->side_error, f12_muladd(of_side, off, tiny));
    f12_store(out->det_error, f12_muladd(of_normal, f12_splat(FRUSTUM_DET_ERROR), tiny));
    f12 volume = f12_mul(corner[0], plane_normal[0]);
    volume = f12_muladd(corner[1], plane_normal[1], volume);
    volume = f12_muladd(corner[2], plane_normal[2], volume);
    const f12 volume_off =
        f12_muladd(of_corner, f12_splat(FRUSTUM_VOLUME_ERROR), f12_mul(miss, f12_splat(3)));
    const f12 volume_error = f12_muladd(of_normal, volume_off, tiny);
    f12_store(out->volume, volume);
    f12_store(out->volume_error, volume_error);
    const f12 sign = f12_splat(p->sign);
    side_normal[2] = f12_mul(side_normal[2], sign);
    plane_normal[2] = f12_mul(plane_normal[2], sign);
    corner[2] = f12_mul(corner[2], sign);
    if (p->spread) {
        f12_store(out->side[0], f12_mul(side[0], sign));
        f12_store(out->side[1], f12_mul(side[1], sign));
        f12_store(out->side[2], side[2]);
    }
    for (int i = 0; i < 3; i++) {
        f12_store(out->corner[i], corner[i]);
        f12_store(out->side_normal[i], side_normal[i]);
        f12_store(out->plane_normal[i], plane_normal[i]);
    }
}

/* What the test of four triangles against four groups tells; bit 4 group + lane. */
typedef struct frustum_candidates {
    uint32_t left;        /* not surely missed */
    uint32_t front, back; /* all rays of the group are surely inside the sides, and hit that face */
} frustum_candidates;

/* The lowest and highest depth of each triangle's corners, moved outward by their rounding, and by
 * how far lines may be off. */
static void frustum_depths(const frustum *p, const frustum_pack *tris, float low[4], float high[4])
{
    const float *depth = tris->corner[2];
    const f4 a = f4_load(depth), b = f4_load(depth + 4), c = f4_load(depth + 8);
    const f4 least = f4_min(f4_min(a, b), c), most = f4_max(f4_max(a, b), c);
    const f4 slack = f4_splat(4 * WALK_U), tiny = f4_splat(RAY_T_TINY + p->moved);
    f4_store(low, f4_sub(f4_sub(least, f4_mul(f4_abs(least), slack)), tiny));
    f4_store(high, f4_add(f4_add(most, f4_mul(f4_abs(most), slack)), tiny));
}

/* The triangles that lie beyond one of the four side planes of a group's frustum. */
static uint32_t frustum_outside(const frustum *p, const frustum_pack *tris)
{
    const f16 error = f16_splat(p->box_error), zero = f16_splat(0);
    uint32_t beside = 0;
    for (int i = 0; i < 2; i++) {
        f16 least = f16_splat(INFINITY), most = f16_splat(-INFINITY);
        const f16 low = f16_load(p->slopes[i][0]), high = f16_load(p->slopes[i][1]);
        for (int at = 0; at < 12; at += SLI_PACK) {
            const f16 x = f16_fours(tris->corner[i] + at), z = f16_fours(tris->corner[2] + at);
            least = f16_min(f16_nmuladd(high, z, x), least);
            most = f16_max(f16_nmuladd(low, z, x), most);
        }
        if (p->spread) {
            least = f16_sub(least, f16_load(p->deltas[i][1]));
            most = f16_sub(most, f16_load(p->deltas[i][0]));
        }
        beside |= f16_bits_le(error, least) | f16_bits_le(f16_add(most, error), zero);
    }
    return beside;
}

/* Tests four triangles against four groups.  The weights of a hit have the sign of the volume,
 * because depths are positive; on the back they are above 0. */
static frustum_candidates frustum_test_groups(const frustum *p, const frustum_pack *tris,
                                              const float *low)
{
    const f16 zero = f16_splat(0);
    uint32_t above = 0, below = 0, all_above = 0xFFFF, all_below = 0xFFFF;
    for (int side = 0; side < 3; side++) {
        const f16 x = f16_fours(tris->side_normal[0] + 4 * side);
        const f16 y = f16_fours(tris->side_normal[1] + 4 * side);
        f16 middle =
            f16_muladd(x, f16_load(p->middle[0]), f16_fours(tris->side_normal[2] + 4 * side));
        middle = f16_muladd(y, f16_load(p->middle[1]), middle);
        f16 margin =
            f16_muladd(f16_abs(x), f16_load(p->extent[0]), f16_fours(tris->side_error + 4 * side));
        margin = f16_muladd(f16_abs(y), f16_load(p->extent[1]), margin);
        if (p->spread) {
            const f16 ex = f16_fours(tris->side[0] + 4 * side);
            const f16 ey = f16_fours(tris->side[1] + 4 * side);
            const f16 ez = f16_fours(tris->side[2] + 4 * side);
            middle = f16_muladd(ex, f16_load(p->middle_delta[1]), middle);
            middle = f16_nmuladd(ey, f16_load(p->middle_delta[0]), middle);
            middle = f16_nmuladd(ez, f16_load(p->middle_delta[2]), middle);
            margin = f16_muladd(f16_abs(ex), f16_load(p->extent_delta[1]), margin);
            margin = f16_muladd(f16_abs(ey), f16_load(p->extent_delta[0]), margin);
            margin = f16_muladd(f16_abs(ez), f16_load(p->extent_delta[2]), margin);
        }
        const uint32_t positive = f16_bits_le(margin, middle);
        const uint32_t negative = f16_bits_le(f16_add(margin, middle), zero);
        above |= positive;
        below |= negative;
        all_above &= positive;
        all_below &= negative;
    }
    f16 volume = f16_fours(tris->volume), error = f16_fours(tris->volume_error);
    for (int i = 0; i < 2 && p->spread; i++) {
        const f16 n = f16_fours(tris->plane_normal[i]);
        volume = f16_nmuladd(n, f16_load(p->middle_delta[i]), volume);
        error = f16_muladd(f16_abs(n), f16_load(p->extent_delta[i]), error);
    }
    const uint32_t back = f16_bits_le(error, volume);
    const uint32_t front = f16_bits_le(f16_add(error, volume), zero);
    const uint32_t missed = (above & below) | (above & front) | (below & back);
    const float *bound = p->most_bound;
    const f16 bounds = f16_pair(f8_pair(f4_splat(bound[0]), f4_splat(bound[1])),
                                f8_pair(f4_splat(bound[2]), f4_splat(bound[3])));
    const uint32_t near = f16_bits_le(f16_fours(low), bounds);
    return (frustum_candidates){ .left = near & ~missed & ~frustum_outside(p, tris),
                                 .front = all_below,
                                 .back = all_above };
}

/* The rays of a group that are not surely outside a triangle; front and back become those that are
 * surely inside, by face. */
static uint32_t frustum_test_rays(const frustum *p, const frustum_pack *tris, int lane, int ray,
                                  uint32_t *front, uint32_t *back)
{
    const f16 zero = f16_splat(0), x = f16_load(p->slope[0] + ray), y = f16_load(p->slope[1] + ray);
    uint32_t above = 0, below = 0, all_above = 0xFFFF, all_below = 0xFFFF;
    for (int at = lane; at < 12; at += SLI_PACK) {
        f16 side =
            f16_muladd(f16_splat(tris->side_normal[0][at]), x, f16_splat(tris->side_normal[2][at]));
        side = f16_muladd(f16_splat(tris->side_normal[1][at]), y, side);
        if (p->spread) {
            side = f16_muladd(f16_splat(tris->side[0][at]), f16_load(p->delta[1] + ray), side);
            side = f16_nmuladd(f16_splat(tris->side[1][at]), f16_load(p->delta[0] + ray), side);
            side = f16_nmuladd(f16_splat(tris->side[2][at]), f16_load(p->moment + ray), side);
        }
        const f16 error = f16_splat(tris->side_error[at]);
        const uint32_t positive = f16_bits_le(error, side);
        const uint32_t negative = f16_bits_le(f16_add(error, side), zero);
        above |= positive;
        below |= negative;
        all_above &= positive;
        all_below &= negative;
    }
    *front = all_below;
    *back = all_above;
    return ~(above & below);
}

/* Narrows from .. to to the depths at which rays meet the plane of a triangle, where that is more
 * precise than its corners: volume over determinant, each with its error. */
static void frustum_plane_depths(const frustum *p, const frustum_pack *tris, int lane, int ray,
                                 f16 *from, f16 *to)
{
    const f16 x = f16_load(p->slope[0] + ray), y = f16_load(p->slope[1] + ray);
    f16 det = f16_muladd(f16_splat(tris->plane_normal[0][lane]), x,
                         f16_splat(tris->plane_normal[2][lane]));
    det = f16_muladd(f16_splat(tris->plane_normal[1][lane]), y, det);
    const f16 error = f16_splat(tris->det_error[lane]);
    const f16 inverse = f16_div(f16_splat(1), det);
    f16 volume = f16_splat(tris->volume[lane]);
    for (int i = 0; i < 2 && p->spread; i++) {
        volume = f16_nmuladd(f16_splat(tris->plane_normal[i][lane]), f16_load(p->delta[i] + ray),
                             volume);
    }
    const f16 depth = f16_mul(volume, inverse), size = f16_abs(depth);
    const f16 off =
        f16_mul(f16_muladd(size, error, f16_splat(tris->volume_error[lane])), f16_abs(inverse));
    const f16 beside = f16_muladd(size, f16_splat(8 * WALK_U), f16_splat(p->moved));
    const f16 margin = f16_muladd(off, f16_splat(1.25f), beside);
    const uint32_t steady = f16_bits_le(f16_mul(error, f16_splat(16)), f16_abs(det));
    *from = f16_where(steady, f16_max(f16_sub(depth, margin), *from), *from);
    *to = f16_where(steady, f16_min(f16_add(depth, margin), *to), *to);
}

/* Answers the rays of a group, of an any-hit query, that surely hit a triangle after tmin and no
 * deeper than `to`, where that depth is before tmax, too; returns those. */
static inline uint32_t frustum_answer(frustum *p, int ray, uint32_t sure, uint32_t slot, f16 to)
{
    const uint32_t hit = sure & f16_bits_le(to, f16_load(p->before + ray));
    const f16 bound = f16_load(p->bound + ray), held = f16_load(p->held_slot + ray);
    f16_store(p->bound + ray, f16_where(hit, f16_splat(-INFINITY), bound));
    f16_store(p->held_slot + ray, f16_where(hit, f16_splat(bits_to_float(slot)), held));
    p->found |= (uint64_t)hit << ray;
    p->stale |= 1u << ray / PACKET_LANES;
    return hit;
}

/* Tests a triangle against the rays of a group, and lists it with those that may hit it. */
static void frustum_triangle(frustum *p, const frustum_pack *tris, int lane, uint32_t slot,
                             uint32_t group, uint32_t lines, uint32_t front, uint32_t back,
                             float low, float high)
{
    const int ray = (int)group * PACKET_LANES;
    uint32_t left = lines;
    p->spent += FRUSTUM_COST_TRIANGLE;
    if ((front | back) == 0) {
        left &= frustum_test_rays(p, tris, lane, ray, &front, &back);
        if (left == 0) {
            return;
        }
    }
    f16 from = f16_splat(low), to = f16_splat(high);
    if (!(high - low <= low * FRUSTUM_FLAT_MAX)) {
        frustum_plane_depths(p, tris, lane, ray, &from, &to);
    }
    const f16 bound = f16_load(p->bound + ray);
    left &= f16_bits_le(from, bound);
    if (left == 0) {
        return;
    }
    const uint32_t within = left & (front | back);
    const uint32_t sure = within & f16_bits_le(f16_load(p->after + ray), from);
    if (p->narrows && p->any) {
        left &= ~frustum_answer(p, ray, sure, slot, to);
        if (left == 0) {
            return;
        }
    } else if (p->narrows && sure != 0) {
        /* Widened as for any hit, so that whatever rounds to the same t is still found. */
        const f16 size = f16_load(p->rate + ray);
        const f16 most = f16_add(f16_muladd(to, f16_splat(0x1p-20f), to),
                                 f16_muladd(size, f16_splat(p->t_slack), f16_splat(RAY_T_TINY)));
        const f16 narrowed = f16_where(sure, f16_min(most, bound), bound);
        f16_store(p->bound + ray, narrowed);
        p->stale |= 1u << group;
        left &= ~frustum_hold(p, ray, sure, back, slot, from, narrowed);
        if (left == 0) {
            return;
        }
    }
    frustum_item *item = &p->list[p->listed++];
    f16_store(item->from, from);
    item->group = group;
    item->rays = left;
    item->sure = within;
    item->back = back;
    item->slot = slot;
}

/* Tests the triangles of a leaf against the lines that came to it. */
static void frustum_leaf(frustum *p, uint32_t ref, uint64_t lines)
{
    const uint32_t groups = frustum_groups_with(lines);
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(p->batch->tree, ref, &unpacked);
    const uint32_t used = f4_bits_ne(pack->prim, SL_NONE);
    /* Bit g of groups moves to 4 g, so that times a mask of lanes it is bits 4 group + lane. */
    const uint32_t spread =
        (groups & 1) | (groups & 2) << 3 | (groups & 4) << 6 | (groups & 8) << 9;
    frustum_pack tris;
    float low[SLI_PACK], high[SLI_PACK];
    frustum_make_pack(p, pack, &tris);
    frustum_depths(p, &tris, low, high);
    const frustum_candidates chance = frustum_test_groups(p, &tris, low);
    /* A triangle that is dismissed for a whole group counts as one. */
    p->stats->triangles += (uint32_t)__builtin_popcount(spread * used & ~chance.left) +
                           PACKET_LANES * (uint32_t)__builtin_popcount(spread * used & chance.left);
    p->saved +=
        PACKET_COST_TRIANGLE * (uint32_t)(__builtin_popcountll(lines) * __builtin_popcount(used));
    for (uint32_t left = chance.left & spread * used; left != 0; left &= left - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctz(left), lane = bit % SLI_PACK;
        frustum_triangle(p, &tris, (int)lane, (ref & SLI_REF_LINE) * SLI_PACK + lane,
                         bit / SLI_PACK,
                         (uint32_t)(lines >> (bit / SLI_PACK * PACKET_LANES)) & 0xFFFF,
                         (chance.front >> bit & 1) * 0xFFFF, (chance.back >> bit & 1) * 0xFFFF,
                         low[lane], high[lane]);
    }
    if (p->listed > FRUSTUM_LIST_MAX - SLI_PACK * FRUSTUM_GROUPS) {
        p->hooks.decide(p, p->hooks.context, false);
    }
}
