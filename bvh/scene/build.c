/* sl_scene_build: instances expanded, checked and made ready, and the tree over them. */
#include "bvh/scene/expand.h"
#include "bvh/scene/placed.h"
#include "bvh/scene/scene.h"
#include "bvh/scene/top.h"
#include "lib/base/abi.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/inline.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

#include <math.h>
#include <string.h>

static const size_t instances_max = 0x0FFFFFFF;

sl_instance sl_instance_of(const sl_bvh *bvh)
{
    return (sl_instance){ .bvh = bvh, .place = sl_place_identity(), .mask = UINT32_MAX };
}

sl_scene_def sl_default_scene_def(void)
{
    return (sl_scene_def){ .size = sizeof(sl_scene_def) };
}

/* A build: the caller's array and options, and what becomes of them. */
typedef struct job {
    const char *instances;
    size_t count;
    sl_scene_def def;
    sl_scene *scene;
    sli_world_box *boxes; /* one for each number */
    sli_world_box bounds;
    sl_error *error;
} job;

/* Instance i of the caller's array, whose struct may be shorter than ours or longer. */
static sl_instance instance_at(const job *build, size_t i)
{
    sl_instance instance = { .bvh = NULL };
    const size_t known = sizeof instance, given = build->def.stride;
    memcpy(&instance, build->instances + i * given, given < known ? given : known);
    return instance;
}

static sl_result check_arguments(const sl_instance *instances, const sl_scene_def *options,
                                 sl_scene **out, job *build)
{
    sl_error *error = build->error;
    if (out == NULL) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "out is NULL: there is no place for the scene");
    }
    *out = NULL;
    if (instances == NULL && build->count > 0) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "instances is NULL, and there should be %zu", build->count);
    }
    build->def = sl_default_scene_def();
    const sl_result read = sli_def_read("sl_scene_def", options, SLI_END_OF(sl_scene_def, stride),
                                        sizeof build->def, &build->def, error);
    if (read != SL_OK) {
        return read;
    }
    sl_scene_def *def = &build->def;
    if ((unsigned)def->bad > SL_BAD_INSTANCES_LEAVE_OUT) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_scene_def.bad is %d; there are SL_BAD_INSTANCES_REFUSE and "
                              "SL_BAD_INSTANCES_LEAVE_OUT",
                              (int)def->bad);
    }
    if ((unsigned)def->quality > SL_BVH_QUALITY_HIGH) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_scene_def.quality is %d; there are SL_BVH_QUALITY_DEFAULT, "
                              "SL_BVH_QUALITY_FAST and SL_BVH_QUALITY_HIGH",
                              (int)def->quality);
    }
    if (!sli_tasks_are_usable(def->hooks.tasks)) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_scene_def.hooks.tasks has no function or no worker; NULL is the "
                              "calling thread alone");
    }
    def->stride = def->stride != 0 ? def->stride : SLI_END_OF(sl_instance, mask);
    if (def->stride < SLI_END_OF(sl_instance, mask)) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "sl_scene_def.stride is %zu; an instance has at least %zu bytes",
                              def->stride, SLI_END_OF(sl_instance, mask));
    }
    return SL_OK;
}

/* Copies the array, and numbers its instances. */
static sl_result copy_instances(job *build)
{
    sl_scene *scene = build->scene;
    const size_t count = build->count;
    scene->instances = sli_alloc_array(&scene->allocator, count, sizeof *scene->instances);
    scene->first = sli_alloc_array(&scene->allocator, count + 1, sizeof *scene->first);
    scene->instance_count = count;
    scene->depth = 1;
    if (scene->instances == NULL || scene->first == NULL) {
        return sli_fail_memory(build->error);
    }
    size_t numbers = 0;
    for (size_t i = 0; i < count; i++) {
        const sl_instance instance = instance_at(build, i);
        if (instance.bvh != NULL && instance.scene != NULL) {
            return sli_fail_plain(build->error, SL_INVALID_ARGUMENT,
                                  "instance %zu has a tree and a scene; one of them has to be NULL",
                                  i);
        }
        scene->instances[i] = instance;
        scene->first[i] = (uint32_t)numbers;
        numbers += sli_instance_numbers(&instance);
        if (numbers > instances_max) {
            return sli_fail_plain(build->error, SL_TOO_LARGE,
                                  "instance %zu is the first beyond %zu, those of scenes counted",
                                  i, instances_max);
        }
        const uint32_t depth = instance.scene != NULL ? instance.scene->depth + 1 : 1;
        if (depth > SLI_SCENE_DEPTH_MAX) {
            return sli_fail_plain(build->error, SL_TOO_LARGE,
                                  "instance %zu has scenes in scenes %u deep; %d are the most", i,
                                  depth - 1, SLI_SCENE_DEPTH_MAX - 1);
        }
        scene->depth = depth > scene->depth ? depth : scene->depth;
    }
    scene->first[count] = (uint32_t)numbers;
    scene->world.count = (uint32_t)numbers;
    return SL_OK;
}

/* What is wrong with a leaf; NULL: nothing, and it is placed. */
static const char *place_leaf(job *build, const sli_leaf *leaf)
{
    sli_placed *placed = &build->scene->placed[leaf->number];
    sli_world_box *box = &build->boxes[leaf->number];
    if (!leaf->finite) {
        return "the product of the places has an element that is not finite";
    }
    if (leaf->tree->triangle_count == 0) {
        return "the tree has no triangles";
    }
    const sli_place_fault fault =
        sli_placed_make(leaf->tree, &leaf->place, leaf->grid, leaf->mask, placed, box);
    if (fault != SLI_PLACE_OK) {
        *placed = (sli_placed){ .tree = NULL };
        return sli_place_fault_words(fault);
    }
    for (int axis = 0; axis < 3; axis++) {
        build->bounds.min[axis] = fmin(build->bounds.min[axis], box->min[axis]);
        build->bounds.max[axis] = fmax(build->bounds.max[axis], box->max[axis]);
    }
    build->scene->info.triangle_count += leaf->tree->triangle_count;
    return NULL;
}

/* The place in the caller's array of a number. */
static size_t index_of(const sl_scene *scene, uint32_t number)
{
    size_t low = 0, high = scene->instance_count;
    while (high - low > 1) { /* first[low] <= number < first[high] */
        const size_t middle = low + (high - low) / 2;
        if (scene->first[middle] <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static SLI_NOINLINE sl_result place_all(job *build)
{
    sl_scene *scene = build->scene;
    sli_expansion e;
    sli_leaf leaf;
    sli_expand_begin(&e, scene->instances, scene->instance_count);
    for (int axis = 0; axis < 3; axis++) {
        build->bounds.min[axis] = INFINITY;
        build->bounds.max[axis] = -INFINITY;
    }
    while (sli_expand_next(&e, &leaf)) {
        scene->placed[leaf.number] = (sli_placed){ .tree = NULL };
        const char *fault = leaf.tree != NULL ? place_leaf(build, &leaf) : NULL;
        if (fault != NULL && build->def.bad == SL_BAD_INSTANCES_REFUSE) {
            const size_t index = index_of(scene, leaf.number);
            return sli_fail_plain(build->error, SL_BAD_DATA, "instance %zu (number %u): %s", index,
                                  leaf.number, fault);
        }
        scene->info.left_out_count += fault != NULL;
        scene->info.hole_count += scene->placed[leaf.number].tree == NULL;
    }
    return SL_OK;
}

static SLI_NOINLINE sl_result build_top(job *build)
{
    sl_scene *scene = build->scene;
    sl_build_def def = sl_default_build_def();
    def.hooks = build->def.hooks;
    def.quality =
        build->def.quality == SL_BVH_QUALITY_FAST ? SL_BVH_QUALITY_FAST : SL_BVH_QUALITY_DEFAULT;
    return sli_top_build(build->boxes, &build->bounds, &def, &scene->world, &scene->top,
                         build->error);
}

static size_t scene_bytes(const sl_scene *scene)
{
    return sizeof *scene + scene->world.count * sizeof *scene->placed +
           scene->instance_count * sizeof *scene->instances +
           (scene->instance_count + 1) * sizeof *scene->first + sli_tree_bytes(scene->top);
}

static sl_result build_scene(job *build)
{
    sl_scene *scene = build->scene;
    sl_result result = copy_instances(build);
    if (result != SL_OK) {
        return result;
    }
    const uint32_t count = scene->world.count;
    scene->placed = sli_alloc_large(&scene->allocator, count, sizeof *scene->placed);
    build->boxes = sli_alloc_array(&scene->allocator, count, sizeof *build->boxes);
    if (scene->placed == NULL || build->boxes == NULL) {
        result = sli_fail_memory(build->error);
    } else {
        scene->world.placed = scene->placed;
        const sli_fpenv saved = sli_fpenv_enter();
        result = place_all(build);
        if (result == SL_OK) {
            result = build_top(build);
        }
        sli_fpenv_leave(saved);
    }
    sli_free_array(&scene->allocator, build->boxes, count, sizeof *build->boxes);
    if (result == SL_OK) {
        scene->info.instance_count = count;
        scene->info.kernel = sli_kernels_name(scene->kernels);
        memcpy(scene->info.min, build->bounds.min, sizeof scene->info.min);
        memcpy(scene->info.max, build->bounds.max, sizeof scene->info.max);
        scene->info.bytes = scene_bytes(scene);
    }
    return result;
}

sl_result sl_scene_build(const sl_instance *instances, size_t count, const sl_scene_def *def,
                         sl_scene **out, sl_error *error)
{
    job build = { .instances = (const char *)instances, .count = count, .error = error };
    sl_result result = check_arguments(instances, def, out, &build);
    if (result != SL_OK) {
        return result;
    }
    if (count > instances_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu instances; a scene holds at most %zu",
                              count, instances_max);
    }
    const sl_allocator allocator = sli_allocator(&build.def.hooks.allocator);
    build.scene = sli_alloc_array(&allocator, 1, sizeof *build.scene);
    if (build.scene == NULL) {
        return sli_fail_memory(error);
    }
    *build.scene = (sl_scene){ .allocator = allocator, .kernels = sli_kernels_select() };
    result = build_scene(&build);
    if (result != SL_OK) {
        sl_scene_destroy(build.scene);
        return result;
    }
    *out = build.scene;
    return SL_OK;
}

void sl_scene_destroy(sl_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    const sl_allocator allocator = scene->allocator;
    sl_bvh_destroy(scene->top);
    sli_free_array(&allocator, scene->placed, scene->world.count, sizeof *scene->placed);
    sli_free_array(&allocator, scene->first, scene->instance_count + 1, sizeof *scene->first);
    sli_free_array(&allocator, scene->instances, scene->instance_count, sizeof *scene->instances);
    sli_free_array(&allocator, scene, 1, sizeof *scene);
}

void sl_scene_get_info(const sl_scene *scene, sl_scene_info *out, size_t out_size)
{
    sli_struct_write(out, out_size, &scene->info, sizeof scene->info);
}

size_t sl_scene_path(const sl_scene *scene, uint32_t instance, sl_scene_step *steps,
                     size_t capacity)
{
    size_t count = 0;
    if (instance >= scene->world.count) {
        return 0;
    }
    while (scene != NULL) {
        const size_t index = index_of(scene, instance);
        const sl_instance *at = &scene->instances[index];
        if (count < capacity) {
            steps[count] = (sl_scene_step){ .index = (uint32_t)index, .id = at->id };
        }
        count++;
        instance -= scene->first[index];
        scene = at->scene;
    }
    return count;
}
