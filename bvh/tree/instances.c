/* What a tree over instances holds: read, emptied and destroyed (instances.h). */
#include "bvh/tree/instances.h"

#include "lib/base/abi.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/geom/place/place.h"

#include <math.h>
#include <string.h>

sl_instance sli_instances_at(const sli_instances *all, size_t i)
{
    if (all->given != NULL) {
        return all->given[i];
    }
    const sli_placed *placed = &all->placed[i];
    return (sl_instance){ .bvh = placed->tree,
                          .place = placed->place,
                          .grid = placed->grid == SLI_PLACE_STEP ? 0 : placed->grid,
                          .id = all->ids[i],
                          .mask = placed->mask };
}

size_t sli_instances_index(const sli_instances *all, uint32_t number)
{
    size_t low = 0, high = all->count;
    if (all->first == NULL) {
        return number;
    }
    while (high - low > 1) { /* first[low] <= number < first[high] */
        const size_t middle = low + (high - low) / 2;
        if (all->first[middle] <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void sli_instances_empty(sli_instances *all, sli_room *room)
{
    const sl_allocator memory = sli_room_allocator(room);
    sl_bvh_destroy(all->top);
    sli_free_array(&memory, all->placed, all->handle.world.count, sizeof *all->placed);
    sli_free_array(&memory, all->ids, all->count, sizeof *all->ids);
    sli_free_array(&memory, all->given, all->count, sizeof *all->given);
    sli_free_array(&memory, all->first, all->count + 1, sizeof *all->first);
}

void sli_instances_destroy(sli_instances *all)
{
    const sl_allocator allocator = all->handle.allocator;
    all->room.keeps = false;
    sli_instances_empty(all, &all->room);
    sli_room_close(&all->room);
    sli_free_array(&allocator, all, 1, sizeof *all);
}

void sl_bvh_destroy(sl_bvh *bvh)
{
    if (bvh != NULL && bvh->instances != NULL) {
        sli_instances_destroy(bvh->instances);
    } else {
        sli_tree_destroy(bvh);
    }
}

/* The float at or beyond x on that side. */
static float narrow(double x, float side)
{
    const float f = (float)x;
    return (side < 0 ? (double)f > x : (double)f < x) ? nextafterf(f, side) : f;
}

uint64_t sli_bvh_triangle_count(const sl_bvh *bvh)
{
    return bvh->instances != NULL ? bvh->instances->info.triangle_count : bvh->triangle_count;
}

sl_aabb_d sli_bvh_bounds(const sl_bvh *bvh)
{
    sl_aabb_d box;
    for (int axis = 0; axis < 3; axis++) {
        const bool nested = bvh->instances != NULL;
        box.min[axis] = nested ? bvh->instances->info.min[axis] : (double)bvh->bounds.min[axis];
        box.max[axis] = nested ? bvh->instances->info.max[axis] : (double)bvh->bounds.max[axis];
    }
    return box;
}

sl_aabb sl_bvh_bounds(const sl_bvh *bvh)
{
    if (bvh->instances == NULL) {
        return bvh->bounds;
    }
    const sli_fpenv saved = sli_fpenv_enter();
    const sl_aabb_d box = sli_bvh_bounds(bvh);
    sl_aabb out;
    for (int axis = 0; axis < 3; axis++) {
        out.min[axis] = narrow(box.min[axis], -INFINITY);
        out.max[axis] = narrow(box.max[axis], INFINITY);
    }
    sli_fpenv_leave(saved);
    return out;
}

void sl_scene_get_info(const sl_scene *scene, sl_scene_info *out, size_t out_size)
{
    const sl_aabb_d box = sli_bvh_bounds(scene);
    sl_scene_info info = { .instance_count = 1,
                           .triangle_count = scene->triangle_count,
                           .bytes = scene->info.bytes,
                           .kernel = scene->info.kernel };
    memcpy(info.min, box.min, sizeof info.min);
    memcpy(info.max, box.max, sizeof info.max);
    sli_struct_write(out, out_size, scene->instances != NULL ? &scene->instances->info : &info,
                     sizeof info);
}

size_t sl_scene_path(const sl_scene *scene, uint32_t instance, sl_scene_step *steps,
                     size_t capacity)
{
    size_t count = 0;
    if (instance >= scene->world.count) {
        return 0;
    }
    for (const sli_instances *all = scene->instances; all != NULL; count++) {
        const size_t index = sli_instances_index(all, instance);
        const sl_instance *at = all->given != NULL ? &all->given[index] : NULL;
        if (count < capacity) {
            const uint32_t id = at != NULL ? at->id : all->ids[index];
            steps[count] = (sl_scene_step){ .index = (uint32_t)index, .id = id };
        }
        instance -= at != NULL ? all->first[index] : 0;
        all = at != NULL && at->bvh != NULL ? at->bvh->instances : NULL;
    }
    return count;
}
