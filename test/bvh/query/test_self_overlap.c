/* Where meshes meet themselves, against every pair in turn. */
#include "bvh/query/brute_force.h"
#include "test/support/environment/scrambled_tasks.h"
#include "test/support/input/shred.h"
#include "test/support/input/slender.h"
#include "test/support/input/solids.h"
#include "test/support/input/terrible.h"
#include "test/support/oracle/triangle_pair_oracle.h"
#include "test/support/query/of_one.h"
#include "test/support/test.h"

enum { SEED = 20261122, MOST = 2048, KEPT = 7 };

static sl_bvh *tree_of(const sl_mesh *mesh, sl_bvh_quality quality, const uint32_t *masks)
{
    sl_build_def def = { .quality = quality, .masks = masks };
    return made_bvh(mesh, &def);
}

/* Corners of a small lattice: much is shared, in line, in one plane and without area. */
static sl_mesh *lattice_mesh(size_t count, uint32_t side, uint64_t seed)
{
    test_random random = { seed };
    FREED float *xyz = malloc(9 * count * sizeof *xyz);
    for (size_t i = 0; i < 9 * count; i++) {
        xyz[i] = (float)test_random_below(&random, side);
    }
    return made_mesh(xyz, 3 * count, NULL, count, NULL);
}

/* Every answer about the mesh from one tree; returns how many pairs there are. */
static size_t compare_tree(const sl_mesh *mesh, const sl_bvh *bvh, const sl_options *options)
{
    const uint32_t count = (uint32_t)sl_mesh_soup(mesh).triangle_count;
    const sl_soup soup = sl_mesh_soup(mesh);
    sl_triangle_ref truth[MOST], found[MOST + 1];
    FREED uint8_t *meets = calloc(count + 1, 1);
    size_t pairs = 0;
    assert_true(count <= MOST);
    for (uint32_t prim = 0; prim < count; prim++) {
        const size_t total = sli_soup_self_pairs(&soup, prim, options, truth, MOST);
        memset(found, 0xAA, sizeof found);
        assert_int_equal(self_pairs_of(bvh, prim, options, found, MOST), total);
        assert_memory_equal(found, truth, total * sizeof *found);
        memset(found, 0xAA, sizeof found);
        assert_int_equal(self_pairs_of(bvh, prim, options, found, KEPT), total);
        const size_t kept = total < KEPT ? total : KEPT;
        assert_memory_equal(found, truth, kept * sizeof *found);
        assert_int_equal(found[kept].instance, 0xAAAAAAAAu);
        assert_int_equal(self_pairs_of(bvh, prim, options, NULL, 0), total);
        meets[prim] |= total > 0;
        for (size_t i = 0; i < total; i++) {
            meets[truth[i].prim] = 1;
        }
        pairs += total;
    }
    for (uint32_t prim = 0; prim < count; prim++) {
        assert_int_equal(self_overlaps(bvh, prim, options), meets[prim]);
    }
    return pairs;
}

static size_t compare(sl_mesh *mesh)
{
    size_t pairs = 0;
    static const sl_bvh_quality qualities[] = { SL_BVH_QUALITY_DEFAULT, SL_BVH_QUALITY_HIGH };
    for (int i = 0; i < 2; i++) {
        OWN(sl_bvh) bvh = tree_of(mesh, qualities[i], NULL);
        pairs = compare_tree(mesh, bvh, NULL);
    }
    sl_bvh *shredded = shred_build(mesh, NULL, SEED);
    assert_int_equal(compare_tree(mesh, shredded, NULL), pairs);
    unmake_bvh(shredded, mesh);
    return pairs;
}

TEST(the_tree_agrees_with_every_pair_in_turn)
{
    sl_mesh *mesh = made_soup(500, 0.3f, 3);
    assert_true(compare(mesh) > 100);
    for (uint32_t side = 2; side < 7; side++) {
        assert_true(compare(lattice_mesh(150, side, SEED + side)) > 100);
    }
    for (int which = 0; which < slender_count(); which++) {
        (void)compare(slender_make(which, 120));
    }
    for (int which = 0; which < terrible_count(); which++) {
        (void)compare(terrible_make(which, 100));
    }
}

/* Smooth, flat, tiny and far: a closed surface without folds meets itself nowhere. */
TEST(meshes_without_folds_do_not_meet_themselves)
{
    sl_mesh *mesh = made_sphere(9);
    assert_int_equal(compare(mesh), 0);
    mesh = made_torus(13, 9, 2, 0.5f);
    assert_int_equal(compare(mesh), 0);
    mesh = made_grid(20, 15, 3, 3);
    assert_int_equal(compare(mesh), 0);
    mesh = made_grid(20, 15, 0, 3);
    assert_int_equal(compare(mesh), 0);
    assert_int_equal(compare(solid_make(SOLID_CUBE)), 0);
    assert_int_equal(compare(solid_make(SOLID_TINY)), 0);
    assert_int_equal(compare(solid_make(SOLID_CHECKERS)), 0);
}

TEST(the_oracle_of_fractions_agrees)
{
    OWN(sl_mesh) mesh = lattice_mesh(40, 4, SEED);
    const sl_soup soup = sl_mesh_soup(mesh);
    for (uint32_t i = 0; i < 40; i++) {
        sl_triangle_ref others[40];
        const size_t total = sli_soup_self_pairs(&soup, i, NULL, others, 40);
        size_t next = 0;
        for (uint32_t j = i + 1; j < 40; j++) {
            sl_triangle a, b;
            assert_true(sl_mesh_triangle(mesh, i, &a) && sl_mesh_triangle(mesh, j, &b));
            if (oracle_meet_elsewhere(&a, &b)) {
                assert_true(next < total && others[next].prim == j);
                next++;
            }
        }
        assert_int_equal(next, total);
    }
}

/* The cubes [0, 2]^3 and [1/2, 5/2]^3 go through each other; neither meets itself. */
TEST(solids_through_one_another_meet)
{
    OWN(sl_mesh) cube = solid_cube(2);
    OWN(sl_mesh) moved =
        solid_placed(cube, (float[3]){ 1, 1, 1 }, (float[3]){ 0.5f, 0.5f, 0.5f }, false);
    OWN(sl_mesh) both = solid_join(cube, moved);
    OWN(sl_bvh) bvh = tree_of(both, SL_BVH_QUALITY_DEFAULT, NULL);
    const uint32_t half = (uint32_t)sl_mesh_soup(cube).triangle_count;
    size_t pairs = 0;
    for (uint32_t prim = 0; prim < 2 * half; prim++) {
        sl_triangle_ref others[96];
        const size_t total = self_pairs_of(bvh, prim, NULL, others, 96);
        for (size_t i = 0; i < total; i++) {
            assert_true(prim < half && others[i].prim >= half);
        }
        pairs += total;
    }
    assert_true(pairs >= 12);
}

TEST(masks_and_skips_leave_triangles_out)
{
    enum { COUNT = 200 };
    OWN(sl_mesh) mesh = lattice_mesh(COUNT, 5, SEED);
    sl_soup soup = sl_mesh_soup(mesh);
    uint32_t masks[COUNT];
    sl_triangle_ref all[COUNT], found[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        masks[i] = 1u << i % 3;
    }
    OWN(sl_bvh) bvh = tree_of(mesh, SL_BVH_QUALITY_DEFAULT, masks);
    const sl_options options = { .mask = 6,
                                 .skip = (sl_triangle_ref[]){ { 0, 100 }, { 0, 101 } },
                                 .skip_count = 2 };
    for (uint32_t prim = 0; prim < COUNT; prim++) {
        const bool there = prim % 3 != 0 && prim != 100 && prim != 101;
        size_t total = sli_soup_self_pairs(&soup, prim, NULL, all, COUNT), count = 0;
        for (size_t i = 0; i < total && there; i++) {
            if (all[i].prim % 3 != 0 && all[i].prim != 100 && all[i].prim != 101) {
                all[count++] = all[i];
            }
        }
        assert_int_equal(self_pairs_of(bvh, prim, &options, found, COUNT), count);
        assert_memory_equal(found, all, count * sizeof *found);
    }
    soup.masks = masks;
    OWN(sl_bvh) other = shred_build(mesh, masks, SEED);
    assert_true(compare_tree(mesh, bvh, NULL) > 0);
    for (uint32_t prim = 0; prim < COUNT; prim++) {
        const size_t total = sli_soup_self_pairs(&soup, prim, &options, all, COUNT);
        assert_int_equal(self_pairs_of(other, prim, &options, found, COUNT), total);
        assert_memory_equal(found, all, total * sizeof *found);
    }
}

TEST(arrays_answer_as_single_calls_do)
{
    enum { COUNT = 700, FIRST = 13 };
    OWN(sl_mesh) mesh = made_soup(COUNT, 0.3f, 3);
    OWN(sl_bvh) bvh = tree_of(mesh, SL_BVH_QUALITY_HIGH, NULL);
    static sl_triangle_ref rows[COUNT * KEPT];
    static uint64_t totals[COUNT];
    static uint8_t touches[COUNT];
    for (int workers = 1; workers <= 3; workers++) {
        scrambled_tasks scrambled;
        const sl_tasks *tasks = scrambled_tasks_start(&scrambled, workers, SEED);
        sl_stats stats = { .rays = 0 }, single = { .rays = 0 };
        sl_bvh_self_pairs(bvh, FIRST, COUNT, NULL, rows, KEPT, totals, tasks, &stats);
        sl_bvh_self_overlap_any(bvh, FIRST, COUNT, NULL, touches, tasks, &stats);
        for (uint32_t i = 0; i < COUNT; i++) { /* the last of them are beyond the end */
            sl_triangle_ref row[KEPT];
            uint64_t total;
            uint8_t touched;
            sl_bvh_self_pairs(bvh, FIRST + i, 1, NULL, row, KEPT, &total, NULL, &single);
            sl_bvh_self_overlap_any(bvh, FIRST + i, 1, NULL, &touched, NULL, &single);
            assert_int_equal(totals[i], total);
            assert_memory_equal(rows + (size_t)i * KEPT, row,
                                (total < KEPT ? total : KEPT) * sizeof *row);
            assert_int_equal(touches[i], touched);
        }
        assert_memory_equal(&stats, &single, sizeof stats);
    }
}

TEST(who_is_not_there_meets_nothing)
{
    static const float xyz[5][3] = {
        { 0, 0, 0 }, { 4, 0, 0 }, { 0, 4, 0 }, { 1, 1, 1 }, { NAN, 1, -1 }
    };
    static const uint32_t faces[3][3] = { { 0, 1, 2 }, { 2, 3, 4 }, { 0, 3, 9 } };
    OWN(sl_mesh) mesh = made_loose_mesh(&xyz[0][0], 5, faces, 3);
    sl_bvh *bvh = tree_of(mesh, SL_BVH_QUALITY_DEFAULT, NULL);
    const uint32_t prims[] = { 0, 1, 2, 3, SL_NONE - 1, SL_NONE };
    sl_triangle_ref others[4];
    for (size_t i = 0; i < sizeof prims / sizeof prims[0]; i++) {
        assert_false(self_overlaps(bvh, prims[i], NULL));
        assert_int_equal(self_pairs_of(bvh, prims[i], NULL, others, 4), 0);
    }
    uint8_t touches[4];
    sl_bvh_self_overlap_any(bvh, SL_NONE - 1, 4, NULL, touches, NULL, NULL);
    assert_int_equal(touches[0] | touches[1] | touches[2] | touches[3], 0);
    sl_bvh_destroy(bvh);
    /* Soups may hold anything. */
    const uint32_t wild[3][3] = { { 0, 1, 2 }, { 2, 3, 4 }, { 1, 2, 3 } };
    const sl_soup soup = { .xyz = &xyz[0][0], .indices = &wild[0][0], .triangle_count = 3 };
    for (uint32_t prim = 0; prim < 5; prim++) {
        assert_int_equal(sli_soup_self_pairs(&soup, prim, NULL, others, 4), 0);
    }
}
