/* Segments with a guess for each of who blocks it: from one frame to the next most blockers stay.
 * Guesses are tried at once, without the tree; whom they do not settle waits for others of the kind,
 * so that the tree is asked for many together. */
#include "bvh/query/hint.h"


enum { WAITING = 256 };

typedef struct queue {
    const sli_kernel_batch *batch;
    size_t count;
    size_t index[WAITING]; /* in the batch */
    sl_segment segments[WAITING];
    sl_ray_opt options[WAITING]; /* where the batch has some for each */
    uint32_t blocker[WAITING];
    uint8_t blocked[WAITING];
} queue;

/* Whether triangle prim blocks the ray.  Only a guess: whoever is not in the tree, masked or skipped
 * does not. */
static bool blocks(const sl_bvh *bvh, const sli_kernel_ray *ray, uint32_t prim, sl_stats *stats)
{
    sl_triangle triangle;
    if (!sl_bvh_triangle(bvh, prim, &triangle) || !sli_filter_wants(&ray->filter, bvh, prim)) {
        return false;
    }
    sli_stage stage;
    const bool hit = sli_exact_ray_hits(&ray->exact, triangle.v[0], triangle.v[1], triangle.v[2],
                                        (int)ray->cull, &stage);
    stats->triangles++;
    stats->double_stage += stage == SLI_STAGE_DOUBLE;
    stats->exact_stage += stage == SLI_STAGE_EXACT;
    stats->hits += hit;
    return hit;
}

static void wait_for_tree(queue *q, size_t i)
{
    const sl_query *query = q->batch->query;
    q->index[q->count] = i;
    q->segments[q->count] = q->batch->segments[i];
    if (query->per_ray != NULL) {
        q->options[q->count] = *sli_query_from(query, i).per_ray;
    }
    q->count++;
}

static void ask_tree(queue *q, uint8_t *blocked, uint32_t *hint, sl_stats *stats)
{
    sl_query query = *q->batch->query;
    if (query.per_ray != NULL) {
        query.per_ray = q->options;
        query.per_ray_stride = sizeof q->options[0];
    }
    const sl_bvh *tree = q->batch->tree;
    const sli_kernel_batch batch = { .tree = tree, .segments = q->segments, .query = &query };
    tree->kernels->any_many(&batch, 0, q->count, q->blocked, q->blocker, stats);
    for (size_t i = 0; i < q->count; i++) {
        blocked[q->index[i]] = q->blocked[i];
        if (q->blocked[i] != 0) {
            hint[q->index[i]] = q->blocker[i];
        }
    }
    q->count = 0;
}

void sli_blocked_by_hint(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *blocked,
                         uint32_t *hint, sl_stats *stats)
{
    queue waiting;
    waiting.batch = batch;
    waiting.count = 0;
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        blocked[i] = hint[i] != SL_NONE &&
                     sli_prepare_segment(&batch->segments[i], batch->query, i, &ray) &&
                     blocks(batch->tree, &ray, hint[i], stats);
        if (blocked[i] != 0) {
            stats->rays++;
            continue;
        }
        wait_for_tree(&waiting, i);
        if (waiting.count == WAITING) {
            ask_tree(&waiting, blocked, hint, stats);
        }
    }
    ask_tree(&waiting, blocked, hint, stats);
}
