/* What lies between two points: the public questions about one segment, or an array.  A single call
 * goes to the kernel's single-ray path at once where no option stands in the way; else it is an
 * array of one. */
#include "bvh/query/ask.h"

void sl_bvh_closest_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                                 const sl_query *query, sl_hit *hits, const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .segments = segments },
                                    .asked = SLI_ASKED_CLOSEST,
                                    .hits = hits };
    sli_ask(&question, count, tasks);
}

void sl_bvh_blocked_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                         const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                         const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .segments = segments },
                                    .asked = SLI_ASKED_ANY,
                                    .yes = blocked,
                                    .hints = hints };
    sli_ask(&question, count, tasks);
}

void sl_bvh_all_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                             const sl_query *query, sl_hit *hits, size_t capacity, uint64_t *totals,
                             const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .segments = segments },
                                    .asked = SLI_ASKED_ALL,
                                    .hits = hits,
                                    .capacity = capacity,
                                    .totals = totals };
    sli_ask(&question, count, tasks);
}

void sl_bvh_count_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                               const sl_query *query, uint64_t *counts, const sl_tasks *tasks)
{
    sl_bvh_all_segment_many(bvh, segments, count, query, NULL, 0, counts, tasks);
}

void sl_bvh_next_segment_many(const sl_bvh *bvh, const sl_segment *segments, size_t count,
                              const sl_query *query, const sl_hit *previous, sl_hit *hits,
                              const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .segments = segments },
                                    .asked = SLI_ASKED_NEXT,
                                    .hits = hits,
                                    .previous = previous };
    sli_ask(&question, count, tasks);
}

bool sl_bvh_closest_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                            sl_hit *hit)
{
    sl_hit found;
    const sli_kernel_batch batch = { .tree = bvh,
                                     .segments = segment,
                                     .query = query != NULL ? query : &sli_everything };
    if (sli_query_is_plain(batch.query)) {
        (void)sli_closest_alone(&batch, &found);
    } else {
        sl_bvh_closest_segment_many(bvh, segment, 1, query, &found, NULL);
    }
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}

bool sl_bvh_blocked(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query)
{
    const sli_kernel_batch batch = { .tree = bvh,
                                     .segments = segment,
                                     .query = query != NULL ? query : &sli_everything };
    if (sli_query_is_plain(batch.query)) {
        return sli_any_alone(&batch);
    }
    uint8_t found;
    sl_bvh_blocked_many(bvh, segment, 1, query, &found, NULL, NULL);
    return found != 0;
}

size_t sl_bvh_all_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                          sl_hit *hits, size_t capacity)
{
    uint64_t total;
    sl_bvh_all_segment_many(bvh, segment, 1, query, hits, capacity, &total, NULL);
    return (size_t)total;
}

size_t sl_bvh_count_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query)
{
    return sl_bvh_all_segment(bvh, segment, query, NULL, 0);
}

bool sl_bvh_next_segment(const sl_bvh *bvh, const sl_segment *segment, const sl_query *query,
                         const sl_hit *previous, sl_hit *hit)
{
    sl_hit found;
    sl_bvh_next_segment_many(bvh, segment, 1, query, previous, &found, NULL);
    if (hit != NULL) {
        *hit = found;
    }
    return found.prim != SL_NONE;
}
