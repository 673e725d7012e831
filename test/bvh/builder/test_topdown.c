#include "bvh/builder/cell_tree.h"
#include "bvh/builder/wide/widen.h"
#include "lib/base/memory.h"
#include "test/support/input/split_case.h"
#include "test/support/input/terrible.h"

static const sli_phase no_phase = { .tasks = NULL };

typedef struct binary {
    sl_mesh *mesh;
    sli_refs refs;
    sli_node2 *nodes;
    size_t node_count;
    uint32_t leaf_max;
} binary;

/* Takes the mesh over. */
static binary binary_of(sl_mesh *mesh, uint32_t leaf_max)
{
    binary b = { .mesh = mesh, .refs = split_case_refs(mesh), .leaf_max = leaf_max };
    assert_int_equal(sli_topdown(&b.refs, NULL, leaf_max, &no_phase, &b.nodes, &b.node_count),
                     SL_OK);
    return b;
}

/* The same over cells, or without nodes where they do not pay. */
static binary binary_over_cells(sl_mesh *mesh, uint32_t leaf_max, size_t open_max)
{
    binary b = { .mesh = mesh, .refs = split_case_refs(mesh), .leaf_max = leaf_max };
    assert_int_equal(sli_cell_tree(&b.refs, leaf_max, open_max, &no_phase, &b.nodes, &b.node_count),
                     SL_OK);
    return b;
}

static void binary_free(binary *b)
{
    sli_free_array(&b->refs.allocator, b->nodes, b->node_count, sizeof *b->nodes);
    sli_refs_destroy(&b->refs);
    sl_mesh_destroy(b->mesh);
}

static bool inside(const float min[3], const float max[3], const sli_node2 *outer)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(outer->min[axis] <= min[axis] && max[axis] <= outer->max[axis])) {
            return false;
        }
    }
    return true;
}

/* Walks the tree: every box contains what is below it, every reference is in one leaf, every node
 * is in use.  Returns
 * the most inner nodes on a path. */
static int prove(const char *name, const binary *b)
{
    struct {
        uint32_t node;
        int depth;
    } stack[200] = { { 0, 0 } };
    int top = 1, deepest = 0;
    size_t node_count = 0;
    FREED uint8_t *seen = calloc(b->refs.count, 1);
    while (top > 0) {
        top--;
        const sli_node2 *node = &b->nodes[stack[top].node];
        const int depth = stack[top].depth;
        deepest = depth > deepest ? depth : deepest;
        node_count++;
        if (node->count == 0) {
            for (uint32_t k = 0; k < 2; k++) {
                const sli_node2 *child = &b->nodes[node->first + k];
                assert_true(inside(child->min, child->max, node));
                stack[top].node = node->first + k;
                stack[top++].depth = depth + 1;
            }
            continue;
        }
        assert_in_range(node->count, 1, b->leaf_max);
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            assert_true(i < b->refs.count);
            const uint32_t prim = b->refs.prims[i];
            for (uint32_t corner = 0; corner < 3; corner++) {
                const uint32_t vertex = sl_mesh_soup(b->mesh).indices[3 * prim + corner];
                const float *at = sl_mesh_soup(b->mesh).xyz + 3 * (size_t)vertex;
                assert_true(inside(at, at, node));
            }
            if (seen[prim]++ != 0) {
                fail_msg("%s: triangle %u is in two leaves", name, prim);
            }
        }
    }
    assert_int_equal(node_count, b->node_count);
    for (size_t prim = 0; prim < b->refs.count; prim++) {
        assert_int_equal(seen[prim], 1);
    }
    return deepest;
}

TEST(every_reference_is_in_one_leaf)
{
    for (size_t count = 1; count < 30000; count = count < 30 ? count + 1 : count * 3) {
        UNDONE(binary_free)
        binary b = binary_of(made_soup(count, 0.05f, 11), 1 + (uint32_t)count % 4);
        (void)prove("soup", &b);
    }
}

TEST(terrible_meshes_stay_within_the_depth)
{
    for (int which = 0; which < terrible_count(); which++) {
        for (size_t count = 3; count < 20000; count *= 5) {
            UNDONE(binary_free)
            binary b = binary_of(terrible_make(which, count), which % 2 == 0 ? 1 : 4);
            assert_in_range(prove(terrible_name(which), &b), 0, SLI_BINARY_LEVELS);
        }
    }
}

/* 40 of each size from 2^0 down to 2^-230: cut by cost alone, with some 5 sizes told apart at
 * each level, paths would be longer than 48. */
TEST(the_depth_is_used_up_and_not_passed)
{
    enum { EACH = 40, SIZES = 230, ALL = EACH * SIZES };
    FREED float *xyz = malloc(ALL * 9 * sizeof *xyz);
    float size = 1;
    for (int i = 0; i < ALL; i++) {
        const float corners[9] = { size, 0, 0, size * 1.25f, size, 0, size, size, size };
        memcpy(xyz + 9 * i, corners, sizeof corners);
        size = i % EACH == EACH - 1 ? size / 2 : size;
        size = i == ALL / 2 ? 0x1p+110f : size;
    }
    for (uint32_t leaf_max = 1; leaf_max <= 4; leaf_max += 3) {
        sl_mesh *mesh = made_mesh(xyz, ALL * 3, NULL, ALL, NULL);
        UNDONE(binary_free) binary b = binary_of(mesh, leaf_max);
        const int depth = prove("sizes", &b);
        print_message("depth %d\n", depth);
        assert_int_equal(depth, SLI_BINARY_LEVELS);
    }
}

/* The same references with every split at the median. */
static void split_at_medians(binary *b)
{
    struct {
        uint32_t node, begin, count;
        sli_box centres;
    } stack[64];
    uint32_t used = 1;
    int top = 0;
    const sli_node2 root = b->nodes[0];
    sli_free_array(&b->refs.allocator, b->nodes, b->node_count, sizeof *b->nodes);
    b->node_count = 2 * b->refs.count - 1;
    b->nodes = sli_alloc_array(&b->refs.allocator, b->node_count, sizeof *b->nodes);
    b->nodes[0] = root;
    sli_refs_destroy(&b->refs);
    b->refs = split_case_refs(b->mesh);
    FREED sli_ref *other = malloc(b->refs.count * sizeof *other);
    stack[top].node = stack[top].begin = 0;
    stack[top].count = (uint32_t)b->refs.count;
    stack[top++].centres = b->refs.centres;
    while (top > 0) {
        top--;
        const uint32_t begin = stack[top].begin, count = stack[top].count;
        sli_node2 *node = &b->nodes[stack[top].node];
        sli_ref *refs = b->refs.side[0] + begin;
        node->first = begin;
        node->count = count;
        if (count <= 4) {
            continue;
        }
        sli_split split;
        const sli_ref_set set = { .count = count, .centres = stack[top].centres };
        sli_split_median(refs, other, &set, NULL, &split);
        memcpy(refs, other, count * sizeof *refs);
        node->first = used;
        node->count = 0;
        used += 2;
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t left = (uint32_t)split.count[0];
            stack[top].node = node->first + k;
            stack[top].begin = begin + k * left;
            stack[top].count = k == 0 ? left : count - left;
            stack[top++].centres = split.centres[k];
            for (int axis = 0; axis < 3; axis++) {
                b->nodes[node->first + k].min[axis] = split.bounds[k].min[axis];
                b->nodes[node->first + k].max[axis] = split.bounds[k].max[axis];
            }
        }
    }
    for (size_t i = 0; i < b->refs.count; i++) {
        b->refs.prims[i] = b->refs.side[0][i].prim;
    }
}

static double wide_cost(const binary *b)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_binary view = { .nodes = b->nodes,
                              .node_count = b->node_count,
                              .prims = b->refs.prims,
                              .ref_count = b->refs.count };
    const sli_widen_def def = { .line_limit = SLI_MAX_LINES, .byte_limit = SIZE_MAX };
    OWN(sl_bvh) tree = NULL;
    assert_int_equal(sli_widen_binary(&view, b->mesh, &def, &allocator, &no_phase, &tree), SL_OK);
    for (int axis = 0; axis < 3; axis++) {
        tree->bounds.min[axis] = b->refs.bounds.min[axis];
        tree->bounds.max[axis] = b->refs.bounds.max[axis];
    }
    sli_tree_measure(tree);
    return tree->info.sah_cost;
}

/* Triangles of all sizes, most of them in one corner, as details are. */
static sl_mesh *details_in_a_corner(void)
{
    enum { ALL = 6000 };
    FREED float *xyz = malloc(ALL * 9 * sizeof *xyz);
    test_random random = { 20260719 };
    for (int i = 0; i < ALL; i++) {
        float size = 1;
        for (int k = i % 12; k > 0; k--) {
            size *= 0.6f;
        }
        for (int axis = 0; axis < 3; axis++) {
            const float at = 10 * test_random_unit(&random) * size;
            for (int corner = 0; corner < 3; corner++) {
                xyz[9 * i + 3 * corner + axis] = at + test_random_unit(&random) * size;
            }
        }
    }
    return made_mesh(xyz, 3 * ALL, NULL, ALL, NULL);
}

TEST(cuts_by_cost_beat_medians)
{
    UNDONE(binary_free) binary b = binary_of(details_in_a_corner(), 4);
    const double by_cost = wide_cost(&b);
    split_at_medians(&b);
    const double by_median = wide_cost(&b);
    print_message("cost %.2f, with medians %.2f\n", by_cost, by_median);
    assert_true(by_cost < 0.9 * by_median);
}

TEST(trees_over_cells_hold_every_reference)
{
    for (size_t count = 2048; count < 70000; count *= 2) {
        for (size_t open_max = 1; open_max < count; open_max *= 64) {
            binary b =
                binary_over_cells(made_soup(count, 0.05f, 11), 1 + (uint32_t)count % 4, open_max);
            assert_non_null(b.nodes);
            assert_in_range(prove("soup over cells", &b), 0, SLI_BINARY_LEVELS);
            binary_free(&b);
        }
    }
}

/* Where cells do not pay, nothing is built, and the references are as they were. */
TEST(terrible_meshes_over_cells_or_not_at_all)
{
    int built = 0, left = 0;
    for (int which = 0; which < terrible_count(); which++) {
        sl_mesh *mesh = terrible_make(which, 20000);
        UNDONE(binary_free) binary b = binary_over_cells(mesh, which % 2 == 0 ? 1 : 4, 256);
        if (b.nodes == NULL) {
            left++;
            assert_non_null(b.refs.side[0]);
            assert_int_equal(
                sli_topdown(&b.refs, NULL, b.leaf_max, &no_phase, &b.nodes, &b.node_count), SL_OK);
        } else {
            built++;
        }
        assert_in_range(prove(terrible_name(which), &b), 0, SLI_BINARY_LEVELS);
    }
    print_message("%d over cells, %d not\n", built, left);
    assert_true(built > 0);
}

/* All in one place: the curve cannot tell them apart, and there are too many for one worker. */
TEST(copies_are_left_to_the_other_builder)
{
    enum { ALL = 70000 };
    const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 1 };
    uint32_t *indices = malloc(ALL * 3 * sizeof *indices);
    for (uint32_t i = 0; i < 3 * ALL; i++) {
        indices[i] = i % 3;
    }
    sl_mesh *mesh = made_mesh(corners, 3, indices, ALL, NULL);
    free(indices);
    UNDONE(binary_free) binary b = binary_over_cells(mesh, 4, 256);
    assert_null(b.nodes);
}

static double cost_over_cells(sl_mesh *mesh, size_t open_max)
{
    UNDONE(binary_free) binary b = binary_over_cells(mesh, 4, open_max);
    assert_non_null(b.nodes);
    return wide_cost(&b);
}

TEST(cells_cost_little)
{
    sl_mesh *sphere = made_sphere(100);
    sl_mesh *again = made_sphere(100);
    UNDONE(binary_free) binary b = binary_of(sphere, 4);
    const double whole = wide_cost(&b), cells = cost_over_cells(again, 256);
    print_message("cost %.3f, over cells %.3f\n", whole, cells);
    assert_true(cells < 1.05 * whole);
}
