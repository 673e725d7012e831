/* output/canvas.c: rectangles and dot-matrix text on a picture, and the picture as PNG, for
 * render, check, pick, select and los. */
#include "tools/output/canvas.h"

#include "tools/cli/report.h"
#include "tools/output/file.h"

#include <sightline/io.h>

#include <stdlib.h>
#include <string.h>

canvas canvas_make(uint8_t *rgb, uint32_t width, uint32_t height)
{
    const uint32_t side = width < height ? width : height;
    return (canvas){ .rgb = rgb,
                     .width = width,
                     .height = height,
                     .dot = side < 480 ? 1 : side / 480 + (side >= 720) };
}

void canvas_fill(const canvas *c, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height,
                 const uint8_t rgb[3], int weight)
{
    for (uint32_t y = y0; y < y0 + height && y < c->height; y++) {
        for (uint32_t x = x0; x < x0 + width && x < c->width; x++) {
            uint8_t *pixel = c->rgb + 3 * ((size_t)y * c->width + x);
            for (int i = 0; i < 3; i++) {
                pixel[i] = (uint8_t)((pixel[i] * (256 - weight) + rgb[i] * weight) >> 8);
            }
        }
    }
}

static void draw_letter(const canvas *c, uint32_t x, uint32_t y, const uint8_t *rows)
{
    static const uint8_t ink[3] = { 240, 240, 236 };
    for (uint32_t row = 0; row < FONT_HEIGHT; row++) {
        for (uint32_t column = 0; column < FONT_WIDTH; column++) {
            if ((rows[row] >> (FONT_WIDTH - 1 - column) & 1) != 0) {
                canvas_fill(c, x + column * c->dot, y + row * c->dot, c->dot, c->dot, ink, 256);
            }
        }
    }
}

uint32_t canvas_text_width(const canvas *c, const char *text)
{
    return (uint32_t)strlen(text) * FONT_ADVANCE * c->dot;
}

void canvas_text(const canvas *c, uint32_t x, uint32_t y, const char *text)
{
    for (; *text != '\0'; text++, x += FONT_ADVANCE * c->dot) {
        draw_letter(c, x, y, font_rows(*text));
    }
}

int canvas_write(const canvas *c, const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    sl_error error;
    if (sl_png_write_memory(c->rgb, c->width, c->height, &bytes, &size, &error) != SL_OK) {
        return report_error(&error);
    }
    out_file file;
    int status = out_file_open(&file, path);
    if (status == EXIT_DONE) {
        fwrite(bytes, 1, size, file.stream);
        status = out_file_close(&file);
    }
    free(bytes);
    return status;
}
