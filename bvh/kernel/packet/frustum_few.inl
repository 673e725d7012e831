/* The frusta of packet/frustum.inl at a leaf that few lines come to, at most a register of them, of
 * whatever groups: where triangles are small, most leaves.  The lines are moved together.  Boxes
 * around the slopes of the corners, or around where lines of one direction through these are, tell
 * which line may hit which triangle, and these pairs of a line and a triangle are tested sixteen at
 * a time (docs/notes/frustum.md, "Few lines"). */
#pragma once

#include "bvh/kernel/packet/frustum_held.inl"
#include "bvh/kernel/packet/frustum_pack.inl"

/* A triangle with a corner no deeper than this keeps all lines: its slopes might overflow
 * (docs/notes/frustum.md). */
#define FRUSTUM_DEPTH_MIN 0x1p-60f

_Static_assert(PACKET == PACKET_LANES * SLI_PACK, "a pair has the number of a bit of a word");

/* Lines of any groups.  The rows may have any lines behind them. */
typedef struct frustum_few {
    uint32_t line[PACKET_LANES];
    float place[2][PACKET_LANES], bound[PACKET_LANES];
    const sli_tri_pack *pack;
    uint32_t slot;      /* of the block's first triangle */
    bool planes;        /* of the block are computed */
    frustum_pack block; /* sides, and planes once they are needed */
    float low[SLI_PACK], high[SLI_PACK];
} frustum_few;

/* Where lines that may hit a triangle of a block have their places.  Returns the triangles with a
 * corner that is not well below c, of which that says nothing. */
static SLI_FORCE_INLINE uint32_t frustum_few_boxes(const frustum *p, const sli_tri_pack *pack,
                                                   bool parallel, float box[2][2][SLI_PACK])
{
    const f4 error = f4_splat(p->box_error);
    f4 depth[3], inverse[3];
    uint32_t shallow = 0;
    for (int corner = 0; corner < 3; corner++) {
        const f4 at = f4_load(pack->axis[p->axis[2]].vertex[corner]);
        depth[corner] = f4_mul(f4_sub(at, f4_splat(p->apex[2])), f4_splat(p->sign));
        if (!parallel) {
            shallow |= f4_bits_le(depth[corner], f4_splat(FRUSTUM_DEPTH_MIN));
            inverse[corner] = f4_div(f4_splat(1), depth[corner]);
        }
    }
    for (int i = 0; i < 2; i++) {
        f4 low = f4_splat(INFINITY), high = f4_splat(-INFINITY);
        for (int corner = 0; corner < 3; corner++) {
            const f4 at = f4_load(pack->axis[p->axis[i]].vertex[corner]);
            f4 away = f4_sub(at, f4_splat(p->apex[i]));
            if (parallel) {
                away = f4_nmuladd(f4_splat(p->slope[i][0]), depth[corner], away);
                low = f4_min(away, low);
                high = f4_max(away, high);
            } else {
                low = f4_min(f4_mul(f4_sub(away, error), inverse[corner]), low);
                high = f4_max(f4_mul(f4_add(away, error), inverse[corner]), high);
            }
        }
        f4_store(box[i][0], parallel ? f4_sub(low, error) : low);
        f4_store(box[i][1], parallel ? f4_add(high, error) : high);
    }
    return shallow;
}

/* The pairs that may meet, bit 16 triangle + line: both places of the line are within those of the
 * triangle's corners. */
static uint64_t frustum_few_pairs(const frustum *p, const sli_tri_pack *pack,
                                  const frustum_few *few, uint32_t live, uint32_t used)
{
    float box[2][2][SLI_PACK];
    const uint32_t shallow = p->parallel ? frustum_few_boxes(p, pack, true, box)
                                         : frustum_few_boxes(p, pack, false, box);
    const f16 x = f16_load(few->place[0]), y = f16_load(few->place[1]);
    uint64_t pairs = 0;
    for (int lane = 0; lane < SLI_PACK; lane++) {
        uint32_t met =
            f16_bits_le(f16_splat(box[0][0][lane]), x) & f16_bits_le(x, f16_splat(box[0][1][lane]));
        met &=
            f16_bits_le(f16_splat(box[1][0][lane]), y) & f16_bits_le(y, f16_splat(box[1][1][lane]));
        met |= (shallow >> lane & 1) * 0xFFFF;
        met &= live & (used >> lane & 1) * 0xFFFF;
        pairs |= (uint64_t)met << (PACKET_LANES * lane);
    }
    return pairs;
}

/* Narrows a ray's search to a triangle that it surely hits, as frustum_triangle does, and lets it
 * hold that.  False: what it holds is not surely behind it. */
static bool frustum_few_hold(frustum *p, uint32_t ray, uint32_t slot, bool back, float from,
                             float to)
{
    const float most = to + to * 0x1p-20f + (p->rate[ray] * p->t_slack + RAY_T_TINY);
    const uint64_t bit = 1ull << ray;
    p->bound[ray] = most < p->bound[ray] ? most : p->bound[ray];
    p->stale |= 1u << ray / PACKET_LANES;
    if ((p->held & bit) != 0 && p->hits->held_from[ray] <= p->bound[ray]) {
        return false;
    }
    p->hits->held_from[ray] = from;
    p->hits->held_slot[ray] = bits_to_float(slot);
    p->held |= bit;
    p->held_back = back ? p->held_back | bit : p->held_back & ~bit;
    return true;
}

/* Lists a ray with a triangle, in the last item where that is about both. */
static void frustum_few_list(frustum *p, uint32_t ray, uint32_t slot, bool sure, bool back,
                             float from)
{
    const uint32_t group = ray / PACKET_LANES, lane = ray % PACKET_LANES;
    frustum_item *item = &p->hits->list[p->listed];
    if (p->listed > 0 && item[-1].slot == slot && item[-1].group == group) {
        item--;
    } else {
        p->listed++;
        f16_store(item->from, f16_splat(from));
        item->group = group;
        item->rays = item->sure = item->back = 0;
        item->slot = slot;
    }
    item->from[lane] = from;
    item->rays |= 1u << lane;
    item->sure |= (uint32_t)sure << lane;
    item->back |= (uint32_t)back << lane;
}

/* Narrows the depths of pairs by planes.  Most triangles are flat enough without. */
static SLI_NOINLINE void frustum_few_depths(const frustum *p, frustum_few *few,
                                            const frustum_lanes *lanes, f16 *from, f16 *to)
{
    if (!few->planes) {
        const frustum_corners corners = frustum_read_pack(p, few->pack);
        frustum_make_planes(p, &corners, &few->block);
        few->planes = true;
    }
    frustum_plane_depths(p, &few->block, lanes, from, to);
}

/* Tests pairs, those of `live`; at: of each, 16 times its triangle and its line. */
static void frustum_few_test(frustum *p, frustum_few *few, const uint32_t *at, uint32_t live)
{
    const frustum_lanes lanes = {
        { f16_at16(few->place[0], at), f16_at16(few->place[1], at) }, at, 0, 0
    };
    uint32_t front, back;
    p->spent += FRUSTUM_COST_FEW;
    live &= frustum_test_rays(p, &few->block, &lanes, &front, &back);
    if (live == 0) {
        return;
    }
    f16 from = f16_at4(few->low, at), to = f16_at4(few->high, at);
    if ((live & ~f16_bits_le(f16_sub(to, from), f16_mul(from, f16_splat(FRUSTUM_FLAT_MAX)))) != 0) {
        frustum_few_depths(p, few, &lanes, &from, &to);
    }
    live &= f16_bits_le(from, f16_at16(few->bound, at));
    float froms[PACKET_LANES], tos[PACKET_LANES];
    f16_store(froms, from);
    f16_store(tos, to);
    for (; live != 0; live &= live - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(live);
        const uint32_t ray = few->line[at[i] % PACKET_LANES],
                       slot = few->slot + at[i] / PACKET_LANES;
        const bool sure = ((front | back) >> i & 1) != 0, on_back = (back >> i & 1) != 0;
        if (froms[i] > p->bound[ray]) {
            continue;
        }
        if (!(p->narrows && sure && p->after[ray] <= froms[i] &&
              frustum_few_hold(p, ray, slot, on_back, froms[i], tos[i]))) {
            frustum_few_list(p, ray, slot, sure, on_back, froms[i]);
        }
    }
}

/* Tests the triangles of a block against the few lines that came to it. */
static SLI_NOINLINE void frustum_leaf_few(frustum *p, const sli_tri_pack *pack, uint32_t slot,
                                          uint64_t lines, uint32_t used)
{
    static const uint32_t numbers[PACKET] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
    };
    const uint32_t count = (uint32_t)__builtin_popcountll(lines);
    frustum_few few;
    few.pack = pack;
    few.slot = slot;
    few.planes = false;
    simd_positions(few.line, lines);
    f16_store(few.place[0], f16_at(p->place[0], few.line));
    f16_store(few.place[1], f16_at(p->place[1], few.line));
    const uint64_t pairs = frustum_few_pairs(p, pack, &few, (1u << count) - 1, used);
    const uint32_t tests = (uint32_t)__builtin_popcountll(pairs);
    p->stats->triangles += tests;
    p->saved += PACKET_COST_TRIANGLE * count * (uint32_t)__builtin_popcount(used);
    if (pairs == 0) {
        return;
    }
    if (p->parallel) {
        frustum_make_sides_parallel(p, pack, &few.block);
    } else {
        const frustum_corners corners = frustum_read_pack(p, pack);
        frustum_make_sides(p, &corners, &few.block);
    }
    frustum_depths(p, &few.block, few.low, few.high);
    f16_store(few.bound, f16_at(p->bound, few.line));
    if (tests <= PACKET_LANES) {
        uint32_t at[PACKET_LANES];
        simd_positions(at, pairs);
        frustum_few_test(p, &few, at, (1u << tests) - 1);
        return;
    }
    for (int first = 0; first < PACKET; first += PACKET_LANES) {
        const uint32_t live = (uint32_t)(pairs >> first) & 0xFFFF;
        if (live != 0) {
            frustum_few_test(p, &few, numbers + first, live);
        }
    }
}
