/* The frusta of packet/frustum.inl at a node: four boxes of lines against eight children, and
 * single lines against children that are hardly wider than a box of lines. */
#pragma once

#include "bvh/kernel/packet/frustum_groups.inl"

/* One side of eight boxes relative to c, moved by an error, in both halves of a register. */
static f16 frustum_plane(const frustum *p, const char *node, uint32_t side, int i, float error)
{
    const f8 away = f8_sub(node_side(node, side), f8_splat(p->apex[i]));
    const f8 moved = f8_add(away, f8_splat(error));
    return f16_pair(moved, moved);
}

/* The groups, as bits, that meet a child: met has a byte per group with a bit per child.  The
 * product moves bit 0 of byte g to bit 24 + g. */
static uint32_t frustum_groups_of(uint32_t met, uint32_t child)
{
    return ((met >> child & 0x01010101u) * 0x01020408u) >> 24 & 0xF;
}

/* All lines of some groups. */
static inline uint64_t frustum_all_of(uint32_t groups)
{
    return (groups & 1) * 0xFFFFull | (groups >> 1 & 1) * 0xFFFF0000ull |
           (groups >> 2 & 1) * 0xFFFF00000000ull | (groups >> 3 & 1) * 0xFFFF000000000000ull;
}

/* Planes of a node's boxes relative to c, moved outward by an error; along z as depths. */
typedef struct frustum_planes {
    float near[3][SLI_WIDTH], far[3][SLI_WIDTH];
} frustum_planes;

/* The lines of these groups that meet a child. */
static inline uint64_t frustum_lines_at(const frustum *p, const frustum_planes *planes,
                                        uint32_t child, uint32_t groups)
{
    uint64_t met = 0;
    const f16 near = f16_splat(planes->near[2][child]), far = f16_splat(planes->far[2][child]);
    for (uint32_t left = groups; left != 0; left &= left - 1) {
        const uint32_t ray = (uint32_t)__builtin_ctz(left) * PACKET_LANES;
        f16 from = near, to = f16_min(far, f16_load(p->bound + ray));
        for (int i = 0; i < 2; i++) {
            const f16 by = f16_load(p->inverse[i] + ray), offset = f16_load(p->offset[i] + ray);
            from = f16_max(f16_muladd(f16_splat(planes->near[i][child]), by, offset), from);
            to = f16_min(f16_muladd(f16_splat(planes->far[i][child]), by, offset), to);
        }
        met |= (uint64_t)f16_bits_le(from, to) << ray;
    }
    return met;
}

/* The children hardly wider than a group of lines, which are worth testing line by line. */
static inline uint32_t frustum_narrow(const frustum *p, const f16 near[3], const f16 far[3],
                                      frustum_planes *planes)
{
    uint32_t narrow = 0;
    const f8 depth = f16_low(near[2]);
    for (int i = 0; i < 3; i++) {
        const f8 low = f16_low(near[i]), high = f16_low(far[i]);
        f8_store(planes->near[i], low);
        f8_store(planes->far[i], high);
        if (i < 2) {
            narrow |=
                f8_bits_le(f8_abs(f8_sub(high, low)),
                           f8_muladd(depth, f8_splat(p->width[i][0]), f8_splat(p->width[i][1])));
        }
    }
    return narrow;
}

/* Pushes the children that lines meet, each with those lines, the farthest first, and prefetches
 * them.  left_in: the children that the query's mask leaves in. */
static void frustum_node(frustum *p, const sli_node_wide *node, uint64_t lines, uint32_t left_in)
{
    static const uint32_t numbers[SLI_WIDTH] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const char *at = (const char *)node, *lines_of_tree = (const char *)p->batch->tree->lines;
    f16 near[3], far[3];
    for (int i = 0; i < 3; i++) {
        const uint32_t side = p->near_side[p->axis[i]];
        const float outward = side % NODE_AXIS != 0 ? p->box_error : -p->box_error;
        near[i] = frustum_plane(p, at, side, i, outward);
        far[i] = frustum_plane(p, at, side ^ NODE_SIDE, i, -outward);
    }
    const f16 sign = f16_splat(p->sign);
    near[2] = f16_max(f16_mul(near[2], sign), f16_splat(p->least));
    far[2] = f16_mul(far[2], sign);
    uint32_t met = 0;
    f8 first = f8_splat(INFINITY), last = f8_splat(-INFINITY);
    for (int pair = 0; pair < FRUSTUM_PAIRS; pair++) {
        const frustum_steps *b = &p->steps[pair];
        const float *bound = p->most_bound + 2 * pair;
        f16 from = near[2];
        f16 to = f16_min(far[2], f16_pair(f8_splat(bound[0]), f8_splat(bound[1])));
        for (int i = 0; i < 2; i++) {
            const f16 one = f16_load(b->step[i][0]), two = f16_load(b->step[i][1]);
            f16 early = near[i], late = far[i];
            if (p->apart) {
                early = f16_sub(early, f16_load(b->delta[i][0]));
                late = f16_sub(late, f16_load(b->delta[i][1]));
            }
            from = f16_max(f16_min(f16_mul(early, one), f16_mul(early, two)), from);
            to = f16_min(f16_max(f16_mul(late, one), f16_mul(late, two)), to);
        }
        met |= f16_bits_le(from, to) << (16 * pair);
        first = f8_min(f8_min(f16_low(from), f16_high(from)), first);
        last = f8_max(f8_max(f16_low(to), f16_high(to)), last);
    }
    uint32_t children[SLI_WIDTH];
    float entry[SLI_WIDTH];
    const uint32_t count = simd_push(children, entry, numbers, node->order, p->shift, first, last);
    const uint32_t groups = frustum_groups_with(lines);
    frustum_planes planes;
    const uint32_t narrow = frustum_narrow(p, near, far, &planes);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t left = groups & frustum_groups_of(met, children[i]);
        uint64_t here = lines & (uint64_t)-(int64_t)(left_in >> children[i] & 1);
        if ((narrow >> children[i] & 1) != 0) {
            if (!p->by_line) {
                frustum_make_lines(p);
            }
            here &= frustum_lines_at(p, &planes, children[i], left);
            p->spent += FRUSTUM_COST_CHILD * (uint32_t)__builtin_popcount(left);
        } else if (left != groups) {
            here &= frustum_all_of(left);
        }
        p->ref[p->top] = node->child[children[i]];
        p->near[p->top] = entry[i];
        p->lines[p->top] = here;
        p->top += here != 0;
        prefetch_ref_first(lines_of_tree, node->child[children[i]]);
    }
}
