/* A tree over triangles is a world of one instance of itself: in doubles it answers as a scene of
 * that instance does, whatever made it. */
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { QUERIES = 300, KEPT = 8 };

static double between(test_random *random, double low, double high)
{
    return low + (high - low) * (double)test_random_in(random, 0, 1);
}

static void compare_rays(const sl_bvh *tree, const sl_bvh *scene, const sl_options *options,
                         test_random *random)
{
    static sl_ray_d rays[QUERIES];
    static sl_hit_d a[QUERIES], b[QUERIES];
    uint8_t any_a[QUERIES], any_b[QUERIES];
    size_t found = 0;
    for (size_t i = 0; i < QUERIES; i++) {
        rays[i] = (sl_ray_d){ .tmax = i % 3 != 0 ? INFINITY : 1.5 };
        for (int axis = 0; axis < 3; axis++) {
            rays[i].origin[axis] = between(random, -2, 2);
            rays[i].dir[axis] = between(random, -1, 1) - 0.4 * rays[i].origin[axis];
        }
    }
    sl_bvh_closest_many(tree, sl_rays_of_d(rays, QUERIES), options, sl_hits_of_d(a), NULL, NULL);
    sl_bvh_closest_many(scene, sl_rays_of_d(rays, QUERIES), options, sl_hits_of_d(b), NULL, NULL);
    assert_memory_equal(a, b, sizeof a);
    sl_bvh_any_many(tree, sl_rays_of_d(rays, QUERIES), options, any_a, NULL, NULL, NULL);
    sl_bvh_any_many(scene, sl_rays_of_d(rays, QUERIES), options, any_b, NULL, NULL, NULL);
    assert_memory_equal(any_a, any_b, sizeof any_a);
    for (size_t i = 0; i < QUERIES; i++) {
        sl_hit_d all_a[KEPT], all_b[KEPT], one;
        const size_t total =
            all_of_one(tree, sl_rays_of_d(&rays[i], 1), options, sl_hits_of_d(all_a), KEPT, NULL);
        assert_int_equal(total, all_of_one(scene, sl_rays_of_d(&rays[i], 1), options,
                                           sl_hits_of_d(all_b), KEPT, NULL));
        assert_memory_equal(all_a, all_b, (total < KEPT ? total : KEPT) * sizeof *all_a);
        assert_true(sl_bvh_closest_d(tree, &rays[i], options, &one) == (a[i].prim != SL_NONE));
        assert_memory_equal(&one, &a[i], sizeof one);
        found += total > 0;
    }
    assert_in_range(found, QUERIES / 10, QUERIES - 1);
}

static void compare_points(const sl_bvh *tree, const sl_bvh *scene, const sl_options *options,
                           test_random *random)
{
    for (int i = 0; i < QUERIES; i++) {
        const double point[3] = { between(random, -2, 2), between(random, -2, 2),
                                  between(random, -2, 2) };
        sl_nearest_d a[KEPT], b[KEPT];
        uint32_t in_a[1], in_b[1];
        sl_volume_d ball = { .kind = SL_VOLUME_SPHERE };
        sl_triangle_ref refs_a[KEPT], refs_b[KEPT];
        assert_true(sl_bvh_nearest_d(tree, point, INFINITY, options, a));
        assert_true(sl_bvh_nearest_d(scene, point, INFINITY, options, b));
        assert_memory_equal(a, b, sizeof *a);
        const size_t found = within_of_one_d(tree, point, 1, options, a, KEPT);
        assert_int_equal(found, within_of_one_d(scene, point, 1, options, b, KEPT));
        assert_memory_equal(a, b, (found < KEPT ? found : KEPT) * sizeof *a);
        assert_int_equal(inside_of_one_d(tree, point, options, in_a, 1),
                         inside_of_one_d(scene, point, options, in_b, 1));
        memcpy(ball.shape.sphere.centre, point, sizeof point);
        ball.shape.sphere.radius = 0.75;
        const size_t touched = overlap_all_of_one_d(tree, &ball, options, refs_a, KEPT);
        assert_int_equal(touched, overlap_all_of_one_d(scene, &ball, options, refs_b, KEPT));
        assert_memory_equal(refs_a, refs_b, (touched < KEPT ? touched : KEPT) * sizeof *refs_a);
    }
}

/* Queries of everything, by mask, and without a triangle. */
static void compare(const sl_bvh *tree, uint64_t seed)
{
    const sl_instance one = sl_instance_of(tree);
    OWN(sl_bvh) scene = made_scene(&one, 1, NULL);
    const sl_options queries[] = {
        { .flags = 0 },
        { .mask = 3 },
        { .skip = &(sl_triangle_ref){ .prim = 5 }, .skip_count = 1, .cull = SL_CULL_BACK }
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        test_random random = { seed + i };
        compare_rays(tree, scene, &queries[i], &random);
        compare_points(tree, scene, &queries[i], &random);
    }
}

TEST(a_tree_that_was_built_answers_as_a_scene_of_it)
{
    OWN(sl_mesh) mesh = made_sphere(12);
    const size_t count = sl_mesh_soup(mesh).triangle_count;
    FREED uint32_t *masks = calloc(count, sizeof *masks);
    for (size_t i = 0; i < count; i++) {
        masks[i] = 1u << i % 3;
    }
    for (int kind = 0; kind < 4; kind++) {
        sl_build_def def = { 0 };
        def.layout = kind % 2 == 0 ? SL_BVH_LAYOUT_DEFAULT : SL_BVH_LAYOUT_COMPACT;
        def.masks = kind < 2 ? NULL : masks;
        OWN(sl_bvh) tree = made_bvh(mesh, &def);
        compare(tree, 1000 + (uint64_t)kind);
    }
}

TEST(a_tree_that_was_loaded_answers_as_a_scene_of_it)
{
    OWN(sl_mesh) mesh = made_sphere(9);
    sl_bvh *tree = made_bvh(mesh, NULL), *loaded = NULL;
    const size_t size = sl_bvh_save_memory(tree, NULL);
    void *bytes = NULL;
    assert_int_equal(posix_memalign(&bytes, 64, size), 0);
    sl_bvh_save_memory(tree, bytes);
    for (uint32_t flags = 0; flags < 4; flags++) {
        sl_bvh_load_def def = { .flags = flags };
        assert_int_equal(sl_bvh_load_memory(bytes, size, &def, &loaded, NULL), SL_OK);
        compare(loaded, 2000 + flags);
        sl_bvh_destroy(loaded);
    }
    free(bytes);
    sl_bvh_destroy(tree);
}

/* In new memory, in place, and in memory that was used before. */
TEST(a_tree_that_was_refitted_answers_as_a_scene_of_it)
{
    OWN(sl_mesh) mesh = made_sphere(10);
    const size_t vertices = sl_mesh_soup(mesh).vertex_count,
                 triangles = sl_mesh_soup(mesh).triangle_count;
    FREED float *xyz = malloc(3 * vertices * sizeof *xyz);
    memcpy(xyz, sl_mesh_soup(mesh).xyz, 3 * vertices * sizeof *xyz);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    OWN(sl_bvh) older = NULL;
    for (int frame = 0; frame < 6; frame++) {
        sl_refit_def def = { 0 };
        sl_bvh *next = NULL;
        for (size_t i = 0; i < 3 * vertices; i++) {
            xyz[i] = xyz[i] * 1.03f + (i % 3 == 0 ? 0.02f : 0);
        }
        def.recycle = frame % 3 == 2 ? tree : older;
        assert_int_equal(sl_bvh_refit(tree, xyz, vertices, sl_mesh_soup(mesh).indices, triangles,
                                      &def, &next, NULL),
                         SL_OK);
        if (next != tree) {
            older = tree;
        }
        tree = next;
        compare(tree, 3000 + (uint64_t)frame);
    }
}

TEST(an_empty_tree_answers_nothing)
{
    OWN(sl_mesh) mesh = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    const sl_ray_d ray = { .dir = { 0, 0, 1 }, .tmax = INFINITY };
    const double point[3] = { 0, 0, 0 };
    sl_hit_d hit;
    sl_nearest_d nearest;
    sl_path_step step;
    assert_false(sl_bvh_closest_d(tree, &ray, NULL, &hit));
    assert_int_equal(hit.prim, SL_NONE);
    assert_false(any_of_one(tree, sl_rays_of_d(&ray, 1), NULL, NULL));
    assert_false(sl_bvh_nearest_d(tree, point, INFINITY, NULL, &nearest));
    assert_int_equal(inside_of_one_d(tree, point, NULL, NULL, 0), 0);
    size_t steps = 7;
    assert_true(sl_bvh_path(tree, 0, &step, 1, &steps) && steps == 0);
    assert_false(sl_bvh_path(tree, 1, &step, 1, &steps));
}

/* What only trees over triangles have is refused to scenes, by name, and nothing is written. */
TEST(what_is_only_for_trees_refuses_scenes)
{
    OWN(sl_mesh) mesh = made_sphere(4);
    sl_bvh *tree = made_bvh(mesh, NULL), *out = NULL;
    const sl_instance one = sl_instance_of(tree);
    sl_bvh *scene = made_scene(&one, 1, NULL);
    sl_refit_def def = { 0 };
    sl_error error;
    const size_t triangles = sl_mesh_soup(mesh).triangle_count;
    assert_int_equal(sl_bvh_save(scene, "a scene", &error), SL_UNSUPPORTED);
    assert_non_null(strstr(error.message, "a scene is not saved"));
    assert_int_equal(sl_bvh_save_memory(scene, NULL), 0);
    sl_bvh_save_memory(scene, NULL);
    assert_int_equal(sl_bvh_refit(scene, sl_mesh_soup(mesh).xyz, sl_mesh_soup(mesh).vertex_count,
                                  sl_mesh_soup(mesh).indices, triangles, NULL, &out, &error),
                     SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "sl_bvh_build_instances"));
    assert_int_equal(sl_bvh_set_masks(scene, triangles, NULL, &out, &error), SL_INVALID_ARGUMENT);
    def.recycle = scene;
    assert_int_equal(sl_bvh_set_masks(tree, triangles, &def, &out, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "recycle is a scene"));
    assert_null(out);
    uint8_t touches = 7;
    uint64_t totals = 7;
    sl_inside inside = { .crossings = 7 };
    assert_int_equal(sl_bvh_self_overlap_any(scene, 0, 1, NULL, &touches, NULL, NULL),
                     SL_UNSUPPORTED);
    assert_int_equal(sl_bvh_self_pairs(scene, 0, 1, NULL, NULL, 0, &totals, NULL, NULL),
                     SL_UNSUPPORTED);
    assert_int_equal(sl_bvh_winding(scene, NULL, (float[3]){ 0 }, 1, NULL, &inside, NULL, NULL),
                     SL_UNSUPPORTED);
    assert_true(touches == 7 && totals == 7 && inside.crossings == 7);
    assert_true(sl_bvh_check(scene, NULL, &error));
    sl_bvh_destroy(scene);
    sl_bvh_destroy(tree);
}

/* What both kinds tell of themselves. */
TEST(both_kinds_have_bounds_and_figures)
{
    OWN(sl_mesh) mesh = made_sphere(4);
    OWN(sl_bvh) tree = made_bvh(mesh, NULL);
    sl_instance two[2] = { sl_instance_of(tree), sl_instance_of(tree) };
    two[1].transform.m[0][3] = 10 + 0x1p-40;
    OWN(sl_bvh) scene = made_scene(two, 2, NULL);
    const sl_aabb_d one = sl_bvh_bounds(tree), both = sl_bvh_bounds(scene);
    const sl_bvh_info of_tree = sl_bvh_get_info(tree), of_scene = sl_bvh_get_info(scene);
    assert_true(both.min[0] == one.min[0] && both.max[1] == one.max[1]);
    assert_true(both.max[0] == one.max[0] + (10 + 0x1p-40));
    assert_true(!of_tree.over_instances && of_scene.over_instances);
    assert_int_equal(of_tree.instance_count, 1);
    assert_int_equal(of_scene.instance_count, 2);
    assert_int_equal(of_tree.triangle_count, sl_mesh_soup(mesh).triangle_count);
    assert_int_equal(of_scene.triangle_count, 2 * of_tree.triangle_count);
    assert_string_equal(of_scene.kernel, of_tree.kernel);
}
