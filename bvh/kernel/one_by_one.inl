/* Arrays answered item after item, for builds that should be small (SL_SMALL): the entries of the kernel table
 * that stream, packet, instance/batch.inl, nearest/stream.inl and nearest/instances.inl have otherwise, by those for
 * one item.  Answers are the same; an array takes as long as its items would alone. */
#pragma once

#include "bvh/kernel/instance/one.inl"
#include "bvh/kernel/nearest/walk.inl"
#include "bvh/kernel/stream/alone.inl"

/* ---- Trees of triangles ---- */

static void traverse_closest_many(const sli_kernel_batch *batch, size_t begin, size_t end,
                                  sl_hit *hits, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        stream_one one;
        stream_one_of(batch, i, &one);
        (void)single_closest(&one.batch, one.index, &hits[i], stats);
    }
}

static void traverse_any_many(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *any,
                              sl_triangle_ref *refs, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        stream_one one;
        uint32_t prim;
        stream_one_of(batch, i, &one);
        any[i] = single_any(&one.batch, one.index, &prim, stats);
        if (any[i] != 0 && refs != NULL) {
            refs[i] = (sl_triangle_ref){ .prim = prim };
        }
    }
}

static void traverse_point_to_many_any(const sli_kernel_batch *batch, size_t begin, size_t end,
                                       uint8_t *any, sl_stats *stats)
{
    traverse_any_many(batch, begin, end, any, NULL, stats);
}

static void traverse_all_many(const sli_kernel_batch *batch, size_t begin, size_t end, sl_hit *hits,
                              size_t capacity, uint64_t *totals, sl_stats *stats)
{
    const stream_answers answers = { .hits = hits, .totals = totals, .capacity = capacity };
    for (size_t i = begin; i < end; i++) {
        stream_all_alone(batch, &answers, i, stats);
        sli_hit_heap_sort(hits != NULL ? hits + i * capacity : NULL, capacity, totals[i]);
    }
}

static void traverse_nearest_many(const sl_bvh *tree, const sli_kernel_points *given,
                                  sl_nearest *out, sl_stats *stats)
{
    for (size_t i = given->begin; i < given->end; i++) {
        const float *p = given->points + 3 * i;
        out[i] = (sl_nearest){ .distance = given->limit, .prim = SL_NONE };
        stats->rays++;
        if (nearest_is_valid(tree, given, p)) {
            nearest_single(tree, given, i, &out[i], stats);
        }
    }
}

/* ---- Trees over instances ---- */

static uint32_t world_transform8(sli_transform8 *in)
{
    (void)in;
    return 0;
}

static void world_closest_many(const sli_world_batch *batch, size_t begin, size_t end, sl_hit *hits,
                               sl_hit_d *hits_d, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_world_ray ray;
        sl_hit_d hit;
        const bool valid = sli_world_batch_ray(batch, i, &ray);
        stats->rays += !valid;
        if (!valid || !one_closest(batch->world, &ray, &hit, stats)) {
            hit = (sl_hit_d){ .t = sli_world_batch_limit(batch, i), .prim = SL_NONE };
        }
        if (batch->in_floats) {
            hits[i] = sli_hit_in_floats(&hit);
        } else {
            hits_d[i] = hit;
        }
    }
}

/* No hint is tried: to try one by itself takes as long as many rays do. */
static void world_any_many(const sli_world_batch *batch, size_t begin, size_t end, uint8_t *any,
                           sl_triangle_ref *refs, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_world_ray ray;
        const bool valid = sli_world_batch_ray(batch, i, &ray);
        stats->rays += !valid;
        any[i] = valid && one_any(batch->world, &ray, refs != NULL ? &refs[i] : NULL, stats);
    }
}

static void world_all_many(const sli_world_batch *batch, size_t begin, size_t end, sl_hit *hits,
                           sl_hit_d *hits_d, size_t capacity, uint64_t *totals, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_world_ray ray;
        sli_world_row row = sli_world_row_of(hits, hits_d, capacity, i);
        if (sli_world_batch_ray(batch, i, &ray)) {
            (void)world_all(batch->world, &ray, sli_world_row_add, &row, stats);
        } else {
            stats->rays++;
        }
        totals[i] = row.total;
        sli_world_row_sort(&row);
    }
}

static void world_try_hints(const sli_world_batch *batch, size_t begin, size_t end, uint8_t *any,
                            const sl_triangle_ref *hints, sl_stats *stats)
{
    (void)batch, (void)hints, (void)stats;
    memset(any + begin, 0, end - begin);
}

static void world_nearest_many(const sli_world *world, const sli_world_points *points, size_t begin,
                               size_t end, void *out, size_t stride, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_world_point given;
        sl_hit best = { .prim = SL_NONE };
        if (sli_world_point_at(points, i, &given)) {
            (void)world_nearest(world, &given, true, &best, 1, stats);
        } else {
            stats->rays++;
        }
        memcpy((char *)out + i * stride, &best, sizeof best);
    }
}
