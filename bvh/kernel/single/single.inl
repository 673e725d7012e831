/* One ray at a time, by the data and the filters of the ring.  Nobody works while it waits for
 * memory, so what counts is how long each step takes: boxes are compared as integers, nodes that
 * are met by one child or none go on without the stack, and triangles that may be hit are put off,
 * until floats have told which of them the doubles need to see. */
#ifndef SLI_KERNEL_SINGLE_SINGLE_INL
#define SLI_KERNEL_SINGLE_SINGLE_INL

#include "bvh/kernel/filter/ray1.inl"
#include "bvh/kernel/filter/tri1.inl"
#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/filter/tri_edges.inl"
#include "bvh/kernel/filter/tri_interval.inl"
#include "bvh/kernel/filter/tri_plane4.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"
#include "bvh/kernel/reference/any.inl"
#include "bvh/kernel/reference/closest.inl"
#include "bvh/kernel/reference/ray.inl"
#include "bvh/kernel/simd/simd.h"
#include "lib/base/inline.h"

#include <math.h>

enum { SINGLE_DEFERRED_MAX = 8 };

/* Triangles of a block that may be hit. */
typedef struct single_deferred {
    const sli_tri_pack *pack;
    uint32_t lanes;
    uint32_t sure; /* of those: surely hit within the limits */
    float from[4]; /* not before this t' */
} single_deferred;

typedef struct single_walk {
    ray1 ray;
    const sli_kernel_batch *batch;
    size_t index;
    uint32_t later_count;
    single_deferred later[SINGLE_DEFERRED_MAX];
    sl_stats stats;
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK]; /* t' where the ray enters, of each reference */
} single_walk;

/* Eight times the block of four: all doubles at once. */
static void single_question(const single_walk *w, const sli_tri_pack *pack, ring_question *ask)
{
    const sli_kernel_batch *batch = w->batch;
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            const f4 four = f4_load(pack->axis[axis].vertex[corner]);
            ask->corner[corner][axis] = d8_from_f8(f8_pair(four, four));
        }
    }
    const ray1_double ray = ray1_double_of(batch, w->index);
    for (int axis = 0; axis < 3; axis++) {
        ask->origin[axis] = d8_splat(ray.origin[axis]);
        ask->dir[axis] = d8_splat(ray.dir[axis]);
    }
    ask->tmin = d8_splat(ray.tmin);
    ask->tmax = d8_splat(ray.tmax);
}

/* A hit that is no further than the best so far. */
static SLI_FORCE_INLINE void single_accept(single_walk *w, const sl_hit *hit, sl_hit *best)
{
    if (ring_is_closer(hit, best)) {
        *best = *hit;
        w->ray.w.best = hit->t;
        const float bound = ring_bound_of(w->ray.w.scale, hit->t);
        w->ray.w.bound = bound < w->ray.w.bound ? bound : w->ray.w.bound;
    }
}

/* Lanes of a block that may be hit, by all that we have; true: any is satisfied. */
static SLI_NOINLINE bool single_decide(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                       sl_hit *best, bool any)
{
    ring_question ask;
    ring_eight e;
    float most[8];
    f8_store(most, f8_splat(w->ray.w.best));
    single_question(w, pack, &ask);
    ask.crossings = (w->batch->query->flags & SL_USE_CROSSINGS) != 0;
    ring_decide(&ask, w->batch->query->cull, any ? NULL : most, &e);
    w->stats.double_stage += (uint64_t)__builtin_popcount(lanes & ~e.unsure);
    for (lanes &= e.hit | e.unsure; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (!ring_hit_of(w->batch, &e, lane, w->index, pack, lane, w->ray.w.best, any, &hit,
                         &w->stats)) {
            continue;
        }
        if (any) {
            *best = hit;
            return true;
        }
        single_accept(w, &hit, best);
    }
    return false;
}

/* Lanes that are not surely outside the limits. */
static SLI_FORCE_INLINE uint32_t single_within_limits(single_walk *w, const sli_tri_pack *pack,
                                                      uint32_t lanes)
{
    const uint32_t outside = lanes & plane4_outside(w->batch, w->index, pack);
    w->stats.double_stage += (uint64_t)__builtin_popcount(outside);
    return lanes & ~outside;
}

/* Lanes that are surely hit; returns those whose t, u and v doubles don't tell. */
static SLI_FORCE_INLINE uint32_t single_take_sure(single_walk *w, const sli_tri_pack *pack,
                                                  uint32_t lanes, sl_hit *best)
{
    uint32_t unsettled = 0;
    const ray1_double ray = ray1_double_of(w->batch, w->index);
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit = { .t = 0 };
        if (!tri1_measure(ray.origin, ray.dir, pack, lane, &hit)) {
            unsettled |= lanes & -lanes;
            continue;
        }
        w->stats.double_stage++;
        if (hit.t <= w->ray.w.best) {
            hit.prim = pack->axis[0].meta[lane];
            w->stats.hits++;
            single_accept(w, &hit, best);
        }
    }
    return unsettled;
}

/* From an inner node down to a leaf, or to SLI_REF_EMPTY. */
static SLI_FORCE_INLINE uint32_t single_descend(single_walk *w, const ray1_slabs *s, uint32_t ref,
                                                bool any)
{
    uint32_t *refs = w->ref, top = w->ray.w.top, nodes = 0;
    float *nears = w->near;
    const float bound = w->ray.w.bound;
    const char *lines = (const char *)w->batch->tree->lines;
    do {
        const char *at = ring_address(lines, ref);
        const sli_node_wide *node = (const sli_node_wide *)(const void *)at;
        prefetch_lines(at, SLI_NODE_LINES, SLI_NODE_LINES + PREFETCH_LEAF_LINES);
        f8 entry[3], leave[3];
        for (int axis = 0; axis < 3; axis++) {
            entry[axis] = f8_muladd(f8_load((const float *)(const void *)(at + s->near_side[axis])),
                                    s->inverse[axis], s->near_offset[axis]);
            leave[axis] = f8_muladd(f8_load((const float *)(const void *)(at + s->far_side[axis])),
                                    s->inverse[axis], s->far_offset[axis]);
        }
        const f8 from =
            f8_max_plus(f8_max_plus(entry[0], entry[1]), f8_max_plus(entry[2], s->tmin));
        const f8 to = f8_min_plus(f8_min_plus(leave[0], leave[1]), f8_min_plus(leave[2], s->bound));
        const uint32_t met = f8_bits_le_plus(from, to);
        nodes++;
        if ((met & (met - 1)) != 0) {
            const uint32_t count = simd_push(&refs[top + 1], any ? NULL : &nears[top + 1],
                                             node->child, node->order, s->shift, from, to);
            top += count;
            ref = refs[top--];
            prefetch_lines(ring_address(lines, refs[top]), 0, SLI_NODE_LINES);
            if (count > 2) {
                prefetch_lines(ring_address(lines, refs[top - 1]), 0, SLI_NODE_LINES);
            }
        } else if (met != 0) {
            ref = node->child[__builtin_ctz(met)];
        } else {
            while (!any && nears[top] > bound) {
                top--;
            }
            ref = refs[top--];
        }
    } while ((ref & SLI_REF_LEAF) == 0);
    w->ray.w.top = top;
    w->stats.nodes += nodes;
    return ref;
}

/* Triangles that were put off, if they still matter; true: any is satisfied. */
static SLI_NOINLINE bool single_decide_deferred(single_walk *w, sl_hit *best, bool any)
{
    for (uint32_t i = w->later_count; i-- > 0;) {
        const single_deferred *later = &w->later[i];
        uint32_t lanes = later->lanes & f4_bits_le(f4_load(later->from), f4_splat(w->ray.w.bound));
        const uint32_t sure = any ? 0 : lanes & later->sure;
        lanes &= ~sure;
        if (lanes != 0) {
            lanes = single_within_limits(w, later->pack, lanes);
        }
        if (sure != 0) {
            lanes |= single_take_sure(w, later->pack, sure, best);
        }
        if (lanes != 0 && single_decide(w, later->pack, lanes, best, any)) {
            return true;
        }
    }
    w->later_count = 0;
    return false;
}

/* Those of the lanes that the options leave in. */
static SLI_NOINLINE uint32_t single_wanted(const single_walk *w, const sli_tri_pack *pack,
                                           uint32_t lanes)
{
    const sli_kernel_filter filter = sli_filter_of(w->batch->query, w->index);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!sli_kernel_wants(&filter, pack->axis[0].meta[lane], pack->axis[1].meta[lane])) {
            lanes &= ~(1u << lane);
        }
    }
    return lanes;
}

/* Any, whether by one of these lanes. */
static SLI_NOINLINE bool single_decide_now(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                           sl_hit *best)
{
    lanes = single_within_limits(w, pack, lanes);
    return lanes != 0 && single_decide(w, pack, lanes, best, true);
}

/* Lanes for single_decide_deferred; true: any is satisfied. */
static SLI_FORCE_INLINE bool single_defer(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                          uint32_t sure, f4 from, sl_hit *best, bool any)
{
    single_deferred *later = &w->later[w->later_count++];
    later->pack = pack;
    later->lanes = lanes;
    later->sure = sure;
    f4_store(later->from, from);
    return __builtin_expect(w->later_count == SINGLE_DEFERRED_MAX, 0) &&
           single_decide_deferred(w, best, any);
}

/* What is surely hit as the bound of the closest. */
static SLI_FORCE_INLINE void single_narrow(single_walk *w, uint32_t sure, f4 to)
{
    float last[4];
    f4_store(last, to);
    for (; sure != 0; sure &= sure - 1) {
        const float bound = ring_bound(w->ray.w.scale, last[__builtin_ctz(sure)]);
        w->ray.w.bound = bound < w->ray.w.bound ? bound : w->ray.w.bound;
    }
}

/* The triangles of a leaf; true: any is satisfied. */
static SLI_FORCE_INLINE bool single_leaf(single_walk *w, const char *at, sl_hit *best, bool any)
{
    const sl_query *query = w->batch->query;
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)at;
    const ring_edges edges = ring_edges_of(&w->ray.w, w->ray.offsets, at);
    uint32_t used, lanes = ring_not_missed(&edges, at, &used);
    w->stats.triangles += (uint64_t)__builtin_popcount(used);
    if (lanes == 0) {
        return false;
    }
    const tri_interval range = tri_interval_of(&w->ray.w, w->ray.by_z, &edges);
    lanes &= ~range.out;
    if (__builtin_expect((query->flags & (SL_USE_MASK | SL_USE_SKIP)) != 0, 0)) {
        lanes = single_wanted(w, pack, lanes);
    }
    if (lanes == 0) {
        return false;
    }
    const uint32_t sure = query->cull == SL_CULL_NONE ? lanes & range.sure : 0;
    if (sure != 0 && any) {
        best->prim = pack->axis[0].meta[__builtin_ctz(sure)];
        w->stats.hits++;
        return true;
    }
    if (!any) {
        single_narrow(w, sure, range.to);
    } else if (w->batch->rays == NULL) { /* likely one that an end of the segment touches */
        return single_decide_now(w, pack, lanes, best);
    }
    return single_defer(w, pack, lanes, sure, range.from, best, any);
}

/* best: as a miss.  rooms: for the blocks of a compact tree that are put off; else NULL. */
static SLI_FORCE_INLINE bool single_traverse(single_walk *w, ray1_slabs *slabs, sl_hit *best,
                                             bool any, sli_tri_pack *rooms)
{
    const sl_bvh *tree = w->batch->tree;
    uint32_t ref = tree->root;
    w->ref[0] = SLI_REF_EMPTY;
    w->near[0] = -INFINITY;
    w->ray.w.top = 0;
    for (;;) {
        if ((ref & SLI_REF_LEAF) == 0) {
            ref = single_descend(w, slabs, ref, any);
        }
        if (ref == SLI_REF_EMPTY) {
            break;
        }
        uint32_t top;
        const char *at = rooms != NULL
                             ? (const char *)sli_tree_pack(tree, ref, &rooms[w->later_count])
                             : ring_address((const char *)tree->lines, ref);
        if (single_leaf(w, at, best, any)) {
            return true;
        }
        slabs->bound = f8_splat(w->ray.w.bound);
        for (top = w->ray.w.top; !any && w->near[top] > w->ray.w.bound; top--) {
        }
        ref = w->ref[top];
        w->ray.w.top = top - 1;
    }
    if (w->later_count > 0) {
        (void)single_decide_deferred(w, best, any);
    }
    return best->prim != SL_NONE;
}

/* Rays that are invalid or outside the range of the float filters. */
static SLI_NOINLINE bool single_by_reference(const sli_kernel_batch *batch, size_t index,
                                             sl_hit *best, bool any, sl_stats *stats)
{
    sli_kernel_ray ray;
    if (!sli_kernel_exact_ray(batch, index, &ray.exact)) {
        add_stats_to(&(sl_stats){ .rays = 1 }, stats);
        return false;
    }
    ray.filter = sli_filter_of(batch->query, index);
    ray.cull = batch->query->cull;
    ray.after = NULL;
    return any ? traverse_any(batch->tree, &ray, &best->prim, stats)
               : traverse_closest(batch->tree, &ray, best, stats);
}

static SLI_FORCE_INLINE bool single_query(const sli_kernel_batch *batch, size_t index, sl_hit *best,
                                          bool any, sli_tri_pack *rooms, sl_stats *stats)
{
    single_walk w;
    ray1_slabs slabs;
    w.batch = batch;
    w.index = index;
    w.later_count = 0;
    w.stats = (sl_stats){ .rays = 1 };
    const ray1_input line = batch->rays != NULL ? ray1_from_ray(&batch->rays[index])
                                                : ray1_from_segment(&batch->segments[index]);
    *best = (sl_hit){ .t = line.tmax, .prim = SL_NONE };
    if (batch->tree->root == SLI_REF_EMPTY ||
        !ray1_prepare(batch->tree, &line, any, &w.ray, &slabs)) {
        return single_by_reference(batch, index, best, any, stats);
    }
    const bool found = single_traverse(&w, &slabs, best, any, rooms);
    if (stats != NULL) {
        w.stats.boxes = w.stats.nodes * SLI_WIDTH;
        w.stats.float_stage = w.stats.triangles - w.stats.double_stage - w.stats.exact_stage;
        add_stats_to(&w.stats, stats);
    }
    return found;
}

/* An instance of its own, so that the other one keeps its registers. */
static SLI_NOINLINE bool single_compact(const sli_kernel_batch *batch, size_t index, sl_hit *best,
                                        bool any, sl_stats *stats)
{
    sli_tri_pack rooms[SINGLE_DEFERRED_MAX];
    return any ? single_query(batch, index, best, true, rooms, stats)
               : single_query(batch, index, best, false, rooms, stats);
}

/* Ray index of a batch.  best becomes a miss, or the hit. */
static SLI_FORCE_INLINE bool single_answer(const sli_kernel_batch *batch, size_t index,
                                           sl_hit *best, bool any, sl_stats *stats)
{
    return __builtin_expect(batch->tree->vertices != NULL, 0)
               ? single_compact(batch, index, best, any, stats)
               : single_query(batch, index, best, any, NULL, stats);
}

static SLI_NOINLINE bool single_closest(const sli_kernel_batch *batch, size_t index, sl_hit *hit,
                                        sl_stats *stats)
{
    return single_answer(batch, index, hit, false, stats);
}

static SLI_NOINLINE bool single_any(const sli_kernel_batch *batch, size_t index, uint32_t *prim,
                                    sl_stats *stats)
{
    sl_hit hit;
    const bool found = single_answer(batch, index, &hit, true, stats);
    if (prim != NULL && found) {
        *prim = hit.prim;
    }
    return found;
}

#endif
