#include "bvh/builder/reinsert.h"
#include "bvh/builder/reinsert_tree.h"
#include "bvh/builder/topdown.h"
#include "lib/base/memory.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/random_binary.h"
#include "test/support/input/terrible.h"
#include "test/support/test.h"

#include <time.h>

enum { ROUNDS = 24 };

static const sli_phase no_phase = { .tasks = NULL };

static void prove(const char *name, const random_binary *tree)
{
    const char *fault = random_binary_fault(tree);
    if (fault != NULL) {
        fail_msg("%s: %s", name, fault);
    }
}

static sl_result reinsert(const random_binary *tree, int rounds, const sli_phase *phase)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_reinsert_effort effort = { .rounds = rounds };
    return sli_reinsert(tree->nodes, tree->node_count, &effort, &allocator, phase);
}

TEST(the_cost_falls_and_every_reference_stays)
{
    test_random random = { 20260720 };
    for (size_t count = 1; count < 9000; count = count < 20 ? count + 1 : count * 3) {
        for (uint32_t most = 1; most <= 4; most++) {
            random_binary tree =
                random_binary_make(made_soup(count, 0.05f, 3), most, 40, count % 2 == 0, &random);
            prove("before", &tree);
            const double before = random_binary_cost(&tree, NULL);
            assert_int_equal(reinsert(&tree, ROUNDS, &no_phase), SL_OK);
            prove("after", &tree);
            const double after = random_binary_cost(&tree, NULL);
            assert_true(after <= before);
            /* The order of a soup is none at all: much of the cost can be saved. */
            assert_true(count < 100 || after < 0.75 * before);
            random_binary_free(&tree);
        }
    }
}

/* What is small compared with the mean stays as it is. */
TEST(large_surfaces_are_most_of_the_gain)
{
    test_random random = { 20260731 };
    UNDONE(random_binary_free)
    random_binary tree = random_binary_make(made_soup(3000, 0.02f, 3), 4, 40, false, &random);
    const double before = random_binary_cost(&tree, NULL);
    double after[3];
    for (int i = 0; i < 3; i++) {
        UNDONE(random_binary_free_copy) random_binary copy = random_binary_copy(&tree);
        const sl_allocator allocator = sli_allocator(NULL);
        const sli_reinsert_effort effort = { .rounds = 16, .area_min = i < 2 ? i : 1e9 };
        assert_int_equal(sli_reinsert(copy.nodes, copy.node_count, &effort, &allocator, &no_phase),
                         SL_OK);
        prove("large surfaces", &copy);
        after[i] = random_binary_cost(&copy, NULL);
        assert_true(after[i] <= before);
    }
    print_message("%.3f and %.3f of the cost\n", after[0] / before, after[1] / before);
    assert_true(after[0] <= after[1] * 1.1);
    assert_true(before - after[1] > 0.5 * (before - after[0]));
    assert_true(after[2] == before);
}

TEST(terrible_meshes_are_survived)
{
    test_random random = { 20260721 };
    for (int which = 0; which < terrible_count(); which++) {
        UNDONE(random_binary_free)
        random_binary tree = random_binary_make(terrible_make(which, 600), 1 + (uint32_t)which % 4,
                                                SLI_BINARY_LEVELS, true, &random);
        const double before = random_binary_cost(&tree, NULL);
        int height;
        assert_int_equal(reinsert(&tree, ROUNDS, &no_phase), SL_OK);
        prove(terrible_name(which), &tree);
        assert_true(random_binary_cost(&tree, &height) <= before);
        assert_in_range(height, 0, SLI_BINARY_LEVELS);
    }
}

static double seconds_per_triangle(size_t count, test_random *random)
{
    UNDONE(random_binary_free)
    random_binary tree = random_binary_make(made_soup(count, 0.05f, 3), 4, 40, false, random);
    const clock_t begin = clock();
    assert_int_equal(reinsert(&tree, 8, &no_phase), SL_OK);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    return seconds / (double)count;
}

/* In a random tree everything overlaps everything.  A search without an end would take 16 times as
 * long in one that is 16 times as large; what is out of cache takes longer, too. */
TEST(the_time_is_linear_where_all_overlaps)
{
    test_random random = { 20261123 };
    double few = 0, many = HUGE_VAL;
    for (int round = 0; round < 3; round++) { /* on a machine that others use */
        few = fmax(few, seconds_per_triangle(2500, &random));
        many = fmin(many, seconds_per_triangle(40000, &random));
    }
    print_message("%.2f and %.2f us a triangle\n", few * 1e6, many * 1e6);
    assert_true(many < 4 * few);
}

/* Paths of 48 inner nodes, that moves would make longer. */
TEST(no_path_gets_too_long)
{
    test_random random = { 20260722 };
    for (int round = 0; round < 40; round++) {
        UNDONE(random_binary_free)
        random_binary tree = random_binary_make(made_soup(300 + 20 * (size_t)round, 0.3f, 3), 4,
                                                SLI_BINARY_LEVELS, true, &random);
        int height;
        (void)random_binary_cost(&tree, &height);
        assert_in_range(height, SLI_BINARY_LEVELS - 2, SLI_BINARY_LEVELS);
        assert_int_equal(reinsert(&tree, 2, &no_phase), SL_OK);
        (void)random_binary_cost(&tree, &height);
        assert_in_range(height, 1, SLI_BINARY_LEVELS);
        prove("long paths", &tree);
    }
}

typedef struct moved {
    random_binary tree;
    sli_reinsert_tree movable;
} moved;

static moved moved_begin(size_t count, uint32_t most, int levels, test_random *random)
{
    moved m = { .tree = random_binary_make(made_soup(count, 0.2f, 3), most, levels, true, random) };
    m.movable = (sli_reinsert_tree){ .nodes = m.tree.nodes, .node_count = m.tree.node_count };
    m.movable.parent = calloc(m.tree.node_count, sizeof *m.movable.parent);
    m.movable.height = calloc(m.tree.node_count, 1);
    sli_reinsert_tree_connect(&m.movable);
    return m;
}

static void moved_end(moved *m)
{
    free(m->movable.parent);
    free(m->movable.height);
    random_binary_free(&m->tree);
}

static bool is_below(const sli_reinsert_tree *tree, uint32_t node, uint32_t above)
{
    for (; node != SLI_NO_NODE && node != above; node = tree->parent[node]) {
    }
    return node == above;
}

static bool is_in_use(const sli_reinsert_tree *tree, uint32_t node)
{
    return node == 0 || tree->parent[node] != SLI_NO_NODE;
}

typedef struct sums {
    double cost;
    int height;
} sums;

/* All above the blocks, anew. */
static sums sum_up(const sli_reinsert_tree *tree, uint32_t node)
{
    if (tree->height[node] == 0) {
        return (sums){ 0 };
    }
    const sums a = sum_up(tree, tree->nodes[node].first);
    const sums b = sum_up(tree, tree->nodes[node].first + 1);
    return (sums){ .cost = a.cost + b.cost + sli_node2_half_area(&tree->nodes[node]),
                   .height = 1 + (a.height > b.height ? a.height : b.height) };
}

/* Any move at all, good or bad: its gain is what the cost, summed up anew, falls by. */
TEST(a_gain_is_what_the_cost_falls_by)
{
    test_random random = { 20260723 };
    size_t moves = 0, refused = 0;
    for (int round = 0; round < 30; round++) {
        UNDONE(moved_end)
        moved m = moved_begin(5 + (size_t)round * 3, 1 + (uint32_t)round % 4, 30, &random);
        const uint32_t nodes = (uint32_t)m.tree.node_count;
        double cost = random_binary_cost(&m.tree, NULL);
        assert_true(fabs(m.movable.cost - cost) <= 1e-12 * cost);
        assert_int_equal(sum_up(&m.movable, 0).height, m.movable.height[0]);
        for (size_t i = 0; i < 400 * test_scale(); i++) {
            const uint32_t node = test_random_below(&random, nodes);
            const uint32_t to = test_random_below(&random, nodes);
            if (node == 0 || !is_in_use(&m.movable, node) || !is_in_use(&m.movable, to)) {
                continue;
            }
            const double gain = sli_reinsert_tree_gain(&m.movable, node, to);
            if (is_below(&m.movable, to, node) || m.movable.parent[node] == m.movable.parent[to] ||
                m.movable.parent[node] == to) {
                assert_true(gain == 0);
            }
            if (gain == 0) {
                refused++;
                continue;
            }
            sli_reinsert_tree_move(&m.movable, node, to);
            moves++;
            const sums after = sum_up(&m.movable, 0);
            assert_true(fabs(cost - after.cost - gain) <= 1e-12 * (cost + after.cost));
            assert_int_equal(after.height, m.movable.height[0]);
            assert_in_range(after.height, 0, SLI_BINARY_LEVELS);
            prove("moved", &m.tree);
            cost = after.cost;
        }
    }
    print_message("%zu moves, %zu refused\n", moves, refused);
    assert_true(moves > 3000 && refused > 100);
}

/* The most that any single move gains, of all pairs of nodes. */
static double best_gain(const sli_reinsert_tree *tree)
{
    double best = 0;
    for (uint32_t node = 1; node < tree->node_count; node++) {
        for (uint32_t to = 0; to < tree->node_count && is_in_use(tree, node); to++) {
            if (is_in_use(tree, to)) {
                best = fmax(best, sli_reinsert_tree_gain(tree, node, to));
            }
        }
    }
    return best;
}

TEST(little_is_left_for_single_moves)
{
    test_random random = { 20260724 };
    double before = 0, after = 0;
    for (int round = 0; round < 30; round++) {
        UNDONE(moved_end) moved m = moved_begin(200, 4, 40, &random);
        before += best_gain(&m.movable) / m.movable.cost;
        assert_int_equal(reinsert(&m.tree, 400, &no_phase), SL_OK);
        sli_reinsert_tree_connect(&m.movable);
        after += best_gain(&m.movable) / m.movable.cost;
    }
    print_message("%.4f of the cost before, %.4f after\n", before / 30, after / 30);
    assert_true(after < before / 10);
}

TEST(the_workers_leave_no_trace)
{
    test_random random = { 20260725 };
    UNDONE(random_binary_free)
    random_binary tree = random_binary_make(made_soup(3000, 0.05f, 3), 3, 40, true, &random);
    UNDONE(random_binary_free_copy) random_binary alone = random_binary_copy(&tree);
    assert_int_equal(reinsert(&alone, ROUNDS, &no_phase), SL_OK);
    for (int workers = 1; workers <= 8; workers += workers) {
        scrambled_tasks scrambled;
        UNDONE(random_binary_free_copy) random_binary copy = random_binary_copy(&tree);
        const sli_phase phase = { .tasks = scrambled_tasks_start(&scrambled, workers,
                                                                 (uint64_t)workers) };
        assert_int_equal(reinsert(&copy, ROUNDS, &phase), SL_OK);
        assert_memory_equal(copy.nodes, alone.nodes, copy.node_count * sizeof *copy.nodes);
        assert_false(scrambled.nested);
    }
}

static bool stop_at(void *user, const char *phase, float fraction)
{
    (void)phase;
    (void)fraction;
    return (*(int *)user)-- > 0;
}

TEST(whatever_stops_it_leaves_a_tree)
{
    test_random random = { 20260726 };
    UNDONE(random_binary_free)
    random_binary tree = random_binary_make(made_soup(2000, 0.05f, 3), 2, 40, true, &random);
    bool done = false;
    for (int reports = 0; !done; reports++) {
        UNDONE(random_binary_free_copy) random_binary copy = random_binary_copy(&tree);
        sl_error error;
        int left = reports;
        const sli_phase phase = { .progress = { stop_at, &left }, .error = &error };
        const sl_result result = reinsert(&copy, 4, &phase);
        assert_true(result == SL_CANCELLED || (result == SL_OK && reports >= 4));
        prove("cancelled", &copy);
        done = result == SL_OK;
    }
    sl_allocator allocator;
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &allocator)) {
        UNDONE(random_binary_free_copy) random_binary copy = random_binary_copy(&tree);
        sl_error error;
        const sli_phase phase = { .error = &error };
        const sli_reinsert_effort effort = { .rounds = 1 };
        const sl_result result =
            sli_reinsert(copy.nodes, copy.node_count, &effort, &allocator, &phase);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        prove("out of memory", &copy);
    }
}
