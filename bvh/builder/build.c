/* sl_bvh_build: a binary tree from the root down, subtrees reinserted, and the wide tree that it
 * becomes; with less quality or a compact layout where limits of memory require it.  bvh.h lists
 * the sources. */
#include "bvh/builder/build.h"

#include "bvh/builder/box_tree.h"
#include "bvh/builder/cell_tree.h"
#include "bvh/builder/reinsert.h"
#include "bvh/builder/wide/widen.h"
#include "bvh/tree/fill_child_masks.h"
#include "lib/base/budget.h"
#include "lib/base/error.h"
#include "lib/base/thread/task.h"
#include "lib/geom/intersect/selection.h"

static const size_t triangles_max = 0x0FFFFFFF;

/* What each sl_bvh_quality does. */
typedef struct preset {
    size_t leaf_max; /* references in a leaf of the binary tree */
    size_t open_max; /* of sli_cell_tree; 0: not built over cells */
    sli_reinsert_effort reinsertion;
    bool splits; /* triangles may be cut */
} preset;

static const preset presets[] = { [SL_BVH_QUALITY_DEFAULT] = { SLI_PACK, 1024, { 16, 3 }, false },
                                  [SL_BVH_QUALITY_FAST] = { SLI_PACK, 256, { 0, 0 }, false },
                                  [SL_BVH_QUALITY_HIGH] = { 1, 0, { 16, 1 }, true } };

/* As widen.h requires. */
_Static_assert(SLI_BINARY_LEVELS == 3 * SLI_MAX_DEPTH, "binary levels must fit into wide ones");

sl_result sli_build_check(const sl_mesh *mesh, const sl_build_def *options, sl_build_def *def,
                          sl_error *error)
{
    if (mesh == NULL) {
        return sli_refuse(error, "mesh is NULL: there is nothing to build over");
    }
    *def = options != NULL ? *options : (sl_build_def){ 0 };
    if ((unsigned)def->quality > SL_BVH_QUALITY_HIGH) {
        return sli_refuse(error,
                          "sl_build_def.quality is %d; there are SL_BVH_QUALITY_DEFAULT, "
                          "SL_BVH_QUALITY_FAST and SL_BVH_QUALITY_HIGH",
                          (int)def->quality);
    }
    if ((unsigned)def->layout > SL_BVH_LAYOUT_COMPACT) {
        return sli_refuse(error,
                          "sl_build_def.layout is %d; there are SL_BVH_LAYOUT_DEFAULT and "
                          "SL_BVH_LAYOUT_COMPACT",
                          (int)def->layout);
    }
    SLI_TRY(sli_check_hooks(&def->hooks, "sl_build_def", error));
    if (sl_mesh_soup(mesh).triangle_count > triangles_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; a tree holds at most %zu",
                              sl_mesh_soup(mesh).triangle_count, triangles_max);
    }
    return SL_OK;
}

typedef struct summary {
    const sli_refs *refs;
    sl_bvh *tree;
    sli_slices *slices;
} summary;

/* Bounds, farthest coordinate and figures of a finished tree. */
static void build_summarise(void *context)
{
    const summary *job = context;
    const sli_box *box = &job->refs->bounds;
    if (job->refs->count > 0) {
        sli_tree_set_bounds(job->tree, (const float *)&box->min, (const float *)&box->max);
    }
    sli_tree_measure_sliced(job->tree, job->slices);
}

/* A build, as asked for or with less quality. */
typedef struct job {
    const sl_mesh *mesh;
    const sli_boxes *boxes; /* instead of a mesh, or NULL */
    const sl_build_def *def;
    sl_bvh_quality quality;
    bool splits;
    sl_allocator allocator; /* a budget's, where there is one */
    sli_phase phase;
} job;

/* Zeroed: no tree. */
typedef struct binary_tree {
    sli_refs refs;
    sli_node2 *nodes; /* NULL where there are no references */
    size_t node_count;
} binary_tree;

/* Over cells where that pays (cell_tree.h). */
static sl_result build_nodes(const job *build, binary_tree *out)
{
    const preset *settings = &presets[build->quality];
    if (settings->open_max > 0) {
        const sl_result result = sli_cell_tree(&out->refs, settings->leaf_max, settings->open_max,
                                               &build->phase, &out->nodes, &out->node_count);
        if (result != SL_OK || out->nodes != NULL) {
            return result;
        }
    }
    sli_triangles mesh = { .xyz = NULL };
    if (build->splits) {
        mesh = (sli_triangles){ sl_mesh_soup(build->mesh).xyz, sl_mesh_soup(build->mesh).indices };
    }
    return sli_topdown(&out->refs, build->splits ? &mesh : NULL, settings->leaf_max, &build->phase,
                       &out->nodes, &out->node_count);
}

/* free_binary must follow whatever the result.  *direct: the wide tree, where no binary one is
 * needed, with its figures; else NULL. */
static sl_result build_binary(const job *build, binary_tree *out, sli_boxes_drift *drift,
                              sl_bvh **direct)
{
    const preset *settings = &presets[build->quality];
    const bool many = build->boxes != NULL && build->quality == SL_BVH_QUALITY_FAST &&
                      build->boxes->count >= SLI_BOX_TREE_MIN;
    *out = (binary_tree){ .nodes = NULL };
    sl_result result =
        build->boxes != NULL
            ? sli_refs_of_boxes(build->boxes, many, &build->allocator, &build->phase, &out->refs)
            : sli_refs_create(build->mesh, build->splits ? sli_spatial_capacity : NULL,
                              &build->allocator, &build->phase, &out->refs);
    if (result == SL_OK && many && out->refs.count >= SLI_BOX_TREE_MIN) {
        result = sli_box_tree(&out->refs, build->boxes->count, &build->allocator, &build->phase,
                              drift, direct);
    }
    if (result == SL_OK && *direct == NULL && !sli_refs_own(&out->refs)) {
        result = sli_fail_memory(build->phase.error);
    }
    if (result == SL_OK && *direct == NULL && out->refs.count > 0) {
        result = build_nodes(build, out);
        if (result == SL_OK && settings->reinsertion.rounds > 0) {
            result = sli_reinsert(out->nodes, out->node_count, &settings->reinsertion,
                                  &build->allocator, &build->phase);
        }
    }
    return result;
}

static void free_binary(binary_tree *tree)
{
    sli_free_array(&tree->refs.allocator, tree->nodes, tree->node_count, sizeof *tree->nodes);
    sli_refs_destroy(&tree->refs);
}

static sl_result build_wide(const job *build, const binary_tree *tree, sl_bvh **out)
{
    const sl_build_def *def = build->def;
    const sli_refs *refs = &tree->refs;
    const sli_binary binary = { .nodes = tree->nodes,
                                .node_count = tree->node_count,
                                .prims = refs->prims,
                                .ref_count = refs->capacity,
                                .splits = build->splits };
    const sli_widen_def widen = { .layout = def->layout,
                                  .masks = def->masks,
                                  .boxes = build->boxes,
                                  .line_limit = SLI_MAX_LINES,
                                  .byte_limit =
                                      def->max_tree_size > 0 ? def->max_tree_size : SIZE_MAX };
    return sli_widen_binary(&binary, build->mesh, &widen, &build->allocator, &build->phase, out);
}

static bool has_masks(const uint32_t *masks, size_t count)
{
    uint32_t common = UINT32_MAX;
    for (size_t i = 0; masks != NULL && i < count; i++) {
        common &= sli_mask_of(masks[i]);
    }
    return common != UINT32_MAX;
}

/* The masks below nodes (bvh/tree/child_masks.h), where any triangle has not all bits; unless the
 * tree would then take more than it may. */
static sl_result fill_child_masks(const job *build, sl_bvh *tree)
{
    const size_t most = build->def->max_tree_size;
    const size_t bytes = sli_child_mask_count(tree->line_count) * sizeof(uint32_t);
    if (!has_masks(build->def->masks, tree->prim_count)) {
        return SL_OK;
    }
    if (most > 0 && sli_tree_bytes(tree) + bytes > most) {
        sli_child_masks_forget(tree);
        return SL_OK;
    }
    SLI_TRY(sli_had_memory(build->phase.error, sli_child_masks_reserve(tree)));
    sli_child_masks_fill(tree);
    return SL_OK;
}

/* *drift is set where the tree is not made of a binary one. */
static sl_result build_once(const job *build, sli_boxes_drift *drift, sl_bvh **out)
{
    binary_tree tree;
    *out = NULL;
    sl_result result = build_binary(build, &tree, drift, out);
    const bool direct = *out != NULL;
    if (result == SL_OK && *out == NULL && tree.refs.count > 0) {
        result = build_wide(build, &tree, out);
    } else if (result == SL_OK && *out == NULL) {
        *out = sli_tree_create(&build->allocator, SLI_HEADER_LINES,
                               build->boxes != NULL ? build->boxes->count
                                                    : sl_mesh_soup(build->mesh).triangle_count);
        result = *out != NULL ? SL_OK : sli_fail_memory(build->phase.error);
    }
    if (result == SL_OK && build->boxes == NULL && !sli_own_world_reserve(*out)) {
        result = sli_fail_memory(build->phase.error);
    }
    result = SLI_THEN(result, fill_child_masks(build, *out));
    if (result == SL_OK && !direct) {
        (*out)->info.quality = build->quality;
        summary all = { .refs = &tree.refs, .tree = *out, .slices = build->phase.slices };
        sli_phase_once(&build->phase, build_summarise, &all);
    }
    if (result != SL_OK) {
        sl_bvh_destroy(*out);
        *out = NULL;
    }
    free_binary(&tree);
    return result;
}

static sl_result build_within(const job *build, sli_budget *budget, sl_bvh **out)
{
    sli_boxes_drift drift;
    budget->refused = 0;
    const sl_result result = build_once(build, &drift, out);
    if (result == SL_OUT_OF_MEMORY && budget->refused != 0) {
        return sli_fail_plain(build->phase.error, SL_TOO_LARGE,
                              "the build would hold %zu bytes at once or more; "
                              "sl_build_def.max_memory is %zu",
                              budget->refused, budget->most);
    }
    return result;
}

sl_result sli_build_tree(const sl_mesh *mesh, const sl_build_def *def,
                         const sl_allocator *allocator, sli_slices *slices, sl_bvh **out,
                         sl_error *error)
{
    sl_error attempt_error; /* an attempt may fail and the next one succeed */
    job build = { .mesh = mesh,
                  .def = def,
                  .quality = def->quality,
                  .splits = presets[def->quality].splits && def->layout != SL_BVH_LAYOUT_COMPACT,
                  .allocator = *allocator,
                  .phase = { .tasks = def->hooks.tasks,
                             .progress = def->hooks.progress,
                             .error = &attempt_error,
                             .slices = slices } };
    sli_budget budget = { .refused = 0 };
    if (def->max_memory > 0) {
        build.allocator = sli_budget_start(&budget, allocator, def->max_memory);
    }
    sl_bvh *tree = NULL;
    sl_result result = build_within(&build, &budget, &tree);
    if (result == SL_TOO_LARGE && build.quality == SL_BVH_QUALITY_HIGH) {
        build.quality = SL_BVH_QUALITY_DEFAULT;
        build.splits = false;
        result = build_within(&build, &budget, &tree);
    }
    if (result == SL_OK) {
        tree->allocator = tree->lineage.family->allocator = sli_allocator(&def->hooks.allocator);
        sli_own_world_fill(tree);
        *out = tree;
    } else if (error != NULL) {
        *error = attempt_error;
    }
    return result;
}

sl_result sl_bvh_build(const sl_mesh *mesh, const sl_build_def *options, sl_bvh **out,
                       sl_error *error)
{
    if (out == NULL) {
        return sli_refuse(error, "out is NULL: there is no place for the tree");
    }
    *out = NULL;
    sl_build_def def;
    SLI_TRY(sli_build_check(mesh, options, &def, error));
    const sl_allocator allocator = sli_allocator(&def.hooks.allocator);
    return sli_build_tree(mesh, &def, &allocator, NULL, out, error);
}

sl_result sli_build_over_boxes(const sli_boxes *boxes, sl_bvh_quality quality,
                               const sl_allocator *allocator, const sli_phase *phase,
                               sli_boxes_drift *drift, sl_bvh **out)
{
    const sl_build_def def = { 0 };
    const job build = {
        .boxes = boxes, .def = &def, .quality = quality, .allocator = *allocator, .phase = *phase
    };
    *out = NULL;
    *drift = (sli_boxes_drift){ .cost = 0 };
    const sl_result result = build_once(&build, drift, out);
    if (result == SL_OK && drift->cost == 0) {
        *drift = sli_measure_over_boxes(*out, phase);
    }
    return result;
}
