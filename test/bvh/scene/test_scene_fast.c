/* Scenes of many instances with the fast tree over them: sound, the same answers as with the
 * ordinary one, and the same tree with any number of workers. */
#include "bvh/scene/scene.h"
#include "test/support/input/solids.h"
#include "test/support/test.h"

enum { COUNT = 20011, SEED = 20261127 };

typedef enum shape {
    EVEN = 0,     /* anywhere in a cube, one in a hundred a hole */
    CLUSTERS = 1, /* of all sizes */
    OUTLIER = 2,  /* one is far away */
    WIDE = 3,     /* one in 50 is as large as the cube */
    PLACES = 4,   /* on few places, many on each */
    ONE = 5,      /* all on one place */
    FLAT = 6      /* in a plane */
} shape;

static void place(sl_instance *instance, shape kind, uint32_t i, test_random *random)
{
    double at[3], scale[3];
    const double cluster = kind == CLUSTERS ? pow(2, -(double)(i % 16)) : 1;
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = cluster * (double)test_random_in(random, 0, 200);
        at[axis] = kind == PLACES ? floor(at[axis] / 50) : kind == ONE ? 1 : at[axis];
        scale[axis] = kind == WIDE && i % 50 == 0 ? 100 : (double)test_random_in(random, 0.5f, 1);
    }
    at[2] = kind == FLAT ? 0 : at[2];
    at[0] = kind == OUTLIER && i == COUNT / 2 ? 1e9 : at[0];
    assert_true(sl_transform_from_trs(at, NULL, scale, &instance->transform));
}

static sl_bvh *build(const sl_instance *instances, const sl_instances_def *def)
{
    sl_bvh *scene = NULL;
    sl_error error = { .message = "" };
    if (sl_bvh_build_instances(instances, COUNT, def, &scene, &error) != SL_OK ||
        !sl_bvh_check(scene->instances->top.tree, NULL, &error)) {
        fail_msg("%s", error.message);
    }
    return scene;
}

/* Boxes with triangles that are exactly those of the instances. */
static void check_boxes(const sl_bvh *a, const sl_bvh *b)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        sl_triangle x, y;
        const bool there = sli_tree_triangle(a->instances->top.tree, i, &x);
        assert_int_equal(there, sli_tree_triangle(b->instances->top.tree, i, &y));
        assert_true(!there || memcmp(&x, &y, sizeof x) == 0);
    }
}

static void check_rays(const sl_bvh *a, const sl_bvh *b, const sl_instance *instances, size_t count,
                       test_random *random)
{
    size_t hits = 0;
    for (size_t i = 0; i < count; i++) {
        sl_ray ray = { .tmax = INFINITY };
        sl_hit x, y;
        const sl_instance *at = &instances[test_random_below(random, COUNT)];
        for (int axis = 0; axis < 3; axis++) {
            const float from = test_random_in(random, -20, 220);
            ray.origin[axis] = from;
            ray.dir[axis] =
                (float)at->transform.m[axis][3] + test_random_in(random, 0, 0.5f) - from;
        }
        const bool hit = sl_bvh_closest(a, &ray, NULL, &x);
        assert_int_equal(hit, sl_bvh_closest(b, &ray, NULL, &y));
        if (hit) {
            assert_true(x.t == y.t);
            assert_int_equal(x.instance, y.instance);
            assert_int_equal(x.prim, y.prim);
        }
        hits += hit;
    }
    assert_true(hits > 0);
}

static void check_same_tree(const sl_bvh *a, const sl_bvh *b)
{
    assert_int_equal(a->instances->top.tree->line_count, b->instances->top.tree->line_count);
    assert_memory_equal(a->instances->top.tree->lines, b->instances->top.tree->lines,
                        a->instances->top.tree->line_count * SLI_LINE);
}

static void shape_is_answered(const sl_bvh *tree, shape kind)
{
    test_random random = { SEED };
    FREED sl_instance *instances = made_zeros(COUNT, sizeof *instances);
    OWN(sl_pool) pool = made_pool(3);
    for (uint32_t i = 0; i < COUNT; i++) {
        instances[i] = sl_instance_of(kind == EVEN && i % 100 == 7 ? NULL : tree);
        place(&instances[i], kind, i, &random);
    }
    const size_t rays = kind == ONE ? 4 : kind == WIDE || kind == PLACES ? 60 : 600;
    sl_instances_def def = (sl_instances_def){ 0 };
    OWN(sl_bvh) ordinary = build(instances, &def);
    def.quality = SL_BVH_QUALITY_FAST;
    OWN(sl_bvh) fast = build(instances, &def);
    def.hooks.tasks = sl_pool_tasks(pool);
    OWN(sl_bvh) parallel = build(instances, &def);
    check_same_tree(fast, parallel);
    check_boxes(ordinary, fast);
    check_rays(ordinary, fast, instances, rays, &random);
    for (uint32_t i = 0; i < COUNT; i++) {
        instances[i].transform.m[i % 3][3] += 0.25;
    }
    def.previous = fast;
    OWN(sl_bvh) next = build(instances, &def);
    def = (sl_instances_def){ 0 };
    OWN(sl_bvh) anew = build(instances, &def);
    check_boxes(anew, next);
    check_rays(anew, next, instances, rays, &random);
}

TEST(fast_trees_answer_alike)
{
    OWN(sl_mesh) mesh = solid_make(SOLID_CUBE);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    for (int kind = EVEN; kind <= FLAT; kind++) {
        shape_is_answered(tree, (shape)kind);
    }
}
