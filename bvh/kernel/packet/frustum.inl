/* Frustum: sixty-four rays whose lines pass near one point c, the apex.  Part of the closest-hit
 * batches: sl_bvh_closest_many() (closest_many of the kernel table) tries it on each packet
 * (packet/packet.inl).  There are two kinds:
 *     lines that meet in c, or so close by that it makes no difference: rays of a pinhole camera,
 *     even if their origins lie on the near plane, each rounded on its own;
 *     lines that are spread: each passes c at a distance delta of its own, as rays of a parallel
 *     projection do.
 *
 * The idea is that of Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing Algorithm" (2005): a
 * box of directions is tested like one direction.  Relative to c, let P_i be the corners of a
 * triangle and e_i its sides.  The sign of d . (P_i x e_i) tells on which side of e_i a line of
 * direction d through c passes; for one that passes c at delta, (d x delta) . e_i is taken off,
 * with its moment as Plücker has it.  The vectors of a triangle are the same for all rays, so they
 * are computed once, with an error bound.
 *
 * Four groups of sixteen rays go down the tree as four frusta, that is four boxes of directions and
 * of delta, with a mask of the lines that are still there.  Boxes hardly wider than a group
 * are tested against each of its lines besides, sixteen at a time (as in Boulos et al.,
 * "Packet-based Whitted and Distribution Ray Tracing", 2007); at a leaf one test of four triangles
 * and four groups dismisses most triangles, or finds that they cover all of a group.
 * docs/notes/frustum.md derives the bounds.
 *
 * Axes: z is the axis along which the first ray's direction is largest, x and y follow it in turn.
 * The depth of a point is |z - c.z|, and slopes are steps along x and y per step of depth.
 *
 * Outline
 *   make_frustum       chooses c (frustum_choose_apex or _centre), slopes and delta of all rays
 *                      (frustum_lines), their box for each group (frustum_make_groups, _deltas)
 *   frustum_traverse   nodes and leaves (packet/frustum_traverse.inl)
 *   frustum_decide     triangles that floats could not dismiss (packet/frustum_decide.inl)
 *   frustum_write      the answers */
#ifndef SLI_KERNEL_PACKET_FRUSTUM_INL
#define SLI_KERNEL_PACKET_FRUSTUM_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/packet/budget.inl"
#include "bvh/kernel/packet/rays.inl"
#include "bvh/kernel/reference/base.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <math.h>

enum {
    FRUSTUM_GROUPS = PACKET_GROUPS,
    FRUSTUM_PAIRS = FRUSTUM_GROUPS / 2, /* two groups at eight children each fill a register */
    FRUSTUM_LIST_MAX = 32,
    /* Costs in the units of packet/budget.inl. */
    FRUSTUM_COST_START = 300,
    FRUSTUM_COST_NODE = 45,
    FRUSTUM_COST_CHILD = 4, /* against the rays of a group */
    FRUSTUM_COST_LEAF = 80,
    FRUSTUM_COST_TRIANGLE = 22, /* against the rays of a group */
    FRUSTUM_COST_EIGHT = 70     /* in doubles */
};

/* Boxes that are less than so many times as wide as a group are tested against each line. */
#define FRUSTUM_BOX_MIN 2

/* Slopes differ by less than this. */
#define FRUSTUM_SLOPES_MAX 0.5f

/* How far lines may pass c, in units of u (G + C). */
#define FRUSTUM_MISS_MAX 32
/* The error of a slab, in units of u times how far the tree extends from c. */
#define FRUSTUM_SLAB_ERROR 16

/* If the depths of a triangle's corners differ by no more than this share, they bound the depth of
 * a hit well enough. */
#define FRUSTUM_FLAT_MAX 0x1p-8f

/* Errors of determinants, in units of the product of the |x| + |y| + |z| of their vectors, and what
 * underflow may lose. */
#define FRUSTUM_SIDE_ERROR   (48 * WALK_U)
#define FRUSTUM_DET_ERROR    (24 * WALK_U)
#define FRUSTUM_VOLUME_ERROR (20 * WALK_U)
#define FRUSTUM_TINY         0x1p-100f

typedef struct frustum_item {
    float from[PACKET_LANES]; /* lower bound on the depth, per ray */
    uint32_t group, rays;     /* of it */
    uint32_t sure;            /* of these: surely inside the triangle's sides */
    uint32_t back;            /* of those: on its back */
    uint32_t place;           /* line * SLI_PACK + lane */
} frustum_item;

/* 1 / slope and delta of two groups, laid out for eight children each. */
typedef struct frustum_steps {
    float step[2][2][PACKET_LANES];  /* [x, y][least, greatest slope][group and child] */
    float delta[2][2][PACKET_LANES]; /* [x, y][for near sides, for far sides] */
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
    float least; /* no line is hit before this depth */
    frustum_steps steps[FRUSTUM_PAIRS];
    /* The boxes of slopes for four triangles and four groups at a time. */
    float middle[2][PACKET_LANES], extent[2][PACKET_LANES], slopes[2][2][PACKET_LANES];
    bool spread;     /* lines pass c at delta; what follows of delta is used only then: */
    float delta_max; /* spread: of lines that take part */
    float away;      /* no less than |delta.x| + |delta.y| of any line */
    float delta[2][PACKET], moment[PACKET]; /* moment: slope.x delta.y - slope.y delta.x */
    float middle_delta[3][PACKET_LANES], extent_delta[3][PACKET_LANES]; /* x, y, moment */
    float deltas[2][2][PACKET_LANES]; /* the least and the greatest, like slopes */
    /* For boxes against lines one by one, once that is wanted: 1 / slope, -delta / slope. */
    bool by_line;
    float inverse[2][PACKET], offset[2][PACKET];
    float width[2][2];     /* boxes that are narrower: along x, y, by depth and besides */
    float box_error;       /* of boxes relative to c */
    uint32_t near_side[3]; /* offset of the near side in a node, in bytes, by axis of space */
    uint32_t shift;        /* in the words of a node's order, in bits */
    uint64_t taken;        /* rays of the frustum, the others are answered elsewhere */
    double dir_size;       /* no less than |x| + |y| + |z| of any direction */
    double origin_size;    /* no less than that of any origin relative to c */
    float t[PACKET], u[PACKET], v[PACKET];
    float prim[PACKET], flags[PACKET]; /* their bits */
    uint64_t found;
    bool narrows;          /* no cull, mask or skip: a sure hit narrows the search */
    uint64_t spent, saved; /* so far, in the units of packet/budget.inl */
    uint32_t top, listed;
    float most_bound[FRUSTUM_GROUPS + 1]; /* largest bound of each group, and of all */
    uint32_t stale;                       /* groups whose most_bound has to be updated */
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK];
    uint64_t lines[SLI_STACK];
    frustum_item list[FRUSTUM_LIST_MAX];
} frustum;

/* Without the detour that fmaxf takes for a NaN. */
static inline float float_max(float a, float b)
{
    return a > b ? a : b;
}

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
        most = float_max(most, fabsf(p->apex[i]));
    }
    p->reach = (tree->reach + most) * (1 + 4 * WALK_U);
    return fabsf(depth) <= 8 * tree->reach && p->reach >= 2 * WALK_LEAST && p->reach <= WALK_MOST;
}

/* Chooses c for lines that do not meet: between the origins of two of the rays, no deeper than any.
 * False: c is outside the range of the float filters, or far from the tree. */
static bool frustum_choose_centre(frustum *p, const sl_bvh *tree, uint64_t rays)
{
    const uint32_t one = (uint32_t)__builtin_ctzll(rays);
    const uint32_t two = 63 - (uint32_t)__builtin_clzll(rays);
    float most = 0, extent = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t axis = p->axis[i];
        const float *from = p->rays->from[axis];
        const float low = tree->bounds.min[axis], high = tree->bounds.max[axis];
        p->apex[i] = i < 2         ? 0.5f * (from[one] + from[two])
                     : p->sign > 0 ? least_of(from)
                                   : most_of(from);
        most = float_max(most, fabsf(p->apex[i]));
        extent = float_max(extent, float_max(high - p->apex[i], p->apex[i] - low));
        size = float_max(size, high - low);
    }
    p->reach = (tree->reach + most) * (1 + 4 * WALK_U);
    p->delta_max = size * PACKET_SPREAD;
    return extent <= BASE_FAR * size && p->reach >= 2 * WALK_LEAST && p->reach <= WALK_MOST;
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
    const f16 zero = f16_splat(0);
    const f16 most = f16_splat(p->spread ? p->delta_max : FRUSTUM_MISS_MAX * WALK_U * p->reach);
    uint32_t good = f16_bits_le(zero, from) & f16_bits_le(zero, tmin) &
                    f16_bits_le(f16_splat(0x1p-120f), size) &
                    f16_bits_le(size, f16_splat(0x1p120f));
    f16 off = zero, slope[2], delta[2];
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
        p->width[i][0] = p->width[i][1] = 0;
        float least = INFINITY, most = -INFINITY;
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            const int k = i * FRUSTUM_GROUPS + group;
            f4_store(p->middle[i] + 4 * group, f4_splat(middles[k]));
            f4_store(p->extent[i] + 4 * group, f4_splat(extents[k]));
            p->width[i][0] = float_max(FRUSTUM_BOX_MIN * 2 * extents[k], p->width[i][0]);
            f4_store(p->slopes[i][0] + 4 * group, f4_splat(lows[k]));
            f4_store(p->slopes[i][1] + 4 * group, f4_splat(highs[k]));
            least = lows[k] < least ? lows[k] : least;
            most = highs[k] > most ? highs[k] : most;
        }
        narrow = narrow && most - least <= FRUSTUM_SLOPES_MAX;
    }
    return narrow;
}

/* Makes the hull of delta and of the moment of each group. */
static void frustum_make_deltas(frustum *p)
{
    const float *rows[3] = { p->delta[0], p->delta[1], p->moment };
    for (int i = 0; i < 3; i++) {
        for (int group = 0; group < FRUSTUM_GROUPS; group++) {
            const f16 row = f16_load(rows[i] + group * PACKET_LANES);
            const float low = f16_least(row), high = f16_most(row), middle = 0.5f * (low + high);
            const float extent = float_max(high - middle, middle - low) * (1 + 2 * WALK_U);
            f4_store(p->middle_delta[i] + 4 * group, f4_splat(middle));
            f4_store(p->extent_delta[i] + 4 * group, f4_splat(extent));
            if (i < 2) {
                p->width[i][1] = float_max(2 * extent, p->width[i][1]);
                const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
                frustum_steps *steps = &p->steps[group / 2];
                f4_store(p->deltas[i][0] + 4 * group, f4_splat(low));
                f4_store(p->deltas[i][1] + 4 * group, f4_splat(high));
                f8_store(steps->delta[i][0] + 8 * (group % 2), f8_splat(negative ? low : high));
                f8_store(steps->delta[i][1] + 8 * (group % 2), f8_splat(negative ? high : low));
            }
        }
    }
}

/* Prepares lines for being tested against boxes one by one. */
static SLI_NOINLINE void frustum_make_lines(frustum *p)
{
    p->by_line = true;
    const f16 zero = f16_splat(0);
    for (int i = 0; i < 2; i++) {
        const bool negative = p->near_side[p->axis[i]] % NODE_AXIS != 0;
        const f16 one = f16_splat(negative ? -1.0f : 1.0f);
        for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
            const f16 slope = f16_abs(f16_load(p->slope[i] + ray));
            const f16 inverse = f16_div(one, f16_max(slope, f16_splat(WALK_TINY)));
            f16_store(p->inverse[i] + ray, inverse);
            f16_store(p->offset[i] + ray,
                      p->spread ? f16_mul(f16_sub(zero, f16_load(p->delta[i] + ray)), inverse)
                                : zero);
        }
    }
}

/* Sets how far planes relative to c are moved outward: by the error of a slab, and by how far lines
 * pass c. */
static void frustum_set_box_error(frustum *p, const sl_bvh *tree)
{
    float extent = WALK_LEAST;
    for (int i = 0; i < 3; i++) {
        const uint32_t axis = p->axis[i];
        extent = float_max(extent, float_max(tree->bounds.max[axis] - p->apex[i],
                                             p->apex[i] - tree->bounds.min[axis]));
    }
    p->box_error = p->miss + FRUSTUM_SLAB_ERROR * WALK_U * (extent + p->away);
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
    p->miss = (p->spread ? 4 * WALK_U : 1 + 4 * WALK_U) * most + 16 * WALK_U * farthest;
    p->dir_size = (double)most_of(longest) * (1 + 8 * (double)WALK_U);
    p->origin_size = 6 * (double)farthest + 4 * ((double)p->miss + (double)p->away);
}

/* The rays whose lines meet in a point, if they are many. */
static uint64_t frustum_meet(frustum *p, const sl_bvh *tree, uint64_t rays, float miss[PACKET],
                             float way[PACKET])
{
    p->spread = false;
    if (!frustum_choose_apex(p, tree, rays)) {
        return 0;
    }
    uint64_t good = 0;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        good |= (uint64_t)frustum_lines(p, ray, miss, way) << ray;
    }
    good &= rays;
    return __builtin_popcountll(good) < PACKET_RAYS_MIN ? 0 : good;
}

/* The rays whose origins are near one another, if they are many. */
static uint64_t frustum_near(frustum *p, const sl_bvh *tree, uint64_t rays, float miss[PACKET],
                             float way[PACKET])
{
    p->spread = true;
    if (!frustum_choose_centre(p, tree, rays)) {
        return 0;
    }
    uint64_t good = 0;
    for (int ray = 0; ray < PACKET; ray += PACKET_LANES) {
        good |= (uint64_t)frustum_lines(p, ray, miss, way) << ray;
    }
    good &= rays;
    return __builtin_popcountll(good) < PACKET_RAYS_MIN ? 0 : good;
}

/* Makes a frustum of these rays; returns those that take part, 0 if too few do. */
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
    const uint64_t meet = frustum_meet(p, tree, rays, miss, way);
    p->spread = meet == 0;
    rays = meet != 0 ? meet : frustum_near(p, tree, rays, miss, way);
    if (rays == 0) {
        return 0;
    }
    frustum_fill(p->slope[0], rays);
    frustum_fill(p->slope[1], rays);
    fill_out(miss, rays);
    fill_out(way, rays);
    if (!frustum_make_groups(p)) {
        return 0;
    }
    if (p->spread) {
        frustum_fill(p->delta[0], rays);
        frustum_fill(p->delta[1], rays);
        frustum_fill(p->moment, rays);
        frustum_make_deltas(p);
    }
    p->by_line = false;
    frustum_finish_rays(p, rays, miss, way);
    frustum_set_box_error(p, tree);
    p->stale = (1 << FRUSTUM_GROUPS) - 1;
    frustum_update_bounds(p);
    p->found = 0;
    p->spent = FRUSTUM_COST_START;
    p->saved = PACKET_COST_RAY * (uint32_t)__builtin_popcountll(rays);
    p->listed = 0;
    p->ref[0] = tree->root;
    p->near[0] = -INFINITY;
    p->lines[0] = rays;
    p->top = 1;
    return rays;
}

#endif
