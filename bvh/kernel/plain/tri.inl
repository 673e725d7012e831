/* Reference kernel, a ray against the triangles of a leaf: which of them may be hit.  Conservative:
 * only sure misses are dropped, every other triangle goes to the exact decision.
 *
 * Woop's sheared image (Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", 2013) with
 * a bound E on the error of each edge function e = P x Q:
 *     E = delta (|Px| + |Py| + |Qx| + |Qy|) + 2 delta^2 + 3u (|Px Qy| + |Py Qx|)
 * A lane is a sure miss when one edge is < -E and another > E.  NaN and overflow are no sure
 * miss. */
#pragma once

#include "bvh/kernel/plain/ray.inl"
#include "bvh/kernel/simd/simd.h"

/* The sheared image of one vertex of every lane. */
typedef struct image {
    f4 x, y;
} image;

static image shear_vertex(const walk *w, const sli_tri_pack *pack, int v)
{
    const f4 z = f4_sub(f4_load(pack->axis[w->axis[2]].vertex[v]), f4_splat(w->origin[2]));
    const f4 x = f4_sub(f4_load(pack->axis[w->axis[0]].vertex[v]), f4_splat(w->origin[0]));
    const f4 y = f4_sub(f4_load(pack->axis[w->axis[1]].vertex[v]), f4_splat(w->origin[1]));
    return (image){ f4_sub(x, f4_mul(f4_splat(w->shear[0]), z)),
                    f4_sub(y, f4_mul(f4_splat(w->shear[1]), z)) };
}

/* The edge from p to q: adds the lanes where it is surely positive, surely negative. */
static void edge_signs(image p, image q, float delta, uint32_t *above, uint32_t *below)
{
    const f4 left = f4_mul(p.x, q.y), right = f4_mul(p.y, q.x);
    const f4 sizes = f4_add(f4_add(f4_abs(p.x), f4_abs(p.y)), f4_add(f4_abs(q.x), f4_abs(q.y)));
    const f4 inexact = f4_mul(f4_splat(delta), f4_add(sizes, f4_splat(2 * delta)));
    const f4 rounding = f4_mul(f4_splat(3 * WALK_U), f4_add(f4_abs(left), f4_abs(right)));
    const f4 bound = f4_mul(f4_add(inexact, rounding), f4_splat(EDGE_ERROR));
    const f4 edge = f4_sub(left, right);
    *above |= f4_bits_gt(edge, bound);
    *below |= f4_bits_gt(f4_sub(f4_splat(0), bound), edge);
}

/* Bit i: lane i holds a triangle that is not surely missed. */
static uint32_t filter_lanes(walk *w, const sli_tri_pack *pack)
{
    const uint32_t used = f4_bits_ne(pack->prim, SL_NONE);
    w->stats.triangles += (uint64_t)__builtin_popcount(used);
    if (w->wide) {
        return used;
    }
    const image a = shear_vertex(w, pack, 0), b = shear_vertex(w, pack, 1),
                c = shear_vertex(w, pack, 2);
    uint32_t above = 0, below = 0;
    edge_signs(b, c, w->delta, &above, &below);
    edge_signs(c, a, w->delta, &above, &below);
    edge_signs(a, b, w->delta, &above, &below);
    const uint32_t missed = above & below & used;
    w->stats.float_stage += (uint64_t)__builtin_popcount(missed);
    return used & ~missed;
}

static void count_stage(walk *w, sli_decision_stage stage, bool hit)
{
    w->stats.double_stage += stage == SLI_STAGE_DOUBLE;
    w->stats.exact_stage += stage == SLI_STAGE_EXACT;
    w->stats.hits += hit;
}

/* The exact hit on one lane, if there is one and the hit filter accepts it; t_bound as in
 * sli_exact_ray_hit. */
static bool hit_lane(walk *w, const sli_tri_pack *pack, int lane, float t_bound, sl_hit *hit)
{
    const uint32_t prim = pack->prim[lane];
    if (!sli_item_has(&w->ray->selection, (sl_triangle_ref){ .prim = prim }, pack->mask[lane])) {
        return false;
    }
    float v[3][3];
    sli_exact_hit exact;
    sli_pack_corners(pack, lane, v);
    const bool found =
        sli_exact_ray_hit(&w->ray->exact, v[0], v[1], v[2], (int)w->ray->cull, t_bound, &exact);
    count_stage(w, exact.stage, found);
    if (found) {
        *hit = (sl_hit){
            .t = exact.t, .u = exact.u, .v = exact.v, .prim = prim, .flags = exact.flags
        };
    }
    const sli_kernel_ray *ray = w->ray;
    return found &&
           (ray->accepts == NULL || ray->accepts(ray->accepts_user, ray->accepts_index, hit));
}
