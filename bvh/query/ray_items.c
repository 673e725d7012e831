/* Reads arrays of rays, points and hits in the layouts that callers describe, and writes hits. */
#include "bvh/query/ray_items.h"

#include "bvh/query/query.h"
#include "lib/base/inline.h"

#include <string.h>

/* ---- Plain layouts ---- */

/* Whether three numbers lie side by side, `offset` bytes behind a struct, and structs follow one
 * another. */
static bool is_vector_in(const void *const axes[3], size_t stride, const char *structs,
                         size_t offset, size_t size)
{
    return axes[1] == NULL && axes[2] == NULL && axes[0] == (const void *)(structs + offset) &&
           stride == size;
}

/* NULL is no array. */
static bool is_aligned(const void *array, size_t align)
{
    return array != NULL && (uintptr_t)array % align == 0;
}

#define IS_RAY_ARRAY(type, rays)                                                                   \
    (is_aligned((rays)->origin[0], _Alignof(type)) &&                                              \
     is_vector_in((rays)->origin, (rays)->origin_stride, (const char *)(rays)->origin[0],          \
                  offsetof(type, origin), sizeof(type)) &&                                         \
     is_vector_in((rays)->dir, (rays)->dir_stride, (const char *)(rays)->origin[0],                \
                  offsetof(type, dir), sizeof(type)) &&                                            \
     (rays)->tmin == (const void *)&((const type *)(rays)->origin[0])->tmin &&                     \
     (rays)->tmax == (const void *)&((const type *)(rays)->origin[0])->tmax &&                     \
     (rays)->tmin_stride == sizeof(type) && (rays)->tmax_stride == sizeof(type))

#define IS_SEGMENT_ARRAY(type, rays)                                                               \
    (is_aligned((rays)->origin[0], _Alignof(type)) &&                                              \
     is_vector_in((rays)->origin, (rays)->origin_stride, (const char *)(rays)->origin[0],          \
                  offsetof(type, p), sizeof(type)) &&                                              \
     is_vector_in((rays)->dir, (rays)->dir_stride, (const char *)(rays)->origin[0],                \
                  offsetof(type, q), sizeof(type)))

bool sli_rays_are_plain(const sl_rays *rays, sli_ray_items *out)
{
    const void *first = rays->origin[0];
    const bool doubles = rays->number == SL_DOUBLE;
    *out = (sli_ray_items){ .rays = NULL };
    if (rays->segments && doubles && IS_SEGMENT_ARRAY(sl_segment_d, rays)) {
        out->segments_d = first;
    } else if (rays->segments && !doubles && IS_SEGMENT_ARRAY(sl_segment, rays)) {
        out->segments = first;
    } else if (!rays->segments && doubles && IS_RAY_ARRAY(sl_ray_d, rays)) {
        out->rays_d = first;
    } else if (!rays->segments && !doubles && IS_RAY_ARRAY(sl_ray, rays)) {
        out->rays = first;
    } else {
        return false;
    }
    return true;
}

#define IS_HIT_ARRAY(type, hits)                                                                   \
    ((hits)->stride == sizeof(type) && is_aligned((hits)->t, _Alignof(type)) &&                    \
     (hits)->u == &((type *)(hits)->t)->u && (hits)->v == &((type *)(hits)->t)->v &&               \
     (hits)->prim == &((type *)(hits)->t)->prim &&                                                 \
     (hits)->instance == &((type *)(hits)->t)->instance &&                                         \
     (hits)->flags == &((type *)(hits)->t)->flags)

bool sli_hits_are_plain(const sl_hits *hits, sli_ray_hits *out)
{
    *out = (sli_ray_hits){ .floats = NULL };
    if (hits->t == NULL) {
        return false;
    }
    if (hits->number == SL_DOUBLE) {
        out->doubles = IS_HIT_ARRAY(sl_hit_d, hits) ? hits->t : NULL;
        return out->doubles != NULL;
    }
    out->floats = IS_HIT_ARRAY(sl_hit, hits) ? hits->t : NULL;
    return out->floats != NULL;
}

bool sli_rays_are_from_point(const sl_rays *rays, sli_kernel_point_to_many *out)
{
    const size_t packed = 3 * sizeof(float);
    if (rays->number == SL_DOUBLE || rays->origin_stride != SL_SAME || rays->origin[1] != NULL ||
        rays->dir[1] != NULL || (rays->dir_stride != 0 && rays->dir_stride != packed) ||
        !is_aligned(rays->dir[0], _Alignof(float)) || rays->tmin != NULL ||
        (rays->tmax != NULL && rays->tmax_stride != SL_SAME)) {
        return false;
    }
    out->targets = rays->segments;
    out->to = rays->dir[0];
    out->tmax = INFINITY;
    memcpy(out->origin, rays->origin[0], sizeof out->origin);
    if (rays->tmax != NULL && !rays->segments) {
        memcpy(&out->tmax, rays->tmax, sizeof out->tmax);
    }
    return true;
}

/* ---- Copies ---- */

/* Three numbers of `size` bytes of item i. */
static SLI_FORCE_INLINE void read_vector(const void *const axes[3], size_t stride, size_t i,
                                         size_t size, void *out)
{
    const bool apart = axes[1] != NULL;
    const size_t at = i * sli_stride_of(stride, apart ? size : 3 * size);
    if (!apart) {
        memcpy(out, (const char *)axes[0] + at, 3 * size);
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        memcpy((char *)out + axis * size, (const char *)axes[axis] + at, size);
    }
}

static SLI_FORCE_INLINE void read_number(const void *from, size_t stride, size_t i, size_t size,
                                         void *out)
{
    if (from != NULL) {
        memcpy(out, (const char *)from + i * sli_stride_of(stride, size), size);
    }
}

/* Rays of either number type have origin, tmin, dir and tmax one after the other; segments p and
 * q. */
#define GATHER(type, number, block)                                                                \
    for (size_t i = 0; i < count; i++) {                                                           \
        type *item = (type *)(block) + i;                                                          \
        *item = (type){ .tmax = (number)INFINITY };                                                \
        read_vector(rays->origin, rays->origin_stride, first + i, sizeof(number), item->origin);   \
        read_vector(rays->dir, rays->dir_stride, first + i, sizeof(number), item->dir);            \
        read_number(rays->tmin, rays->tmin_stride, first + i, sizeof(number), &item->tmin);        \
        read_number(rays->tmax, rays->tmax_stride, first + i, sizeof(number), &item->tmax);        \
    }

#define GATHER_SEGMENTS(type, number, block)                                                       \
    for (size_t i = 0; i < count; i++) {                                                           \
        type *item = (type *)(block) + i;                                                          \
        read_vector(rays->origin, rays->origin_stride, first + i, sizeof(number), item->p);        \
        read_vector(rays->dir, rays->dir_stride, first + i, sizeof(number), item->q);              \
    }

sli_ray_items sli_rays_gather(const sl_rays *rays, size_t first, size_t count, void *block)
{
    const bool doubles = rays->number == SL_DOUBLE;
    if (rays->segments && doubles) {
        GATHER_SEGMENTS(sl_segment_d, double, block)
        return (sli_ray_items){ .segments_d = block };
    }
    if (rays->segments) {
        GATHER_SEGMENTS(sl_segment, float, block)
        return (sli_ray_items){ .segments = block };
    }
    if (doubles) {
        GATHER(sl_ray_d, double, block)
        return (sli_ray_items){ .rays_d = block };
    }
    GATHER(sl_ray, float, block)
    return (sli_ray_items){ .rays = block };
}

bool sli_points_are_packed(const sl_points *points)
{
    const size_t size = points->number == SL_DOUBLE ? sizeof(double) : sizeof(float);
    return points->xyz[1] == NULL && points->xyz[2] == NULL &&
           (points->stride == 0 || points->stride == 3 * size) && is_aligned(points->xyz[0], size);
}

void sli_points_gather(const sl_points *points, size_t first, size_t count, void *block)
{
    for (size_t i = 0; i < count; i++) {
        if (points->number == SL_DOUBLE) {
            read_vector(points->xyz, points->stride, first + i, sizeof(double),
                        (double *)block + 3 * i);
        } else {
            read_vector(points->xyz, points->stride, first + i, sizeof(float),
                        (float *)block + 3 * i);
        }
    }
}

void sli_hits_gather(const sl_hits *hits, size_t first, size_t count, const sli_ray_hits *out)
{
    for (size_t i = 0; i < count; i++) {
        sl_hit_d hit = { .prim = SL_NONE };
        float t = 0;
        if (hits->number == SL_DOUBLE) {
            read_number(hits->t, hits->stride, first + i, sizeof hit.t, &hit.t);
        } else {
            read_number(hits->t, hits->stride, first + i, sizeof t, &t);
            hit.t = t;
        }
        read_number(hits->prim, hits->stride, first + i, sizeof hit.prim, &hit.prim);
        read_number(hits->instance, hits->stride, first + i, sizeof hit.instance, &hit.instance);
        if (out->doubles != NULL) {
            out->doubles[i] = hit;
        } else {
            out->floats[i] = sli_hit_in_floats(&hit);
        }
    }
}

static SLI_FORCE_INLINE void write_number(void *to, size_t stride, size_t i, size_t size,
                                          const void *number)
{
    if (to != NULL) {
        memcpy((char *)to + i * sli_stride_of(stride, size), number, size);
    }
}

#define SCATTER(from)                                                                              \
    for (size_t i = 0; i < count; i++) {                                                           \
        write_number(hits->t, hits->stride, first + i, sizeof(from)[i].t, &(from)[i].t);           \
        write_number(hits->u, hits->stride, first + i, sizeof(float), &(from)[i].u);               \
        write_number(hits->v, hits->stride, first + i, sizeof(float), &(from)[i].v);               \
        write_number(hits->prim, hits->stride, first + i, sizeof(uint32_t), &(from)[i].prim);      \
        write_number(hits->instance, hits->stride, first + i, sizeof(uint32_t),                    \
                     &(from)[i].instance);                                                         \
        write_number(hits->flags, hits->stride, first + i, sizeof(uint32_t), &(from)[i].flags);    \
    }

void sli_hits_scatter(const sl_hits *hits, size_t first, size_t count, const sli_ray_hits *from)
{
    sli_ray_hits plain;
    if (sli_hits_are_plain(hits, &plain) && plain.doubles != NULL) {
        memcpy(plain.doubles + first, from->doubles, count * sizeof *plain.doubles);
    } else if (from->doubles != NULL) {
        SCATTER(from->doubles)
    } else {
        SCATTER(from->floats)
    }
}
