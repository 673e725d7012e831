/* Segments with a guess for each of who blocks it: from one frame to the next most blockers stay.
 * Guesses are tried at once, without the tree; the tree is asked for whom they do not settle. */
#include "bvh/query/hint.h"

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

void sli_blocked_by_hint(const sli_kernel_batch *batch, size_t begin, size_t end, uint8_t *blocked,
                         uint32_t *hint, sl_stats *stats)
{
    for (size_t i = begin; i < end; i++) {
        sli_kernel_ray ray;
        blocked[i] = hint[i] != SL_NONE &&
                     sli_prepare_segment(&batch->segments[i], batch->query, i, &ray) &&
                     blocks(batch->tree, &ray, hint[i], stats);
        stats->rays += blocked[i];
    }
    sli_kernel_batch others = *batch;
    others.guessed = true;
    batch->tree->kernels->any_many(&others, begin, end, blocked, hint, stats);
}
