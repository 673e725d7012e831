#include "bvh/tree/tree.h"
#include "test/support/test.h"

/* count triangles, each of which spans the box from (x, 0, 0) to (x + 1, 1, 1). */
static void unit_triangles(float *xyz, int count, float x)
{
    const float corners[9] = { x, 0, 0, x + 1, 1, 0, x, 1, 1 };
    for (int i = 0; i < count; i++) {
        memcpy(xyz + 9 * i, corners, sizeof corners);
    }
}

static sl_bvh *build(const float *xyz, size_t count)
{
    return made_bvh_alone(made_mesh(xyz, 3 * count, NULL, count, NULL), NULL);
}

/* Four triangles at x = 0, three at x = 9: one node with two leaves.  Half surfaces: the bounds
 * 10 x 1 x 1 have 21, each leaf 3.  Cost: 1 for the root and 0.7 * 3 / 21 for each leaf: 1.2. */
TEST(two_leaves_cost_what_the_sum_says)
{
    float xyz[7 * 9];
    unit_triangles(xyz, 4, 0);
    unit_triangles(xyz + 4 * 9, 3, 9);
    OWN(sl_bvh) bvh = build(xyz, 7);
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_int_equal(info.triangle_count, 7);
    assert_int_equal(info.node_count, 1);
    assert_int_equal(info.child_count, 2);
    assert_int_equal(info.leaf_count, 2);
    const size_t histogram[5] = { 0, 0, 0, 1, 1 };
    assert_memory_equal(info.leaf_histogram, histogram, sizeof histogram);
    assert_int_equal(info.depth, 1);
    assert_true(info.sah_cost > 1.2 - 1e-12 && info.sah_cost < 1.2 + 1e-12);
    /* Header and node of 4 lines each, two leaves of 3; a place for each triangle. */
    assert_int_equal(info.bytes, sizeof(sl_bvh) + sli_own_world_bytes(bvh) + sizeof(sli_family) +
                                     14 * 64 + 7 * 4);
    assert_true(info.bytes_per_triangle == (double)info.bytes / 7);
    assert_non_null(info.kernel);
}

/* Bounds without area: every box is as likely as the bounds themselves. */
TEST(points_cost_every_leaf)
{
    const float xyz[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    OWN(sl_bvh) bvh = build(xyz, 1);
    const double cost = sl_bvh_get_info(bvh).sah_cost;
    assert_true(cost > 1.7 - 1e-12 && cost < 1.7 + 1e-12);
}

TEST(nothing_costs_nothing)
{
    const float xyz[1] = { 0 };
    OWN(sl_bvh) bvh = build(xyz, 0);
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_true(info.sah_cost == 0 && info.bytes_per_triangle == 0);
    assert_int_equal(info.bytes,
                     sizeof(sl_bvh) + sli_own_world_bytes(bvh) + sizeof(sli_family) + 4 * 64);
}
