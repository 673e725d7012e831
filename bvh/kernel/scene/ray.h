/* ray.h: rays and hits of scenes, as kernels take them. */
#ifndef SLI_KERNEL_SCENE_RAY_H
#define SLI_KERNEL_SCENE_RAY_H

#include "lib/geom/exact/predicates.h"

#include <sightline/intersect.h>
#include <sightline/ray_d.h>

/* A ray or segment of a scene, exact, with its options. */
typedef struct sli_scene_ray {
    sli_exact_ray exact;
    uint32_t flags; /* SL_USE_MASK, SL_USE_SKIP, SL_USE_IGNORE */
    uint32_t mask;
    sl_triangle_ref skip[2];
    const sl_instance_range *ignore; /* SL_USE_IGNORE */
    size_t ignore_count;
    sl_cull cull;
    bool in_floats;        /* t is rounded to a float, which orders hits; else to a double */
    const sl_hit_d *after; /* next: only hits that come after this one; else NULL */
    /* The hit filter, with its arguments; NULL: every hit counts. */
    bool (*accepts)(void *user, size_t index, const sl_hit_d *hit);
    void *accepts_user;
    size_t accepts_index;
} sli_scene_ray;

struct sli_world;

/* Rays or segments in floats as callers give them, invalid ones among them, for all of which the
 * hit filter is off.  One of the two is not NULL. */
typedef struct sli_scene_batch {
    const struct sli_world *world;
    const sl_ray *rays;
    const sl_segment *segments;
    const sl_query *query;
    bool hinted; /* any: those of the items whose answer is 1 already are left alone */
} sli_scene_batch;

/* The options of item i of an array, but for the hit filter. */
static inline void sli_scene_options(const sl_query *query, size_t i, sli_scene_ray *out)
{
    out->flags = query->flags;
    out->mask = query->mask;
    out->skip[0] = query->skip[0];
    out->skip[1] = query->skip[1];
    out->cull = query->cull;
    if ((query->flags & SL_USE_IGNORE) != 0) { /* else the caller's struct may end before it */
        out->ignore = query->ignore + i * query->ignore_stride;
        out->ignore_count = query->ignore_count;
    }
    if (query->per_ray != NULL) {
        const size_t stride =
            query->per_ray_stride != 0 ? query->per_ray_stride : sizeof *query->per_ray;
        const sl_ray_opt *opt =
            (const sl_ray_opt *)(const void *)((const char *)query->per_ray + i * stride);
        out->mask = opt->mask;
        out->skip[0] = opt->skip[0];
        out->skip[1] = opt->skip[1];
    }
}

/* Item i of a batch.  False: invalid. */
static inline bool sli_scene_batch_ray(const sli_scene_batch *batch, size_t i, sli_scene_ray *out)
{
    *out = (sli_scene_ray){ .in_floats = true };
    sli_scene_options(batch->query, i, out);
    return batch->rays != NULL
               ? sli_exact_ray_from_ray(&batch->rays[i], batch->query->flags, &out->exact)
               : sli_exact_ray_from_segment(&batch->segments[i], batch->query->flags, &out->exact);
}

/* Takes a hit; for questions about all of them. */
typedef void sli_scene_take(void *context, const sl_hit_d *hit);

#endif
