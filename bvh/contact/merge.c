/* Segments that are the same, of neighbours that share an edge: one is left of them, or none. */
#include "bvh/contact/segments.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"

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

/* The order has equal ones side by side, the lowest pair's first; kept is set of those that stay.
 */
static void merge_choose(const sli_segment *segments, const sli_table *ends, uint8_t *kept)
{
    for (size_t begin = 0, end; begin < ends->count; begin = end) {
        for (end = begin + 1; end < ends->count && sli_table_repeats(ends, end); end++) {
            kept[ends->order[end]] = 0;
        }
        kept[ends->order[begin]] = !is_inside(segments, &ends->order[begin], end - begin);
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
    sli_table ends;
    uint8_t *kept = sli_alloc_array(allocator, count, sizeof *kept);
    if (kept == NULL || !sli_table_alloc(allocator, count, 2, &ends)) {
        sli_free_array(allocator, kept, count, sizeof *kept);
        return SL_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t *node = segments->segments[i].node;
        ends.items[2 * i] = node[0] < node[1] ? node[0] : node[1];
        ends.items[2 * i + 1] = node[0] < node[1] ? node[1] : node[0];
        ends.order[ends.count++] = (uint32_t)i;
    }
    sli_table_sort(&ends, segments->stage);
    if (!segments->stage->stopped) {
        merge_choose(segments->segments, &ends, kept);
        drop_others(segments, kept);
    }
    sli_table_free(allocator, &ends);
    sli_free_array(allocator, kept, count, sizeof *kept);
    return segments->stage->stopped ? SL_CANCELLED : SL_OK;
}
