/* ray_query.h: a query about rays or segments: which one, about which plain arrays, and where the
 * answers go.  ray_query.c runs it block by block; tree_rays.c answers by the kernels for a tree
 * over triangles, world_rays.c by those for worlds of instances. */
#pragma once

#include "bvh/query/query.h"
#include "bvh/query/ray_items.h"

typedef enum sli_query_kind {
    SLI_QUERY_CLOSEST, /* hits */
    SLI_QUERY_ANY,     /* any, hints */
    SLI_QUERY_ALL,     /* hits, capacity, totals; capacity 0 counts */
    SLI_QUERY_NEXT     /* hits, previous */
} sli_query_kind;

typedef struct sli_ray_query {
    const sl_bvh *bvh;
    const sl_options *options; /* not NULL */
    size_t ignore_stride;      /* as sli_world_options takes it */
    sli_query_kind kind;
    bool by_world; /* by the kernels for worlds, which doubles and instances need */
    bool narrow;   /* as in sli_kernel_batch */
    bool tried;    /* any: no triangle that a hint names is hit, as sli_world_try_hints found */
    sli_ray_items items;
    sli_ray_hits hits, previous; /* all: a row of capacity hits for each item */
    size_t capacity;
    const sl_hit_d *after; /* all, of one item: only hits that come after this one; NULL: any */
    uint64_t *totals;
    uint8_t *any;
    sl_triangle_ref *hints; /* NULL: none */
    size_t first;           /* where item 0 stands in the caller's array: for the hit filter */
} sli_ray_query;

/* Items begin .. end - 1 of an array, for the kernels of a tree over triangles. */
static inline sli_kernel_batch sli_tree_batch(const sl_bvh *bvh, const sli_ray_items *items,
                                              const sl_options *options, size_t begin, size_t end)
{
    return (sli_kernel_batch){ .tree = bvh,
                               .rays = items->rays,
                               .segments = items->segments,
                               .options = options,
                               .uses = sli_options_uses(options, begin, end) };
}

/* Answers items begin .. end - 1, by the proxy, the tree or both.  Callers hold the floating-point
 * environment. */
void sli_ray_query_answer(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats);

/* The same by the kernels of either kind, without the proxy. */
void sli_tree_rays(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats);
void sli_world_rays(const sli_ray_query *q, size_t begin, size_t end, sl_stats *stats);

/* The only item by the kernels for worlds at once, where no proxy and no hit filter stands before
 * them: any, and closest, of which *hit becomes the hit or a miss.  Callers hold the floating-point
 * environment. */
bool sli_world_any_alone(const sl_bvh *bvh, const sli_ray_items *item, const sl_options *options);
bool sli_world_closest_alone(const sl_bvh *bvh, const sli_ray_items *item,
                             const sl_options *options, sl_hit_d *hit);

/* All items by the kernels for worlds, on the calling thread.  Counts are added to stats, unless it
 * is NULL. */
void sli_world_query(const sli_ray_query *q, size_t count, sl_stats *stats);

/* Any, likewise: only says which items the triangles that their hints name block. */
void sli_world_try_hints(const sli_ray_query *q, size_t count, sl_stats *stats);

/* Writes hit i of the rows of hits, or where hit is NULL a miss of item i. */
void sli_ray_query_put(const sli_ray_query *q, size_t i, const sl_hit_d *hit);
