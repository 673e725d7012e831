/* The legend: a bar of the colour map over a dark plate, with a title and numbers in letters of our
 * own, five dots wide and seven high. */
#include "tools/render.h"

#include <sightline/image.h>

#include <stdio.h>
#include <string.h>

enum { DOTS_WIDE = 5, DOTS_HIGH = 7, ADVANCE = DOTS_WIDE + 1 };

/* A row is one byte, its leftmost dot in bit 4.  Only letters that titles use are there. */
static const struct {
    char letter;
    uint8_t rows[DOTS_HIGH];
} font[] = {
    { '0', { 0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E } },
    { '1', { 0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E } },
    { '2', { 0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F } },
    { '3', { 0x0E, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0E } },
    { '4', { 0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02 } },
    { '5', { 0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E } },
    { '6', { 0x0E, 0x10, 0x10, 0x1E, 0x11, 0x11, 0x0E } },
    { '7', { 0x1F, 0x01, 0x02, 0x02, 0x04, 0x04, 0x04 } },
    { '8', { 0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E } },
    { '9', { 0x0E, 0x11, 0x11, 0x0F, 0x01, 0x01, 0x0E } },
    { 'A', { 0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11 } },
    { 'C', { 0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E } },
    { 'D', { 0x1C, 0x12, 0x11, 0x11, 0x11, 0x12, 0x1C } },
    { 'E', { 0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F } },
    { 'F', { 0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10 } },
    { 'G', { 0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0E } },
    { 'H', { 0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11 } },
    { 'I', { 0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E } },
    { 'L', { 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F } },
    { 'M', { 0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11 } },
    { 'N', { 0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11 } },
    { 'O', { 0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E } },
    { 'P', { 0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10 } },
    { 'R', { 0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11 } },
    { 'S', { 0x0E, 0x11, 0x10, 0x0E, 0x01, 0x11, 0x0E } },
    { 'T', { 0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04 } },
    { 'U', { 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E } },
    { 'V', { 0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04 } },
    { 'Y', { 0x11, 0x11, 0x0A, 0x04, 0x04, 0x04, 0x04 } },
    { '.', { 0x00, 0x00, 0x00, 0x00, 0x00, 0x0C, 0x0C } },
    { '-', { 0x00, 0x00, 0x00, 0x1F, 0x00, 0x00, 0x00 } },
    { '+', { 0x00, 0x04, 0x04, 0x1F, 0x04, 0x04, 0x00 } },
    { '>', { 0x10, 0x08, 0x04, 0x02, 0x04, 0x08, 0x10 } },
};
enum { FONT_COUNT = sizeof font / sizeof font[0] };

/* The picture, and how many pixels a dot of a letter takes. */
typedef struct canvas {
    const picture *p;
    uint32_t dot;
} canvas;

/* weight of 256: how much of the new colour. */
static void fill(const canvas *c, uint32_t x0, uint32_t y0, uint32_t width, uint32_t height,
                 const uint8_t rgb[3], int weight)
{
    const picture *p = c->p;
    for (uint32_t y = y0; y < y0 + height && y < p->height; y++) {
        for (uint32_t x = x0; x < x0 + width && x < p->width; x++) {
            uint8_t *pixel = p->rgb + 3 * ((size_t)y * p->width + x);
            for (int i = 0; i < 3; i++) {
                pixel[i] = (uint8_t)((pixel[i] * (256 - weight) + rgb[i] * weight) >> 8);
            }
        }
    }
}

static void draw_letter(const canvas *c, uint32_t x, uint32_t y, const uint8_t rows[DOTS_HIGH])
{
    static const uint8_t ink[3] = { 240, 240, 236 };
    for (uint32_t row = 0; row < DOTS_HIGH; row++) {
        for (uint32_t column = 0; column < DOTS_WIDE; column++) {
            if ((rows[row] >> (DOTS_WIDE - 1 - column) & 1) != 0) {
                fill(c, x + column * c->dot, y + row * c->dot, c->dot, c->dot, ink, 256);
            }
        }
    }
}

static uint32_t text_width(const canvas *c, const char *text)
{
    return (uint32_t)strlen(text) * ADVANCE * c->dot;
}

static void draw_text(const canvas *c, uint32_t x, uint32_t y, const char *text)
{
    for (; *text != '\0'; text++, x += ADVANCE * c->dot) {
        for (int i = 0; i < FONT_COUNT; i++) {
            if (font[i].letter == *text) {
                draw_letter(c, x, y, font[i].rows);
            }
        }
    }
}

/* Numbers as %g has them, but in the capitals that the font has. */
static void number_text(double number, bool more, char *to, size_t size)
{
    snprintf(to, size, "%s%.3G", more ? ">" : "", number);
}

void render_legend(const picture *p, const char *title, bool more)
{
    static const uint8_t plate[3] = { 16, 17, 20 };
    const uint32_t side = p->width < p->height ? p->width : p->height;
    const canvas c = { .p = p, .dot = side < 480 ? 1 : side / 480 + (side >= 720) };
    const uint32_t margin = 4 * c.dot;
    const uint32_t line = (DOTS_HIGH + 4) * c.dot;
    char ends[3][32];
    number_text(p->low, false, ends[0], sizeof ends[0]);
    number_text((p->low + p->high) / 2, false, ends[1], sizeof ends[1]);
    number_text(p->high, more, ends[2], sizeof ends[2]);
    uint32_t bar = 160 * c.dot;
    bar = bar > text_width(&c, title) ? bar : text_width(&c, title);
    const uint32_t width = bar + 2 * margin;
    const uint32_t height = 3 * line + 2 * margin - 4 * c.dot;
    if (2 * margin + width > p->width || 3 * height > p->height) {
        return;
    }
    const uint32_t x = 2 * margin;
    const uint32_t y = p->height - height;
    fill(&c, x - margin, y - margin, width, height, plate, 200);
    draw_text(&c, x, y, title);
    for (uint32_t i = 0; i < bar; i++) {
        uint8_t rgb[3];
        const float part = ((float)i + 0.5f) / (float)bar;
        sl_color_map(p->show == SHOW_DEPTH ? 1 - part : part, rgb);
        fill(&c, x + i, y + line, 1, DOTS_HIGH * c.dot, rgb, 256);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t blank = bar - text_width(&c, ends[i]) + c.dot;
        draw_text(&c, x + blank * i / 2, y + 2 * line, ends[i]);
    }
}
