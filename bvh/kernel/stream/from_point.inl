/* Any-hit for many rays or segments from one point: sl_bvh_any_many() with sl_rays_from() and such
 * (point_to_many_any of the kernel table).  Few are traced as any others.  More are sorted by
 * direction first (stream/from_point_sort.inl), so that hybrid packets take neighbours together,
 * where these gain: packets of two registers for sixteen rays lose up to 15 % with large walls.
 * Many are sorted block by block into groups, then traversed by slots that take their rays from the
 * groups (stream/from_point_refill.inl) and share what occludes them; unless a few that are traced
 * first hardly come to more than the root. */
#pragma once

#include "bvh/kernel/stream/batch.inl"

/* The block that was prepared. */
static SLI_NOINLINE void p2m_traverse(stream_state *r, p2m_state *f)
{
    _Alignas(SLI_LINE) char slots[P2M_SLOTS_MAX * STREAM_ANY_SLOT_SIZE];
    uint32_t most = f->left / P2M_PER_SLOT;
    most = most < P2M_SLOTS_MIN ? P2M_SLOTS_MIN : most;
    batch_lay_out(r, slots, sizeof slots, true);
    r->slot_count = r->slot_count < most ? r->slot_count : most;
    for (uint32_t slot = 0; slot < r->slot_count; slot++) {
        f->group_of[slot] = (uint16_t)(slot * f->groups / r->slot_count);
    }
    stream_run(r, STREAM_ANY);
}

/* Rays or segments of a batch from one point as if they had no point in common: copies. */
typedef struct p2m_copies {
    sli_kernel_batch batch;
    union {
        sl_ray rays[P2M_SHARE_RAYS_MIN];
        sl_segment segments[P2M_SHARE_RAYS_MIN];
    } to;
} p2m_copies;

static void p2m_copy_begin(const sli_kernel_batch *batch, p2m_copies *out)
{
    const bool targets = batch->point_to_many->targets;
    out->batch = *batch;
    out->batch.point_to_many = NULL;
    out->batch.rays = targets ? NULL : out->to.rays;
    out->batch.segments = targets ? out->to.segments : NULL;
}

static SLI_FORCE_INLINE void p2m_copy(const sli_kernel_point_to_many *source, size_t index,
                                      uint32_t at, p2m_copies *out)
{
    if (source->targets) {
        out->to.segments[at] = sli_point_to_many_segment(source, index);
    } else {
        out->to.rays[at] = sli_point_to_many_ray(source, index);
    }
}

/* A batch that is too small to sort. */
static SLI_NOINLINE void p2m_few(const sli_kernel_batch *batch, size_t begin, size_t end,
                                 uint8_t *any, sl_stats *stats)
{
    p2m_copies few;
    p2m_copy_begin(batch, &few);
    for (size_t i = begin; i < end; i++) {
        p2m_copy(batch->point_to_many, i, (uint32_t)(i - begin), &few);
    }
    traverse_any_many(&few.batch, 0, end - begin, any + begin, NULL, stats);
}

enum {
    P2M_TRIED = 4,            /* rays that are traced first, by themselves */
    P2M_TRIED_RAYS_MIN = 256, /* with fewer rays the tried ones would cost too much */
};

/* Whether rays from here hardly come to more than the root, as where they all end before the tree
 * or miss it: then sorting them would take as long as they do. */
static SLI_NOINLINE bool p2m_are_short(const sli_kernel_batch *batch, size_t begin, size_t end)
{
    sl_stats tried = { .rays = 0 };
    for (size_t i = 0; i < P2M_TRIED; i++) {
        stream_one one;
        uint32_t prim;
        stream_one_of(batch, begin + (end - begin) / P2M_TRIED * i, &one);
        (void)single_any(&one.batch, one.index, &prim, &tried);
    }
    return tried.nodes <= P2M_TRIED && tried.triangles <= P2M_TRIED * SLI_PACK;
}

/* A batch that is sorted, so that hybrid packets (packet/hybrid.inl) take neighbours together, but
 * too small to share occluders. */
static SLI_NOINLINE void p2m_sorted(const sli_kernel_batch *batch, size_t begin, size_t end,
                                    uint8_t *any, sl_stats *stats)
{
    uint16_t order[P2M_SHARE_RAYS_MIN];
    uint8_t found[P2M_SHARE_RAYS_MIN];
    p2m_copies few;
    p2m_block block = { .first = begin, .count = (uint32_t)(end - begin), .order = order };
    p2m_sort_alone(&block, batch->point_to_many);
    p2m_copy_begin(batch, &few);
    for (uint32_t i = 0; i < block.count; i++) {
        p2m_copy(batch->point_to_many, begin + order[i], i, &few);
    }
    batch_any(&few.batch, 0, block.count, found, NULL, true, stats);
    for (uint32_t i = 0; i < block.count; i++) {
        any[begin + order[i]] = found[i];
    }
}

/* Block by block: sorted, and traced in groups that share occluders. */
static SLI_NOINLINE void p2m_shared(const sli_kernel_batch *batch, size_t begin, size_t end,
                                    uint8_t *any, sl_stats *stats)
{
    stream_state r;
    p2m_state f;
    batch_begin(&r, batch, (stream_answers){ .any = any });
    r.p2m = &f;
    f.block.order = f.order;
    for (size_t first = begin; first < end; first += P2M_BLOCK) {
        f.block.first = first;
        f.block.count = (uint32_t)(end - first < P2M_BLOCK ? end - first : P2M_BLOCK);
        p2m_prepare(&f, batch->point_to_many);
        memset(any + first, 0, f.block.count);
        r.stats = (sl_stats){ .rays = f.block.count };
        if (f.left > 0 && batch->tree->root != SLI_REF_EMPTY) {
            p2m_traverse(&r, &f);
        }
        stream_report(&r, stats);
    }
}

static void traverse_point_to_many_any(const sli_kernel_batch *batch, size_t begin, size_t end,
                                       uint8_t *any, sl_stats *stats)
{
    if (end - begin < P2M_RAYS_MIN) {
        p2m_few(batch, begin, end, any, stats);
    } else if (end - begin >= P2M_TRIED_RAYS_MIN && p2m_are_short(batch, begin, end)) {
        for (size_t first = begin; first < end; first += P2M_SHARE_RAYS_MIN) {
            const size_t left = end - first;
            p2m_few(batch, first, left < P2M_SHARE_RAYS_MIN ? end : first + P2M_SHARE_RAYS_MIN, any,
                    stats);
        }
    } else if (SIMD_SIXTEEN && end - begin < P2M_SHARE_RAYS_MIN) {
        p2m_sorted(batch, begin, end, any, stats);
    } else {
        p2m_shared(batch, begin, end, any, stats);
    }
}
