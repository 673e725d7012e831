/* draw/labels.c: finds free places for labels beside what they name. */
#include "docs/pictures/draw/labels.h"

#include <math.h>
#include <string.h>

/* A letter's width and height, in font sizes; what a label keeps free around it, in pixels. */
static const double LETTER_WIDTH = 0.62, LETTER_HEIGHT = 0.74, FREE = 1.5;

void draw_labels_add(draw_labels *labels, const double at[2], const pen *ink, int size,
                     const char *words)
{
    if (words[0] == '\0') {
        return;
    }
    for (size_t i = 0; i < labels->count; i++) {
        char *there = labels->label[i].words;
        const double *place = labels->label[i].at;
        if (fabs(place[0] - at[0]) < 4 && fabs(place[1] - at[1]) < 4) {
            const size_t used = strlen(there);
            snprintf(there + used, LABEL_WORDS - used, ", %s", words);
            labels->label[i].ink = ink;
            return;
        }
    }
    if (labels->count < LABELS_MAX) {
        draw_label *label = &labels->label[labels->count++];
        *label = (draw_label){ .at = { at[0], at[1] }, .ink = ink, .size = size };
        snprintf(label->words, LABEL_WORDS, "%s", words);
    }
}

void draw_labels_avoid(draw_labels *labels, double (*xy)[2], size_t count)
{
    for (size_t i = 0; i + 1 < count && labels->line_count < LABELS_LINES; i++) {
        double *line = labels->line[labels->line_count++];
        memcpy(line, xy[i], 2 * sizeof *line);
        memcpy(line + 2, xy[i + 1], 2 * sizeof *line);
    }
}

typedef struct box {
    double low[2], high[2];
} box;

/* How much of a line lies in the box. */
static double length_within(const double line[4], const box *b)
{
    double t0 = 0, t1 = 1;
    for (int i = 0; i < 2; i++) {
        const double from = line[i], by = line[2 + i] - line[i];
        if (by == 0) {
            if (from < b->low[i] || from > b->high[i]) {
                return 0;
            }
            continue;
        }
        const double a = (b->low[i] - from) / by, c = (b->high[i] - from) / by;
        t0 = fmax(t0, fmin(a, c));
        t1 = fmin(t1, fmax(a, c));
    }
    return t1 > t0 ? (t1 - t0) * hypot(line[2] - line[0], line[3] - line[1]) : 0;
}

static double labels_shared(const box *a, const box *b)
{
    double area = 1;
    for (int i = 0; i < 2; i++) {
        area *= fmax(fmin(a->high[i], b->high[i]) - fmax(a->low[i], b->low[i]), 0);
    }
    return area;
}

/* Beside a place, in one of eight directions. */
static box box_beside(const double at[2], const int way[2], double away, double width,
                      double height)
{
    const double size[2] = { width, height };
    box b;
    for (int i = 0; i < 2; i++) {
        b.low[i] = way[i] > 0   ? at[i] + away
                   : way[i] < 0 ? at[i] - away - size[i]
                                : at[i] - size[i] / 2;
        b.high[i] = b.low[i] + size[i];
    }
    return b;
}

/* What is in the way: pixels of lines, other words, what would be cut off. */
static double cost_of(const draw_labels *labels, const box *b, const box *placed, size_t count)
{
    const box wide = { { b->low[0] - FREE, b->low[1] - FREE },
                       { b->high[0] + FREE, b->high[1] + FREE } };
    double cost = 0;
    for (size_t i = 0; i < labels->line_count; i++) {
        cost += length_within(labels->line[i], &wide);
    }
    for (size_t i = 0; i < count; i++) {
        cost += 5 * labels_shared(&wide, &placed[i]);
    }
    for (int i = 0; i < 2; i++) {
        const double cut =
            fmax(labels->low[i] - b->low[i], 0) + fmax(b->high[i] - labels->high[i], 0);
        cost += 100 * cut;
    }
    return cost;
}

/* To the upper right where nothing is in the way. */
static box find_place(const draw_labels *labels, size_t label, const box *placed)
{
    static const int ways[8][2] = { { 1, -1 }, { -1, -1 }, { 1, 1 },  { -1, 1 },
                                    { 1, 0 },  { -1, 0 },  { 0, -1 }, { 0, 1 } };
    const int size = labels->label[label].size;
    const double width = LETTER_WIDTH * size * (double)strlen(labels->label[label].words);
    box best = { { 0, 0 }, { 0, 0 } };
    double least = (double)INFINITY;
    for (int i = 0; i < 16; i++) {
        const int *way = ways[i % 8];
        const double away = (way[0] != 0 && way[1] != 0 ? 6 : 9) + (i < 8 ? 0 : 8);
        const box b = box_beside(labels->label[label].at, way, away, width, LETTER_HEIGHT * size);
        const double cost = cost_of(labels, &b, placed, labels->count) + i;
        if (cost < least) {
            least = cost;
            best = b;
        }
    }
    return best;
}

void draw_labels_put(draw_labels *labels, FILE *to)
{
    box placed[LABELS_MAX];
    for (size_t i = 0; i < labels->count; i++) { /* dots are in the way, too */
        for (int k = 0; k < 2; k++) {
            placed[i].low[k] = labels->label[i].at[k] - 5;
            placed[i].high[k] = labels->label[i].at[k] + 5;
        }
    }
    for (size_t i = 0; i < labels->count; i++) {
        placed[i] = find_place(labels, i, placed);
        svg_text(to, labels->label[i].ink, placed[i].low[0], placed[i].high[1],
                 labels->label[i].size, labels->label[i].words, true);
    }
}
