/* How rays and segments of a batch are answered that slots do not take: one by one. */
#pragma once

#include "bvh/kernel/plain/all.inl"
#include "bvh/kernel/single/single.inl"
#include "bvh/kernel/stream/state.inl"

/* A ray or segment of a batch as one that single/single.inl takes: item `index` of a batch, which
 * for rays from one point is a batch of one. */
typedef struct stream_one {
    sli_kernel_batch batch;
    sl_ray ray;
    sl_segment segment;
    size_t index;
} stream_one;

static void stream_one_of(const sli_kernel_batch *batch, size_t index, stream_one *out)
{
    const sli_kernel_point_to_many *source = batch->point_to_many;
    out->batch = *batch;
    out->index = index;
    if (source == NULL) {
        return;
    }
    out->batch.point_to_many = NULL;
    out->index = 0;
    if (source->targets) {
        out->segment = sli_point_to_many_segment(source, index);
        out->batch.segments = &out->segment;
    } else {
        out->ray = sli_point_to_many_ray(source, index);
        out->batch.rays = &out->ray;
    }
}

/* All hits of an item by the plain kernel, as a heap. */
static SLI_NOINLINE void stream_all_alone(const sli_kernel_batch *batch,
                                          const stream_answers *answers, size_t index,
                                          sl_stats *stats)
{
    const size_t capacity = answers->capacity;
    sl_hit *row = capacity > 0 ? answers->hits + index * capacity : NULL;
    sli_kernel_ray ray = { .cull = batch->options->cull };
    ray.selection = sli_item_options(batch->options, index);
    if (sli_kernel_exact_ray(batch, index, &ray.exact)) {
        answers->totals[index] = collect_all(batch->tree, &ray, row, capacity, stats);
    } else {
        answers->totals[index] = 0;
        stats->rays++;
    }
}

/* Answers these rays, lanes counted from ray first, one by one.  Rare: kept out of the loops. */
static SLI_NOINLINE void stream_alone(stream_state *r, uint32_t lanes, size_t first)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        const size_t index = first + (size_t)__builtin_ctz(lanes);
        stream_one one;
        uint32_t prim;
        if (r->answers.totals != NULL) {
            stream_all_alone(r->batch, &r->answers, index, &r->stats);
            continue;
        }
        stream_one_of(r->batch, index, &one);
        if (r->answers.any == NULL) {
            (void)single_closest(&one.batch, one.index, &r->answers.hits[index], &r->stats);
            continue;
        }
        r->answers.any[index] = single_any(&one.batch, one.index, &prim, &r->stats);
        if (r->answers.any[index] != 0 && r->answers.refs != NULL) {
            r->answers.refs[index] = (sl_triangle_ref){ .prim = prim };
        }
    }
}
