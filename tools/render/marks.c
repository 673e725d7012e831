/* render/marks.c: draws marks of several kinds over a picture of a mesh, such as the faults that
 * check finds.
 *
 * The mesh is traced once, for the colour, the triangle and the depth of each pixel.  Marks are
 * drawn as they are found, into a layer of one byte a pixel: the kind that is seen there, and
 * whether something is in front of it.  Marked triangles are coloured at the end. */
#include "tools/render/marks.h"

#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

enum { HIDDEN = 0x80 };

struct marks {
    picture base;
    uint32_t *prims; /* for each pixel, SL_NONE where there is nothing */
    float *depths;   /* along the view axis; infinite where there is nothing */
    uint8_t *layer;  /* for each pixel: kind + 1, and HIDDEN; 0: nothing was drawn */
    uint8_t *marks;  /* for each triangle of a mesh: kind + 1; 0: none */
    float tolerance; /* how far behind what a pixel shows still counts as on it */
};

static void trace_pixel_of(void *context, const tiles_pixel *pixel, int worker)
{
    marks *p = context;
    const size_t at = (size_t)pixel->y * p->base.width + pixel->x;
    render_pixel(&p->base, pixel, worker);
    p->prims[at] = pixel->hits[0].prim;
    p->depths[at] = 0;
    for (size_t i = 0; i < pixel->count; i++) {
        const bool met = pixel->hits[i].prim != SL_NONE;
        const float depth =
            met ? (float)render_depth(p->base.camera, &pixel->rays[i], &pixel->hits[i]) : INFINITY;
        p->depths[at] = fmaxf(p->depths[at], depth);
    }
}

static bool picture_allocate(marks *p, size_t triangle_count)
{
    const size_t pixels = (size_t)p->base.width * p->base.height;
    p->base.rgb = malloc(3 * pixels);
    p->prims = malloc(pixels * sizeof *p->prims);
    p->depths = malloc(pixels * sizeof *p->depths);
    p->layer = calloc(pixels, 1);
    p->marks = calloc(triangle_count + 1, 1);
    return p->base.rgb != NULL && p->prims != NULL && p->depths != NULL && p->layer != NULL &&
           p->marks != NULL;
}

marks *marks_create(const mesh_in *in, const camera_in *camera, progress *bar, int samples,
                    int *status)
{
    const sl_aabb bounds = mesh_in_bounds(in->bvh);
    marks *p = calloc(1, sizeof *p);
    if (p == NULL) {
        *status = report_memory();
        return NULL;
    }
    p->base = (picture){ .in = in,
                         .camera = camera,
                         .show = SHOW_SHADE,
                         .width = camera->camera.width,
                         .height = camera->camera.height };
    p->tolerance = (float)(1e-3 * mesh_in_diagonal(&bounds));
    const tiles_job job = { .in = in,
                            .camera = camera,
                            .tasks = in->tasks,
                            .samples = samples,
                            .bar = bar,
                            .stage = "rendering" };
    *status = picture_allocate(p, in->mesh != NULL ? sl_mesh_soup(in->mesh).triangle_count : 0)
                  ? tiles_trace(&job, trace_pixel_of, p)
                  : report_memory();
    if (*status != EXIT_DONE) {
        marks_destroy(p);
        return NULL;
    }
    return p;
}

void marks_destroy(marks *p)
{
    if (p != NULL) {
        free(p->base.rgb);
        free(p->prims);
        free(p->depths);
        free(p->layer);
        free(p->marks);
        free(p);
    }
}

/* A point on its way into the picture: pixel, distance along the view axis, and what perspective
 * divides by. */
typedef struct spot {
    double x, y, depth, w;
} spot;

static bool picture_project(const marks *p, const double point[3], spot *out)
{
    const sl_camera *camera = &p->base.camera->camera;
    float at[3], xy[2];
    double eye[4], w = 0;
    for (int i = 0; i < 4; i++) {
        eye[i] = camera->view[12 + i];
        for (int axis = 0; axis < 3; axis++) {
            eye[i] += (double)camera->view[4 * axis + i] * point[axis];
        }
    }
    for (int i = 0; i < 4; i++) {
        w += (double)camera->projection[4 * i + 3] * eye[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (float)point[axis];
    }
    if (!sl_camera_project(camera, at, xy, NULL)) {
        return false;
    }
    *out = (spot){ xy[0], xy[1], camera_in_distance(p->base.camera, point), w };
    return true;
}

/* Whether something is in front: of the pixel and those around it, so that a line along an edge
 * that is seen is not broken by the slope beside it. */
static bool is_hidden(const marks *p, int64_t x, int64_t y, double depth)
{
    float farthest = 0;
    for (int64_t j = y - 1; j <= y + 1; j++) {
        for (int64_t i = x - 1; i <= x + 1; i++) {
            if (i >= 0 && j >= 0 && i < p->base.width && j < p->base.height) {
                farthest = fmaxf(farthest, p->depths[(size_t)j * p->base.width + (size_t)i]);
            }
        }
    }
    return depth > (double)farthest + (double)p->tolerance;
}

/* Outlines of triangles, which have a radius of 0, leave what is there already. */
static void picture_stamp(marks *p, const spot *at, int radius, int kind)
{
    if (!(at->x >= -radius && at->x < (double)p->base.width + radius) ||
        !(at->y >= -radius && at->y < (double)p->base.height + radius)) {
        return;
    }
    const int64_t x = (int64_t)floor(at->x), y = (int64_t)floor(at->y);
    const bool hidden = is_hidden(p, x, y, at->depth);
    for (int64_t j = y - radius; j <= y + radius; j++) {
        for (int64_t i = x - radius; i <= x + radius; i++) {
            const bool corner = radius > 1 && llabs(i - x) == radius && llabs(j - y) == radius;
            if (i < 0 || j < 0 || i >= p->base.width || j >= p->base.height || corner) {
                continue;
            }
            uint8_t *layer = &p->layer[(size_t)j * p->base.width + (size_t)i];
            const bool free = *layer == 0 || (*layer & HIDDEN) != 0;
            if (free || (!hidden && radius > 0)) {
                *layer = (uint8_t)((kind + 1) | (hidden ? HIDDEN : 0));
            }
        }
    }
}

/* Narrows s0 .. s1, the part of a line that is drawn, to where from + s (to - from) is in
 * 0 .. size. */
static bool picture_clip(double from, double to, double size, double *s0, double *s1)
{
    const double d = to - from;
    if (d == 0) {
        return from >= 0 && from <= size;
    }
    const double a = -from / d, b = (size - from) / d;
    *s0 = fmax(*s0, fmin(a, b));
    *s1 = fmin(*s1, fmax(a, b));
    return *s0 <= *s1;
}

/* A stamp for each pixel's length of what is within the picture. */
static void draw_line(marks *p, const spot *a, const spot *b, int radius, int kind)
{
    double s0 = 0, s1 = 1;
    if (!picture_clip(a->x, b->x, p->base.width, &s0, &s1) ||
        !picture_clip(a->y, b->y, p->base.height, &s0, &s1)) {
        return;
    }
    const double length = (s1 - s0) * fmax(fabs(b->x - a->x), fabs(b->y - a->y));
    const size_t steps = (size_t)length + 1;
    for (size_t i = 0; i <= steps; i++) {
        const double s = s0 + (s1 - s0) * (double)i / (double)steps;
        const double t = s * a->w / (b->w + s * (a->w - b->w)); /* along the line in space */
        const spot at = { .x = a->x + s * (b->x - a->x),
                          .y = a->y + s * (b->y - a->y),
                          .depth = a->depth + t * (b->depth - a->depth) };
        picture_stamp(p, &at, radius, kind);
    }
}

void marks_edge(marks *p, int kind, const float from[3], const float to[3], int radius)
{
    const double a[3] = { from[0], from[1], from[2] }, b[3] = { to[0], to[1], to[2] };
    spot first, last;
    if (picture_project(p, a, &first) && picture_project(p, b, &last)) {
        draw_line(p, &first, &last, radius, kind);
    }
}

void marks_triangle(marks *p, int kind, uint32_t prim, int radius)
{
    sl_triangle t;
    if (!sl_mesh_triangle(p->base.in->mesh, prim, &t)) {
        return;
    }
    p->marks[prim] = (uint8_t)(kind + 1);
    for (int i = 0; i < 3; i++) {
        marks_edge(p, kind, t.v[i], t.v[(i + 1) % 3], radius);
    }
}

void marks_point(marks *p, int kind, const double place[3], int radius)
{
    spot at;
    if (picture_project(p, place, &at)) {
        picture_stamp(p, &at, radius, kind);
    }
}

static void color_pixel(const marks *p, const mark_kind *kinds, size_t at)
{
    uint8_t *rgb = p->base.rgb + 3 * at;
    const int layer = p->layer[at];
    const bool markable = p->prims[at] != SL_NONE && p->base.in->mesh != NULL;
    const int mark = markable ? p->marks[p->prims[at]] : 0;
    const int light = (rgb[0] + rgb[1] + rgb[2]) / 3;
    for (int c = 0; c < 3; c++) {
        int base = p->prims[at] != SL_NONE ? light * 3 / 4 : light / 4;
        if (mark != 0) {
            base = kinds[mark - 1].color[c] * (128 + light) / 384;
        }
        if (layer != 0) {
            const int ink = kinds[(layer & ~HIDDEN) - 1].color[c];
            base = (layer & HIDDEN) != 0 ? (base + ink) / 2 : ink;
        }
        rgb[c] = (uint8_t)base;
    }
}

/* A plate with a line for each kind that has a text. */
static void draw_legend(const canvas *c, const mark_kind *kinds, int count)
{
    static const uint8_t plate[3] = { 16, 17, 20 };
    const uint32_t margin = 4 * c->dot, line = (FONT_HEIGHT + 4) * c->dot, swatch = 2 * line;
    uint32_t lines = 0, width = 0;
    for (int kind = 0; kind < count; kind++) {
        if (kinds[kind].text[0] != '\0') {
            const uint32_t own = canvas_text_width(c, kinds[kind].text);
            width = own > width ? own : width;
            lines++;
        }
    }
    const uint32_t high = lines * line + 2 * margin;
    if (lines == 0 || swatch + width + 4 * margin > c->width || high + 2 * margin > c->height) {
        return;
    }
    const uint32_t x = 2 * margin;
    uint32_t y = c->height - high;
    canvas_fill(c, margin, y - margin, swatch + width + 2 * margin, high, plate, 200);
    for (int kind = 0; kind < count; kind++) {
        if (kinds[kind].text[0] != '\0') {
            canvas_fill(c, x, y, swatch - margin, FONT_HEIGHT * c->dot, kinds[kind].color, 256);
            canvas_text(c, x + swatch, y, kinds[kind].text);
            y += line;
        }
    }
}

canvas marks_finish(marks *p, const mark_kind *kinds, int count)
{
    const size_t pixels = (size_t)p->base.width * p->base.height;
    for (size_t at = 0; at < pixels; at++) {
        color_pixel(p, kinds, at);
    }
    const canvas c = canvas_make(p->base.rgb, p->base.width, p->base.height);
    draw_legend(&c, kinds, count);
    return c;
}
