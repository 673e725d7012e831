/* Makes a frustum (packet/frustum.inl) of those rays of a packet that fit, if they are many. */
#pragma once

#include "bvh/kernel/packet/frustum_groups.inl"
#include "bvh/kernel/packet/frustum_lines.inl"

/* Gives rays that take no part the numbers of one that does, of their group if there is one, so
 * that they widen nothing. */
static void frustum_fill(float row[PACKET], uint64_t rays)
{
    for (int ray = 0; ray < PACKET && rays != UINT64_MAX; ray += PACKET_LANES) {
        const uint32_t there = rays >> ray & 0xFFFF;
        const int one = there != 0 ? ray + __builtin_ctz(there) : __builtin_ctzll(rays);
        const f16 other = f16_splat(row[one]);
        f16_store(row + ray, f16_where(there, f16_load(row + ray), other));
    }
}

/* Sets how far boxes may grow. */
static void frustum_set_error_max(frustum *p, const sl_bvh *tree)
{
    float size = 0;
    for (int axis = 0; axis < 3; axis++) {
        size = float_max(size, tree->bounds.max[axis] - tree->bounds.min[axis]);
    }
    p->error_max = FRUSTUM_ERROR_MAX * size / sqrtf((float)tree->triangle_count);
}

/* Sets how far planes relative to c are moved outward: by the error of a slab, and by how far lines
 * pass c.  False: too far. */
static bool frustum_set_box_error(frustum *p, const sl_bvh *tree)
{
    float extent = WALK_LEAST;
    for (int i = 0; i < 3; i++) {
        const uint32_t axis = p->axis[i];
        extent = float_max(extent, float_max(tree->bounds.max[axis] - p->apex[i],
                                             p->apex[i] - tree->bounds.min[axis]));
    }
    p->box_error = p->miss + FRUSTUM_SLAB_ERROR * WALK_U * (extent + p->away);
    return p->box_error <= p->error_max;
}

/* Excludes rays that take no part from bounds, and sets what holds for all that do. */
static void frustum_finish_rays(frustum *p, uint64_t rays, const float miss[PACKET],
                                const float way[PACKET])
{
    float longest[PACKET], begin[PACKET];
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        const uint32_t there = rays >> ray & 0xFFFF;
        f16 sum = f16_abs(f16_load(p->rays->dir[0] + ray));
        sum = f16_add(sum, f16_abs(f16_load(p->rays->dir[1] + ray)));
        sum = f16_add(sum, f16_abs(f16_load(p->rays->dir[2] + ray)));
        f16_store(longest + ray, f16_where(there, sum, f16_splat(0)));
        f16_store(p->bound + ray, f16_where(there, f16_load(p->bound + ray), f16_splat(-INFINITY)));
        f16_store(p->t + ray, f16_splat(INFINITY));
        const f16 low = f16_muladd(f16_load(p->rays->limits[0] + ray), f16_load(p->rate + ray),
                                   f16_load(p->start + ray));
        f16_store(begin + ray, f16_where(there, low, f16_splat(INFINITY)));
    }
    p->least = least_of(begin) * (1 - 8 * WALK_U);
    const float farthest = most_of(way), most = most_of(miss);
    p->away = p->spread ? 2 * most : 0;
    p->miss =
        (p->spread ? 4 * WALK_U : 1 + 4 * WALK_U) * most + 16 * WALK_U * farthest + 4 * p->moved;
    p->dir_size = (double)most_of(longest) * (1 + 8 * (double)WALK_U);
    p->origin_size = 6 * (double)farthest + 4 * ((double)p->miss + (double)p->away);
}

/* Sets what holds for rays as given to a tree; batch, stats and hooks are the caller's. */
static void frustum_of_tree(frustum *p)
{
    p->moved = 0;
    p->t_slack = RAY_T_SLACK;
    p->rays_min = PACKET_RAYS_MIN;
    p->any = false;
}

/* Prepares all rays of a packet in one pass, where they begin in one point: c is that, and no line
 * passes it by more than rays may be off.  False: they do not, or some do not fit. */
static bool frustum_from_point(frustum *p, const sl_bvh *tree)
{
    if (!frustum_choose_origin(p, tree)) {
        return false;
    }
    uint32_t good = 0xFFFF;
    f16 begin = f16_splat(INFINITY), longest = f16_splat(0);
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        const f16 size = f16_abs(f16_load(p->rays->dir[p->axis[2]] + ray));
        const f16 inverse = f16_div(f16_splat(1), size);
        f16 sum = size, low;
        for (int i = 0; i < 2; i++) {
            const f16 dir = f16_load(p->rays->dir[p->axis[i]] + ray);
            const f16 slope = f16_mul(dir, inverse);
            f16_store(p->slope[i] + ray, slope);
            good &= f16_bits_le(f16_abs(slope), f16_splat(2));
            sum = f16_add(sum, f16_abs(dir));
        }
        good &= frustum_limits(p, ray, f16_splat(0), size, &low);
        begin = f16_min(low, begin);
        longest = f16_max(sum, longest);
        f16_store(p->t + ray, f16_splat(INFINITY));
    }
    p->spread = false;
    p->least = f16_least(begin) * (1 - 8 * WALK_U);
    p->away = 0;
    p->miss = 4 * p->moved;
    p->dir_size = (double)f16_most(longest) * (1 + 8 * (double)WALK_U);
    p->origin_size = 4 * (double)p->miss;
    return good == 0xFFFF;
}

/* Makes a frustum of those rays whose lines meet in a point or are spread; returns these, 0 if too
 * few do. */
static uint64_t frustum_from_lines(frustum *p, const sl_bvh *tree, uint64_t rays)
{
    float miss[PACKET], way[PACKET];
    const uint64_t meet = frustum_rays(p, tree, rays, false, miss, way);
    rays = meet != 0 ? meet : frustum_rays(p, tree, rays, true, miss, way);
    if (rays == 0) {
        return 0;
    }
    frustum_fill(p->slope[0], rays);
    frustum_fill(p->slope[1], rays);
    fill_out(miss, rays);
    fill_out(way, rays);
    frustum_finish_rays(p, rays, miss, way);
    return rays;
}

/* Makes a frustum of these rays; returns those that take part, 0 if too few do.  What
 * frustum_of_tree sets is set. */
static uint64_t make_frustum(frustum *p, const sl_bvh *tree, const packet_rays *as, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    uint32_t z = 0, octant = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        z = fabsf(as->dir[axis][one]) > fabsf(as->dir[z][one]) ? axis : z;
        const uint32_t negative = as->dir[axis][one] < 0;
        p->near_side[axis] = NODE_AXIS * axis + NODE_SIDE * negative;
        octant |= negative << axis;
    }
    p->rays = as;
    p->shift = 3 * octant;
    p->sign = as->dir[z][one] < 0 ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < 3; i++) {
        p->axis[i] = (z + 1 + i) % 3;
    }
    frustum_set_error_max(p, tree);
    if (rays != UINT64_MAX || !frustum_from_point(p, tree)) {
        rays = frustum_from_lines(p, tree, rays);
    }
    if (rays == 0 || !frustum_make_groups(p)) {
        return 0;
    }
    if (p->spread) {
        frustum_fill(p->delta[0], rays);
        frustum_fill(p->delta[1], rays);
        frustum_fill(p->moment, rays);
        frustum_make_deltas(p);
    }
    p->by_line = false;
    if (!frustum_set_box_error(p, tree)) {
        return 0;
    }
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
    frustum_update_bounds(p);
    p->found = p->held = p->held_back = 0;
    p->spent = FRUSTUM_COST_START;
    p->saved = PACKET_COST_RAY * (uint32_t)__builtin_popcountll(rays);
    p->listed = 0;
    p->ref[0] = tree->root;
    p->near[0] = -INFINITY;
    p->lines[0] = rays;
    p->top = 1;
    return rays;
}
