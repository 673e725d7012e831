/* Colour maps and PNG: what is written is read back with libpng and compared pixel by pixel. */
#include "test/support/environment/callers_env.h"
#include "test/support/environment/needs.h"
#include "test/support/test.h"

#include <png.h>
#include <unistd.h>

enum { WIDTH = 37, HEIGHT = 11, BYTES = WIDTH * HEIGHT * 3 };

/* Every byte differs from its neighbours, so that a swapped channel, row or column shows. */
static void fill_pattern(uint8_t *rgb)
{
    for (int i = 0; i < BYTES; i++) {
        rgb[i] = (uint8_t)(i * 73 + i / 7);
    }
}

static void assert_is_pattern(const uint8_t *bytes, size_t size)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    assert_int_equal(image.format, PNG_FORMAT_RGB); /* 8 bits, no alpha, no palette, sRGB */
    uint8_t read[BYTES], expected[BYTES];
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    fill_pattern(expected);
    assert_memory_equal(read, expected, BYTES);
}

TEST(memory_holds_the_same_pixels)
{
    uint8_t rgb[BYTES];
    fill_pattern(rgb);
    FREED uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(sl_png_write_memory(rgb, WIDTH, HEIGHT, &bytes, &size, NULL), SL_OK);
    assert_is_pattern(bytes, size);
}

TEST(sizes_beyond_the_limits_are_refused)
{
    static const uint32_t sizes[][2] = {
        { 0, 1 },           { 1, 0 },         { 1000001, 1 },   { 1, 1000001 },
        { 0xFFFFFFFFu, 1 }, { 16385, 16384 }, { 65536, 65536 }, { 0xFFFFFFFFu, 0xFFFFFFFFu },
    };
    const uint8_t rgb[3] = { 1, 2, 3 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *bytes = (uint8_t *)&bytes;
        size_t size = 1;
        sl_error error = { .code = SL_OK };
        assert_int_equal(sl_png_write_memory(rgb, sizes[i][0], sizes[i][1], &bytes, &size, &error),
                         SL_INVALID_ARGUMENT);
        assert_int_equal(error.code, SL_INVALID_ARGUMENT);
        assert_null(bytes);
        assert_int_equal(size, 0);
    }
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(sl_png_write_memory(NULL, 1, 1, &bytes, &size, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_png_write_memory(rgb, 1, 1, NULL, &size, NULL), SL_INVALID_ARGUMENT);
    assert_int_equal(sl_png_write_memory(rgb, 1, 1, &bytes, NULL, NULL), SL_INVALID_ARGUMENT);
}

TEST(the_longest_side_is_written)
{
    enum { LONGEST = 1000000 };
    FREED uint8_t *rgb = made_zeros(LONGEST, 3);
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(sl_png_write_memory(rgb, LONGEST, 1, &bytes, &size, NULL), SL_OK);
    free(bytes);
    assert_int_equal(sl_png_write_memory(rgb, 1, LONGEST, &bytes, &size, NULL), SL_OK);
    free(bytes);
}

/* Rec. 709 weights on bytes: enough to tell lighter from darker. */
static double lightness(const uint8_t rgb[3])
{
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

TEST(map_never_steps_back_from_dark_to_light)
{
    uint8_t rgb[3];
    sl_colour_map(0, rgb);
    double before = lightness(rgb);
    assert_true(before < 20);
    for (int i = 1; i <= 4096; i++) {
        sl_colour_map((float)i / 4096, rgb);
        const double now = lightness(rgb);
        assert_true(now > before - 0.75); /* rounding to bytes may take half a step of a channel */
        assert_true(now < before + 4);    /* and there are no jumps either */
        before = now;
    }
    assert_true(before > 235);
    for (int i = 0; i < 16; i++) { /* the steps that eyes see are of much the same size */
        uint8_t next[3];
        sl_colour_map((float)i / 16, rgb);
        sl_colour_map((float)(i + 1) / 16, next);
        assert_true(lightness(next) - lightness(rgb) > 4);
        assert_true(lightness(next) - lightness(rgb) < 28);
    }
}

TEST(map_is_the_same_in_every_environment_of_the_caller)
{
    static const float values[] = { 0.3f, 0.7071f, 0.999f, 1e-40f, -1e-40f, 2, NAN };
    enum { VALUES = sizeof values / sizeof values[0] };
    uint8_t usual[VALUES][3];
    for (int i = 0; i < VALUES; i++) {
        sl_colour_map(values[i], usual[i]);
    }
    for (int env = 0; env < callers_env_count(); env++) {
        uint8_t here[VALUES][3];
        callers_env_set(env);
        for (int i = 0; i < VALUES; i++) {
            sl_colour_map(values[i], here[i]);
        }
        assert_true(callers_env_leave(env));
        assert_memory_equal(here, usual, sizeof usual);
    }
}

TEST(map_clamps_and_shows_nan)
{
    static const float below[] = { -1, -INFINITY, -0.0f };
    static const float above[] = { 1.0000001f, 7, INFINITY };
    static const uint8_t magenta[3] = { 255, 0, 255 };
    uint8_t rgb[3], first[3], last[3];
    sl_colour_map(0, first);
    sl_colour_map(1, last);
    for (int i = 0; i < 3; i++) {
        sl_colour_map(below[i], rgb);
        assert_memory_equal(rgb, first, 3);
        sl_colour_map(above[i], rgb);
        assert_memory_equal(rgb, last, 3);
    }
    sl_colour_map(NAN, rgb);
    assert_memory_equal(rgb, magenta, 3);
}

TEST(map_ends_are_the_corners)
{
    /* From the table: its first and last corner, and the fifth of nine for the middle. */
    static const uint8_t expected[3][3] = { { 8, 10, 38 }, { 204, 62, 88 }, { 253, 248, 200 } };
    for (int i = 0; i < 3; i++) {
        uint8_t rgb[3];
        sl_colour_map((float)i / 2, rgb);
        assert_memory_equal(rgb, expected[i], 3);
    }
}

static int difference(const uint8_t a[3], const uint8_t b[3])
{
    int sum = 0;
    for (int c = 0; c < 3; c++) {
        sum += abs(a[c] - b[c]);
    }
    return sum;
}

TEST(neighbours_in_number_have_different_colours)
{
    static const uint32_t starts[] = { 0, 1u << 24, 0x7FFFFF00u, 0xFFFFF000u };
    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++) {
        for (uint32_t i = 0; i < 3000; i++) {
            uint8_t mine[3], other[3];
            sl_colour_id(starts[s] + i, mine);
            assert_true(lightness(mine) > 40 && lightness(mine) < 235);
            for (uint32_t step = 1; step <= 4; step++) {
                sl_colour_id(starts[s] + i + step, other);
                assert_true(difference(mine, other) >= 60);
            }
        }
    }
}
