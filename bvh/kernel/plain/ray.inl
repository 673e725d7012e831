/* What a traversal of the plain kernel carries: the ray in the forms that its filters need.
 *
 * Within the range of filter/range.h filters are in floats.  Outside (wide), boxes are tested in
 * doubles on the ray as given, e = 0, and every triangle goes to the exact decision: slower, never
 * wrong.  Derivations: docs/notes/filters.md. */
#pragma once

#include "bvh/kernel/filter/base.inl"
#include "bvh/kernel/filter/range.h"
#include "bvh/kernel/kernel.h"

#include <string.h>

/* Of slabs that are measured from the base, relative to themselves: 4u are needed. */
#define SLAB_ERROR_SHARE (8 * WALK_U)
/* The bound on sheared coordinates, in u D: 6 for rays, 8 for segments are needed. */
#define SHEAR_ERROR 10.0f
/* Room for the rounding of the bound on edge functions itself. */
#define EDGE_ERROR (1 + 16 * WALK_U)

/* Unused children are inverted by more than twice this. */
#define WALK_WIDE_ERROR_MAX 0x1p100

typedef struct walk {
    const sli_kernel_ray *ray;
    bool wide;
    double wide_error[3]; /* wide: what the ray may be off by along each axis; 0 but for worlds */
    float tmin, bound;    /* t': where boxes begin and end to matter */
    double scale, shift;  /* 2^e; the base's 2^e t */
    int near_side[3];     /* which side of a box the ray meets first: 0 min, 1 max */
    uint32_t octant_shift;
    /* slabs: (side - base) * inverse; the two bases differ by an absolute error */
    float inverse[3], near_base[3], far_base[3];
    /* triangles: axis[2] is the one along which dir is largest */
    int axis[3];
    float origin[3], shear[2], delta;
    /* the stack: references with the t' at which the ray enters */
    int stack_size;
    struct {
        uint32_t ref;
        float near;
    } stack[SLI_STACK];
    sl_stats stats;
} walk;

/* The next float, towards infinity of the sign of f or (-1) towards 0, which f is not then. */
static float next_float(float f, int step)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    bits += (uint32_t)step;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* A zero that is above or below x has the sign of x. */
static float round_down(double x)
{
    const float f = (float)x;
    return (double)f > x ? next_float(f, f > 0 ? -1 : 1) : f;
}

static float round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? next_float(f, f < 0 ? -1 : 1) : f;
}

/* An upper bound, in t', of every exact t that rounds to no more than the given one. */
static float bound_of(const walk *w, float t)
{
    const double most = ((double)t + fabs((double)t) * 0x1p-23 + 0x1p-149) * w->scale;
    return round_up(most - w->shift + fabs(most) * 0x1p-50);
}

static void prepare_slabs(walk *w, const float dir[3], const ray_base *base)
{
    for (int axis = 0; axis < 3; axis++) {
        const float at = base->at[axis];
        float d = dir[axis], error = base->error;
        if (fabsf(d) < WALK_TINY) { /* a zero of either sign too; the sign follows near_side */
            d = w->near_side[axis] ? -WALK_TINY : WALK_TINY;
            error += 4 * WALK_TINY * base->reach;
        }
        /* With an error, at least to the next float */
        error = error > 0 ? error + 2 * WALK_U * fabsf(at) : 0;
        error = d < 0 ? -error : error;
        w->inverse[axis] = 1 / d;
        w->near_base[axis] = at + error;
        w->far_base[axis] = at - error;
    }
}

static void prepare_shear(walk *w, const float dir[3], const ray_base *base)
{
    int z = 0;
    for (int axis = 1; axis < 3; axis++) {
        z = fabsf(dir[axis]) > fabsf(dir[z]) ? axis : z;
    }
    w->axis[0] = (z + 1) % 3;
    w->axis[1] = (z + 2) % 3;
    w->axis[2] = z;
    for (int i = 0; i < 3; i++) {
        w->origin[i] = base->at[w->axis[i]];
    }
    w->shear[0] = dir[w->axis[0]] / dir[z];
    w->shear[1] = dir[w->axis[1]] / dir[z];
    w->delta = SHEAR_ERROR * WALK_U * base->reach + BASE_ERRORS * base->error;
}

static double power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The exponent e of x = 1.f * 2^e, for a positive normal x. */
static int exponent_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

/* Chooses the base.  dir is scaled; tmin and tmax in t'.  False: the ray misses the tree's
 * bounds. */
static bool prepare_base(const sl_bvh *tree, const sli_exact_ray *exact, const double dir[3],
                         double tmin, double tmax, ray_base *base)
{
    const double reach = base_reach(&tree->bounds, exact->origin);
    if (reach > (double)BASE_FAR * base_extent(&tree->bounds)) {
        return base_moved(&tree->bounds, exact->origin, dir, tmin, tmax, base);
    }
    for (int axis = 0; axis < 3; axis++) {
        base->at[axis] = (float)exact->origin[axis];
    }
    base->error = base->shift = 0;
    base->reach = round_up(reach);
    return true;
}

static void prepare(walk *w, const sl_bvh *tree, const sli_kernel_ray *ray)
{
    const sli_exact_ray *exact = &ray->exact;
    w->ray = ray;
    w->stats = (sl_stats){ .rays = 1 };
    w->stack_size = 0;
    w->wide_error[0] = w->wide_error[1] = w->wide_error[2] = 0;
    double longest = 0, dir[3];
    uint32_t octant = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = fmax(longest, fabs(exact->dir[axis]));
        w->near_side[axis] = exact->dir[axis] < 0;
        octant |= (uint32_t)w->near_side[axis] << axis;
    }
    w->octant_shift = 3 * octant;
    const double scale = power_of_two(exponent_of(longest));
    for (int axis = 0; axis < 3; axis++) {
        dir[axis] = exact->dir[axis] / scale;
    }
    ray_base base;
    const double tmin = exact->tmin * scale, tmax = exact->tmax * scale;
    const bool meets = prepare_base(tree, exact, dir, tmin, tmax, &base);
    w->wide = meets && (!(base.reach >= WALK_LEAST && base.reach + base.error <= WALK_MOST) ||
                        base_is_coarse(tree, &base));
    if (meets && !w->wide) {
        const float as_float[3] = { (float)dir[0], (float)dir[1], (float)dir[2] };
        prepare_slabs(w, as_float, &base);
        prepare_shear(w, as_float, &base);
        w->scale = scale;
        w->shift = base.shift;
        w->tmin = round_down(tmin - w->shift);
        w->bound = round_up(tmax - w->shift);
        return;
    }
    w->scale = 1;
    w->shift = 0;
    w->tmin = meets ? round_down(exact->tmin) : 0;
    w->bound = meets ? round_up(exact->tmax) : -1; /* so that not even the root is visited */
}

static void add_stats_to(const sl_stats *stats, sl_stats *to)
{
    if (to != NULL) {
        to->rays += stats->rays;
        to->nodes += stats->nodes;
        to->boxes += stats->boxes;
        to->triangles += stats->triangles;
        to->float_stage += stats->float_stage;
        to->double_stage += stats->double_stage;
        to->exact_stage += stats->exact_stage;
        to->hits += stats->hits;
        to->instances += stats->instances;
    }
}
