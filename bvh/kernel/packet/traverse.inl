/* The general packet (packet/packet.inl) on its way down the tree: children by the beam and then by
 * each ray, triangles in floats, the rest in doubles. */
#ifndef SLI_KERNEL_PACKET_TRAVERSE_INL
#define SLI_KERNEL_PACKET_TRAVERSE_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/interleaved/state.inl"
#include "bvh/kernel/lines.inl"
#include "bvh/kernel/packet/budget.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/packet/setup.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"

static f8 beam_plane(const packet *p, int axis, const char *node, uint32_t side, float base,
                     bool least)
{
    const f8 away = f8_sub(node_side(node, side), f8_splat(base));
    const f8 one = f8_mul(away, f8_splat(p->inverse_min[axis]));
    const f8 two = f8_mul(away, f8_splat(p->inverse_max[axis]));
    return least ? f8_min(one, two) : f8_max(one, two);
}

/* The children that the beam may meet, and where at the earliest, the farthest first; returns how
 * many. */
static uint32_t meet_beam(const packet *p, const sli_node_wide *node, uint32_t children[SLI_WIDTH],
                          float near[SLI_WIDTH])
{
    static const uint32_t numbers[SLI_WIDTH] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const char *at = (const char *)node;
    f8 from = f8_splat(p->least_tmin), to = f8_splat(p->most_bound);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t side = p->near_side[axis];
        from = f8_max(beam_plane(p, axis, at, side, p->beam_near[axis], true), from);
        to = f8_min(beam_plane(p, axis, at, side ^ NODE_SIDE, p->beam_far[axis], false), to);
    }
    to = f8_muladd(to, f8_splat(SLAB_SLACK), f8_splat(RAY_T_TINY));
    return simd_push(children, near, numbers, node->order, p->shift, from, to);
}

/* Which of the rays of a group meet a child. */
static uint32_t packet_child(const packet *p, const sli_node_wide *node, uint32_t child, int group)
{
    const int ray = group * PACKET_LANES;
    f16 from = f16_load(p->tmin + ray), to = f16_load(p->bound + ray);
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t side = p->near_side[axis] / NODE_SIDE % 2;
        const f16 inverse = f16_load(p->inverse[axis] + ray);
        const f16 near =
            f16_sub(f16_splat(node->bounds[axis][side][child]), f16_load(p->near_base[axis] + ray));
        const f16 far = f16_sub(f16_splat(node->bounds[axis][1 - side][child]),
                                f16_load(p->far_base[axis] + ray));
        from = f16_max(f16_mul(near, inverse), from);
        to = f16_min(f16_mul(far, inverse), to);
    }
    return f16_bits_le(from, f16_muladd(to, f16_splat(SLAB_SLACK), f16_splat(RAY_T_TINY)));
}

/* Pushes the children that rays meet, each with those rays. */
static void packet_node(packet *p, const sli_node_wide *node, uint64_t active)
{
    uint32_t children[SLI_WIDTH];
    float near[SLI_WIDTH];
    const uint32_t count = meet_beam(p, node, children, near);
    p->spent += PACKET_COST_BEAM;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t met = 0;
        for (int group = 0; group < PACKET_GROUPS; group++) {
            if ((active >> (group * PACKET_LANES) & 0xFFFF) != 0) {
                p->spent += PACKET_COST_CHILD;
                met |= (uint64_t)packet_child(p, node, children[i], group)
                       << (group * PACKET_LANES);
            }
        }
        met &= active;
        p->ref[p->top] = node->child[children[i]];
        p->near[p->top] = near[i];
        p->rays[p->top] = met;
        p->top += met != 0;
    }
}

/* One corner of a triangle in the sheared space of sixteen rays. */
typedef struct packet_corner {
    f16 x, y, t, weight; /* t: its depth as t' */
} packet_corner;

static packet_corner packet_shear(const packet *p, const sli_tri_pack *pack, int corner, int lane,
                                  int ray)
{
    const char *base = (const char *)pack;
    f16 away[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *row = (const float *)(const void *)(base + p->pack[axis]);
        away[axis] =
            f16_sub(f16_splat(row[corner * SLI_PACK + lane]), f16_load(p->origin[axis] + ray));
    }
    packet_corner out;
    const f16 k = f16_load(p->edge_error + ray);
    out.x = f16_nmuladd(f16_load(p->shear[0] + ray), away[2], away[0]);
    out.y = f16_nmuladd(f16_load(p->shear[1] + ray), away[2], away[1]);
    out.t = f16_mul(away[2], f16_load(p->by_z + ray));
    out.weight = f16_mul(f16_add(f16_add(f16_abs(out.x), f16_abs(out.y)), k), k);
    return out;
}

/* Which rays are surely above and below the edge from a to b. */
static void packet_edge(const packet_corner *a, const packet_corner *b, uint32_t *above,
                        uint32_t *below)
{
    const f16 bound = f16_add(a->weight, b->weight);
    const f16 edge = f16_nmuladd(a->y, b->x, f16_mul(a->x, b->y));
    *above = ~f16_bits_le(edge, bound);
    *below = ~f16_bits_le(f16_sub(f16_splat(0), bound), edge);
}

/* A triangle against the active rays of a group.
 *
 * The crossing lies within the triangle, so its t' lies between those of the corners' depths; these
 * are off by less than 4u of themselves (a difference, the inverse, the scaled direction, a
 * product). */
static void packet_triangle(packet *p, const sli_tri_pack *pack, int lane, uint32_t place,
                            int group, uint32_t active)
{
    const int ray = group * PACKET_LANES;
    p->spent += PACKET_COST_TRI16;
    packet_corner c[3];
    uint32_t above[3], below[3];
    for (int i = 0; i < 3; i++) {
        c[i] = packet_shear(p, pack, i, lane, ray);
    }
    for (int i = 0; i < 3; i++) {
        packet_edge(&c[i], &c[(i + 1) % 3], &above[i], &below[i]);
    }
    const f16 low = f16_min(f16_min(c[0].t, c[1].t), c[2].t);
    const f16 high = f16_max(f16_max(c[0].t, c[1].t), c[2].t);
    const f16 slack = f16_splat(4 * WALK_U), tiny = f16_splat(RAY_T_TINY);
    const f16 from = f16_sub(f16_nmuladd(f16_abs(low), slack, low), tiny);
    const f16 bound = f16_load(p->bound + ray);
    const uint32_t missed = (above[0] | above[1] | above[2]) & (below[0] | below[1] | below[2]);
    uint32_t left = active & ~missed & f16_bits_le(from, bound);
    if (left == 0) {
        return;
    }
    if (p->narrows) {
        const uint32_t within = (above[0] & above[1] & above[2]) | (below[0] & below[1] & below[2]);
        const uint32_t sure = left & within & f16_bits_le(f16_load(p->after + ray), from);
        /* Widened as for any hit, so that whatever rounds to the same t is still found. */
        const f16 to = f16_add(f16_muladd(f16_abs(high), f16_splat(0x1p-20f), high),
                               f16_muladd(f16_load(p->scale + ray), f16_splat(RAY_T_SLACK), tiny));
        f16_store(p->bound + ray, f16_where(sure, f16_min(to, bound), bound));
    }
    packet_item *item = &p->list[p->listed++];
    f16_store(item->from, from);
    item->group = (uint32_t)group;
    item->rays = left;
    item->place = place;
}

/* A hit that was decided. */
static void packet_accept(packet *p, interleaved_state *r, uint32_t ray, const sl_hit *hit)
{
    sl_hit *best = &r->answers.hits[p->first + ray];
    if (hit_is_closer(hit, best)) {
        *best = *hit;
        p->best[ray] = hit->t;
        const float bound = ray_bound_of(p->scale[ray], hit->t);
        p->bound[ray] = bound < p->bound[ray] ? bound : p->bound[ray];
    }
}

/* Eight of the rays against one triangle. */
static void packet_eight(packet *p, interleaved_state *r, const sli_tri_pack *pack, uint32_t lane,
                         uint32_t half, uint32_t rays)
{
    tri8_answer *e = &r->eights[0];
    tri8_question ask;
    p->spent += PACKET_COST_EIGHT;
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            ask.corner[corner][axis] = d8_splat(pack->axis[axis].vertex[corner][lane]);
        }
        ask.origin[axis] = d8_from_f8(f8_load(p->as->from[axis] + half));
        ask.dir[axis] = d8_from_f8(f8_load(p->as->dir[axis] + half));
    }
    ask.tmin = d8_from_f8(f8_load(p->as->limits[0] + half));
    ask.tmax = d8_from_f8(f8_load(p->as->limits[1] + half));
    ask.crossings = (r->batch->query->flags & SL_USE_CROSSINGS) != 0;
    tri8_decide(&ask, r->batch->query->cull, p->best + half, e);
    r->stats.double_stage += (uint32_t)__builtin_popcount(rays & ~e->unsure);
    for (uint32_t lanes = (e->hit | e->unsure) & rays; lanes != 0; lanes &= lanes - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (tri8_hit(r->batch, e, i, p->first + half + i, pack, lane, p->best[half + i], false,
                     &hit, &r->stats)) {
            packet_accept(p, r, half + i, &hit);
        }
    }
}

static void packet_decide(packet *p, interleaved_state *r)
{
    for (uint32_t i = 0; i < p->listed; i++) {
        const packet_item *item = &p->list[i];
        const uint32_t ray = item->group * PACKET_LANES;
        const uint32_t rays =
            item->rays & f16_bits_le(f16_load(item->from), f16_load(p->bound + ray));
        sli_tri_pack unpacked;
        const sli_tri_pack *pack = sli_tree_pack(r->batch->tree, item->place / SLI_PACK, &unpacked);
        for (uint32_t half = 0; half < PACKET_LANES; half += 8) {
            if ((rays >> half & 0xFF) != 0) {
                packet_eight(p, r, pack, item->place % SLI_PACK, ray + half, rays >> half & 0xFF);
            }
        }
    }
    p->listed = 0;
}

static void packet_leaf(packet *p, interleaved_state *r, uint32_t ref, uint64_t active)
{
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(r->batch->tree, ref, &unpacked);
    const uint32_t place = (ref & SLI_REF_LINE) * SLI_PACK;
    const uint32_t rays = (uint32_t)__builtin_popcountll(active);
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        for (int group = 0; group < PACKET_GROUPS; group++) {
            const uint32_t of_group = (uint32_t)(active >> (group * PACKET_LANES)) & 0xFFFF;
            if (of_group != 0) {
                packet_triangle(p, pack, lane, place + (uint32_t)lane, group, of_group);
            }
        }
        r->stats.triangles += rays;
    }
    if (p->listed > PACKET_LIST_MAX - SLI_PACK * PACKET_GROUPS) {
        packet_decide(p, r);
    }
    p->most_bound = most_of(p->bound);
}

static void packet_prefetch(const packet *p, const sl_bvh *tree)
{
    prefetch_lines((const char *)sli_tree_node(tree, p->ref[p->top - 1]), 0, SLI_NODE_LINES);
}

/* Takes the packet down the tree.  False: abandoned, since it costs more than the account
 * allows. */
static bool packet_traverse(packet *p, interleaved_state *r, packet_account *account)
{
    const sl_bvh *tree = r->batch->tree;
    const uint64_t taken = p->rays[0];
    uint32_t limit = packet_account_limit(account);
    bool reviewed = false;
    while (p->top > 0) {
        const uint32_t at = --p->top, ref = p->ref[at];
        if (p->near[at] > p->most_bound * SLAB_SLACK + RAY_T_TINY) {
            continue;
        }
        if (p->spent > limit) {
            limit = reviewed ? 0 : packet_account_review(account, r, p->first, taken);
            reviewed = true;
            if (p->spent > limit) {
                return false;
            }
        }
        if ((ref & SLI_REF_LEAF) != 0) {
            p->spent += PACKET_COST_LEAF;
            packet_leaf(p, r, ref, p->rays[at]);
        } else {
            packet_node(p, sli_tree_node(tree, ref), p->rays[at]);
            r->stats.nodes++;
        }
        if (p->top > 0) {
            packet_prefetch(p, tree);
        }
    }
    packet_decide(p, r);
    return true;
}

#endif
