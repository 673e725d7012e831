#include "bvh/builder/topdown.h"
#include "bvh/builder/wide/widen.h"
#include "lib/base/memory.h"
#include "test/support/input/random.h"
#include "test/support/input/split_case.h"
#include "test/support/input/terrible.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void binary_free(binary *b)
{
    sli_free_array(&b->refs.allocator, b->nodes, b->node_count, sizeof *b->nodes);
    sli_refs_destroy(&b->refs);
    sl_mesh_destroy(b->mesh);
}

static sl_mesh *soup(size_t count)
{
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_generate_soup(count, 0.05f, 11, NULL, &mesh, NULL), SL_OK);
    return mesh;
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
    uint8_t *seen = calloc(b->refs.count, 1);
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
            assert_true(inside(b->refs.side[0][i].min, b->refs.side[0][i].max, node));
            if (seen[b->refs.side[0][i].prim]++ != 0) {
                fail_msg("%s: triangle %u is in two leaves", name, b->refs.side[0][i].prim);
            }
        }
    }
    assert_int_equal(node_count, b->node_count);
    for (size_t prim = 0; prim < b->refs.count; prim++) {
        assert_int_equal(seen[prim], 1);
    }
    free(seen);
    return deepest;
}

static void every_reference_is_in_one_leaf(void **state)
{
    (void)state;
    for (size_t count = 1; count < 30000; count = count < 30 ? count + 1 : count * 3) {
        binary b = binary_of(soup(count), 1 + (uint32_t)count % 4);
        (void)prove("soup", &b);
        binary_free(&b);
    }
}

static void terrible_meshes_stay_within_the_depth(void **state)
{
    (void)state;
    for (int which = 0; which < terrible_count(); which++) {
        for (size_t count = 3; count < 20000; count *= 5) {
            binary b = binary_of(terrible_make(which, count), which % 2 == 0 ? 1 : 4);
            assert_in_range(prove(terrible_name(which), &b), 0, SLI_BINARY_LEVELS);
            binary_free(&b);
        }
    }
}

/* 40 of each size from 2^0 down to 2^-230: cut by cost alone, with some 5 sizes told apart at
 * each level, paths would be longer than 48. */
static void the_depth_is_used_up_and_not_passed(void **state)
{
    (void)state;
    enum { EACH = 40, SIZES = 230, ALL = EACH * SIZES };
    float *xyz = malloc(ALL * 9 * sizeof *xyz);
    float size = 1;
    for (int i = 0; i < ALL; i++) {
        const float corners[9] = { size, 0, 0, size * 1.25f, size, 0, size, size, size };
        memcpy(xyz + 9 * i, corners, sizeof corners);
        size = i % EACH == EACH - 1 ? size / 2 : size;
        size = i == ALL / 2 ? 0x1p+110f : size;
    }
    for (uint32_t leaf_max = 1; leaf_max <= 4; leaf_max += 3) {
        sl_mesh *mesh = NULL;
        assert_int_equal(sl_mesh_from_arrays(xyz, ALL * 3, NULL, ALL, NULL, &mesh, NULL), SL_OK);
        binary b = binary_of(mesh, leaf_max);
        const int depth = prove("sizes", &b);
        print_message("depth %d\n", depth);
        assert_int_equal(depth, SLI_BINARY_LEVELS);
        binary_free(&b);
    }
    free(xyz);
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
    sli_ref *other = malloc(b->refs.count * sizeof *other);
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
        sli_split_median(refs, other, &set, &split);
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
    free(other);
}

static double wide_cost(const binary *b)
{
    const sl_allocator allocator = sli_allocator(NULL);
    const sli_binary view = { .nodes = b->nodes,
                              .node_count = b->node_count,
                              .prims = &b->refs.side[0]->prim,
                              .prim_step = SLI_REF_STEP,
                              .ref_count = b->refs.count };
    const sli_widen_def def = { .line_limit = SLI_MAX_LINES, .byte_limit = SIZE_MAX };
    sl_bvh *tree = NULL;
    assert_int_equal(sli_widen(&view, b->mesh, &def, &allocator, &no_phase, &tree), SL_OK);
    for (int axis = 0; axis < 3; axis++) {
        tree->bounds.min[axis] = b->refs.bounds.min[axis];
        tree->bounds.max[axis] = b->refs.bounds.max[axis];
    }
    sli_tree_measure(tree);
    const double cost = tree->info.sah_cost;
    sl_bvh_destroy(tree);
    return cost;
}

/* Triangles of all sizes, most of them in one corner, as details are. */
static sl_mesh *details_in_a_corner(void)
{
    enum { ALL = 6000 };
    float *xyz = malloc(ALL * 9 * sizeof *xyz);
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
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz, 3 * ALL, NULL, ALL, NULL, &mesh, NULL), SL_OK);
    free(xyz);
    return mesh;
}

static void cuts_by_cost_beat_medians(void **state)
{
    (void)state;
    binary b = binary_of(details_in_a_corner(), 4);
    const double by_cost = wide_cost(&b);
    split_at_medians(&b);
    const double by_median = wide_cost(&b);
    print_message("cost %.2f, with medians %.2f\n", by_cost, by_median);
    assert_true(by_cost < 0.9 * by_median);
    binary_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_is_in_one_leaf),
        cmocka_unit_test(terrible_meshes_stay_within_the_depth),
        cmocka_unit_test(the_depth_is_used_up_and_not_passed),
        cmocka_unit_test(cuts_by_cost_beat_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
