/* Scans arrays of instances before their leaves are transformed, for build.c: how many numbers each
 * takes, and what is refused.  The first part of transforms.h. */
#include "bvh/scene/transforms.h"

/* Whether a tree over instances is the one that is sought, or has it in it. */
static bool transforms_scan_contains(const sl_bvh *bvh, const sl_bvh *sought)
{
    const sli_instances *all = bvh->instances;
    if (bvh == sought) {
        return true;
    }
    for (size_t i = 0; all->depth > 1 && i < all->count; i++) {
        const sl_instance *inner = &all->given[i];
        if (inner->bvh == sought || (sli_instance_is_nested(inner) && inner->bvh->world.count > 0 &&
                                     transforms_scan_contains(inner->bvh, sought))) {
            return true;
        }
    }
    return false;
}

static sli_given_fault fault_of(const sli_transforms *job, const sl_instance *instance)
{
    if (!sli_instance_is_nested(instance)) {
        return SLI_GIVEN_OK;
    }
    if (job->recycled != NULL && transforms_scan_contains(instance->bvh, job->recycled)) {
        return SLI_GIVEN_RECYCLED;
    }
    return instance->bvh->instances->depth >= SLI_WORLD_DEPTH_MAX ? SLI_GIVEN_DEEP : SLI_GIVEN_OK;
}

static bool is_masked(const sl_instance *instance)
{
    return sli_mask_of(instance->mask) != UINT32_MAX ||
           (instance->bvh != NULL && instance->bvh->world.masked);
}

static bool is_tree_masked(const sl_instance *instance)
{
    return instance->bvh != NULL && instance->bvh->world.trees_masked;
}

bool sli_instance_is_still(const sl_instance *instance)
{
    bool still = sli_instance_is_nested(instance) && instance->grid == 0 &&
                 instance->bvh->instances->still.tree != NULL;
    for (int i = 0; i < 12 && still; i++) {
        still = instance->transform.m[i / 4][i % 4] == (i % 5 == 0 ? 1 : 0);
    }
    return still;
}

/* Of each instance only what is looked at is read. */
static void scan_chunk(const sli_transforms *job, size_t begin, size_t end,
                       sli_transforms_chunk *out)
{
    for (size_t i = begin; i < end; i++) {
        const char *at = job->given.bytes + i * job->given.stride;
        sl_instance instance;
        memcpy(&instance.bvh, at + offsetof(sl_instance, bvh), sizeof instance.bvh);
        memcpy(&instance.grid, at + offsetof(sl_instance, grid), sizeof instance.grid);
        memcpy(&instance.mask, at + offsetof(sl_instance, mask), sizeof instance.mask);
        const sli_given_fault fault = fault_of(job, &instance);
        if (fault != SLI_GIVEN_OK) {
            out->fault = fault;
            out->fault_index = i;
            return;
        }
        out->fine = out->fine || instance.grid == SLI_TRANSFORM_STEP;
        out->masked = out->masked || is_masked(&instance);
        out->trees_masked = out->trees_masked || is_tree_masked(&instance);
        out->numbers += sli_instance_numbers(&instance);
        if (sli_instance_is_nested(&instance)) {
            const uint32_t depth = instance.bvh->instances->depth + 1;
            memcpy(&instance.transform, at + offsetof(sl_instance, transform),
                   sizeof instance.transform);
            out->still += sli_instance_is_still(&instance);
            out->nested = true;
            out->depth = depth > out->depth ? depth : out->depth;
        }
    }
}

static void scan_chunks(void *context, size_t i)
{
    const sli_transforms *job = context;
    sli_transforms_chunk found = { .depth = 1, .bad = SL_NONE };
    scan_chunk(job, i * SLI_TRANSFORMS_CHUNK, sli_transforms_chunk_end(job, i), &found);
    job->chunks[i] = found;
}

sl_result sli_transforms_scan(sli_transforms *job, const sli_phase *phase)
{
    sli_transforms_chunk *all = &job->all;
    const sl_result result =
        sli_phase_run_each(phase, "scan", job->chunk_count, 4, scan_chunks, job);
    *all = (sli_transforms_chunk){ .depth = 1, .bad = SL_NONE };
    for (size_t i = 0; i < job->chunk_count && result == SL_OK; i++) {
        sli_transforms_chunk *at = &job->chunks[i];
        const size_t first = all->numbers;
        all->numbers += at->numbers;
        at->numbers = first;
        all->depth = at->depth > all->depth ? at->depth : all->depth;
        all->nested = all->nested || at->nested;
        all->still += at->still;
        all->fine = all->fine || at->fine;
        all->masked = all->masked || at->masked;
        all->trees_masked = all->trees_masked || at->trees_masked;
        if (all->fault == SLI_GIVEN_OK) {
            all->fault = at->fault;
            all->fault_index = at->fault_index;
        }
    }
    return result;
}
