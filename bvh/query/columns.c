/* Rays, segments and hits in the caller's own layout: how a layout is described, and the public
 * questions about it.  source.c reads the columns, ask.c writes the hits. */
#include "bvh/query/ask.h"

/* Three floats that follow one another in structures of stride bytes. */
static void columns_of_struct(const float first[3], size_t stride, sl_strided columns[3])
{
    for (int axis = 0; axis < 3; axis++) {
        columns[axis] = (sl_strided){ first + axis, stride };
    }
}

static void columns_of_arrays(const float *const first[3], sl_strided columns[3])
{
    for (int axis = 0; axis < 3; axis++) {
        columns[axis] = (sl_strided){ first[axis], sizeof(float) };
    }
}

sl_ray_columns sl_ray_columns_of_structs(const float origin[3], const float dir[3],
                                         const float *tmin, const float *tmax, size_t stride)
{
    sl_ray_columns rays = { .tmin = { tmin, stride }, .tmax = { tmax, stride } };
    columns_of_struct(origin, stride, rays.origin);
    columns_of_struct(dir, stride, rays.dir);
    return rays;
}

sl_ray_columns sl_ray_columns_of_arrays(const float *const origin[3], const float *const dir[3],
                                        const float *tmin, const float *tmax)
{
    sl_ray_columns rays = { .tmin = { tmin, sizeof(float) }, .tmax = { tmax, sizeof(float) } };
    columns_of_arrays(origin, rays.origin);
    columns_of_arrays(dir, rays.dir);
    return rays;
}

sl_segment_columns sl_segment_columns_of_structs(const float p[3], const float q[3], size_t stride)
{
    sl_segment_columns segments;
    columns_of_struct(p, stride, segments.p);
    columns_of_struct(q, stride, segments.q);
    return segments;
}

sl_segment_columns sl_segment_columns_of_arrays(const float *const p[3], const float *const q[3])
{
    sl_segment_columns segments;
    columns_of_arrays(p, segments.p);
    columns_of_arrays(q, segments.q);
    return segments;
}

void sl_bvh_closest_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                            const sl_query *query, const sl_hit_columns *hits,
                            const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .ray_columns = rays },
                                    .asked = SLI_ASKED_CLOSEST,
                                    .columns = hits };
    sli_ask(&question, count, tasks);
}

void sl_bvh_any_columns(const sl_bvh *bvh, const sl_ray_columns *rays, size_t count,
                        const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .ray_columns = rays },
                                    .asked = SLI_ASKED_ANY,
                                    .yes = any };
    sli_ask(&question, count, tasks);
}

void sl_bvh_closest_segment_columns(const sl_bvh *bvh, const sl_segment_columns *segments,
                                    size_t count, const sl_query *query, const sl_hit_columns *hits,
                                    const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .segment_columns = segments },
                                    .asked = SLI_ASKED_CLOSEST,
                                    .columns = hits };
    sli_ask(&question, count, tasks);
}

void sl_bvh_blocked_columns(const sl_bvh *bvh, const sl_segment_columns *segments, size_t count,
                            const sl_query *query, uint8_t *blocked, sl_triangle_ref *hints,
                            const sl_tasks *tasks)
{
    const sli_question question = { .bvh = bvh,
                                    .query = query,
                                    .source = { .segment_columns = segments },
                                    .asked = SLI_ASKED_ANY,
                                    .yes = blocked,
                                    .hints = hints };
    sli_ask(&question, count, tasks);
}
