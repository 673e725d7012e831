/* What a traversal of the reference kernel carries: the ray in the forms that its filters need.
 *
 * Filters work on a ray whose direction is scaled by a power of two so that max |dir| is in [1, 2);
 * its parameter is t' = t * 2^e, and limits go outward when they become floats.  With G the largest
 * |coordinate| of the tree, O that of the ray (a segment's q included) and u = 2^-24, the float
 * filters hold for 2^-40 <= G + O <= 2^38.  Outside (wide), boxes are tested in doubles on the ray
 * as given, e = 0, and every triangle goes to the exact decision: slower, never wrong.
 * Derivations: docs/notes/filters.md. */
#ifndef SLI_KERNEL_REFERENCE_RAY_INL
#define SLI_KERNEL_REFERENCE_RAY_INL

#include "bvh/kernel/kernel.h"

#include <math.h>
#include <string.h>

#define WALK_U     0x1p-24f
#define WALK_LEAST 0x1p-40f
#define WALK_MOST  0x1p38f
#define WALK_TINY                                                                                  \
    0x1p-80f /* smaller components of dir count as this: SLAB_ERROR exceeds the loss */

/* The bound on slabs, in u (G + O) |1 / d|: 5 are needed, the rest covers the rounding of t. */
#define SLAB_ERROR 16.0f
/* The bound on sheared coordinates, in u (G + O): 6 for rays, 8 for segments are needed. */
#define SHEAR_ERROR 10.0f
/* Room for the rounding of the bound on edge functions itself. */
#define EDGE_ERROR (1 + 16 * WALK_U)

typedef struct walk {
    const sli_kernel_ray *ray;
    bool wide;
    float tmin, bound; /* t': where boxes begin and end to matter */
    double scale;      /* 2^e */
    int near_side[3];  /* which side of a box the ray meets first: 0 min, 1 max */
    uint32_t octant_shift;
    /* slabs: side * inverse[axis] + offset */
    float inverse[3], near_offset[3], far_offset[3];
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

static float round_down(double x)
{
    const float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

static float round_up(double x)
{
    const float f = (float)x;
    return (double)f < x ? nextafterf(f, INFINITY) : f;
}

/* An upper bound, in t', of every exact t that rounds to no more than the given one. */
static float bound_of(const walk *w, float t)
{
    return round_up(((double)t + fabs((double)t) * 0x1p-23 + 0x1p-149) * w->scale);
}

static void prepare_slabs(walk *w, const float dir[3], float reach)
{
    for (int axis = 0; axis < 3; axis++) {
        float d = dir[axis];
        if (fabsf(d) < WALK_TINY) { /* a zero of either sign too; the sign follows near_side */
            d = w->near_side[axis] ? -WALK_TINY : WALK_TINY;
        }
        const float inverse = 1 / d;
        const float offset = -(float)w->ray->exact.origin[axis] * inverse;
        const float error = SLAB_ERROR * WALK_U * reach * fabsf(inverse);
        w->inverse[axis] = inverse;
        w->near_offset[axis] = offset - error;
        w->far_offset[axis] = offset + error;
    }
}

static void prepare_shear(walk *w, const float dir[3], float reach)
{
    int z = 0;
    for (int axis = 1; axis < 3; axis++) {
        z = fabsf(dir[axis]) > fabsf(dir[z]) ? axis : z;
    }
    w->axis[0] = (z + 1) % 3;
    w->axis[1] = (z + 2) % 3;
    w->axis[2] = z;
    for (int i = 0; i < 3; i++) {
        w->origin[i] = (float)w->ray->exact.origin[w->axis[i]];
    }
    w->shear[0] = dir[w->axis[0]] / dir[z];
    w->shear[1] = dir[w->axis[1]] / dir[z];
    w->delta = SHEAR_ERROR * WALK_U * reach;
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

/* The largest |coordinate| of the ray. */
static double ray_reach(const sli_exact_ray *ray)
{
    double reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        reach = fmax(reach, fabs(ray->origin[axis]));
        reach = ray->segment ? fmax(reach, fabs(ray->end[axis])) : reach;
    }
    return reach;
}

static void prepare(walk *w, const sl_bvh *tree, const sli_kernel_ray *ray)
{
    const sli_exact_ray *exact = &ray->exact;
    w->ray = ray;
    w->stats = (sl_stats){ .rays = 1 };
    w->stack_size = 0;
    double longest = 0;
    uint32_t octant = 0;
    for (int axis = 0; axis < 3; axis++) {
        longest = fmax(longest, fabs(exact->dir[axis]));
        w->near_side[axis] = exact->dir[axis] < 0;
        octant |= (uint32_t)w->near_side[axis] << axis;
    }
    w->octant_shift = 3 * octant;
    const double reach = tree->reach + ray_reach(exact);
    w->wide = !(reach >= (double)WALK_LEAST && reach <= (double)WALK_MOST);
    const int exponent = w->wide ? 0 : exponent_of(longest);
    if (!w->wide) {
        float dir[3];
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = (float)(exact->dir[axis] * power_of_two(-exponent));
        }
        prepare_slabs(w, dir, round_up(reach));
        prepare_shear(w, dir, round_up(reach));
    }
    w->scale = power_of_two(exponent);
    w->tmin = round_down(exact->tmin * w->scale);
    w->bound = round_up(exact->tmax * w->scale);
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
    }
}

#endif
