/* Traverses a tree with one ray or segment, for the closest or any hit.  For public queries about a
 * single ray or segment, through closest_one and any_one of the kernel table, and for batches of
 * fewer than STREAM_RAYS_MIN or STREAM_ANY_RAYS_MIN items.
 *
 * Needed first: bvh/tree/node_wide.h (nodes, references, octant order) and filter/ray1.inl (what is
 * computed from a ray before it enters the tree).
 *
 * A single ray is bound by latency: it has no other rays to hide cache misses and mispredicted
 * branches behind, as the stream traversal does (stream/).  So each step is kept short.
 * All eight children of a node are tested at once (Wald, Benthin and Boulos, "Getting Rid of
 * Packets", 2008), by integer comparisons, which take fewer cycles (docs/notes/filters.md, "Single
 * rays"); there is one branch on how many children are met, none or some; leaves are tested with
 * nothing that goes across lanes; what doubles compute is behind what the next node waits for, or
 * deferred where a closer hit that floats are sure of may make it needless.
 *
 * Outline, from the outside in; `any` (any hit, not the closest) is a constant where these are
 * inlined
 *   single_answer           one item; compact trees (vertices != NULL) and counts have copies of
 *                           the code
 *   single_run              prepares the ray, or leaves it to the plain kernel
 *   single_traverse         until the stack is empty: down to a leaf, through it, next reference
 *   single_descend          inner nodes, from one to the next until a leaf comes
 *   single_leaf             four triangles in floats: missed, surely hit, or undecided; t, u and v
 *                           of sure hits (filter/tri1.inl), limits of others in doubles
 *                           (filter/tri_plane4.inl)
 *   single_decide_deferred  the rest, by single_decide: all in doubles (filter/tri8.inl), then
 *                           exact
 * The last two are in single/leaf.inl, which says when triangles are decided without deferring.
 *
 * w is the ray on its way through the tree (single_walk of single/leaf.inl); w->ray.w is what
 * filters read of the ray (ray_words of filter/ray8.inl).  t' is t times ray.w.scale, a power of
 * two, counted from the ray's base (filter/base.inl); boxes and triangles that begin beyond
 * ray.w.bound, a t' that each hit lowers, are skipped.
 *
 * The stack is two arrays of SLI_STACK entries, enough for any tree; ray.w.top is the top's index:
 *   index       0               1 ... top
 *   ref         SLI_REF_EMPTY   nodes and leaves still to visit, the next one on top
 *   near                        t' at which the ray enters that box; closest only
 * Of a node, the children that the ray meets are pushed in octant order, which is by the centres of
 * their boxes, so only roughly by near; for any hit, in the order in which the node has them.
 * A hit takes the entries that begin beyond it off the stack, so that none is looked at when it is
 * popped: how many there are would be guessed.  Popping entry 0 ends the traversal; top wraps below
 * 0 then and is not used again. */
#pragma once

#include "bvh/kernel/plain/any.inl"
#include "bvh/kernel/plain/closest.inl"
#include "bvh/kernel/single/leaf.inl"

/* Any-hit rays push the last child that is met first: so the first one is visited next, and can be
 * read before the stack is written.  Nodes have the same order for them (node_wide.h). */
static const uint32_t single_last_first[SLI_WIDTH] = { 7, 6, 5, 4, 3, 2, 1, 0 };

/* For t' in from .. to the ray is inside all three slabs of a child of the node at `at`, and within
 * its limits.  The _plus operations compare floats by their bits, as integers, which is right for
 * those >= +0.  tmin and bound are, so from is too; a child with a negative `to` is missed. */
static SLI_FORCE_INLINE void single_boxes(const ray1_slabs *s, const char *at, f8 *from, f8 *to)
{
    f8 entry[3], leave[3];
    for (int axis = 0; axis < 3; axis++) {
        const f8 near = f8_load((const float *)(const void *)(at + s->sides->near_side[axis]));
        const f8 far = f8_load((const float *)(const void *)(at + s->sides->far_side[axis]));
        entry[axis] = f8_mul(f8_sub(s->near_base[axis], near), s->inverse[axis]);
        leave[axis] =
            f8_muladd(f8_sub(s->far_base[axis], far), s->farther[axis], f8_splat(SLAB_TINY));
    }
    *from = f8_max_plus(f8_max_plus(entry[0], entry[1]), f8_max_plus(entry[2], s->tmin));
    *to = f8_min_plus(f8_min_plus(leave[0], leave[1]), f8_min_plus(leave[2], s->bound));
}

/* Visits inner nodes from ref on, children first, then those on the stack, until the next reference
 * is a leaf or SLI_REF_EMPTY; returns that reference, which is no longer on the stack. */
static SLI_FORCE_INLINE uint32_t single_descend(single_walk *w, const ray1_slabs *s, uint32_t ref,
                                                bool any, bool counted)
{
    uint32_t *refs = w->ref, top = w->ray.w.top, nodes = 0;
    float *nears = w->near;
    const char *lines = w->lines;
    do {
        const char *at = line_at(lines, ref);
        const sli_node_wide *node = (const sli_node_wide *)(const void *)at;
        f8 from, to;
        single_boxes(s, at, &from, &to);
        const uint32_t *order = any ? single_last_first : node->order;
        uint32_t ranked[SLI_WIDTH];
        f8 ranked_near;
        const uint32_t bits = simd_by_rank(node->child, order, any ? 0 : s->sides->shift, from, to,
                                           ranked, &ranked_near);
        const uint32_t met = any ? f8_bits_le_plus(from, to) : bits;
        nodes++;
        if (met == 0) {
            ref = refs[top--];
        } else { /* push them all, and visit the one on top, which is not read from there */
            u8_store_some(&refs[top + 1], ranked, bits);
            if (!any) {
                f8_store_some(&nears[top + 1], ranked_near, bits);
            }
            ref = any ? node->child[__builtin_ctz(met)] : ranked[31 - __builtin_clz(met)];
            top += (uint32_t)__builtin_popcount(met) - 1;
            prefetch_ref_next(lines, refs[top]);
        }
    } while ((ref & SLI_REF_LEAF) == 0);
    w->ray.w.top = top;
    if (counted) {
        w->counts.nodes += nodes;
    }
    return ref;
}

/* Where a ray stands that goes on alone (stream/last_few.inl): what it still has to visit, the
 * last one first, at least one; and its closest hit so far, or a miss. */
typedef struct single_resume {
    const uint32_t *refs;
    uint32_t count;
    sl_hit best;
} single_resume;

/* Takes over a ray under way.  Where it enters boxes may have been counted from another base, so
 * none of them is taken to lie beyond the bound.  Returns what it visits first. */
static SLI_FORCE_INLINE uint32_t single_take_over(single_walk *w, ray1_slabs *slabs,
                                                  const single_resume *from, sl_hit *best)
{
    for (uint32_t i = 0; i < from->count; i++) {
        w->ref[i + 1] = from->refs[i];
        w->near[i + 1] = -INFINITY;
    }
    w->ray.w.top = from->count - 1;
    if (from->best.prim != SL_NONE) {
        single_accept(w, &from->best, best);
        slabs->bound = f8_splat(w->ray.box_bound);
    }
    return w->ref[from->count];
}

/* Puts the bottom onto the stack, which is else empty. */
static SLI_FORCE_INLINE void single_empty_stack(single_walk *w)
{
    w->ref[0] = SLI_REF_EMPTY;
    w->ray.w.top = 0;
}

/* Takes the next reference off the stack, and first, where the ray's bound was lowered from what it
 * was before, all entries beyond it. */
static SLI_FORCE_INLINE uint32_t single_pop(single_walk *w, ray1_slabs *slabs, float before)
{
    const float bound = w->ray.box_bound;
    if (bound < before) {
        slabs->bound = f8_splat(bound);
        w->ray.w.top = simd_keep(&w->ref[1], &w->near[1], w->ray.w.top, bound);
    }
    return w->ref[w->ray.w.top--];
}

/* Traverses the tree from its root, or from where the ray stands, if that is not NULL.  *best is a
 * miss on entry; true: it has become a hit, of which any-hit queries use only prim.  unpacked: for
 * a compact tree, SINGLE_DEFERRED_MAX blocks to unpack leaves into; else NULL. */
static SLI_FORCE_INLINE bool single_traverse(single_walk *w, ray1_slabs *slabs,
                                             const single_resume *from, sl_hit *best, bool any,
                                             sli_tri_pack *unpacked, bool counted)
{
    const sl_bvh *tree = w->batch->tree;
    uint32_t ref = tree->root;
    single_empty_stack(w);
    if (from != NULL) {
        ref = single_take_over(w, slabs, from, best);
    }
    for (;;) {
        if ((ref & SLI_REF_LEAF) == 0) {
            ref = single_descend(w, slabs, ref, any, counted);
        }
        if (ref == SLI_REF_EMPTY) {
            break;
        }
        const float bound = w->ray.box_bound;
        /* Deferred triangles stay in their unpacked block; any other block is overwritten next. */
        const char *block =
            unpacked != NULL ? (const char *)sli_tree_pack(tree, ref, &unpacked[w->deferred_count])
                             : line_at((const char *)tree->lines, ref);
        if (single_leaf(w, block, best, any, counted)) {
            return true; /* any hit has its answer */
        }
        ref = single_pop(w, slabs, any ? -INFINITY : bound);
    }
    if (w->deferred_count > 0) { /* what is found is in *best */
        (void)single_decide_deferred(w, best, any);
    }
    return best->prim != SL_NONE;
}

/* Answers by the plain kernel what the float filters do not take: a ray that is invalid (a
 * miss) or outside their range, and any ray in an empty tree.  *best is a miss on entry. */
static SLI_NOINLINE bool single_by_reference(const sli_kernel_batch *batch, size_t index,
                                             sl_hit *best, bool any, sl_stats *stats)
{
    sli_kernel_ray ray;
    if (!sli_kernel_exact_ray(batch, index, &ray.exact)) {
        add_stats_to(&(sl_stats){ .rays = 1 }, stats);
        return false;
    }
    ray.selection = sli_item_options(batch->options, index);
    ray.cull = batch->options->cull;
    ray.after = NULL;
    ray.accepts = NULL;
    return any ? traverse_any(batch->tree, &ray, &best->prim, stats)
               : traverse_closest(batch->tree, &ray, best, stats);
}

/* Adds one ray's counts to stats. */
static void single_count(const single_counts *counts, sl_stats *stats)
{
    stats->rays++;
    stats->nodes += counts->nodes;
    stats->boxes += (uint64_t)counts->nodes * SLI_WIDTH;
    stats->triangles += counts->triangles;
    /* What neither doubles nor exact arithmetic decided. */
    stats->float_stage += (uint64_t)counts->triangles - counts->double_stage - counts->exact_stage;
    stats->double_stage += counts->double_stage;
    stats->exact_stage += counts->exact_stage;
    stats->hits += counts->hits;
}

/* Answers item index of a batch; *best becomes the hit, or a miss at tmax.  stats: NULL, or where
 * counts are added.  from and unpacked as for single_traverse. */
static SLI_FORCE_INLINE bool single_run(const sli_kernel_batch *batch, size_t index,
                                        const single_resume *from, sl_hit *best, bool any,
                                        sli_tri_pack *unpacked, sl_stats *stats)
{
    single_walk w;
    ray1_slabs slabs;
    w.batch = batch;
    w.index = index;
    w.lines = (const char *)batch->tree->lines;
    w.deferred_count = 0;
    w.counts = (single_counts){ .nodes = 0 };
    const ray1_input input = batch->rays != NULL ? ray1_from_ray(&batch->rays[index])
                                                 : ray1_from_segment(&batch->segments[index]);
    *best = (sl_hit){ .t = input.tmax, .prim = SL_NONE };
    if (batch->tree->root == SLI_REF_EMPTY || !ray1_prepare(batch, index, &input, &w.ray, &slabs)) {
        return single_by_reference(batch, index, best, any, stats);
    }
    const bool found = single_traverse(&w, &slabs, from, best, any, unpacked, stats != NULL);
    if (stats != NULL) {
        single_count(&w.counts, stats);
    }
    return found;
}

/* single_run where a ray goes on that began in a batch, or where counts are wanted: a function of
 * its own, so that the usual one has no instruction for either.  from: NULL, or where the ray
 * stands. */
static SLI_NOINLINE bool single_go_on(const sli_kernel_batch *batch, size_t index,
                                      const single_resume *from, sl_hit *best, bool any,
                                      sl_stats *stats)
{
    return any ? single_run(batch, index, from, best, true, NULL, stats)
               : single_run(batch, index, from, best, false, NULL, stats);
}

/* The same for compact trees: not inlined, so that unpacking takes no registers and no stack from
 * the others. */
static SLI_NOINLINE bool single_go_on_compact(const sli_kernel_batch *batch, size_t index,
                                              const single_resume *from, sl_hit *best, bool any,
                                              sl_stats *stats)
{
    sli_tri_pack unpacked[SINGLE_DEFERRED_MAX];
    if (SINGLE_IS_SMALL) {
        return single_run(batch, index, from, best, any, unpacked, stats);
    }
    return any ? single_run(batch, index, from, best, true, unpacked, stats)
               : single_run(batch, index, from, best, false, unpacked, stats);
}

/* Answers item index of a batch as single_run does, for a tree of either layout. */
static SLI_FORCE_INLINE bool single_answer(const sli_kernel_batch *batch, size_t index,
                                           sl_hit *best, bool any, sl_stats *stats)
{
    if (__builtin_expect(batch->tree->vertices != NULL, 0)) {
        return single_go_on_compact(batch, index, NULL, best, any, stats);
    }
    return !SINGLE_IS_SMALL && __builtin_expect(stats != NULL, 0)
               ? single_go_on(batch, index, NULL, best, any, stats)
               : single_run(batch, index, NULL, best, any, NULL, SINGLE_IS_SMALL ? stats : NULL);
}

/* closest_one of the kernel table. */
static SLI_NOINLINE bool single_closest(const sli_kernel_batch *batch, size_t index, sl_hit *hit,
                                        sl_stats *stats)
{
    return single_answer(batch, index, hit, false, stats);
}

/* any_one of the kernel table: prim may be NULL, and is written only for a hit. */
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
