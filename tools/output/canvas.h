/* canvas.h: rectangles and text on a picture, and the picture as PNG. */
#pragma once

#include "tools/output/font5x7.h"

typedef struct canvas {
    uint8_t *rgb;
    uint32_t width, height;
    uint32_t dot; /* how many pixels a dot of a letter takes: more in a larger picture */
} canvas;

canvas canvas_make(uint8_t *rgb, uint32_t width, uint32_t height);

/* What is beyond the picture is left out.  weight of 256: how much of the new colour. */
void canvas_fill(const canvas *c, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height,
                 const uint8_t rgb[3], int weight);

/* Text from its upper left corner on, and how wide it is, in pixels. */
void canvas_text(const canvas *c, uint32_t x, uint32_t y, const char *text);
uint32_t canvas_text_width(const canvas *c, const char *text);

/* As PNG, to a file that appears only when it is complete; "-": stdout.  EXIT_DONE, or EXIT_FAILED
 * after a report. */
int canvas_write(const canvas *c, const char *path);
