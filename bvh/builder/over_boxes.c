/* Refits trees over boxes, for bvh/scene: over_boxes.h.  A tree is laid out depth-first, so its
 * nodes are found one behind the other, and from the last to the first children come before their
 * parents. */
#include "bvh/builder/over_boxes.h"

#include "bvh/builder/wide/node_order.h"
#include "bvh/tree/fill_child_masks.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

enum { AHEAD = 3 }; /* nodes whose boxes are on their way from memory */

typedef struct refit {
    const sl_bvh *from;
    const sli_boxes *boxes;
    sl_bvh *tree;
    uint32_t *nodes; /* lines, rising */
    size_t node_count;
    sli_box_sums sums;
    sli_boxes_drift drift;
} refit;

static uint32_t lines_of(const sli_node_wide *node)
{
    uint32_t lines = SLI_NODE_LINES;
    for (int k = 0; k < SLI_WIDTH; k++) {
        lines += sli_ref_is_block(node->child[k]) ? SLI_PACK_LINES : 0;
    }
    return lines;
}

static void list_nodes(refit *job)
{
    const sl_bvh *tree = job->from;
    size_t count = 0;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        job->nodes[count++] = (uint32_t)line;
        line += lines_of(sli_tree_node(tree, (uint32_t)line));
    }
    job->node_count = count;
}

/* Writes the boxes of a block, and returns the box of all. */
static sli_box refit_block(const sli_boxes *boxes, sli_tri_pack *pack)
{
    sli_box all = sli_box_empty();
    for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
        const sli_box box = sli_ref_box(&boxes->at[pack->prim[lane]]);
        sli_pack_set_box(pack, (uint32_t)lane, (const float *)&box.min, (const float *)&box.max);
        sli_box_join(&all, &box);
    }
    return all;
}

/* The box of a node from those of its children; unused ones are inverted. */
static sli_box box_of(const sli_node_wide *node)
{
    sli_box box = sli_box_empty();
    for (int axis = 0; axis < 3; axis++) {
        float min = node->bounds[axis][0][0], max = node->bounds[axis][1][0];
        for (int k = 1; k < SLI_WIDTH; k++) {
            min = node->bounds[axis][0][k] < min ? node->bounds[axis][0][k] : min;
            max = node->bounds[axis][1][k] > max ? node->bounds[axis][1][k] : max;
        }
        box.min[axis] = min;
        box.max[axis] = max;
    }
    return box;
}

static void refit_node(refit *job, uint32_t line)
{
    sl_bvh *tree = job->tree;
    sli_node_wide *node = sli_tree_at(tree, line);
    for (uint32_t k = 0; k < SLI_WIDTH; k++) {
        const uint32_t child = node->child[k];
        if (child == SLI_REF_EMPTY) {
            continue;
        }
        const bool leaf = (child & SLI_REF_LEAF) != 0;
        void *at = sli_tree_at(tree, child & SLI_REF_LINE);
        const sli_box box = leaf ? refit_block(job->boxes, at) : box_of(at);
        const double area = sli_box_area(&box);
        sli_child_set_box(node, k, (const float *)&box.min, (const float *)&box.max);
        sli_box_sums_add(&job->sums, area, leaf);
    }
    sli_node_order(node);
}

static void copy_tree(refit *job)
{
    const sl_bvh *from = job->from;
    sl_bvh *tree = job->tree;
    memcpy(tree->lines, from->lines, from->line_count * SLI_LINE);
    memcpy(tree->slots, from->slots, from->prim_count * sizeof *from->slots);
    tree->root = from->root;
    tree->triangle_count = from->triangle_count;
    tree->info = from->info;
}

/* Boxes come from all over their array. */
static void prefetch_node(const refit *job, uint32_t line)
{
    const sli_node_wide *node = sli_tree_node(job->tree, line);
    for (int k = 0; k < SLI_WIDTH; k++) {
        const uint32_t child = node->child[k];
        if (!sli_ref_is_block(child)) {
            continue;
        }
        const sli_tri_pack *pack = sli_tree_block(job->tree, child);
        for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
            __builtin_prefetch(&job->boxes->at[pack->prim[lane]]);
        }
    }
}

static void refit_all(void *context)
{
    refit *job = context;
    copy_tree(job);
    list_nodes(job);
    for (size_t i = job->node_count; i-- > 0;) {
        if (i >= AHEAD) {
            prefetch_node(job, job->nodes[i - AHEAD]);
        }
        refit_node(job, job->nodes[i]);
    }
    const sli_box box = box_of(sli_tree_node(job->tree, job->tree->root));
    job->drift = sli_box_sums_complete(job->tree, &box, &job->sums);
}

sl_result sli_refit_over_boxes(const sl_bvh *from, const sli_boxes *boxes,
                               const sl_allocator *allocator, const sli_phase *phase,
                               sli_boxes_drift *drift, sl_bvh **out)
{
    const size_t nodes = from->info.node_count;
    refit job = { .from = from, .boxes = boxes };
    *out = NULL;
    SLI_TRY(sli_phase_report(phase, "refit", 0, 1));
    job.tree = sli_tree_create(allocator, from->line_count, from->prim_count);
    job.nodes = sli_alloc_array(allocator, nodes, sizeof *job.nodes);
    const bool done = job.tree != NULL && job.nodes != NULL;
    if (done) {
        sli_phase_once(phase, refit_all, &job);
        *drift = job.drift;
        *out = job.tree;
    } else {
        sl_bvh_destroy(job.tree);
    }
    sli_free_array(allocator, job.nodes, nodes, sizeof *job.nodes);
    return done ? SL_OK : sli_fail_memory(phase->error);
}

typedef struct measuring {
    const sl_bvh *tree;
    double logs, mean_log;
} measuring;

static void over_boxes_measure(void *context)
{
    measuring *job = context;
    const sl_bvh *tree = job->tree;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        const sli_node_wide *node = sli_tree_node(tree, (uint32_t)line);
        for (uint32_t k = 0; k < SLI_WIDTH; k++) {
            const sl_aabb box = sli_child_box(node, k);
            if (node->child[k] != SLI_REF_EMPTY) {
                job->logs += sli_box_log(sli_half_area(box.min, box.max));
            }
        }
        line += lines_of(node);
    }
    const size_t children = tree->info.child_count;
    job->mean_log = children > 0 ? job->logs / (double)children : 0;
}

sli_boxes_drift sli_measure_over_boxes(const sl_bvh *tree, const sli_phase *phase)
{
    measuring job = { .tree = tree };
    sli_phase_once(phase, over_boxes_measure, &job);
    return (sli_boxes_drift){ tree->info.sah_cost, job.mean_log };
}

typedef struct masking {
    sl_bvh *tree;
    const uint32_t *masks;
} masking;

/* Blocks are all lines that belong to no node. */
static void mask_all(void *context)
{
    const masking *job = context;
    sl_bvh *tree = job->tree;
    for (size_t line = SLI_HEADER_LINES; line < tree->line_count;) {
        const size_t next = line + lines_of(sli_tree_node(tree, (uint32_t)line));
        for (line += SLI_NODE_LINES; line < next; line += SLI_PACK_LINES) {
            sli_tri_pack *pack = sli_tree_at(tree, line);
            for (int lane = 0; lane < SLI_PACK && pack->prim[lane] != SL_NONE; lane++) {
                pack->mask[lane] = job->masks != NULL ? job->masks[pack->prim[lane]] : UINT32_MAX;
            }
        }
    }
    if (job->masks != NULL) {
        sli_child_masks_fill(tree);
    } else {
        sli_child_masks_clear(&tree->child_masks);
    }
}

sl_result sli_mask_boxes(sl_bvh *tree, const uint32_t *masks, const sli_phase *phase)
{
    masking job = { tree, masks };
    if (masks != NULL && !sli_child_masks_reserve(tree)) {
        return sli_fail_memory(phase->error);
    }
    sli_phase_once(phase, mask_all, &job);
    sli_tree_measure_container(tree);
    return SL_OK;
}
