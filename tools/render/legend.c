/* render/legend.c: the legend of render: a bar of the colour map over a dark plate, with a title
 * and numbers. */
#include "tools/output/canvas.h"
#include "tools/render/render.h"

static void number_text(double number, bool more, char *to, size_t size)
{
    snprintf(to, size, "%s%.3G", more ? ">" : "", number);
}

void render_legend(const picture *p, const char *title, bool more)
{
    static const uint8_t plate[3] = { 16, 17, 20 };
    const canvas c = canvas_make(p->rgb, p->width, p->height);
    const uint32_t margin = 4 * c.dot, line = (FONT_HEIGHT + 4) * c.dot;
    char ends[3][32];
    number_text(p->low, false, ends[0], sizeof ends[0]);
    number_text((p->low + p->high) / 2, false, ends[1], sizeof ends[1]);
    number_text(p->high, more, ends[2], sizeof ends[2]);
    uint32_t bar = 160 * c.dot;
    bar = bar > canvas_text_width(&c, title) ? bar : canvas_text_width(&c, title);
    const uint32_t width = bar + 2 * margin, height = 3 * line + 2 * margin - 4 * c.dot;
    if (2 * margin + width > p->width || 3 * height > p->height) {
        return;
    }
    const uint32_t x = 2 * margin, y = p->height - height;
    canvas_fill(&c, x - margin, y - margin, width, height, plate, 200);
    canvas_text(&c, x, y, title);
    for (uint32_t i = 0; i < bar; i++) {
        uint8_t rgb[3];
        const float part = ((float)i + 0.5f) / (float)bar;
        sl_colour_map(p->show == SHOW_DEPTH ? 1 - part : part, rgb);
        canvas_fill(&c, x + i, y + line, 1, FONT_HEIGHT * c.dot, rgb, 256);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t blank = bar - canvas_text_width(&c, ends[i]) + c.dot;
        canvas_text(&c, x + blank * i / 2, y + 2 * line, ends[i]);
    }
}
