#include "bvh/builder/wide/collapse.h"
#include "bvh/builder/wide/widen.h"
#include "lib/base/memory.h"
#include "test/support/input/split_case.h"

static const sli_phase no_phase = { .tasks = NULL };

/* A binary tree made by hand. */
typedef struct made {
    sl_mesh *mesh;
    sli_refs refs;
    sli_node2 *nodes;
    uint32_t used; /* nodes */
    uint32_t used_refs;
    size_t capacity;
} made;

static void made_begin(made *m, uint32_t leaf_count)
{
    *m = (made){ .used = 1, .capacity = 2 * (size_t)leaf_count - 1 };
    m->mesh = made_soup(4 * leaf_count, 0.1f, 5);
    m->refs = split_case_refs(m->mesh);
    m->nodes = calloc(m->capacity, sizeof *m->nodes);
}

static void made_free(made *m)
{
    free(m->nodes);
    sli_refs_destroy(&m->refs);
    sl_mesh_destroy(m->mesh);
}

static void grow(sli_node2 *node, const float min[3], const float max[3], bool first)
{
    for (int axis = 0; axis < 3; axis++) {
        node->min[axis] = first || min[axis] < node->min[axis] ? min[axis] : node->min[axis];
        node->max[axis] = first || max[axis] > node->max[axis] ? max[axis] : node->max[axis];
    }
}

/* A leaf of four. */
static void make_leaf(made *m, uint32_t node)
{
    sli_node2 *at = &m->nodes[node];
    at->first = m->used_refs;
    at->count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        const sli_ref *ref = &m->refs.side[0][m->used_refs++];
        grow(at, ref->min, ref->max, i == 0);
    }
}

/* How many of count leaves go left, with at most height levels below each side. */
typedef uint32_t choose_fn(void *user, uint32_t count, int height);

static void make_subtree(made *m, uint32_t node, uint32_t count, int height, choose_fn *choose,
                         void *user)
{
    if (count == 1) {
        make_leaf(m, node);
        return;
    }
    const uint32_t left = choose(user, count, height - 1), first = m->used;
    m->used += 2;
    m->nodes[node].first = first;
    make_subtree(m, first, left, height - 1, choose, user);
    make_subtree(m, first + 1, count - left, height - 1, choose, user);
    grow(&m->nodes[node], m->nodes[first].min, m->nodes[first].max, true);
    grow(&m->nodes[node], m->nodes[first + 1].min, m->nodes[first + 1].max, false);
}

static sl_result widen(const made *m, size_t limit, sl_bvh **out, sl_error *error)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_binary view = { .nodes = m->nodes,
                              .node_count = m->capacity,
                              .prims = m->refs.prims,
                              .ref_count = m->refs.count };
    const sli_phase phase = { .error = error };
    const sli_widen_def def = { .line_limit = limit, .byte_limit = SIZE_MAX };
    return sli_widen_binary(&view, m->mesh, &def, &allocator, &phase, out);
}

/* Of the whole mesh; completes what the builder's outline does, and has it proved. */
static sl_bvh *widen_and_check(const made *m)
{
    sl_bvh *tree = NULL;
    assert_int_equal(widen(m, SLI_MAX_LINES, &tree, NULL), SL_OK);
    for (int axis = 0; axis < 3; axis++) {
        const float min = m->refs.bounds.min[axis], max = m->refs.bounds.max[axis];
        tree->bounds.min[axis] = min;
        tree->bounds.max[axis] = max;
        tree->reach = -min > tree->reach ? -min : tree->reach;
        tree->reach = max > tree->reach ? max : tree->reach;
    }
    sli_tree_measure(tree);
    sl_error error = { .message = "" };
    if (!sl_bvh_check(tree, m->mesh, &error)) {
        fail_msg("%s", error.message);
    }
    return tree;
}

static sl_bvh_info widened(uint32_t leaf_count, int height, choose_fn *choose, void *user)
{
    UNDONE(made_free) made m;
    made_begin(&m, leaf_count);
    make_subtree(&m, 0, leaf_count, height, choose, user);
    assert_int_equal(m.used, m.capacity);
    OWN(sl_bvh) tree = widen_and_check(&m);
    return tree->info;
}

static uint32_t half(void *user, uint32_t count, int height)
{
    (void)user;
    (void)height;
    return count / 2;
}

static uint32_t one_left(void *user, uint32_t count, int height)
{
    (void)user;
    (void)height;
    (void)count;
    return 1;
}

static uint32_t one_right(void *user, uint32_t count, int height)
{
    (void)user;
    (void)height;
    return count - 1;
}

/* Anything that still fits: at most 2^height on each side, and mostly lopsided. */
static uint32_t any_share(void *user, uint32_t count, int height)
{
    test_random *random = user;
    const uint32_t most = height >= 31 ? count : 1u << height;
    const uint32_t least = count > most ? count - most : 1;
    const uint32_t greatest = count - 1 < most ? count - 1 : most;
    switch (test_random_below(random, 4)) {
    case 0:
        return least;
    case 1:
        return greatest;
    case 2:
        return least + test_random_below(random, greatest - least + 1);
    default:
        return test_random_below(random, 2) != 0 && least == 1 ? 1 : greatest;
    }
}

TEST(eight_leaves_are_one_full_node)
{
    const sl_bvh_info info = widened(8, 3, half, NULL);
    assert_int_equal(info.node_count, 1);
    assert_int_equal(info.child_count, 8);
    assert_int_equal(info.leaf_histogram[4], 8);
}

TEST(sixty_four_leaves_are_two_full_levels)
{
    const sl_bvh_info info = widened(64, 6, half, NULL);
    assert_int_equal(info.leaf_count, 64);
    assert_in_range(info.depth, 2, 4);
}

/* A chain of 48 inner nodes, a leaf at each and two at the end: opening by area alone takes 7
 * levels of the chain with each node, as there is nothing else to open. */
TEST(a_chain_of_48_fits)
{
    assert_int_equal(widened(49, 48, one_left, NULL).depth, 7);
    assert_int_equal(widened(49, 48, one_right, NULL).depth, 7);
}

/* Trees of height 48 with every kind of branch: the rule of widen.h is what keeps them to 16. */
TEST(any_tree_of_height_48_fits)
{
    enum { SEED = 20260718 };
    test_random random = { SEED };
    uint32_t deepest = 0;
    for (int round = 0; round < 300; round++) {
        const uint32_t leaf_count = 49 + test_random_below(&random, 600);
        const sl_bvh_info info = widened(leaf_count, 48, any_share, &random);
        deepest = info.depth > deepest ? info.depth : deepest;
    }
    print_message("deepest %u\n", deepest);
}

/* A path of 43 inner nodes with bait at each: a subtree of 56 leaves, which as 7 of 8 leaves fills
 * a wide node beside the rest of the path. */
static uint32_t bait_left(void *user, uint32_t count, int height)
{
    (void)user;
    (void)height;
    return count > 57 ? 56 : count == 56 ? 32 : count == 24 ? 16 : count / 2;
}

static int levels_planned(const made *m)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_binary view = { .nodes = m->nodes,
                              .node_count = m->capacity,
                              .prims = m->refs.prims,
                              .ref_count = m->refs.count };
    UNDONE(sli_arena_free) sli_arena arena = sli_arena_make(&allocator);
    sli_collapse_plan plan;
    assert_int_equal(sli_collapse(&view, &arena, &no_phase, &plan), SL_OK);
    assert_int_equal(plan.height[0], 3 * SLI_MAX_DEPTH);
    return sli_plan_levels(&plan, 0);
}

/* All of the bait has larger boxes than anything on the path, so that by cost alone each node of
 * the path would be a wide one.  The last bait hangs 42 levels down and is 6 high: the tree's
 * height is 48, and each node must take 3 levels of the path. */
TEST(a_path_among_larger_boxes_is_not_forgotten)
{
    UNDONE(made_free) made m;
    enum { LEAVES = 56 * 42 + 2 };
    made_begin(&m, LEAVES);
    make_subtree(&m, 0, LEAVES, 48, bait_left, NULL);
    bool *on_path = calloc(m.capacity, sizeof *on_path);
    for (uint32_t node = 0; m.nodes[node].count == 0; node = m.nodes[node].first + 1) {
        on_path[m.nodes[node].first + 1] = true;
    }
    for (uint32_t node = 1; node < m.capacity; node++) {
        for (int axis = 0; axis < 3 && !on_path[node]; axis++) {
            m.nodes[node].min[axis] = -10;
            m.nodes[node].max[axis] = 10;
        }
    }
    free(on_path);
    assert_in_range(levels_planned(&m), SLI_MAX_DEPTH + 1, SLI_PLAN_LEVELS_MAX);
    OWN(sl_bvh) tree = NULL;
    assert_int_equal(widen(&m, SLI_MAX_LINES, &tree, NULL), SL_OK);
    sli_tree_measure(tree);
    assert_int_equal(tree->info.depth, SLI_MAX_DEPTH);
}

TEST(nodes_may_stand_in_any_order)
{
    enum { LEAVES = 100 };
    made m;
    made_begin(&m, LEAVES);
    make_subtree(&m, 0, LEAVES, 10, half, NULL);
    sl_bvh *tree = widen_and_check(&m);
    /* Pair k becomes pair LEAVES - 2 - k: children now stand before their parents. */
    sli_node2 *turned = malloc(m.capacity * sizeof *turned);
    for (uint32_t i = 0; i < m.capacity; i++) {
        const uint32_t pair = (i - 1) / 2, to = 1 + 2 * (LEAVES - 2 - pair) + (i - 1) % 2;
        sli_node2 *node = &turned[i == 0 ? 0 : to];
        *node = m.nodes[i];
        if (node->count == 0) {
            node->first = 1 + 2 * (LEAVES - 2 - (node->first - 1) / 2);
        }
    }
    free(m.nodes);
    m.nodes = turned;
    sl_bvh *other = widen_and_check(&m);
    assert_int_equal(tree->line_count, other->line_count);
    assert_memory_equal(tree->lines, other->lines, tree->line_count * SLI_LINE);
    sl_bvh_destroy(tree);
    sl_bvh_destroy(other);
    made_free(&m);
}

static double child_area(const sli_node_wide *node, int child)
{
    double extent[3];
    for (int axis = 0; axis < 3; axis++) {
        extent[axis] = (double)node->bounds[axis][1][child] - (double)node->bounds[axis][0][child];
    }
    return extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
}

/* Each node is followed by its leaf blocks, and each subtree by the next smaller one. */
TEST(the_layout_is_depth_first)
{
    OWN(sl_mesh) mesh = made_soup(30000, 0.05f, 5);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    uint32_t stack[SLI_STACK], line = SLI_HEADER_LINES;
    int top = 0;
    stack[top++] = tree->root;
    while (top > 0) {
        const uint32_t ref = stack[--top];
        assert_int_equal(ref, line);
        const sli_node_wide *node = sli_tree_node(tree, ref);
        line += SLI_NODE_LINES;
        for (int k = 0; k < SLI_WIDTH; k++) {
            if ((node->child[k] & (SLI_REF_LEAF | SLI_REF_KIND)) == SLI_REF_LEAF) {
                assert_int_equal(node->child[k], SLI_REF_LEAF | line);
                line += SLI_PACK_LINES;
            }
        }
        /* Push the smallest first: n times the smallest of those not pushed yet. */
        bool pushed[SLI_WIDTH] = { false };
        for (;;) {
            int smallest = -1;
            for (int k = 0; k < SLI_WIDTH; k++) {
                if ((node->child[k] & SLI_REF_LEAF) == 0 && !pushed[k] &&
                    (smallest < 0 || child_area(node, k) <= child_area(node, smallest))) {
                    smallest = k;
                }
            }
            if (smallest < 0) {
                break;
            }
            pushed[smallest] = true;
            stack[top++] = node->child[smallest];
        }
    }
    assert_int_equal(line, tree->line_count);
}

/* Five points each at x = 0 and x = 10, so that the root has two children and six unused ones. */
TEST(orders_and_leaves_are_what_their_comments_say)
{
    float xyz[10 * 9];
    for (int i = 0; i < 10 * 9; i++) {
        const int prim = i / 9, axis = i % 3;
        xyz[i] = axis == 0 ? (prim < 5 ? 0.0f : 10.0f) : (float)(100 * i);
    }
    sl_mesh *mesh = made_mesh(xyz, 30, NULL, 10, NULL);
    sl_bvh *tree = made_bvh(mesh, NULL);
    assert_true(sl_bvh_check(tree, mesh, NULL));
    unmake_bvh(tree, mesh);

    /* Two leaves by hand: child 0 at x = 0 .. 1, child 1 at x = 4 .. 5, y and z from 0 to 1.
     * Doubled centres 1 and 9 along x: a ray with dir x >= 0 meets child 0 first, so child 1 is
     * the farther (rank 6) and child 0 the nearest (rank 7); the other way round in the octants
     * with bit 0.  Ranks 0 .. 5 are children 2 .. 7 in all octants. */
    const float corners[2][9] = { { 0, 0, 0, 1, 1, 0, 0, 1, 1 }, { 4, 0, 0, 5, 1, 0, 4, 1, 1 } };
    mesh = made_mesh(corners[0], 6, NULL, 2, NULL);
    sli_node2 nodes[3] = { { { 0, 0, 0 }, 1, { 5, 1, 1 }, 0 },
                           { { 0, 0, 0 }, 0, { 1, 1, 1 }, 4 },
                           { { 4, 0, 0 }, 4, { 5, 1, 1 }, 4 } };
    const uint32_t prims[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_binary view = { .nodes = nodes, .node_count = 3, .prims = prims, .ref_count = 8 };
    const uint32_t masks[2] = { 0xABC, 0xDEF };
    const sli_widen_def def = { .masks = masks,
                                .line_limit = SLI_MAX_LINES,
                                .byte_limit = SIZE_MAX };
    assert_int_equal(sli_widen_binary(&view, mesh, &def, &allocator, &no_phase, &tree), SL_OK);
    const sli_node_wide *root = sli_tree_node(tree, tree->root);
    uint32_t octants_with_x = 0, octants_without = 0;
    for (uint32_t q = 0; q < 8; q++) {
        *(q % 2 != 0 ? &octants_with_x : &octants_without) |= 1u << (3 * q);
    }
    assert_int_equal(root->order[6], octants_without | 1u << 24);
    assert_int_equal(root->order[7], octants_with_x);
    for (uint32_t rank = 0; rank < 6; rank++) {
        const uint32_t child = 2 + rank;
        assert_int_equal(root->order[rank], child * (octants_with_x | octants_without) | (7 - rank)
                                                                                             << 24);
        assert_int_equal(root->child[child], SLI_REF_EMPTY);
    }
    assert_int_equal(root->child[0], SLI_REF_LEAF | 8);
    assert_int_equal(root->child[1], SLI_REF_LEAF | 11);
    const sli_tri_pack *pack = sli_tree_pack(tree, root->child[1], NULL);
    for (int axis = 0; axis < 3; axis++) {
        for (int corner = 0; corner < 3; corner++) {
            assert_true(pack->axis[axis].vertex[corner][2] == corners[1][3 * corner + axis]);
        }
    }
    assert_int_equal(pack->prim[2], 1);
    assert_int_equal(pack->mask[2], 0xDEF);
    assert_int_equal(pack->before[2], 0);
    unmake_bvh(tree, mesh);
}

TEST(more_lines_than_allowed_are_refused)
{
    UNDONE(made_free) made m;
    made_begin(&m, 8);
    make_subtree(&m, 0, 8, 3, half, NULL);
    /* 4 of the header, 4 of the node, 3 for each of 8 leaves; 1 where they are compact. */
    sl_bvh *tree = NULL;
    sl_error error;
    assert_int_equal(widen(&m, 15, &tree, &error), SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "16"));
    assert_null(tree);
    assert_int_equal(widen(&m, 31, &tree, &error), SL_OK);
    assert_int_equal(tree->line_count, 16);
    assert_int_equal(sli_tree_layout(tree), SL_BVH_LAYOUT_COMPACT);
    sl_bvh_destroy(tree);
    assert_int_equal(widen(&m, 32, &tree, &error), SL_OK);
    assert_int_equal(tree->line_count, 32);
    assert_int_equal(sli_tree_layout(tree), SL_BVH_LAYOUT_DEFAULT);
    sl_bvh_destroy(tree);
}
