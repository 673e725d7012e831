/* tools/render/vertex_values.c, and what a picture makes of the values. */
#include "test/support/test.h"
#include "tools/render/render.h"
#include "tools/render/vertex_values.h"

#include <unistd.h>

static const char *const quality[] = { "quality" };
static const char *const colour[] = { "red", "green", "blue" };

static void write_file(char path[64], const char *header, const void *bytes, size_t size)
{
    snprintf(path, 64, "/tmp/vertex_values_%ld.ply", (long)getpid());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(header, file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int load(const char *header, const void *bytes, size_t size, const char *const *names,
                size_t name_count, float **out)
{
    char path[64];
    write_file(path, header, bytes, size);
    const int status = vertex_values_load(path, names, name_count, 2, out);
    remove(path);
    return status;
}

#define TEXT(rows) "ply\nformat ascii 1.0\ncomment here\nelement vertex 2\n" rows "end_header\n"
#define BINARY(rows)                                                                               \
    "ply\nformat binary_little_endian 1.0\nelement vertex 2\n" rows                                \
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

TEST(values_are_read_from_text)
{
    float *values;
    const char rows[] = "1 0.5 2 -3\n4 nan 5 6\n";
    assert_int_equal(load(TEXT("property float x\nproperty float quality\nproperty float y\n"
                               "property float z\n"),
                          rows, sizeof rows - 1, quality, 1, &values),
                     EXIT_DONE);
    assert_true(values[0] == 0.5f && isnan(values[1]));
    free(values);
}

/* Whatever lies between them, and in the order of the names. */
TEST(values_are_read_from_binary)
{
    float *values;
    static const unsigned char rows[] = { 0xFE, 1, 255, 0, 1, 3, 0xFD, 4, 5, 2, 0, 6 };
    assert_int_equal(load(BINARY("property char x\nproperty uchar green\nproperty short y\n"
                                 "property uchar red\nproperty uchar blue\n"),
                          rows, sizeof rows, colour, 3, &values),
                     EXIT_DONE);
    const float expected[6] = { 1, 1, 3, 0, 4, 6 };
    for (int i = 0; i < 6; i++) {
        if (i != 3) {
            assert_true(values[i] == expected[i]);
        }
    }
    assert_true(values[3] == 0);
    free(values);
    static const unsigned char wide[] = { 0,    0,    0, 0, 0, 0, 0xF8, 0x3F, /* 1.5 */
                                          0xFF, 0xFF, 0, 0, 0, 0, 0,    0xC0, /* -1, -2 */
                                          0xFE, 0xFF };
    assert_int_equal(
        load(BINARY("property double quality\nproperty int16 x\n"), wide, 18, quality, 1, &values),
        EXIT_BAD_INPUT); /* one row and a part of the next */
    assert_null(values);
}

TEST(what_has_no_values_is_refused)
{
    static const char *const headers[] = {
        "",
        "obj\n",
        "ply\n",
        TEXT("property float x\n"),
        TEXT("property float red\nproperty float green\n"),
        TEXT("property list uchar int quality\n"),
        "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty float quality\nend_header\n",
        "ply\nformat ascii 1.0\nelement face 2\nproperty float quality\nend_header\n",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float quality\nend_header\n",
        TEXT("property float quality\n"),
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        float *values;
        assert_int_equal(
            load(headers[i], "1 x", 3, i == 4 ? colour : quality, i == 4 ? 3 : 1, &values),
            EXIT_BAD_INPUT);
        assert_null(values);
    }
    float *values;
    assert_int_equal(vertex_values_load("/nowhere/x.ply", quality, 1, 2, &values), EXIT_BAD_INPUT);
}

static void show(render_show what, float *values, const sl_hit *hit, uint8_t rgb[3])
{
    static const float xyz[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const uint32_t indices[3] = { 0, 1, 2 };
    OWN(sl_mesh) mesh = NULL;
    assert_int_equal(sl_mesh_from_arrays(xyz, 3, indices, 1, NULL, &mesh, NULL), SL_OK);
    const mesh_in in = { .mesh = mesh };
    picture p = { .in = &in,
                  .show = what,
                  .values = values,
                  .low = 0,
                  .high = 1,
                  .width = 1,
                  .height = 1,
                  .rgb = rgb };
    const sl_ray ray = { .dir = { 0, 0, 1 } };
    const tiles_pixel pixel = { .count = 1, .rays = &ray, .hits = hit };
    render_pixel(&p, &pixel, 0);
}

/* At a corner its own colour, in the middle of an edge what lies between. */
TEST(a_pixel_shows_what_its_corners_say)
{
    uint8_t rgb[3];
    float colours[9] = { 200, 100, 0, 0, 0, 255, 100, 0, 0 };
    show(SHOW_COLOUR, colours, &(sl_hit){ .prim = 0 }, rgb);
    assert_true(rgb[0] == 200 && rgb[1] == 100 && rgb[2] == 0);
    show(SHOW_COLOUR, colours, &(sl_hit){ .u = 0.5f, .v = 0.5f, .prim = 0 }, rgb);
    assert_true(rgb[0] == 50 && rgb[1] == 0 && abs(rgb[2] - 128) <= 1);
    float numbers[3] = { 0, 1, NAN };
    uint8_t low[3], high[3];
    show(SHOW_QUALITY, numbers, &(sl_hit){ .prim = 0 }, low);
    show(SHOW_QUALITY, numbers, &(sl_hit){ .u = 1, .prim = 0 }, high);
    assert_true(low[0] + low[1] + low[2] < high[0] + high[1] + high[2]);
    numbers[0] = INFINITY;
    show(SHOW_QUALITY, numbers, &(sl_hit){ .u = 0.5f, .prim = 0 }, rgb);
    assert_memory_equal(rgb, high, 3);
    show(SHOW_QUALITY, numbers, &(sl_hit){ .v = 0.5f, .prim = 0 }, rgb);
    assert_true(rgb[0] == rgb[1] && rgb[1] == rgb[2]);
}
