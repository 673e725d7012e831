/* test_inspect.c: what sl_mesh_inspect counts, on meshes small enough to count by hand. */
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

/* Corners of a tetrahedron, and its faces wound outward. */
static const float corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const uint32_t tetrahedron[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };

static sl_mesh_report inspect(const void *xyz, size_t vertices, const void *indices,
                              size_t triangles)
{
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, vertices, indices, triangles);
    sl_mesh_report report;
    assert_int_equal(sl_mesh_inspect(mesh, NULL, NULL, &report, NULL), SL_OK);
    return report;
}

static void assert_report(sl_mesh_report found, sl_mesh_report expected)
{
    assert_int_equal(found.zero_area, expected.zero_area);
    assert_int_equal(found.duplicates, expected.duplicates);
    assert_int_equal(found.unused_vertices, expected.unused_vertices);
    assert_int_equal(found.distinct_positions, expected.distinct_positions);
    assert_int_equal(found.edges, expected.edges);
    assert_int_equal(found.open_edges, expected.open_edges);
    assert_int_equal(found.nonmanifold_edges, expected.nonmanifold_edges);
    assert_int_equal(found.misoriented_edges, expected.misoriented_edges);
    assert_int_equal(found.closed, expected.closed);
}

/* Faults as they come, for comparing with a list of them. */
typedef struct listing {
    sl_fault faults[40];
    size_t count, limit;
} listing;

static bool keep(void *user, const sl_fault *fault)
{
    listing *all = user;
    assert_true(all->count < sizeof all->faults / sizeof all->faults[0]);
    all->faults[all->count++] = *fault;
    return all->count < all->limit;
}

static sl_result list_faults(const sl_mesh *mesh, listing *all, size_t limit)
{
    *all = (listing){ .limit = limit };
    const sl_fault_hook hook = { .found = keep, .user = all };
    return sl_mesh_inspect(mesh, NULL, &hook, NULL, NULL);
}

static void assert_faults(const void *xyz, size_t vertices, const void *indices, size_t triangles,
                          const sl_fault *expected, size_t count)
{
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, vertices, indices, triangles);
    listing all;
    assert_int_equal(list_faults(mesh, &all, SIZE_MAX), SL_OK);
    for (size_t i = 0; i < count && i < all.count; i++) {
        assert_int_equal(all.faults[i].kind, expected[i].kind);
        assert_int_equal(all.faults[i].prim, expected[i].prim);
        assert_int_equal(all.faults[i].other, expected[i].other);
        assert_int_equal(all.faults[i].vertex[0], expected[i].vertex[0]);
        assert_int_equal(all.faults[i].vertex[1], expected[i].vertex[1]);
        assert_int_equal(all.faults[i].uses, expected[i].uses);
    }
    assert_int_equal(all.count, count);
    for (size_t limit = 1; limit < count; limit++) { /* and no further than wanted */
        assert_int_equal(list_faults(mesh, &all, limit), SL_CANCELLED);
        assert_int_equal(all.count, limit);
    }
}

TEST(a_tetrahedron_is_closed)
{
    assert_report(inspect(corners, 4, tetrahedron, 4),
                  (sl_mesh_report){ .distinct_positions = 4, .edges = 6, .closed = true });
}

/* Every triangle with corners of its own, as STL has it. */
TEST(unwelded_meshes_are_judged_by_shape)
{
    float own[12][3];
    for (size_t i = 0; i < 12; i++) {
        memcpy(own[i], corners[tetrahedron[i / 3][i % 3]], sizeof own[i]);
    }
    assert_report(inspect(own, 12, NULL, 4),
                  (sl_mesh_report){ .distinct_positions = 4, .edges = 6, .closed = true });
}

TEST(zeros_of_either_sign_are_one_position)
{
    float own[12][3];
    for (size_t i = 0; i < 12; i++) {
        memcpy(own[i], corners[tetrahedron[i / 3][i % 3]], sizeof own[i]);
        for (size_t axis = 0; axis < 3; axis++) {
            if (own[i][axis] == 0 && (i + axis) % 2 == 0) {
                own[i][axis] = -0.0f;
            }
        }
    }
    assert_report(inspect(own, 12, NULL, 4),
                  (sl_mesh_report){ .distinct_positions = 4, .edges = 6, .closed = true });
}

/* Without its last face three edges are left with one triangle. */
TEST(a_missing_face_opens_three_edges)
{
    assert_report(inspect(corners, 4, tetrahedron, 3),
                  (sl_mesh_report){ .distinct_positions = 4, .edges = 6, .open_edges = 3 });
}

TEST(a_face_left_out_is_a_missing_face)
{
    uint32_t faces[4][3];
    memcpy(faces, tetrahedron, sizeof faces);
    faces[1][2] = 17;
    assert_report(inspect(corners, 4, faces, 4),
                  (sl_mesh_report){ .distinct_positions = 4, .edges = 6, .open_edges = 3 });
}

/* A flipped face runs along each of its edges the way its neighbour does. */
TEST(a_flipped_face_misorients_three_edges)
{
    uint32_t faces[4][3];
    memcpy(faces, tetrahedron, sizeof faces);
    faces[2][0] = 2;
    faces[2][1] = 1;
    assert_report(inspect(corners, 4, faces, 4),
                  (sl_mesh_report){ .distinct_positions = 4, .edges = 6, .misoriented_edges = 3 });
}

/* The same face again, turned and then flipped: two duplicates, and three edges with four uses. */
TEST(a_doubled_face_is_a_duplicate_and_not_manifold)
{
    uint32_t faces[6][3];
    memcpy(faces, tetrahedron, sizeof tetrahedron);
    const uint32_t turned[3] = { 2, 3, 1 }, flipped[3] = { 3, 2, 1 };
    memcpy(faces[4], turned, sizeof turned);
    memcpy(faces[5], flipped, sizeof flipped);
    assert_report(inspect(corners, 4, faces, 6), (sl_mesh_report){ .duplicates = 2,
                                                                   .distinct_positions = 4,
                                                                   .edges = 6,
                                                                   .nonmanifold_edges = 3 });
}

/* Three pages of a book: its spine has three triangles, the other two edges of each page one. */
TEST(pages_of_a_book_are_not_manifold)
{
    const float xyz[5][3] = { { 0, 0, 0 }, { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 }, { -1, -1, 0 } };
    const uint32_t pages[3][3] = { { 0, 1, 2 }, { 0, 1, 3 }, { 1, 0, 4 } };
    assert_report(inspect(xyz, 5, pages, 3), (sl_mesh_report){ .distinct_positions = 5,
                                                               .edges = 7,
                                                               .open_edges = 6,
                                                               .nonmanifold_edges = 1 });
}

/* Two triangles that run along their common edge the same way. */
TEST(two_that_run_the_same_way_are_misoriented)
{
    const uint32_t pair[2][3] = { { 0, 1, 2 }, { 0, 1, 3 } };
    assert_report(inspect(corners, 4, pair, 2), (sl_mesh_report){ .distinct_positions = 4,
                                                                  .edges = 5,
                                                                  .open_edges = 4,
                                                                  .misoriented_edges = 1 });
}

/* Corners in one line, a corner twice, and one that only rounding would call flat; the first two
 * are exactly zero, whatever their size.  Their edges do not count. */
TEST(zero_area_is_decided_exactly)
{
    const float xyz[9][3] = {
        { 0, 0, 0 }, { 1, 1e-30f, 3 }, { 2, 2e-30f, 6 }, /* in one line: twice 1e-30f is 2e-30f */
        { 5, 5, 5 }, { 5, 5, 5 },      { 6, 7, 8 },      /* a corner twice */
        { 0, 0, 0 }, { 1, 1, 1 },      { 2, 2, 2.0000002f }, /* one ulp beside the line */
    };
    assert_true(2 * 1e-30f == 2e-30f);
    const sl_mesh_report report = inspect(xyz, 9, NULL, 3);
    assert_int_equal(report.zero_area, 2);
    assert_int_equal(report.edges, 3);
    assert_int_equal(report.open_edges, 3);
    assert_int_equal(report.distinct_positions, 7);
}

TEST(unused_vertices_are_counted_whatever_they_are)
{
    float xyz[7][3] = { { 0 } };
    memcpy(xyz, corners, sizeof corners);
    xyz[4][0] = 1; /* where vertex 1 is */
    xyz[5][1] = NAN;
    xyz[6][2] = 9;
    assert_report(inspect(xyz, 7, tetrahedron, 4),
                  (sl_mesh_report){
                      .unused_vertices = 3, .distinct_positions = 4, .edges = 6, .closed = true });
}

TEST(nothing_is_not_closed)
{
    assert_report(inspect(NULL, 0, NULL, 0), (sl_mesh_report){ 0 });
    const uint32_t bad[1][3] = { { 7, 7, 7 } };
    assert_report(inspect(corners, 4, bad, 1), (sl_mesh_report){ .unused_vertices = 4 });
    const uint32_t flat[1][3] = { { 0, 1, 1 } };
    assert_report(
        inspect(corners, 4, flat, 1),
        (sl_mesh_report){ .zero_area = 1, .unused_vertices = 2, .distinct_positions = 2 });
}

/* Without its last face: (0, 3), (3, 2) and (2, 0) are used once, by 1, 2 and 0. */
TEST(faults_name_open_edges)
{
    const sl_fault expected[] = { { SL_FAULT_OPEN_EDGE, 0, SL_NONE, { 0, 2 }, 1 },
                                  { SL_FAULT_OPEN_EDGE, 1, SL_NONE, { 3, 0 }, 1 },
                                  { SL_FAULT_OPEN_EDGE, 2, SL_NONE, { 2, 3 }, 1 } };
    assert_faults(corners, 4, tetrahedron, 3, expected, 3);
    assert_faults(corners, 4, tetrahedron, 4, NULL, 0);
}

/* The face 1, 2, 3 again, turned and flipped: its edges have four uses, the first by 0, 1 and 2. */
TEST(faults_name_duplicates_and_their_edges)
{
    uint32_t faces[6][3];
    memcpy(faces, tetrahedron, sizeof tetrahedron);
    const uint32_t turned[3] = { 2, 3, 1 }, flipped[3] = { 3, 2, 1 };
    memcpy(faces[4], turned, sizeof turned);
    memcpy(faces[5], flipped, sizeof flipped);
    const sl_fault expected[] = { { SL_FAULT_DUPLICATE, 4, 2, { SL_NONE, SL_NONE }, 0 },
                                  { SL_FAULT_DUPLICATE, 5, 2, { SL_NONE, SL_NONE }, 0 },
                                  { SL_FAULT_NONMANIFOLD_EDGE, 0, 2, { 2, 1 }, 4 },
                                  { SL_FAULT_NONMANIFOLD_EDGE, 1, 2, { 1, 3 }, 4 },
                                  { SL_FAULT_NONMANIFOLD_EDGE, 2, 3, { 2, 3 }, 4 } };
    assert_faults(corners, 4, faces, 6, expected, 5);
}

/* A bad index, a NaN that a triangle uses, one that none does, no area, and a flipped face. */
TEST(faults_of_every_other_kind_are_named)
{
    float xyz[7][3] = { { 0 } };
    memcpy(xyz, corners, sizeof corners);
    xyz[4][0] = NAN;
    xyz[5][1] = -INFINITY;
    const uint32_t faces[8][3] = { { 0, 2, 1 }, { 0, 1, 9 }, { 0, 1, 3 }, { 1, 2, 4 },
                                   { 2, 2, 1 }, { 2, 1, 3 }, { 0, 3, 2 }, { 3, 1, 3 } };
    const sl_fault expected[] = { { SL_FAULT_LEFT_OUT, 1, SL_NONE, { SL_NONE, SL_NONE }, 0 },
                                  { SL_FAULT_LEFT_OUT, 3, SL_NONE, { SL_NONE, SL_NONE }, 0 },
                                  { SL_FAULT_NOT_FINITE, SL_NONE, SL_NONE, { 4, 4 }, 0 },
                                  { SL_FAULT_NOT_FINITE, SL_NONE, SL_NONE, { 5, 5 }, 0 },
                                  { SL_FAULT_UNUSED_VERTEX, SL_NONE, SL_NONE, { 4, 4 }, 0 },
                                  { SL_FAULT_UNUSED_VERTEX, SL_NONE, SL_NONE, { 5, 5 }, 0 },
                                  { SL_FAULT_UNUSED_VERTEX, SL_NONE, SL_NONE, { 6, 6 }, 0 },
                                  { SL_FAULT_ZERO_AREA, 4, SL_NONE, { SL_NONE, SL_NONE }, 0 },
                                  { SL_FAULT_ZERO_AREA, 7, SL_NONE, { SL_NONE, SL_NONE }, 0 },
                                  { SL_FAULT_MISORIENTED_EDGE, 0, 5, { 2, 1 }, 2 },
                                  { SL_FAULT_MISORIENTED_EDGE, 2, 5, { 1, 3 }, 2 },
                                  { SL_FAULT_MISORIENTED_EDGE, 5, 6, { 3, 2 }, 2 } };
    assert_faults(xyz, 7, faces, 8, expected, 12);
    const sl_mesh_report report = inspect(xyz, 7, faces, 8);
    assert_int_equal(report.left_out, 2);
    assert_int_equal(report.not_finite_vertices, 2);
    assert_int_equal(report.unused_vertices, 3);
    assert_int_equal(report.zero_area, 2);
}

/* Thousands of equal triangles, and a fan of thousands around one edge: time stays linear, and the
 * test within its time limit. */
TEST(hostile_meshes_take_no_longer)
{
    const size_t count = 100000;
    FREED float *xyz = malloc((count + 2) * 3 * sizeof *xyz);
    FREED uint32_t *same = malloc(count * 3 * sizeof *same);
    FREED uint32_t *fan = malloc(count * 3 * sizeof *fan);
    for (size_t i = 0; i < count + 2; i++) {
        const float point[3] = { i == 0 ? 0 : 1, (float)i, i < 2 ? 0 : 1 };
        memcpy(xyz + 3 * i, point, sizeof point);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first[3] = { i % 3, (i + 1) % 3, (i + 2) % 3 }, page[3] = { 0, 1, i + 2 };
        memcpy(same + 3 * (size_t)i, first, sizeof first);
        memcpy(fan + 3 * (size_t)i, page, sizeof page);
    }
    sl_mesh_report report = inspect(xyz, count + 2, same, count);
    assert_int_equal(report.duplicates, count - 1);
    assert_int_equal(report.nonmanifold_edges, 3);
    report = inspect(xyz, count + 2, fan, count);
    assert_int_equal(report.duplicates, 0);
    assert_int_equal(report.edges, 2 * count + 1);
    assert_int_equal(report.nonmanifold_edges, 1);
    assert_int_equal(report.open_edges, 2 * count);
}

TEST(memory_is_about_100_bytes_a_triangle)
{
    sli_failing_allocator memory;
    const sl_hooks hooks = { .allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    OWN(sl_mesh) mesh = made_soup(1000, 1, 1);
    sl_mesh_report report;
    assert_int_equal(sl_mesh_inspect(mesh, &hooks, NULL, &report, NULL), SL_OK);
    assert_true(memory.peak_bytes <= 100 * 1000);
    assert_int_equal(memory.live_blocks, 0);
}

TEST(every_failed_allocation_is_survived)
{
    OWN(sl_mesh) mesh = made_sphere(3);
    sl_hooks hooks = { .progress = { NULL, NULL } };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &hooks.allocator)) {
        sl_mesh_report report = { .edges = 12345 };
        sl_error error;
        const sl_result result = sl_mesh_inspect(mesh, &hooks, NULL, &report, &error);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((report.edges == 12345) == memory.failed); /* outputs untouched */
    }
}

static bool stop_after(void *user, const char *stage, float fraction)
{
    assert_string_equal(stage, "inspect");
    assert_true(fraction >= 0 && fraction <= 1);
    int *calls = user;
    return (*calls)-- > 0;
}

TEST(the_progress_hook_stops_it)
{
    OWN(sl_mesh) mesh = made_sphere(3);
    int allowed = 0;
    for (;; allowed++) {
        sli_failing_allocator memory;
        int calls = allowed;
        const sl_hooks hooks = {
            .allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL),
            .progress = { .report = stop_after, .user = &calls },
        };
        sl_mesh_report report;
        const sl_result result = sl_mesh_inspect(mesh, &hooks, NULL, &report, NULL);
        assert_int_equal(memory.live_blocks, 0);
        if (result == SL_OK) {
            break;
        }
        assert_int_equal(result, SL_CANCELLED);
    }
    assert_true(allowed > 0);
}

TEST(wrong_arguments_are_refused)
{
    sl_mesh_report report;
    const sl_hooks hooks = { .tasks = NULL };
    assert_int_equal(sl_mesh_inspect(NULL, &hooks, NULL, &report, NULL), SL_INVALID_ARGUMENT);
    OWN(sl_mesh) mesh = made_sphere(1);
    assert_int_equal(sl_mesh_inspect(mesh, &hooks, NULL, NULL, NULL), SL_INVALID_ARGUMENT);
    const sl_fault_hook none = { .found = NULL };
    assert_int_equal(sl_mesh_inspect(mesh, &hooks, &none, &report, NULL), SL_INVALID_ARGUMENT);
}

/* A triangle of denormal size has area to every caller. */
TEST(callers_environments_do_not_matter)
{
    const float tiny = 0x1p-149f;
    const float xyz[3][3] = { { 0, 0, 0 }, { tiny, 0, 0 }, { 0, tiny, 0 } };
    for (int env = 0; env < callers_env_count(); env++) {
        callers_env_set(env);
        const sl_mesh_report report = inspect(xyz, 3, NULL, 1);
        assert_true(callers_env_leave(env));
        assert_int_equal(report.zero_area, 0);
        assert_int_equal(report.distinct_positions, 3);
        assert_int_equal(report.edges, 3);
    }
}
