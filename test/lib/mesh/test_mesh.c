/* test_mesh.c: meshes from arrays: what is taken, what is refused and in which words. */
#include "lib/mesh/mesh.h"
#include "test/support/environment/callers_env.h"
#include "test/support/test.h"

/* A square in the plane z = 1, cut along its diagonal. */
static const float square[4][3] = { { 0, 0, 1 }, { 2, 0, 1 }, { 2, 4, 1 }, { 0, 4, 1 } };
static const uint32_t halves[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };

/* The words of the refusal, which end with the next call. */
static const char *refusal(const void *xyz, size_t vertices, const void *indices, size_t triangles,
                           const sl_mesh_def *def, sl_result expected)
{
    static sl_error error;
    sl_mesh *mesh = (sl_mesh *)&error; /* anything but NULL */
    assert_int_equal(sl_mesh_from_arrays(xyz, vertices, indices, triangles, def, &mesh, &error),
                     expected);
    assert_null(mesh);
    assert_int_equal(error.code, expected);
    assert_string_equal(error.file, "");
    return error.message;
}

TEST(arrays_are_copied_as_they_are)
{
    OWN(sl_mesh) mesh = made_mesh(square, 4, halves, 2, NULL);
    assert_int_equal(sl_mesh_soup(mesh).vertex_count, 4);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 2);
    assert_memory_equal(sl_mesh_soup(mesh).xyz, square, sizeof square);
    assert_memory_equal(sl_mesh_soup(mesh).indices, halves, sizeof halves);
}

TEST(info_says_what_is_there)
{
    OWN(sl_mesh) mesh = made_mesh(square, 4, halves, 2, NULL);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_string_equal(info.format, "arrays");
    assert_int_equal(info.vertex_count, 4);
    assert_int_equal(info.triangle_count, 2);
    assert_int_equal(info.face_count, 2);
    assert_int_equal(info.left_out, 0);
    const sl_aabb bounds = { .min = { 0, 0, 1 }, .max = { 2, 4, 1 } };
    assert_memory_equal(&info.bounds, &bounds, sizeof bounds);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(info.origin[axis] == 0);
    }
    assert_true(info.rounding == 0);
}

TEST(bounds_ignore_vertices_that_no_triangle_uses)
{
    OWN(sl_mesh) mesh = made_mesh(square, 4, halves, 1, NULL); /* corners 0, 1, 2 only */
    float more[5][3];
    memcpy(more, square, sizeof square);
    more[3][0] = -100;
    more[4][1] = NAN; /* not used, so no reason to refuse */
    OWN(sl_mesh) stray = made_mesh(more, 5, halves, 1, NULL);
    const sl_aabb a = sl_mesh_get_info(mesh).bounds, b = sl_mesh_get_info(stray).bounds;
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(b.min[0] == 0);
}

TEST(a_mesh_of_nothing_is_a_mesh)
{
    sl_mesh *mesh = made_mesh(NULL, 0, NULL, 0, NULL);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(info.bounds.min[axis] > info.bounds.max[axis]);
    }
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 0);
    sl_mesh_destroy(mesh);
    sl_mesh_destroy(NULL);
}

/* Vertices every 17 bytes from an odd address, index triples every 19. */
TEST(strides_need_no_alignment)
{
    unsigned char vertices[1 + 4 * 17], triples[1 + 2 * 19];
    memset(vertices, 0xFF, sizeof vertices);
    memset(triples, 0xFF, sizeof triples);
    for (size_t i = 0; i < 4; i++) {
        memcpy(vertices + 1 + i * 17, square[i], 12);
    }
    for (size_t i = 0; i < 2; i++) {
        memcpy(triples + 1 + i * 19, halves[i], 12);
    }
    sl_mesh_def def = { .vertex_stride = 17, .index_stride = 19 };
    const void *odd = vertices + 1;
    OWN(sl_mesh) mesh = made_mesh(odd, 4, triples + 1, 2, &def);
    assert_memory_equal(sl_mesh_soup(mesh).xyz, square, sizeof square);
    assert_memory_equal(sl_mesh_soup(mesh).indices, halves, sizeof halves);
}

TEST(short_indices_are_widened)
{
    const uint16_t packed[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
    const uint16_t spaced[2][4] = { { 0, 1, 2, 99 }, { 0, 2, 3, 99 } };
    sl_mesh_def def = { .index_type = SL_INDEX_U16 };
    sl_mesh *mesh = made_mesh(square, 4, packed, 2, &def);
    assert_memory_equal(sl_mesh_soup(mesh).indices, halves, sizeof halves);
    sl_mesh_destroy(mesh);
    def.index_stride = 8;
    mesh = made_mesh(square, 4, spaced, 2, &def);
    assert_memory_equal(sl_mesh_soup(mesh).indices, halves, sizeof halves);
    sl_mesh_destroy(mesh);
}

TEST(no_indices_mean_every_three_vertices)
{
    const float xyz[6][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
                              { 5, 0, 0 }, { 6, 0, 0 }, { 5, 1, 0 } };
    sl_mesh *mesh = made_mesh(xyz, 6, NULL, 2, NULL);
    const uint32_t expected[6] = { 0, 1, 2, 3, 4, 5 };
    assert_memory_equal(sl_mesh_soup(mesh).indices, expected, sizeof expected);
    sl_mesh_destroy(mesh);
    assert_string_equal(refusal(xyz, 5, NULL, 2, NULL, SL_BAD_INDEX),
                        "triangle 1, corner 2: vertex 5, but the last one is 4 (counted from 0)");
}

TEST(a_bad_index_is_named)
{
    const uint32_t bad[3][3] = { { 0, 1, 2 }, { 0, 4, 3 }, { 9, 9, 9 } };
    assert_string_equal(refusal(square, 4, bad, 3, NULL, SL_BAD_INDEX),
                        "triangle 1, corner 1: vertex 4, but the last one is 3 (counted from 0)");
    const uint32_t none[1][3] = { { 0, 1, SL_NONE } };
    assert_string_equal(
        refusal(square, 4, none, 1, NULL, SL_BAD_INDEX),
        "triangle 0, corner 2: vertex 4294967295, but the last one is 3 (counted from 0)");
    assert_string_equal(refusal(NULL, 0, halves, 1, NULL, SL_BAD_INDEX),
                        "triangle 0, corner 0: vertex 0, but there are no vertices");
}

TEST(a_coordinate_that_is_not_finite_is_named)
{
    float xyz[4][3];
    memcpy(xyz, square, sizeof square);
    xyz[3][1] = -INFINITY;
    assert_string_equal(refusal(xyz, 4, halves, 2, NULL, SL_NOT_FINITE),
                        "triangle 1, corner 2: y of vertex 3 is infinite; coordinates must be "
                        "finite and within the range of a float");
    xyz[0][2] = NAN;
    assert_string_equal(refusal(xyz, 4, halves, 2, NULL, SL_NOT_FINITE),
                        "triangle 0, corner 0: z of vertex 0 is not a number; coordinates must be "
                        "finite and within the range of a float");
}

/* Of five triangles 1 has a bad index, 2 a NaN and 4 an infinity; 0 and 3 stay 0 and 3. */
TEST(exactly_the_bad_triangles_are_left_out)
{
    const float xyz[6][3] = { { 0, 0, 0 }, { 1, 0, 0 },   { 0, 1, 0 },
                              { 0, 0, 1 }, { NAN, 0, 0 }, { 0, INFINITY, 0 } };
    const uint32_t indices[5][3] = {
        { 0, 1, 2 }, { 0, 1, 6 }, { 4, 1, 2 }, { 0, 1, 3 }, { 0, 5, 1 }
    };
    OWN(sl_mesh) mesh = made_loose_mesh(xyz, 6, indices, 5);
    assert_int_equal(sl_mesh_get_info(mesh).left_out, 3);
    assert_int_equal(sl_mesh_soup(mesh).triangle_count, 5);
    for (uint32_t prim = 0; prim < 5; prim++) {
        const bool stays = prim == 0 || prim == 3;
        sl_triangle triangle;
        assert_int_equal(sl_mesh_triangle(mesh, prim, &triangle), stays);
        for (size_t corner = 0; corner < 3; corner++) {
            assert_int_equal(sl_mesh_soup(mesh).indices[3 * prim + corner],
                             stays ? indices[prim][corner] : SL_NONE);
        }
    }
    const sl_aabb bounds = sl_mesh_get_info(mesh).bounds;
    assert_true(bounds.max[1] == 1 && bounds.max[2] == 1 && bounds.max[0] == 1);
}

TEST(a_triangle_is_its_three_corners)
{
    OWN(sl_mesh) mesh = made_mesh(square, 4, halves, 2, NULL);
    sl_triangle triangle;
    assert_true(sl_mesh_triangle(mesh, 1, &triangle));
    assert_memory_equal(triangle.v[0], square[0], 12);
    assert_memory_equal(triangle.v[1], square[2], 12);
    assert_memory_equal(triangle.v[2], square[3], 12);
    sl_triangle before = triangle;
    assert_false(sl_mesh_triangle(mesh, 2, &triangle));
    assert_false(sl_mesh_triangle(mesh, SL_NONE, &triangle));
    assert_memory_equal(&triangle, &before, sizeof before);
}

TEST(soup_and_faces_speak_of_the_same_triangles)
{
    OWN(sl_mesh) mesh = made_mesh(square, 4, halves, 2, NULL);
    const sl_soup soup = sl_mesh_soup(mesh);
    assert_ptr_equal(soup.xyz, sl_mesh_soup(mesh).xyz);
    assert_ptr_equal(soup.indices, sl_mesh_soup(mesh).indices);
    assert_null(soup.masks);
    assert_int_equal(soup.triangle_count, 2);
    assert_int_equal(sl_mesh_face(mesh, 1), 1);
    assert_int_equal(sl_mesh_face(mesh, 2), SL_NONE);
}

/* Bounds [0, 2] x [0, 4] x [1, 1]: the centre is (1, 2, 1), and all differences are exact. */
TEST(recentring_moves_the_centre_to_the_origin)
{
    sl_mesh_def def = { .recentre = true };
    OWN(sl_mesh) mesh = made_mesh(square, 4, halves, 2, &def);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    const double center[3] = { 1, 2, 1 };
    assert_memory_equal(info.origin, center, sizeof center);
    const sl_aabb bounds = { .min = { -1, -2, 0 }, .max = { 1, 2, 0 } };
    assert_memory_equal(&info.bounds, &bounds, sizeof bounds);
    for (size_t i = 0; i < 4; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            assert_true((double)sl_mesh_soup(mesh).xyz[3 * i + axis] + center[axis] ==
                        (double)square[i][axis]);
        }
    }
    assert_true(info.rounding == 0);
}

/* x is 0, 2^24 and 2^-24; the centre is 2^23.  0 and 2^24 become -2^23 and 2^23; 2^-24 becomes
 * 2^-24 - 2^23, which rounds to -2^23: moved by 2^-24. */
TEST(recentring_says_how_much_rounding_moved)
{
    const float xyz[3][3] = { { 0, 0, 0 }, { 0x1p24f, 1, 0 }, { 0x1p-24f, 0, 1 } };
    sl_mesh_def def = { .recentre = true };
    OWN(sl_mesh) mesh = made_mesh(xyz, 3, NULL, 1, &def);
    assert_true(sl_mesh_get_info(mesh).rounding == 0x1p-24);
    assert_true(sl_mesh_get_info(mesh).origin[0] == 0x1p23);
}

TEST(recentring_bounds_as_wide_as_floats_go_works)
{
    const float most = 3.40282347e38f;
    const float xyz[3][3] = { { -most, 0, 0 }, { most, most, 0 }, { 0, 0, 1 } };
    sl_mesh_def def = { .recentre = true };
    OWN(sl_mesh) mesh = made_mesh(xyz, 3, NULL, 1, &def);
    assert_true(sl_mesh_get_info(mesh).origin[0] == 0);
    assert_true(sl_mesh_get_info(mesh).bounds.min[0] == -most);
    assert_true(isfinite(sl_mesh_get_info(mesh).bounds.max[1]));
}

TEST(wrong_arguments_are_refused_in_words)
{
    sl_mesh_def def = { 0 };
    assert_string_equal(refusal(NULL, 3, NULL, 1, NULL, SL_INVALID_ARGUMENT),
                        "xyz is NULL, but vertex_count is 3");
    def.vertex_stride = 3;
    assert_string_equal(refusal(square, 4, halves, 2, &def, SL_INVALID_ARGUMENT),
                        "vertex_stride is 3 bytes; a position takes 12");
    def = (sl_mesh_def){ 0 };
    def.index_stride = 3;
    assert_string_equal(refusal(square, 4, halves, 2, &def, SL_INVALID_ARGUMENT),
                        "index_stride is 3 bytes; three indices take 12");
    def = (sl_mesh_def){ 0 };
    def.vertex_stride = SIZE_MAX / 2; /* no array is as large as three of them */
    refusal(square, 4, halves, 2, &def, SL_INVALID_ARGUMENT);
    def = (sl_mesh_def){ 0 };
    def.index_stride = SIZE_MAX - 1;
    refusal(square, 4, halves, 2, &def, SL_INVALID_ARGUMENT);
    def = (sl_mesh_def){ 0 };
    def.bad = (sl_bad_triangles)7;
    refusal(square, 4, halves, 2, &def, SL_INVALID_ARGUMENT);
    def = (sl_mesh_def){ 0 };
    def.index_type = (sl_index_type)7;
    refusal(square, 4, halves, 2, &def, SL_INVALID_ARGUMENT);
    assert_int_equal(sl_mesh_from_arrays(&square[0][0], 4, halves, 2, NULL, NULL, NULL),
                     SL_INVALID_ARGUMENT);
}

/* Refused before anything is read or allocated. */
TEST(counts_beyond_the_limits_are_refused)
{
    sli_failing_allocator memory;
    sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    assert_string_equal(refusal(square, 0xFFFFFFFFu, halves, 2, &def, SL_TOO_LARGE),
                        "4294967295 vertices; at most 4294967294 are possible");
    assert_string_equal(refusal(square, 4, halves, 0x80000000u, &def, SL_TOO_LARGE),
                        "2147483648 triangles; at most 2147483647 are possible");
    refusal(square, SIZE_MAX, halves, SIZE_MAX, &def, SL_TOO_LARGE);
    assert_int_equal(memory.allocations, 0);
}

TEST(every_failed_allocation_is_survived)
{
    sl_mesh_def def = { 0 };
    sli_failing_allocator memory = TEST_NO_FAILURE_YET;
    while (test_next_failure(&memory, &def.hooks.allocator)) {
        OWN(sl_mesh) mesh = NULL;
        sl_error error;
        const sl_result result =
            sl_mesh_from_arrays(&square[0][0], 4, halves, 2, &def, &mesh, &error);
        assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        assert_true((mesh == NULL) == memory.failed);
    }
    assert_int_equal(memory.allocations, 3); /* positions, indices, the mesh itself */
}

TEST(a_refused_mesh_leaks_nothing)
{
    sli_failing_allocator memory;
    sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    refusal(square, 3, halves, 2, &def, SL_BAD_INDEX);
    assert_true(memory.allocations > 0);
    assert_int_equal(memory.live_blocks, 0);
}

/* What a loader hands over: more room than it used, faces of its own, and where they stood. */
static void tell_place(const void *context, size_t prim, int64_t *line, int64_t *byte)
{
    *line = *(const int64_t *)context + (int64_t)prim;
    *byte = 1000;
}

static sli_mesh_parts loader_parts(const sl_allocator *allocator)
{
    sli_mesh_parts parts = { .xyz_capacity = 50,
                             .indices_capacity = 60,
                             .faces_capacity = 70,
                             .vertex_count = 4,
                             .triangle_count = 2,
                             .face_count = 1,
                             .format = "off",
                             .origin = { 1, 2, 3 },
                             .rounding = 0.5 };
    parts.xyz = allocator->alloc(allocator->user, 50 * sizeof(float), 16);
    parts.indices = allocator->alloc(allocator->user, 60 * sizeof(uint32_t), 16);
    parts.faces = allocator->alloc(allocator->user, 70 * sizeof(uint32_t), 16);
    memcpy(parts.xyz, square, sizeof square);
    memcpy(parts.indices, halves, sizeof halves);
    parts.faces[0] = parts.faces[1] = 0;
    return parts;
}

TEST(finish_takes_a_loaders_arrays_over)
{
    sli_failing_allocator memory;
    sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    sli_mesh_parts parts = loader_parts(&def.hooks.allocator);
    sl_mesh *mesh = NULL;
    assert_int_equal(sli_mesh_finish(&parts, &def, "a.off", NULL, NULL, &mesh, NULL), SL_OK);
    assert_ptr_equal(sl_mesh_soup(mesh).xyz, parts.xyz);
    assert_int_equal(sl_mesh_face(mesh, 1), 0);
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    assert_string_equal(info.format, "off");
    assert_int_equal(info.face_count, 1);
    assert_true(info.origin[2] == 3 && info.rounding == 0.5);
    sl_mesh_destroy(mesh);
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(finish_names_file_and_place)
{
    sli_failing_allocator memory;
    sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL) };
    sli_mesh_parts parts = loader_parts(&def.hooks.allocator);
    parts.indices[4] = 12;
    const int64_t first_line = 40;
    sl_mesh *mesh = NULL;
    sl_error error;
    assert_int_equal(sli_mesh_finish(&parts, &def, "a.off", tell_place, &first_line, &mesh, &error),
                     SL_BAD_INDEX);
    assert_null(mesh);
    assert_string_equal(error.file, "a.off");
    assert_int_equal(error.line, 41);
    assert_int_equal(error.byte, 1000);
    assert_true(sli_failing_allocator_clean(&memory));
}

TEST(callers_environments_do_not_matter)
{
    const float xyz[3][3] = { { 0.1f, 1e-3f, 7 }, { 1234.5f, 1e30f, 0.3f }, { 3e-39f, 1, 2 } };
    sl_mesh_def def = { .recentre = true };
    OWN(sl_mesh) expected = made_mesh(xyz, 3, NULL, 1, &def);
    const sl_mesh_info info = sl_mesh_get_info(expected);
    for (int env = 0; env < callers_env_count(); env++) {
        callers_env_set(env);
        OWN(sl_mesh) mesh = made_mesh(xyz, 3, NULL, 1, &def);
        assert_true(callers_env_leave(env));
        assert_memory_equal(sl_mesh_soup(mesh).xyz, sl_mesh_soup(expected).xyz, sizeof xyz);
        const sl_mesh_info other = sl_mesh_get_info(mesh);
        assert_memory_equal(&other.bounds, &info.bounds, sizeof info.bounds);
        assert_memory_equal(other.origin, info.origin, sizeof info.origin);
        assert_memory_equal(&other.rounding, &info.rounding, sizeof info.rounding);
    }
}
