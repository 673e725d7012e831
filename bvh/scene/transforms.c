/* Transforms the leaves of arrays of instances that were scanned (transforms_scan.c), for build.c:
 * transforms.h. */
#include "bvh/scene/transforms.h"

/* ---- Boxes about the middle ---- */

/* As floats, a little outwards whether they are rounded or not, so that no branch is mispredicted:
 * by one to two units in the last place.  What is beyond all floats only by the margin of a box is
 * at their end. */
static inline sli_lanes transforms_widen(sli_lanes x, float sign)
{
    const sli_lanes most = sli_lanes_all(FLT_MAX), least = -most;
    const sli_lanes f = sli_lanes_min(sli_lanes_max(x, least), most);
    const sli_lanes size = (sli_lanes)((sli_lanes_i32)f & sli_lanes_all_i32(INT32_MAX));
    const sli_lanes moved = f + (size * 0x1p-23f + 0x1p-126f) * sign;
    return sli_lanes_min(sli_lanes_max(moved, least), most);
}

static inline void write_box(const sli_world *world, const sli_world_box *box, uint32_t number,
                             sli_ref *out)
{
    const double *c = world->middle, *min = box->min, *max = box->max;
    const sli_lanes_i32 axes = { -1, -1, -1, 0 }, name = { 0, 0, 0, (int32_t)number };
    const sli_lanes low = { (float)(min[0] - c[0]), (float)(min[1] - c[1]), (float)(min[2] - c[2]),
                            1 };
    const sli_lanes high = { (float)(max[0] - c[0]), (float)(max[1] - c[1]), (float)(max[2] - c[2]),
                             1 };
    const sli_box made = { sli_lanes_pick(axes, transforms_widen(low, -1), (sli_lanes)name),
                           sli_lanes_pick(axes, transforms_widen(high, 1), sli_lanes_all(0)) };
    memcpy(out, &made, sizeof made);
}

/* ---- Leaves ---- */

const char *sli_transform_leaf(const sli_leaf *leaf, sli_transformed *out, sli_world_box *box)
{
    if (!leaf->finite) {
        return "the product of the transforms has an element that is not finite";
    }
    if (leaf->tree->triangle_count == 0) {
        return "its tree has no triangles";
    }
    const sli_transform_fault fault =
        sli_transformed_make(leaf->tree, &leaf->transform, leaf->grid, leaf->mask, out, box);
    return fault != SLI_TRANSFORM_OK ? sli_transform_fault_words(fault) : NULL;
}

/* The bounds of nothing. */
static const sli_world_box nowhere = { { INFINITY, INFINITY, INFINITY },
                                       { -INFINITY, -INFINITY, -INFINITY } };

static void join_box(sli_world_box *all, const sli_world_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        all->min[axis] = box->min[axis] < all->min[axis] ? box->min[axis] : all->min[axis];
        all->max[axis] = box->max[axis] > all->max[axis] ? box->max[axis] : all->max[axis];
    }
}

/* Of an instance's mask and that of all its triangles, the one that more queries share no bit
 * with. */
static uint32_t mask_at_top(const sl_bvh *tree, uint32_t mask)
{
    const uint32_t below = tree->child_masks.all;
    if (mask == 0) { /* as nested instances may have: queries without a mask find it */
        return UINT32_MAX;
    }
    return __builtin_popcount(below) < __builtin_popcount(mask) ? below : mask;
}

static void take_transformed(const sli_transforms *job, const sl_bvh *tree, uint32_t mask,
                             uint32_t number, const sli_world_box *box, sli_transforms_chunk *out)
{
    if (job->masks != NULL) {
        job->masks[number] = mask_at_top(tree, mask);
    }
    write_box(&job->scene->handle.world, box, number, &job->boxes[number]);
    join_box(&out->bounds, box);
    out->triangle_count += tree->triangle_count;
}

static void transform_leaf(const sli_transforms *job, const sli_leaf *leaf,
                           sli_transforms_chunk *out)
{
    sli_world_box box;
    const char *words = leaf->tree != NULL
                            ? sli_transform_leaf(leaf, &job->scene->transformed[leaf->number], &box)
                            : NULL;
    if (leaf->tree != NULL && words == NULL) {
        take_transformed(job, leaf->tree, leaf->mask, leaf->number, &box, out);
        return;
    }
    job->scene->transformed[leaf->number] = (sli_transformed){ .tree = NULL };
    job->boxes[leaf->number] = (sli_ref){ .prim = SL_NONE };
    out->hole_count++;
    out->left_out_count += words != NULL;
    if (words != NULL && leaf->number < out->bad) { /* they do not come in order */
        out->bad = leaf->number;
        out->words = words;
    }
}

/* A plain leaf: without nesting the number is the index. */
static sli_leaf plain_leaf(const sl_instance *instance, size_t number)
{
    return (sli_leaf){ .tree = instance->bvh,
                       .transform = instance->transform,
                       .finite = true,
                       .grid = instance->grid,
                       .mask = instance->mask,
                       .number = (uint32_t)number };
}

/* Up to eight instances that kernels transform together, and the number of each. */
typedef struct group {
    sli_transform8 eight;
    uint32_t number[8], count;
} group;

/* What kernels do not transform goes one by one. */
static bool suits_kernels(const sl_bvh *tree, double grid)
{
    return tree != NULL && grid == 0 && tree->triangle_count > 0;
}

static void add_to_group(const sli_transforms *job, const sl_bvh *tree,
                         const sl_transform *transform, uint32_t mask, uint32_t number, group *to)
{
    const uint32_t lane = to->count++;
    to->eight.tree[lane] = tree;
    to->eight.transform[lane] = transform;
    to->eight.transformed[lane] = &job->scene->transformed[number];
    to->eight.mask[lane] = mask;
    to->number[lane] = number;
}

/* Takes those that are transformed; returns the others, as bits by their lanes. */
static uint32_t transform_group(const sli_transforms *job, group *g, sli_transforms_chunk *out)
{
    sli_transform8 *eight = &g->eight;
    if (g->count == 0) {
        return 0;
    }
    for (uint32_t lane = g->count; lane < 8; lane++) {
        eight->tree[lane] = eight->tree[0];
        eight->transform[lane] = eight->transform[0];
        eight->transformed[lane] = eight->transformed[0];
        eight->mask[lane] = eight->mask[0];
    }
    const uint32_t done = job->scene->handle.kernels->world_transform8(eight);
    for (uint32_t lane = 0; lane < g->count; lane++) {
        if ((done >> lane & 1) != 0) {
            sli_world_box box;
            for (int axis = 0; axis < 3; axis++) {
                box.min[axis] = eight->min[axis][lane];
                box.max[axis] = eight->max[axis][lane];
            }
            take_transformed(job, eight->tree[lane], eight->mask[lane], g->number[lane], &box, out);
        }
    }
    return ~done & ((1u << g->count) - 1);
}

static void transform_eight(const sli_transforms *job, const sli_leaf leaves[8], int count,
                            sli_transforms_chunk *out)
{
    group g = { .count = 0 };
    int index[8];
    for (int i = 0; i < count; i++) {
        const sli_leaf *leaf = &leaves[i];
        if (leaf->finite && suits_kernels(leaf->tree, leaf->grid)) {
            index[g.count] = i;
            add_to_group(job, leaf->tree, &leaf->transform, leaf->mask, leaf->number, &g);
        } else {
            transform_leaf(job, leaf, out);
        }
    }
    for (uint32_t left = transform_group(job, &g, out); left != 0; left &= left - 1) {
        transform_leaf(job, &leaves[index[__builtin_ctz(left)]], out);
    }
}

static void transform_one(const sli_transforms *job, size_t number, sli_transforms_chunk *out)
{
    const sl_instance instance = sli_given_instance(&job->given, number);
    const sli_leaf leaf = plain_leaf(&instance, number);
    job->scene->ids[number] = instance.id;
    transform_leaf(job, &leaf, out);
}

/* Instances that are read where they are. */
static void transform_aligned(const sli_transforms *job, size_t begin, size_t end,
                              sli_transforms_chunk *out)
{
    for (size_t first = begin; first < end; first += 8) {
        const size_t last = end - first < 8 ? end : first + 8;
        group g = { .count = 0 };
        for (size_t i = first; i < last; i++) {
            const char *at = job->given.bytes + i * job->given.stride;
            const sl_instance *instance = (const sl_instance *)(const void *)at;
            if (suits_kernels(instance->bvh, instance->grid)) {
                job->scene->ids[i] = instance->id;
                add_to_group(job, instance->bvh, &instance->transform, sli_mask_of(instance->mask),
                             (uint32_t)i, &g);
            } else {
                transform_one(job, i, out);
            }
        }
        for (uint32_t left = transform_group(job, &g, out); left != 0; left &= left - 1) {
            transform_one(job, g.number[__builtin_ctz(left)], out);
        }
    }
}

/* A stride need not be a multiple of an instance's alignment. */
static bool is_aligned(const sli_given *given)
{
    return ((uintptr_t)given->bytes | given->stride) % _Alignof(sl_instance) == 0;
}

static void transform_plain(const sli_transforms *job, size_t begin, size_t end,
                            sli_transforms_chunk *out)
{
    sli_leaf leaves[8];
    if (is_aligned(&job->given)) {
        transform_aligned(job, begin, end, out);
        return;
    }
    for (size_t i = begin; i < end; i += 8) {
        const int count = end - i < 8 ? (int)(end - i) : 8;
        for (int k = 0; k < count; k++) {
            const size_t number = i + (size_t)k;
            const sl_instance instance = sli_given_instance(&job->given, number);
            leaves[k] = plain_leaf(&instance, number);
            job->scene->ids[number] = instance.id;
        }
        transform_eight(job, leaves, count, out);
    }
}

static void transform_nested(const sli_transforms *job, size_t begin, size_t end,
                             sli_transforms_chunk *out)
{
    sli_expansion e;
    sli_leaf leaves[8];
    sli_instances *scene = job->scene;
    uint32_t number = (uint32_t)out->numbers;
    sli_expand_begin(&e, &job->given, begin, end, number);
    for (size_t i = begin; i < end; i++) {
        scene->given[i] = sli_given_instance(&job->given, i);
        scene->first[i] = number;
        number += sli_instance_numbers(&scene->given[i]);
    }
    int count = 0;
    while (sli_expand_next(&e, &leaves[count])) {
        if (++count == 8) {
            transform_eight(job, leaves, count, out);
            count = 0;
        }
    }
    transform_eight(job, leaves, count, out);
}

static void transform_chunks(void *context, size_t i)
{
    const sli_transforms *job = context;
    sli_transforms_chunk found = job->chunks[i];
    found.bounds = nowhere;
    const size_t first = i * SLI_TRANSFORMS_CHUNK, last = sli_transforms_chunk_end(job, i);
    if (job->scene->ids != NULL) {
        transform_plain(job, first, last, &found);
    } else {
        transform_nested(job, first, last, &found);
    }
    job->chunks[i] = found;
}

static void join_chunks(void *context)
{
    sli_transforms *job = context;
    sli_transforms_chunk *all = &job->all;
    all->bounds = nowhere;
    for (size_t i = 0; i < job->chunk_count; i++) {
        const sli_transforms_chunk *at = &job->chunks[i];
        join_box(&all->bounds, &at->bounds);
        all->triangle_count += at->triangle_count;
        all->hole_count += at->hole_count;
        all->left_out_count += at->left_out_count;
        if (all->bad == SL_NONE) {
            all->bad = at->bad;
            all->words = at->words;
        }
    }
}

sl_result sli_transforms_run(sli_transforms *job, const sli_phase *phase)
{
    const sl_result result =
        sli_phase_run_each(phase, "instances", job->chunk_count, 1, transform_chunks, job);
    if (result == SL_OK) {
        sli_phase_once(phase, join_chunks, job);
    }
    return result;
}

static void transforms_recount(void *context, size_t i)
{
    const sli_transforms *job = context;
    const sli_instances *scene = job->scene;
    const sli_transformed *transformed = &scene->transformed[i];
    sli_world_box box;
    if (transformed->tree != NULL) {
        sli_transform_bounds(&transformed->transform, transformed->grid, &transformed->tree->bounds,
                             box.min, box.max);
        write_box(&scene->handle.world, &box, (uint32_t)i, &job->boxes[i]);
    }
}

void sli_transforms_recount(sli_transforms *job, const sli_phase *phase)
{
    sli_phase_each(phase, job->scene->handle.world.count, 4096, transforms_recount, job);
}
