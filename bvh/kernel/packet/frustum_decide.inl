/* The triangles that floats could not dismiss for a frustum (packet/frustum.inl), in doubles: one
 * triangle against eight rays at a time.  What all rays share of a triangle is computed once.  Rays
 * that doubles leave undecided go to the exact test. */
#pragma once

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/packet/frustum.inl"

/* What eight rays need of a triangle in doubles, and error bounds that hold for all rays of the
 * frustum. */
typedef struct frustum_triangle8 {
    double corner[3], side[2][3], normal[3]; /* sides from corner 0; normal: side 1 x side 0 */
    double det_error, u_error, v_error, t_error;
} frustum_triangle8;

/* |x| + |y| + |z| */
static double frustum_norm1(const double a[3])
{
    return fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
}

/* Prepares the triangle in a lane of a block. */
static void frustum_prepare8(const frustum *p, const sli_tri_pack *pack, uint32_t lane,
                             frustum_triangle8 *out)
{
    double away[3];
    for (int axis = 0; axis < 3; axis++) {
        const float(*vertex)[SLI_PACK] = pack->axis[axis].vertex;
        out->corner[axis] = vertex[0][lane];
        out->side[0][axis] = (double)vertex[1][lane] - (double)vertex[0][lane];
        out->side[1][axis] = (double)vertex[2][lane] - (double)vertex[0][lane];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out->normal[i] = out->side[1][j] * out->side[0][k] - out->side[1][k] * out->side[0][j];
        away[i] = out->corner[p->axis[i]] - (double)p->apex[i];
    }
    const double s = (frustum_norm1(away) + p->origin_size) * TRI_DET_ERROR, d = p->dir_size;
    const double one = frustum_norm1(out->side[0]), two = frustum_norm1(out->side[1]);
    out->det_error = d * one * two * TRI_DET_ERROR;
    out->u_error = s * d * two;
    out->v_error = s * d * one;
    out->t_error = s * one * two;
}

/* As tri8_determine of filter/tri8_determinants.inl, with what all rays share computed before. */
static void frustum_determinants(const frustum_triangle8 *triangle, const tri8_query *query,
                                 tri8_determinants *m)
{
    d8 s[3], e1[3], e2[3], normal[3], pv[3], qv[3];
    for (int axis = 0; axis < 3; axis++) {
        s[axis] = d8_sub(query->origin[axis], d8_splat(triangle->corner[axis]));
        e1[axis] = d8_splat(triangle->side[0][axis]);
        e2[axis] = d8_splat(triangle->side[1][axis]);
        normal[axis] = d8_splat(triangle->normal[axis]);
    }
    tri8_cross(query->dir, e2, pv);
    tri8_cross(s, e1, qv);
    m->det = tri8_dot(query->dir, normal);
    m->u = tri8_dot(s, pv);
    m->v = tri8_dot(query->dir, qv);
    m->t = tri8_dot(e2, qv);
    m->det_error = d8_splat(triangle->det_error);
    m->u_error = d8_splat(triangle->u_error);
    m->v_error = d8_splat(triangle->v_error);
    m->t_error = d8_splat(triangle->t_error);
    m->known = 0;
    m->at = d8_splat(0);
}

/* The bits of a word as a float, which is only stored and loaded. */
static float bits_to_float(uint32_t word)
{
    float out;
    memcpy(&out, &word, sizeof out);
    return out;
}

static uint32_t float_to_bits(float bits)
{
    uint32_t out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* Stores the lanes whose bits are set. */
static void store_lanes(float *row, uint32_t lanes, f8 a)
{
    f8_store(row, f8_where(lanes, a, f8_load(row)));
}

/* Takes one ray's hit if it is closer than the one before. */
static void frustum_accept(frustum *p, uint32_t ray, const sl_hit *hit)
{
    const bool found = (p->found >> ray & 1) != 0;
    if (found && !(hit->t < p->hits->t[ray] ||
                   (hit->t == p->hits->t[ray] && hit->prim < float_to_bits(p->hits->prim[ray])))) {
        return;
    }
    p->hits->t[ray] = hit->t;
    p->hits->u[ray] = hit->u;
    p->hits->v[ray] = hit->v;
    p->hits->prim[ray] = bits_to_float(hit->prim);
    p->hits->flags[ray] = bits_to_float(hit->flags);
    p->found |= 1ull << ray;
}

/* Takes the hits of eight rays if they are closer; prim: the bits of their numbers; of
 * flags they have SL_HIT_BACK at most. */
static void frustum_accept8(frustum *p, const tri8_answer *e, uint32_t at, uint32_t lanes, f8 prim)
{
    const f8 t = f8_load(e->t), best = f8_load(p->hits->t + at);
    uint32_t closer = lanes & f8_bits_le(t, best);
    const uint32_t equal = closer & f8_bits_le(best, t) & (uint32_t)(p->found >> at);
    float prims[8];
    f8_store(prims, prim);
    for (uint32_t left = equal; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const bool lower = float_to_bits(prims[lane]) < float_to_bits(p->hits->prim[at + lane]);
        closer &= lower ? UINT32_MAX : ~(1u << lane);
    }
    store_lanes(p->hits->t + at, closer, t);
    store_lanes(p->hits->u + at, closer, f8_load(e->u));
    store_lanes(p->hits->v + at, closer, f8_load(e->v));
    store_lanes(p->hits->prim + at, closer, prim);
    store_lanes(p->hits->flags + at, closer,
                f8_where(e->back, f8_splat(bits_to_float(SL_HIT_BACK)), f8_splat(0)));
    p->found |= (uint64_t)closer << at;
}

/* Narrows the searches of eight rays to the hits they have. */
static void frustum_narrow8(frustum *p, uint32_t at, uint32_t lanes)
{
    const f8 rate = f8_load(p->rate + at), best = f8_load(p->hits->t + at);
    const f8 depth = f8_muladd(best, rate, f8_load(p->start + at));
    const f8 slack = f8_muladd(rate, f8_splat(RAY_T_SLACK), f8_splat(RAY_T_TINY));
    const f8 most = f8_add(f8_muladd(depth, f8_splat(0x1p-20f), depth), slack);
    const f8 bound = f8_load(p->bound + at);
    f8_store(p->bound + at, f8_where(lanes, f8_min(most, bound), bound));
}

/* Decides eight rays at a triangle. sure: rays inside its sides for certain, hit on the back where
 * back is set. */
static void frustum_decide8(frustum *p, const frustum_triangle8 *triangle, const sli_tri_pack *pack,
                            uint32_t lane, uint32_t at, uint32_t rays, uint32_t sure, uint32_t back)
{
    tri8_answer answer, *e = &answer;
    tri8_query query;
    tri8_determinants m;
    for (int axis = 0; axis < 3; axis++) {
        query.origin[axis] = d8_from_f8(f8_load(p->rays->from[axis] + at));
        query.dir[axis] = d8_from_f8(f8_load(p->rays->dir[axis] + at));
    }
    query.tmin = d8_from_f8(f8_load(p->rays->limits[0] + at));
    query.tmax = d8_from_f8(f8_load(p->rays->limits[1] + at));
    query.flags = p->batch->options->flags;
    query.segments = false;
    frustum_determinants(triangle, &query, &m);
    if ((rays & ~sure) == 0) {
        e->hit = rays;
        e->back = back;
        e->unsure = e->edge = e->vertex = 0;
    } else {
        tri8_signs(&m, e);
    }
    if ((e->unsure & rays) != 0 && (query.flags & SL_CROSSINGS) == 0) {
        for (int axis = 0; axis < 3; axis++) {
            for (int corner = 0; corner < 3; corner++) {
                query.corner[corner][axis] = d8_splat(pack->axis[axis].vertex[corner][lane]);
            }
        }
        tri8_by_construction(&query, &m, e);
    }
    const sl_cull cull = p->batch->options->cull;
    if (cull != SL_CULL_NONE) {
        e->hit &= cull == SL_CULL_BACK ? ~e->back : e->back;
    }
    tri8_measure(&m, &query, p->hits->t + at, e);
    p->spent += FRUSTUM_COST_EIGHT;
    p->saved += PACKET_COST_DOUBLES * (uint32_t)__builtin_popcount(rays);
    p->stats->double_stage += (uint32_t)__builtin_popcount(rays & ~e->unsure);
    const bool plain = (p->batch->uses & (SLI_USES_MASK | SLI_USES_SKIP)) == 0 &&
                       ((e->edge | e->vertex) & rays) == 0;
    const uint32_t hits = plain ? e->hit & rays : 0;
    if (hits != 0) {
        p->stats->hits += (uint32_t)__builtin_popcount(hits);
        frustum_accept8(p, e, at, hits, f8_splat(bits_to_float(pack->prim[lane])));
    }
    for (uint32_t left = (e->hit | e->unsure) & rays & ~hits; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(left);
        sl_hit hit;
        if (tri8_hit(p->batch, e, i, p->first + at + i, pack, lane, p->hits->t[at + i], false, &hit,
                     p->stats)) {
            frustum_accept(p, at + i, &hit);
        }
    }
    if (p->top > 0) {
        frustum_narrow8(p, at, rays);
    }
}

/* Decides all that is listed, and empties the list. */
static void frustum_decide(frustum *p)
{
    uint32_t slot = UINT32_MAX; /* of the triangle that is prepared now */
    frustum_triangle8 triangle;
    memset(&triangle, 0, sizeof triangle);
    for (uint32_t i = 0; i < p->listed; i++) {
        const frustum_item *item = &p->hits->list[i];
        const uint32_t first = item->group * PACKET_LANES, lane = item->slot % SLI_PACK;
        const uint32_t rays =
            item->rays & f16_bits_le(f16_load(item->from), f16_load(p->bound + first));
        sli_tri_pack unpacked;
        const sli_tri_pack *pack = sli_tree_pack(p->batch->tree, item->slot / SLI_PACK, &unpacked);
        if (rays != 0 && item->slot != slot) {
            slot = item->slot;
            frustum_prepare8(p, pack, lane, &triangle);
        }
        for (uint32_t half = 0; half < PACKET_LANES; half += 8) {
            if ((rays >> half & 0xFF) != 0) {
                frustum_decide8(p, &triangle, pack, lane, first + half, rays >> half & 0xFF,
                                item->sure >> half & 0xFF, item->back >> half & 0xFF);
            }
        }
    }
    p->listed = 0;
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
}

_Static_assert(sizeof(sl_hit) == 6 * sizeof(float) && offsetof(sl_hit, t) == 0 &&
                   offsetof(sl_hit, prim) == 3 * sizeof(float) &&
                   offsetof(sl_hit, flags) == 5 * sizeof(float),
               "a hit is six words: t, u, v, prim, instance, flags");

/* Writes the answers of all sixty-four; rays that took no part are overwritten by their own
 * later. */
static void frustum_write(const frustum *p, sl_hit *hits)
{
    for (int ray = 0; ray < PACKET; ray += 8) {
        const uint32_t found = (uint32_t)(p->found >> ray) & 0xFF;
        const f8 none = f8_splat(0), no_prim = f8_splat(bits_to_float(SL_NONE));
        const f8 row[6] = { f8_where(found, f8_load(p->hits->t + ray),
                                     f8_load(p->rays->limits[1] + ray)),
                            f8_where(found, f8_load(p->hits->u + ray), none),
                            f8_where(found, f8_load(p->hits->v + ray), none),
                            f8_where(found, f8_load(p->hits->prim + ray), no_prim),
                            none,
                            f8_where(found, f8_load(p->hits->flags + ray), none) };
        f8_store_sixes(hits + ray, row);
    }
}
