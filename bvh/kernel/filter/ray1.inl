/* Prepares one ray or segment for the float filters: what filter/ray8.inl does for eight rays, here
 * with the three axes of one ray side by side in a register.  For single rays (single/single.inl),
 * which leave a ray that may be invalid or outside the range of the filters to the reference
 * kernel. */
#pragma once

#include "bvh/kernel/filter/tri_interval.inl"

/* Smallest value of the largest component of a direction, and largest |coordinate| of any kind, for
 * which no intermediate result overflows or is denormal.  With a shorter direction the reciprocal
 * of a component that is not negligible might overflow. */
#define RAY1_DIR_MIN  0x1p-39f
#define RAY1_SIZE_MAX 0x1p100f

/* The ray in floats: axes x, y, z in lanes 0 .. 2; lane 3 is a copy of lane 0. */
typedef struct ray1_input {
    f4 origin, dir;
    f4 sizes; /* per axis: |origin| + |dir|, of a segment |p| + |q| */
    float tmin, tmax;
} ray1_input;

static SLI_FORCE_INLINE ray1_input ray1_from_ray(const sl_ray *ray)
{
    const float *words = (const float *)(const void *)ray;
    const f4 origin = f4_axes(f4_load(words + RAY_FLOAT_ORIGIN));
    const f4 dir = f4_axes(f4_load(words + RAY_FLOAT_DIR));
    return (ray1_input){ .origin = origin,
                         .dir = dir,
                         .sizes = f4_add(f4_abs(origin), f4_abs(dir)),
                         .tmin = ray->tmin,
                         .tmax = ray->tmax };
}

/* Number by number, as callers have mostly just written them: what is read at once waits for writes
 * of its parts. */
static SLI_FORCE_INLINE f4 ray1_point(const float at[3])
{
    return f4_from(at[0], at[1], at[2], at[0]);
}

static SLI_FORCE_INLINE ray1_input ray1_from_segment(const sl_segment *segment)
{
    const f4 p = ray1_point(segment->p), q = ray1_point(segment->q);
    return (ray1_input){ .origin = p,
                         .dir = f4_sub(q, p),
                         .sizes = f4_add(f4_abs(p), f4_abs(q)),
                         .tmin = 0,
                         .tmax = 1 };
}

/* What box tests need of the ray, each number in all lanes; kept in registers.  A child is entered
 * at (side - near_base) * inverse and left at (side - far_base) * farther, SLAB_SLACK times
 * inverse, and SLAB_TINY later.  The two bases differ only by an absolute error. */
typedef struct ray1_slabs {
    f8 near_base[3], far_base[3], inverse[3], farther[3];
    f8 tmin, bound;           /* t', both >= +0, so that integer comparison orders them */
    const ray_offsets *sides; /* for near_side, far_side and shift */
} ray1_slabs;

/* The two axes across the largest one, in the order that ray_offsets has them. */
static const uint8_t ray1_across[3][2] = { { 1, 2 }, { 2, 0 }, { 0, 1 } };

/* What leaf tests need of the ray. */
typedef struct ray1 {
    ray_words w; /* in use: tmin, bound, edge_error, origin (the base), scale, shear, best, top */
    const ray_offsets *offsets;
    tri_interval_ray interval;
    float tmin;        /* t', no less than 0 */
    float t_shift;     /* t' of the base, as a ray from the origin counts it */
    float round_slack; /* of ray_bound of filter/tri8.inl: what the base adds, and a constant */
    float box_bound;   /* bound, with the margin that entries of boxes need */
} ray1;

/* nears, fars: bases for near and far sides; inverse: -1 / the scaled direction. */
static SLI_FORCE_INLINE void ray1_make_slabs(const ray1 *ray, f4 nears, f4 fars, f4 inverse,
                                             ray1_slabs *out)
{
    float near[4], far[4], inverses[4];
    f4_store(near, nears);
    f4_store(far, fars);
    f4_store(inverses, inverse);
    for (uint32_t axis = 0; axis < 3; axis++) {
        out->inverse[axis] = f8_splat(inverses[axis]);
        out->farther[axis] = f8_splat(inverses[axis] * SLAB_SLACK);
        out->near_base[axis] = f8_splat(near[axis]);
        out->far_base[axis] = f8_splat(far[axis]);
    }
    out->tmin = f8_splat(ray->tmin);
    out->bound = f8_splat(ray->box_bound);
}

/* Lowers the bound, if this one is lower. */
static SLI_FORCE_INLINE void ray1_narrow(ray1 *ray, float bound)
{
    ray->w.bound = bound < ray->w.bound ? bound : ray->w.bound;
    ray->box_bound = ray->w.bound * SLAB_SLACK;
}

/* Where a ray's base is, axes as in ray1_input. */
typedef struct ray1_base {
    f4 at;
    f4 reach; /* in every lane; at least D */
    float error, t_shift;
} ray1_base;

/* Moves the base close to the tree's bounds; power: t' / t.  Without a reach where the ray misses
 * them, or what is computed is out of range, or too coarse for the tree. */
static SLI_NOINLINE ray1_base ray1_move_base(const sli_kernel_batch *batch, size_t index,
                                             double power)
{
    sli_exact_ray exact;
    ray_base moved = { .reach = 0 };
    if (sli_kernel_exact_ray(batch, index, &exact)) {
        double dir[3];
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = exact.dir[axis] / power;
        }
        if (!base_moved(&batch->tree->bounds, exact.origin, dir, exact.tmin * power,
                        exact.tmax * power, &moved) ||
            !(moved.error <= WALK_MOST) || base_is_coarse(batch->tree, &moved)) {
            moved.reach = 0;
        }
    }
    const float at[4] = { moved.at[0], moved.at[1], moved.at[2], moved.at[0] };
    return (ray1_base){ .at = f4_load(at),
                        .reach = f4_splat(moved.reach),
                        .error = moved.error,
                        .t_shift = moved.shift };
}

/* The base of a ray: its origin, unless that is far from the tree. */
static SLI_FORCE_INLINE ray1_base ray1_base_of(const sli_kernel_batch *batch, size_t index,
                                               f4 origin, f4 power)
{
    const sl_aabb *bounds = &batch->tree->bounds;
    const f4 low = f4_axes(f4_load(bounds->min)), high = f4_last(f4_load(&bounds->min[2]));
    const f4 to_low = f4_abs(f4_sub(low, origin)), to_high = f4_abs(f4_sub(high, origin));
    const f4 reach = f4_most(f4_max(to_low, to_high)), extent = f4_most(f4_sub(high, low));
    if (__builtin_expect(f4_bits_gt(reach, f4_mul(extent, f4_splat(BASE_FAR))) != 0, 0)) {
        float powers[4];
        f4_store(powers, power);
        return ray1_move_base(batch, index, powers[0]);
    }
    return (ray1_base){ .at = origin, .reach = f4_mul(reach, f4_splat(1 + 4 * WALK_U)) };
}

/* How far the base of each axis may be off for slabs: by its error where it was moved, and by what
 * a component of the direction loses that is too small; then at least to the next float.  inverse:
 * -1 / the scaled direction, before it is limited. */
static SLI_FORCE_INLINE f4 ray1_slab_error(const ray1_base *base, f4 inverse)
{
    const f4 zero = f4_splat(0), lost = f4_mul(base->reach, f4_splat(4 * WALK_TINY));
    const f4 error = f4_add(f4_splat(base->error),
                            f4_less(f4_splat(1 / WALK_TINY), f4_abs(inverse), lost, zero));
    const f4 to_next = f4_muladd(f4_abs(base->at), f4_splat(2 * WALK_U), error);
    return f4_less(zero, error, to_next, zero);
}

/* What leaf tests need, of a ray whose scale is known: its base, direction, and 1 / direction. */
static SLI_FORCE_INLINE void ray1_aim(ray1 *ray, f4 base, f4 dir, f4 by_dir, uint32_t octant,
                                      float edge_error)
{
    const f4 size = f4_abs(dir);
    ray_words *w = &ray->w;
    const uint32_t z = (uint32_t)__builtin_ctz(f4_bits_le(f4_most(size), size));
    const uint32_t x = ray1_across[z][0], y = ray1_across[z][1];
    float bases[4], dirs[4], by_dirs[4];
    f4_store(bases, base);
    f4_store(dirs, dir);
    f4_store(by_dirs, by_dir);
    ray->offsets = &ray_offsets_of[octant + 8 * z];
    w->edge_error = edge_error;
    ray->interval = tri_interval_ray_of(edge_error, by_dirs[z] * w->scale);
    w->origin[0] = bases[x];
    w->origin[1] = bases[y];
    w->origin[2] = bases[z];
    w->shear[0] = dirs[x] * by_dirs[z];
    w->shear[1] = dirs[y] * by_dirs[z];
    w->best = INFINITY;
}

/* As ray8_prepare of filter/ray8.inl, for one ray.  False: the plain kernel has to answer. */
static SLI_FORCE_INLINE bool ray1_prepare(const sli_kernel_batch *batch, size_t index,
                                          const ray1_input *line, ray1 *ray, ray1_slabs *slabs)
{
    const f4 size = f4_abs(line->dir), longest = f4_most(size), power = f4_exponent(longest);
    float longests[4], powers[4], reaches[4];
    f4_store(longests, longest);
    f4_store(powers, power);
    if (!(line->tmin >= 0 && line->tmin <= line->tmax && longests[0] >= RAY1_DIR_MIN) ||
        (f4_bits_le(line->sizes, f4_splat(RAY1_SIZE_MAX)) & 7) != 7) {
        return false;
    }
    const ray1_base base = ray1_base_of(batch, index, line->origin, power);
    f4_store(reaches, base.reach);
    if (!(reaches[0] >= WALK_LEAST && reaches[0] <= WALK_MOST)) {
        return false;
    }
    /* Multiplied by the power of two after the division, which is exact. */
    const f4 zero = f4_splat(0);
    const f4 by_dir = f4_div(f4_splat(1), line->dir);
    const f4 by_scaled = f4_mul(by_dir, f4_sub(zero, power));
    f4 inverse = by_scaled, near_base = base.at, far_base = base.at;
    uint32_t octant = f4_bits_gt(zero, line->dir) & 7;
    const uint32_t large = f4_bits_le(f4_mul(power, f4_splat(WALK_TINY)), size);
    if (__builtin_expect(large != 15 || base.error > 0, 0)) {
        /* Components smaller than WALK_TINY count as WALK_TINY, zeros included, each with its own
         * sign. */
        const f4 most = f4_splat(1 / WALK_TINY), least = f4_splat(-1 / WALK_TINY);
        const f4 error = ray1_slab_error(&base, by_scaled);
        inverse = f4_max(f4_min(by_scaled, most), least);
        octant = f4_bits_gt(inverse, zero) & 7;
        const f4 along = f4_less(inverse, zero, error, f4_sub(zero, error));
        near_base = f4_add(base.at, along);
        far_base = f4_sub(base.at, along);
    }
    /* First what the root's boxes wait for, then what leaves need. */
    ray_words *w = &ray->w;
    ray->t_shift = base.t_shift;
    w->scale = powers[0];
    w->tmin = line->tmin * powers[0] - base.t_shift - RAY_T_TINY;
    w->bound = line->tmax * powers[0] - base.t_shift + RAY_T_TINY;
    ray->box_bound = w->bound * SLAB_SLACK;
    ray->tmin = w->tmin > 0 ? w->tmin : 0;
    slabs->sides = &ray_offsets_of[octant];
    ray1_make_slabs(ray, near_base, far_base, inverse, slabs);
    ray->round_slack = fabsf(base.t_shift) * 0x1p-21f + (powers[0] * RAY_T_SLACK + RAY_T_TINY);
    ray1_aim(ray, base.at, line->dir, by_dir, octant,
             TRI_EDGE_ERROR * reaches[0] + BASE_ERRORS * base.error);
    return true;
}
