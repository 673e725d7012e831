/* draw/layout.h: lays a scene out on paper, which is SVG. */
#pragma once

#include "docs/pictures/draw/scene.h"

#include <stdio.h>

typedef struct pen {
    uint8_t line[3], fill[3];
    double width;   /* of lines */
    double opacity; /* of areas */
    bool dashed;
} pen;

/* Draws on paper, x to the right, y down, in pixels. */
void svg_area(FILE *to, const pen *p, double (*xy)[2], size_t count);
void svg_lines(FILE *to, const pen *p, double (*xy)[2], size_t count);
void svg_dot(FILE *to, const pen *p, const double xy[2], double radius);

/* From x on, on the base line y; free: over a margin that covers what is below. */
void svg_text(FILE *to, const pen *p, double x, double y, int size, const char *words, bool free);

/* Lays a scene out and writes it as SVG.  Errors of writing stay in the stream. */
void draw_svg(draw_scene *scene, const char *title, FILE *to);
