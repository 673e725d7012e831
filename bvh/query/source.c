/* Rays and segments from the caller's own layout into a block on the stack (ask.c asks the block),
 * and hits into the caller's. */
#include "bvh/query/source.h"

#include <math.h>
#include <string.h>

static float number_at(const sl_strided *column, size_t i, float otherwise)
{
    float number = otherwise;
    if (column->data != NULL) {
        memcpy(&number, (const char *)column->data + i * column->stride, sizeof number);
    }
    return number;
}

static sl_ray ray_at(const sl_ray_columns *rays, size_t i)
{
    sl_ray ray = { .tmin = number_at(&rays->tmin, i, 0),
                   .tmax = number_at(&rays->tmax, i, INFINITY) };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = number_at(&rays->origin[axis], i, 0);
        ray.dir[axis] = number_at(&rays->dir[axis], i, 0);
    }
    return ray;
}

static sl_segment segment_at(const sl_segment_columns *segments, size_t i)
{
    sl_segment segment;
    for (int axis = 0; axis < 3; axis++) {
        segment.p[axis] = number_at(&segments->p[axis], i, 0);
        segment.q[axis] = number_at(&segments->q[axis], i, 0);
    }
    return segment;
}

sli_source sli_source_copy(const sli_source *source, size_t first, size_t count, void *block)
{
    sl_ray *rays = block;
    sl_segment *lines = block;
    const bool segments =
        source->segment_columns != NULL || (source->from != NULL && source->from->targets);
    for (size_t i = 0; i < count; i++) {
        if (segments) {
            lines[i] = source->from != NULL ? sli_point_to_many_segment(source->from, first + i)
                                            : segment_at(source->segment_columns, first + i);
        } else {
            rays[i] = source->from != NULL ? sli_point_to_many_ray(source->from, first + i)
                                           : ray_at(source->ray_columns, first + i);
        }
    }
    return segments ? (sli_source){ .segments = lines } : (sli_source){ .rays = rays };
}

/* Writes number i of a column, which is a float or a uint32_t; stride in bytes. */
static void put(const sl_strided_out *column, size_t i, const void *number)
{
    if (column->data != NULL) {
        memcpy((char *)column->data + i * column->stride, number, sizeof(uint32_t));
    }
}

void sli_hits_scatter(const sl_hit_columns *columns, size_t first, const sl_hit *hits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put(&columns->t, first + i, &hits[i].t);
        put(&columns->u, first + i, &hits[i].u);
        put(&columns->v, first + i, &hits[i].v);
        put(&columns->prim, first + i, &hits[i].prim);
        put(&columns->instance, first + i, &hits[i].instance);
        put(&columns->flags, first + i, &hits[i].flags);
    }
}
