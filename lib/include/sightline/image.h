/* image.h: 8-bit pictures: colour maps and PNG.  In the library sightline::io.
 *
 * Space    pixel (0, 0) is the top-left one; rows follow without gaps, 3 bytes (r, g, b) each, in
 *          sRGB.
 * Limits   sides of 1 to 1,000,000 pixels, 2^28 pixels in all.
 * Threads  pure functions, except for the file that is written; the caller's floating-point
 *          environment makes no difference. */
#ifndef SIGHTLINE_IMAGE_H
#define SIGHTLINE_IMAGE_H

#include <sightline/base.h>

/* Writes width * height pixels to a file, which appears under its name only when it is complete.
 * Fails    SL_INVALID_ARGUMENT (beyond the limits, or rgb is NULL), SL_OUT_OF_MEMORY, SL_IO. */
SL_API sl_result sl_png_write(const char *path, const uint8_t *rgb, uint32_t width, uint32_t height,
                              sl_error *error);

/* The same to memory: *bytes comes from malloc, and the caller frees it; NULL after a failure. */
SL_API sl_result sl_png_write_memory(const uint8_t *rgb, uint32_t width, uint32_t height,
                                     uint8_t **bytes, size_t *size, sl_error *error);

/* A colour for x in [0, 1] (clamped; NaN is magenta): from dark to light without a step back, so
 * that it reads in greyscale and for the colour-blind.  The same on every machine. */
SL_API void sl_colour_map(float x, uint8_t rgb[3]);

/* A colour for a number that identifies something: consecutive numbers differ clearly, and no
 * colour is near black or white. */
SL_API void sl_colour_id(uint32_t id, uint8_t rgb[3]);

#endif
