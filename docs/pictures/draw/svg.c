/* draw/svg.c: writes the picture as SVG, coordinates with two decimals, the same bytes on every
 * machine.  W3C, Scalable Vector Graphics (SVG) 1.1 (2011). */
#include "docs/pictures/draw/layout.h"

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

void svg_area(FILE *to, const pen *p, double (*xy)[2], size_t count)
{
    fputs("<polygon", to);
    points(to, xy, count);
    color(to, "fill", p->fill);
    fprintf(to, " fill-opacity=\"%.2f\"/>\n", p->opacity);
}

void svg_lines(FILE *to, const pen *p, double (*xy)[2], size_t count)
{
    fputs("<polyline", to);
    points(to, xy, count);
    fputs(" fill=\"none\"", to);
    color(to, "stroke", p->line);
    fprintf(to, " stroke-width=\"%.1f\"%s/>\n", p->width,
            p->dashed ? " stroke-dasharray=\"4 3\"" : "");
}

void svg_dot(FILE *to, const pen *p, const double xy[2], double radius)
{
    fprintf(to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", tidy(xy[0]), tidy(xy[1]), radius);
    color(to, "fill", p->fill);
    fputs("/>\n", to);
}

void svg_text(FILE *to, const pen *p, double x, double y, int size, const char *words, bool free)
{
    fprintf(to, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%d\"", tidy(x), tidy(y), size);
    color(to, "fill", p->line);
    if (free) {
        fputs(" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"", to);
    }
    fputc('>', to);
    for (; *words != '\0'; words++) {
        const char plain[] = { *words, '\0' };
        fputs(*words == '&' ? "&amp;" : *words == '<' ? "&lt;" : plain, to);
    }
    fputs("</text>\n", to);
}
