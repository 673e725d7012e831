/* sl_scene_build: instances expanded, checked and made ready, and the tree over them; in the memory
 * of a version that is recycled, and from what the version before has. */
#include "bvh/scene/build.h"
#include "bvh/scene/scene.h"
#include "bvh/scene/top.h"
#include "lib/base/abi.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"
#include "lib/base/thread/task.h"

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

static sl_result check_arguments(const sl_instance *instances, const sl_scene_def *options,
                                 sl_scene **out, sli_scene_build *build)
{
    sl_error *error = build->error;
    if (out == NULL) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "out is NULL: there is no place for the scene");
    }
    *out = NULL;
    if (instances == NULL && build->placing.count > 0) {
        return sli_fail_plain(error, SL_INVALID_ARGUMENT,
                              "instances is NULL, and there should be %zu", build->placing.count);
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

/* ---- Contents, which come and go, while the struct and its room stay ---- */

/* Gives everything in the scene back to a room, which stays, like the struct. */
static void empty_scene(sl_scene *scene, sli_room *room)
{
    const sl_allocator memory = sli_room_allocator(room);
    const size_t numbers = scene->world.count, count = scene->instance_count;
    sl_bvh_destroy(scene->top);
    sli_free_array(&memory, scene->placed, numbers, sizeof *scene->placed);
    sli_free_array(&memory, scene->ids, count, sizeof *scene->ids);
    sli_free_array(&memory, scene->instances, count, sizeof *scene->instances);
    sli_free_array(&memory, scene->first, count + 1, sizeof *scene->first);
}

static void clear_scene(sl_scene *scene)
{
    *scene = (sl_scene){ .allocator = scene->allocator,
                         .room = scene->room,
                         .depth = 1,
                         .kernels = sli_kernels_select() };
}

/* The struct for the new version: the recycled one, emptied, or a new one.  A version that follows
 * itself is put aside, and what it has is needed until the end. */
static bool find_struct(sli_scene_build *build)
{
    const sl_scene_def *def = &build->def;
    build->scene = def->recycle;
    if (def->recycle == NULL) {
        const sl_allocator allocator = sli_allocator(&def->hooks.allocator);
        build->scene = sli_alloc_array(&allocator, 1, sizeof *build->scene);
        if (build->scene == NULL) {
            return false;
        }
        build->scene->allocator = allocator;
        build->scene->room = (sli_room){ .from = allocator };
    } else {
        build->scene->room.keeps = true;
        if (def->recycle == def->previous) {
            build->aside = *def->recycle;
            build->def.previous = &build->aside;
        } else {
            empty_scene(build->scene, &build->scene->room);
        }
    }
    clear_scene(build->scene);
    return true;
}

/* After a failure: what was put aside is back, a recycled version is empty, a new one gone. */
static void abandon(sli_scene_build *build)
{
    sl_scene *scene = build->scene;
    if (build->def.recycle == NULL) {
        sl_scene_destroy(scene);
        return;
    }
    empty_scene(scene, &scene->room);
    if (build->def.previous == &build->aside) {
        build->aside.room = scene->room;
        *scene = build->aside;
    } else {
        clear_scene(scene);
    }
    scene->info.bytes = sizeof *scene + scene->room.bytes;
}

/* ---- Steps of a build ---- */

static sl_result check_scan(const sli_scene_build *build)
{
    const sli_placing_chunk *all = &build->placing.all;
    const size_t i = all->fault_index;
    switch (all->fault) {
    case SLI_GIVEN_BOTH:
        return sli_fail_plain(build->error, SL_INVALID_ARGUMENT,
                              "instance %zu has a tree and a scene; one of them has to be NULL", i);
    case SLI_GIVEN_DEEP:
        return sli_fail_plain(build->error, SL_TOO_LARGE,
                              "instance %zu has scenes in scenes %d deep; %d are the most", i,
                              SLI_SCENE_DEPTH_MAX, SLI_SCENE_DEPTH_MAX - 1);
    case SLI_GIVEN_RECYCLED:
        return sli_fail_plain(build->error, SL_INVALID_ARGUMENT,
                              "instance %zu has the scene in it that sl_scene_def.recycle names",
                              i);
    case SLI_GIVEN_OK:
        break;
    }
    if (all->numbers <= instances_max) {
        return SL_OK;
    }
    size_t index = 0, numbers = 0;
    for (; numbers <= instances_max; index++) {
        const sl_instance instance = sli_given_instance(&build->placing.given, index);
        numbers += sli_instance_numbers(&instance);
    }
    return sli_fail_plain(build->error, SL_TOO_LARGE,
                          "instance %zu is the first beyond %zu, those of scenes counted",
                          index - 1, instances_max);
}

static bool allocate_array(sli_scene_build *build)
{
    sl_scene *scene = build->scene;
    const size_t count = build->placing.count;
    scene->instances = sli_alloc_array(&build->memory, count, sizeof *scene->instances);
    scene->first = sli_alloc_array(&build->memory, count + 1, sizeof *scene->first);
    return scene->instances != NULL && scene->first != NULL;
}

/* What placing fills in. */
static bool allocate(sli_scene_build *build)
{
    sl_scene *scene = build->scene;
    sli_placing *placing = &build->placing;
    const size_t numbers = placing->all.numbers;
    const bool plain = !placing->all.nested && !placing->all.fine;
    scene->instance_count = placing->count;
    scene->depth = placing->all.depth;
    scene->world.count = (uint32_t)numbers;
    scene->placed = sli_alloc_large(&build->memory, numbers, sizeof *scene->placed);
    placing->boxes = sli_alloc_large(&build->memory, numbers, sizeof *placing->boxes);
    if (placing->all.masked) {
        placing->masks = sli_alloc_large(&build->memory, numbers, sizeof *placing->masks);
    }
    bool kept = false;
    if (plain) {
        scene->ids = sli_alloc_array(&build->memory, placing->count, sizeof *scene->ids);
        kept = scene->ids != NULL;
    } else {
        kept = allocate_array(build);
    }
    scene->world.placed = scene->placed;
    scene->world.masked = placing->all.masked;
    scene->world.trees_masked = placing->all.trees_masked;
    return kept && scene->placed != NULL && placing->boxes != NULL &&
           (placing->masks != NULL || !placing->all.masked);
}

/* Of a scene that would be plain, had no instance been left out. */
static sl_result keep_array(sli_scene_build *build)
{
    sl_scene *scene = build->scene;
    const size_t count = build->placing.count;
    if (scene->ids != NULL && build->placing.all.left_out_count > 0) {
        if (!allocate_array(build)) {
            return sli_fail_memory(build->error);
        }
        for (size_t i = 0; i < count; i++) {
            scene->instances[i] = sli_given_instance(&build->placing.given, i);
            scene->first[i] = (uint32_t)i;
        }
        sli_free_array(&build->memory, scene->ids, count, sizeof *scene->ids);
        scene->ids = NULL;
    }
    if (scene->first != NULL) {
        scene->first[count] = scene->world.count;
    }
    return SL_OK;
}

/* The place in the caller's array of a number. */
static size_t index_of(const sl_scene *scene, uint32_t number)
{
    size_t low = 0, high = scene->instance_count;
    if (scene->first == NULL) {
        return number;
    }
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

static sl_result check_placed(const sli_scene_build *build)
{
    const sli_placing_chunk *all = &build->placing.all;
    if (all->bad == SL_NONE || build->def.bad == SL_BAD_INSTANCES_LEAVE_OUT) {
        return SL_OK;
    }
    return sli_fail_plain(build->error, SL_BAD_DATA, "instance %zu (number %u): %s",
                          index_of(build->scene, all->bad), all->bad, all->words);
}

static void find_middle(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    sli_scene_build *build = context;
    sli_top_middle(&build->placing.given, build->placing.count, &build->scene->world);
}

static sl_result place_all(sli_scene_build *build)
{
    sli_phase_blocks(&build->phase, 1, 1, find_middle, build);
    sl_result result = sli_placing_run(&build->placing, &build->phase);
    if (result == SL_OK) {
        result = keep_array(build);
    }
    return result == SL_OK ? check_placed(build) : result;
}

static void complete_info(const sli_scene_build *build)
{
    sl_scene *scene = build->scene;
    const sli_placing_chunk *all = &build->placing.all;
    scene->info = (sl_scene_info){ .instance_count = scene->world.count,
                                   .hole_count = all->hole_count,
                                   .left_out_count = all->left_out_count,
                                   .triangle_count = all->triangle_count,
                                   .bytes = sizeof *scene + scene->room.bytes,
                                   .kernel = sli_kernels_name(scene->kernels) };
    memcpy(scene->info.min, all->bounds.min, sizeof scene->info.min);
    memcpy(scene->info.max, all->bounds.max, sizeof scene->info.max);
}

static sl_result build_scene(sli_scene_build *build)
{
    sli_placing *placing = &build->placing;
    const sl_allocator *memory = &build->memory;
    placing->chunk_count = (placing->count + SLI_PLACING_CHUNK - 1) / SLI_PLACING_CHUNK;
    placing->chunks = sli_alloc_array(memory, placing->chunk_count, sizeof *placing->chunks);
    sl_result result = placing->chunks != NULL ? sli_placing_scan(placing, &build->phase)
                                               : sli_fail_memory(build->error);
    if (result == SL_OK) {
        result = check_scan(build);
    }
    if (result == SL_OK) {
        result = allocate(build) ? place_all(build) : sli_fail_memory(build->error);
    }
    if (result == SL_OK) {
        result = sli_build_top(build);
    }
    sli_free_array(memory, placing->boxes, placing->all.numbers, sizeof *placing->boxes);
    if (placing->masks != NULL) {
        sli_free_array(memory, placing->masks, placing->all.numbers, sizeof *placing->masks);
    }
    sli_free_array(memory, placing->chunks, placing->chunk_count, sizeof *placing->chunks);
    return result;
}

sl_result sl_scene_build(const sl_instance *instances, size_t count, const sl_scene_def *def,
                         sl_scene **out, sl_error *error)
{
    sli_scene_build build = {
        .placing = { .given = { .bytes = (const char *)instances }, .count = count }, .error = error
    };
    sl_result result = check_arguments(instances, def, out, &build);
    if (result != SL_OK) {
        return result;
    }
    if (count > instances_max) {
        return sli_fail_plain(error, SL_TOO_LARGE, "%zu instances; a scene holds at most %zu",
                              count, instances_max);
    }
    if (!find_struct(&build)) {
        return sli_fail_memory(error);
    }
    build.memory = sli_room_allocator(&build.scene->room);
    build.phase = (sli_phase){ .tasks = build.def.hooks.tasks,
                               .progress = build.def.hooks.progress,
                               .error = error };
    build.placing.given.stride = build.def.stride;
    build.placing.scene = build.scene;
    build.placing.recycled = build.def.recycle;
    result = build_scene(&build);
    if (result != SL_OK) {
        abandon(&build);
        return result;
    }
    if (build.def.previous == &build.aside) {
        empty_scene(&build.aside, &build.scene->room);
    }
    sli_room_end(&build.scene->room);
    complete_info(&build);
    *out = build.scene;
    return SL_OK;
}

void sl_scene_destroy(sl_scene *scene)
{
    if (scene != NULL) {
        const sl_allocator allocator = scene->allocator;
        scene->room.keeps = false;
        empty_scene(scene, &scene->room);
        sli_room_close(&scene->room);
        sli_free_array(&allocator, scene, 1, sizeof *scene);
    }
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
        const sl_instance *at = scene->instances != NULL ? &scene->instances[index] : NULL;
        if (count < capacity) {
            const uint32_t id = at != NULL ? at->id : scene->ids[index];
            steps[count] = (sl_scene_step){ .index = (uint32_t)index, .id = id };
        }
        count++;
        if (at == NULL) {
            break;
        }
        instance -= scene->first[index];
        scene = at->scene;
    }
    return count;
}
