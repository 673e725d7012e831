/* What is visible from one point: many directions, or many targets. */
#include "bvh/query/query.h"

#include <math.h>

enum { SMALLEST = 8 }; /* fewer have nothing to share */

typedef struct job {
    const sl_bvh *bvh;
    const sl_query *query;
    const sli_kernel_point_to_many *source;
    uint8_t *any;
} job;

static void together(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    const job *j = context;
    const sli_kernel_batch batch = { .tree = j->bvh,
                                     .point_to_many = j->source,
                                     .query = j->query };
    j->bvh->kernels->point_to_many_any(&batch, begin, end, j->any, stats);
}

/* Options of each ray, or a proxy: as rays or segments of their own. */
static void apart(const void *context, size_t begin, size_t end, sl_stats *stats)
{
    enum { FEW = 64 };
    const job *j = context;
    (void)stats; /* the calls below count */
    for (size_t first = begin; first < end; first += FEW) {
        const size_t count = end - first < FEW ? end - first : FEW;
        const sl_query query = sli_query_from(j->query, first);
        if (j->source->targets) {
            sl_segment segments[FEW];
            for (size_t i = 0; i < count; i++) {
                segments[i] = sli_point_to_many_segment(j->source, first + i);
            }
            sl_bvh_blocked_many(j->bvh, segments, count, &query, j->any + first, NULL, NULL);
        } else {
            sl_ray rays[FEW];
            for (size_t i = 0; i < count; i++) {
                rays[i] = sli_point_to_many_ray(j->source, first + i);
            }
            sl_bvh_any_many(j->bvh, rays, count, &query, j->any + first, NULL);
        }
    }
}

static void ask(const sl_bvh *bvh, const float origin[3], sli_kernel_point_to_many *source,
                size_t count, const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    const sl_query *options = query != NULL ? query : &sli_everything;
    const job j = { .bvh = bvh, .query = options, .source = source, .any = any };
    bool valid = source->targets || source->tmax >= 0;
    for (int axis = 0; axis < 3; axis++) {
        source->origin[axis] = origin[axis];
        valid = valid && isfinite(origin[axis]);
    }
    const bool alone =
        !valid || options->proxy != NULL || options->per_ray != NULL || count < SMALLEST;
    sli_run_blocks(count, alone ? apart : together, &j, alone ? NULL : options->stats, tasks);
}

void sl_bvh_any_from(const sl_bvh *bvh, const float origin[3], const float *dirs, size_t count,
                     float tmax, const sl_query *query, uint8_t *any, const sl_tasks *tasks)
{
    sli_kernel_point_to_many source = { .tmax = tmax, .to = dirs };
    ask(bvh, origin, &source, count, query, any, tasks);
}

void sl_bvh_blocked_from(const sl_bvh *bvh, const float eye[3], const float *targets, size_t count,
                         const sl_query *query, uint8_t *blocked, const sl_tasks *tasks)
{
    sli_kernel_point_to_many source = { .targets = true, .to = targets };
    ask(bvh, eye, &source, count, query, blocked, tasks);
}
