/* One ray or segment at a time, closest or any hit: what sl_bvh_closest(), sl_bvh_any() and
 * sl_bvh_blocked() call (closest_one and any_one of the kernel table), and the way of batches with
 * fewer than INTERLEAVED_RAYS_MIN items.
 *
 * A single ray is bound by latency: it has no other rays to hide cache misses and mispredicted
 * branches behind, as the interleaved traversal does (interleaved/).  So each step is kept short.
 * All eight children of a node are tested at once (Wald, Benthin and Boulos, "Getting Rid of
 * Packets", 2008), by integer comparisons, which take fewer cycles (docs/notes/filters.md, "Single
 * rays"); a node of which the ray meets one child or none is left without touching the stack; and
 * triangles that floats cannot decide are deferred, because a closer hit that floats are sure of
 * often makes the doubles superfluous.
 *
 * Outline, from the outside in; `any` is a constant wherever these are inlined
 *   single_answer           prepares the ray (filter/ray1.inl), or leaves it to the reference kernel
 *   single_traverse         until the stack is empty: down to a leaf, through it, next reference
 *   single_descend          inner nodes, from one to the next until a leaf comes
 *   single_leaf             four triangles in floats: missed, surely hit, or undecided
 *   single_decide_deferred  those not missed: limits in doubles (filter/tri_plane4.inl), t, u and v
 *                           of sure hits (filter/tri1.inl), the rest by single_decide: all in
 *                           doubles (filter/tri8.inl), then exact
 *
 * The stack, two arrays in step, top being ray.w.top:
 *   index       0               1 ... top
 *   ref         SLI_REF_EMPTY   nodes and leaves still to visit; the one on top is nearest
 *   near        -infinity       t' at which the ray enters that box; kept for closest only
 * Popping entry 0 ends the traversal.  t' is t in units of the scaled direction (filter/ray1.inl);
 * boxes and triangles that begin beyond ray.w.bound, which each hit lowers, are skipped. */
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

enum { SINGLE_DEFERRED_MAX = 8 }; /* leaf blocks */

/* Triangles of a leaf block that floats have not dismissed. */
typedef struct single_deferred {
    const sli_tri_pack *pack;
    uint32_t lanes;
    uint32_t sure; /* subset of lanes: surely hit within the limits */
    float from[4]; /* lower bound on t' of the hit, per lane */
} single_deferred;

typedef struct single_walk {
    ray1 ray;
    const sli_kernel_batch *batch;
    size_t index;
    uint32_t deferred_count;
    single_deferred deferred[SINGLE_DEFERRED_MAX];
    sl_stats stats;
    uint32_t ref[SLI_STACK];
    float near[SLI_STACK]; /* t' where the ray enters, per reference */
} single_walk;

/* The four triangles of a block as the test for eight wants them, in both of its halves. */
static void single_question(const single_walk *w, const sli_tri_pack *pack, tri8_question *ask)
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

/* Makes a hit the best so far if it is closer, and lowers the bound. */
static SLI_FORCE_INLINE void single_accept(single_walk *w, const sl_hit *hit, sl_hit *best)
{
    if (hit_is_closer(hit, best)) {
        *best = *hit;
        w->ray.w.best = hit->t;
        const float bound = ray_bound_of(w->ray.w.scale, hit->t);
        w->ray.w.bound = bound < w->ray.w.bound ? bound : w->ray.w.bound;
    }
}

/* Decides lanes of a block completely: in doubles, then exactly where those cannot tell.  True:
 * an any-hit query has its answer. */
static SLI_NOINLINE bool single_decide(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                       sl_hit *best, bool any)
{
    tri8_question ask;
    tri8_answer e;
    float best_t[8];
    f8_store(best_t, f8_splat(w->ray.w.best));
    single_question(w, pack, &ask);
    ask.crossings = (w->batch->query->flags & SL_USE_CROSSINGS) != 0;
    tri8_decide(&ask, w->batch->query->cull, any ? NULL : best_t, &e);
    w->stats.double_stage += (uint64_t)__builtin_popcount(lanes & ~e.unsure);
    for (lanes &= e.hit | e.unsure; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        sl_hit hit;
        if (!tri8_hit(w->batch, &e, lane, w->index, pack, lane, w->ray.w.best, any, &hit,
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

/* Drops the lanes that doubles show to lie outside the limits. */
static SLI_FORCE_INLINE uint32_t single_within_limits(single_walk *w, const sli_tri_pack *pack,
                                                      uint32_t lanes)
{
    const uint32_t outside = lanes & plane4_outside(w->batch, w->index, pack);
    w->stats.double_stage += (uint64_t)__builtin_popcount(outside);
    return lanes & ~outside;
}

/* Computes t, u and v of lanes that are surely hit; returns those where doubles cannot tell how one
 * of the three is rounded. */
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
            hit.prim = pack->prim[lane];
            w->stats.hits++;
            single_accept(w, &hit, best);
        }
    }
    return unsettled;
}

/* Goes from an inner node from child to child, and by the stack, until a leaf or SLI_REF_EMPTY is
 * next; returns that. */
static SLI_FORCE_INLINE uint32_t single_descend(single_walk *w, const ray1_slabs *s, uint32_t ref,
                                                bool any)
{
    uint32_t *refs = w->ref, top = w->ray.w.top, nodes = 0;
    float *nears = w->near;
    const float bound = w->ray.w.bound;
    const char *lines = (const char *)w->batch->tree->lines;
    do {
        const char *at = line_at(lines, ref);
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
            prefetch_lines(line_at(lines, refs[top]), 0, SLI_NODE_LINES);
            if (count > 2) {
                prefetch_lines(line_at(lines, refs[top - 1]), 0, SLI_NODE_LINES);
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

/* Decides the deferred triangles that are still within the bound, the last deferred first.  True:
 * an any-hit query has its answer. */
static SLI_NOINLINE bool single_decide_deferred(single_walk *w, sl_hit *best, bool any)
{
    for (uint32_t i = w->deferred_count; i-- > 0;) {
        const single_deferred *deferred = &w->deferred[i];
        uint32_t lanes =
            deferred->lanes & f4_bits_le(f4_load(deferred->from), f4_splat(w->ray.w.bound));
        const uint32_t sure = any ? 0 : lanes & deferred->sure;
        lanes &= ~sure;
        if (lanes != 0) {
            lanes = single_within_limits(w, deferred->pack, lanes);
        }
        if (sure != 0) {
            lanes |= single_take_sure(w, deferred->pack, sure, best);
        }
        if (lanes != 0 && single_decide(w, deferred->pack, lanes, best, any)) {
            return true;
        }
    }
    w->deferred_count = 0;
    return false;
}

/* The lanes that mask and skip leave in. */
static SLI_NOINLINE uint32_t single_wanted(const single_walk *w, const sli_tri_pack *pack,
                                           uint32_t lanes)
{
    const sli_kernel_filter filter = sli_filter_of(w->batch->query, w->index);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!sli_kernel_wants(&filter, pack->prim[lane], pack->mask[lane])) {
            lanes &= ~(1u << lane);
        }
    }
    return lanes;
}

/* Whether one of these lanes answers an any-hit query, decided at once. */
static SLI_NOINLINE bool single_decide_now(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                           sl_hit *best)
{
    lanes = single_within_limits(w, pack, lanes);
    return lanes != 0 && single_decide(w, pack, lanes, best, true);
}

/* Defers lanes, and decides the list when it is full.  True: an any-hit query has its answer. */
static SLI_FORCE_INLINE bool single_defer(single_walk *w, const sli_tri_pack *pack, uint32_t lanes,
                                          uint32_t sure, f4 from, sl_hit *best, bool any)
{
    single_deferred *deferred = &w->deferred[w->deferred_count++];
    deferred->pack = pack;
    deferred->lanes = lanes;
    deferred->sure = sure;
    f4_store(deferred->from, from);
    return __builtin_expect(w->deferred_count == SINGLE_DEFERRED_MAX, 0) &&
           single_decide_deferred(w, best, any);
}

/* Lowers the bound to the farther end of the interval of each lane that is surely hit. */
static SLI_FORCE_INLINE void single_narrow(single_walk *w, uint32_t sure, f4 to)
{
    float last[4];
    f4_store(last, to);
    for (; sure != 0; sure &= sure - 1) {
        const float bound = ray_bound(w->ray.w.scale, last[__builtin_ctz(sure)]);
        w->ray.w.bound = bound < w->ray.w.bound ? bound : w->ray.w.bound;
    }
}

/* Tests the triangles of a leaf in floats.  True: an any-hit query has its answer. */
static SLI_FORCE_INLINE bool single_leaf(single_walk *w, const char *at, sl_hit *best, bool any)
{
    const sl_query *query = w->batch->query;
    const sli_tri_pack *pack = (const sli_tri_pack *)(const void *)at;
    const tri_edges edges = tri_edges_of(&w->ray.w, w->ray.offsets, at);
    uint32_t used, lanes = tri_not_missed(&edges, at, &used);
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
        best->prim = pack->prim[__builtin_ctz(sure)];
        w->stats.hits++;
        return true;
    }
    if (!any) {
        single_narrow(w, sure, range.to);
    } else if (w->batch->rays == NULL) {
        /* Of a segment: most likely a triangle that one of its ends touches. */
        return single_decide_now(w, pack, lanes, best);
    }
    return single_defer(w, pack, lanes, sure, range.from, best, any);
}

/* Traverses the tree.  best holds a miss on entry.  unpacked: of a compact tree, space for the
 * blocks of deferred triangles; else NULL. */
static SLI_FORCE_INLINE bool single_traverse(single_walk *w, ray1_slabs *slabs, sl_hit *best,
                                             bool any, sli_tri_pack *unpacked)
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
        const char *at = unpacked != NULL
                             ? (const char *)sli_tree_pack(tree, ref, &unpacked[w->deferred_count])
                             : line_at((const char *)tree->lines, ref);
        if (single_leaf(w, at, best, any)) {
            return true;
        }
        slabs->bound = f8_splat(w->ray.w.bound);
        for (top = w->ray.w.top; !any && w->near[top] > w->ray.w.bound; top--) {
        }
        ref = w->ref[top];
        w->ray.w.top = top - 1;
    }
    if (w->deferred_count > 0) {
        (void)single_decide_deferred(w, best, any);
    }
    return best->prim != SL_NONE;
}

/* Answers by the reference kernel a ray that is invalid (a miss) or outside the range of the float
 * filters. */
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

static SLI_FORCE_INLINE bool single_run(const sli_kernel_batch *batch, size_t index, sl_hit *best,
                                        bool any, sli_tri_pack *unpacked, sl_stats *stats)
{
    single_walk w;
    ray1_slabs slabs;
    w.batch = batch;
    w.index = index;
    w.deferred_count = 0;
    w.stats = (sl_stats){ .rays = 1 };
    const ray1_input line = batch->rays != NULL ? ray1_from_ray(&batch->rays[index])
                                                : ray1_from_segment(&batch->segments[index]);
    *best = (sl_hit){ .t = line.tmax, .prim = SL_NONE };
    if (batch->tree->root == SLI_REF_EMPTY ||
        !ray1_prepare(batch->tree, &line, any, &w.ray, &slabs)) {
        return single_by_reference(batch, index, best, any, stats);
    }
    const bool found = single_traverse(&w, &slabs, best, any, unpacked);
    if (stats != NULL) {
        w.stats.boxes = w.stats.nodes * SLI_WIDTH;
        w.stats.float_stage = w.stats.triangles - w.stats.double_stage - w.stats.exact_stage;
        add_stats_to(&w.stats, stats);
    }
    return found;
}

/* For compact trees.  A copy of its own, so that the common one keeps its registers. */
static SLI_NOINLINE bool single_compact(const sli_kernel_batch *batch, size_t index, sl_hit *best,
                                        bool any, sl_stats *stats)
{
    sli_tri_pack unpacked[SINGLE_DEFERRED_MAX];
    return any ? single_run(batch, index, best, true, unpacked, stats)
               : single_run(batch, index, best, false, unpacked, stats);
}

/* Answers item index of a batch; *best becomes the hit, or a miss. */
static SLI_FORCE_INLINE bool single_answer(const sli_kernel_batch *batch, size_t index,
                                           sl_hit *best, bool any, sl_stats *stats)
{
    return __builtin_expect(batch->tree->vertices != NULL, 0)
               ? single_compact(batch, index, best, any, stats)
               : single_run(batch, index, best, any, NULL, stats);
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
