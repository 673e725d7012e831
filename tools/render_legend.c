/* The legend: a bar of the colour map over a dark plate, with a title and numbers. */
#include "tools/letters.h"
#include "tools/render.h"

#include <sightline/image.h>

#include <stdio.h>
#include <string.h>

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

static void draw_letter(const canvas *c, uint32_t x, uint32_t y, const uint8_t *rows)
{
    static const uint8_t ink[3] = { 240, 240, 236 };
    for (uint32_t row = 0; row < LETTER_HIGH; row++) {
        for (uint32_t column = 0; column < LETTER_WIDE; column++) {
            if ((rows[row] >> (LETTER_WIDE - 1 - column) & 1) != 0) {
                fill(c, x + column * c->dot, y + row * c->dot, c->dot, c->dot, ink, 256);
            }
        }
    }
}

static uint32_t text_width(const canvas *c, const char *text)
{
    return (uint32_t)strlen(text) * LETTER_ADVANCE * c->dot;
}

static void draw_text(const canvas *c, uint32_t x, uint32_t y, const char *text)
{
    for (; *text != '\0'; text++, x += LETTER_ADVANCE * c->dot) {
        draw_letter(c, x, y, letter_rows(*text));
    }
}

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
    const uint32_t line = (LETTER_HIGH + 4) * c.dot;
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
        fill(&c, x + i, y + line, 1, LETTER_HIGH * c.dot, rgb, 256);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t blank = bar - text_width(&c, ends[i]) + c.dot;
        draw_text(&c, x + blank * i / 2, y + 2 * line, ends[i]);
    }
}
