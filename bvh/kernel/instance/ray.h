/* ray.h: rays and hits of worlds, as kernels take them. */
#pragma once

#include "lib/geom/exact/predicates.h"
#include "lib/geom/intersect/hit_heap.h"
#include "lib/geom/intersect/selection.h"

#include <sightline/intersect.h>

/* A ray or segment of a world, exact, with its options. */
typedef struct sli_world_ray {
    sli_exact_ray exact;
    sl_item_options item;
    sl_cull cull;
    double reach[3];       /* how far what moves along the ray reaches from it, along each axis */
    bool in_floats;        /* t is rounded to a float, which orders hits; else to a double */
    const sl_hit_d *after; /* next: only hits that come after this one; else NULL */
    /* The hit filter, with its arguments; NULL: every hit counts. */
    bool (*accepts)(void *user, size_t index, const sl_hit_d *hit);
    void *accepts_user;
    size_t accepts_index;
} sli_world_ray;

struct sli_world;

/* Rays or segments as callers give them, invalid ones among them, for all of which the hit filter
 * is off.  One of the four is not NULL. */
typedef struct sli_world_batch {
    const struct sli_world *world;
    const sl_ray *rays;
    const sl_segment *segments;
    const sl_ray_d *rays_d;
    const sl_segment_d *segments_d;
    const sl_options *options;
    size_t ignore_stride; /* as sli_world_options takes it */
    uint32_t uses;  /* what of its masks, skips and ignored instances is in use: SLI_USES_... */
    bool in_floats; /* t is rounded to floats, and hits are those in floats */
    bool hinted;    /* any: refs has a hint for each, any at all: the triangle to try first, and the
                  * instance to try next */
    bool tried;     /* the triangles are known not to be hit: only the instances are tried */
    bool unmoved;   /* there is one instance, whose corners in the world are its tree's vertices */
} sli_world_batch;

/* The t of a miss. */
static inline double sli_world_batch_limit(const sli_world_batch *batch, size_t i)
{
    return batch->rays != NULL     ? (double)batch->rays[i].tmax
           : batch->rays_d != NULL ? batch->rays_d[i].tmax
                                   : 1;
}

/* The options of item i of an array, but for the hit filter.  stride: from the ignored instances of
 * one item to those of the next, in ranges; 0: all have the same. */
static inline void sli_world_options(const sl_options *options, size_t stride, size_t i,
                                     sli_world_ray *out)
{
    out->item = sli_item_options(options, i);
    out->item.ignore = stride != 0 ? out->item.ignore + i * stride : out->item.ignore;
    out->cull = options->cull;
}

/* Item i of a batch.  False: invalid. */
static inline bool sli_world_batch_ray(const sli_world_batch *batch, size_t i, sli_world_ray *out)
{
    const uint32_t flags = batch->options->flags;
    *out = (sli_world_ray){ .in_floats = batch->in_floats };
    sli_world_options(batch->options, batch->ignore_stride, i, out);
    if (batch->rays != NULL) {
        return sli_exact_ray_from_ray(&batch->rays[i], flags, &out->exact);
    }
    if (batch->segments != NULL) {
        return sli_exact_ray_from_segment(&batch->segments[i], flags, &out->exact);
    }
    return batch->rays_d != NULL
               ? sli_exact_ray_from_ray_d(&batch->rays_d[i], flags, &out->exact)
               : sli_exact_ray_from_segment_d(&batch->segments_d[i], flags, &out->exact);
}

/* A hit as callers in floats get it: its t is one already. */
static inline sl_hit sli_hit_in_floats(const sl_hit_d *hit)
{
    return (sl_hit){ .t = (float)hit->t,
                     .u = hit->u,
                     .v = hit->v,
                     .prim = hit->prim,
                     .instance = hit->instance,
                     .flags = hit->flags };
}

static inline sl_hit_d sli_hit_in_doubles(const sl_hit *hit)
{
    return (sl_hit_d){ .t = (double)hit->t,
                       .u = hit->u,
                       .v = hit->v,
                       .prim = hit->prim,
                       .instance = hit->instance,
                       .flags = hit->flags };
}

/* Takes a hit; for queries about all of them. */
typedef void sli_world_take(void *context, const sl_hit_d *hit);

/* The nearest hits of an item, as a heap in its row: in floats or in doubles. */
typedef struct sli_world_row {
    sl_hit *floats;
    sl_hit_d *doubles;
    size_t capacity; /* 0: hits are counted alone, and not looked at */
    uint64_t total;
    const sl_hit_d *after;  /* only hits that come after this one; NULL: any */
} sli_world_row;

/* The row of item i, of rows in floats or in doubles. */
static inline sli_world_row sli_world_row_of(sl_hit *floats, sl_hit_d *doubles, size_t capacity,
                                             size_t i)
{
    const size_t at = i * capacity;
    return (sli_world_row){ .floats = floats != NULL ? floats + at : NULL,
                            .doubles = doubles != NULL ? doubles + at : NULL,
                            .capacity = capacity };
}

/* An sli_world_take. */
static inline void sli_world_row_add(void *context, const sl_hit_d *hit)
{
    sli_world_row *row = context;
    if (row->after != NULL && !sli_hit_d_before(row->after, hit)) {
        return;
    }
    if (row->capacity > 0 && row->floats != NULL) {
        const sl_hit shown = sli_hit_in_floats(hit);
        sli_hit_heap_add(row->floats, row->capacity, row->total, &shown);
    } else if (row->capacity > 0) {
        sli_hit_d_heap_add(row->doubles, row->capacity, row->total, hit);
    }
    row->total++;
}

static inline void sli_world_row_sort(const sli_world_row *row)
{
    if (row->capacity > 0 && row->floats != NULL) {
        sli_hit_heap_sort(row->floats, row->capacity, row->total);
    } else if (row->capacity > 0) {
        sli_hit_d_heap_sort(row->doubles, row->capacity, row->total);
    }
}
