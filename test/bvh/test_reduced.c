/* A library without threads (SL_NO_THREADS), without files (SL_NO_FILES), or without both: what it
 * says at the doors that are shut, and what it does in their place.  Only in such builds. */
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/query/every_question.h"
#include "test/support/test.h"

enum { SEED = 20261123 };

static const char OBJ[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static sl_mesh *tetrahedron(void)
{
    sl_mesh *mesh = NULL;
    assert_int_equal(sl_mesh_load_memory(OBJ, sizeof OBJ - 1, "a.obj", NULL, &mesh, NULL), SL_OK);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 4);
    return mesh;
}

static sl_bvh *tree_of(const sl_mesh *mesh, const sl_tasks *tasks)
{
    sl_build_def def = { 0 };
    sl_bvh *bvh = NULL;
    def.hooks.tasks = tasks;
    assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_OK);
    return bvh;
}

#if defined(SL_NO_FILES)

static void expect_shut(sl_result result, const sl_error *error)
{
    assert_int_equal(result, SL_UNSUPPORTED);
    assert_int_equal(error->code, SL_UNSUPPORTED);
    assert_string_equal(error->file, SOURCE_DIR "/test/data/cube.obj"); /* which is there */
    assert_string_equal(error->message, "this build has no files; use memory");
}

TEST(every_door_of_files_is_shut_in_words)
{
    static const char path[] = SOURCE_DIR "/test/data/cube.obj";
    const float corner[3] = { 0, 0, 0 };
    const sl_ply ply = { .xyz = corner, .vertex_count = 1 };
    sl_mesh *made = tetrahedron(), *mesh = made;
    sl_bvh *tree = tree_of(made, NULL), *bvh = tree;
    sl_error error;
    expect_shut(sl_mesh_load(path, NULL, &mesh, &error), &error);
    assert_null(mesh);
    expect_shut(sl_ply_write(path, &ply, &error), &error);
    expect_shut(sl_bvh_save(tree, path, &error), &error);
    expect_shut(sl_bvh_load(path, NULL, &bvh, &error), &error);
    assert_null(bvh);
    bvh = tree;
    expect_shut(sl_bvh_map(path, NULL, &bvh, &error), &error);
    assert_null(bvh);
    unmake_bvh(tree, made);
}

#endif

TEST(a_tree_goes_through_memory)
{
    OWN(sl_mesh) mesh = tetrahedron();
    OWN(sl_bvh) tree = tree_of(mesh, NULL);
    OWN(sl_bvh) back = NULL;
    const size_t size = sl_bvh_save_memory(tree, NULL);
    FREED void *bytes = made_memory(size);
    sl_bvh_save_memory(tree, bytes);
    assert_int_equal(sl_bvh_load_memory(bytes, size, NULL, &back, NULL), SL_OK);
    assert_true(sl_bvh_mesh_hash(back) == sl_mesh_hash(mesh));
    const sl_ray ray = sl_ray_make((float[3]){ 0.25f, 0.25f, -1 }, (float[3]){ 0, 0, 1 });
    assert_int_equal(sl_bvh_all(back, &ray, NULL, NULL, 0), 2);
}

#if defined(SL_NO_THREADS)

TEST(every_pool_has_one_worker)
{
    for (int asked = 0; asked < 5; asked++) {
        OWN(sl_pool) pool = NULL;
        assert_int_equal(sl_pool_create(asked, NULL, &pool, NULL), SL_OK);
        assert_int_equal(sl_pool_tasks(pool)->worker_count, 1);
    }
}

TEST(builds_in_slices_are_refused_in_words)
{
    OWN(sl_mesh) mesh = tetrahedron();
    sl_build *build = NULL;
    sl_error error;
    assert_int_equal(sl_build_begin(mesh, NULL, &build, &error), SL_NO_THREADS_LEFT);
    assert_null(build);
    assert_non_null(strstr(error.message, "built without threads"));
}

#endif

/* Three workers of the caller's own are used, and the answers are those with a pool and without
 * tasks. / */
TEST(workers_of_the_callers_own_are_used)
{
    scrambled_tasks scrambled;
    test_random random = { SEED };
    sl_mesh *mesh = NULL;
    sl_pool *pool = NULL;
    queries *asked = malloc(sizeof *asked);
    answers *expected = malloc(sizeof *expected), *got = malloc(sizeof *got);
    assert_int_equal(
        sl_mesh_generate(&(sl_mesh_shape){ SL_MESH_TORUS, { .torus = { 200, 60, 3, 1 } } }, NULL,
                         &mesh, NULL),
        SL_OK);
    assert_int_equal(sl_pool_create(4, NULL, &pool, NULL), SL_OK);
    sl_bvh *tree = tree_of(mesh, NULL);
    queries_make(mesh, &random, asked);
    queries_run(tree, asked, expected);
    sl_bvh_destroy(tree);
    const sl_tasks *ways[] = { scrambled_tasks_start(&scrambled, 3, SEED), sl_pool_tasks(pool) };
    for (int i = 0; i < 2; i++) {
        tree = tree_of(mesh, ways[i]);
        queries_run(tree, asked, got);
        assert_null(answers_differ(expected, got));
        sl_bvh_destroy(tree);
    }
    assert_int_not_equal(scrambled.random.state, SEED); /* it was drawn from, so blocks were cut */
    sl_pool_destroy(pool);
    sl_mesh_destroy(mesh);
    free(asked);
    free(expected);
    free(got);
}
