/* clash/picture.c: draws what was clashed, with what clashes in colours. */
#include "tools/clash/clash.h"
#include "tools/cli/report.h"
#include "tools/output/canvas.h"
#include "tools/render/render.h"

#include <stdlib.h>
#include <string.h>

typedef struct clash_image {
    picture base;
    const clash_mark *marks;
    size_t count;
} clash_image;

static const uint8_t colors[CLASH_COLORS][3] = {
    { 235, 50, 45 }, { 245, 140, 20 }, { 245, 226, 60 }, { 70, 140, 255 }
};

/* By triangle, then by colour: of several the first counts. */
static int compare_marks(const void *a, const void *b)
{
    const clash_mark *x = a, *y = b;
    const uint32_t first[3] = { x->triangle.instance, x->triangle.prim, (uint32_t)x->color };
    const uint32_t second[3] = { y->triangle.instance, y->triangle.prim, (uint32_t)y->color };
    for (int i = 0; i < 3; i++) {
        if (first[i] != second[i]) {
            return first[i] < second[i] ? -1 : 1;
        }
    }
    return 0;
}

/* The colour of a triangle; CLASH_COLORS: none. */
static clash_color find_mark(const clash_image *image, uint32_t instance, uint32_t prim)
{
    const clash_mark wanted = { { instance, prim }, CLASH_RED };
    size_t low = 0, high = image->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_marks(&image->marks[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == image->count) {
        return CLASH_COLORS;
    }
    const clash_mark *found = &image->marks[low];
    return found->triangle.instance == instance && found->triangle.prim == prim ? found->color
                                                                                : CLASH_COLORS;
}

static void color_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    clash_image *image = context;
    render_pixel(&image->base, pixel, worker);
    const sl_hit *hit = &pixel->hits[0];
    uint8_t *rgb = image->base.rgb + 3 * ((size_t)pixel->y * image->base.width + pixel->x);
    if (hit->prim == SL_NONE) {
        return;
    }
    clash_color color = find_mark(image, hit->instance, hit->prim);
    color = color == CLASH_COLORS ? find_mark(image, hit->instance, SL_NONE) : color;
    const int light = (rgb[0] + rgb[1] + rgb[2]) / 3;
    for (int c = 0; c < 3; c++) {
        const int base =
            color == CLASH_COLORS ? light * 3 / 4 : colors[color][c] * (128 + light) / 384;
        rgb[c] = (uint8_t)base;
    }
}

static void clash_legend(const canvas *c, const clash_mark *marks, size_t count,
                         const char *const words[CLASH_COLORS])
{
    const uint32_t margin = 4 * c->dot, line = (FONT_HEIGHT + 4) * c->dot;
    uint32_t y = margin;
    for (int color = 0; color < CLASH_COLORS; color++) {
        bool there = false;
        for (size_t i = 0; i < count && !there; i++) {
            there = marks[i].color == (clash_color)color;
        }
        if (there && words[color] != NULL) {
            canvas_fill(c, margin, y, 2 * line, FONT_HEIGHT * c->dot, colors[color], 256);
            canvas_text(c, margin + 3 * line, y, words[color]);
            y += line;
        }
    }
}

int clash_picture(const clash_run *run, clash_mark *marks, size_t count,
                  const char *const words[CLASH_COLORS])
{
    const clash_options *o = run->options;
    mesh_in shown = { .bvh = run->world, .tasks = run->in[0].tasks };
    const sl_aabb bounds = mesh_in_bounds(run->world);
    camera_in camera;
    int status = camera_in_make(&camera, run->call, &o->camera, &bounds);
    status = status == EXIT_DONE ? camera_in_save(&camera, &o->camera) : status;
    if (status != EXIT_DONE) {
        return status;
    }
    qsort(marks, count, sizeof *marks, compare_marks);
    const uint32_t width = camera.camera.width, height = camera.camera.height;
    clash_image image = { .base = { .in = &shown,
                                    .camera = &camera,
                                    .show = SHOW_SHADE,
                                    .width = width,
                                    .height = height,
                                    .rgb = malloc((size_t)width * height * 3) },
                          .marks = marks,
                          .count = count };
    if (image.base.rgb == NULL) {
        return report_memory();
    }
    progress_begin(&shown.bar, o->common.quiet);
    const tiles_job job = { .in = &shown,
                            .camera = &camera,
                            .tasks = shown.tasks,
                            .samples = 2,
                            .bar = &shown.bar,
                            .stage = "rendering" };
    status = tiles_trace(&job, color_pixel, &image);
    progress_end(&shown.bar);
    const canvas c = canvas_make(image.base.rgb, width, height);
    clash_legend(&c, marks, count, words);
    status = status == EXIT_DONE ? canvas_write(&c, o->picture) : status;
    free(image.base.rgb);
    return status;
}
