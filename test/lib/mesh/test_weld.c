/* Welding: what becomes one, what is dropped, and where everything went. */
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

enum { ALL = SL_DROP_LEFT_OUT | SL_DROP_ZERO_AREA | SL_DROP_DUPLICATES };

static const float corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const uint32_t tetrahedron[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };

/* Every triangle with corners of its own, zeros of either sign. */
static sl_mesh *unwelded_tetrahedron(void)
{
    float own[12][3];
    for (size_t i = 0; i < 12; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            const float x = corners[tetrahedron[i / 3][i % 3]][axis];
            own[i][axis] = x == 0 && i >= 6 ? -0.0f : x;
        }
    }
    return made_loose_mesh(own, 12, NULL, 4);
}

TEST(equal_vertices_become_the_first_of_them)
{
    OWN(sl_mesh) mesh = unwelded_tetrahedron();
    OWN(sl_mesh) welded = NULL;
    uint32_t vertex_map[12], triangle_map[4];
    sl_weld_def def = { .vertex_map = vertex_map, .triangle_map = triangle_map };
    sl_weld_report report;
    assert_int_equal(sl_mesh_weld(mesh, &def, &welded, &report, NULL), SL_OK);
    assert_int_equal(sl_mesh_soup(welded).vertex_count, 4);
    assert_int_equal(report.merged_vertices, 8);
    assert_int_equal(report.unused_vertices, 0);
    /* In the order in which they first come: 0, 2, 1 of the first face, 3 of the second. */
    static const uint32_t order[4] = { 0, 2, 1, 3 };
    static const uint32_t expected[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 2, 1, 3 }, { 0, 3, 1 } };
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(sl_mesh_soup(welded).xyz + 3 * i, corners[order[i]], 12);
        assert_int_equal(triangle_map[i], i);
    }
    assert_memory_equal(sl_mesh_soup(welded).indices, expected, sizeof expected);
    assert_memory_equal(vertex_map, expected, sizeof expected); /* corner i was vertex i */
    sl_mesh_report shape;
    assert_int_equal(sl_mesh_inspect(welded, NULL, NULL, &shape, NULL), SL_OK);
    assert_true(shape.closed);
}

/* Two equal ones of any winding, one without area that is also repeated, one left out, and vertices
 * that no triangle uses then. */
static const float some[8][3] = { { 0, 0, 0 }, { 1, 0, 0 },   { 0, 1, 0 }, { 0, 0, 0 },
                                  { 9, 9, 9 }, { NAN, 0, 0 }, { 2, 0, 0 }, { 0, 1, 0 } };
static const uint32_t faces[7][3] = { { 3, 1, 2 }, { 6, 1, 0 }, { 0, 7, 1 }, { 0, 1, 5 },
                                      { 1, 2, 4 }, { 0, 1, 6 }, { 1, 7, 3 } };

TEST(what_is_asked_for_is_dropped_and_told)
{
    OWN(sl_mesh) mesh = made_loose_mesh(some, 8, faces, 7);
    for (uint32_t drop = 0; drop <= ALL; drop++) {
        OWN(sl_mesh) welded = NULL;
        uint32_t vertex_map[8], triangle_map[7], next = 0;
        sl_weld_def def = { .drop = drop, .vertex_map = vertex_map, .triangle_map = triangle_map };
        sl_weld_report report;
        assert_int_equal(sl_mesh_weld(mesh, &def, &welded, &report, NULL), SL_OK);
        const bool out = (drop & SL_DROP_LEFT_OUT) != 0, flat = (drop & SL_DROP_ZERO_AREA) != 0;
        const bool equal = (drop & SL_DROP_DUPLICATES) != 0;
        assert_int_equal(report.left_out, out ? 1 : 0);
        assert_int_equal(report.zero_area, flat ? 2 : 0);
        assert_int_equal(report.duplicates, (equal ? 2 : 0) + (equal && !flat ? 1 : 0));
        const bool gone[7] = { false, flat, equal, out, false, flat || equal, equal };
        for (size_t i = 0; i < 7; i++) {
            assert_int_equal(triangle_map[i], gone[i] ? SL_NONE : next++);
        }
        assert_int_equal(sl_mesh_soup(welded).triangle_count, next);
        /* 0, 1, 2, 4 and, with the flat ones, 6 stay; the unused is 5. */
        assert_int_equal(sl_mesh_soup(welded).vertex_count, flat ? 4 : 5);
        assert_int_equal(vertex_map[5], SL_NONE);
        assert_int_equal(vertex_map[6], flat ? SL_NONE : 4);
        assert_int_equal(vertex_map[4], 3);
        assert_int_equal(report.merged_vertices + report.unused_vertices,
                         8 - sl_mesh_soup(welded).vertex_count);
        assert_int_equal(sl_mesh_get_info(welded).left_out, out ? 0 : 1);
    }
}

/* Random triangles on a lattice: whatever stays is the triangle it was, by the map and the face. */
TEST(triangles_are_what_they_were)
{
    enum { COUNT = 600 };
    test_random random = { 20261122 };
    static float xyz[9 * COUNT];
    for (size_t i = 0; i < 9 * COUNT; i++) {
        xyz[i] = (float)test_random_below(&random, 4);
        xyz[i] = xyz[i] == 0 && i % 2 == 0 ? -0.0f : xyz[i];
    }
    xyz[9 * 77] = INFINITY;
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, 3 * COUNT, NULL, COUNT);
    for (uint32_t drop = 0; drop <= ALL; drop++) {
        static uint32_t map[COUNT], vertices[3 * COUNT];
        sl_weld_def def = { .drop = drop, .triangle_map = map, .vertex_map = vertices };
        OWN(sl_mesh) welded = NULL;
        assert_int_equal(sl_mesh_weld(mesh, &def, &welded, NULL, NULL), SL_OK);
        assert_true(sl_mesh_soup(welded).vertex_count <= 64);
        size_t kept = 0;
        for (uint32_t prim = 0; prim < COUNT; prim++) {
            sl_triangle before, after;
            if (map[prim] == SL_NONE) {
                continue;
            }
            assert_int_equal(map[prim], kept++);
            assert_int_equal(sl_mesh_face(welded, map[prim]), prim);
            const bool there = sl_mesh_triangle(mesh, prim, &before);
            assert_int_equal(sl_mesh_triangle(welded, map[prim], &after), there);
            for (int i = 0; i < 9 && there; i++) {
                assert_true(before.v[i / 3][i % 3] == after.v[i / 3][i % 3]);
            }
        }
        assert_int_equal(kept, sl_mesh_soup(welded).triangle_count);
        sl_mesh_report report;
        assert_int_equal(sl_mesh_inspect(welded, NULL, NULL, &report, NULL), SL_OK);
        assert_int_equal(report.distinct_positions, sl_mesh_soup(welded).vertex_count);
        assert_int_equal(report.unused_vertices, 0);
        assert_true((drop & SL_DROP_ZERO_AREA) == 0 || report.zero_area == 0);
        assert_true((drop & SL_DROP_DUPLICATES) == 0 || report.duplicates == 0);
        assert_true((drop & SL_DROP_LEFT_OUT) == 0 || report.left_out == 0);
    }
}

/* Two quads of a file, the first without area: the others keep their face. */
TEST(faces_of_the_file_are_kept)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 1 2\nf 1 2 3 4\n";
    OWN(sl_mesh) mesh = NULL;
    OWN(sl_mesh) welded = NULL;
    assert_int_equal(sl_mesh_load_memory(text, sizeof text - 1, "x.obj", NULL, &mesh, NULL), SL_OK);
    sl_weld_def def = { .drop = SL_DROP_ZERO_AREA };
    assert_int_equal(sl_mesh_weld(mesh, &def, &welded, NULL, NULL), SL_OK);
    assert_int_equal(sl_mesh_soup(welded).triangle_count, 2);
    assert_int_equal(sl_mesh_face(welded, 0), 1);
    assert_int_equal(sl_mesh_face(welded, 1), 1);
    const sl_mesh_info info = sl_mesh_get_info(welded);
    assert_int_equal(info.face_count, 2);
    assert_string_equal(info.format, "obj");
}

TEST(nothing_welds_to_nothing)
{
    sl_weld_def def = { .drop = ALL };
    static const uint32_t bad[1][3] = { { 7, 7, 7 } };
    static const uint32_t flat[1][3] = { { 0, 1, 1 } };
    for (int i = 0; i < 3; i++) {
        sl_mesh *mesh =
            made_loose_mesh(corners, i == 0 ? 0 : 4, i == 1 ? bad : flat, i == 0 ? 0 : 1);
        sl_mesh *welded = NULL;
        assert_int_equal(sl_mesh_weld(mesh, &def, &welded, NULL, NULL), SL_OK);
        assert_int_equal(sl_mesh_soup(welded).triangle_count, 0);
        assert_int_equal(sl_mesh_soup(welded).vertex_count, 0);
        sl_mesh_destroy(welded);
        sl_mesh_destroy(mesh);
    }
}

TEST(every_failed_allocation_is_survived)
{
    OWN(sl_mesh) mesh = made_loose_mesh(some, 8, faces, 7);
    uint32_t map[8];
    sl_weld_def def = { .drop = ALL, .vertex_map = map };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        map[0] = 12345;
        sl_weld_report report = { .merged_vertices = 12345 };
        OWN(sl_mesh) welded = mesh;
        const sl_result result = sl_mesh_weld(mesh, &def, &welded, &report, NULL);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((report.merged_vertices == 12345) == memory.failed);
        assert_true((map[0] == 12345) == memory.failed);
        assert_true((welded == NULL) == memory.failed);
    }
}

static bool stop_after(void *user, const char *stage, float fraction)
{
    assert_string_equal(stage, "weld");
    assert_true(fraction >= 0 && fraction <= 1);
    int *calls = user;
    return (*calls)-- > 0;
}

TEST(the_progress_hook_stops_it)
{
    OWN(sl_mesh) mesh = unwelded_tetrahedron();
    int allowed = 0;
    for (;; allowed++) {
        sli_failing_allocator memory;
        int calls = allowed;
        sl_weld_def def = { .hooks.allocator =
                                sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
        def.hooks.progress = (sl_progress){ .report = stop_after, .user = &calls };
        sl_mesh *welded = NULL;
        const sl_result result = sl_mesh_weld(mesh, &def, &welded, NULL, NULL);
        sl_mesh_destroy(welded);
        assert_int_equal(memory.live_blocks, 0);
        if (result == SL_OK) {
            break;
        }
        assert_int_equal(result, SL_CANCELLED);
        assert_null(welded);
    }
    assert_true(allowed > 1);
}

TEST(wrong_arguments_are_refused)
{
    sl_mesh *mesh = unwelded_tetrahedron(), *welded = NULL;
    sl_weld_def def = { 0 };
    sl_error error;
    assert_int_equal(sl_mesh_weld(NULL, &def, &welded, NULL, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_weld(mesh, &def, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    def.drop = 8;
    assert_int_equal(sl_mesh_weld(mesh, &def, &welded, NULL, &error), SL_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "0x8"));
    assert_null(welded);
    sl_mesh_destroy(mesh);
}

/* A triangle of denormal size has area to every caller, and zeros are equal. */
TEST(callers_environments_do_not_matter)
{
    const float tiny = 0x1p-149f;
    const float xyz[6][3] = { { 0, 0, 0 },         { tiny, 0, 0 }, { 0, tiny, 0 },
                              { -0.0f, -0.0f, 0 }, { tiny, 0, 0 }, { 0, 0, tiny } };
    for (int env = 0; env < callers_env_count(); env++) {
        callers_env_set(env);
        OWN(sl_mesh) mesh = made_loose_mesh(xyz, 6, NULL, 2);
        OWN(sl_mesh) welded = NULL;
        sl_weld_def def = { .drop = ALL };
        const sl_result result = sl_mesh_weld(mesh, &def, &welded, NULL, NULL);
        assert_true(callers_env_leave(env));
        assert_int_equal(result, SL_OK);
        assert_int_equal(sl_mesh_soup(welded).triangle_count, 2);
        assert_int_equal(sl_mesh_soup(welded).vertex_count, 4);
    }
}
