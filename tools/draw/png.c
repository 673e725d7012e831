/* draw/png.c: rasterises the picture, TIMES x TIMES pixels for each pixel of the paper, for draw.
 * Lines and dots are antialiased by the distance of a pixel's centre, areas by 4 x 4 samples in
 * each pixel; text is dot-matrix. */
#include "tools/cli/report.h"
#include "tools/draw/canvas.h"
#include "tools/draw/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIMES 2

typedef struct png_paper {
    draw_paper paper; /* first */
    uint8_t *rgb;     /* NULL: out of memory */
    int width, height;
} png_paper;

static void begin(draw_paper *paper, int width, int height)
{
    png_paper *png = (png_paper *)paper;
    png->width = TIMES * width;
    png->height = TIMES * height;
    const size_t size = 3 * (size_t)png->width * (size_t)png->height;
    png->rgb = malloc(size);
    if (png->rgb != NULL) {
        memset(png->rgb, 255, size);
    }
}

static void blend(png_paper *png, int x, int y, const uint8_t rgb[3], double weight)
{
    uint8_t *pixel = png->rgb + 3 * ((size_t)y * (size_t)png->width + (size_t)x);
    for (int i = 0; i < 3; i++) {
        pixel[i] = (uint8_t)(pixel[i] + (rgb[i] - pixel[i]) * weight + 0.5);
    }
}

/* Pixels that low .. high may reach, within the picture: x0, y0, and behind them x1, y1. */
static void reach(const png_paper *png, const double low[2], const double high[2], int out[4])
{
    const int size[2] = { png->width, png->height };
    for (int i = 0; i < 2; i++) {
        out[i] = (int)fmin(fmax(floor(low[i]), 0), size[i]);
        out[2 + i] = (int)fmin(fmax(ceil(high[i]) + 1, 0), size[i]);
    }
}

/* In pixels, of points on the paper. */
static void bounds(double (*xy)[2], size_t count, double pad, double low[2], double high[2])
{
    for (int i = 0; i < 2; i++) {
        low[i] = (double)INFINITY;
        high[i] = (double)-INFINITY;
        for (size_t k = 0; k < count; k++) {
            low[i] = fmin(low[i], TIMES * xy[k][i] - pad);
            high[i] = fmax(high[i], TIMES * xy[k][i] + pad);
        }
    }
}

/* Even-odd: how often a ray to the right crosses the outline. */
static bool covers(double (*xy)[2], size_t count, double x, double y)
{
    bool in = false;
    for (size_t i = 0, j = count - 1; i < count; j = i++) {
        if ((xy[i][1] > y) != (xy[j][1] > y)) {
            const double at =
                xy[i][0] + (y - xy[i][1]) / (xy[j][1] - xy[i][1]) * (xy[j][0] - xy[i][0]);
            in = in != (x < at);
        }
    }
    return in;
}

static void area(draw_paper *paper, const pen *p, double (*xy)[2], size_t count)
{
    png_paper *png = (png_paper *)paper;
    double low[2], high[2];
    int box[4];
    bounds(xy, count, 0, low, high);
    reach(png, low, high, box);
    for (int y = box[1]; png->rgb != NULL && y < box[3]; y++) {
        for (int x = box[0]; x < box[2]; x++) {
            int in = 0;
            for (int i = 0; i < 16; i++) {
                in += covers(xy, count, (x + (i % 4 + 0.5) / 4) / TIMES,
                             (y + (i / 4 + 0.5) / 4) / TIMES);
            }
            blend(png, x, y, p->fill, p->opacity * in / 16);
        }
    }
}

/* Distance to a segment, and in *along how far along it the nearest point is. */
static double distance(const double a[2], const double b[2], double x, double y, double *along)
{
    const double d[2] = { b[0] - a[0], b[1] - a[1] };
    const double square = d[0] * d[0] + d[1] * d[1];
    const double s = square > 0 ? ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / square : 0;
    const double t = fmin(fmax(s, 0), 1);
    const double off[2] = { a[0] + t * d[0] - x, a[1] + t * d[1] - y };
    *along = t * sqrt(square);
    return sqrt(off[0] * off[0] + off[1] * off[1]);
}

/* Dashes are 4 long with 3 between, on the paper. */
static void line(png_paper *png, const pen *p, double (*ends)[2])
{
    double low[2], high[2];
    int box[4];
    bounds(ends, 2, TIMES * p->width / 2 + 1, low, high);
    reach(png, low, high, box);
    for (int y = box[1]; png->rgb != NULL && y < box[3]; y++) {
        for (int x = box[0]; x < box[2]; x++) {
            double along;
            const double off =
                distance(ends[0], ends[1], (x + 0.5) / TIMES, (y + 0.5) / TIMES, &along);
            const double weight = fmin(fmax(TIMES * (p->width / 2 - off) + 0.5, 0), 1);
            if (weight > 0 && !(p->dashed && fmod(along, 7) > 4)) {
                blend(png, x, y, p->line, weight);
            }
        }
    }
}

static void lines(draw_paper *paper, const pen *p, double (*xy)[2], size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        line((png_paper *)paper, p, xy + i);
    }
}

static void dot(draw_paper *paper, const pen *p, const double xy[2], double radius)
{
    pen round = *p;
    double ends[2][2] = { { xy[0], xy[1] }, { xy[0], xy[1] } };
    round.width = 2 * radius;
    round.dashed = false;
    memcpy(round.line, p->fill, sizeof round.line);
    line((png_paper *)paper, &round, ends);
}

static void fill(png_paper *png, const uint8_t rgb[3], int x0, int y0, int width, int height)
{
    for (int y = y0 < 0 ? 0 : y0; y < y0 + height && y < png->height; y++) {
        for (int x = x0 < 0 ? 0 : x0; x < x0 + width && x < png->width; x++) {
            blend(png, x, y, rgb, 1);
        }
    }
}

/* Each dot of the letters, with as much around it. */
static void put_letters(png_paper *png, const uint8_t rgb[3], int x, int y, int dot_size,
                        int around, const char *words)
{
    for (; *words != '\0'; words++, x += FONT_ADVANCE * dot_size) {
        const uint8_t *rows = font_rows(*words);
        const int top = y + font_drop(*words) * dot_size;
        for (int i = 0; i < FONT_HEIGHT * FONT_WIDTH; i++) {
            const int row = i / FONT_WIDTH, column = i % FONT_WIDTH;
            if ((rows[row] >> (FONT_WIDTH - 1 - column) & 1) != 0) {
                fill(png, rgb, x + column * dot_size - around, top + row * dot_size - around,
                     dot_size + 2 * around, dot_size + 2 * around);
            }
        }
    }
}

/* As high as the capitals of other type of that size, or a little more. */
static void text(draw_paper *paper, const pen *p, double x, double y, int size, const char *words,
                 bool free)
{
    static const uint8_t white[3] = { 255, 255, 255 };
    png_paper *png = (png_paper *)paper;
    const int dot_size = size > 12 ? 3 : 2;
    const int left = (int)(TIMES * x), top = (int)(TIMES * y) - FONT_HEIGHT * dot_size;
    if (png->rgb == NULL) {
        return;
    }
    if (free) {
        put_letters(png, white, left, top, dot_size, 3, words);
    }
    put_letters(png, p->line, left, top, dot_size, 0, words);
}

static void end(draw_paper *paper)
{
    (void)paper;
}

int draw_png(draw_scene *scene, const char *title, const char *path)
{
    png_paper png = { .paper = { begin, area, lines, dot, text, end } };
    draw_lay_out(scene, title, &png.paper);
    if (png.rgb == NULL) {
        return report_memory();
    }
    const canvas image = canvas_make(png.rgb, (uint32_t)png.width, (uint32_t)png.height);
    const int status = canvas_write(&image, path);
    free(png.rgb);
    return status;
}
