/* Segments with a hint each: a triangle that may block the segment, since from one frame to the
 * next most occluders stay.  Hints are tried first, without the tree, in doubles and eight at a
 * time.  What a hint leads to lies anywhere in memory, one step behind the other, so each of them
 * is prefetched some items ahead.  The other segments of the batch go through the tree
 * (stream/batch.inl).  A hint never changes an answer.
 *
 * hints_run is for trees of triangles and for instances (instance/hints.inl) alike; what differs
 * are constants. */
#pragma once

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/plain/ray.inl"

enum {
    HINTS_AT_ONCE = 32,         /* hints whose triangles are prefetched together */
    HINTS_AHEAD = 64,           /* items ahead whose triangle's slot is prefetched */
    HINTS_INSTANCE_AHEAD = 128, /* items ahead whose instance is prefetched */
    /* A way out: hints that block nothing are tried at first, and a ninth of them later on. */
    HINTS_CREDIT = 96,  /* tries without an occluder before hints are left out, at first */
    HINTS_GAIN = 16,    /* tries that an occluder adds to the credit */
    HINTS_SAVED = 1024, /* tries that the credit holds at most */
    HINTS_LEFT_OUT = 8 * HINTS_AT_ONCE /* items at a time */
};

/* Hints that name a triangle; up to seven from before, and those of some items. */
typedef struct hint_list {
    size_t index[HINTS_AT_ONCE + 8];  /* of the item in the batch */
    uint32_t slot[HINTS_AT_ONCE + 8]; /* of the triangle in its tree */
    uint32_t count;
} hint_list;

/* A batch whose items have hints. */
typedef struct hints_query {
    const void *batch;
    const sl_triangle_ref *hints;
    uint8_t *any;
    sl_stats spent;
} hints_query;

/* The tree that a hint names a triangle of; NULL: none. */
typedef const sl_bvh *hints_tree_fn(const void *batch, sl_triangle_ref hint);
/* Prefetches what leads to that tree. */
typedef void hints_prefetch_fn(const void *batch, sl_triangle_ref hint);
/* Tries count hints, at most eight: sets any of the items, and counts those that are occluded. */
typedef void hints_decide_fn(hints_query *of, const size_t *index, const uint32_t *slot,
                             uint32_t count);

/* Prefetches where the triangles of hints begin .. end - 1 are noted. */
static SLI_FORCE_INLINE void hints_prefetch(const hints_query *of, size_t begin, size_t end,
                                            hints_tree_fn *tree_of)
{
    for (size_t i = begin; i < end; i++) {
        const sl_triangle_ref hint = of->hints[i];
        const sl_bvh *tree = hint.prim != SL_NONE ? tree_of(of->batch, hint) : NULL;
        if (tree != NULL && hint.prim < tree->prim_count) {
            __builtin_prefetch(&tree->slots[hint.prim]);
        }
    }
}

/* Does so for hints HINTS_AHEAD after begin .. end - 1, and for what leads to trees of later
 * ones. */
static SLI_FORCE_INLINE void hints_prefetch_ahead(const hints_query *of, size_t begin, size_t end,
                                                  size_t last, hints_tree_fn *tree_of,
                                                  hints_prefetch_fn *prefetch)
{
    for (size_t i = begin + HINTS_INSTANCE_AHEAD;
         prefetch != NULL && i < end + HINTS_INSTANCE_AHEAD && i < last; i++) {
        prefetch(of->batch, of->hints[i]);
    }
    const size_t to = end + HINTS_AHEAD < last ? end + HINTS_AHEAD : last;
    hints_prefetch(of, begin + HINTS_AHEAD, to, tree_of);
}

/* Adds to a list the hints of items begin .. end - 1, at most HINTS_AT_ONCE, that name a triangle,
 * and prefetches the triangles. */
static SLI_FORCE_INLINE void hints_gather(const hints_query *of, size_t begin, size_t end,
                                          hints_tree_fn *tree_of, hint_list *out)
{
    for (size_t i = begin; i < end; i++) {
        const uint32_t prim = of->hints[i].prim;
        const sl_bvh *tree = tree_of(of->batch, of->hints[i]);
        if (tree != NULL && prim < tree->prim_count && tree->slots[prim] != SL_NONE) {
            const uint32_t slot = tree->slots[prim];
            prefetch_lines(line_at((const char *)tree->lines, slot / SLI_PACK), 0, SLI_PACK_LINES);
            out->index[out->count] = i;
            out->slot[out->count++] = slot;
        }
    }
}

/* What is left of the tries, after some more. */
static int64_t hints_credit(int64_t credit, uint64_t tries, uint64_t found)
{
    credit += (int64_t)(found * HINTS_GAIN) - (int64_t)tries;
    return credit < HINTS_SAVED ? credit : HINTS_SAVED;
}

/* any[i] becomes 1 where the hint occludes item i of begin .. end - 1, which then counts as traced,
 * else 0: also where the hint is left out, since those before have occluded too little. */
static SLI_FORCE_INLINE void hints_run(hints_query *of, size_t begin, size_t end,
                                       hints_tree_fn *tree_of, hints_prefetch_fn *prefetch,
                                       hints_decide_fn *decide, sl_stats *stats)
{
    const sl_stats *spent = &of->spent;
    hint_list list;
    list.count = 0;
    of->spent = (sl_stats){ .rays = 0 };
    memset(of->any + begin, 0, end - begin);
    for (size_t i = begin; prefetch != NULL && i < end && i < begin + HINTS_INSTANCE_AHEAD; i++) {
        prefetch(of->batch, of->hints[i]);
    }
    hints_prefetch(of, begin, end - begin < HINTS_AHEAD ? end : begin + HINTS_AHEAD, tree_of);
    int64_t credit = HINTS_CREDIT;
    for (size_t first = begin; first < end; first += HINTS_AT_ONCE) {
        if (credit < 0) {
            credit = 0;
            first += HINTS_LEFT_OUT - HINTS_AT_ONCE;
            continue;
        }
        const uint64_t tried = spent->triangles, found = spent->hits;
        const size_t behind = end - first < HINTS_AT_ONCE ? end : first + HINTS_AT_ONCE;
        hints_prefetch_ahead(of, first, behind, end, tree_of, prefetch);
        hints_gather(of, first, behind, tree_of, &list);
        uint32_t done = 0;
        for (; list.count - done >= 8; done += 8) {
            decide(of, list.index + done, list.slot + done, 8);
        }
        list.count -= done; /* the rest waits for seven or fewer others */
        memmove(list.index, list.index + done, list.count * sizeof *list.index);
        memmove(list.slot, list.slot + done, list.count * sizeof *list.slot);
        credit = hints_credit(credit, spent->triangles - tried, spent->hits - found);
    }
    if (list.count > 0) {
        decide(of, list.index, list.slot, list.count);
    }
    add_stats_to(spent, stats);
}

/* ---- Trees of triangles ---- */

static SLI_FORCE_INLINE const sl_bvh *hints_tree(const void *batch, sl_triangle_ref hint)
{
    return hint.instance == 0 ? ((const sli_kernel_batch *)batch)->tree : NULL;
}

static SLI_FORCE_INLINE void hints_decide(hints_query *of, const size_t *index,
                                          const uint32_t *slot, uint32_t count)
{
    const sli_kernel_batch *batch = of->batch;
    sl_stats *stats = &of->spent;
    sli_tri_pack unpacked[8];
    tri8_source from;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t k = i < count ? i : 0;
        from.ray[i] = (const float *)(const void *)&batch->segments[index[k]];
        from.pack[i] =
            i < count ? sli_tree_pack(batch->tree, slot[i] / SLI_PACK, &unpacked[i]) : from.pack[0];
        from.lane[i] = slot[k] % SLI_PACK;
    }
    tri8_query query;
    tri8_answer e;
    tri8_read_rays(&from, true, &query);
    tri8_read_triangles(&from, &query);
    query.flags = batch->options->flags;
    tri8_decide(&query, batch->options->cull, NULL, (1u << count) - 1, &e);
    for (uint32_t i = 0; i < count; i++) {
        const bool unsure = (e.unsure >> i & 1) != 0;
        sli_exact_ray exact;
        sl_hit hit;
        stats->double_stage += !unsure;
        /* An invalid segment is never decided by doubles. */
        of->any[index[i]] =
            ((e.hit | e.unsure) >> i & 1) != 0 &&
            (!unsure || sli_kernel_exact_ray(batch, index[i], &exact)) &&
            tri8_hit(batch, &e, i, index[i], from.pack[i], from.lane[i], 0, true, &hit, stats);
        stats->rays += of->any[index[i]];
    }
    stats->triangles += count;
}

static SLI_NOINLINE void hints_try(const sli_kernel_batch *batch, size_t begin, size_t end,
                                   uint8_t *any, const sl_triangle_ref *hints, sl_stats *stats)
{
    hints_query of = { .batch = batch, .hints = hints, .any = any };
    hints_run(&of, begin, end, hints_tree, NULL, hints_decide, stats);
}
