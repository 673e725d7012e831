/* What a tree over instances holds: read, emptied and destroyed (instances.h). */
#include "bvh/tree/instances.h"

#include "bvh/tree/transformed.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"
#include "lib/base/search.h"
#include "lib/geom/transform/transform.h"

sl_instance sli_instances_at(const sli_instances *all, size_t i)
{
    if (all->given != NULL) {
        return all->given[i];
    }
    const sli_transformed *transformed = &all->transformed[i];
    return (sl_instance){ .bvh = transformed->tree,
                          .transform = transformed->transform,
                          .grid = sli_transformed_grid(transformed),
                          .id = all->ids[i],
                          .mask = transformed->mask };
}

size_t sli_instances_index(const sli_instances *all, uint32_t number)
{
    return all->first != NULL ? SLI_FIRST(i, 1, all->count, all->first[i] > number) - 1 : number;
}

void sli_still_empty(sli_still *still, const sl_allocator *memory)
{
    sl_bvh_destroy(still->tree);
    sli_free_array(memory, still->sources, still->source_count, sizeof *still->sources);
    sli_free_array(memory, still->numbers, still->number_count, sizeof *still->numbers);
    *still = (sli_still){ .tree = NULL };
}

void sli_instances_empty(sli_instances *all, sli_scratch *scratch)
{
    const sl_allocator memory = sli_scratch_allocator(scratch);
    sl_bvh_destroy(all->top.tree);
    sl_bvh_destroy(all->once.tree);
    sl_bvh_destroy(all->still_top.tree);
    sli_still_empty(&all->still, &memory);
    sli_free_array(&memory, all->originals, all->handle.world.count, sizeof *all->originals);
    sli_free_array(&memory, all->transformed, all->handle.world.count + all->still_count,
                   sizeof *all->transformed);
    sli_free_array(&memory, all->ids, all->count, sizeof *all->ids);
    sli_free_array(&memory, all->given, all->count, sizeof *all->given);
    sli_free_array(&memory, all->first, all->count + 1, sizeof *all->first);
}

void sli_instances_destroy(sli_instances *all)
{
    const sl_allocator allocator = all->handle.allocator;
    all->scratch.keeps = false;
    sli_instances_empty(all, &all->scratch);
    sli_scratch_close(&all->scratch);
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

uint64_t sli_bvh_triangle_count(const sl_bvh *bvh)
{
    return bvh->instances != NULL ? bvh->info.triangle_count : bvh->triangle_count;
}

static SLI_NOINLINE sl_aabb_d find_bounds(const sl_bvh *bvh)
{
    const sli_instances *all = bvh->instances;
    sl_aabb_d box;
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = all != NULL ? all->min[axis] : (double)bvh->bounds.min[axis];
        box.max[axis] = all != NULL ? all->max[axis] : (double)bvh->bounds.max[axis];
    }
    return box;
}

sl_aabb_d sl_bvh_bounds(const sl_bvh *bvh)
{
    return SLI_IN_FPENV(find_bounds(bvh));
}

sl_bvh_info sl_bvh_get_info(const sl_bvh *bvh)
{
    return bvh->info;
}

bool sl_bvh_path(const sl_bvh *bvh, uint32_t instance, sl_path_step *steps, size_t capacity,
                 size_t *count)
{
    size_t depth = 0;
    if (instance >= bvh->world.count) {
        return false;
    }
    for (const sli_instances *all = bvh->instances; all != NULL; depth++) {
        const size_t index = sli_instances_index(all, instance);
        const sl_instance *at = all->given != NULL ? &all->given[index] : NULL;
        if (depth < capacity) {
            const uint32_t id = at != NULL ? at->id : all->ids[index];
            steps[depth] = (sl_path_step){ .index = (uint32_t)index, .id = id };
        }
        instance -= at != NULL ? all->first[index] : 0;
        all = at != NULL && at->bvh != NULL ? at->bvh->instances : NULL;
    }
    *count = depth;
    return true;
}
