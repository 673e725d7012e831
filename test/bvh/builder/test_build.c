/* sl_bvh_build: the tree is sound, is the same for any number of workers, and a build survives
 * whatever goes wrong on the way. */
#include "bvh/tree/tree.h"
#include "lib/mesh/mesh.h"
#include "test/support/environment/callers_env.h"
#include "test/support/environment/needs.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/slender.h"
#include "test/support/input/terrible.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

#include <dirent.h>

static sl_mesh *grid(uint32_t n)
{
    return made_grid(n, n, 3, 7);
}

static const sl_bvh_quality qualities[] = { SL_BVH_QUALITY_DEFAULT, SL_BVH_QUALITY_FAST,
                                            SL_BVH_QUALITY_HIGH };
enum { QUALITIES = 3 };

static sl_bvh *build_of(sl_bvh_quality quality, const sl_mesh *mesh, const sl_tasks *tasks)
{
    sl_build_def def = { .quality = quality, .hooks.tasks = tasks };
    sl_bvh *bvh = NULL;
    sl_error error;
    assert_int_equal(sl_bvh_build(mesh, &def, &bvh, &error), SL_OK);
    return bvh;
}

static sl_bvh *build(const sl_mesh *mesh, const sl_tasks *tasks)
{
    return build_of(SL_BVH_QUALITY_DEFAULT, mesh, tasks);
}

static void check(const char *name, const sl_bvh *bvh, const sl_mesh *mesh)
{
    sl_error error = { .message = "" };
    if (!sl_bvh_check(bvh, mesh, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
}

/* Of any of the qualities. */
static void build_and_check(const char *name, sl_mesh *mesh)
{
    assert_non_null(mesh);
    const sl_bvh_quality quality = qualities[sl_mesh_soup(mesh).triangle_count % QUALITIES];
    sl_bvh *bvh = build_of(quality, mesh, NULL);
    check(name, bvh, mesh);
    unmake_bvh(bvh, mesh);
}

static bool same_tree(const sl_bvh *a, const sl_bvh *b)
{
    return a->root == b->root && a->line_count == b->line_count && a->reach == b->reach &&
           memcmp(&a->bounds, &b->bounds, sizeof a->bounds) == 0 &&
           memcmp(a->lines, b->lines, a->line_count * SLI_LINE) == 0 &&
           a->prim_count == b->prim_count &&
           memcmp(a->slots, b->slots, a->prim_count * sizeof *a->slots) == 0;
}

TEST(ordinary_meshes_give_sound_trees)
{
    build_and_check("sphere", made_sphere(30));
    build_and_check("grid", grid(70));
    build_and_check("soup", made_soup(20000, 0.05f, 11));
}

TEST(every_small_count_gives_a_sound_tree)
{
    for (size_t count = 0; count <= 70; count++) {
        build_and_check("soup", made_soup(count, 0.05f, 11));
    }
}

TEST(terrible_meshes_give_sound_trees)
{
    for (int which = 0; which < terrible_count(); which++) {
        for (size_t count = 1; count <= 5000; count = count < 40 ? count + 1 : count * 5 + 1) {
            build_and_check(terrible_name(which), terrible_make(which, count));
        }
        build_and_check(terrible_name(which), terrible_make(which, 5000));
    }
}

TEST(real_meshes_give_sound_trees)
{
    test_needs_scenes();
    const char *folder = SOURCE_DIR "/../shared/scenes/nasty";
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        print_message("there is no %s: skipped\n", folder);
        skip();
    }
    int built = 0;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[1024];
        sl_mesh_def def = { .bad = SL_BAD_LEAVE_OUT };
        sl_mesh *mesh = NULL;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (sl_mesh_load(path, &def, &mesh, NULL) == SL_OK) {
            build_and_check(entry->d_name, mesh);
            built++;
        }
    }
    closedir(dir);
    print_message("%d meshes\n", built);
    assert_true(built > 0);
}

TEST(many_identical_triangles_are_a_tree_like_any_other)
{
    OWN(sl_mesh) mesh = terrible_make(0, 250000);
    assert_non_null(mesh);
    OWN(sl_bvh) bvh = build(mesh, NULL);
    check("identical", bvh, mesh);
    /* Halving 250000 until at most 4 are left takes 16 steps and ends with 3.8 on average. */
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_int_equal(info.leaf_count, 65536);
}

TEST(no_triangles_are_an_empty_tree)
{
    OWN(sl_mesh) mesh = made_soup(0, 0.05f, 11);
    OWN(sl_bvh) bvh = build(mesh, NULL);
    check("empty", bvh, mesh);
    assert_int_equal(bvh->root, SLI_REF_EMPTY);
    const sl_aabb bounds = bounds_in_floats(bvh);
    assert_true(bounds.min[0] > bounds.max[0]);
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_int_equal(info.node_count + info.leaf_count + info.triangle_count + info.depth, 0);
    sl_triangle triangle;
    assert_false(sli_tree_triangle(bvh, 0, &triangle));
}

TEST(one_triangle_is_one_node_with_one_leaf)
{
    const float xyz[9] = { 1, 2, 3, -4, 5, 6, 7, 8, -9 };
    sl_mesh *mesh = made_mesh(xyz, 3, NULL, 1, NULL);
    OWN(sl_bvh) bvh = build(mesh, NULL);
    sl_mesh_destroy(mesh);
    const sl_bvh_info info = sl_bvh_get_info(bvh);
    assert_int_equal(info.node_count, 1);
    assert_int_equal(info.leaf_histogram[1], 1);
    assert_int_equal(info.depth, 1);
    const sl_aabb bounds = bounds_in_floats(bvh);
    const sl_aabb expected = { { -4, 2, -9 }, { 7, 8, 6 } };
    assert_memory_equal(&bounds, &expected, sizeof bounds);
    assert_true(bvh->reach == 9);
    /* The mesh is gone, the triangle is not. */
    sl_triangle triangle;
    assert_true(sli_tree_triangle(bvh, 0, &triangle));
    assert_memory_equal(&triangle, xyz, sizeof triangle);
    assert_false(sli_tree_triangle(bvh, 1, &triangle));
    assert_false(sli_tree_triangle(bvh, SL_NONE, &triangle));
}

/* Of three triangles out of four, one corner is a NaN. */
static sl_mesh *with_left_out(size_t count)
{
    OWN(sl_mesh) whole = made_soup(count, 0.05f, 11);
    FREED float *xyz = malloc(9 * count * sizeof *xyz);
    for (uint32_t prim = 0; prim < count; prim++) {
        sl_triangle triangle;
        assert_true(sl_mesh_triangle(whole, prim, &triangle));
        if (prim % 4 != 2) {
            triangle.v[prim % 3][1] = NAN;
        }
        memcpy(xyz + 9 * (size_t)prim, &triangle, sizeof triangle);
    }
    return made_loose_mesh(xyz, 3 * count, NULL, count);
}

TEST(triangles_left_out_keep_their_numbers)
{
    enum { COUNT = 30000 };
    OWN(sl_mesh) mesh = with_left_out(COUNT);
    OWN(sl_bvh) bvh = build(mesh, NULL);
    check("left out", bvh, mesh);
    assert_int_equal(sl_bvh_get_info(bvh).triangle_count, COUNT / 4);
    for (uint32_t prim = 0; prim < COUNT; prim++) {
        sl_triangle triangle;
        assert_int_equal(sli_tree_triangle(bvh, prim, &triangle), prim % 4 == 2);
    }
}

TEST(all_triangles_left_out_is_an_empty_tree)
{
    float xyz[18];
    for (int i = 0; i < 18; i++) {
        xyz[i] = NAN;
    }
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, 6, NULL, 2);
    OWN(sl_bvh) bvh = build(mesh, NULL);
    check("all left out", bvh, mesh);
    assert_int_equal(bvh->root, SLI_REF_EMPTY);
}

TEST(masks_are_copied_to_their_triangles)
{
    enum { COUNT = 1000 };
    sl_mesh *mesh = made_soup(COUNT, 0.05f, 11);
    uint32_t masks[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        masks[i] = i * 2654435761u; /* 0 first, which has all bits */
    }
    sl_build_def def = { .masks = masks };
    sl_bvh *bvh = made_bvh(mesh, &def);
    check("masks", bvh, mesh);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(sli_tree_mask(bvh, i), i == 0 ? UINT32_MAX : masks[i]);
    }
    sl_bvh_destroy(bvh);
    bvh = build(mesh, NULL);
    assert_int_equal(sli_tree_mask(bvh, COUNT - 1), UINT32_MAX);
    unmake_bvh(bvh, mesh);
}

/* Enough triangles for two levels split by all, and for several pieces of the wide tree. */
static sl_mesh *mesh_for_workers(int which)
{
    return which == 0   ? made_soup(20000, 0.05f, 11)
           : which == 1 ? grid(70)
                        : terrible_make(which - 2, 9000);
}

TEST(the_workers_leave_no_trace)
{
    static const int counts[] = { 1, 2, 3, 8 };
    for (int which = 0; which < terrible_count() + 2; which += test_is_brief() ? 4 : 1) {
        OWN(sl_mesh) mesh = mesh_for_workers(which);
        const sl_bvh_quality quality = qualities[which % QUALITIES];
        OWN(sl_bvh) alone = build_of(quality, mesh, NULL);
        check("alone", alone, mesh);
        for (int i = 0; i < 4; i++) {
            scrambled_tasks scrambled;
            const uint64_t seed = (uint64_t)(which * 4 + i);
            sl_bvh *bvh =
                build_of(quality, mesh, scrambled_tasks_start(&scrambled, counts[i], seed));
            assert_true(same_tree(alone, bvh));
            assert_false(scrambled.nested);
            sl_bvh_destroy(bvh);
        }
    }
}

TEST(threads_leave_no_trace)
{
    for (int splits = 0; splits < 2; splits++) {
        OWN(sl_mesh) mesh = splits ? slender_make(3, 12000) : made_soup(40000, 0.05f, 11);
        OWN(sl_bvh) alone = build_of(SL_BVH_QUALITY_HIGH, mesh, NULL);
        for (int workers = 2; workers <= 3; workers++) {
            OWN(sl_pool) pool = made_pool(workers);
            OWN(sl_bvh) bvh = build_of(SL_BVH_QUALITY_HIGH, mesh, sl_pool_tasks(pool));
            assert_true(same_tree(alone, bvh));
        }
    }
}

static bool go_on(void *user, const char *phase, float fraction)
{
    (void)phase;
    (void)fraction;
    ++*(int *)user;
    return true;
}

TEST(reports_leave_no_trace)
{
    OWN(sl_mesh) mesh = made_soup(140000, 0.05f, 11);
    OWN(sl_bvh) alone = build_of(SL_BVH_QUALITY_HIGH, mesh, NULL);
    int calls = 0;
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH };
    def.hooks.progress = (sl_progress){ go_on, &calls };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    assert_true(same_tree(alone, bvh));
    assert_true(calls > 10);
}

TEST(the_callers_environment_leaves_no_trace_and_is_kept)
{
    for (int which = 0; which < terrible_count() + 2; which += test_is_brief() ? 8 : 4) {
        OWN(sl_mesh) mesh = mesh_for_workers(which);
        const sl_bvh_quality quality = qualities[which / 3 % QUALITIES];
        OWN(sl_bvh) plain = build_of(quality, mesh, NULL);
        for (int env = 0; env < callers_env_count(); env++) {
            callers_env_set(env);
            OWN(sl_bvh) bvh = build_of(quality, mesh, NULL);
            const bool sound = sl_bvh_check(bvh, mesh, NULL);
            assert_true(callers_env_leave(env));
            assert_true(sound);
            assert_true(same_tree(plain, bvh));
        }
    }
}

typedef struct watch {
    int calls, stop_at;
    char phase[32];
    float fraction;
    bool fell, out_of_range;
} watch;

static bool report(void *user, const char *phase, float fraction)
{
    watch *w = user;
    w->fell = w->fell || (strcmp(phase, w->phase) == 0 && fraction < w->fraction);
    w->out_of_range = w->out_of_range || !(fraction >= 0 && fraction <= 1);
    snprintf(w->phase, sizeof w->phase, "%s", phase);
    w->fraction = fraction;
    return w->calls++ != w->stop_at;
}

TEST(progress_rises_within_a_stage)
{
    OWN(sl_mesh) mesh = made_soup(140000, 0.05f, 11);
    watch w = { .stop_at = -1 };
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH };
    def.hooks.progress = (sl_progress){ report, &w };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    assert_false(w.fell);
    assert_false(w.out_of_range);
}

TEST(cancelling_at_any_report_leaves_nothing)
{
    OWN(sl_mesh) mesh = made_soup(6000, 0.05f, 11);
    sli_failing_allocator memory;
    sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH,
                         .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    int stop_at = 0;
    for (;; stop_at++) {
        watch w = { .stop_at = stop_at };
        def.hooks.progress = (sl_progress){ report, &w };
        sl_bvh *bvh = NULL;
        sl_error error;
        const sl_result result = sl_bvh_build(mesh, &def, &bvh, &error);
        if (result == SL_OK) {
            assert_true(w.calls <= stop_at);
            sl_bvh_destroy(bvh);
            break;
        }
        assert_int_equal(result, SL_CANCELLED);
        assert_int_equal(error.code, SL_CANCELLED);
        assert_non_null(strstr(error.message, w.phase));
        assert_null(bvh);
        assert_int_equal(memory.live_blocks, 0);
    }
    assert_true(stop_at >= 7); /* each phase reports at least once */
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(any_allocation_may_fail)
{
    for (int which = 0; which < 3; which++) {
        OWN(sl_mesh) mesh = which < 2 ? made_soup(which == 0 ? 0 : 12000, 0.05f, 11)
                                      : slender_make(3, 6000); /* whose triangles are split */
        sl_build_def def = { .quality = SL_BVH_QUALITY_HIGH };
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &def.hooks.allocator)) {
            OWN(sl_bvh) bvh = NULL;
            sl_error error = { .code = SL_OK };
            const sl_result result = sl_bvh_build(mesh, &def, &bvh, &error);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
            assert_int_equal(error.code, result);
            assert_true((bvh == NULL) == memory.failed);
            if (bvh != NULL) {
                assert_true(memory.allocations > 2);
                memory.fail_at = SLI_NEVER_FAIL; /* the checker needs some, too */
                check("after failures", bvh, mesh);
            }
        }
    }
}

TEST(memory_stays_within_what_the_header_says)
{
    const int ordinary = terrible_count() + 2;
    for (int which = 0; which < ordinary + slender_count(); which++) {
        OWN(sl_mesh) mesh =
            which < ordinary ? mesh_for_workers(which) : slender_make(which - ordinary, 5000);
        sli_failing_allocator memory;
        sl_build_def def = {
            .quality = which < ordinary ? qualities[which % QUALITIES] : SL_BVH_QUALITY_HIGH,
            .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL)
        };
        OWN(sl_bvh) bvh = made_bvh(mesh, &def);
        const size_t count = sl_mesh_soup(mesh).triangle_count;
        assert_int_equal(memory.live_bytes, sl_bvh_get_info(bvh).bytes);
        /* Besides the tree, and some for chunks that are not full. */
        assert_in_range(memory.peak_bytes, 0, memory.live_bytes + 140 * count + 65536);
    }
}

TEST(a_tree_of_any_quality_says_which)
{
    for (size_t count = 0; count <= 1000; count += 1000) {
        OWN(sl_mesh) mesh = made_soup(count, 0.05f, 11);
        for (int q = 0; q < QUALITIES; q++) {
            OWN(sl_bvh) bvh = build_of(qualities[q], mesh, NULL);
            check("quality", bvh, mesh);
            assert_int_equal(sl_bvh_get_info(bvh).quality, qualities[q]);
        }
    }
}

TEST(bad_arguments_are_named)
{
    sl_error error;
    sl_bvh *bvh = NULL;
    assert_int_equal(sl_bvh_build(NULL, NULL, &bvh, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "mesh"));
    sl_mesh *mesh = made_soup(3, 0.05f, 11);
    assert_int_equal(sl_bvh_build(mesh, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "out"));
    sl_build_def def = { 0 };
    for (int wrong = -1; wrong <= 3; wrong += 4) {
        def.quality = (sl_bvh_quality)wrong;
        assert_int_equal(sl_bvh_build(mesh, &def, &bvh, NULL), SL_INVALID_ARGUMENT);
        assert_int_equal(sl_bvh_build(mesh, &def, &bvh, &error), SL_INVALID_ARGUMENT);
        assert_non_null(strstr(error.message, wrong < 0 ? "quality is -1" : "quality is 3"));
        assert_null(bvh);
    }
    const sl_tasks unusable = { .worker_count = 4 };
    def = (sl_build_def){ 0 };
    def.hooks.tasks = &unusable;
    assert_int_equal(sl_bvh_build(mesh, &def, &bvh, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "tasks"));
    assert_null(bvh);
    bvh = made_bvh(mesh, NULL);
    sl_bvh_destroy(bvh);
    unmake_bvh(NULL, mesh);
}

TEST(too_many_triangles_are_refused_before_they_are_looked_at)
{
    sl_mesh mesh = { .info = { .triangle_count = (size_t)1 << 28 } };
    sl_error error;
    sl_bvh *bvh = NULL;
    assert_int_equal(sl_bvh_build(&mesh, NULL, &bvh, &error), SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "268435456"));
    assert_null(bvh);
}
