/* How arrays of rays and hits are described, read and written. */
#include "bvh/query/ray_items.h"

#include "lib/base/inline.h"

#include <math.h>
#include <string.h>

/* ---- Descriptions ---- */

#define STRUCTS_OF(array, first_point, second_point, ...)                                          \
    (sli_rays)                                                                                     \
    {                                                                                              \
        .origin = { (array)->first_point }, .dir = { (array)->second_point },                      \
        .origin_stride = { sizeof *(array) }, .dir_stride = { sizeof *(array) }, .count = count,   \
        __VA_ARGS__                                                                                \
    }

sli_rays sli_rays_of(const sl_ray *rays, size_t count)
{
    return STRUCTS_OF(rays, origin, dir, .tmin = &rays->tmin, .tmax = &rays->tmax,
                      .tmin_stride = sizeof *rays, .tmax_stride = sizeof *rays);
}

sli_rays sli_rays_of_d(const sl_ray_d *rays, size_t count)
{
    return STRUCTS_OF(rays, origin, dir, .tmin = &rays->tmin, .tmax = &rays->tmax,
                      .tmin_stride = sizeof *rays, .tmax_stride = sizeof *rays,
                      .number = SLI_DOUBLE);
}

sli_rays sli_segments_of(const sl_segment *segments, size_t count)
{
    return STRUCTS_OF(segments, p, q, .segments = true);
}

sli_rays sli_segments_of_d(const sl_segment_d *segments, size_t count)
{
    return STRUCTS_OF(segments, p, q, .segments = true, .number = SLI_DOUBLE);
}

static sli_rays from_point(const void *origin, const void *to, size_t count, sli_number_type number,
                           bool segments)
{
    return (sli_rays){ .origin = { origin },
                       .dir = { to },
                       .origin_stride = { SLI_SAME },
                       .count = count,
                       .number = number,
                       .segments = segments };
}

sli_rays sli_rays_from(const float origin[3], const float *dirs, size_t count)
{
    return from_point(origin, dirs, count, SLI_FLOAT, false);
}

sli_rays sli_rays_from_d(const double origin[3], const double *dirs, size_t count)
{
    return from_point(origin, dirs, count, SLI_DOUBLE, false);
}

sli_rays sli_segments_from(const float p[3], const float *targets, size_t count)
{
    return from_point(p, targets, count, SLI_FLOAT, true);
}

sli_rays sli_segments_from_d(const double p[3], const double *targets, size_t count)
{
    return from_point(p, targets, count, SLI_DOUBLE, true);
}

/* The same stride for all numbers of hits. */
#define ALIKE(stride) { (stride), (stride), (stride), (stride), (stride), (stride) }

sli_hits sli_hits_of(sl_hit *hits)
{
    return hits == NULL ? (sli_hits){ .t = NULL }
                        : (sli_hits){ .t = &hits->t,
                                      .u = &hits->u,
                                      .v = &hits->v,
                                      .prim = &hits->prim,
                                      .instance = &hits->instance,
                                      .flags = &hits->flags,
                                      .stride = ALIKE(sizeof *hits) };
}

sli_hits sli_hits_of_d(sl_hit_d *hits)
{
    return hits == NULL ? (sli_hits){ .number = SLI_DOUBLE }
                        : (sli_hits){ .t = &hits->t,
                                      .u = &hits->u,
                                      .v = &hits->v,
                                      .prim = &hits->prim,
                                      .instance = &hits->instance,
                                      .flags = &hits->flags,
                                      .stride = ALIKE(sizeof *hits),
                                      .number = SLI_DOUBLE };
}

/* ---- Plain layouts ---- */

/* Whether three numbers lie side by side, `offset` bytes behind a struct, and structs follow one
 * another. */
static bool is_vector_in(const void *const axes[3], size_t stride, const char *structs,
                         size_t offset, size_t size)
{
    return axes[1] == NULL && axes[2] == NULL && axes[0] == (const void *)(structs + offset) &&
           stride == size;
}

static bool is_aligned(const void *array, size_t align)
{
    return (uintptr_t)array % align == 0;
}

#define IS_RAY_ARRAY(type, rays)                                                                   \
    (is_vector_in((rays)->origin, (rays)->origin_stride[0], (const char *)(rays)->origin[0],       \
                  offsetof(type, origin), sizeof(type)) &&                                         \
     is_vector_in((rays)->dir, (rays)->dir_stride[0], (const char *)(rays)->origin[0],             \
                  offsetof(type, dir), sizeof(type)) &&                                            \
     (rays)->tmin == (const void *)&((const type *)(rays)->origin[0])->tmin &&                     \
     (rays)->tmax == (const void *)&((const type *)(rays)->origin[0])->tmax &&                     \
     (rays)->tmin_stride == sizeof(type) && (rays)->tmax_stride == sizeof(type) &&                 \
     is_aligned((rays)->origin[0], _Alignof(type)))

#define IS_SEGMENT_ARRAY(type, rays)                                                               \
    (is_vector_in((rays)->origin, (rays)->origin_stride[0], (const char *)(rays)->origin[0],       \
                  offsetof(type, p), sizeof(type)) &&                                              \
     is_vector_in((rays)->dir, (rays)->dir_stride[0], (const char *)(rays)->origin[0],             \
                  offsetof(type, q), sizeof(type)) &&                                              \
     is_aligned((rays)->origin[0], _Alignof(type)))

bool sli_rays_are_plain(const sli_rays *rays, sli_ray_items *out)
{
    const void *first = rays->origin[0];
    const bool doubles = rays->number == SLI_DOUBLE;
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

static bool has_stride(const size_t stride[6], size_t size)
{
    for (int i = 0; i < 6; i++) {
        if (stride[i] != size) {
            return false;
        }
    }
    return true;
}

#define IS_HIT_ARRAY(type, hits)                                                                   \
    (has_stride((hits)->stride, sizeof(type)) && is_aligned((hits)->t, _Alignof(type)) &&          \
     (hits)->u == &((type *)(hits)->t)->u && (hits)->v == &((type *)(hits)->t)->v &&               \
     (hits)->prim == &((type *)(hits)->t)->prim &&                                                 \
     (hits)->instance == &((type *)(hits)->t)->instance &&                                         \
     (hits)->flags == &((type *)(hits)->t)->flags)

bool sli_hits_are_plain(const sli_hits *hits, sli_ray_hits *out)
{
    *out = (sli_ray_hits){ .floats = NULL };
    if (hits->t == NULL) {
        return false;
    }
    if (hits->number == SLI_DOUBLE) {
        out->doubles = IS_HIT_ARRAY(sl_hit_d, hits) ? hits->t : NULL;
        return out->doubles != NULL;
    }
    out->floats = IS_HIT_ARRAY(sl_hit, hits) ? hits->t : NULL;
    return out->floats != NULL;
}

bool sli_rays_are_from_point(const sli_rays *rays, sli_kernel_point_to_many *out)
{
    const size_t packed = 3 * sizeof(float);
    if (rays->number == SLI_DOUBLE || rays->origin_stride[0] != SLI_SAME ||
        rays->origin[1] != NULL || rays->dir[1] != NULL ||
        (rays->dir_stride[0] != 0 && rays->dir_stride[0] != packed) ||
        !is_aligned(rays->dir[0], _Alignof(float)) || rays->tmin != NULL ||
        (rays->tmax != NULL && rays->tmax_stride != SLI_SAME)) {
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

/* Bytes from the start of an array to item i. */
static size_t offset_of(size_t i, size_t stride, size_t packed)
{
    return stride == SLI_SAME ? 0 : i * (stride != 0 ? stride : packed);
}

/* Three numbers of `size` bytes of item i. */
static SLI_FORCE_INLINE void read_vector(const void *const axes[3], const size_t stride[3],
                                         size_t i, size_t size, void *out)
{
    if (axes[1] == NULL) {
        memcpy(out, (const char *)axes[0] + offset_of(i, stride[0], 3 * size), 3 * size);
        return;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        memcpy((char *)out + axis * size,
               (const char *)axes[axis] + offset_of(i, stride[axis], size), size);
    }
}

static SLI_FORCE_INLINE void read_number(const void *from, size_t stride, size_t i, size_t size,
                                         void *out)
{
    if (from != NULL) {
        memcpy(out, (const char *)from + offset_of(i, stride, size), size);
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

sli_ray_items sli_rays_gather(const sli_rays *rays, size_t first, size_t count, void *block)
{
    const bool doubles = rays->number == SLI_DOUBLE;
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

bool sli_points_are_packed(const sli_points *points)
{
    const size_t size = points->number == SLI_DOUBLE ? sizeof(double) : sizeof(float);
    return points->xyz[1] == NULL && points->xyz[2] == NULL &&
           (points->stride == 0 || points->stride == 3 * size) && is_aligned(points->xyz[0], size);
}

void sli_points_gather(const sli_points *points, size_t first, size_t count, void *block)
{
    const size_t stride[3] = { points->stride, points->stride, points->stride };
    for (size_t i = 0; i < count; i++) {
        if (points->number == SLI_DOUBLE) {
            read_vector(points->xyz, stride, first + i, sizeof(double), (double *)block + 3 * i);
        } else {
            read_vector(points->xyz, stride, first + i, sizeof(float), (float *)block + 3 * i);
        }
    }
}

void sli_hits_gather(const sli_hits *hits, size_t first, size_t count, const sli_ray_hits *out)
{
    for (size_t i = 0; i < count; i++) {
        sl_hit_d hit = { .prim = SL_NONE };
        float t = 0;
        if (hits->number == SLI_DOUBLE) {
            read_number(hits->t, hits->stride[0], first + i, sizeof hit.t, &hit.t);
        } else {
            read_number(hits->t, hits->stride[0], first + i, sizeof t, &t);
            hit.t = t;
        }
        read_number(hits->prim, hits->stride[3], first + i, sizeof hit.prim, &hit.prim);
        read_number(hits->instance, hits->stride[4], first + i, sizeof hit.instance, &hit.instance);
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
        memcpy((char *)to + offset_of(i, stride, size), number, size);
    }
}

#define SCATTER(from)                                                                              \
    for (size_t i = 0; i < count; i++) {                                                           \
        write_number(hits->t, hits->stride[0], first + i, sizeof(from)[i].t, &(from)[i].t);        \
        write_number(hits->u, hits->stride[1], first + i, sizeof(float), &(from)[i].u);            \
        write_number(hits->v, hits->stride[2], first + i, sizeof(float), &(from)[i].v);            \
        write_number(hits->prim, hits->stride[3], first + i, sizeof(uint32_t), &(from)[i].prim);   \
        write_number(hits->instance, hits->stride[4], first + i, sizeof(uint32_t),                 \
                     &(from)[i].instance);                                                         \
        write_number(hits->flags, hits->stride[5], first + i, sizeof(uint32_t), &(from)[i].flags); \
    }

void sli_hits_scatter(const sli_hits *hits, size_t first, size_t count, const sli_ray_hits *from)
{
    if (from->doubles != NULL) {
        SCATTER(from->doubles)
    } else {
        SCATTER(from->floats)
    }
}
