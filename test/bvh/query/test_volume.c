/* What volumes touch, against every triangle in turn. */
#include "test/support/hard/volumes.h"
#include "test/support/input/moved.h"
#include "test/support/test.h"

enum { SEED = 20260804, VOLUMES = 40, KEPT = 16, MOST = 1024 };

enum { SCENES = 8 };

static sl_mesh *scene(int i)
{
    sl_mesh *mesh = NULL;
    switch (i) {
    case 0:
        mesh = made_sphere(7);
        return mesh;
    case 1: /* steps, walls and floors on a lattice */
        mesh = made_grid(12, 12, 3, 3);
        return test_mesh_snapped(mesh, 1, 1, 0);
    case 2:
        mesh = made_soup(300, 0.3f, 9);
        return mesh;
    case 3: /* a crowd on a small lattice: touches, zero areas, points */
        mesh = made_soup(400, 0.4f, 5);
        return test_mesh_snapped(mesh, 4, 1, 0);
    case 4:
        mesh = made_sphere(5);
        return test_mesh_snapped(mesh, 3, 0x1p-130f, 0);
    case 5:
        mesh = made_sphere(5);
        return test_mesh_moved(mesh, 1e30f, 0);
    case 6:
        mesh = made_torus(12, 8, 2, 0.5f);
        return test_mesh_moved(mesh, 1, 4096);
    default:
        mesh = made_soup(1, 0.5f, 1);
        return mesh;
    }
}

static sl_bvh *tree_of(const sl_mesh *mesh, const uint32_t *masks)
{
    sl_build_def def = { .masks = masks };
    return made_bvh(mesh, &def);
}

/* All triangles that are touched, in rising order. */
static size_t in_turn(const sl_mesh *mesh, const sl_volume *volume, sl_triangle_ref *out)
{
    size_t count = 0;
    for (uint32_t prim = 0; prim < sl_mesh_soup(mesh).triangle_count; prim++) {
        sl_triangle t;
        if (sl_mesh_triangle(mesh, prim, &t) && hard_volume_touches(volume, &t)) {
            out[count++] = (sl_triangle_ref){ 0, prim };
        }
    }
    return count;
}

static void compare(const sl_bvh *bvh, const sl_volume *volume, const sl_triangle_ref *truth,
                    size_t count, size_t capacity)
{
    sl_triangle_ref found[MOST + 1];
    memset(found, 0xAA, sizeof found);
    assert_int_equal(sl_bvh_overlap_all(bvh, volume, NULL, found, capacity), count);
    const size_t kept = count < capacity ? count : capacity;
    assert_memory_equal(found, truth, kept * sizeof *found);
    assert_int_equal(found[kept].instance, 0xAAAAAAAAu);
}

TEST(the_tree_agrees_with_every_triangle_in_turn)
{
    static sl_triangle_ref truth[MOST];
    test_random random = { SEED };
    size_t none = 0, some = 0, all = 0;
    for (int s = 0; s < SCENES; s++) {
        OWN(sl_mesh) mesh = scene(s);
        OWN(sl_bvh) bvh = tree_of(mesh, NULL);
        const size_t triangles = sl_mesh_soup(mesh).triangle_count;
        for (size_t i = 0; i < HARD_VOLUME_KINDS * VOLUMES * test_scale(); i++) {
            const sl_volume volume =
                hard_volume_make(mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), &random);
            const size_t count = in_turn(mesh, &volume, truth);
            compare(bvh, &volume, truth, count, MOST);
            compare(bvh, &volume, truth, count, KEPT);
            assert_int_equal(sl_bvh_overlap_all(bvh, &volume, NULL, NULL, 0), count);
            assert_int_equal(sl_bvh_overlap_any(bvh, &volume, NULL), count > 0);
            none += count == 0;
            all += count == triangles;
            some += count > 0 && count < triangles;
        }
    }
    print_message("seed %d: %zu touch none, %zu some, %zu all\n", SEED, none, some, all);
    assert_true(none > 0 && some > none && all > 0);
}

/* The unit square in z = 0, and volumes that meet it in one point only, or nearly do. */
TEST(touching_counts)
{
    OWN(sl_mesh) mesh = made_grid(1, 1, 0, 1);
    OWN(sl_bvh) bvh = tree_of(mesh, NULL);
    const float beyond = nextafterf(1, 2);
    const float tip[15] = { 0.5f, 0.5f, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0.5f, 0.5f, beyond - 1 };
    const struct {
        sl_volume touches, misses;
    } pairs[] = {
        { { SL_VOLUME_AABB, { .aabb = { { 1, 1, 0 }, { 2, 2, 2 } } } },
          { SL_VOLUME_AABB, { .aabb = { { beyond, 1, 0 }, { 2, 2, 2 } } } } },
        { { SL_VOLUME_SPHERE, { .sphere = { { 0.5f, 0.25f, 1 }, 1 } } },
          { SL_VOLUME_SPHERE, { .sphere = { { 0.5f, 0.25f, beyond }, 1 } } } },
        /* 3-4-5: from the corner (1, 1, 0) to (4, 5, 0) */
        { { SL_VOLUME_SPHERE, { .sphere = { { 4, 5, 0 }, 5 } } },
          { SL_VOLUME_SPHERE, { .sphere = { { 4, 5, 0 }, nextafterf(5, 0) } } } },
        { { SL_VOLUME_OBB,
            { .obb = { { 0.5f, 0.5f, 2 },
                       { { 0, 0, 1 }, { 1, 1, 0 }, { -1, 1, 0 } },
                       { 2, 0.125f, 0.125f } } } },
          { SL_VOLUME_OBB,
            { .obb = { { 0.5f, 0.5f, 2 },
                       { { 0, 0, 1 }, { 1, 1, 0 }, { -1, 1, 0 } },
                       { nextafterf(2, 0), 0.125f, 0.125f } } } } },
        { { SL_VOLUME_CAPSULE, { .capsule = { { -3, 0.5f, 1 }, { 3, 0.5f, 1 }, 1 } } },
          { SL_VOLUME_CAPSULE, { .capsule = { { -3, 0.5f, 1 }, { 3, 0.5f, beyond }, 0.75f } } } },
        { { SL_VOLUME_FRUSTUM, { .frustum = { { { { -1, -1, 0 }, -2 } }, 1 } } },
          { SL_VOLUME_FRUSTUM, { .frustum = { { { { -1, -1, 0 }, -nextafterf(2, 3) } }, 1 } } } },
        { { SL_VOLUME_TRIANGLE, { .triangle = { { { 1, 1, 0 }, { 2, 1, 3 }, { 1, 2, 3 } } } } },
          { SL_VOLUME_TRIANGLE,
            { .triangle = { { { 1, beyond, 0 }, { 2, 1, 3 }, { 1, 2, 3 } } } } } },
        { { SL_VOLUME_HULL, { .hull = { tip, 4 } } },
          { SL_VOLUME_HULL, { .hull = { tip + 3, 4 } } } },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(sl_bvh_overlap_any(bvh, &pairs[i].touches, NULL));
        assert_false(sl_bvh_overlap_any(bvh, &pairs[i].misses, NULL));
    }
}

TEST(invalid_volumes_touch_nothing)
{
    OWN(sl_mesh) mesh = scene(0);
    OWN(sl_bvh) bvh = tree_of(mesh, NULL);
    const sl_obb cube = { { 0, 0, 0 }, { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, { 1, 1, 1 } };
    const float points[6] = { 0, 0, 0, 0, NAN, 0 };
    sl_obb bad_half = cube, bad_axis = cube;
    bad_half.half[1] = -1;
    bad_axis.axis[2][0] = NAN;
    const sl_volume volumes[] = {
        { SL_VOLUME_AABB, { .aabb = { { 1, -2, -2 }, { -1, 2, 2 } } } },
        { SL_VOLUME_AABB, { .aabb = { { -2, -2, NAN }, { 2, 2, 2 } } } },
        { SL_VOLUME_SPHERE, { .sphere = { { 0, 0, 0 }, -2 } } },
        { SL_VOLUME_SPHERE, { .sphere = { { 0, 0, 0 }, NAN } } },
        { SL_VOLUME_SPHERE, { .sphere = { { 0, 0, 0 }, INFINITY } } },
        { SL_VOLUME_SPHERE, { .sphere = { { NAN, 0, 0 }, 2 } } },
        { SL_VOLUME_OBB, { .obb = bad_half } },
        { SL_VOLUME_OBB, { .obb = bad_axis } },
        { SL_VOLUME_CAPSULE, { .capsule = { { 0, 0, 0 }, { 0, 0, 1 }, -2 } } },
        { SL_VOLUME_CAPSULE, { .capsule = { { 0, 0, 0 }, { 0, INFINITY, 1 }, 2 } } },
        { SL_VOLUME_FRUSTUM, { .frustum = { { { { 0, 0, 0 }, 1 } }, 1 } } },
        { SL_VOLUME_FRUSTUM, { .frustum = { { { { 0, NAN, 1 }, 1 } }, 1 } } },
        { SL_VOLUME_FRUSTUM, { .frustum = { .count = SL_FRUSTUM_PLANES_MAX + 1 } } },
        { SL_VOLUME_TRIANGLE, { .triangle = { { { -2, 0, 0 }, { 2, 0, NAN }, { 0, 2, 0 } } } } },
        { SL_VOLUME_HULL, { .hull = { points, 0 } } },
        { SL_VOLUME_HULL, { .hull = { points, 2 } } },
        { SL_VOLUME_HULL, { .hull = { points, SL_HULL_POINTS_MAX + 1 } } },
        { .kind = (sl_volume_kind)(SL_VOLUME_HULL + 1) },
        { .kind = (sl_volume_kind)-1 },
    };
    for (size_t i = 0; i < sizeof volumes / sizeof volumes[0]; i++) {
        assert_false(sl_bvh_overlap_any(bvh, &volumes[i], NULL));
        assert_int_equal(sl_bvh_overlap_all(bvh, &volumes[i], NULL, NULL, 0), 0);
    }
}

TEST(masks_and_skips_leave_triangles_out)
{
    OWN(sl_mesh) mesh = scene(2);
    uint32_t masks[MOST];
    sl_triangle_ref truth[MOST], found[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        masks[i] = 1u << i % 3;
    }
    OWN(sl_bvh) bvh = tree_of(mesh, masks);
    const sl_volume everything = { SL_VOLUME_AABB, { .aabb = { { -9, -9, -9 }, { 9, 9, 9 } } } };
    const sl_volume part = { SL_VOLUME_AABB, { .aabb = { { 0, 0, 0 }, { 0.5f, 9, 9 } } } };
    const sl_volume *volumes[2] = { &everything, &part };
    for (int v = 0; v < 2; v++) {
        const size_t all = in_turn(mesh, volumes[v], truth);
        assert_true(all > 3);
        const sl_options options = { .mask = 6,
                                     .skip = (sl_triangle_ref[]){ truth[0], truth[all - 1] },
                                     .skip_count = 2 };
        size_t count = 0;
        for (size_t i = 0; i < all; i++) {
            if ((masks[truth[i].prim] & 6) != 0 && i != 0 && i != all - 1) {
                truth[count++] = truth[i];
            }
        }
        assert_int_equal(sl_bvh_overlap_all(bvh, volumes[v], &options, found, MOST), count);
        assert_memory_equal(found, truth, count * sizeof *found);
        const sl_options nothing = { .mask = 8 };
        assert_false(sl_bvh_overlap_any(bvh, volumes[v], &nothing));
    }
}

/* With options of their own, and from several workers. */
TEST(arrays_answer_as_single_calls_do)
{
    enum { COUNT = 1200 };
    OWN(sl_mesh) mesh = scene(3);
    uint32_t masks[MOST];
    for (uint32_t i = 0; i < MOST; i++) {
        masks[i] = 1u << i % 3;
    }
    OWN(sl_bvh) bvh = tree_of(mesh, masks);
    sl_volume *volumes = calloc(COUNT, sizeof *volumes);
    sl_item_options *options = calloc(COUNT, sizeof *options);
    sl_triangle_ref(*skips)[2] = calloc(COUNT, sizeof *skips);
    FREED sl_triangle_ref *rows = calloc((size_t)COUNT * KEPT, sizeof *rows);
    FREED uint64_t *totals = calloc(COUNT, sizeof *totals);
    FREED uint8_t *touches = calloc(COUNT, 1);
    test_random random = { SEED };
    for (uint32_t i = 0; i < COUNT; i++) {
        volumes[i] = hard_volume_make(mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), &random);
        skips[i][0] = (sl_triangle_ref){ 0, i % 400 };
        skips[i][1] = (sl_triangle_ref){ 0, (i + 7) % 400 };
        options[i] = (sl_item_options){ .mask = 1u << i % 4, .skip = skips[i], .skip_count = 2 };
    }
    for (int workers = 1; workers <= 3; workers++) {
        sl_stats stats = { .rays = 0 }, single = { .rays = 0 };
        OWN(sl_pool) pool = made_pool(workers);
        const sl_tasks *tasks = sl_pool_tasks(pool);
        const sl_options query = { .items = options };
        sl_bvh_overlap_all_many(bvh, sl_volumes_of(volumes, COUNT, SL_FLOAT), &query, rows, KEPT,
                                totals, tasks, &stats);
        sl_bvh_overlap_any_many(bvh, sl_volumes_of(volumes, COUNT, SL_FLOAT), &query, touches,
                                tasks, &stats);
        for (uint32_t i = 0; i < COUNT; i++) {
            const sl_options one = {
                .flags = query.flags, .mask = options[i].mask, .skip = skips[i], .skip_count = 2
            };
            sl_triangle_ref row[KEPT];
            const sl_volumes volume = sl_volumes_of(&volumes[i], 1, SL_FLOAT);
            uint64_t total;
            uint8_t touched;
            sl_bvh_overlap_all_many(bvh, volume, &one, row, KEPT, &total, NULL, &single);
            sl_bvh_overlap_any_many(bvh, volume, &one, &touched, NULL, &single);
            assert_int_equal(totals[i], total);
            assert_memory_equal(&rows[i * KEPT], row, (total < KEPT ? total : KEPT) * sizeof *row);
            assert_int_equal(touches[i], touched);
            assert_int_equal(touches[i], total > 0);
            assert_int_equal(total, sl_bvh_overlap_all(bvh, &volumes[i], &one, NULL, 0));
            assert_int_equal(touched, sl_bvh_overlap_any(bvh, &volumes[i], &one));
        }
        assert_memory_equal(&stats, &single, sizeof stats);
    }
    free(volumes);
    free(options);
    free(skips);
}

TEST(queries_allocate_nothing)
{
    sli_failing_allocator counter;
    OWN(sl_mesh) mesh = scene(2);
    sl_build_def def = { .hooks.allocator = sli_failing_allocator_start(&counter, SLI_NEVER_FAIL) };
    OWN(sl_bvh) bvh = made_bvh(mesh, &def);
    const size_t before = counter.allocations;
    test_random random = { SEED };
    for (int i = 0; i < 60; i++) {
        const sl_volume volume =
            hard_volume_make(mesh, (sl_volume_kind)(i % HARD_VOLUME_KINDS), &random);
        sl_triangle_ref refs[KEPT];
        (void)sl_bvh_overlap_all(bvh, &volume, NULL, refs, KEPT);
        (void)sl_bvh_overlap_any(bvh, &volume, NULL);
    }
    assert_int_equal(counter.allocations, before);
}

TEST(an_empty_tree_is_never_touched)
{
    OWN(sl_mesh) mesh = made_mesh(NULL, 0, NULL, 0, NULL);
    OWN(sl_bvh) bvh = tree_of(mesh, NULL);
    const sl_volume everything = { SL_VOLUME_FRUSTUM, { .frustum = { .count = 0 } } };
    assert_false(sl_bvh_overlap_any(bvh, &everything, NULL));
}

/* A region of a 200 x 200 floor: only what shares it is looked at. */
TEST(case_51_a_small_volume_tests_few_of_the_triangles)
{
    OWN(sl_mesh) mesh = made_grid(200, 200, 1, 1);
    OWN(sl_bvh) bvh = tree_of(mesh, NULL);
    sl_stats stats = { .rays = 0 };
    const sl_volume part = { SL_VOLUME_AABB,
                             { .aabb = { { 50.25f, 70.25f, -1 }, { 52.75f, 72.75f, 2 } } } };
    uint64_t total;
    sl_bvh_overlap_all_many(bvh, sl_volumes_of(&part, 1, SL_FLOAT), NULL, NULL, 0, &total, NULL,
                            &stats);
    assert_int_equal(total, 18);
    assert_int_equal(stats.rays, 1);
    assert_int_equal(stats.hits, 18);
    assert_true(stats.triangles >= 18 && stats.triangles < 100);
    assert_true(stats.nodes > 0 && stats.nodes < 20 && stats.boxes <= 8 * stats.nodes);
}

TEST(case_52_a_volume_beside_the_bounds_tests_no_triangle)
{
    OWN(sl_mesh) mesh = scene(0);
    OWN(sl_bvh) bvh = tree_of(mesh, NULL);
    sl_stats stats = { .rays = 0 };
    const sl_volume beside = { SL_VOLUME_SPHERE, { .sphere = { { 3, 3, 3 }, 1 } } };
    uint8_t touches;
    sl_bvh_overlap_any_many(bvh, sl_volumes_of(&beside, 1, SL_FLOAT), NULL, &touches, NULL, &stats);
    assert_int_equal(touches, 0);
    assert_int_equal(stats.triangles, 0);
    assert_int_equal(stats.nodes, 1);
}
