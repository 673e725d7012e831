/* The tree over the boxes of instances, and the one without copies: those of the version before
 * about the new boxes, as long as they are nearly as good as when they were built, or new ones. */
#include "bvh/scene/build.h"
#include "bvh/scene/top.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

/* How much worse than a tree that was built one may be that follows it, by sli_boxes_drift: then it
 * is built anew. */
#define TOP_COST_MAX 1.1
#define TOP_LOG_MAX  0.25

typedef struct half {
    sli_world_build *build;
    bool fits;
} half;

static void find_half(void *context)
{
    half *found = context;
    found->fits =
        sli_top_half(&found->build->transforms.all.bounds, &found->build->scene->handle.world);
}

/* The version before, or NULL. */
static const sli_instances *previous_of(const sli_world_build *build)
{
    return build->def.previous != NULL ? build->def.previous->instances : NULL;
}

/* Whether the nodes of a top of the version before fit: its instances are at the same numbers, and
 * the tree is of the same kind.  The first two versions in recycled memory are built, so that
 * blocks are there for one that has to be: the second finds some of them taken by the first. */
static bool can_follow(const sli_world_build *build, const sl_bvh *top, const sli_boxes *boxes,
                       sl_bvh_quality quality)
{
    const sli_instances *scene = build->scene, *previous = previous_of(build);
    const sli_scratch *scratch = &scene->scratch;
    if ((scratch->keeps && scratch->built < 2) || top == NULL || top->root == SLI_REF_EMPTY ||
        top->prim_count != boxes->count || top->info.quality != quality ||
        previous->handle.info.hole_count != build->transforms.all.hole_count) {
        return false;
    }
    for (size_t i = 0; i < boxes->count; i++) {
        if ((top->slots[i] == SL_NONE) != (boxes->at[i].prim == SL_NONE)) {
            return false;
        }
    }
    return true;
}

typedef struct comparison {
    sli_boxes_drift built, now;
    bool worse;
} comparison;

/* In a block, since it computes. */
static void build_top_compare(void *context)
{
    comparison *c = context;
    c->worse = c->now.cost > TOP_COST_MAX * c->built.cost ||
               c->now.mean_log > TOP_LOG_MAX + c->built.mean_log;
}

/* The nodes of a top of the version before about the new boxes, unless they have become a tenth
 * worse than what was built: then the tree is given up, and there is none. */
static sl_result follow_top(sli_world_build *build, const sli_top *previous, const sli_boxes *boxes,
                            sli_top *out)
{
    comparison c = { .built = previous->built };
    const sl_result result = sli_refit_over_boxes(previous->tree, boxes, &build->memory,
                                                  &build->phase, &c.now, &out->tree);
    out->built = previous->built;
    if (result == SL_OK) {
        sli_phase_once(&build->phase, build_top_compare, &c);
    }
    if (c.worse) {
        sl_bvh_destroy(out->tree);
        out->tree = NULL;
    }
    return result;
}

/* The masks of instances in the top tree, and those below its nodes; of a tree that follows one
 * with masks, also where there are none any more. */
static sl_result mask_top(const sli_world_build *build, sl_bvh *top)
{
    const sli_instances *previous = previous_of(build);
    const bool followed = previous != NULL && previous->handle.world.masked;
    if (top->root == SLI_REF_EMPTY || (build->transforms.masks == NULL && !followed)) {
        return SL_OK;
    }
    return sli_mask_boxes(top, build->transforms.masks, &build->phase);
}

/* previous: the same top of the version before, or NULL. */
static sl_result make_top(sli_world_build *build, const sli_top *previous, const sli_boxes *boxes,
                          sli_top *out)
{
    const sl_bvh_quality quality =
        build->def.quality == SL_BVH_QUALITY_FAST ? SL_BVH_QUALITY_FAST : SL_BVH_QUALITY_DEFAULT;
    if (previous != NULL && can_follow(build, previous->tree, boxes, quality)) {
        SLI_TRY(follow_top(build, previous, boxes, out));
    }
    if (out->tree == NULL) {
        SLI_TRY(sli_build_over_boxes(boxes, quality, &build->memory, &build->phase, &out->built,
                                     &out->tree));
        build->built = true;
    }
    return SL_OK;
}

/* The top for rays, where trees over several instances stand for these. */
static sl_result make_still_top(sli_world_build *build, const sli_instances *previous)
{
    sli_instances *scene = build->scene;
    const size_t count = (size_t)scene->handle.world.count + scene->still_count;
    if (build->def.static_memory != 0 && scene->still_count > 0) {
        SLI_TRY(sli_build_still(build));
    }
    if (scene->still_count == 0 || (build->def.static_memory != 0 && scene->still.tree == NULL)) {
        return SL_OK;
    }
    sli_ref *boxes = sli_alloc_large(&build->memory, count, sizeof *boxes);
    SLI_TRY(sli_had_memory(build->error, boxes != NULL));
    sli_place_still(build, boxes);
    const sl_result result = make_top(build, previous != NULL ? &previous->still_top : NULL,
                                      &(sli_boxes){ boxes, count }, &scene->still_top);
    sli_free_array(&build->memory, boxes, count, sizeof *boxes);
    if (result == SL_OK) {
        scene->still_world = scene->handle.world;
        scene->still_world.top = scene->still_top.tree;
        scene->still_world.still = true;
    }
    return result;
}

sl_result sli_build_top(sli_world_build *build)
{
    sli_instances *scene = build->scene;
    const sli_instances *previous = previous_of(build);
    half found = { .build = build };
    sli_phase_once(&build->phase, find_half, &found);
    if (!found.fits) {
        sli_transforms_recount(&build->transforms, &build->phase);
    }
    const sli_boxes boxes = { build->transforms.boxes, scene->handle.world.count };
    SLI_TRY(make_top(build, previous != NULL ? &previous->top : NULL, &boxes, &scene->top));
    SLI_TRY(mask_top(build, scene->top.tree));
    scene->handle.world.top = scene->top.tree;
    SLI_TRY(sli_find_copies(build, build->built ? NULL : previous));
    if (scene->originals != NULL) {
        SLI_TRY(make_top(build, previous != NULL ? &previous->once : NULL, &boxes, &scene->once));
        SLI_TRY(mask_top(build, scene->once.tree));
        scene->once_world = scene->handle.world;
        scene->once_world.top = scene->once.tree;
    }
    return make_still_top(build, previous);
}
