#include "bvh/builder/wide/child_select.h"
#include "lib/base/memory.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/random_binary.h"
#include "test/support/test.h"

static const sli_phase no_phase = { .tasks = NULL };

static sli_binary view_of(const random_binary *tree)
{
    return (sli_binary){ .nodes = tree->nodes,
                         .node_count = tree->node_count,
                         .prims = tree->refs.prims,
                         .ref_count = tree->refs.count };
}

/* Its memory is the arena's, which the caller frees. */
static sli_collapse_plan plan_of(const sli_binary *view, const sli_phase *phase, sli_arena *arena)
{
    const sl_allocator allocator = sli_allocator(NULL);
    sli_collapse_plan plan;
    *arena = sli_arena_make(&allocator);
    assert_int_equal(sli_collapse(view, arena, phase, &plan), SL_OK);
    return plan;
}

/* Everything that the comment of collapse.h says of costs, without its recurrences. */
typedef struct costs {
    const random_binary *tree;
    uint32_t *triangles;
    double *alone; /* the least for a node as one child; NaN: not known yet */
} costs;

static double chance(const costs *c, uint32_t node)
{
    const double whole = sli_node2_half_area(&c->tree->nodes[0]);
    return sli_node2_half_area(&c->tree->nodes[node]) / whole + 12 / (double)c->tree->refs.count;
}

static uint32_t count_triangles(const costs *c, uint32_t node)
{
    const sli_node2 *at = &c->tree->nodes[node];
    c->triangles[node] = at->count > 0
                             ? at->count
                             : count_triangles(c, at->first) + count_triangles(c, at->first + 1);
    return c->triangles[node];
}

static double alone(costs *c, uint32_t node);

/* The least over all ways to open nodes of a list, from the one at `from` on, until it has at most
 * 8; those before stay as they are. */
static double least_of(costs *c, uint32_t *list, int count, int from)
{
    if (from == count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += alone(c, list[i]);
        }
        return sum;
    }
    double least = least_of(c, list, count, from + 1);
    const uint32_t node = list[from];
    if (c->tree->nodes[node].count == 0 && count < SLI_WIDTH) {
        list[from] = c->tree->nodes[node].first;
        memmove(list + from + 2, list + from + 1, (size_t)(count - from - 1) * sizeof *list);
        list[from + 1] = list[from] + 1;
        least = fmin(least, least_of(c, list, count + 1, from));
        memmove(list + from + 1, list + from + 2, (size_t)(count - from - 1) * sizeof *list);
        list[from] = node;
    }
    return least;
}

static double alone(costs *c, uint32_t node)
{
    if (isnan(c->alone[node])) {
        if (c->triangles[node] <= 4) {
            c->alone[node] = 0.7 * chance(c, node);
        } else {
            uint32_t list[SLI_WIDTH] = { c->tree->nodes[node].first,
                                         c->tree->nodes[node].first + 1 };
            c->alone[node] = chance(c, node) + least_of(c, list, 2, 0);
        }
    }
    return c->alone[node];
}

/* Of the wide tree that children are chosen for. */
static double cost_of_choice(const costs *c, const sli_collapse_plan *plan, uint32_t node,
                             int levels)
{
    sli_child_selection children;
    sli_child_select(plan, node, levels, &children);
    assert_in_range(children.count, 1, SLI_WIDTH);
    double sum = chance(c, node);
    for (int i = 0; i < children.count; i++) {
        const uint32_t child = children.node[i];
        sum += sli_is_leaf(plan, child) ? 0.7 * chance(c, child)
                                        : cost_of_choice(c, plan, child, levels - 1);
    }
    return sum;
}

TEST(no_grouping_is_cheaper)
{
    test_random random = { 20260727 };
    for (size_t round = 0; round < 200 * test_scale(); round++) {
        random_binary tree =
            random_binary_make(made_soup(5 + round % 40, 0.3f, 3), 1 + (uint32_t)round % 4, 12,
                               round % 3 == 0, &random);
        costs c = { .tree = &tree };
        c.triangles = calloc(tree.node_count, sizeof *c.triangles);
        c.alone = calloc(tree.node_count, sizeof *c.alone);
        for (size_t i = 0; i < tree.node_count; i++) {
            c.alone[i] = NAN;
        }
        (void)count_triangles(&c, 0);
        const sli_binary view = view_of(&tree);
        sli_arena arena;
        const sli_collapse_plan plan = plan_of(&view, &no_phase, &arena);
        const double least = alone(&c, 0);
        const double chosen = cost_of_choice(&c, &plan, 0, SLI_MAX_DEPTH);
        assert_true(fabs(chosen - least) <= 1e-12 * least);
        sli_arena_free(&arena);
        free(c.triangles);
        free(c.alone);
        random_binary_free(&tree);
    }
}

/* The levels that a plan speaks of, counted. */
static int levels_below(const sli_collapse_plan *plan, uint32_t node)
{
    sli_child_selection children;
    sli_child_select(plan, node, SLI_PLAN_LEVELS_MAX, &children);
    int most = 0;
    for (int i = 0; i < children.count; i++) {
        if (!sli_is_leaf(plan, children.node[i])) {
            const int levels = levels_below(plan, children.node[i]);
            most = levels > most ? levels : most;
        }
    }
    return most + 1;
}

/* The size of the subtree that the plan makes of a node, walked. */
static void walk(const sli_collapse_plan *plan, uint32_t node, size_t *nodes, size_t *blocks)
{
    sli_child_selection children;
    sli_child_select_unordered(plan, node, SLI_PLAN_LEVELS_MAX, &children);
    *nodes += 1;
    *blocks += (size_t)children.leaf_count;
    for (int slot = 0; slot < children.count; slot++) {
        if (!sli_is_leaf(plan, children.node[slot])) {
            walk(plan, children.node[slot], nodes, blocks);
        }
    }
}

static void check_subtree(const random_binary *tree, const sli_collapse_plan *plan, uint32_t node)
{
    const sli_node2 *at = &tree->nodes[node];
    if (at->count == 0 && !sli_is_leaf(plan, node)) {
        size_t nodes = 0, blocks = 0;
        walk(plan, node, &nodes, &blocks);
        assert_int_equal(sli_plan_levels(plan, node), levels_below(plan, node));
        assert_int_equal(sli_plan_nodes(plan, node), nodes);
        assert_int_equal(sli_plan_blocks(plan, node), blocks);
        check_subtree(tree, plan, at->first);
        check_subtree(tree, plan, at->first + 1);
    }
}

TEST(plans_know_their_levels_and_sizes)
{
    test_random random = { 20261124 };
    for (int round = 0; round < 42; round++) {
        UNDONE(random_binary_free)
        random_binary tree = random_binary_make(made_soup(round < 12 ? 2000 : 400, 0.01f, 3),
                                                1 + (uint32_t)round % 4, 40, true, &random);
        const sli_binary view = view_of(&tree);
        UNDONE(sli_arena_free) sli_arena arena;
        const sli_collapse_plan plan = plan_of(&view, &no_phase, &arena);
        check_subtree(&tree, &plan, 0);
    }
}

/* Leaf blocks, then what is small, then what is large. */
TEST(children_come_in_their_turn)
{
    test_random random = { 20260729 };
    UNDONE(random_binary_free)
    random_binary tree = random_binary_make(made_soup(20000, 0.01f, 3), 4, 40, true, &random);
    const sli_binary view = view_of(&tree);
    UNDONE(sli_arena_free) sli_arena arena;
    const sli_collapse_plan plan = plan_of(&view, &no_phase, &arena);
    int mixed = 0;
    for (uint32_t node = 0; node < tree.node_count; node++) {
        if (tree.nodes[node].count > 0 || tree.nodes[node].first == 0) {
            continue; /* a leaf, or not in use */
        }
        sli_child_selection children;
        sli_child_select(&plan, node, SLI_MAX_DEPTH, &children);
        int leaves = 0;
        while (leaves < children.count && sli_is_leaf(&plan, children.node[leaves])) {
            leaves++;
        }
        assert_int_equal(leaves, children.leaf_count);
        for (int i = leaves; i + 1 < children.count; i++) {
            assert_false(sli_is_leaf(&plan, children.node[i + 1]));
            assert_true(plan.triangles[children.node[i]] <
                        16 * plan.triangles[children.node[i + 1]]);
        }
        mixed += leaves > 0 && leaves < children.count;
    }
    assert_true(mixed > 100);
}

TEST(the_workers_leave_no_trace)
{
    test_random random = { 20260730 };
    UNDONE(random_binary_free)
    random_binary tree = random_binary_make(made_soup(20000, 0.01f, 3), 3, 40, false, &random);
    const sli_binary view = view_of(&tree);
    sli_arena arena, other_arena;
    scrambled_tasks scrambled;
    const sli_phase phase = { .tasks = scrambled_tasks_start(&scrambled, 3, 1) };
    const sli_collapse_plan plan = plan_of(&view, &no_phase, &arena);
    const sli_collapse_plan other = plan_of(&view, &phase, &other_arena);
    assert_false(scrambled.nested);
    for (uint32_t node = 0; node < tree.node_count; node++) {
        if (tree.nodes[node].count == 0 && tree.nodes[node].first != 0) {
            assert_int_equal(plan.shares[node], other.shares[node]);
            assert_int_equal(plan.triangles[node], other.triangles[node]);
            assert_int_equal(plan.height[node], other.height[node]);
        }
    }
    sli_arena_free(&arena);
    sli_arena_free(&other_arena);
}
