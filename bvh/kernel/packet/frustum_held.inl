/* The nearest sure triangle of each ray of a frustum (packet/frustum.inl), which waits for doubles
 * until the frustum has been everywhere: most rays are then decided once, eight at a time, whatever
 * triangles they hit.
 *
 * A ray holds one triangle that it is surely inside of, after tmin.  Another one takes its place
 * when what is held begins behind the depth at which that other ends; where the two overlap, the
 * other is listed for packet/frustum_decide.inl, like all that floats are not sure of. */
#pragma once

#include "bvh/kernel/packet/frustum_decide.inl"

/* Lets sixteen rays hold a triangle that they surely hit no deeper than their bounds, which are
 * given as narrowed by it; returns those that do. */
static inline uint32_t frustum_hold(frustum *p, int ray, uint32_t sure, uint32_t back,
                                    uint32_t slot, f16 from, f16 bound)
{
    uint32_t taken = sure;
    const uint32_t held = (uint32_t)(p->held >> ray) & sure;
    if (held != 0) {
        taken &= ~(held & f16_bits_le(f16_load(p->hits->held_from + ray), bound));
    }
    const uint64_t here = (uint64_t)taken << ray;
    f16_store(p->hits->held_from + ray, f16_where(taken, from, f16_load(p->hits->held_from + ray)));
    f16_store(p->hits->held_slot + ray,
              f16_where(taken, f16_splat(bits_to_float(slot)), f16_load(p->hits->held_slot + ray)));
    p->held |= here;
    p->held_back = (p->held_back & ~here) | ((uint64_t)(taken & back) << ray);
    return taken;
}

/* t, u and v of eight rays that are surely inside a triangle, after tmin.  Lanes of hit whose
 * numbers may round to either of two floats, or whose t may be beyond tmax, become unsure.
 *
 * A t that rounds to a float below tmax is below tmax, since rounding keeps the order.  As u and v
 * are no more than 1, an error of them is at most (x_error + det_error) / |det|, and 8 roundings:
 * the same for both. */
static inline void frustum_measure(const tri8_determinants *m, f8 tmax, uint32_t hit,
                                   tri8_answer *e)
{
    const d8 inverse = d8_div(d8_splat(1), m->det), size = d8_abs(m->det);
    const d8 inverse_max = d8_mul(d8_abs(inverse), d8_splat(1 + 0x1p-8));
    d8 low, high;
    tri8_quotient(m, inverse, inverse_max, m->t, m->t_error, &low, &high);
    const d8 u = d8_mul(m->u, inverse), v = d8_mul(m->v, inverse);
    const d8 off = d8_add(d8_add(m->u_error, m->v_error), m->det_error);
    const d8 margin = d8_muladd(off, inverse_max, d8_splat(8 * TRI_EPS));
    uint32_t sure = d8_bits_gt(size, d8_mul(m->det_error, d8_splat(1024)));
    sure &= tri8_round(low, high, e->t);
    sure &= tri8_round(d8_sub(u, margin), d8_add(u, margin), e->u);
    sure &= tri8_round(d8_sub(v, margin), d8_add(v, margin), e->v);
    const f8 t = f8_load(e->t);
    const uint32_t within = ~f8_bits_le(tmax, t), beyond = ~f8_bits_le(t, tmax);
    e->hit = hit & sure & within;
    e->unsure = hit & ~(sure & (within | beyond));
}

/* The determinants of eight rays, each with a triangle of its own. */
static void frustum_gather(const sl_bvh *tree, const uint32_t slot[8], tri8_query *query,
                           tri8_determinants *m, f8 *prim)
{
    float prims[8];
    tri8_source from;
    for (int i = 0; i < 8; i++) {
        from.pack[i] = sli_tree_pack(tree, slot[i] / SLI_PACK, NULL);
        from.lane[i] = slot[i] % SLI_PACK;
        prims[i] = bits_to_float(from.pack[i]->prim[from.lane[i]]);
    }
    tri8_read_triangles(&from, query);
    tri8_determine(query, m);
    *prim = f8_load(prims);
}

/* Takes the answers of eight rays with the triangles that they hold; those that are unsure go to
 * the exact test. */
static void frustum_accept_held(frustum *p, const tri8_answer *e, uint32_t at, uint32_t rays,
                                const uint32_t slot[8], f8 prim)
{
    p->spent += FRUSTUM_COST_EIGHT;
    p->saved += PACKET_COST_DOUBLES * (uint32_t)__builtin_popcount(rays);
    p->stats->double_stage += (uint32_t)__builtin_popcount(rays & ~e->unsure);
    p->stats->hits += (uint32_t)__builtin_popcount(e->hit);
    frustum_accept8(p, e, at, e->hit, prim);
    for (uint32_t left = e->unsure; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        sli_tri_pack unpacked;
        const sli_tri_pack *pack = sli_tree_pack(p->batch->tree, slot[i] / SLI_PACK, &unpacked);
        sl_hit hit;
        if (tri8_hit(p->batch, e, i, p->first + at + i, pack, slot[i] % SLI_PACK,
                     p->hits->t[at + i], false, &hit, p->stats)) {
            frustum_accept(p, at + i, &hit);
        }
    }
}

/* Decides what the rays hold. */
static void frustum_decide_held(frustum *p)
{
    const sl_bvh *tree = p->batch->tree;
    tri8_answer e;
    uint32_t prepared = UINT32_MAX;
    frustum_triangle8 triangle;
    memset(&triangle, 0, sizeof triangle);
    f8 triangle_prim = f8_splat(0);
    e.edge = e.vertex = 0;
    for (uint32_t at = 0; at < PACKET; at += 8) {
        uint32_t left = (uint32_t)(p->held >> at) & 0xFF, rays;
        if (left == 0) {
            continue;
        }
        tri8_query query;
        for (int axis = 0; axis < 3; axis++) {
            query.origin[axis] = d8_from_f8(f8_load(p->rays->from[axis] + at));
            query.dir[axis] = d8_from_f8(f8_load(p->rays->dir[axis] + at));
        }
        e.back = (uint32_t)(p->held_back >> at) & 0xFF;
        for (; left != 0; left &= ~rays) {
            tri8_determinants m;
            uint32_t slot[8];
            f8 prim;
            const uint32_t first =
                float_to_bits(p->hits->held_slot[at + (uint32_t)__builtin_ctz(left)]);
            float words[8];
            f8_store(words, f8_where(left, f8_load(p->hits->held_slot + at),
                                     f8_splat(bits_to_float(first))));
            memcpy(slot, words, sizeof slot);
            rays = left & ~(f4_bits_ne(slot, first) | f4_bits_ne(slot + 4, first) << 4);
            if (rays != left && tree->vertices == NULL) {
                rays = left;
                frustum_gather(tree, slot, &query, &m, &prim);
            } else {
                if (first != prepared) {
                    sli_tri_pack unpacked;
                    const sli_tri_pack *pack = sli_tree_pack(tree, first / SLI_PACK, &unpacked);
                    frustum_prepare8(p, pack, first % SLI_PACK, &triangle);
                    triangle_prim = f8_splat(bits_to_float(pack->prim[first % SLI_PACK]));
                    prepared = first;
                }
                frustum_determinants(&triangle, &query, &m);
                prim = triangle_prim;
            }
            frustum_measure(&m, f8_load(p->rays->limits[1] + at), rays, &e);
            frustum_accept_held(p, &e, at, rays, slot, prim);
        }
    }
}

/* The hook of frusta that go down a tree of their own. */
static void frustum_decide_all(frustum *p, void *context, bool at_end)
{
    (void)context;
    if (at_end) {
        frustum_decide_held(p);
    }
    frustum_decide(p);
}
