/* Sixty-four rays whose lines all pass through one point, or close by: those of a camera, whose
 * origins on the near plane are rounded each on its own, or those of one eye.
 *
 * Where lines meet in c, what a triangle is to them is a matter of three vectors: with the corners
 * P seen from c and the sides e, a line of direction d passes the side e_i on the side that the
 * sign of d . (P_i x e_i) tells.  These vectors are made once for all rays, with an error bound
 * that covers how far lines pass c; a box of directions is asked like one direction (compare
 * Reshetov, Soupikov and Hurley, Multi-Level Ray Tracing Algorithm, 2005).
 *
 * So four groups of sixteen rays walk down the tree as four boxes of directions, no ray is tested
 * against a node, and most triangles are dismissed, or found to cover all of a group, in one
 * go for four triangles and four groups.  docs/notes/pencils.md derives the bounds.
 *
 * The axes here: z is the one along which the directions are largest, x and y those behind it in
 * turn. Along all rays depth is |z - c.z|, and slopes are steps along x and y for one of depth. */
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
    FRUSTUM_PAIRS = FRUSTUM_GROUPS / 2, /* two groups of eight children in a register */
    FRUSTUM_LIST_MAX = 32
};

/* How far lines may pass c, in u (G + C); and what is so far off is within the error of a slab. */
#define FRUSTUM_MISS_MAX   32
#define FRUSTUM_SLAB_ERROR 16

/* Where a triangle's corners are in depth no farther apart than this share, they are good enough
 * for what its rays find. */
#define FRUSTUM_FLAT_MAX 0x1p-8f

/* Errors of determinants, in the product of the sums of |coordinates| of their vectors, and what
 * numbers too small for their digits may lose. */
#define FRUSTUM_SIDE_ERROR   (32 * WALK_U)
#define FRUSTUM_DET_ERROR    (24 * WALK_U)
#define FRUSTUM_VOLUME_ERROR (12 * WALK_U)
#define FRUSTUM_TINY         0x1p-100f

typedef struct frustum_item {
    float from[PACKET_LANES]; /* depth is not less */
    uint32_t group, rays;     /* of it */
    uint32_t sure, back;      /* of these: surely within the sides, and on which face */
    uint32_t place;           /* line * SLI_PACK + lane */
} frustum_item;

/* What a group does with a node, for eight children and two groups at a time. */
typedef struct frustum_steps {
    float step[2][2][PACKET_LANES]; /* depth for a step along x, y: at both ends */
} frustum_steps;

typedef struct frustum {
    const packet_rays *rays;
    uint32_t axis[3];      /* x, y and z */
    float sign;            /* of the directions' z */
    float point[3], reach; /* c, along these axes; G + C */
    float miss;            /* lines pass c no farther off, along x or y */
    float slope[2][PACKET];
    float start[PACKET], rate[PACKET]; /* depth = start + t rate */
    float after[PACKET], bound[PACKET];
    frustum_steps beams[FRUSTUM_PAIRS];
    /* The same for four triangles and four groups at a time. */
    float middle[2][PACKET_LANES], extent[2][PACKET_LANES], slopes[2][2][PACKET_LANES];
    float box_error;                   /* of boxes, seen from c */
    uint32_t near_side[3];             /* where near sides begin in a node, in bytes */
    float near_point[3], far_point[3]; /* c moved so far that the rounding is outward */
    uint32_t shift;                    /* in the words of a node's order */
    uint64_t taken;                    /* rays that take part */
    double longest, nearest_origin; /* sums of |coordinates|: of a direction; of an origin from c */
    float t[PACKET], u[PACKET], v[PACKET], prim[PACKET], flags[PACKET]; /* the last two: as bits */
    uint64_t found;
    bool narrows; /* a sure hit counts: no option says otherwise */
    uint32_t top, listed;
    float most_bound[FRUSTUM_GROUPS + 1]; /* of each group, and of all */
    uint32_t stale;                       /* groups whose bounds are less now */
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK];
    uint8_t groups[SLI_STACK];
    frustum_item list[FRUSTUM_LIST_MAX];
} frustum;

/* Where two lines come closest: depth from the first one's origin. */
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

/* Chooses c by two of the rays, not before any origin.  False: they are as good as parallel. */
static bool frustum_choose_apex(frustum *p, const sl_bvh *tree, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    const uint32_t two = 63 - (uint32_t)__builtin_clzll(rays);
    const float depth = frustum_closest_approach(p, one, two);
    const float *along = p->rays->from[p->axis[2]];
    const float first = p->sign > 0 ? least_of(along) : most_of(along);
    const float at = along[one] + p->sign * depth;
    p->point[2] = p->sign > 0 ? (at < first ? at : first) : (at > first ? at : first);
    const float back = p->sign * (p->point[2] - along[one]);
    p->reach = tree->reach;
    for (int i = 0; i < 2; i++) {
        const uint32_t axis = p->axis[i];
        const float slope = p->rays->dir[axis][one] / fabsf(p->rays->dir[p->axis[2]][one]);
        p->point[i] = p->rays->from[axis][one] + slope * back;
    }
    float most = 0;
    for (int i = 0; i < 3; i++) {
        most = fmaxf(most, fabsf(p->point[i]));
    }
    p->reach = (tree->reach + most) * (1 + 4 * WALK_U);
    return fabsf(depth) <= 8 * tree->reach && p->reach >= 2 * WALK_LEAST && p->reach <= WALK_MOST;
}

/* Makes sixteen rays; returns those that pass c closely enough, and how closely.
 *
 * Slopes are off by 2u of themselves, and how far a line passes c by less than 12u of the way
 * there. */
static uint32_t frustum_lines(frustum *p, int ray, float *miss, float *way)
{
    const packet_rays *rays = p->rays;
    const f16 size = f16_abs(f16_load(rays->dir[p->axis[2]] + ray));
    const f16 inverse = f16_div(f16_splat(1), size);
    const f16 from =
        f16_mul(f16_sub(f16_load(rays->from[p->axis[2]] + ray), f16_splat(p->point[2])),
                f16_splat(p->sign));
    const f16 tmin = f16_load(rays->limits[0] + ray), tmax = f16_load(rays->limits[1] + ray);
    const f16 zero = f16_splat(0), most = f16_splat(FRUSTUM_MISS_MAX * WALK_U * p->reach);
    uint32_t good = f16_bits_le(zero, from) & f16_bits_le(zero, tmin) &
                    f16_bits_le(f16_splat(0x1p-120f), size) &
                    f16_bits_le(size, f16_splat(0x1p120f));
    f16 off = zero;
    for (int i = 0; i < 2; i++) {
        const f16 slope = f16_mul(f16_load(rays->dir[p->axis[i]] + ray), inverse);
        const f16 away = f16_sub(f16_load(rays->from[p->axis[i]] + ray), f16_splat(p->point[i]));
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

/* Rays that take no part get the numbers of one that does, of their group where there is one. */
static void frustum_fill(float row[PACKET], uint64_t rays)
{
    for (int ray = 0; ray < PACKET && rays != UINT64_MAX; ray += PACKET_LANES) {
        const uint32_t there = rays >> ray & 0xFFFF;
        const int one = there != 0 ? ray + __builtin_ctz(there) : __builtin_ctzll(rays);
        const f16 other = f16_splat(row[one]);
        f16_store(row + ray, f16_where(there, f16_load(row + ray), other));
    }
}

/* The largest bounds of the groups that have changed. */
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

/* The least of each row of sixteen, for eight rows one behind the other. */
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

/* Depth for a step, at one end of each box; a slope that is 0, or as good as that, counts as the
 * least of its sign. */
static void frustum_make_steps(frustum *p, int end, f8 slope)
{
    float steps[2 * FRUSTUM_GROUPS];
    f8_store(steps, f8_div(f8_splat(1), f8_max(f8_abs(slope), f8_splat(WALK_TINY))));
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            f8_store(p->beams[group / 2].step[i][end] + 8 * (group % 2),
                     f8_splat((negative ? -1.0f : 1.0f) * steps[i * FRUSTUM_GROUPS + group]));
        }
    }
}

/* A box of directions for each group.  False: they are too far apart. */
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

/* Sides of boxes from c, outward by the error of a slab and by how far lines pass c. */
static void frustum_shift_planes(frustum *p)
{
    const float error = p->miss + FRUSTUM_SLAB_ERROR * WALK_U * p->reach;
    p->box_error = error;
    for (int i = 0; i < 3; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        p->near_point[i] = negative ? p->point[i] - error : p->point[i] + error;
        p->far_point[i] = negative ? p->point[i] + error : p->point[i] - error;
    }
}

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
    p->longest = (double)most_of(longest) * (1 + 8 * (double)WALK_U);
    p->nearest_origin = 6 * (double)farthest + 4 * (double)p->miss;
}

/* Of these rays, those that take part; 0: they are no frustum. */
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
    frustum_shift_planes(p);
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
    frustum_update_bounds(p);
    p->found = 0;
    p->listed = 0;
    p->ref[0] = tree->root;
    p->near[0] = -INFINITY;
    p->groups[0] = (1 << FRUSTUM_GROUPS) - 1;
    p->top = 1;
    return rays;
}

#endif
