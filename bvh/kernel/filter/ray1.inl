/* Prepares one ray or segment for the float filters: what filter/ray8.inl does for eight rays, here
 * with the three axes of one ray side by side in a register.  For single rays (single/single.inl),
 * which leave a ray that may be invalid or outside the range of the filters to the reference
 * kernel. */
#ifndef SLI_KERNEL_FILTER_RAY1_INL
#define SLI_KERNEL_FILTER_RAY1_INL

#include "bvh/kernel/filter/ray8.inl"
#include "bvh/kernel/ray_floats.h"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "bvh/tree/tree.h"
#include "lib/base/inline.h"

#include <math.h>

/* Smallest value of the largest component of a direction, and largest |coordinate| of any kind, for
 * which no intermediate result overflows or is denormal.  With a shorter direction the reciprocal
 * of a component that is not negligible might overflow. */
#define RAY1_DIR_MIN  0x1p-39f
#define RAY1_SIZE_MAX 0x1p100f

/* The ray in floats: axes x, y, z in lanes 0 .. 2; lane 3 is a copy of lane 0. */
typedef struct ray1_input {
    f4 origin, dir;
    f4 sizes; /* per axis: |origin| + |dir|, of a segment |p| + |q| */
    f4 reach; /* in every lane: the largest |coordinate| of the origin, of a segment of both ends */
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
                         .reach = f4_most(f4_abs(origin)),
                         .tmin = ray->tmin,
                         .tmax = ray->tmax };
}

static SLI_FORCE_INLINE ray1_input ray1_from_segment(const sl_segment *segment)
{
    const float *words = (const float *)(const void *)segment;
    const f4 p = f4_axes(f4_load(words + SEGMENT_FLOAT_P));
    const f4 q = f4_last(f4_load(words + SEGMENT_FLOAT_Q - 1)); /* does not read past the end */
    return (ray1_input){ .origin = p,
                         .dir = f4_sub(q, p),
                         .sizes = f4_add(f4_abs(p), f4_abs(q)),
                         .reach = f4_most(f4_max(f4_abs(p), f4_abs(q))),
                         .tmin = 0,
                         .tmax = 1 };
}

/* What box tests need of the ray, each number in all lanes; kept in registers. */
typedef struct ray1_slabs {
    f8 inverse[3], near_offset[3], far_offset[3];
    f8 tmin, bound;                   /* t', both >= +0, so that integer comparison orders them */
    size_t near_side[3], far_side[3]; /* offsets in a node, in bytes */
    uint32_t shift;                   /* in the words of a node's order, in bits */
} ray1_slabs;

/* The two axes across the largest one, in the order that ray_offsets has them. */
static const uint8_t ray1_across[3][2] = { { 1, 2 }, { 2, 0 }, { 0, 1 } };

/* inverse: 1 / the scaled direction; error: how far a slab may be off, in t'. */
static SLI_FORCE_INLINE void ray1_make_slabs(const ray_words *ray, const ray_offsets *offsets,
                                             f4 origin, f4 inverse, f4 error, bool any,
                                             ray1_slabs *out)
{
    float inverses[4], nears[4], fars[4];
    f4_store(inverses, inverse);
    f4_store(nears, f4_nmuladd(origin, inverse, f4_sub(f4_splat(0), error)));
    f4_store(fars, f4_nmuladd(origin, inverse, error));
    for (int axis = 0; axis < 3; axis++) {
        out->inverse[axis] = f8_splat(inverses[axis]);
        out->near_offset[axis] = f8_splat(nears[axis]);
        out->far_offset[axis] = f8_splat(fars[axis]);
        out->near_side[axis] = offsets->near_side[axis];
        out->far_side[axis] = offsets->far_side[axis];
    }
    out->tmin = f8_splat(ray->tmin > 0 ? ray->tmin : 0);
    out->bound = f8_splat(ray->bound);
    out->shift = any ? SLI_ANY_SHIFT : offsets->shift;
}

/* What leaf tests need of the ray. */
typedef struct ray1 {
    ray_words w; /* in use: all but inverse, near_offset and far_offset */
    const ray_offsets *offsets;
    float by_z; /* 1 / the largest component of the scaled direction */
} ray1;

/* As ray8_prepare of filter/ray8.inl, for one ray.  False: the reference kernel has to answer. */
static SLI_FORCE_INLINE bool ray1_prepare(const sl_bvh *tree, const ray1_input *line, bool any,
                                          ray1 *ray, ray1_slabs *slabs)
{
    const f4 size = f4_abs(line->dir), longest = f4_most(size), power = f4_exponent(longest);
    const f4 reach = f4_mul(f4_add(f4_splat(tree->reach), line->reach), f4_splat(1 + 4 * WALK_U));
    float longests[4], powers[4], reaches[4];
    f4_store(longests, longest);
    f4_store(reaches, reach);
    f4_store(powers, power);
    if (!(line->tmin >= 0 && line->tmin <= line->tmax && longests[0] >= RAY1_DIR_MIN &&
          reaches[0] >= 2 * WALK_LEAST && reaches[0] <= WALK_MOST) ||
        (f4_bits_le(line->sizes, f4_splat(RAY1_SIZE_MAX)) & 7) != 7) {
        return false;
    }
    /* Multiplied by the power of two after the division, which is exact.  Components smaller than
     * WALK_TINY count as WALK_TINY, zeros included, each with its own sign. */
    const f4 most = f4_splat(1 / WALK_TINY), least = f4_splat(-1 / WALK_TINY);
    const f4 by_dir = f4_div(f4_splat(1), line->dir);
    const f4 inverse = f4_max(f4_min(f4_mul(by_dir, power), most), least);
    const f4 error = f4_mul(f4_mul(reach, f4_splat(SLAB_ERROR * WALK_U)), f4_abs(inverse));
    const uint32_t octant = f4_bits_gt(f4_splat(0), inverse) & 7;
    const uint32_t z = (uint32_t)__builtin_ctz(f4_bits_le(longest, size));
    const uint32_t x = ray1_across[z][0], y = ray1_across[z][1];
    float origins[4], dirs[4], by_dirs[4];
    f4_store(origins, line->origin);
    f4_store(dirs, line->dir);
    f4_store(by_dirs, by_dir);
    ray->offsets = &ray_offsets_of[octant + 8 * z];
    ray->by_z = by_dirs[z] * powers[0];
    ray_words *w = &ray->w;
    w->tmin = line->tmin * powers[0] - RAY_T_TINY;
    w->bound = line->tmax * powers[0] + RAY_T_TINY;
    w->edge_error = TRI_EDGE_ERROR * reaches[0];
    w->origin[0] = origins[x];
    w->origin[1] = origins[y];
    w->origin[2] = origins[z];
    w->scale = powers[0];
    w->shear[0] = dirs[x] * by_dirs[z];
    w->shear[1] = dirs[y] * by_dirs[z];
    w->best = INFINITY;
    ray1_make_slabs(w, ray->offsets, line->origin, inverse, error, any, slabs);
    return true;
}

#endif
