/* Common-origin frustum: sixty-four rays whose lines pass through one point c, the apex, or close
 * by.  Such are the rays of a pinhole camera, even if their origins lie on the near plane, each
 * rounded on its own.  Part of the closest-hit batches: sl_bvh_closest_many() (closest_many of the
 * kernel table) tries it first on each packet (packet/packet.inl).
 *
 * The idea is that of Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing Algorithm" (2005): a
 * box of directions is tested like one direction.  Relative to c, let P_i be the corners of a
 * triangle and e_i its sides.  The sign of d . (P_i x e_i) tells on which side of e_i a line of
 * direction d passes.  These three vectors are the same for all rays, so they are computed once,
 * with an error bound that covers how far lines pass c.
 *
 * Four groups of sixteen rays go down the tree as four frusta, that is four boxes of directions.
 * No ray is tested against a node; at a leaf one test of four triangles and four groups dismisses
 * most triangles, or finds that they cover all of a group. docs/notes/frustum.md derives the
 * bounds.
 *
 * Axes: z is the axis along which the first ray's direction is largest, x and y follow it in turn.
 * The depth of a point is |z - c.z|, and slopes are steps along x and y per step of depth.
 *
 * Outline
 *   make_frustum       chooses c (frustum_choose_apex), slopes of all rays (frustum_lines), the box
 *                      of slopes of each group (frustum_make_groups)
 *   frustum_traverse   nodes and leaves (packet/frustum_traverse.inl)
 *   frustum_decide     triangles that floats could not dismiss (packet/frustum_decide.inl)
 *   frustum_write      the answers */
#ifndef SLI_KERNEL_PACKET_FRUSTUM_INL
#define SLI_KERNEL_PACKET_FRUSTUM_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"

#include <math.h>

enum {
    FRUSTUM_GROUPS = PACKET_GROUPS,
    FRUSTUM_PAIRS = FRUSTUM_GROUPS / 2, /* two groups at eight children each fill a register */
    FRUSTUM_LIST_MAX = 32,
    /* Costs in the units of packet/budget.inl. */
    FRUSTUM_COST_START = 400,
    FRUSTUM_COST_NODE = 20,
    FRUSTUM_COST_LEAF = 100,
    FRUSTUM_COST_TRIANGLE = 24, /* against the rays of a group */
    FRUSTUM_COST_EIGHT = 64     /* in doubles */
};

/* How far lines may pass c, in units of u (G + C). */
#define FRUSTUM_MISS_MAX 32
/* The error of a slab, in units of u times how far the tree extends from c. */
#define FRUSTUM_SLAB_ERROR 16

/* If the depths of a triangle's corners differ by no more than this share, they bound the depth of
 * a hit well enough. */
#define FRUSTUM_FLAT_MAX 0x1p-8f

/* Errors of determinants, in units of the product of the |x| + |y| + |z| of their vectors, and what
 * underflow may lose. */
#define FRUSTUM_SIDE_ERROR   (32 * WALK_U)
#define FRUSTUM_DET_ERROR    (24 * WALK_U)
#define FRUSTUM_VOLUME_ERROR (12 * WALK_U)
#define FRUSTUM_TINY         0x1p-100f

typedef struct frustum_item {
    float from[PACKET_LANES]; /* lower bound on the depth, per ray */
    uint32_t group, rays;     /* of it */
    uint32_t sure;            /* of these: surely inside the triangle's sides */
    uint32_t back;            /* of those: on its back */
    uint32_t place;           /* line * SLI_PACK + lane */
} frustum_item;

/* 1 / slope of two groups, laid out for eight children each. */
typedef struct frustum_steps {
    float step[2][2][PACKET_LANES]; /* [x, y][least, greatest slope][group and child] */
} frustum_steps;

typedef struct frustum {
    const packet_rays *rays;
    uint32_t axis[3];     /* x, y and z as axes of space */
    float sign;           /* of all directions along z */
    float apex[3], reach; /* c along these axes; G + C */
    float miss;           /* bound on how far lines pass c, along x or y */
    float slope[2][PACKET];
    float start[PACKET], rate[PACKET]; /* depth = start + t rate */
    float after[PACKET], bound[PACKET];
    frustum_steps steps[FRUSTUM_PAIRS];
    /* The boxes of slopes for four triangles and four groups at a time. */
    float middle[2][PACKET_LANES], extent[2][PACKET_LANES], slopes[2][2][PACKET_LANES];
    float box_error;       /* of boxes relative to c */
    uint32_t near_side[3]; /* offset of the near side in a node, in bytes, by axis of space */
    uint32_t shift;        /* in the words of a node's order, in bits */
    uint64_t taken;        /* rays of the frustum, the others are answered elsewhere */
    double dir_size;       /* no less than |x| + |y| + |z| of any direction */
    double origin_size;    /* no less than that of any origin relative to c */
    float t[PACKET], u[PACKET], v[PACKET];
    float prim[PACKET], flags[PACKET]; /* their bits */
    uint64_t found;
    bool narrows;   /* no cull, mask or skip: a sure hit narrows the search */
    uint32_t spent; /* so far, in the units of packet/budget.inl */
    uint32_t top, listed;
    float most_bound[FRUSTUM_GROUPS + 1]; /* largest bound of each group, and of all */
    uint32_t stale;                       /* groups whose most_bound has to be updated */
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK];
    uint8_t groups[SLI_STACK];
    frustum_item list[FRUSTUM_LIST_MAX];
} frustum;

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

/* Chooses c by the lines of two rays, no deeper than any origin.  False: they are nearly parallel,
 * or c is outside the range of the float filters. */
static bool frustum_choose_apex(frustum *p, const sl_bvh *tree, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    const uint32_t two = 63 - (uint32_t)__builtin_clzll(rays);
    const float depth = frustum_closest_approach(p, one, two);
    const float *along = p->rays->from[p->axis[2]];
    const float first = p->sign > 0 ? least_of(along) : most_of(along);
    const float at = along[one] + p->sign * depth;
    p->apex[2] = p->sign > 0 ? (at < first ? at : first) : (at > first ? at : first);
    const float back = p->sign * (p->apex[2] - along[one]);
    p->reach = tree->reach;
    for (int i = 0; i < 2; i++) {
        const uint32_t axis = p->axis[i];
        const float slope = p->rays->dir[axis][one] / fabsf(p->rays->dir[p->axis[2]][one]);
        p->apex[i] = p->rays->from[axis][one] + slope * back;
    }
    float most = 0;
    for (int i = 0; i < 3; i++) {
        most = fmaxf(most, fabsf(p->apex[i]));
    }
    p->reach = (tree->reach + most) * (1 + 4 * WALK_U);
    return fabsf(depth) <= 8 * tree->reach && p->reach >= 2 * WALK_LEAST && p->reach <= WALK_MOST;
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
    const f16 tmin = f16_load(rays->limits[0] + ray), tmax = f16_load(rays->limits[1] + ray);
    const f16 zero = f16_splat(0), most = f16_splat(FRUSTUM_MISS_MAX * WALK_U * p->reach);
    uint32_t good = f16_bits_le(zero, from) & f16_bits_le(zero, tmin) &
                    f16_bits_le(f16_splat(0x1p-120f), size) &
                    f16_bits_le(size, f16_splat(0x1p120f));
    f16 off = zero;
    for (int i = 0; i < 2; i++) {
        const f16 slope = f16_mul(f16_load(rays->dir[p->axis[i]] + ray), inverse);
        const f16 away = f16_sub(f16_load(rays->from[p->axis[i]] + ray), f16_splat(p->apex[i]));
        const f16 passes = f16_abs(f16_nmuladd(slope, from, away));
        good &= f16_bits_le(f16_abs(slope), f16_splat(2)) & f16_bits_le(passes, most);
        f16_store(p->slope[i] + ray, slope);
        off = f16_max(passes, off);
    }
    f16_store(miss + ray, off);
    f16_store(way + ray, from);
    f16_store(p->start + ray, from);
    f16_store(p->rate + ray, size);
    const f16 low = f16_muladd(tmin, size, from), high = f16_muladd(tmax, size, from);
    const f16 tiny = f16_splat(RAY_T_TINY);
    f16_store(p->after + ray,
              f16_add(f16_muladd(low, f16_splat(0x1p-20f), low), f16_splat(4 * RAY_T_TINY)));
    f16_store(p->bound + ray, f16_add(f16_muladd(high, f16_splat(8 * WALK_U), high), tiny));
    return good;
}

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

/* Updates the largest bounds of the groups that have changed, and of all. */
static void frustum_update_bounds(frustum *p)
{
    for (uint32_t left = p->stale; left != 0; left &= left - 1) {
        const uint32_t group = (uint32_t)__builtin_ctz(left);
        p->most_bound[group] = f16_most(f16_load(p->bound + group * PACKET_LANES));
    }
    float most = p->most_bound[0];
    for (uint32_t group = 1; group < FRUSTUM_GROUPS; group++) {
        most = p->most_bound[group] > most ? p->most_bound[group] : most;
    }
    p->most_bound[FRUSTUM_GROUPS] = most;
    p->stale = 0;
}

/* The minimum of each of eight consecutive rows of sixteen. */
static f8 frustum_row_min(const float *rows)
{
    f8 row[8];
    for (int i = 0; i < 8; i++) {
        row[i] = f8_min(f8_load(rows + i * PACKET_LANES), f8_load(rows + i * PACKET_LANES + 8));
    }
    f8_transpose(row);
    for (int half = 4; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            row[i] = f8_min(row[i], row[i + half]);
        }
    }
    return row[0];
}

/* The maximum of each of eight consecutive rows of sixteen. */
static f8 frustum_row_max(const float *rows)
{
    f8 row[8];
    for (int i = 0; i < 8; i++) {
        row[i] = f8_max(f8_load(rows + i * PACKET_LANES), f8_load(rows + i * PACKET_LANES + 8));
    }
    f8_transpose(row);
    for (int half = 4; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) {
            row[i] = f8_max(row[i], row[i + half]);
        }
    }
    return row[0];
}

/* Makes 1 / slope for one end of each box, with the sign of the octant.  A slope below WALK_TINY, 0
 * included, counts as that. */
static void frustum_make_steps(frustum *p, int end, f8 slope)
{
    float steps[2 * FRUSTUM_GROUPS];
    f8_store(steps, f8_div(f8_splat(1), f8_max(f8_abs(slope), f8_splat(WALK_TINY))));
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            f8_store(p->steps[group / 2].step[i][end] + 8 * (group % 2),
                     f8_splat((negative ? -1.0f : 1.0f) * steps[i * FRUSTUM_GROUPS + group]));
        }
    }
}

/* Makes the box of slopes of each group.  False: the slopes of the rays differ too much. */
static bool frustum_make_groups(frustum *p)
{
    float middles[2 * FRUSTUM_GROUPS], extents[2 * FRUSTUM_GROUPS]; /* [axis][group] */
    float lows[2 * FRUSTUM_GROUPS], highs[2 * FRUSTUM_GROUPS];
    const f8 low = frustum_row_min(p->slope[0]), high = frustum_row_max(p->slope[0]);
    const f8 middle = f8_mul(f8_add(low, high), f8_splat(0.5f));
    const f8 extent = f8_max(f8_sub(high, middle), f8_sub(middle, low));
    frustum_make_steps(p, 0, low);
    frustum_make_steps(p, 1, high);
    f8_store(middles, middle);
    f8_store(extents, f8_mul(extent, f8_splat(1 + 2 * WALK_U)));
    f8_store(lows, low);
    f8_store(highs, high);
    bool narrow = true;
    for (int i = 0; i < 2; i++) {
        float least = INFINITY, most = -INFINITY;
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            const int k = i * FRUSTUM_GROUPS + group;
            f4_store(p->middle[i] + 4 * group, f4_splat(middles[k]));
            f4_store(p->extent[i] + 4 * group, f4_splat(extents[k]));
            f4_store(p->slopes[i][0] + 4 * group, f4_splat(lows[k]));
            f4_store(p->slopes[i][1] + 4 * group, f4_splat(highs[k]));
            least = lows[k] < least ? lows[k] : least;
            most = highs[k] > most ? highs[k] : most;
        }
        narrow = narrow && most - least <= PACKET_SPREAD;
    }
    return narrow;
}

/* Sets how far planes relative to c are moved outward: by the error of a slab, and by how far lines
 * pass c. */
static void frustum_set_box_error(frustum *p, const sl_bvh *tree)
{
    float extent = WALK_LEAST;
    for (int i = 0; i < 3; i++) {
        const uint32_t axis = p->axis[i];
        extent = fmaxf(extent, fmaxf(tree->bounds.max[axis] - p->apex[i],
                                     p->apex[i] - tree->bounds.min[axis]));
    }
    p->box_error = p->miss + FRUSTUM_SLAB_ERROR * WALK_U * extent;
}

/* Excludes rays that take no part from bounds, and sets what holds for all that do. */
static void frustum_finish_rays(frustum *p, uint64_t rays, const float miss[PACKET],
                                const float way[PACKET])
{
    float longest[PACKET];
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        const uint32_t there = rays >> ray & 0xFFFF;
        f16 sum = f16_abs(f16_load(p->rays->dir[0] + ray));
        sum = f16_add(sum, f16_abs(f16_load(p->rays->dir[1] + ray)));
        sum = f16_add(sum, f16_abs(f16_load(p->rays->dir[2] + ray)));
        f16_store(longest + ray, f16_where(there, sum, f16_splat(0)));
        f16_store(p->bound + ray, f16_where(there, f16_load(p->bound + ray), f16_splat(-INFINITY)));
        f16_store(p->t + ray, f16_splat(INFINITY));
    }
    const float farthest = most_of(way);
    p->miss = most_of(miss) * (1 + 4 * WALK_U) + 16 * WALK_U * farthest;
    p->dir_size = (double)most_of(longest) * (1 + 8 * (double)WALK_U);
    p->origin_size = 6 * (double)farthest + 4 * (double)p->miss;
}

/* Makes a frustum of these rays; returns those that take part, 0 if they do not meet in a point. */
static uint64_t make_frustum(frustum *p, const sl_bvh *tree, const packet_rays *as, uint64_t rays)
{
    float miss[PACKET], way[PACKET];
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
    if (!frustum_choose_apex(p, tree, rays)) {
        return 0;
    }
    uint64_t good = 0;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        good |= (uint64_t)frustum_lines(p, ray, miss, way) << ray;
    }
    rays &= good;
    if (__builtin_popcountll(rays) < PACKET_RAYS_MIN) {
        return 0;
    }
    frustum_fill(p->slope[0], rays);
    frustum_fill(p->slope[1], rays);
    fill_out(miss, rays);
    fill_out(way, rays);
    if (!frustum_make_groups(p)) {
        return 0;
    }
    frustum_finish_rays(p, rays, miss, way);
    frustum_set_box_error(p, tree);
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
    frustum_update_bounds(p);
    p->found = 0;
    p->spent = FRUSTUM_COST_START;
    p->listed = 0;
    p->ref[0] = tree->root;
    p->near[0] = -INFINITY;
    p->groups[0] = (1 << FRUSTUM_GROUPS) - 1;
    p->top = 1;
    return rays;
}

#endif
