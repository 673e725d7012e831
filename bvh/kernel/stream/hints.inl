/* Segments with a hint each: a triangle that may block the segment, since from one frame to the
 * next most blockers stay.  Hints are tried first, without the tree, in doubles and eight at a
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
    HINTS_CREDIT = 96,  /* tries without a blocker before hints are left out, at first */
    HINTS_GAIN = 16,    /* tries that a blocker adds to the credit */
    HINTS_SAVED = 1024, /* tries that the credit holds at most */
    HINTS_LEFT_OUT = 8 * HINTS_AT_ONCE /* items at a time */
};

/* Hints that name a triangle; up to seven from before, and those of some items. */
typedef struct hint_list {
    size_t index[HINTS_AT_ONCE + 8];   /* of the item in the batch */
    uint32_t place[HINTS_AT_ONCE + 8]; /* of the triangle in its tree */
    uint32_t count;
} hint_list;

/* A batch whose items have hints. */
typedef struct hints_asked {
    const void *batch;
    const sl_triangle_ref *hints;
    uint8_t *any;
    sl_stats spent;
} hints_asked;

/* The tree that a hint names a triangle of; NULL: none. */
typedef const sl_bvh *hints_tree_fn(const void *batch, sl_triangle_ref hint);
/* Prefetches what leads to that tree. */
typedef void hints_prefetch_fn(const void *batch, sl_triangle_ref hint);
/* Tries count hints, at most eight: sets any of the items, and counts those that are blocked. */
typedef void hints_decide_fn(hints_asked *asked, const size_t *index, const uint32_t *place,
                             uint32_t count);

/* Prefetches where the triangles of hints begin .. end - 1 are noted. */
static SLI_FORCE_INLINE void hints_prefetch(const hints_asked *asked, size_t begin, size_t end,
                                            hints_tree_fn *tree_of)
{
    for (size_t i = begin; i < end; i++) {
        const sl_triangle_ref hint = asked->hints[i];
        const sl_bvh *tree = hint.prim != SL_NONE ? tree_of(asked->batch, hint) : NULL;
        if (tree != NULL && hint.prim < tree->prim_count) {
            __builtin_prefetch(&tree->places[hint.prim]);
        }
    }
}

/* Does so for hints HINTS_AHEAD after begin .. end - 1, and for what leads to trees of later
 * ones. */
static SLI_FORCE_INLINE void hints_prefetch_ahead(const hints_asked *asked, size_t begin,
                                                  size_t end, size_t last, hints_tree_fn *tree_of,
                                                  hints_prefetch_fn *prefetch)
{
    for (size_t i = begin + HINTS_INSTANCE_AHEAD;
         prefetch != NULL && i < end + HINTS_INSTANCE_AHEAD && i < last; i++) {
        prefetch(asked->batch, asked->hints[i]);
    }
    const size_t to = end + HINTS_AHEAD < last ? end + HINTS_AHEAD : last;
    hints_prefetch(asked, begin + HINTS_AHEAD, to, tree_of);
}

/* Adds to a list the hints of items begin .. end - 1, at most HINTS_AT_ONCE, that name a triangle,
 * and prefetches the triangles. */
static SLI_FORCE_INLINE void hints_gather(const hints_asked *asked, size_t begin, size_t end,
                                          hints_tree_fn *tree_of, hint_list *out)
{
    for (size_t i = begin; i < end; i++) {
        const uint32_t prim = asked->hints[i].prim;
        const sl_bvh *tree = tree_of(asked->batch, asked->hints[i]);
        if (tree != NULL && prim < tree->prim_count && tree->places[prim] != SL_NONE) {
            const uint32_t place = tree->places[prim];
            prefetch_lines(line_at((const char *)tree->lines, place / SLI_PACK), 0, SLI_PACK_LINES);
            out->index[out->count] = i;
            out->place[out->count++] = place;
        }
    }
}

/* What is left of the tries, after some more. */
static int64_t hints_credit(int64_t credit, uint64_t tries, uint64_t found)
{
    credit += (int64_t)(found * HINTS_GAIN) - (int64_t)tries;
    return credit < HINTS_SAVED ? credit : HINTS_SAVED;
}

/* any[i] becomes 1 where the hint blocks item i of begin .. end - 1, which then counts as traced,
 * else 0: also where the hint is left out, since those before have blocked too little. */
static SLI_FORCE_INLINE void hints_run(hints_asked *asked, size_t begin, size_t end,
                                       hints_tree_fn *tree_of, hints_prefetch_fn *prefetch,
                                       hints_decide_fn *decide, sl_stats *stats)
{
    const sl_stats *spent = &asked->spent;
    hint_list list;
    list.count = 0;
    asked->spent = (sl_stats){ .rays = 0 };
    memset(asked->any + begin, 0, end - begin);
    for (size_t i = begin; prefetch != NULL && i < end && i < begin + HINTS_INSTANCE_AHEAD; i++) {
        prefetch(asked->batch, asked->hints[i]);
    }
    hints_prefetch(asked, begin, end - begin < HINTS_AHEAD ? end : begin + HINTS_AHEAD, tree_of);
    int64_t credit = HINTS_CREDIT;
    for (size_t first = begin; first < end; first += HINTS_AT_ONCE) {
        if (credit < 0) {
            credit = 0;
            first += HINTS_LEFT_OUT - HINTS_AT_ONCE;
            continue;
        }
        const uint64_t tried = spent->triangles, found = spent->hits;
        const size_t behind = end - first < HINTS_AT_ONCE ? end : first + HINTS_AT_ONCE;
        hints_prefetch_ahead(asked, first, behind, end, tree_of, prefetch);
        hints_gather(asked, first, behind, tree_of, &list);
        uint32_t done = 0;
        for (; list.count - done >= 8; done += 8) {
            decide(asked, list.index + done, list.place + done, 8);
        }
        list.count -= done; /* the rest waits for seven or fewer others */
        memmove(list.index, list.index + done, list.count * sizeof *list.index);
        memmove(list.place, list.place + done, list.count * sizeof *list.place);
        credit = hints_credit(credit, spent->triangles - tried, spent->hits - found);
    }
    if (list.count > 0) {
        decide(asked, list.index, list.place, list.count);
    }
    add_stats_to(spent, stats);
}

/* ---- Trees of triangles ---- */

static SLI_FORCE_INLINE const sl_bvh *hints_tree(const void *batch, sl_triangle_ref hint)
{
    return hint.instance == 0 ? ((const sli_kernel_batch *)batch)->tree : NULL;
}

static SLI_FORCE_INLINE void hints_decide(hints_asked *asked, const size_t *index,
                                          const uint32_t *place, uint32_t count)
{
    const sli_kernel_batch *batch = asked->batch;
    sl_stats *stats = &asked->spent;
    sli_tri_pack unpacked[8];
    tri8_source from;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t k = i < count ? i : 0;
        from.ray[i] = (const float *)(const void *)&batch->segments[index[k]];
        from.pack[i] = i < count ? sli_tree_pack(batch->tree, place[i] / SLI_PACK, &unpacked[i])
                                 : from.pack[0];
        from.lane[i] = place[k] % SLI_PACK;
    }
    tri8_question ask;
    tri8_answer e;
    tri8_read_rays(&from, true, &ask);
    tri8_read_triangles(&from, &ask);
    ask.crossings = (batch->query->flags & SL_CROSSINGS) != 0;
    tri8_decide(&ask, batch->query->cull, NULL, &e);
    for (uint32_t i = 0; i < count; i++) {
        const bool unsure = (e.unsure >> i & 1) != 0;
        sli_exact_ray exact;
        sl_hit hit;
        stats->double_stage += !unsure;
        /* An invalid segment is never decided by doubles. */
        asked->any[index[i]] =
            ((e.hit | e.unsure) >> i & 1) != 0 &&
            (!unsure || sli_kernel_exact_ray(batch, index[i], &exact)) &&
            tri8_hit(batch, &e, i, index[i], from.pack[i], from.lane[i], 0, true, &hit, stats);
        stats->rays += asked->any[index[i]];
    }
    stats->triangles += count;
}

static SLI_NOINLINE void hints_try(const sli_kernel_batch *batch, size_t begin, size_t end,
                                   uint8_t *any, const sl_triangle_ref *hints, sl_stats *stats)
{
    hints_asked asked = { .batch = batch, .hints = hints, .any = any };
    hints_run(&asked, begin, end, hints_tree, NULL, hints_decide, stats);
}
