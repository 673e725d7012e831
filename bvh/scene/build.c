/* sl_bvh_build_instances: instances expanded, checked and made ready, and the tree over them; in
 * the memory of a version that is recycled, and from what the version before has. */
#include "bvh/scene/build.h"
#include "bvh/scene/top.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

static const size_t instances_max = 0x0FFFFFFF;

sl_instance sl_instance_of(const sl_bvh *bvh)
{
    return (sl_instance){ .bvh = bvh, .transform = sl_transform_identity(), .mask = UINT32_MAX };
}

static sl_result check_arguments(const sl_instance *instances, const sl_instances_def *options,
                                 sl_bvh **out, sli_world_build *build)
{
    sl_error *error = build->error;
    if (out == NULL) {
        return sli_refuse(error, "out is NULL: there is nowhere to put the tree");
    }
    *out = NULL;
    if (instances == NULL && build->transforms.count > 0) {
        return sli_refuse(error, "instances is NULL, and there should be %zu",
                          build->transforms.count);
    }
    if (build->transforms.count > instances_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu instances; a scene holds at most %zu",
                              build->transforms.count, instances_max);
    }
    build->def = options != NULL ? *options : (sl_instances_def){ 0 };
    sl_instances_def *def = &build->def;
    if ((unsigned)def->bad > SL_BAD_INSTANCES_LEAVE_OUT) {
        return sli_refuse(error,
                          "sl_instances_def.bad is %d; there are SL_BAD_INSTANCES_REFUSE and "
                          "SL_BAD_INSTANCES_LEAVE_OUT",
                          (int)def->bad);
    }
    if ((unsigned)def->quality > SL_BVH_QUALITY_HIGH) {
        return sli_refuse(error,
                          "sl_instances_def.quality is %d; there are SL_BVH_QUALITY_DEFAULT, "
                          "SL_BVH_QUALITY_FAST and SL_BVH_QUALITY_HIGH",
                          (int)def->quality);
    }
    if (def->recycle != NULL && def->recycle->instances == NULL) {
        return sli_fail_plain(
            error, SL_INVALID_ARGUMENT,
            "sl_instances_def.recycle is a tree over triangles; the memory of one "
            "over instances can be recycled here");
    }
    SLI_TRY(sli_check_hooks(&def->hooks, "sl_instances_def", error));
    def->stride = def->stride != 0 ? def->stride : sizeof *instances;
    if (def->stride < sizeof *instances || !sli_array_fits(build->transforms.count, def->stride)) {
        return sli_refuse(error,
                          "sl_instances_def.stride is %zu; an instance has %zu bytes, and no array "
                          "of %zu is larger than %zu",
                          def->stride, sizeof *instances, build->transforms.count,
                          (size_t)PTRDIFF_MAX);
    }
    return SL_OK;
}

/* ---- Contents, which come and go, while the struct and its scratch stay ---- */

/* The tree over no instances, which a struct without contents has, so that it may be queried. */
static const _Alignas(SLI_LINE) sli_tri_pack no_triangles[2] = { { .prim = { SL_NONE, SL_NONE,
                                                                             SL_NONE, SL_NONE } } };
static const sl_bvh nothing = { .lines = (uint8_t *)no_triangles,
                                .line_count = SLI_HEADER_LINES,
                                .root = SLI_REF_EMPTY };
_Static_assert(sizeof no_triangles >= SLI_HEADER_LINES * SLI_LINE, "the lines of an empty tree");

static void clear_instances(sli_instances *all)
{
    const sli_kernels *kernels = sli_kernels_select();
    *all = (sli_instances){ .handle = { .allocator = all->handle.allocator,
                                        .root = SLI_REF_EMPTY,
                                        .kernels = kernels,
                                        .world = { .top = &nothing },
                                        .instances = all },
                            .scratch = all->scratch,
                            .min = { INFINITY, INFINITY, INFINITY },
                            .max = { -INFINITY, -INFINITY, -INFINITY },
                            .depth = 1 };
    all->handle.info = (sl_bvh_info){ .over_instances = true, .kernel = sli_kernels_name(kernels) };
}

/* The struct for the new version: a new one, or the recycled one, which stays as it is until the
 * instances are judged. */
static bool find_struct(sli_world_build *build)
{
    const sl_instances_def *def = &build->def;
    if (def->recycle != NULL) {
        build->scene = def->recycle->instances;
        build->scene->scratch.keeps = true;
        return true;
    }
    const sl_allocator allocator = sli_allocator(&def->hooks.allocator);
    build->scene = sli_alloc_array(&allocator, 1, sizeof *build->scene);
    if (build->scene == NULL) {
        return false;
    }
    build->scene->handle.allocator = allocator;
    build->scene->scratch = (sli_scratch){ .from = allocator };
    clear_instances(build->scene);
    return true;
}

/* Empties what is recycled.  A version that follows itself is put aside, and what it has is needed
 * until the end. */
static void empty_struct(sli_world_build *build)
{
    const sl_instances_def *def = &build->def;
    build->emptied = true;
    if (def->recycle != NULL && def->recycle == def->previous) {
        build->aside = *build->scene;
        build->aside.handle.instances = &build->aside;
        build->def.previous = &build->aside.handle;
    } else if (def->recycle != NULL) {
        sli_instances_empty(build->scene, &build->scene->scratch);
    }
    clear_instances(build->scene);
}

/* After a failure: what was put aside is back, a recycled version is empty unless its instances
 * were refused before, a new one gone. */
static void build_abandon(sli_world_build *build)
{
    sli_instances *scene = build->scene;
    if (build->def.recycle == NULL) {
        sli_instances_destroy(scene);
        return;
    }
    if (build->emptied) {
        sli_instances_empty(scene, &scene->scratch);
    }
    if (build->def.previous == &build->aside.handle) {
        build->aside.scratch = scene->scratch;
        *scene = build->aside;
        scene->handle.instances = scene;
    } else if (build->emptied) {
        clear_instances(scene);
    }
    scene->handle.info.bytes = sizeof *scene + scene->scratch.bytes;
}

/* ---- Steps of a build ---- */

static sl_result check_scan(const sli_world_build *build)
{
    const sli_transforms_chunk *all = &build->transforms.all;
    const size_t i = all->fault_index;
    switch (all->fault) {
    case SLI_GIVEN_DEEP:
        return sli_fail_plain(build->error, SL_TOO_LARGE,
                              "instance %zu has scenes in scenes %d deep; %d are the most", i,
                              SLI_WORLD_DEPTH_MAX, SLI_WORLD_DEPTH_MAX - 1);
    case SLI_GIVEN_RECYCLED:
        return sli_fail_plain(
            build->error, SL_INVALID_ARGUMENT,
            "instance %zu has the scene in it that sl_instances_def.recycle names", i);
    case SLI_GIVEN_OK:
        break;
    }
    if (all->numbers <= instances_max) {
        return SL_OK;
    }
    size_t index = 0, numbers = 0;
    for (; numbers <= instances_max; index++) {
        const sl_instance instance = sli_given_instance(&build->transforms.given, index);
        numbers += sli_instance_numbers(&instance);
    }
    return sli_fail_plain(build->error, SL_TOO_LARGE,
                          "instance %zu is the first beyond %zu, those of scenes counted",
                          index - 1, instances_max);
}

static bool allocate_array(sli_world_build *build)
{
    sli_instances *scene = build->scene;
    const size_t count = build->transforms.count;
    scene->given = sli_alloc_array(&build->memory, count, sizeof *scene->given);
    scene->first = sli_alloc_array(&build->memory, count + 1, sizeof *scene->first);
    return scene->given != NULL && scene->first != NULL;
}

/* Allocates what the transforms fill in. */
static bool build_allocate(sli_world_build *build)
{
    sli_instances *scene = build->scene;
    sli_transforms *job = &build->transforms;
    const size_t numbers = job->all.numbers;
    const bool plain = !job->all.nested && !job->all.fine;
    scene->count = job->count;
    scene->depth = job->all.depth;
    scene->handle.world.count = (uint32_t)numbers;
    scene->still_count = build->def.static_memory != 0 ? 1 : (uint32_t)job->all.still;
    if (scene->still_count > instances_max - numbers) {
        scene->still_count = 0;
    }
    scene->transformed =
        sli_alloc_large(&build->memory, numbers + scene->still_count, sizeof *scene->transformed);
    job->boxes = sli_alloc_large(&build->memory, numbers, sizeof *job->boxes);
    if (job->all.masked) {
        job->masks = sli_alloc_large(&build->memory, numbers, sizeof *job->masks);
    }
    bool kept = false;
    if (plain) {
        scene->ids = sli_alloc_array(&build->memory, job->count, sizeof *scene->ids);
        kept = scene->ids != NULL;
    } else {
        kept = allocate_array(build);
    }
    scene->handle.world.transformed = scene->transformed;
    scene->handle.world.masked = job->all.masked;
    scene->handle.world.trees_masked = job->all.trees_masked;
    return kept && scene->transformed != NULL && job->boxes != NULL &&
           (job->masks != NULL || !job->all.masked);
}

/* Of instances that would be plain, had none been left out. */
static sl_result keep_array(sli_world_build *build)
{
    sli_instances *scene = build->scene;
    const size_t count = build->transforms.count;
    if (scene->ids != NULL && build->transforms.all.left_out_count > 0) {
        SLI_TRY(sli_had_memory(build->error, allocate_array(build)));
        for (size_t i = 0; i < count; i++) {
            scene->given[i] = sli_given_instance(&build->transforms.given, i);
            scene->first[i] = (uint32_t)i;
        }
        sli_free_array(&build->memory, scene->ids, count, sizeof *scene->ids);
        scene->ids = NULL;
    }
    if (scene->first != NULL) {
        scene->first[count] = scene->handle.world.count;
    }
    return SL_OK;
}

static sl_result check_transformed(const sli_world_build *build)
{
    const sli_transforms_chunk *all = &build->transforms.all;
    if (all->bad == SL_NONE || build->def.bad == SL_BAD_INSTANCES_LEAVE_OUT) {
        return SL_OK;
    }
    return sli_fail_plain(build->error, SL_BAD_DATA, "instance %zu (number %u): %s",
                          sli_instances_index(build->scene, all->bad), all->bad, all->words);
}

static void find_middle(void *context)
{
    sli_world_build *build = context;
    sli_top_middle(&build->transforms.given, build->transforms.count, &build->scene->handle.world);
}

static sl_result transform_all(sli_world_build *build)
{
    sli_phase_once(&build->phase, find_middle, build);
    sl_result result = sli_transforms_run(&build->transforms, &build->phase);
    result = result == SL_OK ? keep_array(build) : result;
    return result == SL_OK ? check_transformed(build) : result;
}

static void complete_info(const sli_world_build *build)
{
    sli_instances *scene = build->scene;
    const sli_transforms_chunk *all = &build->transforms.all;
    scene->handle.info = (sl_bvh_info){ .over_instances = true,
                                        .triangle_count = all->triangle_count,
                                        .bytes = sizeof *scene + scene->scratch.bytes,
                                        .kernel = sli_kernels_name(scene->handle.kernels),
                                        .instance_count = scene->handle.world.count,
                                        .hole_count = all->hole_count,
                                        .left_out_count = all->left_out_count,
                                        .static_count = build->still_instances,
                                        .static_triangle_count = build->still_triangles };
    if (scene->still.tree != NULL) {
        scene->handle.info.bytes += scene->still.tree->info.bytes;
    }
    memcpy(scene->min, all->bounds.min, sizeof scene->min);
    memcpy(scene->max, all->bounds.max, sizeof scene->max);
}

static sl_result build_world(sli_world_build *build)
{
    sli_transforms *job = &build->transforms;
    const sl_allocator *memory = &build->memory;
    job->chunk_count = (job->count + SLI_TRANSFORMS_CHUNK - 1) / SLI_TRANSFORMS_CHUNK;
    job->chunks = sli_alloc_array(memory, job->chunk_count, sizeof *job->chunks);
    sl_result result = job->chunks != NULL ? sli_transforms_scan(job, &build->phase)
                                           : sli_fail_memory(build->error);
    result = result == SL_OK ? check_scan(build) : result;
    if (result == SL_OK) {
        empty_struct(build);
        result = build_allocate(build) ? transform_all(build) : sli_fail_memory(build->error);
    }
    result = result == SL_OK ? sli_build_top(build) : result;
    sli_free_array(memory, job->boxes, job->all.numbers, sizeof *job->boxes);
    if (job->masks != NULL) {
        sli_free_array(memory, job->masks, job->all.numbers, sizeof *job->masks);
    }
    sli_free_array(memory, job->chunks, job->chunk_count, sizeof *job->chunks);
    return result;
}

sl_result sl_bvh_build_instances(const sl_instance *instances, size_t count,
                                 const sl_instances_def *def, sl_bvh **out, sl_error *error)
{
    sli_world_build build = { .transforms = { .given = { .bytes = (const char *)instances },
                                              .count = count },
                              .error = error };
    SLI_TRY(check_arguments(instances, def, out, &build));
    SLI_TRY(sli_had_memory(error, find_struct(&build)));
    build.memory = sli_scratch_allocator(&build.scene->scratch);
    build.phase = (sli_phase){ .tasks = build.def.hooks.tasks,
                               .progress = build.def.hooks.progress,
                               .error = error };
    build.transforms.given.stride = build.def.stride;
    build.transforms.scene = build.scene;
    build.transforms.recycled = build.def.recycle;
    sl_result result = build_world(&build);
    if (result != SL_OK) {
        build_abandon(&build);
        return result;
    }
    if (build.def.previous == &build.aside.handle) {
        sli_instances_empty(&build.aside, &build.scene->scratch);
    }
    if (build.built) {
        sli_scratch_end(&build.scene->scratch);
    }
    complete_info(&build);
    *out = &build.scene->handle;
    return SL_OK;
}
