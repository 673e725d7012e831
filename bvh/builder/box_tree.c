/* Builds trees over boxes, for build.c: box_tree.h. */
#include "bvh/builder/box_tree.h"

#include "bvh/builder/box_group.h"
#include "bvh/builder/topdown.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

enum {
    CELL_SHARE_MIN = 4,   /* boxes a cell on average */
    GROUPS_PER_BLOCK = 16 /* of work */
};

/* A wide node near the top. */
typedef struct top_node {
    uint32_t line, count;
    uint32_t node[SLI_WIDTH]; /* binary */
    uint32_t ref[SLI_WIDTH];
} top_node;

/* Boxes that become the block or the subtree at a line. */
typedef struct group {
    uint32_t node, line;
} group;

typedef struct builder {
    sli_box_cells from;
    size_t node_count;
    uint32_t *boxes; /* below each node */
    top_node *top;
    group *groups;
    sli_box_sums *top_sums, *group_sums; /* over the children of each */
    size_t top_count, group_count, line_count;
    bool fits;
    sl_bvh_info info; /* what is counted as it is laid out */
    sli_boxes_drift drift;
} builder;

static void open_by_area(const builder *build, uint32_t root, top_node *out)
{
    double area[SLI_WIDTH];
    out->count = 1;
    out->node[0] = root;
    area[0] = 0;
    for (uint32_t slot = 0; out->count < SLI_WIDTH;) {
        const uint32_t left = build->from.nodes[out->node[slot]].first;
        const uint32_t slots[2] = { slot, out->count++ };
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t node = left + k;
            const double half = sli_node2_half_area(&build->from.nodes[node]);
            out->node[slots[k]] = node;
            area[slots[k]] = build->boxes[node] <= SLI_GROUP_MAX ? -1 : half;
        }
        for (uint32_t i = 0; i < out->count; i++) {
            slot = area[i] > area[slot] ? i : slot;
        }
        if (area[slot] < 0) {
            break;
        }
    }
}

/* A wide node that is not yet laid out, or a group. */
typedef struct pending {
    uint32_t node, parent, slot;
    int levels;
} pending;

/* levels: of nodes that may be at it and below. */
static void add_group(builder *build, uint32_t node, int levels)
{
    const uint32_t count = build->boxes[node], blocks = sli_box_blocks(count);
    const uint32_t below = nodes_below(blocks), nodes = blocks > 1 ? 1 + below : 0;
    const int used = blocks > 1 ? 1 + (below > 0) : 0;
    const uint32_t depth = (uint32_t)(SLI_MAX_DEPTH - levels + used);
    sl_bvh_info *info = &build->info;
    build->groups[build->group_count++] = (group){ node, (uint32_t)build->line_count };
    build->line_count += sli_box_lines(count);
    info->node_count += nodes;
    info->leaf_count += blocks;
    info->leaf_histogram[SLI_PACK] += count / SLI_PACK;
    info->leaf_histogram[count % SLI_PACK] += count % SLI_PACK > 0;
    info->depth = depth > info->depth ? depth : info->depth;
}

/* Returns the children that are no blocks, in the order of the stack. */
static int add_top(builder *build, const pending *at, pending *stack)
{
    const uint32_t number = (uint32_t)build->top_count++;
    top_node *added = &build->top[number];
    int top = 0;
    open_by_area(build, at->node, added);
    added->line = (uint32_t)build->line_count;
    build->line_count += SLI_NODE_LINES;
    build->info.node_count++;
    for (uint32_t slot = 0; slot < added->count; slot++) {
        if (build->boxes[added->node[slot]] <= SLI_PACK) {
            added->ref[slot] = SLI_REF_LEAF | (uint32_t)build->line_count;
            add_group(build, added->node[slot], at->levels - 1);
        }
    }
    for (uint32_t slot = added->count; slot-- > 0;) {
        if (build->boxes[added->node[slot]] > SLI_PACK) {
            stack[top++] = (pending){ added->node[slot], number, slot, at->levels - 1 };
        }
    }
    return top;
}

/* Lays the whole tree out. */
static void lay_out(void *context)
{
    builder *build = context;
    pending stack[SLI_STACK];
    int top = 0;
    for (size_t i = build->node_count; i-- > 0;) { /* children come behind their parents */
        const sli_node2 *node = &build->from.nodes[i];
        build->boxes[i] = node->count > 0
                              ? build->from.cells.cells[build->from.prims[node->first]].spare
                              : build->boxes[node->first] + build->boxes[node->first + 1];
    }
    build->line_count = SLI_HEADER_LINES;
    build->fits = true;
    stack[top++] = (pending){ .levels = SLI_MAX_DEPTH };
    while (top > 0 && build->fits && build->line_count <= SLI_MAX_LINES) {
        const pending at = stack[--top];
        if (at.node != 0) {
            build->top[at.parent].ref[at.slot] = (uint32_t)build->line_count;
        }
        if (build->boxes[at.node] <= SLI_GROUP_MAX) {
            add_group(build, at.node, at.levels);
        } else if (at.levels > SLI_GROUP_LEVELS) {
            top += add_top(build, &at, stack + top);
        } else {
            build->fits = false;
        }
    }
}

static void write_top(void *context, size_t i)
{
    const builder *build = context;
    const top_node *from = &build->top[i];
    sli_node_wide *to = sli_tree_at(build->from.tree, from->line);
    build->top_sums[i] = (sli_box_sums){ .logs = 0 };
    for (uint32_t slot = 0; slot < from->count; slot++) {
        const sli_node2 *child = &build->from.nodes[from->node[slot]];
        const sli_box box = { { child->min[0], child->min[1], child->min[2] },
                              { child->max[0], child->max[1], child->max[2] } };
        sli_box_node_set(to, slot, from->ref[slot], &box, &build->top_sums[i]);
    }
    sli_box_node_complete(to, from->count);
}

static void write_groups(void *context, size_t i)
{
    const builder *build = context;
    build->group_sums[i] =
        sli_box_group_write(&build->from, build->groups[i].node, build->groups[i].line);
}

/* Adds in an order that workers do not change. */
static void box_tree_complete(void *context)
{
    builder *build = context;
    sl_bvh *tree = build->from.tree;
    sli_box_sums all = { .logs = 0 };
    for (size_t i = 0; i < build->top_count; i++) {
        sli_box_sums_join(&all, &build->top_sums[i]);
    }
    for (size_t i = 0; i < build->group_count; i++) {
        sli_box_sums_join(&all, &build->group_sums[i]);
    }
    tree->root = build->top[0].line;
    tree->triangle_count = (uint32_t)build->from.refs->count;
    const char *kernel = tree->info.kernel;
    tree->info = build->info;
    tree->info.kernel = kernel;
    tree->info.quality = SL_BVH_QUALITY_FAST;
    tree->info.triangle_count = tree->info.reference_count = tree->triangle_count;
    tree->info.child_count = build->info.node_count - 1 + build->info.leaf_count;
    build->drift = sli_box_sums_complete(tree, &build->from.refs->bounds, &all);
    sli_tree_measure_container(tree);
}

/* ---- All ---- */

static bool box_tree_suits(const builder *build)
{
    bool small = build->from.cells.count <= build->from.refs->count / CELL_SHARE_MIN;
    for (size_t i = 0; i < build->from.cells.count && small; i++) {
        small = build->from.cells.cells[i].spare <= SLI_GROUP_MAX;
    }
    return small;
}

/* The cells as references, whose prim is the number of the cell. */
static sl_result split_cells(builder *build, sli_refs *cells, const sli_phase *phase)
{
    const size_t count = build->from.cells.count;
    sli_node2 *nodes = NULL;
    *cells = (sli_refs){ .allocator = build->from.refs->allocator,
                         .capacity = count,
                         .count = count,
                         .bounds = build->from.refs->bounds,
                         .centres = build->from.cells.centres };
    cells->side[0] = sli_alloc_large(&cells->allocator, count, sizeof *cells->side[0]);
    SLI_TRY(sli_had_memory(phase->error, cells->side[0] != NULL));
    for (size_t i = 0; i < count; i++) {
        cells->side[0][i] = build->from.cells.cells[i];
        cells->side[0][i].prim = (uint32_t)i;
        cells->side[0][i].spare = 0;
    }
    const sl_result result = sli_topdown(cells, NULL, 1, phase, &nodes, &build->node_count);
    build->from.nodes = nodes;
    build->from.prims = cells->prims;
    return result;
}

static sl_result write_tree(builder *build, size_t box_count, const sl_allocator *allocator,
                            const sli_phase *phase)
{
    build->from.tree = sli_tree_create(allocator, build->line_count, box_count);
    SLI_TRY(sli_had_memory(phase->error, build->from.tree != NULL));
    sli_phase_each(phase, build->top_count, GROUPS_PER_BLOCK, write_top, build);
    const sl_result result = sli_phase_run_each(phase, "write", build->group_count,
                                                GROUPS_PER_BLOCK, write_groups, build);
    if (result != SL_OK) {
        sl_bvh_destroy(build->from.tree);
        build->from.tree = NULL;
        return result;
    }
    sli_phase_once(phase, box_tree_complete, build);
    return SL_OK;
}

/* Arrays over binary nodes; each wide node stands for an inner one, each group for another. */
static bool box_tree_allocate(builder *build, sli_arena *arena)
{
    const size_t count = build->node_count;
    build->boxes = sli_arena_array(arena, count, sizeof *build->boxes);
    build->top = sli_arena_array(arena, count / 2 + 1, sizeof *build->top);
    build->groups = sli_arena_array(arena, count / 2 + 1, sizeof *build->groups);
    build->top_sums = sli_arena_array(arena, count / 2 + 1, sizeof *build->top_sums);
    build->group_sums = sli_arena_array(arena, count / 2 + 1, sizeof *build->group_sums);
    return build->boxes != NULL && build->top != NULL && build->groups != NULL &&
           build->top_sums != NULL && build->group_sums != NULL;
}

sl_result sli_box_tree(const sli_refs *refs, size_t box_count, const sl_allocator *allocator,
                       const sli_phase *phase, sli_boxes_drift *drift, sl_bvh **out)
{
    builder build = { .from = { .refs = refs } };
    sli_arena arena = sli_arena_make(allocator);
    sli_refs cells = { .allocator = *allocator };
    *out = NULL;
    sl_result result = sli_cells_create(refs, &arena, phase, &build.from.cells);
    if (result == SL_OK && box_tree_suits(&build)) {
        result = split_cells(&build, &cells, phase);
        if (result == SL_OK && !box_tree_allocate(&build, &arena)) {
            result = sli_fail_memory(phase->error);
        }
        if (result == SL_OK) {
            sli_phase_once(phase, lay_out, &build);
        }
        if (result == SL_OK && build.fits && build.line_count <= SLI_MAX_LINES) {
            result = write_tree(&build, box_count, allocator, phase);
        }
    }
    *drift = build.drift;
    *out = build.from.tree;
    sli_free_array(&cells.allocator, (void *)(uintptr_t)build.from.nodes, build.node_count,
                   sizeof *build.from.nodes);
    sli_refs_destroy(&cells);
    sli_arena_free(&arena);
    return result;
}
