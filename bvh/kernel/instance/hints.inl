/* Items of a scene batch with a hint each, as stream/hints.inl has them for one tree: the
 * triangle that each names is tried first, in doubles and eight at a time.  What a hint leads to
 * lies anywhere in memory, one thing behind the other, so each step is prefetched some items
 * ahead. */
#ifndef SLI_KERNEL_INSTANCE_HINTS_INL
#define SLI_KERNEL_INSTANCE_HINTS_INL

#include "bvh/kernel/instance/intersect.h"
#include "bvh/kernel/instance/intersect8.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"
#include "bvh/kernel/plain/ray.inl"
#include "lib/base/inline.h"

#include <math.h>
#include <string.h>

enum {
    SCENE_HINTS_AT_ONCE = 32,       /* whose triangles are prefetched together */
    SCENE_HINTS_AHEAD = 64,         /* items ahead whose triangle's place is prefetched, */
    SCENE_HINTS_PLACED_AHEAD = 128, /* and whose instance is */
    /* A way out: hints that block nothing are tried at first, and a ninth of them later on. */
    SCENE_HINTS_CREDIT = 96,  /* tries without a blocker before hints are left out, at first */
    SCENE_HINTS_GAIN = 16,    /* more of them for each blocker */
    SCENE_HINTS_SAVED = 1024, /* at most so many */
    SCENE_HINTS_LEFT_OUT = 8 * SCENE_HINTS_AT_ONCE /* items at a time */
};

/* Hints that name a triangle; up to seven from before, and those of some items. */
typedef struct scene_hints {
    size_t index[SCENE_HINTS_AT_ONCE + 8];   /* of the item in the batch */
    uint32_t place[SCENE_HINTS_AT_ONCE + 8]; /* of the triangle in its tree */
    uint32_t count;
} scene_hints;

/* The instance of a hint; NULL: there is none. */
static SLI_FORCE_INLINE const sli_placed *scene_hint_placed(const sli_world *world,
                                                            sl_triangle_ref hint)
{
    if (hint.instance >= world->count || world->placed[hint.instance].tree == NULL) {
        return NULL;
    }
    return &world->placed[hint.instance];
}

/* Whether the options leave in what a hint names. */
static SLI_NOINLINE bool scene_hint_counts(const sli_scene_batch *asked, size_t index,
                                           const sli_placed *placed, sl_triangle_ref hint,
                                           uint32_t mask)
{
    sli_scene_ray ray;
    sli_scene_options(asked->query, index, &ray);
    return sli_scene_selects(&ray, placed, hint.instance) && sli_scene_has(&ray, hint, mask);
}

/* Decides exactly what doubles leave open.  Rare: kept out of the loops. */
static SLI_NOINLINE bool scene_hint_settle(const sli_scene_batch *asked, const scene_eight *eight,
                                           uint32_t i, sl_triangle_ref hint, sl_stats *stats)
{
    sli_scene_ray ray;
    float x[3][3];
    sl_hit_d hit;
    sli_decision_stage stage;
    if (!sli_scene_batch_ray(asked, eight->index[i], &ray)) {
        return false;
    }
    sli_pack_corners(eight->pack[i], (int)eight->lane[i], x);
    const bool found = sli_scene_decide(asked->world, &ray, hint, x, INFINITY, &hit, &stage);
    stats->exact_stage += stage == SLI_STAGE_EXACT;
    stats->double_stage += stage == SLI_STAGE_DOUBLE;
    return found;
}

/* Tries count hints, at most eight. */
static SLI_FORCE_INLINE void scene_hints_decide(const sli_scene_batch *asked, const size_t *index,
                                                const uint32_t *place, uint32_t count, uint8_t *any,
                                                const sl_triangle_ref *hints, sl_stats *stats)
{
    const bool chosen = (asked->query->flags & (SL_USE_MASK | SL_USE_SKIP | SL_USE_IGNORE)) != 0;
    sli_tri_pack unpacked[8];
    scene_eight eight;
    scene_decided a;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t from = i < count ? i : 0;
        eight.index[i] = index[from];
        eight.lane[i] = place[from] % SLI_PACK;
        eight.placed[i] = &asked->world->placed[hints[index[from]].instance];
        eight.pack[i] =
            i < count ? sli_tree_pack(eight.placed[i]->tree, place[i] / SLI_PACK, &unpacked[i])
                      : eight.pack[0];
    }
    scene_decide_eight(asked, &eight, count, true, &a);
    uint32_t hit = a.e.hit;
    stats->triangles += count;
    stats->double_stage += count - (uint32_t)__builtin_popcount(a.e.unsure);
    for (uint32_t lanes = chosen ? a.e.hit | a.e.unsure : a.e.unsure; lanes != 0;
         lanes &= lanes - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(lanes), bit = 1u << i;
        const sl_triangle_ref hint = hints[eight.index[i]];
        const bool counts = !chosen || scene_hint_counts(asked, eight.index[i], eight.placed[i],
                                                         hint, eight.pack[i]->mask[eight.lane[i]]);
        const bool found =
            counts && ((a.e.hit & bit) != 0 || scene_hint_settle(asked, &eight, i, hint, stats));
        hit = found ? hit | bit : hit & ~bit;
    }
    for (uint32_t i = 0; i < count; i++) {
        any[index[i]] = hit >> i & 1;
    }
    const uint32_t found = (uint32_t)__builtin_popcount(hit);
    stats->rays += found;
    stats->hits += found;
}

/* Adds to a list the hints of items begin .. end - 1, at most SCENE_HINTS_AT_ONCE, that name a
 * triangle, and prefetches the triangles. */
static SLI_FORCE_INLINE void scene_hints_gather(const sli_world *world, size_t begin, size_t end,
                                                const sl_triangle_ref *hints, scene_hints *out)
{
    for (size_t i = begin; i < end; i++) {
        const sli_placed *placed = scene_hint_placed(world, hints[i]);
        if (placed == NULL || hints[i].prim >= placed->tree->prim_count ||
            placed->tree->places[hints[i].prim] == SL_NONE) {
            continue;
        }
        const uint32_t place = placed->tree->places[hints[i].prim];
        prefetch_lines(line_at((const char *)placed->tree->lines, place / SLI_PACK), 0,
                       SLI_PACK_LINES);
        out->index[out->count] = i;
        out->place[out->count++] = place;
    }
}

/* Prefetches the instance of a hint: its tree and its place. */
static SLI_FORCE_INLINE void scene_hint_prefetch_placed(const sli_world *world,
                                                        sl_triangle_ref hint)
{
    if (hint.prim != SL_NONE && hint.instance < world->count) {
        prefetch_lines((const char *)&world->placed[hint.instance], 0, 3);
    }
}

/* Prefetches where the triangle of a hint is noted. */
static SLI_FORCE_INLINE void scene_hint_prefetch(const sli_world *world, sl_triangle_ref hint)
{
    const sli_placed *placed = hint.prim != SL_NONE ? scene_hint_placed(world, hint) : NULL;
    if (placed != NULL && hint.prim < placed->tree->prim_count) {
        __builtin_prefetch(&placed->tree->places[hint.prim]);
    }
}

/* Does both for the hints that stand before those that the loop prefetches. */
static SLI_FORCE_INLINE void scene_hints_prefetch_first(const sli_world *world, size_t begin,
                                                        size_t end, const sl_triangle_ref *hints)
{
    for (size_t i = begin; i < end && i < begin + SCENE_HINTS_PLACED_AHEAD; i++) {
        scene_hint_prefetch_placed(world, hints[i]);
    }
    for (size_t i = begin; i < end && i < begin + SCENE_HINTS_AHEAD; i++) {
        scene_hint_prefetch(world, hints[i]);
    }
}

/* Prefetches what hints lead to that come after items begin .. end - 1. */
static SLI_FORCE_INLINE void scene_hints_prefetch(const sli_world *world, size_t begin, size_t end,
                                                  size_t last, const sl_triangle_ref *hints)
{
    for (size_t i = begin; i < end; i++) {
        const size_t far = i + SCENE_HINTS_PLACED_AHEAD, near = i + SCENE_HINTS_AHEAD;
        if (far < last) {
            scene_hint_prefetch_placed(world, hints[far]);
        }
        if (near < last) {
            scene_hint_prefetch(world, hints[near]);
        }
    }
}

/* What is left of the tries, after some more. */
static int64_t scene_hints_credit(int64_t credit, uint64_t tries, uint64_t found)
{
    credit += (int64_t)(found * SCENE_HINTS_GAIN) - (int64_t)tries;
    return credit < SCENE_HINTS_SAVED ? credit : SCENE_HINTS_SAVED;
}

/* any[i] becomes 1 where the hint blocks item i, which then counts as traced, else 0: also where
 * the hint is left out, since those before have blocked too little. */
static SLI_NOINLINE void scene_try_hints(const sli_scene_batch *asked, size_t begin, size_t end,
                                         uint8_t *any, const sl_triangle_ref *hints,
                                         sl_stats *stats)
{
    sl_stats spent = { .rays = 0 };
    scene_hints list;
    list.count = 0;
    memset(any + begin, 0, end - begin);
    scene_hints_prefetch_first(asked->world, begin, end, hints);
    int64_t credit = SCENE_HINTS_CREDIT;
    for (size_t first = begin; first < end; first += SCENE_HINTS_AT_ONCE) {
        if (credit < 0) {
            credit = 0;
            first += SCENE_HINTS_LEFT_OUT - SCENE_HINTS_AT_ONCE;
            continue;
        }
        const uint64_t tried = spent.triangles, found = spent.hits;
        const size_t behind = end - first < SCENE_HINTS_AT_ONCE ? end : first + SCENE_HINTS_AT_ONCE;
        scene_hints_prefetch(asked->world, first, behind, end, hints);
        scene_hints_gather(asked->world, first, behind, hints, &list);
        uint32_t done = 0;
        for (; list.count - done >= 8; done += 8) {
            scene_hints_decide(asked, list.index + done, list.place + done, 8, any, hints, &spent);
        }
        list.count -= done; /* the rest waits for seven or fewer others */
        memmove(list.index, list.index + done, list.count * sizeof *list.index);
        memmove(list.place, list.place + done, list.count * sizeof *list.place);
        credit = scene_hints_credit(credit, spent.triangles - tried, spent.hits - found);
    }
    if (list.count > 0) {
        scene_hints_decide(asked, list.index, list.place, list.count, any, hints, &spent);
    }
    add_stats_to(&spent, stats);
}

#endif
