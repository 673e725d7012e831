#include "bvh/builder/binary_tree.h"

#include "bvh/builder/topdown.h"
#include "bvh/builder/topdown_spatial.h"
#include "bvh/builder/wide/collapse.h"
#include "lib/base/memory.h"

/* One reference more for so many triangles is few. */
static const size_t few_splits = 12;

/* At least so much of the cost is left by reinsertion where splits are not in doubt. */
static const double least_left = 0.9;

static sl_result build_binary(const sl_mesh *mesh, const sli_recipe *recipe, const sli_stage *stage,
                              sli_grown *out)
{
    if (!recipe->splits) {
        return sli_topdown(&out->refs, recipe->leaf_most, stage, &out->nodes, &out->node_count);
    }
    const sli_triangles triangles = { sl_mesh_positions(mesh), sl_mesh_indices(mesh) };
    return sli_spatial(&out->refs, &triangles, recipe->leaf_most, stage, &out->nodes,
                       &out->node_count);
}

static sl_result grow_once(const sl_mesh *mesh, const sli_recipe *recipe,
                           const sl_allocator *allocator, const sli_stage *stage, sli_grown *out)
{
    *out = (sli_grown){ .splits = recipe->splits };
    sli_refs_room_fn *room = recipe->splits ? sli_spatial_room : NULL;
    sl_result result = sli_refs_create(mesh, room, allocator, stage, &out->refs);
    if (result == SL_OK && out->refs.count > 0) {
        result = build_binary(mesh, recipe, stage, out);
        if (result == SL_OK && recipe->reinsertion.rounds > 0) {
            result = sli_reinsert(out->nodes, out->node_count, &recipe->reinsertion, allocator,
                                  stage, &out->cost);
        }
    }
    return result;
}

typedef struct question {
    const sli_grown *split;
    bool doubtful;
} question;

static void doubt(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    question *job = context;
    const size_t count = job->split->refs.count;
    const size_t references = (job->split->node_count + 1) / 2; /* leaves of one each */
    job->doubtful = references > count && references - count <= count / few_splits &&
                    job->split->cost.after < least_left * job->split->cost.before;
}

/* The cost of the wide tree to come, as long as nobody limits its depth. */
static sl_result price(const sli_grown *tree, const sl_allocator *allocator, const sli_stage *stage,
                       double *cost)
{
    sli_arena arena = sli_arena_make(allocator);
    sli_binary binary = sli_grown_binary(tree);
    sli_below below;
    binary.ref_count = tree->refs.count; /* one measure for memory */
    const sl_result result = sli_collapse(&binary, &arena, stage, &below);
    *cost = below.cost;
    sli_arena_free(&arena);
    return result;
}

/* Two prices. */
typedef struct offer {
    double split, whole;
    bool keep_whole;
} offer;

static void compare(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    offer *job = context;
    job->keep_whole = job->whole < job->split;
}

/* Replaces a tree with splits by one without, if that is cheaper. */
static sl_result try_whole(const sl_mesh *mesh, const sli_recipe *recipe,
                           const sl_allocator *allocator, const sli_stage *stage, sli_grown *tree)
{
    /* Blocks that are full from the start, as grouped by topdown.h, save a third of the time. */
    const sli_recipe without = { SLI_PACK, recipe->reinsertion, false };
    sli_grown whole;
    offer job = { .keep_whole = false };
    sl_result result = grow_once(mesh, &without, allocator, stage, &whole);
    if (result == SL_OK) {
        result = price(&whole, allocator, stage, &job.whole);
    }
    if (result == SL_OK) {
        result = price(tree, allocator, stage, &job.split);
    }
    if (result == SL_OK) {
        sli_stage_blocks(stage, 1, 1, compare, &job);
    }
    if (job.keep_whole) {
        const sli_grown split = *tree;
        *tree = whole;
        whole = split;
    }
    sli_grown_free(&whole);
    return result;
}

sl_result sli_grow(const sl_mesh *mesh, const sli_recipe *recipe, const sl_allocator *allocator,
                   const sli_stage *stage, sli_grown *out)
{
    const sl_result result = grow_once(mesh, recipe, allocator, stage, out);
    if (result != SL_OK || !recipe->splits || out->refs.count == 0) {
        return result;
    }
    question job = { .split = out };
    sli_stage_blocks(stage, 1, 1, doubt, &job);
    return job.doubtful ? try_whole(mesh, recipe, allocator, stage, out) : SL_OK;
}

void sli_grown_free(sli_grown *tree)
{
    sli_free_array(&tree->refs.allocator, tree->nodes, tree->node_count, sizeof *tree->nodes);
    tree->nodes = NULL;
    sli_refs_destroy(&tree->refs);
}

sli_binary sli_grown_binary(const sli_grown *tree)
{
    const sli_refs *refs = &tree->refs;
    const bool dense = refs->prims != NULL;
    return (sli_binary){ .nodes = tree->nodes,
                         .node_count = tree->node_count,
                         .prims = dense ? refs->prims : &refs->side[0]->prim,
                         .prim_step = dense ? 1 : SLI_REF_STEP,
                         .ref_count = refs->capacity,
                         .splits = tree->splits };
}
