/* The rays of a hybrid packet (packet/hybrid.inl) against the triangles of a leaf, sixteen rays at
 * a time.
 *
 * With a = v0 - o, the weights of vertices 1 and 2 and t are the determinants of
 * filter/tri8_determinants.inl: e2 . r and -e1 . r, with r = d x a, and a . m, each over d . m,
 * with m = e2 x e1.  In floats each goes through at most 10 roundings of each product (one of them
 * that of the direction, of segments), so it is off by at most TRI_FLOAT_DET_ERROR times the
 * product of the lengths |x| + |y| + |z| of its three vectors.  With d the scaled direction, t is
 * t'.
 *
 * Most rays begin next to a triangle, too close for floats to tell on which side.  That depends on
 * a . m alone, which doubles tell (hybrid_departing).  Rays that are still undecided go through the
 * double test for eight and then, if need be, the exact one, as those of the stream traversal
 * do. docs/notes/filters.md derives the bounds. */
#pragma once

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/packet/hybrid_state.inl"

/* What products that underflow lose is less: 2^-149 each, times a component below 2^40 for some. */
#define HYBRID_TINY 0x1p-100f
/* What is this far within the limits is surely within; large enough that nothing computed from it
 * is denormal. */
#define HYBRID_MARGIN 0x1p-60f

/* What all rays need of the triangles of a leaf: see above. */
typedef struct hybrid_pack {
    float minus_e1[3][SLI_PACK], e2[3][SLI_PACK], m[3][SLI_PACK];
    float longest[SLI_PACK]; /* no less than |x| + |y| + |z| of the sides */
} hybrid_pack;

static void hybrid_make_pack(const sli_tri_pack *pack, hybrid_pack *out)
{
    f4 e1[3], e2[3];
    for (int axis = 0; axis < 3; axis++) {
        const f4 v0 = f4_load(pack->axis[axis].vertex[0]);
        e1[axis] = f4_sub(v0, f4_load(pack->axis[axis].vertex[1]));
        e2[axis] = f4_sub(f4_load(pack->axis[axis].vertex[2]), v0);
        f4_store(out->minus_e1[axis], e1[axis]);
        f4_store(out->e2[axis], e2[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        f4_store(out->m[axis], f4_sub(f4_mul(e1[j], e2[k]), f4_mul(e1[k], e2[j])));
    }
    const f4 one = f4_add(f4_add(f4_abs(e1[0]), f4_abs(e1[1])), f4_abs(e1[2]));
    const f4 two = f4_add(f4_add(f4_abs(e2[0]), f4_abs(e2[1])), f4_abs(e2[2]));
    f4_store(out->longest, f4_max(one, two));
}

/* Sixteen rays at one triangle, as bit masks. */
typedef struct hybrid_result {
    uint32_t left;        /* not surely missed */
    uint32_t sure;        /* of those: surely hit */
    uint32_t front, back; /* det = d . m surely > 0, surely < 0 */
} hybrid_result;

static SLI_FORCE_INLINE f16 hybrid_dot(const f16 a[3], const float b[3][SLI_PACK], int lane)
{
    return f16_muladd(
        a[0], f16_splat(b[0][lane]),
        f16_muladd(a[1], f16_splat(b[1][lane]), f16_mul(a[2], f16_splat(b[2][lane]))));
}

/* Determinants of one triangle for sixteen rays.  The weights and t are multiplied by the sign of
 * det, so that for a hit they are all positive. */
typedef struct hybrid_weights {
    f16 a[3], away; /* to vertex 0; its |x| + |y| + |z| */
    f16 det, size;  /* det = d . m; size: |det| */
    /* The smallest and the largest weight; that of vertex 0 is divided by 4, so that its error is
     * no larger than that of the others. */
    f16 least, most;
    f16 error;
    uint32_t flat; /* lanes in which the sign of det is not sure */
} hybrid_weights;

static SLI_FORCE_INLINE void hybrid_weigh(const hybrid *h, const sli_tri_pack *pack,
                                          const hybrid_pack *sides, int lane, int ray,
                                          hybrid_weights *out)
{
    f16 d[3], r[3], *a = out->a;
    for (int axis = 0; axis < 3; axis++) {
        a[axis] =
            f16_sub(f16_splat(pack->axis[axis].vertex[0][lane]), f16_load(h->origin[axis] + ray));
        d[axis] = f16_load(h->dir[axis] + ray);
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        r[axis] = f16_nmuladd(d[k], a[j], f16_mul(d[j], a[k]));
    }
    out->det = hybrid_dot(d, sides->m, lane);
    out->size = f16_abs(out->det);
    const f16 u = f16_flip(hybrid_dot(r, sides->e2, lane), out->det);
    const f16 v = f16_flip(hybrid_dot(r, sides->minus_e1, lane), out->det);
    const f16 w = f16_sub(f16_sub(out->size, u), v);
    const f16 longest = f16_splat(sides->longest[lane]);
    out->away = f16_add(f16_add(f16_abs(a[0]), f16_abs(a[1])), f16_abs(a[2]));
    const f16 unit =
        f16_mul(longest, f16_load(h->dir_error + ray)); /* TRI_FLOAT_DET_ERROR |d| |e| */
    out->error = f16_muladd(unit, f16_add(out->away, longest), f16_splat(HYBRID_TINY));
    /* w is off by as much as three determinants together, and by two roundings more. */
    const f16 quarter = f16_mul(w, f16_splat(0.25f));
    out->least = f16_min(f16_min(u, v), quarter);
    out->most = f16_max(f16_max(u, v), quarter);
    out->flat = f16_bits_le(out->size, out->error);
}

/* Applies tmin and tmax: t * size is within off of t_size, and size is off by at most the error. */
static SLI_FORCE_INLINE void hybrid_apply_limits(const hybrid *h, const hybrid_pack *sides,
                                                 int lane, int ray, const hybrid_weights *view,
                                                 hybrid_result *result)
{
    const f16 longest = f16_splat(sides->longest[lane]);
    const f16 t_size = f16_flip(hybrid_dot(view->a, sides->m, lane), view->det);
    const f16 off =
        f16_muladd(f16_mul(longest, longest), f16_mul(view->away, f16_splat(TRI_FLOAT_DET_ERROR)),
                   f16_splat(HYBRID_TINY));
    const f16 low = f16_sub(t_size, off), high = f16_add(t_size, off);
    const f16 least_size = f16_sub(view->size, view->error);
    const f16 most_size = f16_add(view->size, view->error);
    const f16 from = f16_load(h->from + ray), to = f16_load(h->to + ray);
    const f16 slack = f16_splat(0x1p-20f), margin = f16_splat(HYBRID_MARGIN);
    const f16 after = f16_add(f16_muladd(from, slack, from), margin);
    const f16 before = f16_sub(f16_nmuladd(to, slack, to), margin);
    const uint32_t ahead = ~view->flat;
    const uint32_t may =
        f16_bits_le(f16_mul(from, least_size), high) & f16_bits_le(low, f16_mul(to, most_size));
    result->left &= may | ~ahead;
    result->sure = result->left & ahead & ~f16_bits_le(view->least, view->error) &
                   ~f16_bits_le(low, f16_mul(after, most_size)) &
                   ~f16_bits_le(f16_mul(before, least_size), high);
}

static SLI_FORCE_INLINE hybrid_result hybrid_triangle(const hybrid *h, const sli_tri_pack *pack,
                                                      const hybrid_pack *sides, int lane, int ray,
                                                      uint32_t active)
{
    hybrid_weights view;
    hybrid_weigh(h, pack, sides, lane, ray, &view);
    const f16 zero = f16_splat(0);
    hybrid_result result = { .sure = 0 };
    const uint32_t above = f16_bits_le(f16_sub(zero, view.error), view.least);
    /* Needles: whatever the sign of det, no two weights of a hit differ in theirs. */
    const uint32_t astride = ~(above | f16_bits_le(view.most, view.error));
    result.left = active & (above | (view.flat & ~astride));
    if (result.left != 0) {
        const uint32_t negative = f16_bits_le(view.det, zero);
        result.front = ~(view.flat | negative);
        result.back = ~view.flat & negative;
        hybrid_apply_limits(h, sides, lane, ray, &view, &result);
    }
    return result;
}

/* m of one triangle in doubles, and a bound on the error of a . m. */
typedef struct hybrid_plane {
    double m[3], error;
} hybrid_plane;

static void hybrid_make_plane(const hybrid *h, const sli_tri_pack *pack, const hybrid_pack *sides,
                              int lane, hybrid_plane *out)
{
    double e1[3], e2[3];
    for (int axis = 0; axis < 3; axis++) {
        const float(*vertex)[SLI_PACK] = pack->axis[axis].vertex;
        e1[axis] = (double)vertex[0][lane] - (double)vertex[1][lane];
        e2[axis] = (double)vertex[2][lane] - (double)vertex[0][lane];
    }
    for (int axis = 0; axis < 3; axis++) {
        const int j = (axis + 1) % 3, k = (axis + 2) % 3;
        out->m[axis] = e1[j] * e2[k] - e1[k] * e2[j];
    }
    const double longest = sides->longest[lane];
    out->error = 2 * TRI_DET_ERROR * longest * longest * 3 * (double)h->extent;
}

/* Of sixteen rays, those that surely depart from the plane, so that they meet it at t < 0. */
static uint32_t hybrid_departing(const hybrid *h, const sli_tri_pack *pack,
                                 const hybrid_plane *plane, int lane, int ray,
                                 const hybrid_result *result)
{
    const d8 zero = d8_splat(0), error = d8_splat(plane->error);
    uint32_t below = 0, above = 0;
    for (int half = 0; half < HYBRID_LANES; half += 8) {
        d8 sum = zero;
        for (int axis = 0; axis < 3; axis++) {
            const d8 a = d8_sub(d8_splat((double)pack->axis[axis].vertex[0][lane]),
                                d8_from_f8(f8_load(h->origin[axis] + ray + half)));
            sum = d8_muladd(a, d8_splat(plane->m[axis]), sum);
        }
        above |= d8_bits_gt(sum, error) << half;
        below |= d8_bits_gt(d8_sub(zero, sum), error) << half;
    }
    return (result->front & below) | (result->back & above);
}

/* Answers rays that hit a triangle; they leave the packet. */
static void hybrid_hit(hybrid *h, uint64_t rays, uint32_t prim)
{
    h->hit |= rays;
    h->active &= ~rays;
    for (; rays != 0; rays &= rays - 1) {
        const size_t index = h->first + (size_t)__builtin_ctzll(rays);
        h->any[index] = 1;
        if (h->refs != NULL) {
            h->refs[index] = (sl_triangle_ref){ .prim = prim };
        }
    }
}

/* Decides one triangle for those of eight rays that floats left undecided: in doubles, then
 * exactly. */
static SLI_NOINLINE void hybrid_decide8(hybrid *h, const sli_tri_pack *pack, uint32_t lane,
                                        uint32_t eight, uint32_t rays)
{
    tri8_answer e;
    tri8_source source;
    tri8_query query;
    for (uint32_t i = 0; i < 8; i++) {
        source.ray[i] = ray8_floats(h->batch, h->first + eight + i);
    }
    tri8_read_rays(&source, sli_kernel_segments(h->batch), &query);
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            query.corner[corner][axis] = d8_splat((double)pack->axis[axis].vertex[corner][lane]);
        }
    }
    query.flags = h->batch->options->flags;
    tri8_decide(&query, h->batch->options->cull, NULL, rays, &e);
    h->spent += HYBRID_COST_DOUBLES;
    h->stats->double_stage += (uint32_t)__builtin_popcount(rays & ~e.unsure);
    for (uint32_t lanes = (e.hit | e.unsure) & rays; lanes != 0; lanes &= lanes - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (tri8_hit(h->batch, &e, i, h->first + eight + i, pack, lane, INFINITY, true, &hit,
                     h->stats)) {
            hybrid_hit(h, (uint64_t)1 << (eight + i), hit.prim);
        }
    }
}

/* Decides one triangle for those of sixteen rays that floats left undecided. */
static SLI_NOINLINE void hybrid_settle(hybrid *h, const sli_tri_pack *pack,
                                       const hybrid_plane *plane, int lane, int ray,
                                       const hybrid_result *result)
{
    uint32_t left = result->left & ~result->sure;
    const uint32_t leave = left & hybrid_departing(h, pack, plane, lane, ray, result);
    h->stats->double_stage += (uint32_t)__builtin_popcount(leave);
    left &= ~leave;
    for (uint32_t half = 0; half < HYBRID_LANES; half += 8) {
        if ((left >> half & 0xFF) != 0) {
            hybrid_decide8(h, pack, (uint32_t)lane, (uint32_t)ray + half, left >> half & 0xFF);
        }
    }
}

/* Tests a triangle against the active rays of a register. */
static void hybrid_register(hybrid *h, const sli_tri_pack *pack, const hybrid_pack *sides,
                            const hybrid_plane *plane, int lane, int ray, uint32_t active)
{
    hybrid_result result = hybrid_triangle(h, pack, sides, lane, ray, active);
    result.sure = h->narrows ? result.sure : 0;
    const uint32_t unsure = result.left & ~result.sure;
    h->stats->float_stage += (uint32_t)__builtin_popcount(active & ~unsure);
    if (result.sure != 0) {
        h->stats->hits += (uint32_t)__builtin_popcount(result.sure);
        hybrid_hit(h, (uint64_t)result.sure << ray, pack->prim[lane]);
    }
    if (unsure != 0) {
        hybrid_settle(h, pack, plane, lane, ray, &result);
    }
}

/* Tests the triangles of a leaf, one by one, against the rays that came to it. */
static void hybrid_leaf(hybrid *h, uint32_t ref, uint64_t rays)
{
    sli_tri_pack unpacked;
    const sli_tri_pack *pack = sli_tree_pack(h->batch->tree, ref, &unpacked);
    hybrid_pack sides;
    hybrid_make_pack(pack, &sides);
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        hybrid_plane plane;
        hybrid_make_plane(h, pack, &sides, lane, &plane);
        rays &= h->active;
        h->stats->triangles += (uint64_t)__builtin_popcountll(rays);
        for (int ray = 0; ray < HYBRID_RAYS; ray += HYBRID_LANES) {
            const uint32_t active = (uint32_t)(rays >> ray) & 0xFFFF;
            if (active != 0) {
                hybrid_register(h, pack, &sides, &plane, lane, ray, active);
            }
        }
    }
}
