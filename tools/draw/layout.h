/* draw/layout.h: lays a scene out on paper; SVG and PNG each implement the paper. */
#ifndef TOOLS_DRAW_LAYOUT_H
#define TOOLS_DRAW_LAYOUT_H

#include "tools/draw/scene.h"

#include <stdio.h>

typedef struct pen {
    uint8_t line[3], fill[3];
    double width;   /* of lines */
    double opacity; /* of areas */
    bool dashed;
} pen;

/* The pen that draws an ink. */
const pen *pen_of(draw_ink ink);

/* x to the right, y down, in pixels. */
typedef struct draw_paper draw_paper;
struct draw_paper {
    void (*begin)(draw_paper *paper, int width, int height);
    void (*area)(draw_paper *paper, const pen *p, double (*xy)[2], size_t count);
    void (*lines)(draw_paper *paper, const pen *p, double (*xy)[2], size_t count);
    void (*dot)(draw_paper *paper, const pen *p, const double xy[2], double radius);
    /* From x on, on the base line y; free: over a margin that covers what is below. */
    void (*text)(draw_paper *paper, const pen *p, double x, double y, int size, const char *words,
                 bool free);
    void (*end)(draw_paper *paper);
};

void draw_lay_out(draw_scene *scene, const char *title, draw_paper *paper);

/* As SVG, to a stream.  Errors of writing stay in the stream. */
void draw_svg(draw_scene *scene, const char *title, FILE *to);

/* As PNG, with twice the pixels each way.  EXIT_DONE, or EXIT_FAILED after a report. */
int draw_png(draw_scene *scene, const char *title, const char *path);

#endif
