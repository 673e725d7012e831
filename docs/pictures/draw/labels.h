/* draw/labels.h: where the labels of a picture go: beside what they name, off its lines and off
 * each other. */
#pragma once

#include "docs/pictures/draw/layout.h"

enum { LABELS_MAX = 64, LABELS_LINES = 4096, LABEL_WORDS = 40 };

typedef struct draw_label {
    double at[2]; /* what it names */
    const pen *ink;
    int size;
    char words[LABEL_WORDS];
} draw_label;

typedef struct draw_labels {
    double low[2], high[2]; /* of the frame */
    draw_label label[LABELS_MAX];
    size_t count;
    double line[LABELS_LINES][4]; /* x0, y0, x1, y1: to be kept free */
    size_t line_count;
} draw_labels;

/* Another at the same place joins it: "A, t0".  What does not fit is left out. */
void draw_labels_add(draw_labels *labels, const double at[2], const pen *ink, int size,
                     const char *words);

void draw_labels_avoid(draw_labels *labels, double (*xy)[2], size_t count);

void draw_labels_put(draw_labels *labels, FILE *to);
