/* Ways out of what spheres and capsules overlap: they lead to where nothing is overlapped, as every
 * triangle of the world in turn says; they are the same bits whatever the tree; they are found
 * where there is room; and none is longer than it may be. */
#include "bvh/tree/tree.h"
#include "lib/base/fpenv.h"
#include "lib/geom/sweep/sweep.h"
#include "test/support/input/world.h"
#include "test/support/test.h"

#include <sightline/sweep.h>

enum { SEED = 20261204 };

/* A sphere or capsule at a triangle, or beside it. */
static sl_volume_d draw(const sl_bvh *bvh, test_random *random)
{
    double v[3][3];
    const sl_aabb_d bounds = sl_bvh_bounds(bvh);
    (void)world_triangle(bvh, random, v);
    const bool capsule = test_random_below(random, 2) == 0;
    const double size = (bounds.max[0] - bounds.min[0]) *
                        ldexp(test_random_unit_d(random), -(int)test_random_below(random, 8));
    sl_volume_d out = { .kind = capsule ? SL_VOLUME_CAPSULE : SL_VOLUME_SPHERE };
    for (int axis = 0; axis < 3; axis++) {
        const double at = v[0][axis] + size * (2 * test_random_unit_d(random) - 1);
        if (capsule) {
            out.shape.capsule.p[axis] = at;
            out.shape.capsule.q[axis] = v[1][axis];
            out.shape.capsule.radius = size;
        } else {
            out.shape.sphere.centre[axis] = at;
            out.shape.sphere.radius = size;
        }
    }
    return out;
}

static sl_volume_d moved(const sl_volume_d *volume, const double offset[3])
{
    sl_volume_d out = *volume;
    for (int axis = 0; axis < 3; axis++) {
        if (volume->kind == SL_VOLUME_CAPSULE) {
            out.shape.capsule.p[axis] += offset[axis];
            out.shape.capsule.q[axis] += offset[axis];
        } else {
            out.shape.sphere.centre[axis] += offset[axis];
        }
    }
    return out;
}

/* As every triangle in turn says. */
static bool overlaps(const sl_bvh *bvh, const sl_volume_d *volume)
{
    const sl_sweep_d given = { .volume = *volume, .touching = SL_START_IGNORE };
    sli_sweep still;
    sl_contact contact;
    bool found = false;
    const sli_fpenv saved = sli_fpenv_enter();
    const bool valid = sli_sweep_take(&given, &still);
    for (uint32_t i = 0; valid && i < bvh->world.count; i++) {
        const sl_bvh *tree = bvh->world.transformed[i].tree;
        for (uint32_t prim = 0; tree != NULL && prim < tree->prim_count && !found; prim++) {
            double v[3][3];
            found = sl_bvh_triangle(bvh, (sl_triangle_ref){ i, prim }, v) &&
                    sli_sweep_triangle(&still, (const double(*)[3])v, 1, &contact);
        }
    }
    sli_fpenv_leave(saved);
    return found;
}

static size_t question(sl_bvh *bvh, test_random *random, size_t i)
{
    const sl_volume_d volume = draw(bvh, random);
    const bool overlapping = overlaps(bvh, &volume);
    double offset[3] = { 7, 7, 7 }, most = i % 4 == 0 ? INFINITY : test_random_unit_d(random);
    if (!sl_bvh_push_out(bvh, &volume, most, NULL, offset)) {
        return !overlapping || offset[0] != 7;
    }
    const double length =
        sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
    const sl_volume_d there = moved(&volume, offset);
    return length > most || overlaps(bvh, &there) || (!overlapping && length > 0);
}

TEST(what_was_pushed_out_overlaps_nothing)
{
    const size_t queries = test_is_brief() ? 4 : 20 * (size_t)test_scale();
    for (int kind = 0; kind < WORLD_KINDS; kind++) {
        world_ask((world_kind)kind, queries, test_seed(SEED), question);
    }
}

TEST(ways_out_are_the_same_bits_for_every_tree)
{
    const sl_build_def defs[] = { { .quality = SL_BVH_QUALITY_FAST },
                                  { .quality = SL_BVH_QUALITY_HIGH },
                                  { .layout = SL_BVH_LAYOUT_COMPACT } };
    const int rounds = test_is_brief() ? 60 : 400 * (int)test_scale();
    test_random random = { test_seed(SEED) };
    OWN(sl_mesh) mesh = made_soup(600, 0.2f, 6);
    OWN(sl_bvh) first = made_bvh(mesh, &defs[0]);
    OWN(sl_bvh) second = made_bvh(mesh, &defs[1]);
    OWN(sl_bvh) third = made_bvh(mesh, &defs[2]);
    sl_bvh *const trees[] = { first, second, third };
    for (int i = 0; i < rounds; i++) {
        const sl_volume_d volume = draw(first, &random);
        double offset[3][3] = { { 0 } };
        bool found[3];
        for (int k = 0; k < 3; k++) {
            found[k] = sl_bvh_push_out(trees[k], &volume, 3, NULL, offset[k]);
            assert_int_equal(found[k], found[0]);
            assert_memory_equal(offset[k], offset[0], sizeof offset[0]);
        }
    }
}

/* A ball in a box, at 0 .. 3 of its walls: out by little more than is needed. */
TEST(little_overlaps_are_left_by_little)
{
    static const float corners[8][3] = {
        { -1, -1, -1 }, { 1, -1, -1 }, { -1, 1, -1 }, { 1, 1, -1 },
        { -1, -1, 1 },  { 1, -1, 1 },  { -1, 1, 1 },  { 1, 1, 1 }
    };
    static const uint32_t sides[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                           { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                           { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
    OWN(sl_mesh) mesh = made_mesh(corners, 8, sides, 12, NULL);
    OWN(sl_bvh) bvh = made_bvh(mesh, NULL);
    sl_volume_d ball = { .kind = SL_VOLUME_SPHERE, .shape.sphere = { .radius = 0.25 } };
    double offset[3];
    for (int corner = 0; corner < 4; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            ball.shape.sphere.centre[axis] = axis < corner ? -0.8 : 0;
        }
        assert_true(sl_bvh_push_out(bvh, &ball, INFINITY, NULL, offset));
        for (int axis = 0; axis < 3; axis++) {
            const double needed = axis < corner ? 0.05 : 0;
            assert_true(offset[axis] >= needed && offset[axis] < needed + 1e-6);
        }
    }
    ball.kind = SL_VOLUME_AABB;
    assert_false(sl_bvh_push_out(bvh, &ball, INFINITY, NULL, offset));
    ball.kind = SL_VOLUME_SPHERE;
    ball.shape.sphere.radius = NAN;
    assert_false(sl_bvh_push_out(bvh, &ball, INFINITY, NULL, offset));
    ball.shape.sphere.radius = 3;
    assert_false(sl_bvh_push_out(bvh, &ball, 1, NULL, offset));
    assert_true(sl_bvh_push_out(bvh, &ball, INFINITY, NULL, offset));
    assert_false(sl_bvh_push_out(bvh, &ball, NAN, NULL, offset));
}
