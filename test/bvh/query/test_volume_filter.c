/* query/volume/filter.c says yes only where the exact tests agree, and says it often enough to be
 * of use.
 */
#include "bvh/query/volume/filter.h"
#include "test/support/hard/rays.h"
#include "test/support/hard/volumes.h"
#include "test/support/test.h"
#include "test/support/volume.h"

enum { SEED = 20260821, ROUNDS = 20000 };

static bool contains_point(const sl_volume *volume, const float p[3])
{
    switch (volume->kind) {
    case SL_VOLUME_OBB:
        return sl_volume_contains_point(AS_OBB(&volume->shape.obb), p);
    case SL_VOLUME_CAPSULE:
        return sl_volume_contains_point(AS_CAPSULE(&volume->shape.capsule), p);
    case SL_VOLUME_FRUSTUM:
        return sl_volume_contains_point(AS_FRUSTUM(&volume->shape.frustum), p);
    case SL_VOLUME_HULL:
        return sl_volume_contains_point(volume, p);
    default:
        return false;
    }
}

static bool touches_box(const sl_volume *volume, const sl_aabb *box)
{
    switch (volume->kind) {
    case SL_VOLUME_OBB:
        return sl_volume_overlaps_aabb(AS_OBB(&volume->shape.obb), box);
    case SL_VOLUME_CAPSULE:
        return sl_volume_overlaps_aabb(AS_CAPSULE(&volume->shape.capsule), box);
    case SL_VOLUME_FRUSTUM:
        return sl_volume_overlaps_aabb(AS_FRUSTUM(&volume->shape.frustum), box);
    case SL_VOLUME_HULL:
        return sl_volume_overlaps_aabb(volume, box);
    default:
        return sl_volume_overlaps_aabb(AS_TRIANGLE(&volume->shape.triangle), box);
    }
}

typedef struct tally {
    size_t asked, said; /* yes, out of those where it would be right */
} tally;

static void judge(bool said, bool right, tally *t)
{
    assert_true(!said || right);
    t->asked += right;
    t->said += said;
}

/* All corners of a box lie in a convex volume: so does the box. */
static bool contains_box(const sl_volume *volume, const sl_aabb *box)
{
    bool within = true;
    for (int i = 0; i < 8 && within; i++) {
        float corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (i >> axis & 1) != 0 ? box->max[axis] : box->min[axis];
        }
        within = contains_point(volume, corner);
    }
    return within;
}

/* Around one triangle, or beside it, or around many. */
static sl_aabb make_box(const sl_mesh *mesh, test_random *random)
{
    const sl_triangle a = hard_triangle(mesh, random), b = hard_triangle(mesh, random);
    const sl_aabb one = sl_aabb_of_points(a.v[0], 3), other = sl_aabb_of_points(b.v[0], 3);
    return test_random_below(random, 2) ? one : sl_aabb_join(&one, &other);
}

static void check(const sl_mesh *mesh, sl_volume_kind kind, tally tallies[5])
{
    test_random random = { SEED + (uint64_t)kind };
    for (size_t i = 0; i < ROUNDS * test_scale() / 8; i++) {
        const sl_volume volume = hard_volume_make(mesh, kind, &random);
        sli_hull hull;
        sli_volume_filter filter;
        sli_volume_filter_make(&volume, &hull, &filter);
        assert_true(filter.valid && filter.count <= SLI_VOLUME_FILTER_SLABS);
        for (int n = 0; n < 8; n++) {
            const sl_aabb box = make_box(mesh, &random);
            const sl_triangle triangle = hard_triangle(mesh, &random);
            const float *p = triangle.v[n % 3];
            const sl_aabb at = sl_aabb_of_points(p, 1);
            judge(sli_volume_filter_beside_box(&filter, &box), !touches_box(&volume, &box),
                  &tallies[0]);
            const bool touches = hard_volume_touches(&volume, &triangle);
            const sli_tribool verdict = sli_volume_filter_triangle(&filter, &triangle);
            judge(verdict == SLI_NO, !touches, &tallies[1]);
            judge(verdict == SLI_YES, touches, &tallies[4]);
            judge(sli_volume_filter_contains_box(&filter, &at), contains_point(&volume, p),
                  &tallies[2]);
            judge(sli_volume_filter_contains_box(&filter, &box), contains_box(&volume, &box),
                  &tallies[3]);
        }
    }
}

static const sl_volume_kind kinds[] = { SL_VOLUME_OBB, SL_VOLUME_CAPSULE, SL_VOLUME_FRUSTUM,
                                        SL_VOLUME_TRIANGLE, SL_VOLUME_HULL };
static const char *const words[] = { "obb", "capsule", "frustum", "triangle", "hull" };

static void on_mesh(sl_mesh *mesh, const char *name, double least)
{
    for (int k = 0; k < 5; k++) {
        tally tallies[5] = { { 0, 0 } };
        check(mesh, kinds[k], tallies);
        print_message("%s, %s: boxes beside %zu of %zu, triangles %zu of %zu; points within %zu of "
                      "%zu, boxes %zu of %zu; triangles touched %zu of %zu\n",
                      name, words[k], tallies[0].said, tallies[0].asked, tallies[1].said,
                      tallies[1].asked, tallies[2].said, tallies[2].asked, tallies[3].said,
                      tallies[3].asked, tallies[4].said, tallies[4].asked);
        /* Hulls of many planes have slabs for some of them only. */
        for (int i = 0; i < (kinds[k] == SL_VOLUME_HULL ? 2 : 4); i++) {
            assert_true((double)tallies[i].said >= least * (double)tallies[i].asked);
        }
    }
    sl_mesh_destroy(mesh);
}

/* Whole numbers: much of it touches exactly, where nothing can be said. */
/* On a lattice; and of all sizes, from where floats are sparse to where they end. */
TEST(yes_is_right_on_a_lattice_and_for_extreme_numbers)
{
    for (int extreme = 0; extreme < 2; extreme++) {
        float xyz[3 * 60];
        uint32_t indices[3 * 100];
        test_random random = { SEED };
        for (int i = 0; i < 3 * 60; i++) {
            xyz[i] = extreme ? ldexpf(test_random_in(&random, -1, 1),
                                      (int)test_random_below(&random, 200) - 120)
                             : (float)test_random_below(&random, 9) - 4;
        }
        for (int i = 0; i < 3 * 100; i++) {
            indices[i] = test_random_below(&random, 60);
        }
        on_mesh(made_mesh(xyz, 60, indices, 100, NULL), extreme ? "extreme" : "lattice", 0.5);
    }
}

TEST(yes_is_right_on_any_mesh)
{
    sl_mesh *mesh = made_soup(500, 0.2f, 3);
    on_mesh(mesh, "soup", 0.75);
}

/* A box whose axes lie in one plane is less than what lies within its slabs, one of which is
 * everything: the third axis is along the first. */
TEST(flat_boxes_contain_nothing_for_sure)
{
    const sl_volume flat = {
        .kind = SL_VOLUME_OBB,
        .shape.obb = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 2, 0, 0 } }, { 1, 1, 1 } },
    };
    const float beyond[3] = { 9, 0, 0 };
    sli_volume_filter filter;
    sli_volume_filter_make(&flat, NULL, &filter);
    assert_true(filter.valid);
    assert_false(sl_volume_contains_point(AS_OBB(&flat.shape.obb), beyond));
    const sl_aabb at = sl_aabb_of_points(beyond, 1);
    assert_false(sli_volume_filter_contains_box(&filter, &at));
}

TEST(what_is_invalid_is_told)
{
    const sl_volume volumes[] = {
        { .kind = SL_VOLUME_AABB, .shape.aabb = { { 1, 0, 0 }, { 0, 1, 1 } } },
        { .kind = SL_VOLUME_SPHERE, .shape.sphere = { { 0, NAN, 0 }, 1 } },
        { .kind = SL_VOLUME_OBB, .shape.obb = { .half = { 1, -1, 1 } } },
        { .kind = SL_VOLUME_CAPSULE, .shape.capsule = { .radius = INFINITY } },
        { .kind = SL_VOLUME_FRUSTUM, .shape.frustum = { .count = SL_FRUSTUM_PLANES_MAX + 1 } },
        { .kind = SL_VOLUME_FRUSTUM, .shape.frustum = { .count = 1 } },
        { .kind = SL_VOLUME_TRIANGLE, .shape.triangle = { { { INFINITY, 0, 0 } } } },
        { .kind = SL_VOLUME_HULL },
        { .kind = (sl_volume_kind)77 },
    };
    for (size_t i = 0; i < sizeof volumes / sizeof volumes[0]; i++) {
        sli_hull hull;
        sli_volume_filter filter;
        sli_volume_filter_make(&volumes[i], &hull, &filter);
        assert_false(filter.valid);
    }
}
