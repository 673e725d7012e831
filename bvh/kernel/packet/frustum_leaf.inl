/* The frusta of packet/frustum.inl at a leaf, in floats: its four triangles against the four
 * groups, then the groups' lines against the triangles that are left, which rays hold
 * (packet/frustum_held.inl) or which are listed for doubles (packet/frustum_decide.inl).  Where few
 * lines come: packet/frustum_few.inl. */
#pragma once

#include "bvh/kernel/packet/frustum_few.inl"

_Static_assert(FRUSTUM_GROUPS == 4 && SLI_PACK == 4, "four groups and triangles are sixteen bits");

/* What the test of four triangles against four groups tells; bit 4 group + lane. */
typedef struct frustum_candidates {
    uint32_t left;        /* not surely missed */
    uint32_t front, back; /* all rays of the group are surely inside the sides, and hit that face */
} frustum_candidates;

/* The triangles that lie beyond one of the four side planes of a group's frustum. */
static uint32_t frustum_outside(const frustum *p, const frustum_pack *tris)
{
    const f16 error = f16_splat(p->box_error), zero = f16_splat(0);
    uint32_t beside = 0;
    for (int i = 0; i < 2; i++) {
        f16 least = f16_splat(INFINITY), most = f16_splat(-INFINITY);
        const f16 low = f16_load(p->slopes[0][i]), high = f16_load(p->slopes[1][i]);
        for (int at = 0; at < 12; at += SLI_PACK) {
            const f16 x = f16_fours(tris->corner[i] + at), z = f16_fours(tris->corner[2] + at);
            least = f16_min(f16_nmuladd(high, z, x), least);
            most = f16_max(f16_nmuladd(low, z, x), most);
        }
        if (p->apart) {
            least = f16_sub(least, f16_load(p->deltas[1][i]));
            most = f16_sub(most, f16_load(p->deltas[0][i]));
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
    for (int i = 0; i < 2 && p->apart; i++) {
        const f16 n = f16_fours(tris->plane_normal[i]);
        const float *middle = p->parallel ? p->middle[i] : p->middle_delta[i];
        const float *extent = p->parallel ? p->extent[i] : p->extent_delta[i];
        volume = f16_nmuladd(n, f16_load(middle), volume);
        error = f16_muladd(f16_abs(n), f16_load(extent), error);
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

/* Answers the rays of a group, of an any-hit query, that surely hit a triangle after tmin and no
 * deeper than `to`, where that depth is before tmax, too; returns those. */
static inline uint32_t frustum_answer(frustum *p, int ray, uint32_t sure, uint32_t slot, f16 to)
{
    const uint32_t hit = sure & f16_bits_le(to, f16_load(p->hits->before + ray));
    const f16 bound = f16_load(p->bound + ray), held = f16_load(p->hits->held_slot + ray);
    f16_store(p->bound + ray, f16_where(hit, f16_splat(-INFINITY), bound));
    f16_store(p->hits->held_slot + ray, f16_where(hit, f16_splat(bits_to_float(slot)), held));
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
    const frustum_lanes all = {
        { f16_load(p->place[0] + ray), f16_load(p->place[1] + ray) }, NULL, lane, ray
    };
    uint32_t left = lines;
    p->spent += FRUSTUM_COST_TRIANGLE;
    if ((front | back) == 0) {
        left &= frustum_test_rays(p, tris, &all, &front, &back);
        if (left == 0) {
            return;
        }
    }
    f16 from = f16_splat(low), to = f16_splat(high);
    if (!(high - low <= low * FRUSTUM_FLAT_MAX)) {
        frustum_plane_depths(p, tris, &all, &from, &to);
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
    frustum_item *item = &p->hits->list[p->listed++];
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
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(p->batch->tree, ref, &unpacked);
    const uint32_t used = f4_bits_ne(pack->prim, SL_NONE), groups = frustum_groups_with(lines);
    if (__builtin_popcountll(lines) <= p->few && !p->any) {
        frustum_leaf_few(p, pack, (ref & SLI_REF_LINE) * SLI_PACK, lines, used);
        return;
    }
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
}
