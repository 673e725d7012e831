/* test_topology_work.c: what building and updating topologies refuses and survives, and larger
 * meshes: generated and real ones against sl_mesh_inspect, and those made to be slow. */
#include "test/lib/mesh/topology_of.h"
#include "test/support/environment/callers_env.h"
#include "test/support/environment/needs.h"
#include "test/support/input/prim_ranges.h"

#include "lib/mesh/topology/number.h"

static const char cube_text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
                                "v 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                                "f 4 1 5 8\n";

/* ---- failures ---------------------------------------------------------------------------- */

TEST(updates_that_fail_change_nothing)
{
    OWN(sl_mesh) mesh = mesh_of_text(cube_text, "cube.obj");
    OWN(sl_topology) t = made_topology(mesh, NULL);
    float xyz[24];
    memcpy(xyz, sl_mesh_soup(mesh).xyz, sizeof xyz);
    for (size_t i = 0; i < 8; i++) {
        xyz[3 * i + 2] = 0; /* flat */
    }
    const uint32_t prims[3] = { 0, 12, 1 }, all[2] = { 2, 3 };
    sl_error error;
    assert_int_equal(sl_topology_update(NULL, xyz, NULL, 0, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_topology_update(t, NULL, NULL, 0, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(update_prims(t, xyz, prims, 3, &error), SL_BAD_INDEX);
    assert_non_null(strstr(error.message, "12"));
    const float bad[2] = { NAN, INFINITY };
    for (int i = 0; i < 2; i++) {
        xyz[3 * 6 + 1] = bad[i];
        assert_int_equal(sl_topology_update(t, xyz, NULL, 0, &error), SL_NOT_FINITE);
        assert_int_equal(update_prims(t, xyz, all, 2, &error), SL_NOT_FINITE);
    }
    assert_int_equal(info_of(t).feature_edge_count, 12);
    xyz[3 * 6 + 1] = 1;
    assert_int_equal(update_prims(t, xyz, prims, 0, &error), SL_OK);
    assert_int_equal(info_of(t).feature_edge_count, 12);
    assert_int_equal(sl_topology_update(t, xyz, NULL, 0, &error), SL_OK);
    /* The sides have no area now, and top and bottom no edge in common. */
    assert_int_equal(info_of(t).feature_edge_count, 0);
}

/* What is not finite elsewhere has no creases, and harms nothing where all angles are creases:
 * here a corner of the neighbour. */
TEST(updates_survive_what_is_not_finite_elsewhere)
{
    static const float square[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 1 } };
    static const uint32_t indices[6] = { 0, 1, 2, 2, 1, 3 };
    const float bad[3] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 36; i++) {
        sl_topology_def def = { 0 };
        const uint32_t prim = (uint32_t)i % 2;
        float xyz[4][3];
        def.crease_rad = i < 18 ? -1 : 0.1f;
        OWN(sl_mesh) mesh = made_loose_mesh(square, 4, indices, 2);
        OWN(sl_topology) t = made_topology(mesh, &def);
        assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), 1);
        memcpy(xyz, square, sizeof xyz);
        xyz[prim == 0 ? 3 : 0][i / 2 % 3] = bad[i / 6 % 3];
        assert_int_equal(update_prims(t, xyz[0], &prim, 1, NULL), SL_OK);
        assert_int_equal(edges_of_kind(t, SL_EDGE_CREASE), 0);
    }
}

static bool stop_at(void *user, const char *phase, float fraction)
{
    (void)fraction;
    assert_string_equal(phase, "topology");
    return (*(int *)user)-- > 0;
}

TEST(wrong_arguments_are_refused_and_work_can_be_stopped)
{
    OWN(sl_mesh) mesh = mesh_of_text(cube_text, "cube.obj");
    sl_topology *t = (sl_topology *)(void *)mesh;
    sl_error error;
    assert_int_equal(sl_topology_build(NULL, NULL, &t, &error), SL_INVALID_ARGUMENT);
    assert_null(t);
    assert_int_equal(sl_topology_build(mesh, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    const float angles[3] = { 3.2f, NAN, INFINITY };
    sl_topology_def def = { 0 };
    for (int i = 0; i < 3; i++) {
        def.crease_rad = angles[i];
        assert_int_equal(sl_topology_build(mesh, &def, &t, &error), SL_INVALID_ARGUMENT);
    }
    def = (sl_topology_def){ 0 };
    sl_result result = SL_CANCELLED;
    int steps = 0;
    for (; steps < 20 && result != SL_OK; steps++) {
        int left = steps;
        sli_failing_allocator memory;
        def.hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        def.hooks.progress = (sl_progress){ .report = stop_at, .user = &left };
        result = sl_topology_build(mesh, &def, &t, &error);
        assert_true(result == SL_OK || (result == SL_CANCELLED && t == NULL));
        sl_topology_destroy(t);
        assert_true(sli_failing_allocator_clean(&memory));
    }
    assert_true(steps > 4 && steps < 20);
}

TEST(a_refused_allocation_leaves_nothing)
{
    OWN(sl_mesh) mesh = mesh_of_text(cube_text, "cube.obj");
    sl_topology_def def = { 0 };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        OWN(sl_topology) t = (sl_topology *)(void *)mesh;
        const sl_result result = sl_topology_build(mesh, &def, &t, NULL);
        assert_true(result == (memory.failed ? SL_OUT_OF_MEMORY : SL_OK));
        assert_true((t != NULL) == (result == SL_OK));
        if (t != NULL) {
            /* Of arrays without items, one byte. */
            assert_in_range(memory.live_bytes, info_of(t).bytes, info_of(t).bytes + 8);
        }
    }
    assert_true(memory.allocations > 10);
}

TEST(no_environment_of_the_caller_changes_a_crease)
{
    OWN(sl_mesh) mesh = made_grid(40, 40, 0.9f, 3);
    OWN(sl_topology) plain = made_topology(mesh, NULL);
    assert_true(info_of(plain).feature_edge_count > 500);
    for (int env = 0; env < callers_env_count(); env++) {
        OWN(sl_topology) t = NULL;
        callers_env_set(env);
        const sl_result result = sl_topology_build(mesh, NULL, &t, NULL);
        const bool kept = callers_env_leave(env);
        assert_true(result == SL_OK && kept);
        for (uint32_t edge = 0; edge < info_of(t).edge_count; edge++) {
            assert_int_equal(edge_at(t, edge).kinds, edge_at(plain, edge).kinds);
        }
    }
}

/* ---- larger meshes ----------------------------------------------------------------------- */

/* Where no triangle is without area, inspect counts the same edges. */
static bool agrees_with_inspect(const sl_mesh *mesh)
{
    sl_mesh_report report;
    assert_int_equal(sl_mesh_inspect(mesh, NULL, NULL, &report, NULL), SL_OK);
    if (report.zero_area > 0) {
        return false;
    }
    OWN(sl_topology) t = made_topology(mesh, NULL);
    assert_int_equal(info_of(t).vertex_count, report.distinct_positions);
    assert_int_equal(info_of(t).edge_count, report.edges);
    assert_int_equal(edges_of_kind(t, SL_EDGE_BOUNDARY), report.open_edges);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD),
                     report.nonmanifold_edges + report.misoriented_edges);
    return true;
}

TEST(generated_meshes_have_the_edges_that_inspect_counts)
{
    sl_mesh *meshes[4] = { NULL };
    meshes[0] = made_sphere(20);
    meshes[1] = made_torus(30, 20, 2, 1);
    meshes[2] = made_grid(33, 17, 1, 5);
    meshes[3] = made_soup(500, 0.1f, 5);
    for (int i = 0; i < 4; i++) {
        assert_true(agrees_with_inspect(meshes[i]));
        sl_mesh_destroy(meshes[i]);
    }
}

TEST(real_meshes_have_the_edges_that_inspect_counts)
{
    test_needs_files();
    static const char *const names[] = { "spot.obj", "cube.off", "cube.ply", "cube.stl" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        OWN(sl_mesh) mesh = NULL;
        snprintf(path, sizeof path, SOURCE_DIR "/test/data/%s", names[i]);
        assert_int_equal(sl_mesh_load(path, NULL, &mesh, NULL), SL_OK);
        assert_true(agrees_with_inspect(mesh));
    }
}

/* Without triangles of no area, which inspect does not count. */
TEST(scenes_have_the_edges_that_inspect_counts)
{
    static const char *const names[] = { "bunny_rangescans.ply", "igea.ply", "level_zdm2.obj",
                                         "sponza.ply" };
    size_t found = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[1024];
        sl_mesh *mesh = NULL;
        sl_mesh *clean = NULL;
        snprintf(path, sizeof path, SOURCE_DIR "/../shared/scenes/bench/%s", names[i]);
        if (sl_mesh_load(path, NULL, &mesh, NULL) != SL_OK) {
            continue;
        }
        sl_weld_def def = { .drop = SL_DROP_ZERO_AREA };
        assert_int_equal(sl_mesh_weld(mesh, &def, &clean, NULL, NULL), SL_OK);
        assert_true(agrees_with_inspect(clean));
        sl_mesh_destroy(clean);
        sl_mesh_destroy(mesh);
        found++;
    }
    if (found == 0) {
        print_message("no scenes here: skipped\n");
        skip();
    }
}

/* Positions that all begin at one place of the table, so that they are sorted instead: each twice,
 * of which most triangles use one. */
TEST(positions_that_meet_in_the_table_are_sorted)
{
    enum { DISTINCT = 2400, VERTICES = 4 * DISTINCT / 2 };
    static float xyz[VERTICES][3];
    static uint32_t indices[VERTICES], expected[VERTICES];
    float at[3] = { 0, 0, 0 };
    uint32_t count = 0, number = 0, used = 0, words[3];
    for (uint32_t i = 0; number < DISTINCT; i++) {
        memcpy(at, &i, sizeof i); /* denormal numbers, all finite */
        sli_position_words(at, words);
        if ((sli_position_hash(words) & 16383) == 77) {
            memcpy(xyz[count++], at, sizeof at);
            memcpy(xyz[count++], at, sizeof at);
            indices[used] = count - 1 - number % 2;
            expected[used++] = number++;
        }
    }
    for (uint32_t i = 0; i < 600; i++) {
        indices[used] = i;
        expected[used++] = i / 2;
    }
    OWN(sl_topology) t = of_arrays(xyz, count, indices, used / 3);
    assert_int_equal(info_of(t).vertex_count, DISTINCT);
    for (uint32_t i = 0; i < used; i++) {
        assert_int_equal(sl_topology_element_of(t, i / 3, SL_VERTICES, i % 3), expected[i]);
    }
}

/* A fan of many triangles about one edge, and many around one vertex. */
TEST(many_triangles_at_one_edge_or_vertex_are_no_cliff)
{
    enum { FAN = 20000 };
    float *xyz = calloc(3 * (FAN + 2), sizeof *xyz);
    uint32_t *indices = calloc(3 * FAN, sizeof *indices), *prims = calloc(FAN, sizeof *prims);
    assert_true(xyz != NULL && indices != NULL && prims != NULL);
    xyz[3] = 1;
    for (uint32_t i = 0; i < FAN; i++) {
        xyz[3 * i + 6] = (float)i;
        xyz[3 * i + 7] = 1;
        indices[3 * i] = 0;
        indices[3 * i + 1] = 1;
        indices[3 * i + 2] = i + 2;
        prims[i] = i;
    }
    sl_topology *t = of_arrays(xyz, FAN + 2, indices, FAN);
    assert_int_equal(edge_at(t, 0).triangle_count, FAN);
    assert_int_equal(edges_of_kind(t, SL_EDGE_NONMANIFOLD), 1);
    assert_int_equal(sl_topology_around(t, SL_VERTICES, 0, SL_TRIANGLES, prims, FAN), FAN);
    for (uint32_t i = 0; i < FAN; i++) {
        assert_int_equal(prims[i], i);
    }
    assert_int_equal(update_prims(t, xyz, prims, FAN, NULL), SL_OK);
    sl_topology_destroy(t);
    free(xyz);
    free(indices);
    free(prims);
}
