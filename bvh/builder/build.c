#include "bvh/builder/binary_tree.h"
#include "bvh/builder/topdown.h"
#include "lib/base/budget.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

static const size_t most_triangles = 0x0FFFFFFF;

/* What each sl_bvh_quality does. */
static const sli_recipe presets[] = { [SL_BVH_QUALITY_DEFAULT] = { SLI_PACK, { 16, 3 }, false },
                                      [SL_BVH_QUALITY_FAST] = { SLI_PACK, { 0, 0 }, false },
                                      [SL_BVH_QUALITY_HIGH] = { 1, { 24, 0.1 }, true } };

/* What widen.h asks for. */
_Static_assert(SLI_BINARY_LEVELS == 3 * SLI_MAX_DEPTH, "binary levels must fit into wide ones");

sl_build_def sl_default_build_def(void)
{
    return (sl_build_def){ .size = sizeof(sl_build_def) };
}

/* def->size is read before anything else of def: a smaller one ends before the rest. */
static sl_result check_arguments(const sl_mesh *mesh, const sl_build_def *def, sl_bvh **out,
                                 sl_error *error)
{
    if (out == NULL) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "out is NULL: there is no place for the tree");
    }
    *out = NULL;
    if (mesh == NULL) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "mesh is NULL: there is nothing to build over");
    }
    if (def->size != sizeof(sl_build_def)) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_build_def.size is %zu instead of %zu; begin with "
                              "sl_default_build_def()",
                              def->size, sizeof(sl_build_def));
    }
    if ((unsigned)def->quality > SL_BVH_QUALITY_HIGH) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_build_def.quality is %d; there are SL_BVH_QUALITY_DEFAULT, "
                              "SL_BVH_QUALITY_FAST and SL_BVH_QUALITY_HIGH",
                              (int)def->quality);
    }
    if ((unsigned)def->layout > SL_BVH_LAYOUT_COMPACT) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_build_def.layout is %d; there are SL_BVH_LAYOUT_DEFAULT and "
                              "SL_BVH_LAYOUT_COMPACT",
                              (int)def->layout);
    }
    if (sl_mesh_triangle_count(mesh) > most_triangles) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu triangles; a tree holds at most %zu",
                              sl_mesh_triangle_count(mesh), most_triangles);
    }
    return SL_OK;
}

typedef struct summary {
    const sli_refs *refs;
    sl_bvh *tree;
} summary;

/* What the references know of the whole: its bounds, and its farthest coordinate. */
static void summarise(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    const summary *job = context;
    const sli_box *box = &job->refs->bounds;
    for (int axis = 0; axis < 3 && job->refs->count > 0; axis++) {
        const float min = box->min[axis], max = box->max[axis];
        const float farthest = -min > max ? -min : max;
        job->tree->bounds.min[axis] = min;
        job->tree->bounds.max[axis] = max;
        job->tree->reach = farthest > job->tree->reach ? farthest : job->tree->reach;
    }
    sli_tree_measure(job->tree);
}

/* A build: what is asked for, or what is left of it. */
typedef struct job {
    const sl_mesh *mesh;
    const sl_build_def *def;
    sl_bvh_quality quality;
    bool splits;
    sl_allocator allocator; /* a budget's, where there is one */
    sli_stage stage;
} job;

static sl_result build_wide(const job *build, const sli_grown *grown, sl_bvh **out)
{
    const sl_build_def *def = build->def;
    const sli_binary binary = sli_grown_binary(grown);
    const sli_wish wish = { .layout = def->layout,
                            .masks = def->masks,
                            .line_limit = SLI_MAX_LINES,
                            .byte_limit = def->max_tree_size > 0 ? def->max_tree_size : SIZE_MAX };
    return sli_widen(&binary, build->mesh, &wish, &build->allocator, &build->stage, out);
}

static sl_result build_once(const job *build, sl_bvh **out)
{
    sli_recipe recipe = presets[build->quality];
    recipe.splits = build->splits;
    sli_grown grown;
    sl_result result = sli_grow(build->mesh, &recipe, &build->allocator, &build->stage, &grown);
    if (result == SL_OK && grown.refs.count > 0) {
        result = build_wide(build, &grown, out);
    } else if (result == SL_OK) {
        *out = sli_tree_create(&build->allocator, SLI_HEADER_LINES,
                               sl_mesh_triangle_count(build->mesh));
        result = *out != NULL ? SL_OK : sli_fail_memory(build->stage.error);
    }
    if (result == SL_OK) {
        (*out)->info.quality = build->quality;
        summary whole = { .refs = &grown.refs, .tree = *out };
        sli_stage_blocks(&build->stage, 1, 1, summarise, &whole);
    }
    sli_grown_free(&grown);
    return result;
}

static sl_result build_within(const job *build, sli_budget *budget, sl_bvh **out)
{
    budget->refused = 0;
    const sl_result result = build_once(build, out);
    if (result == SL_OUT_OF_MEMORY && budget->refused != 0) {
        return sli_fail_plain(build->stage.error, SL_TOO_LARGE,
                              "the build would hold %zu bytes at once or more; "
                              "sl_build_def.max_memory is %zu",
                              budget->refused, budget->most);
    }
    return result;
}

sl_result sl_bvh_build(const sl_mesh *mesh, const sl_build_def *def, sl_bvh **out, sl_error *error)
{
    const sl_build_def defaults = sl_default_build_def();
    if (def == NULL) {
        def = &defaults;
    }
    sl_result result = check_arguments(mesh, def, out, error);
    if (result != SL_OK) {
        return result;
    }
    const sl_allocator allocator = sli_allocator(&def->hooks.allocator);
    sl_error why; /* of what was tried and failed, though something else may do */
    job build = { .mesh = mesh,
                  .def = def,
                  .quality = def->quality,
                  .splits = presets[def->quality].splits && def->layout != SL_BVH_LAYOUT_COMPACT,
                  .allocator = allocator,
                  .stage = {
                      .tasks = def->hooks.tasks, .progress = def->hooks.progress, .error = &why } };
    sli_budget budget = { .refused = 0 };
    if (def->max_memory > 0) {
        build.allocator = sli_budget_start(&budget, &allocator, def->max_memory);
    }
    sl_bvh *tree = NULL;
    result = build_within(&build, &budget, &tree);
    if (result == SL_TOO_LARGE && build.quality == SL_BVH_QUALITY_HIGH) {
        build.quality = SL_BVH_QUALITY_DEFAULT;
        build.splits = false;
        result = build_within(&build, &budget, &tree);
    }
    if (result == SL_OK) {
        tree->allocator = allocator;
        *out = tree;
    } else if (error != NULL) {
        *error = why;
    }
    return result;
}
