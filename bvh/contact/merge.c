/* Segments that are the same, of neighbours that share an edge: one is left of them, or none. */
#include "bvh/contact/segments.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

enum { ENDS = 2 };

/* From here on segments have the same ends as the first: how many. */
static size_t run_length(const uint32_t *ends, const uint32_t *order, size_t count)
{
    size_t run = 1;
    while (run < count && ends[ENDS * order[run]] == ends[ENDS * order[0]] &&
           ends[ENDS * order[run] + 1] == ends[ENDS * order[0] + 1]) {
        run++;
    }
    return run;
}

/* Whether a run lies inside shared area: it is an outline as often one way as the other. */
static bool is_inside(const sli_segment *segments, const uint32_t *order, size_t run)
{
    size_t outlines = 0, rising = 0;
    for (size_t i = 0; i < run; i++) {
        const sli_segment *s = &segments[order[i]];
        outlines += s->outline;
        rising += s->outline && s->node[0] < s->node[1];
    }
    return outlines > 0 && 2 * rising == outlines;
}

/* Order has equal ones side by side, the lowest pair's first; kept is set of those that stay. */
static void merge_choose(const sli_segment *segments, const uint32_t *ends, const uint32_t *order,
                         size_t count, uint8_t *kept)
{
    for (size_t i = 0; i < count;) {
        const size_t run = run_length(ends, &order[i], count - i);
        for (size_t k = 0; k < run; k++) {
            kept[order[i + k]] = k == 0 && !is_inside(segments, &order[i], run);
        }
        i += run;
    }
}

static void drop_others(sli_segments *segments, const uint8_t *kept)
{
    size_t count = 0;
    for (size_t i = 0; i < segments->segment_count; i++) {
        if (kept[i] != 0) {
            segments->segments[count++] = segments->segments[i];
        }
    }
    segments->segment_count = count;
}

sl_result sli_segments_merge(sli_segments *segments)
{
    const sl_allocator *allocator = &segments->allocator;
    const size_t count = segments->segment_count;
    uint32_t *ends = sli_alloc_array(allocator, count, ENDS * sizeof *ends);
    uint32_t *order = sli_alloc_array(allocator, count, 2 * sizeof *order);
    uint8_t *kept = sli_alloc_array(allocator, count, sizeof *kept);
    const bool memory = ends != NULL && order != NULL && kept != NULL;
    for (size_t i = 0; memory && i < count; i++) {
        const uint32_t *node = segments->segments[i].node;
        ends[ENDS * i] = node[0] < node[1] ? node[0] : node[1];
        ends[ENDS * i + 1] = node[0] < node[1] ? node[1] : node[0];
        order[i] = (uint32_t)i;
    }
    if (memory) {
        sli_sort_words(ends, ENDS, order, order + count, count, segments->stage);
        if (!segments->stage->stopped) {
            merge_choose(segments->segments, ends, order, count, kept);
            drop_others(segments, kept);
        }
    }
    sli_free_array(allocator, kept, count, sizeof *kept);
    sli_free_array(allocator, order, count, 2 * sizeof *order);
    sli_free_array(allocator, ends, count, ENDS * sizeof *ends);
    return !memory ? SL_OUT_OF_MEMORY : segments->stage->stopped ? SL_CANCELLED : SL_OK;
}
