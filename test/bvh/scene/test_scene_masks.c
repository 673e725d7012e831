/* Masks in scenes: answers are those of a scene without the instances and without the triangles
 * that a mask leaves out; subtrees of the tree over the instances are left out whole. */
#include "bvh/scene/scene.h"
#include "test/support/test.h"

enum { SEED = 20261123, TRIANGLES = 200, INSTANCES = 150, RAYS = 300, TREES = 3, MASKS = 4 };

static const uint32_t asked[MASKS] = { 1, 3, 6, UINT32_MAX };

/* Trees with masks of two bits, and for each mask that is asked for one without what it leaves
 * out, or NULL. */
typedef struct fixture {
    sl_bvh *masked[TREES], *left[TREES][MASKS];
    sl_ray rays[RAYS];
    float points[3 * RAYS];
} fixture;

static sl_bvh *left_in(const sl_mesh *mesh, const uint32_t *masks, uint32_t mask)
{
    uint32_t indices[3 * TRIANGLES];
    size_t count = 0;
    for (size_t i = 0; i < 3 * TRIANGLES; i++) {
        const bool in = (masks[i / 3] & mask) != 0;
        indices[i] = in ? sl_mesh_soup(mesh).indices[i] : SL_NONE;
        count += in;
    }
    if (count == 0) {
        return NULL;
    }
    return made_bvh_alone(made_loose_mesh(sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).vertex_count,
                                          indices, TRIANGLES),
                          NULL);
}

static void begin(fixture *f)
{
    test_random random = { SEED };
    for (uint32_t tree = 0; tree < TREES; tree++) {
        uint32_t masks[TRIANGLES];
        sl_build_def def = { 0 };
        OWN(sl_mesh) mesh = made_soup(TRIANGLES, 0.5f, SEED + tree);
        for (int i = 0; i < TRIANGLES; i++) {
            masks[i] = tree == 0 ? 2 : 1u << test_random_below(&random, 3);
        }
        def.masks = masks;
        def.layout = tree == 2 ? SL_BVH_LAYOUT_COMPACT : SL_BVH_LAYOUT_DEFAULT;
        f->masked[tree] = made_bvh(mesh, &def);
        for (int k = 0; k < MASKS; k++) {
            f->left[tree][k] = left_in(mesh, masks, asked[k]);
        }
    }
    for (int i = 0; i < RAYS; i++) {
        f->rays[i] = (sl_ray){ .tmin = 0, .tmax = INFINITY };
        for (int axis = 0; axis < 3; axis++) {
            f->rays[i].origin[axis] = test_random_in(&random, -12, 12);
            f->rays[i].dir[axis] = test_random_in(&random, -1, 1);
            f->points[3 * i + axis] = test_random_in(&random, -14, 14);
        }
    }
}

static void end(fixture *f)
{
    for (int tree = 0; tree < TREES; tree++) {
        sl_bvh_destroy(f->masked[tree]);
        for (int k = 0; k < MASKS; k++) {
            sl_bvh_destroy(f->left[tree][k]);
        }
    }
}

static void make_instances(const fixture *f, test_random *random, sl_instance *out, uint32_t *tree)
{
    for (int i = 0; i < INSTANCES; i++) {
        tree[i] = test_random_below(random, TREES);
        out[i] = sl_instance_of(f->masked[tree[i]]);
        out[i].mask = test_random_below(random, 8); /* 0, which has all bits, among them */
        for (int axis = 0; axis < 3; axis++) {
            out[i].transform.m[axis][3] = (double)test_random_in(random, -10, 10);
        }
    }
}

/* The instances and trees that a mask leaves in; outer: of the instance that all are nested in. */
static void leave_in(const fixture *f, const sl_instance *from, const uint32_t *tree, int k,
                     uint32_t outer, sl_instance *to)
{
    for (int i = 0; i < INSTANCES; i++) {
        to[i] = from[i];
        const uint32_t mask = from[i].mask != 0 ? from[i].mask : UINT32_MAX;
        to[i].bvh = (mask & outer & asked[k]) != 0 ? f->left[tree[i]][k] : NULL;
        to[i].mask = UINT32_MAX;
    }
}

static void expect_same(const fixture *f, const sl_bvh *scene, const sl_bvh *left, int k)
{
    static sl_hit a[RAYS], b[RAYS];
    static sl_nearest near_a[RAYS], near_b[RAYS];
    static uint8_t any_a[RAYS], any_b[RAYS];
    static uint64_t count_a[RAYS], count_b[RAYS];
    static sl_item_options opts[RAYS];
    const sl_options all = { .mask = asked[k] };
    const sl_options each = { .items = opts };
    for (int i = 0; i < RAYS; i++) {
        opts[i] = (sl_item_options){ .mask = asked[k] };
    }
    for (int form = 0; form < 2; form++) {
        const sl_options *options = form == 0 ? &all : &each;
        sl_bvh_closest_many(scene, sl_rays_of(f->rays, RAYS), options, sl_hits_of(a), NULL, NULL);
        sl_bvh_closest_many(left, sl_rays_of(f->rays, RAYS), NULL, sl_hits_of(b), NULL, NULL);
        assert_memory_equal(a, b, sizeof a);
        sl_bvh_any_many(scene, sl_rays_of(f->rays, RAYS), options, any_a, NULL, NULL, NULL);
        sl_bvh_any_many(left, sl_rays_of(f->rays, RAYS), NULL, any_b, NULL, NULL, NULL);
        assert_memory_equal(any_a, any_b, sizeof any_a);
        sl_bvh_all_many(scene, sl_rays_of(f->rays, RAYS), options, sl_hits_of(NULL), 0, count_a,
                        NULL, NULL);
        sl_bvh_all_many(left, sl_rays_of(f->rays, RAYS), NULL, sl_hits_of(NULL), 0, count_b, NULL,
                        NULL);
        assert_memory_equal(count_a, count_b, sizeof count_a);
        sl_bvh_nearest_many(scene, sl_points_of(f->points, RAYS, SL_FLOAT), 100, options,
                            sl_nearests_of(near_a, SL_FLOAT), NULL, NULL);
        sl_bvh_nearest_many(left, sl_points_of(f->points, RAYS, SL_FLOAT), 100, NULL,
                            sl_nearests_of(near_b, SL_FLOAT), NULL, NULL);
        assert_memory_equal(near_a, near_b, sizeof near_a);
    }
    for (size_t i = 0; i < 40; i++) {
        sl_hit one = { .t = 0 }, other = { .t = 0 };
        sl_volume ball = { .kind = SL_VOLUME_SPHERE };
        memcpy(ball.shape.sphere.centre, &f->points[(size_t)3 * i], 3 * sizeof(float));
        ball.shape.sphere.radius = 1;
        assert_int_equal(sl_bvh_closest(scene, &f->rays[i], &all, &one),
                         sl_bvh_closest(left, &f->rays[i], NULL, &other));
        assert_memory_equal(&one, &other, sizeof one);
        assert_int_equal(sl_bvh_any(scene, &f->rays[i], &all), sl_bvh_any(left, &f->rays[i], NULL));
        assert_int_equal(sl_bvh_overlap_all(scene, &ball, &all, NULL, 0),
                         sl_bvh_overlap_all(left, &ball, NULL, NULL, 0));
    }
}

static sl_bvh *build(const sl_instance *instances, size_t count, const sl_bvh *previous,
                     sl_bvh *recycle)
{
    sl_instances_def def = (sl_instances_def){ 0 };
    def.previous = previous;
    def.recycle = recycle;
    return made_scene(instances, count, &def);
}

/* Versions that follow one another; the last ones have no masks any more. */
TEST(masks_ask_a_scene_without_the_rest)
{
    enum { VERSIONS = 12 };
    UNDONE(end) fixture f;
    test_random random = { SEED };
    sl_instance given[INSTANCES], left[INSTANCES];
    uint32_t tree[INSTANCES];
    OWN(sl_bvh) now = NULL;
    OWN(sl_bvh) before = NULL;
    begin(&f);
    for (int version = 0; version < VERSIONS; version++) {
        make_instances(&f, &random, given, tree);
        for (int i = 0; i < INSTANCES && version >= VERSIONS - 2; i++) {
            given[i].mask = UINT32_MAX;
            given[i].bvh = f.left[tree[i]][MASKS - 1];
        }
        sl_bvh *next = build(given, INSTANCES, now, before);
        before = now;
        now = next;
        assert_true(sl_bvh_check(now->instances->top.tree, NULL, NULL));
        for (int k = 0; k < MASKS && version < VERSIONS - 2; k++) {
            leave_in(&f, given, tree, k, UINT32_MAX, left);
            OWN(sl_bvh) other = build(left, INSTANCES, NULL, NULL);
            expect_same(&f, now, other, k);
        }
        for (int k = 0; k < MASKS && version >= VERSIONS - 2; k++) {
            expect_same(&f, now, now, k);
        }
    }
}

TEST(nested_masks_are_bits_that_all_have)
{
    UNDONE(end) fixture f;
    test_random random = { SEED };
    sl_instance given[INSTANCES], left[INSTANCES];
    uint32_t tree[INSTANCES];
    begin(&f);
    make_instances(&f, &random, given, tree);
    OWN(sl_bvh) inner = build(given, INSTANCES, NULL, NULL);
    const sl_instance outer = { .bvh = inner, .transform = sl_transform_identity(), .mask = 5 };
    OWN(sl_bvh) scene = build(&outer, 1, NULL, NULL);
    for (int k = 0; k < MASKS; k++) {
        leave_in(&f, given, tree, k, outer.mask, left);
        OWN(sl_bvh) other = build(left, INSTANCES, NULL, NULL);
        expect_same(&f, scene, other, k);
    }
}

/* A query of two bits: the instance has one of them, its triangles the other. */
TEST(the_two_bits_may_differ)
{
    UNDONE(end) fixture f;
    sl_instance given[INSTANCES], left[INSTANCES];
    uint32_t tree[INSTANCES];
    test_random random = { SEED };
    begin(&f);
    make_instances(&f, &random, given, tree);
    for (int i = 0; i < INSTANCES; i++) {
        tree[i] = 0; /* all of whose triangles have bit 1 */
        given[i].bvh = f.masked[0];
        given[i].mask = 1;
    }
    OWN(sl_bvh) scene = build(given, INSTANCES, NULL, NULL);
    leave_in(&f, given, tree, 1, UINT32_MAX, left);
    OWN(sl_bvh) other = build(left, INSTANCES, NULL, NULL);
    assert_true(sl_bvh_all(other, &f.rays[0], NULL, NULL, 0) +
                    sl_bvh_all(other, &f.rays[1], NULL, NULL, 0) +
                    sl_bvh_all(other, &f.rays[2], NULL, NULL, 0) >
                0);
    expect_same(&f, scene, other, 1);
}

TEST(subtrees_over_instances_are_left_out)
{
    UNDONE(end) fixture f;
    sl_instance given[INSTANCES];
    uint32_t tree[INSTANCES];
    test_random random = { SEED };
    sl_stats stats[2] = { { 0 }, { 0 } };
    static sl_hit hits[RAYS];
    begin(&f);
    make_instances(&f, &random, given, tree);
    for (int i = 0; i < INSTANCES; i++) {
        given[i].bvh = f.left[1][MASKS - 1];
        given[i].mask = given[i].transform.m[0][3] < -6 ? 1 : 2;
    }
    OWN(sl_bvh) scene = build(given, INSTANCES, NULL, NULL);
    assert_true(scene->instances->top.tree->child_masks.present);
    for (int i = 0; i < 2; i++) {
        const sl_options options = { .mask = 1 };
        sl_bvh_closest_many(scene, sl_rays_of(f.rays, RAYS), &options, sl_hits_of(hits), NULL,
                            &stats[i]);
        scene->instances->top.tree->child_masks.present = false;
    }
    assert_true(stats[0].nodes * 10 < stats[1].nodes * 9);
}
