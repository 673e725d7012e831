/* test_boundary.c: which edges are left over, on meshes small enough to count by hand. */
#include "lib/geom/closest/boundary_winding.h"
#include "test/support/input/random.h"
#include "test/support/test.h"

/* Corners of a tetrahedron, and its faces wound outward. */
static const float corners[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const uint32_t tetrahedron[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };

static sl_boundary *boundary_of(const void *xyz, const void *indices, size_t triangles,
                                const sl_options *options)
{
    const sl_soup soup = { .xyz = xyz, .indices = indices, .triangle_count = triangles };
    sl_boundary *boundary = NULL;
    assert_int_equal(sl_boundary_create(&soup, options, NULL, &boundary, NULL), SL_OK);
    assert_non_null(boundary);
    return boundary;
}

static void assert_counts(sl_boundary *boundary, size_t edges, size_t odd)
{
    const sl_boundary_info info = sl_boundary_get_info(boundary);
    assert_int_equal(info.edge_count, edges);
    assert_int_equal(info.odd_count, odd);
    sl_boundary_destroy(boundary);
}

TEST(a_tetrahedron_has_none)
{
    assert_counts(boundary_of(corners, tetrahedron, 4, NULL), 0, 0);
    assert_counts(boundary_of(corners, NULL, 0, NULL), 0, 0);
}

TEST(positions_count_not_vertices)
{
    static const uint32_t in_order[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    float own[12][3];
    for (size_t i = 0; i < 12; i++) {
        memcpy(own[i], corners[tetrahedron[i / 3][i % 3]], sizeof own[i]);
        own[i][i % 3] = own[i][i % 3] == 0 ? -0.0f : own[i][i % 3]; /* of either sign */
    }
    assert_counts(boundary_of(own, in_order, 4, NULL), 0, 0);
}

/* Face 3, which runs 0, 3, 2, is missing: the others are left with 3 to 0, 2 to 3, 0 to 2. */
TEST(a_hole_is_run_around_by_its_neighbours)
{
    sl_boundary *boundary = boundary_of(corners, tetrahedron, 3, NULL);
    assert_int_equal(boundary->info.edge_count, 3);
    bool seen[4][4] = { { false } };
    for (size_t i = 0; i < 3; i++) {
        size_t from = 0, to = 0;
        while (memcmp(boundary->edges[i].from, corners[from], sizeof corners[from]) != 0) {
            from++;
        }
        while (memcmp(boundary->edges[i].to, corners[to], sizeof corners[to]) != 0) {
            to++;
        }
        assert_int_equal(boundary->edges[i].count, 1);
        seen[from][to] = true;
    }
    assert_true(seen[3][0] && seen[2][3] && seen[0][2]);
    assert_counts(boundary, 3, 3);
}

/* Its three edges run the same way as their neighbours': twice one way, which parity does not see.
 */
TEST(a_turned_face_leaves_even_edges)
{
    uint32_t faces[4][3];
    memcpy(faces, tetrahedron, sizeof faces);
    faces[2][0] = 2;
    faces[2][1] = 1;
    sl_boundary *boundary = boundary_of(corners, faces, 4, NULL);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(boundary->edges[i].count, 2);
    }
    assert_counts(boundary, 3, 0);
}

/* Four pages on one spine, two up and two down: as often one way as the other. */
TEST(what_meets_evenly_in_one_edge_is_closed_there)
{
    static const float xyz[6][3] = { { 0, 0, 0 }, { 0, 0, 1 },  { 1, 0, 0 },
                                     { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 } };
    static const uint32_t pages[4][3] = { { 0, 1, 2 }, { 0, 1, 3 }, { 1, 0, 4 }, { 1, 0, 5 } };
    assert_counts(boundary_of(xyz, pages, 4, NULL), 8, 8);
    assert_counts(boundary_of(xyz, pages, 3, NULL), 7, 7); /* the spine: two up, one down */
}

/* Square 0 1 2 3 of two triangles beside an edge that has its middle 4 besides: the triangle 2 4 1
 * of zero area closes the crack; a triangle from a corner to itself closes and opens nothing. */
TEST(zero_area_closes_cracks)
{
    static const float xyz[6][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 },
                                     { 0, 2, 0 }, { 2, 1, 0 }, { 4, 1, 0 } };
    static const uint32_t faces[6][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 1, 5, 4 },
                                          { 4, 5, 2 }, { 1, 4, 2 }, { 3, 3, 0 } };
    assert_counts(boundary_of(xyz, faces, 4, NULL), 8,
                  8); /* the outline's five, and the crack's three */
    assert_counts(boundary_of(xyz, faces, 6, NULL), 5, 5);
}

TEST(what_a_query_leaves_out_is_not_there)
{
    static const uint32_t masks[4] = { 1, 1, 3, 2 };
    const sl_soup soup = {
        .xyz = corners[0], .indices = tetrahedron[0], .masks = masks, .triangle_count = 4
    };
    sl_boundary *boundary = NULL;
    const sl_options queries[4] = { { .mask = 1 },
                                    { .mask = 3 },
                                    { .mask = 0 },
                                    { .skip = (sl_triangle_ref[]){ { 0, 0 }, { 0, 1 } },
                                      .skip_count = 2 } };
    const size_t edges[4] = { 3, 0, 0, 4 };
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sl_boundary_create(&soup, &queries[i], NULL, &boundary, NULL), SL_OK);
        assert_counts(boundary, edges[i], edges[i]);
    }
    uint32_t left_out[4][3];
    memcpy(left_out, tetrahedron, sizeof left_out);
    memset(left_out[1], 0xFF, sizeof left_out[1]);
    assert_counts(boundary_of(corners, left_out, 4, NULL), 3, 3);
    float broken[5][3];
    memcpy(broken, corners, sizeof corners);
    broken[3][1] = NAN; /* leaves the face that does not use it */
    assert_counts(boundary_of(broken, tetrahedron, 4, NULL), 3, 3);
}

enum { FAN = 300 };

/* Triangles around one corner, every 7th after the last; the corner's position comes before all
 * others, so that its edges are one long list.  Triangle 0 is the first. */
static void make_fan(float xyz[FAN + 1][3], uint32_t indices[FAN][3])
{
    for (uint32_t i = 0; i < FAN; i++) {
        const uint32_t at = i * 7 % FAN, next = (at + 1) % FAN;
        const float x = (float)(at < FAN / 2 ? at : FAN - at), y = at < FAN / 2 ? 1.0f : -1.0f;
        memcpy(xyz[1 + at], (const float[3]){ x, y, 0 }, sizeof xyz[0]);
        memcpy(indices[i], (const uint32_t[3]){ 0, 1 + at, 1 + next }, sizeof indices[0]);
    }
    memcpy(xyz[0], (const float[3]){ 0, 0, 5 }, sizeof xyz[0]);
}

TEST(many_edges_of_one_corner_meet_in_pairs)
{
    float xyz[FAN + 1][3];
    uint32_t indices[FAN][3];
    make_fan(xyz, indices);
    assert_counts(boundary_of(xyz, indices, FAN, NULL), FAN, FAN);
    sl_boundary *boundary = boundary_of(xyz, indices + 1, FAN - 1, NULL);
    const float *first = xyz[1], *second = xyz[2];
    /* Sorted by position: the corner's own come first, here to the next triangle and from the last
     * one. */
    for (int i = 0; i < 2; i++) {
        const sli_boundary_edge *edge = &boundary->edges[i];
        const bool away = edge->from[2] == 5;
        assert_memory_equal(away ? edge->from : edge->to, xyz[0], sizeof xyz[0]);
        assert_memory_equal(away ? edge->to : edge->from, away ? second : first, sizeof xyz[0]);
    }
    assert_counts(boundary, FAN + 1, FAN + 1);
}

/* With clusters. */
TEST(every_failed_allocation_is_survived)
{
    float xyz[FAN + 1][3];
    uint32_t indices[FAN][3];
    make_fan(xyz, indices);
    const sl_soup soup = { .xyz = xyz[0], .indices = indices[0], .triangle_count = FAN };
    sl_hooks hooks = { .progress = { NULL, NULL } };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &hooks.allocator)) {
        OWN(sl_boundary) boundary = (sl_boundary *)(void *)&hooks;
        sl_error error;
        const sl_result result = sl_boundary_create(&soup, NULL, &hooks, &boundary, &error);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((boundary == NULL) == memory.failed);
        assert_true(boundary == NULL || boundary->blocks != NULL);
    }
    sl_boundary_destroy(NULL);
}

TEST(memory_is_about_80_bytes_a_triangle)
{
    OWN(sl_mesh) mesh = made_sphere(20);
    const sl_soup soup = sl_mesh_soup(mesh);
    sli_failing_allocator memory;
    const sl_hooks hooks = { .allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    sl_boundary *boundary = NULL;
    assert_int_equal(sl_boundary_create(&soup, NULL, &hooks, &boundary, NULL), SL_OK);
    assert_true(memory.peak_bytes <= 80 * soup.triangle_count);
    assert_true(memory.live_bytes < 200);
    assert_counts(boundary, 0, 0);
}

static bool stop_after(void *user, const char *stage, float fraction)
{
    assert_string_equal(stage, "boundary");
    assert_true(fraction >= 0 && fraction <= 1);
    int *calls = user;
    return (*calls)-- > 0;
}

/* The side from a to b: how often caps run along it, less how often they run the other way. */
static int64_t cap_uses(const sl_boundary *boundary, const float a[3], const float b[3])
{
    int64_t sum = 0;
    for (size_t i = 0; i < boundary->cap_count; i++) {
        for (int k = 0; k < 3; k++) {
            const float *from = boundary->caps[i].corners[k];
            const float *to = boundary->caps[i].corners[(k + 1) % 3];
            sum += memcmp(from, a, 12) == 0 && memcmp(to, b, 12) == 0;
            sum -= memcmp(from, b, 12) == 0 && memcmp(to, a, 12) == 0;
        }
    }
    return sum;
}

static bool is_first_use(const sl_boundary *boundary, size_t side)
{
    const float *a = boundary->caps[side / 3].corners[side % 3];
    const float *b = boundary->caps[side / 3].corners[(side + 1) % 3];
    for (size_t i = 0; i < side; i++) {
        if (memcmp(boundary->caps[i / 3].corners[i % 3], a, 12) == 0 &&
            memcmp(boundary->caps[i / 3].corners[(i + 1) % 3], b, 12) == 0) {
            return false;
        }
    }
    return true;
}

/* Fans around one edge, loops that touch, single triangles, some of them more than once. */
TEST(caps_have_the_boundary_of_the_mesh)
{
    enum { TRIANGLES = 120, PLACES = 24 };
    test_random random = { 11 };
    float xyz[PLACES][3];
    uint32_t indices[TRIANGLES][3];
    for (size_t i = 0; i < 3 * PLACES; i++) {
        xyz[i / 3][i % 3] = test_random_in(&random, -1, 1);
    }
    for (uint32_t round = 0; round < 40; round++) {
        for (size_t i = 0; i < 3 * TRIANGLES; i++) {
            const uint32_t places = i % 3 == 0 && round % 2 == 0 ? 2 : PLACES - round % 8;
            indices[i / 3][i % 3] = test_random_below(&random, places);
        }
        OWN(sl_boundary) boundary = boundary_of(xyz, indices, TRIANGLES, NULL);
        assert_non_null(boundary->blocks);
        size_t sides = 0;
        for (size_t i = 0; i < boundary->info.edge_count; i++) {
            const sli_boundary_edge *edge = &boundary->edges[i];
            assert_true(cap_uses(boundary, edge->from, edge->to) == edge->count);
            sides += edge->count;
        }
        for (size_t i = 0; i < 3 * boundary->cap_count; i++) {
            const sli_boundary_cap *cap = &boundary->caps[i / 3];
            const int64_t uses = cap_uses(boundary, cap->corners[i % 3], cap->corners[(i + 1) % 3]);
            sides -= uses > 0 && is_first_use(boundary, i) ? (size_t)uses : 0;
        }
        assert_int_equal(sides, 0);
    }
}

TEST(the_progress_hook_stops_it)
{
    float xyz[FAN + 1][3];
    uint32_t indices[FAN][3];
    make_fan(xyz, indices);
    const sl_soup soup = { .xyz = xyz[0], .indices = indices[0], .triangle_count = FAN };
    sl_result result = SL_CANCELLED;
    int allowed = 0;
    for (; result == SL_CANCELLED; allowed++) {
        int calls = allowed;
        const sl_hooks hooks = { .progress = { .report = stop_after, .user = &calls } };
        OWN(sl_boundary) boundary = NULL;
        result = sl_boundary_create(&soup, NULL, &hooks, &boundary, NULL);
        assert_true((result == SL_OK) == (boundary != NULL));
    }
    assert_int_equal(result, SL_OK);
    assert_true(allowed > 1);
}

TEST(wrong_arguments_are_refused)
{
    sl_soup soup = {
        .xyz = corners[0], .indices = tetrahedron[0], .masks = NULL, .triangle_count = 4
    };
    sl_boundary *boundary = NULL;
    sl_error error;
    assert_int_equal(sl_boundary_create(NULL, NULL, NULL, &boundary, &error), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_boundary_create(&soup, NULL, NULL, NULL, &error), SL_INVALID_ARGUMENT);
    soup.triangle_count = (size_t)SL_NONE / 3 + 1;
    assert_int_equal(sl_boundary_create(&soup, NULL, NULL, &boundary, &error), SL_TOO_LARGE);
    assert_null(boundary);
}
