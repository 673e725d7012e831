/* Lays the wide tree out in pieces, for build.c: nodes near the top, and subtrees for one worker
 * each. */
#include "bvh/builder/wide/widen.h"

#include "bvh/builder/wide/node_writer.h"
#include "bvh/builder/wide/vertex_order.h"
#include "lib/base/assert.h"
#include "lib/base/budget.h"
#include "lib/base/error.h"

/* Part of how a tree is laid out: it may not depend on the machine.  References. */
enum { SUBTREE_MAX = 4096 };

/* A wide node that is not yet written, and the slot for its reference. */
typedef struct pending {
    uint32_t node; /* binary */
    uint32_t parent;
    int slot;
    int levels; /* left, itself included */
} pending;

/* A piece of the tree: a single node near the top with its leaf blocks, or a whole subtree.
 * Pieces are in the order in which they are laid out; parents are numbers of pieces. */
typedef struct piece {
    pending root;
    bool is_subtree;
    size_t lines; /* then, by summing: the line where it begins */
} piece;

typedef struct widener {
    sli_collapse_plan plan;
    sli_leaf_context context;
    const sl_mesh *mesh;
    sli_slices *slices;
    size_t prim_count;
    const sli_widen_def *def;
    const sl_allocator *allocator; /* of the tree */
    sli_arena arena;               /* of everything else */
    piece *pieces;
    size_t piece_count, piece_capacity;
} widener;

/* Pushes the inner children, so that the one of largest area is popped first; of equal ones the
 * lower slot. */
static void push_inner(const sli_collapse_plan *plan, const sli_child_selection *children,
                       uint32_t parent, int levels, pending *stack, int *top)
{
    const int first = *top;
    for (int slot = 0; slot < children->count; slot++) {
        if (sli_is_leaf(plan, children->node[slot])) {
            continue;
        }
        int at = (*top)++;
        for (; at > first && children->area[stack[at - 1].slot] >= children->area[slot]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (pending){ children->node[slot], parent, slot, levels - 1 };
    }
    SL_ASSERT(*top <= SLI_STACK);
}

static void set_reference(const widener *wide, size_t parent_line, int slot, size_t line)
{
    uint8_t *node = wide->context.tree->lines + parent_line * SLI_LINE;
    const uint32_t ref = (uint32_t)line;
    memcpy(node + offsetof(sli_node_wide, child) + (size_t)slot * sizeof ref, &ref, sizeof ref);
}

_Static_assert((int)SUBTREE_MAX <= (int)SLI_PLAN_SIZED, "the plan knows the sizes of subtrees");

/* The lines of a subtree: as planned or, where the plan is too deep, walked in any order. */
static size_t count_subtree(const widener *wide, pending root)
{
    const sli_collapse_plan *plan = &wide->plan;
    if (!sli_is_leaf(plan, root.node) && sli_plan_levels(plan, root.node) <= root.levels) {
        return sli_plan_nodes(plan, root.node) * SLI_NODE_LINES +
               sli_plan_blocks(plan, root.node) * wide->context.leaf_lines;
    }
    pending stack[SLI_STACK];
    int top = 0;
    size_t lines = 0;
    stack[top++] = root;
    for (size_t visits = 1; top > 0; visits++) {
        sli_slices_pause_at(wide->slices, visits, 64);
        const pending at = stack[--top];
        sli_child_selection children;
        sli_child_select_unordered(plan, at.node, at.levels, &children);
        lines += sli_child_lines(&children, wide->context.leaf_lines);
        for (int slot = 0; slot < children.count; slot++) {
            if (!sli_is_leaf(plan, children.node[slot])) {
                stack[top++] = (pending){ .node = children.node[slot], .levels = at.levels - 1 };
            }
        }
    }
    return lines;
}

/* Depth-first, so that each node stands where the walk is when it comes to it. */
static void write_subtree(const widener *wide, pending root, size_t line, sli_leaf_writer *leaves)
{
    pending stack[SLI_STACK];
    int top = 0;
    const size_t first_line = line;
    stack[top++] = root;
    for (size_t visits = 1; top > 0; visits++) {
        sli_slices_pause_at(wide->slices, visits, 32);
        const pending at = stack[--top];
        sli_child_selection children;
        sli_child_select(&wide->plan, at.node, at.levels, &children);
        sli_node_write(leaves, &children, line);
        if (line != first_line) {
            set_reference(wide, at.parent, at.slot, line);
        }
        push_inner(&wide->plan, &children, (uint32_t)line, at.levels, stack, &top);
        line += sli_child_lines(&children, wide->context.leaf_lines);
    }
}

/* Walks the top of the tree in the order of its layout. */
static void cut_pieces(void *context)
{
    widener *wide = context;
    pending stack[SLI_STACK];
    int top = 0;
    stack[top++] = (pending){ .levels = SLI_MAX_DEPTH };
    while (top > 0) {
        piece added = { .root = stack[--top] };
        const uint32_t number = (uint32_t)wide->piece_count;
        sli_slices_pause_at(wide->slices, number, 32);
        added.is_subtree = wide->plan.triangles[added.root.node] <= SUBTREE_MAX;
        if (!added.is_subtree) {
            sli_child_selection children;
            sli_child_select(&wide->plan, added.root.node, added.root.levels, &children);
            added.lines = sli_child_lines(&children, wide->context.leaf_lines);
            push_inner(&wide->plan, &children, number, added.root.levels, stack, &top);
        }
        SL_ASSERT(number < wide->piece_capacity);
        wide->pieces[wide->piece_count++] = added;
    }
}

/* Near the top are nodes with more than SUBTREE_MAX triangles each; those of one depth have none
 * in common. */
static bool allocate_pieces(widener *wide)
{
    const size_t near_top = wide->plan.triangles[0] / SUBTREE_MAX * SLI_MAX_DEPTH;
    wide->piece_capacity = 1 + near_top * SLI_WIDTH;
    wide->pieces = sli_arena_array(&wide->arena, wide->piece_capacity, sizeof *wide->pieces);
    return wide->pieces != NULL;
}

static void count_pieces(void *context, size_t i)
{
    const widener *wide = context;
    if (wide->pieces[i].is_subtree) {
        wide->pieces[i].lines = count_subtree(wide, wide->pieces[i].root);
    }
}

static void write_pieces(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const widener *wide = context;
    sli_leaf_writer leaves;
    sli_leaf_writer_start(&leaves, &wide->context);
    for (size_t i = begin; i < end; i++) {
        const piece *at = &wide->pieces[i];
        if (at->is_subtree) {
            write_subtree(wide, at->root, at->lines, &leaves);
        } else {
            sli_child_selection children;
            sli_child_select(&wide->plan, at->root.node, at->root.levels, &children);
            sli_node_write(&leaves, &children, at->lines);
        }
    }
    sli_leaf_writer_finish(&leaves);
}

/* Counts become positions; returns the lines of the whole tree. */
static size_t assign_lines(widener *wide)
{
    size_t line = SLI_HEADER_LINES;
    for (size_t i = 0; i < wide->piece_count; i++) {
        const size_t lines = wide->pieces[i].lines;
        wide->pieces[i].lines = line;
        line += lines;
    }
    return line;
}

static void connect_pieces(const widener *wide)
{
    for (size_t i = 1; i < wide->piece_count; i++) {
        const piece *at = &wide->pieces[i];
        sli_slices_pause_at(wide->slices, i, 256);
        set_reference(wide, wide->pieces[at->root.parent].lines, at->root.slot, at->lines);
    }
}

static sl_result plan_pieces(widener *wide, const sli_phase *phase)
{
    wide->piece_count = 0;
    sli_phase_once(phase, cut_pieces, wide);
    return sli_phase_run_each(phase, "plan", wide->piece_count, 1, count_pieces, wide);
}

static sl_result fail_bytes(size_t bytes, const sli_widen_def *def, const sli_phase *phase)
{
    return sli_fail_plain(
        phase->error, SL_TOO_LARGE,
        "the tree would take %zu bytes or more; sl_build_def.max_tree_size is %zu", bytes,
        def->byte_limit);
}

/* Before memory is allocated.  Of a compact tree, the vertices are not yet known. */
static sl_result check_size(const widener *wide, size_t lines, const sli_phase *phase)
{
    const size_t prims = wide->prim_count;
    const sli_widen_def *def = wide->def;
    if (lines > def->line_limit) {
        return sli_fail_plain(phase->error, SL_TOO_LARGE,
                              "the tree would take %zu lines of %d bytes; %zu are possible", lines,
                              SLI_LINE, def->line_limit);
    }
    const size_t bytes = sizeof(sl_bvh) + lines * SLI_LINE + prims * sizeof(uint32_t);
    if (bytes > def->byte_limit) {
        return fail_bytes(bytes, def, phase);
    }
    return SL_OK;
}

static sl_result write_lines(widener *wide, const sli_phase *phase)
{
    sl_bvh *tree = wide->context.tree;
    SLI_TRY(sli_phase_run(phase, "write", wide->piece_count, 1, write_pieces, wide));
    connect_pieces(wide);
    tree->root = (uint32_t)wide->pieces[0].lines;
    tree->triangle_count = wide->plan.triangles[0];
    if (wide->plan.binary->splits) {
        sli_tree_link(tree, phase->slices);
    }
    if (wide->context.layout != SL_BVH_LAYOUT_COMPACT) {
        return SL_OK;
    }
    return sli_order_vertices(tree, wide->mesh, wide->def->masks, phase);
}

static sl_result write_tree(widener *wide, sl_bvh_layout layout, const sli_phase *phase)
{
    wide->context.layout = layout;
    wide->context.leaf_lines = sli_leaf_lines(layout);
    SLI_TRY(plan_pieces(wide, phase));
    const size_t lines = assign_lines(wide);
    SLI_TRY(check_size(wide, lines, phase));
    sl_bvh *tree = sli_tree_create_unfilled(wide->allocator, lines, wide->prim_count);
    SLI_TRY(sli_had_memory(phase->error, tree != NULL));
    if (wide->def->boxes == NULL && !sli_own_world_reserve(tree)) {
        sl_bvh_destroy(tree);
        return sli_fail_memory(phase->error);
    }
    wide->context.tree = tree;
    sli_slices_fill(phase->slices, tree->slots, 0xFF, wide->prim_count * sizeof *tree->slots);
    sl_result result = write_lines(wide, phase);
    const size_t bytes = sli_tree_bytes(tree);
    if (result == SL_OK && bytes > wide->def->byte_limit) {
        result = fail_bytes(bytes, wide->def, phase);
    }
    if (result != SL_OK) {
        sl_bvh_destroy(tree);
        wide->context.tree = NULL;
    }
    return result;
}

static bool is_too_large(const widener *wide, sl_result result)
{
    const sli_budget *budget = sli_budget_of(wide->allocator);
    return result == SL_TOO_LARGE ||
           (result == SL_OUT_OF_MEMORY && budget != NULL && budget->refused != 0);
}

sl_result sli_widen_binary(const sli_binary *binary, const sl_mesh *mesh, const sli_widen_def *def,
                           const sl_allocator *allocator, const sli_phase *phase, sl_bvh **out)
{
    widener wide = { .mesh = mesh,
                     .slices = phase->slices,
                     .def = def,
                     .allocator = allocator,
                     .arena = sli_arena_make(allocator) };
    wide.context = (sli_leaf_context){ .plan = &wide.plan, .masks = def->masks };
    if (def->boxes != NULL) {
        wide.context.boxes = def->boxes->at;
        wide.prim_count = def->boxes->count;
    } else {
        wide.context.xyz = sl_mesh_soup(mesh).xyz;
        wide.context.indices = sl_mesh_soup(mesh).indices;
        wide.prim_count = sl_mesh_soup(mesh).triangle_count;
    }
    sl_result result = sli_collapse(binary, &wide.arena, phase, &wide.plan);
    if (result == SL_OK && !allocate_pieces(&wide)) {
        result = sli_fail_memory(phase->error);
    }
    if (result == SL_OK) {
        result = write_tree(&wide, def->layout, phase);
        if (is_too_large(&wide, result) && def->layout != SL_BVH_LAYOUT_COMPACT &&
            !binary->splits && def->boxes == NULL) {
            result = write_tree(&wide, SL_BVH_LAYOUT_COMPACT, phase);
        }
    }
    if (result == SL_OK) {
        *out = wide.context.tree;
    }
    sli_arena_free(&wide.arena);
    return result;
}
