/* The lines of a frustum (packet/frustum.inl): the point c that they pass, and which of the
 * packet's rays take part, by how closely their lines pass it. */
#pragma once

#include "bvh/kernel/packet/frustum.inl"

/* The depth, from the origin of the first ray, at which the lines of two rays are closest. */
static float frustum_closest_approach(const frustum *p, uint32_t one, uint32_t two)
{
    const packet_rays *rays = p->rays;
    const uint32_t z = p->axis[2];
    const float depth = p->sign * (rays->from[z][two] - rays->from[z][one]);
    float above = 0, below = 0;
    for (int i = 0; i < 2; i++) {
        const uint32_t axis = p->axis[i];
        const float slope_one = rays->dir[axis][one] / fabsf(rays->dir[z][one]);
        const float slope_two = rays->dir[axis][two] / fabsf(rays->dir[z][two]);
        const float apart = rays->from[axis][two] - rays->from[axis][one] - slope_two * depth;
        above -= apart * (slope_two - slope_one);
        below += (slope_two - slope_one) * (slope_two - slope_one);
    }
    return above / below;
}

/* Sets what c adds to the reach of the tree.  False: c is out of the range of the float filters. */
static bool frustum_set_reach(frustum *p, const sl_bvh *tree)
{
    float most = 0;
    for (int i = 0; i < 3; i++) {
        most = float_max(most, fabsf(p->apex[i]));
    }
    p->reach = (tree->reach + most) * (1 + 4 * WALK_U);
    return p->reach >= 2 * WALK_LEAST && p->reach <= WALK_MOST;
}

/* How far away lines may meet: as far as sides, which are off by 48u of that, are still told apart
 * by much less than a triangle is wide. */
static float frustum_apex_max(const frustum *p, const sl_bvh *tree)
{
    return float_max(8 * tree->reach, p->error_max / (4 * FRUSTUM_SIDE_ERROR));
}

/* Chooses c by the lines of two rays, no deeper than any origin.  False: they are nearly parallel,
 * or c is outside the range of the float filters. */
static bool frustum_choose_apex(frustum *p, const sl_bvh *tree, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    const uint32_t two = 63 - (uint32_t)__builtin_clzll(rays);
    const float depth = frustum_closest_approach(p, one, two);
    if (!(fabsf(depth) <= frustum_apex_max(p, tree))) {
        return false;
    }
    const float *along = p->rays->from[p->axis[2]];
    const float first = p->sign > 0 ? least_of(along) : most_of(along);
    const float at = along[one] + p->sign * depth;
    p->apex[2] = p->sign > 0 ? (at < first ? at : first) : (at > first ? at : first);
    const float back = p->sign * (p->apex[2] - along[one]);
    for (int i = 0; i < 2; i++) {
        const uint32_t axis = p->axis[i];
        const float slope = p->rays->dir[axis][one] / fabsf(p->rays->dir[p->axis[2]][one]);
        p->apex[i] = p->rays->from[axis][one] + slope * back;
    }
    return frustum_set_reach(p, tree);
}

/* Chooses c where all rays begin.  False: they do not begin in one point, or that is outside the
 * range of the float filters. */
static bool frustum_choose_origin(frustum *p, const sl_bvh *tree)
{
    for (int i = 0; i < 3; i++) {
        const float *from = p->rays->from[p->axis[i]];
        if (!one_number(from)) {
            return false;
        }
        p->apex[i] = from[0];
    }
    return frustum_set_reach(p, tree);
}

/* Chooses c for lines that do not meet: between the origins of two of the rays, no deeper than any.
 * False: c is outside the range of the float filters, or far from the tree. */
static bool frustum_choose_centre(frustum *p, const sl_bvh *tree, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    const uint32_t two = 63 - (uint32_t)__builtin_clzll(rays);
    float extent = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t axis = p->axis[i];
        const float *from = p->rays->from[axis];
        const float low = tree->bounds.min[axis], high = tree->bounds.max[axis];
        p->apex[i] = i < 2         ? 0.5f * (from[one] + from[two])
                     : p->sign > 0 ? least_of(from)
                                   : most_of(from);
        extent = float_max(extent, float_max(high - p->apex[i], p->apex[i] - low));
        size = float_max(size, high - low);
    }
    p->delta_max = size * PACKET_SPREAD;
    return frustum_set_reach(p, tree) && extent <= BASE_FAR * size;
}

/* Computes where sixteen rays begin and end in depth, and in low what tmin is there, of rays whose
 * origins have depths `from`; returns those within the range. */
static SLI_FORCE_INLINE uint32_t frustum_limits(frustum *p, int ray, f16 from, f16 size, f16 *low)
{
    const f16 tmin = f16_load(p->rays->limits[0] + ray), tmax = f16_load(p->rays->limits[1] + ray);
    f16_store(p->start + ray, from);
    f16_store(p->rate + ray, size);
    *low = f16_muladd(tmin, size, from);
    const f16 high = f16_muladd(tmax, size, from), tiny = f16_splat(RAY_T_TINY);
    f16_store(p->after + ray,
              f16_add(f16_muladd(*low, f16_splat(0x1p-20f), *low), f16_splat(4 * RAY_T_TINY)));
    f16_store(p->bound + ray, f16_add(f16_muladd(high, f16_splat(8 * WALK_U), high), tiny));
    return f16_bits_le(f16_splat(0), tmin) & f16_bits_le(f16_splat(0x1p-120f), size) &
           f16_bits_le(size, f16_splat(0x1p120f));
}

/* Computes slopes and limits of sixteen rays; returns those that pass c closely enough. miss
 * becomes how closely, way the depth of their origins. */
static uint32_t frustum_lines(frustum *p, int ray, float *miss, float *way)
{
    const packet_rays *rays = p->rays;
    const f16 size = f16_abs(f16_load(rays->dir[p->axis[2]] + ray));
    const f16 inverse = f16_div(f16_splat(1), size);
    const f16 from = f16_mul(f16_sub(f16_load(rays->from[p->axis[2]] + ray), f16_splat(p->apex[2])),
                             f16_splat(p->sign));
    const f16 zero = f16_splat(0);
    const float miss_max = FRUSTUM_MISS_MAX * WALK_U * p->reach;
    const f16 most = f16_splat(p->spread                 ? p->delta_max
                               : miss_max < p->error_max ? miss_max
                                                         : p->error_max);
    f16 off = zero, slope[2], delta[2], low;
    uint32_t good = f16_bits_le(zero, from) & frustum_limits(p, ray, from, size, &low);
    for (int i = 0; i < 2; i++) {
        slope[i] = f16_mul(f16_load(rays->dir[p->axis[i]] + ray), inverse);
        const f16 away = f16_sub(f16_load(rays->from[p->axis[i]] + ray), f16_splat(p->apex[i]));
        delta[i] = f16_nmuladd(slope[i], from, away);
        const f16 passes = f16_abs(delta[i]);
        good &= f16_bits_le(f16_abs(slope[i]), f16_splat(2)) & f16_bits_le(passes, most);
        f16_store(p->slope[i] + ray, slope[i]);
        off = f16_max(passes, off);
    }
    if (p->spread) {
        f16_store(p->delta[0] + ray, delta[0]);
        f16_store(p->delta[1] + ray, delta[1]);
        f16_store(p->moment + ray, f16_nmuladd(slope[1], delta[0], f16_mul(slope[0], delta[1])));
    }
    f16_store(miss + ray, off);
    f16_store(way + ray, from);
    return good;
}

/* The rays whose lines meet in a point, or, spread, whose origins are near one another, if they are
 * many. */
static uint64_t frustum_rays(frustum *p, const sl_bvh *tree, uint64_t rays, bool spread,
                             float miss[PACKET], float way[PACKET])
{
    p->spread = p->apart = spread;
    p->parallel = false;
    if (!(spread ? frustum_choose_centre(p, tree, rays) : frustum_choose_apex(p, tree, rays))) {
        return 0;
    }
    uint64_t good = 0;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        good |= (uint64_t)frustum_lines(p, ray, miss, way) << ray;
    }
    good &= rays;
    return (uint32_t)__builtin_popcountll(good) < p->rays_min ? 0 : good;
}
