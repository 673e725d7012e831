/* Builds trees over boxes, for build.c: box_tree.h. */
#include "bvh/builder/box_tree.h"

#include "bvh/builder/curve.h"
#include "bvh/builder/topdown.h"
#include "bvh/builder/wide/node_order.h"
#include "bvh/tree/tri_pack.h"
#include "lib/base/arena.h"
#include "lib/base/assert.h"
#include "lib/base/error.h"
#include "lib/base/memory.h"

enum {
    CELL_SHARE_MIN = 4, /* boxes a cell on average */
    GROUP_MAX = 256,    /* boxes: 64 blocks, two levels of nodes */
    GROUP_LEVELS = 2,
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
    const sli_refs *refs;
    sli_cells cells;
    const sli_node2 *nodes; /* over cells */
    size_t node_count;
    const uint32_t *prims; /* the cells of its leaves */
    uint32_t *boxes;       /* below each node */
    top_node *top;
    group *groups;
    size_t top_count, group_count, line_count;
    bool fits;
    sl_bvh *tree;
} builder;

static uint32_t blocks_of(uint32_t boxes)
{
    return (boxes + SLI_PACK - 1) / SLI_PACK;
}

/* Of a group of more than one block: nodes below its root, each with several blocks; 0: the blocks
 * are the root's. */
static uint32_t nodes_below(uint32_t blocks)
{
    return blocks > SLI_WIDTH ? (blocks + SLI_WIDTH - 1) / SLI_WIDTH : 0;
}

static uint32_t lines_of(uint32_t boxes)
{
    const uint32_t blocks = blocks_of(boxes);
    const uint32_t nodes = blocks > 1 ? 1 + nodes_below(blocks) : 0;
    return blocks * SLI_PACK_LINES + nodes * SLI_NODE_LINES;
}

/* ---- The top ---- */

static void open_by_area(const builder *build, uint32_t root, top_node *out)
{
    double area[SLI_WIDTH];
    out->count = 1;
    out->node[0] = root;
    area[0] = 0;
    for (uint32_t slot = 0; out->count < SLI_WIDTH;) {
        const uint32_t left = build->nodes[out->node[slot]].first;
        const uint32_t slots[2] = { slot, out->count++ };
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t node = left + k;
            const double half = sli_node2_half_area(&build->nodes[node]);
            out->node[slots[k]] = node;
            area[slots[k]] = build->boxes[node] <= GROUP_MAX ? -1 : half;
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

static void add_group(builder *build, uint32_t node)
{
    build->groups[build->group_count++] = (group){ node, (uint32_t)build->line_count };
    build->line_count += lines_of(build->boxes[node]);
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
    for (uint32_t slot = 0; slot < added->count; slot++) {
        if (build->boxes[added->node[slot]] <= SLI_PACK) {
            added->ref[slot] = SLI_REF_LEAF | (uint32_t)build->line_count;
            add_group(build, added->node[slot]);
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
static void lay_out(void *context, size_t begin, size_t end, int worker)
{
    (void)begin;
    (void)end;
    (void)worker;
    builder *build = context;
    pending stack[SLI_STACK];
    int top = 0;
    for (size_t i = build->node_count; i-- > 0;) { /* children come behind their parents */
        const sli_node2 *node = &build->nodes[i];
        build->boxes[i] = node->count > 0
                              ? build->cells.cells[build->prims[node->first]].spare
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
        if (build->boxes[at.node] <= GROUP_MAX) {
            add_group(build, at.node);
        } else if (at.levels > GROUP_LEVELS) {
            top += add_top(build, &at, stack + top);
        } else {
            build->fits = false;
        }
    }
}

static void set_child(sli_node_wide *node, uint32_t slot, uint32_t ref, const float *min,
                      const float *max)
{
    for (int axis = 0; axis < 3; axis++) {
        node->bounds[axis][0][slot] = min[axis];
        node->bounds[axis][1][slot] = max[axis];
    }
    node->child[slot] = ref;
}

/* Once its children are set. */
static void complete_node(sli_node_wide *node, uint32_t count)
{
    static const float min[3] = { SLI_EMPTY_MIN, SLI_EMPTY_MIN, SLI_EMPTY_MIN };
    static const float max[3] = { SLI_EMPTY_MAX, SLI_EMPTY_MAX, SLI_EMPTY_MAX };
    for (uint32_t slot = count; slot < SLI_WIDTH; slot++) {
        set_child(node, slot, SLI_REF_EMPTY, min, max);
    }
    sli_node_order(node);
}

static void *at_line(const builder *build, uint32_t line)
{
    return build->tree->lines + (size_t)line * SLI_LINE;
}

static void write_top(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const builder *build = context;
    for (size_t i = begin; i < end; i++) {
        const top_node *from = &build->top[i];
        sli_node_wide *to = at_line(build, from->line);
        for (uint32_t slot = 0; slot < from->count; slot++) {
            const sli_node2 *child = &build->nodes[from->node[slot]];
            set_child(to, slot, from->ref[slot], child->min, child->max);
        }
        complete_node(to, from->count);
    }
}

/* ---- Groups ---- */

typedef struct work {
    const builder *build;
    sli_ref refs[GROUP_MAX];
    uint32_t order[GROUP_MAX]; /* of refs */
    uint32_t count, line;      /* line: the next one */
} work;

static void gather(work *job, uint32_t root)
{
    const builder *build = job->build;
    uint32_t stack[SLI_BINARY_LEVELS + 1], numbers[GROUP_MAX];
    int top = 0;
    job->count = 0;
    stack[top++] = root;
    while (top > 0) {
        const sli_node2 *node = &build->nodes[stack[--top]];
        if (node->count == 0) {
            stack[top++] = node->first + 1;
            stack[top++] = node->first;
            continue;
        }
        const sli_ref *cell = &build->cells.cells[build->prims[node->first]];
        for (uint32_t i = 0; i < cell->spare; i++) {
            const uint32_t number = build->cells.items[cell->prim + i].ref;
            __builtin_prefetch(&build->refs->side[0][number]);
            numbers[job->count++] = number;
        }
    }
    for (uint32_t i = 0; i < job->count; i++) {
        job->refs[i] = build->refs->side[0][numbers[i]];
        __builtin_prefetch(&build->tree->places[job->refs[i].prim], 1);
        job->order[i] = i;
    }
}

static int longest_axis(const work *job, uint32_t begin, uint32_t count)
{
    sli_box centres = sli_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        sli_box_add(&centres, sli_ref_centre(&job->refs[job->order[begin + i]]));
    }
    const sli_lanes side = centres.max - centres.min;
    const int axis = side[1] > side[0] ? 1 : 0;
    return side[2] > side[axis] ? 2 : axis;
}

/* By the leading bits of centres; equal ones as they were.  Each box goes to the place whose number
 * is the count of boxes before it: no branch can be mispredicted. */
static void sort_range(work *job, uint32_t begin, uint32_t count)
{
    enum { LANES = 4 };
    union {
        int32_t one[GROUP_MAX];
        sli_lanes_i32 four[GROUP_MAX / LANES];
    } keys;
    uint32_t old[GROUP_MAX];
    const int axis = longest_axis(job, begin, count);
    const uint32_t vectors = (count + LANES - 1) / LANES;
    for (uint32_t i = 0; i < count; i++) {
        old[i] = job->order[begin + i];
        const uint32_t key = sli_ref_key(&job->refs[old[i]], axis) ^ 0x80000000u;
        keys.one[i] = (int32_t)((key & ~(uint32_t)(GROUP_MAX - 1)) | i);
    }
    for (uint32_t i = count; i < vectors * LANES; i++) {
        keys.one[i] = INT32_MAX;
    }
    for (uint32_t i = 0; i < count; i++) {
        const sli_lanes_i32 key = sli_lanes_all_i32(keys.one[i]);
        sli_lanes_i32 before = { 0 };
        for (uint32_t v = 0; v < vectors; v++) {
            before -= keys.four[v] < key;
        }
        job->order[begin + (uint32_t)(before[0] + before[1] + before[2] + before[3])] = old[i];
    }
}

/* Halves a range into parts of about as many blocks each, of which only the last one of the range
 * may not be full; ends[i] is the end of part i. */
static void divide(work *job, uint32_t begin, uint32_t count, uint32_t parts, uint32_t *ends)
{
    if (parts == 1) {
        *ends = begin + count;
        return;
    }
    const uint32_t left = parts / 2;
    const uint32_t blocks = (blocks_of(count) * left + parts - 1) / parts;
    sort_range(job, begin, count);
    divide(job, begin, blocks * SLI_PACK, left, ends);
    divide(job, begin + blocks * SLI_PACK, count - blocks * SLI_PACK, parts - left, ends + left);
}

static sli_box write_block(work *job, uint32_t begin, uint32_t end)
{
    const builder *build = job->build;
    sli_tri_pack pack = { .prim = { SL_NONE, SL_NONE, SL_NONE, SL_NONE } };
    sli_box all = sli_box_empty();
    for (uint32_t lane = 0; lane < end - begin; lane++) {
        const sli_ref *ref = &job->refs[job->order[begin + lane]];
        const sli_box box = sli_ref_box(ref);
        sli_box_join(&all, &box);
        for (int axis = 0; axis < 3; axis++) {
            pack.axis[axis].vertex[0][lane] = pack.axis[axis].vertex[2][lane] = ref->min[axis];
            pack.axis[axis].vertex[1][lane] = ref->max[axis];
        }
        pack.prim[lane] = ref->prim;
        pack.mask[lane] = UINT32_MAX;
        build->tree->places[ref->prim] = job->line * SLI_PACK + lane;
    }
    memcpy(at_line(build, job->line), &pack, sizeof pack);
    job->line += SLI_PACK_LINES;
    return all;
}

static void set_box(sli_node_wide *node, uint32_t slot, uint32_t ref, const sli_box *box)
{
    const float min[3] = { box->min[0], box->min[1], box->min[2] };
    const float max[3] = { box->max[0], box->max[1], box->max[2] };
    set_child(node, slot, ref, min, max);
}

/* A node of blocks, and these. */
static sli_box write_node(work *job, uint32_t begin, uint32_t end)
{
    uint32_t ends[SLI_WIDTH];
    const uint32_t blocks = blocks_of(end - begin);
    sli_node_wide *node = at_line(job->build, job->line);
    sli_box all = sli_box_empty();
    SL_ASSERT(blocks <= SLI_WIDTH);
    divide(job, begin, end - begin, blocks, ends);
    job->line += SLI_NODE_LINES;
    for (uint32_t slot = 0; slot < blocks; slot++) {
        const uint32_t ref = SLI_REF_LEAF | job->line;
        const sli_box box = write_block(job, slot > 0 ? ends[slot - 1] : begin, ends[slot]);
        set_box(node, slot, ref, &box);
        sli_box_join(&all, &box);
    }
    complete_node(node, blocks);
    return all;
}

static void write_group(work *job)
{
    uint32_t ends[SLI_WIDTH];
    const uint32_t blocks = blocks_of(job->count), nodes = nodes_below(blocks);
    if (blocks == 1) {
        write_block(job, 0, job->count);
        return;
    }
    if (nodes == 0) {
        write_node(job, 0, job->count);
        return;
    }
    sli_node_wide *root = at_line(job->build, job->line);
    divide(job, 0, job->count, nodes, ends);
    job->line += SLI_NODE_LINES;
    for (uint32_t slot = 0; slot < nodes; slot++) {
        const uint32_t ref = job->line;
        const sli_box box = write_node(job, slot > 0 ? ends[slot - 1] : 0, ends[slot]);
        set_box(root, slot, ref, &box);
    }
    complete_node(root, nodes);
}

static void write_groups(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    work job = { .build = context };
    for (size_t i = begin; i < end; i++) {
        const group *at = &job.build->groups[i];
        gather(&job, at->node);
        job.line = at->line;
        write_group(&job);
    }
}

/* ---- All ---- */

static bool suits(const builder *build)
{
    bool small = build->cells.count <= build->refs->count / CELL_SHARE_MIN;
    for (size_t i = 0; i < build->cells.count && small; i++) {
        small = build->cells.cells[i].spare <= GROUP_MAX;
    }
    return small;
}

/* The cells as references, whose prim is the number of the cell. */
static sl_result split_cells(builder *build, sli_refs *cells, const sli_phase *phase)
{
    const size_t count = build->cells.count;
    sli_node2 *nodes = NULL;
    *cells = (sli_refs){ .allocator = build->refs->allocator,
                         .capacity = count,
                         .count = count,
                         .bounds = build->refs->bounds,
                         .centres = build->cells.centres };
    cells->side[0] = sli_alloc_large(&cells->allocator, count, sizeof *cells->side[0]);
    if (cells->side[0] == NULL) {
        return sli_fail_memory(phase->error);
    }
    for (size_t i = 0; i < count; i++) {
        cells->side[0][i] = build->cells.cells[i];
        cells->side[0][i].prim = (uint32_t)i;
        cells->side[0][i].spare = 0;
    }
    const sl_result result = sli_topdown(cells, NULL, 1, phase, &nodes, &build->node_count);
    build->nodes = nodes;
    build->prims = cells->prims;
    return result;
}

static sl_result write_tree(builder *build, size_t box_count, const sl_allocator *allocator,
                            const sli_phase *phase)
{
    build->tree = sli_tree_create(allocator, build->line_count, box_count);
    if (build->tree == NULL) {
        return sli_fail_memory(phase->error);
    }
    sli_phase_blocks(phase, build->top_count, GROUPS_PER_BLOCK, write_top, build);
    const sl_result result =
        sli_phase_run(phase, "write", build->group_count, GROUPS_PER_BLOCK, write_groups, build);
    if (result != SL_OK) {
        sl_bvh_destroy(build->tree);
        build->tree = NULL;
        return result;
    }
    build->tree->root = build->top[0].line;
    build->tree->triangle_count = (uint32_t)build->refs->count;
    return SL_OK;
}

/* Arrays over binary nodes; each wide node stands for an inner one, each group for another. */
static bool allocate(builder *build, sli_arena *arena)
{
    const size_t count = build->node_count;
    build->boxes = sli_arena_array(arena, count, sizeof *build->boxes);
    build->top = sli_arena_array(arena, count / 2 + 1, sizeof *build->top);
    build->groups = sli_arena_array(arena, count / 2 + 1, sizeof *build->groups);
    return build->boxes != NULL && build->top != NULL && build->groups != NULL;
}

sl_result sli_box_tree(const sli_refs *refs, size_t box_count, const sl_allocator *allocator,
                       const sli_phase *phase, sl_bvh **out)
{
    builder build = { .refs = refs };
    sli_arena arena = sli_arena_make(allocator);
    sli_refs cells = { .allocator = *allocator };
    *out = NULL;
    sl_result result = sli_cells_create(refs, &arena, phase, &build.cells);
    if (result == SL_OK && suits(&build)) {
        result = split_cells(&build, &cells, phase);
        if (result == SL_OK && !allocate(&build, &arena)) {
            result = sli_fail_memory(phase->error);
        }
        if (result == SL_OK) {
            sli_phase_blocks(phase, 1, 1, lay_out, &build);
        }
        if (result == SL_OK && build.fits && build.line_count <= SLI_MAX_LINES) {
            result = write_tree(&build, box_count, allocator, phase);
        }
    }
    *out = build.tree;
    sli_free_array(&cells.allocator, (void *)(uintptr_t)build.nodes, build.node_count,
                   sizeof *build.nodes);
    sli_refs_destroy(&cells);
    sli_arena_free(&arena);
    return result;
}
