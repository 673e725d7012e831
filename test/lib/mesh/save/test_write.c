/* What was written reads back to the same bits. */
#include "test/support/test.h"

#include <unistd.h>

static char path[64];

TEST_BEFORE_ALL
{
    snprintf(path, sizeof path, "/tmp/sightline-write-%ld.ply", (long)getpid());
}

TEST_AFTER_ALL
{
    remove(path);
}

TEST(a_mesh_reads_back_to_the_same_bits)
{
    sl_mesh *back = NULL;
    OWN(sl_mesh) mesh = made_torus(12, 8, 2, 1);
    const size_t vertices = sl_mesh_soup(mesh).vertex_count,
                 triangles = sl_mesh_soup(mesh).triangle_count;
    FREED uint8_t *rgb = calloc(vertices, 3);
    for (int with = 0; with < 4; with++) {
        const sl_ply ply = { .xyz = sl_mesh_soup(mesh).xyz,
                             .vertex_count = vertices,
                             .indices = sl_mesh_soup(mesh).indices,
                             .triangle_count = triangles,
                             .quality = with & 1 ? sl_mesh_soup(mesh).xyz : NULL,
                             .rgb = with & 2 ? rgb : NULL };
        assert_int_equal(sl_ply_write(path, &ply, NULL), SL_OK);
        assert_int_equal(sl_mesh_load(path, NULL, &back, NULL), SL_OK);
        assert_int_equal(sl_mesh_soup(back).vertex_count, vertices);
        assert_int_equal(sl_mesh_soup(back).triangle_count, triangles);
        assert_memory_equal(sl_mesh_soup(back).xyz, ply.xyz, 12 * vertices);
        assert_memory_equal(sl_mesh_soup(back).indices, ply.indices, 12 * triangles);
        sl_mesh_destroy(back);
    }
}

TEST(the_bytes_are_those_that_ply_asks_for)
{
    const float xyz[3] = { 1, -2, 0.5f }, quality[1] = { 0.25f };
    const uint8_t rgb[3] = { 1, 2, 255 };
    const uint32_t left_out[3] = { SL_NONE, SL_NONE, SL_NONE };
    const sl_ply ply = { .xyz = xyz,
                         .vertex_count = 1,
                         .indices = left_out,
                         .triangle_count = 1,
                         .quality = quality,
                         .rgb = rgb };
    const char expected[] = "ply\nformat binary_little_endian 1.0\ncomment sightline\n"
                            "element vertex 1\nproperty float x\nproperty float y\n"
                            "property float z\nproperty float quality\nproperty uchar red\n"
                            "property uchar green\nproperty uchar blue\nelement face 0\n"
                            "property list uchar uint vertex_indices\nend_header\n"
                            "\0\0\x80\x3f\0\0\0\xc0\0\0\0\x3f\0\0\x80\x3e\1\2\xff";
    char bytes[600];
    assert_int_equal(sl_ply_write(path, &ply, NULL), SL_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_int_equal(size, sizeof expected - 1);
    assert_memory_equal(bytes, expected, size);
}

TEST(what_cannot_be_written_is_refused_in_words)
{
    const float xyz[9] = { 0 };
    const uint32_t indices[3] = { 0, 1, 3 };
    sl_error error;
    sl_ply ply = { .xyz = xyz, .vertex_count = 3, .indices = indices, .triangle_count = 1 };
    assert_int_equal(sl_ply_write(path, &ply, &error), SL_BAD_INDEX);
    assert_non_null(strstr(error.message, "triangle 0 has index 3"));
    ply = (sl_ply){ .vertex_count = 1 };
    assert_int_equal(sl_ply_write(path, &ply, &error), SL_INVALID_ARGUMENT);
    ply = (sl_ply){ .vertex_count = SIZE_MAX / 8, .xyz = xyz };
    assert_int_equal(sl_ply_write(path, &ply, &error), SL_TOO_LARGE);
    ply = (sl_ply){ .xyz = xyz, .vertex_count = 3 };
    assert_int_equal(sl_ply_write("/nowhere/at/all.ply", &ply, &error), SL_NOT_FOUND);
}
