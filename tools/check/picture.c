/* check/picture.c: draws the faults of a mesh into a picture, for check --picture.
 *
 * The mesh is traced once, for the colour, the triangle and the depth of each pixel.  Faults are
 * drawn as they are found, into a layer of one byte a pixel: the kind that is seen there, and
 * whether something is in front of it.  Faulty triangles are marked, and coloured at the end. */
#include "tools/check/check.h"
#include "tools/cli/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HIDDEN = 0x80 };

struct check_picture {
    picture base;
    uint32_t *prims; /* for each pixel, SL_NONE where there is nothing */
    float *depths;   /* along the view axis; infinite where there is nothing */
    uint8_t *layer;  /* for each pixel: kind + 1, and HIDDEN; 0: nothing was drawn */
    uint8_t *marks;  /* for each triangle: kind + 1; 0: none */
    float tolerance; /* how far behind what a pixel shows still counts as on it */
};

/* Distinct for the colour-blind too, and none like the grey of the mesh. */
static const uint8_t colors[CHECK_KINDS][3] = {
    [SL_FAULT_LEFT_OUT] = { 128, 128, 128 },
    [SL_FAULT_NOT_FINITE] = { 160, 160, 160 },
    [SL_FAULT_UNUSED_VERTEX] = { 0, 190, 140 },
    [SL_FAULT_DUPLICATE] = { 196, 110, 220 },
    [SL_FAULT_ZERO_AREA] = { 245, 232, 60 },
    [SL_FAULT_OPEN_EDGE] = { 245, 160, 20 },
    [SL_FAULT_NONMANIFOLD_EDGE] = { 80, 240, 80 },
    [SL_FAULT_MISORIENTED_EDGE] = { 60, 190, 255 },
    [CHECK_INTERSECTION] = { 235, 50, 45 },
    [CHECK_NO_TRIANGLES] = { 200, 200, 200 },
    [CHECK_NOTE] = { 220, 220, 180 },
};

static void trace_pixel_of(void *context, const tiles_pixel *pixel, int worker)
{
    check_picture *p = context;
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

static bool picture_allocate(check_picture *p, size_t triangle_count)
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

check_picture *check_picture_create(const mesh_in *in, const camera_in *camera, progress *bar,
                                    int samples, int *status)
{
    const sl_aabb bounds = mesh_in_bounds(in->bvh);
    check_picture *p = calloc(1, sizeof *p);
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
    *status = picture_allocate(p, sl_mesh_soup(in->mesh).triangle_count)
                  ? tiles_trace(&job, trace_pixel_of, p)
                  : report_memory();
    if (*status != EXIT_DONE) {
        check_picture_destroy(p);
        return NULL;
    }
    return p;
}

void check_picture_destroy(check_picture *p)
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

static bool picture_project(const check_picture *p, const double point[3], spot *out)
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
static bool is_hidden(const check_picture *p, int64_t x, int64_t y, double depth)
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
static void picture_stamp(check_picture *p, const spot *at, int radius, int kind)
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
static void draw_line(check_picture *p, const spot *a, const spot *b, int radius, int kind)
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

/* Lines that go behind the eye are left out. */
static void draw_edge(check_picture *p, const float from[3], const float to[3], int radius,
                      int kind)
{
    const double a[3] = { from[0], from[1], from[2] }, b[3] = { to[0], to[1], to[2] };
    spot first, last;
    if (picture_project(p, a, &first) && picture_project(p, b, &last)) {
        draw_line(p, &first, &last, radius, kind);
    }
}

static void draw_triangle(check_picture *p, uint32_t prim, int kind)
{
    sl_triangle t;
    if (!sl_mesh_triangle(p->base.in->mesh, prim, &t)) {
        return;
    }
    p->marks[prim] = (uint8_t)(kind + 1);
    for (int i = 0; i < 3; i++) {
        draw_edge(p, t.v[i], t.v[(i + 1) % 3], kind == SL_FAULT_ZERO_AREA ? 1 : 0, kind);
    }
}

void check_picture_add(check_picture *p, int kind, const sl_fault *fault)
{
    const float *xyz = sl_mesh_soup(p->base.in->mesh).xyz;
    double place[3];
    spot at;
    if (fault->vertex[0] == SL_NONE) {
        draw_triangle(p, fault->prim, kind);
    } else if (fault->vertex[0] != fault->vertex[1]) {
        draw_edge(p, xyz + 3 * (size_t)fault->vertex[0], xyz + 3 * (size_t)fault->vertex[1], 1,
                  kind);
    } else if (check_place(p->base.in->mesh, fault, place) && picture_project(p, place, &at)) {
        picture_stamp(p, &at, 2, kind);
    }
}

static void color_pixel(const check_picture *p, size_t at)
{
    uint8_t *rgb = p->base.rgb + 3 * at;
    const int layer = p->layer[at];
    const int mark = p->prims[at] != SL_NONE ? p->marks[p->prims[at]] : 0;
    const int light = (rgb[0] + rgb[1] + rgb[2]) / 3;
    for (int c = 0; c < 3; c++) {
        int base = p->prims[at] != SL_NONE ? light * 3 / 4 : light / 4;
        if (mark != 0) {
            base = colors[mark - 1][c] * (128 + light) / 384;
        }
        if (layer != 0) {
            const int ink = colors[(layer & ~HIDDEN) - 1][c];
            base = (layer & HIDDEN) != 0 ? (base + ink) / 2 : ink;
        }
        rgb[c] = (uint8_t)base;
    }
}

/* Capitals, which stand on the line. */
static void legend_text(int kind, uint64_t count, char *to, size_t size)
{
    const char *word = kind == CHECK_INTERSECTION ? "intersecting triangles"
                       : kind == CHECK_NOTE       ? "notes of the file"
                                                  : check_words[kind];
    if (kind == CHECK_NO_TRIANGLES) {
        snprintf(to, size, "no triangles");
    } else {
        snprintf(to, size, "%" PRIu64 " %s", count, word);
    }
    for (; *to != '\0'; to++) {
        *to = (char)toupper((unsigned char)*to);
    }
}

/* A plate with a line for each kind that there is. */
static void draw_legend(const canvas *c, const uint64_t counts[CHECK_KINDS])
{
    static const uint8_t plate[3] = { 16, 17, 20 };
    const uint32_t margin = 4 * c->dot, line = (FONT_HEIGHT + 4) * c->dot, swatch = 2 * line;
    char texts[CHECK_KINDS][64];
    uint32_t lines = 0, width = 0;
    for (int kind = 0; kind < CHECK_KINDS; kind++) {
        if (counts[kind] > 0) {
            legend_text(kind, counts[kind], texts[kind], sizeof texts[kind]);
            const uint32_t own = canvas_text_width(c, texts[kind]);
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
    for (int kind = 0; kind < CHECK_KINDS; kind++) {
        if (counts[kind] > 0) {
            canvas_fill(c, x, y, swatch - margin, FONT_HEIGHT * c->dot, colors[kind], 256);
            canvas_text(c, x + swatch, y, texts[kind]);
            y += line;
        }
    }
}

canvas check_picture_finish(check_picture *p, const uint64_t counts[CHECK_KINDS])
{
    const size_t pixels = (size_t)p->base.width * p->base.height;
    for (size_t at = 0; at < pixels; at++) {
        color_pixel(p, at);
    }
    const canvas c = canvas_make(p->base.rgb, p->base.width, p->base.height);
    draw_legend(&c, counts);
    return c;
}
