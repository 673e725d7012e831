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

/* Sets what holds for all rays, by the least depth where one begins, by how far their lines pass c
 * at most, and by how deep origins are. */
static void frustum_finish(frustum *p, float begin, float most, float farthest)
{
    p->least = begin * (1 - 8 * WALK_U);
    p->away = p->apart ? 2 * most : 0;
    p->miss =
        (p->apart ? 4 * WALK_U : 1 + 4 * WALK_U) * most + 16 * WALK_U * farthest + 4 * p->moved;
    p->origin_size = 6 * (double)farthest + 4 * ((double)p->miss + (double)p->away);
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
        f16_store(p->hits->t + ray, f16_splat(INFINITY));
        const f16 low = f16_muladd(f16_load(p->rays->limits[0] + ray), f16_load(p->rate + ray),
                                   f16_load(p->start + ray));
        f16_store(begin + ray, f16_where(there, low, f16_splat(INFINITY)));
    }
    p->dir_size = (double)most_of(longest) * (1 + 8 * (double)WALK_U);
    frustum_finish(p, least_of(begin), most_of(miss), most_of(way));
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
        f16_store(p->hits->t + ray, f16_splat(INFINITY));
    }
    p->spread = p->apart = p->parallel = false;
    p->dir_size = (double)f16_most(longest) * (1 + 8 * (double)WALK_U);
    frustum_finish(p, f16_least(begin), 0, 0);
    return good == 0xFFFF;
}

/* Prepares all rays of a packet in one pass, where they have one direction and begin near one
 * another: parallel lines.  False: they do not, or some do not fit. */
static SLI_NOINLINE bool frustum_from_direction(frustum *p, const sl_bvh *tree)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!one_number(p->rays->dir[axis])) {
            return false;
        }
    }
    if (!frustum_choose_centre(p, tree, UINT64_MAX)) {
        return false;
    }
    const f16 zero = f16_splat(0), most = f16_splat(p->delta_max);
    const float size = fabsf(p->rays->dir[p->axis[2]][0]), inverse = 1 / size;
    f16 begin = f16_splat(INFINITY), farthest = zero, off = zero;
    uint32_t good = 0xFFFF;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        f16 low;
        const f16 along = f16_load(p->rays->from[p->axis[2]] + ray);
        const f16 from = f16_mul(f16_sub(along, f16_splat(p->apex[2])), f16_splat(p->sign));
        good &= f16_bits_le(zero, from) & frustum_limits(p, ray, from, f16_splat(size), &low);
        begin = f16_min(low, begin);
        farthest = f16_max(from, farthest);
        for (int i = 0; i < 2; i++) {
            const f16 slope = f16_splat(p->rays->dir[p->axis[i]][0] * inverse);
            const f16 at = f16_load(p->rays->from[p->axis[i]] + ray);
            const f16 delta = f16_nmuladd(slope, from, f16_sub(at, f16_splat(p->apex[i])));
            f16_store(p->slope[i] + ray, slope);
            f16_store(p->delta[i] + ray, delta);
            off = f16_max(f16_abs(delta), off);
        }
        f16_store(p->hits->t + ray, f16_splat(INFINITY));
    }
    good &= f16_bits_le(off, most);
    p->spread = false;
    p->apart = p->parallel = true;
    p->dir_size = ((double)fabsf(p->rays->dir[0][0]) + (double)fabsf(p->rays->dir[1][0]) +
                   (double)fabsf(p->rays->dir[2][0])) *
                  (1 + 8 * (double)WALK_U);
    frustum_finish(p, f16_least(begin), f16_most(off), f16_most(farthest));
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
    if (rays != UINT64_MAX || !(frustum_from_point(p, tree) || frustum_from_direction(p, tree))) {
        rays = frustum_from_lines(p, tree, rays);
    }
    if (rays == 0) {
        return 0;
    }
    if (p->parallel) {
        frustum_make_direction(p);
    } else if (!frustum_make_groups(p)) {
        return 0;
    } else if (p->spread) {
        frustum_fill(p->delta[0], rays);
        frustum_fill(p->delta[1], rays);
        frustum_fill(p->moment, rays);
        frustum_make_moments(p);
    }
    if (p->apart) {
        frustum_make_deltas(p);
    }
    p->place = p->parallel ? p->delta : p->slope;
    p->few = p->parallel ? FRUSTUM_FEW_PARALLEL : p->spread ? 0 : PACKET_LANES;
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
