/* png.c: sl_png_write_memory, through the simplified interface of libpng, which
 * reports its failures as text. */
#include "lib/base/error.h"
#include "lib/base/file/file.h"
#include "lib/base/memory.h"

#include <sightline/io.h>

#include <png.h>

enum { CHANNELS = 3, MAX_SIDE = 1000000, MAX_PIXELS = 1 << 28 };

static sl_result check_picture(const uint8_t *rgb, uint32_t width, uint32_t height, sl_error *error)
{
    if (rgb == NULL) {
        return sli_refuse(error, "there are no pixels: rgb is NULL");
    }
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE ||
        (uint64_t)width * height > MAX_PIXELS) {
        return sli_refuse(
            error, "a picture of %lu x %lu pixels; a side may be 1 to %d, all together %d",
            (unsigned long)width, (unsigned long)height, (int)MAX_SIDE, (int)MAX_PIXELS);
    }
    return SL_OK;
}

/* Memory for the worst case is allocated once, so that nothing is compressed twice to learn its
 * size. */
static sl_result png_encode(const sl_allocator *allocator, const uint8_t *rgb, uint32_t width,
                            uint32_t height, uint8_t **block, size_t *capacity, size_t *size,
                            sl_error *error)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGB
    };
    png_alloc_size_t space = PNG_IMAGE_PNG_SIZE_MAX(image);
    *capacity = space;
    *block = sli_alloc_array(allocator, space, 1);
    SLI_TRY(sli_had_memory(error, *block != NULL));
    const png_int_32 stride = (png_int_32)(width * CHANNELS);
    if (png_image_write_to_memory(&image, *block, &space, 0, rgb, stride, NULL) == 0) {
        /* Everything else was checked before: only libpng's own allocations can fail. */
        sli_free_array(allocator, *block, *capacity, 1);
        *block = NULL;
        return sli_fail_plain(error, SL_OUT_OF_MEMORY, "libpng: %s", image.message);
    }
    *size = space;
    return SL_OK;
}

sl_result sl_png_write_memory(const uint8_t *rgb, uint32_t width, uint32_t height, uint8_t **bytes,
                              size_t *size, sl_error *error)
{
    if (bytes == NULL || size == NULL) {
        return sli_refuse(error, "bytes and size must not be NULL");
    }
    *bytes = NULL;
    *size = 0;
    SLI_TRY(check_picture(rgb, width, height, error));
    const sl_allocator allocator = sli_allocator(NULL); /* malloc, as promised */
    size_t capacity = 0;
    return png_encode(&allocator, rgb, width, height, bytes, &capacity, size, error);
}
