/* Segments with a hint each: a triangle that may block the segment, since from one frame to the
 * next most blockers stay.  Hints are tried first, without the tree, in doubles and eight at a time
 * (filter/tri8.inl); their triangles are prefetched, since they lie anywhere in memory.  The other
 * segments of the batch go through the tree (stream/batch.inl).  A hint never changes an
 * answer. */
#ifndef SLI_KERNEL_STREAM_HINTS_INL
#define SLI_KERNEL_STREAM_HINTS_INL

#include "bvh/kernel/filter/tri8.inl"
#include "bvh/kernel/filter/tri8_determinants.inl"
#include "bvh/kernel/kernel.h"
#include "bvh/kernel/lines.inl"
#include "bvh/kernel/plain/ray.inl"
#include "lib/base/inline.h"

#include <string.h>

enum {
    HINTS_AT_ONCE = 32, /* hints whose triangles are prefetched together */
    HINTS_AHEAD = 64    /* segments ahead whose triangle's place is prefetched */
};

/* Hints that name a triangle of the tree. */
typedef struct hint_list {
    size_t index[HINTS_AT_ONCE];   /* of the segment in the batch */
    uint32_t place[HINTS_AT_ONCE]; /* of the triangle in the tree */
    uint32_t count;
} hint_list;

/* Tries the hints of count segments, at most eight. */
static void hints_decide(const sli_kernel_batch *batch, const size_t *index, const uint32_t *place,
                         uint32_t count, uint8_t *any, sl_stats *stats)
{
    const sl_bvh *tree = batch->tree;
    sli_tri_pack unpacked[8];
    tri8_source asked;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t from = i < count ? i : 0;
        asked.ray[i] = (const float *)(const void *)&batch->segments[index[from]];
        asked.pack[i] =
            i < count ? sli_tree_pack(tree, place[i] / SLI_PACK, &unpacked[i]) : asked.pack[0];
        asked.lane[i] = place[from] % SLI_PACK;
    }
    tri8_question ask;
    tri8_answer e;
    tri8_read_rays(&asked, true, &ask);
    tri8_read_triangles(&asked, &ask);
    ask.crossings = (batch->query->flags & SL_USE_CROSSINGS) != 0;
    tri8_decide(&ask, batch->query->cull, NULL, &e);
    for (uint32_t i = 0; i < count; i++) {
        const bool unsure = (e.unsure >> i & 1) != 0;
        sli_exact_ray exact;
        sl_hit hit;
        stats->double_stage += !unsure;
        /* An invalid segment is never decided by doubles. */
        any[index[i]] =
            ((e.hit | e.unsure) >> i & 1) != 0 &&
            (!unsure || sli_kernel_exact_ray(batch, index[i], &exact)) &&
            tri8_hit(batch, &e, i, index[i], asked.pack[i], asked.lane[i], 0, true, &hit, stats);
        stats->rays += any[index[i]];
    }
    stats->triangles += count;
}

/* Lists the hints of segments begin .. end - 1, at most HINTS_AT_ONCE, that name a triangle, and
 * prefetches the triangles. */
static void hints_gather(const sl_bvh *tree, size_t begin, size_t end, const sl_triangle_ref *hints,
                         hint_list *out)
{
    out->count = 0;
    for (size_t i = begin; i < end; i++) {
        const uint32_t prim = sli_prim_of(hints[i]);
        if (prim < tree->prim_count && tree->places[prim] != SL_NONE) {
            const uint32_t place = tree->places[prim];
            prefetch_lines(line_at((const char *)tree->lines, place / SLI_PACK), 0, SLI_PACK_LINES);
            out->index[out->count] = i;
            out->place[out->count++] = place;
        }
    }
}

/* any[i] becomes 1 where the hint blocks segment i, which then counts as traced, else 0. */
static SLI_NOINLINE void hints_try(const sli_kernel_batch *batch, size_t begin, size_t end,
                                   uint8_t *any, const sl_triangle_ref *hints, sl_stats *stats)
{
    const sl_bvh *tree = batch->tree;
    sl_stats spent = { .rays = 0 };
    memset(any + begin, 0, end - begin);
    for (size_t first = begin; first < end; first += HINTS_AT_ONCE) {
        hint_list list;
        const size_t behind = end - first < HINTS_AT_ONCE ? end : first + HINTS_AT_ONCE;
        for (size_t i = first + HINTS_AHEAD; i < behind + HINTS_AHEAD && i < end; i++) {
            if (hints[i].prim < tree->prim_count) {
                __builtin_prefetch(&tree->places[hints[i].prim]);
            }
        }
        hints_gather(tree, first, behind, hints, &list);
        for (uint32_t i = 0; i < list.count; i += 8) {
            const uint32_t count = list.count - i < 8 ? list.count - i : 8;
            hints_decide(batch, list.index + i, list.place + i, count, any, &spent);
        }
    }
    add_stats_to(&spent, stats);
}

#endif
