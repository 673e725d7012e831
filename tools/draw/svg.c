/* draw/svg.c: writes the picture as SVG, coordinates with two decimals, the same bytes on every
 * machine.  W3C, Scalable Vector Graphics (SVG) 1.1 (2011). */
#include "tools/draw/layout.h"

typedef struct svg_paper {
    draw_paper paper; /* first */
    FILE *to;
} svg_paper;

static FILE *stream(draw_paper *paper)
{
    return ((svg_paper *)paper)->to;
}

/* No "-0.00", which rounding makes of what is a little less than nothing. */
static double tidy(double x)
{
    return x > -0.005 && x < 0.005 ? 0 : x;
}

static void color(FILE *to, const char *name, const uint8_t rgb[3])
{
    fprintf(to, " %s=\"#%02x%02x%02x\"", name, rgb[0], rgb[1], rgb[2]);
}

static void points(FILE *to, double (*xy)[2], size_t count)
{
    fputs(" points=\"", to);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "%s%.2f,%.2f", i == 0 ? "" : " ", tidy(xy[i][0]), tidy(xy[i][1]));
    }
    fputc('"', to);
}

static void begin(draw_paper *paper, int width, int height)
{
    fprintf(stream(paper),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            width, height, width, height, width, height);
}

static void area(draw_paper *paper, const pen *p, double (*xy)[2], size_t count)
{
    FILE *to = stream(paper);
    fputs("<polygon", to);
    points(to, xy, count);
    color(to, "fill", p->fill);
    fprintf(to, " fill-opacity=\"%.2f\"/>\n", p->opacity);
}

static void lines(draw_paper *paper, const pen *p, double (*xy)[2], size_t count)
{
    FILE *to = stream(paper);
    fputs("<polyline", to);
    points(to, xy, count);
    fputs(" fill=\"none\"", to);
    color(to, "stroke", p->line);
    fprintf(to, " stroke-width=\"%.1f\"%s/>\n", p->width,
            p->dashed ? " stroke-dasharray=\"4 3\"" : "");
}

static void dot(draw_paper *paper, const pen *p, const double xy[2], double radius)
{
    FILE *to = stream(paper);
    fprintf(to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", tidy(xy[0]), tidy(xy[1]), radius);
    color(to, "fill", p->fill);
    fputs("/>\n", to);
}

static void text(draw_paper *paper, const pen *p, double x, double y, int size, const char *words,
                 bool free)
{
    FILE *to = stream(paper);
    fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%d\"", tidy(x), tidy(y), size);
    color(to, "fill", p->line);
    if (free) {
        fputs(" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"", to);
    }
    fputc('>', to);
    for (; *words != '\0'; words++) {
        switch (*words) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        default:
            fputc(*words, to);
        }
    }
    fputs("</text>\n", to);
}

static void end(draw_paper *paper)
{
    fputs("</svg>\n", stream(paper));
}

void draw_svg(draw_scene *scene, const char *title, FILE *to)
{
    svg_paper svg = { .paper = { begin, area, lines, dot, text, end }, .to = to };
    draw_lay_out(scene, title, &svg.paper);
}
