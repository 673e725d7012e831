/* kernel.h: the table of functions that an instruction set provides, and what they expect.
 *
 * Contract  every kernel returns the same bits.  Boxes and float tests are only conservative
 *           filters around the exact decisions of lib/geom/exact/predicates.h; the smallest (t,
 *           prim) wins. The caller has turned away invalid rays and holds the floating-point
 *           environment. Nothing is allocated; a walk keeps SLI_STACK references on the stack, a
 *           batch fewer for each of many walks (stream/batch.inl and
 *           stream/stack_overflow.inl say how much). */
#pragma once

#include "bvh/kernel/contact/dual.h"
#include "bvh/kernel/contact/leaf.h"
#include "bvh/kernel/instance/point.h"
#include "bvh/kernel/instance/transform.h"
#include "bvh/kernel/sweep/sweep.h"

#include <sightline/points.h>

/* A ray as kernels take it: exact, with its options. */
typedef struct sli_kernel_ray {
    sli_exact_ray exact;
    sl_item_options selection;
    sl_cull cull;
    const sl_hit *after; /* closest, all: only hits that come after this one; NULL: any */
    /* The hit filter of sl_options, with its arguments; NULL: every hit counts. */
    bool (*accepts)(void *user, size_t index, const sl_hit *hit);
    void *accepts_user;
    size_t accepts_index;
} sli_kernel_ray;

/* Many rays or segments from one point. */
typedef struct sli_kernel_point_to_many {
    float origin[3]; /* finite */
    bool targets;    /* segments from the origin to each target; else rays in each direction */
    float tmax;      /* of rays, >= 0; their tmin is 0 */
    const float *to; /* three floats for each: targets or directions, the invalid among them */
} sli_kernel_point_to_many;

/* Rays or segments as callers give them, invalid ones among them.  One of the three is not NULL. */
typedef struct sli_kernel_batch {
    const sl_bvh *tree;
    const sl_ray *rays;
    const sl_segment *segments;
    const sli_kernel_point_to_many *point_to_many;
    const sl_options *options;
    uint32_t uses; /* what of its masks and skips is in use: SLI_USES_... */
    /* any_many of segments: refs has a hint for each, any reference at all: the triangle to try
     * first. */
    bool hinted;
    /* The batch itself is on the stack, so fewer rays may be under way at a time. */
    bool narrow;
} sli_kernel_batch;

/* Bytes of stack that the caller of a narrow batch may have taken for it. */
enum { SLI_NARROW_CLOSEST = 11 * 1024, SLI_NARROW_ANY = 6 * 1024 };

/* Whether the items are segments. */
static inline bool sli_kernel_segments(const sli_kernel_batch *batch)
{
    return batch->segments != NULL ||
           (batch->point_to_many != NULL && batch->point_to_many->targets);
}

/* Ray i of a batch with directions, segment i of one with targets. */
static inline sl_ray sli_point_to_many_ray(const sli_kernel_point_to_many *source, size_t i)
{
    sl_ray ray = { .tmin = 0, .tmax = source->tmax };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = source->origin[axis];
        ray.dir[axis] = source->to[3 * i + (size_t)axis];
    }
    return ray;
}

static inline sl_segment sli_point_to_many_segment(const sli_kernel_point_to_many *source, size_t i)
{
    sl_segment segment;
    for (int axis = 0; axis < 3; axis++) {
        segment.p[axis] = source->origin[axis];
        segment.q[axis] = source->to[3 * i + (size_t)axis];
    }
    return segment;
}

/* False: invalid. */
static inline bool sli_kernel_exact_ray(const sli_kernel_batch *batch, size_t i, sli_exact_ray *out)
{
    if (batch->point_to_many != NULL && batch->point_to_many->targets) {
        const sl_segment segment = sli_point_to_many_segment(batch->point_to_many, i);
        return sli_exact_ray_from_segment(&segment, batch->options->flags, out);
    }
    if (batch->point_to_many != NULL) {
        const sl_ray ray = sli_point_to_many_ray(batch->point_to_many, i);
        return sli_exact_ray_from_ray(&ray, batch->options->flags, out);
    }
    return batch->segments != NULL
               ? sli_exact_ray_from_segment(&batch->segments[i], batch->options->flags, out)
               : sli_exact_ray_from_ray(&batch->rays[i], batch->options->flags, out);
}

/* A point whose nearest triangles are searched for; finite, limit >= 0. */
typedef struct sli_kernel_point {
    float point[3];
    float limit; /* exact distances may not be more than this */
    sl_item_options selection;
} sli_kernel_point;

/* What a ray from a point crosses, and whether the point is on a triangle. */
typedef struct sli_kernel_inside {
    uint64_t fronts, backs;
    bool touches;
} sli_kernel_inside;

/* Points begin .. end - 1 of an array as callers give it: any floats.  A limit that is NaN or
 * negative finds nothing. */
typedef struct sli_kernel_points {
    const float *points;
    size_t begin, end;
    float limit;
    const sl_options *options;
    uint32_t uses; /* SLI_USES_... */
} sli_kernel_points;

/* The boundary's part of a winding number (lib/geom/closest/boundary_winding.h). */
typedef struct sli_boundary_sum {
    double winding, error; /* it is off by no more than this, and the slack of the boundary */
    double size;           /* of all that was added, without signs */
    size_t work;           /* caps and clusters looked at */
} sli_boundary_sum;

typedef struct sli_kernels {
    /* "avx512", "avx2", "sse42", "neon", "simd128" or "scalar", as in SIGHTLINE_ISA and --isa. */
    const char *name;
    /* The closest hit after ray->after; false and hit untouched when there is none. */
    bool (*closest)(const sl_bvh *tree, const sli_kernel_ray *ray, sl_hit *hit, sl_stats *stats);
    /* Any hit at all; *prim (or NULL) becomes one that is hit, and depends on the walk. */
    bool (*any)(const sl_bvh *tree, const sli_kernel_ray *ray, uint32_t *prim, sl_stats *stats);
    /* The same for item index of a batch, which may be invalid; closest: a miss is written.  stats
     * may be NULL. */
    bool (*closest_one)(const sli_kernel_batch *batch, size_t index, sl_hit *hit, sl_stats *stats);
    bool (*any_one)(const sli_kernel_batch *batch, size_t index, uint32_t *prim, sl_stats *stats);
    /* The same for items begin .. end - 1 of a batch, misses written too.  any: refs (or NULL) as
     * prim above, left alone where nothing is hit.  stats may be NULL. */
    void (*closest_many)(const sli_kernel_batch *batch, size_t begin, size_t end, sl_hit *hits,
                         sl_stats *stats);
    void (*any_many)(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *any,
                     sl_triangle_ref *refs, sl_stats *stats);
    /* any_many for items from one point; the query has no options per ray, and the occluder is
     * not reported. */
    void (*point_to_many_any)(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *any,
                              sl_stats *stats);
    /* Keeps the capacity nearest hits as a heap and sorts them at the end; returns the total. */
    size_t (*all)(const sl_bvh *tree, const sli_kernel_ray *ray, sl_hit *hits, size_t capacity,
                  sl_stats *stats);
    /* The same for items begin .. end - 1 of a batch, which may be invalid: row i of hits, and
     * totals[i]. */
    void (*all_many)(const sli_kernel_batch *batch, size_t begin, size_t end, sl_hit *hits,
                     size_t capacity, uint64_t *totals, sl_stats *stats);
    /* Counts every hit by its side, and finds whether a triangle touches the ray's origin, which is
     * a float point; one walk. */
    void (*inside)(const sl_bvh *tree, const sli_kernel_ray *ray, sli_kernel_inside *found,
                   sl_stats *stats);
    /* sli_boundary_turn of edges first .. first + count - 1, count from 1 to 4.  All four turns are
     * written; what is left is the last one. */
    void (*boundary_turns)(const sl_boundary *boundary, size_t first, size_t count,
                           const float point[3], double turns[4]);
    /* sli_boundary_turns, with a bound of the error.  Clusters whose error is below the tolerance
     * are not opened unless the ray meets them; once more than budget caps and clusters were looked
     * at, the error is infinite, and where the point is too near to a cap.  The boundary has
     * clusters. */
    void (*boundary_sum)(const sl_boundary *boundary, const float point[3], double tolerance,
                         size_t budget, sli_boundary_sum *sum);
    /* The capacity nearest triangles, as hits with the distance for t, sorted; returns how many are
     * within the limit.  shrink: the limit shrinks to the capacity nearest, and the return value is
     * only at least min(that, capacity). */
    size_t (*nearest)(const sl_bvh *tree, const sli_kernel_point *point, bool shrink, sl_hit *hits,
                      size_t capacity, sl_stats *stats);
    /* The nearest triangle to each of many points: out[i] of point i. */
    void (*nearest_many)(const sl_bvh *tree, const sli_kernel_points *points, sl_nearest *out,
                         sl_stats *stats);
    /* Fills in transformed, but for masks, and boxes; returns the lanes that it has done (bit i),
     * and leaves transformed of the others as it was. */
    uint32_t (*world_transform8)(sli_transform8 *in);

    /* Of a world, for one ray: the closest hit after ray->after (false and hit untouched when there
     * is none), any hit (*ref, or NULL, becomes one), and below all of them, each given to take (or
     * NULL) as it is found; returns how many. */
    bool (*world_closest)(const sli_world *world, const sli_world_ray *ray, sl_hit_d *hit,
                          sl_stats *stats);
    bool (*world_any)(const sli_world *world, const sli_world_ray *ray, sl_triangle_ref *ref,
                      sl_stats *stats);
    /* The first two for items begin .. end - 1 of a batch, misses written too, to hits or, unless
     * t is in floats, to hits_d; refs (or NULL) are left alone where nothing is hit. */
    void (*world_closest_many)(const sli_world_batch *batch, size_t begin, size_t end, sl_hit *hits,
                               sl_hit_d *hits_d, sl_stats *stats);
    void (*world_any_many)(const sli_world_batch *batch, size_t begin, size_t end, uint8_t *any,
                           sl_triangle_ref *refs, sl_stats *stats);
    /* All hits, likewise: row i of hits or hits_d has the capacity nearest, totals[i] says how
     * many there are. */
    void (*world_all_many)(const sli_world_batch *batch, size_t begin, size_t end, sl_hit *hits,
                           sl_hit_d *hits_d, size_t capacity, uint64_t *totals, sl_stats *stats);
    /* any[i] becomes 1 where the triangle that refs[i] names is hit by item i, which then counts as
     * traced, else 0. */
    void (*world_try_hints)(const sli_world_batch *batch, size_t begin, size_t end, uint8_t *any,
                            const sl_triangle_ref *refs, sl_stats *stats);
    uint64_t (*world_all)(const sli_world *world, const sli_world_ray *ray, sli_world_take *take,
                          void *context, sl_stats *stats);
    /* Of a world, for one sweep: the first contact (false and contact untouched when there is
     * none), whether there is any, and all of them, each given to take as it is found; returns how
     * many. */
    bool (*world_sweep_first)(const sli_world *world, const sli_world_sweep *sweep,
                              sl_contact *contact, sl_stats *stats);
    bool (*world_sweep_any)(const sli_world *world, const sli_world_sweep *sweep, sl_stats *stats);
    uint64_t (*world_sweep_all)(const sli_world *world, const sli_world_sweep *sweep,
                                sli_take_contact *take, void *context, sl_stats *stats);
    /* As nearest, of a world. */
    size_t (*world_nearest)(const sli_world *world, const sli_world_point *point, bool shrink,
                            sl_hit *hits, size_t capacity, sl_stats *stats);
    /* The nearest triangle to points begin .. end - 1 of an array, invalid ones among them, as a
     * hit at out + i * stride; its prim is SL_NONE where there is none. */
    void (*world_nearest_many)(const sli_world *world, const sli_world_points *points, size_t begin,
                               size_t end, void *out, size_t stride, sl_stats *stats);
    /* Each instance that contains the point is given to take, once, in any order; returns how
     * many. */
    uint64_t (*world_inside)(const sli_world *world, const sli_world_point *point,
                             sli_world_take_instance *take, void *context, sl_stats *stats);

    /* Of walks down two trees: the pairs of boxes that are near, in any order, or those last that
     * are to come first; exactly: as bvh/contact/walk/carry.h has it.  And those of the children of
     * a pair of which not both are leaves; sparing: of one side alone.  Both return how many. */
    int (*dual_pairs)(const sli_dual *dual, const sli_siblings siblings[2], bool exactly,
                      sli_node_pair out[SLI_DUAL_SPLIT]);
    int (*dual_split)(const sli_dual *dual, const sli_node_pair *spot, bool sparing,
                      sli_node_pair out[SLI_DUAL_SPLIT], sl_stats *stats);
    /* bvh/contact/walk/leaf.h */
    void (*leaf_unpack)(const sli_transformed *transformed, uint32_t instance,
                        const sl_item_options *options, uint32_t ref, sli_leaf4 *out);
    uint32_t (*leaf_near)(const sli_leaf4 *a, uint32_t lanes, const sli_leaf4 *b, double margin);
} sli_kernels;

/* The i-th best table that this machine can run; NULL when there are no more. */
const sli_kernels *sli_kernels_at(int i);

/* sli_kernels_select (bvh/tree/tree.h) picks the best table for this machine; SIGHTLINE_ISA in the
 * environment forces one by name, and is ignored where this machine or build has no such table. */
extern const sli_kernels sli_kernels_scalar;
#if defined(__x86_64__) || defined(__i386__)
extern const sli_kernels sli_kernels_sse42;
extern const sli_kernels sli_kernels_avx2;
extern const sli_kernels sli_kernels_avx512;
#elif defined(__aarch64__)
extern const sli_kernels sli_kernels_neon;
#elif defined(__wasm__)
extern const sli_kernels sli_kernels_simd128;
#endif
