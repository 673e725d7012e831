/* pick/picture.c: pictures with marks.  What is drawn over a picture is drawn by distances: of each
 * pixel near a line or a ring, how far its centre is from it. */
#include "tools/pick/picture.h"

#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

const uint8_t marked_rgb[3] = { 255, 150, 20 }, marked_ink[3] = { 20, 40, 160 };

/* As render does, then towards the colour of marks by how many of its samples are marked. */
static void mark_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    const marked_picture *p = context;
    render_pixel((void *)&p->shown, pixel, worker);
    size_t marked = 0;
    for (size_t i = 0; i < pixel->count; i++) {
        marked +=
            pixel->hits[i].prim != SL_NONE && p->is_marked(p->context, &pixel->hits[i]) ? 1 : 0;
    }
    const int weight = (int)(marked * 160 / pixel->count);
    canvas_fill(&p->canvas, pixel->x, pixel->y, 1, 1, marked_rgb, weight);
}

int marked_picture_make(marked_picture *p, mesh_in *in, const camera_in *camera,
                        const sl_options *options, marked_fn *is_marked, const void *context)
{
    const uint32_t width = camera->camera.width, height = camera->camera.height;
    *p = (marked_picture){ .is_marked = is_marked, .context = context };
    p->shown = (picture){
        .in = in, .camera = camera, .show = SHOW_SHADE, .width = width, .height = height
    };
    p->shown.rgb = malloc((size_t)width * height * 3);
    if (p->shown.rgb == NULL || !render_make_normals(&p->shown)) {
        return report_memory();
    }
    p->canvas = canvas_make(p->shown.rgb, width, height);
    const tiles_job job = { .in = in,
                            .camera = camera,
                            .tasks = in->tasks,
                            .query = options,
                            .samples = 2,
                            .bar = &in->bar,
                            .stage = "rendering" };
    progress_begin(&in->bar, in->quiet);
    const int status = tiles_trace(&job, mark_pixel, p);
    progress_end(&in->bar);
    return status;
}

void marked_picture_free(marked_picture *p)
{
    free(p->shown.rgb);
    render_free_normals(&p->shown);
    p->shown = (picture){ .rgb = NULL };
}

/* One pixel, by how far its centre is from the middle of a line of this thickness. */
static void picture_ink(const marked_picture *p, uint32_t x, uint32_t y, double away,
                        double thickness, const uint8_t rgb[3])
{
    const double share = thickness / 2 + 0.5 - away;
    if (share > 0) {
        canvas_fill(&p->canvas, x, y, 1, 1, rgb, share < 1 ? (int)(256 * share) : 256);
    }
}

/* The pixels within low .. high of an axis, of which there are count. */
static void clamp_range(double low, double high, uint32_t count, uint32_t out[2])
{
    out[0] = low > 0 ? (uint32_t)fmin(low, (double)count) : 0;
    out[1] = high > 0 ? (uint32_t)fmin(ceil(high), (double)count) : 0;
}

static double distance_to_line(const double at[2], const double from[2], const double to[2])
{
    const double dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
    double along = square > 0 ? ((at[0] - from[0]) * dx + (at[1] - from[1]) * dy) / square : 0;
    along = fmin(fmax(along, 0), 1);
    const double x = from[0] + along * dx - at[0], y = from[1] + along * dy - at[1];
    return sqrt(x * x + y * y);
}

void marked_picture_line(const marked_picture *p, const double from[2], const double to[2],
                         double thickness, const uint8_t rgb[3])
{
    const double wide = thickness * p->canvas.dot, margin = wide / 2 + 1;
    uint32_t xs[2], ys[2];
    clamp_range(fmin(from[0], to[0]) - margin, fmax(from[0], to[0]) + margin, p->canvas.width, xs);
    clamp_range(fmin(from[1], to[1]) - margin, fmax(from[1], to[1]) + margin, p->canvas.height, ys);
    for (uint32_t y = ys[0]; y < ys[1]; y++) {
        for (uint32_t x = xs[0]; x < xs[1]; x++) {
            const double centre[2] = { x + 0.5, y + 0.5 };
            picture_ink(p, x, y, distance_to_line(centre, from, to), wide, rgb);
        }
    }
}

void marked_picture_ring(const marked_picture *p, const double at[2], double radius,
                         double thickness, const uint8_t rgb[3])
{
    const double wide = thickness * p->canvas.dot, reach = radius + wide / 2 + 1;
    uint32_t xs[2], ys[2];
    clamp_range(at[0] - reach, at[0] + reach, p->canvas.width, xs);
    clamp_range(at[1] - reach, at[1] + reach, p->canvas.height, ys);
    for (uint32_t y = ys[0]; y < ys[1]; y++) {
        for (uint32_t x = xs[0]; x < xs[1]; x++) {
            const double dx = x + 0.5 - at[0], dy = y + 0.5 - at[1];
            picture_ink(p, x, y, fabs(sqrt(dx * dx + dy * dy) - radius), wide, rgb);
        }
    }
}

void marked_picture_spot(const marked_picture *p, const double at[2], double radius,
                         double thickness)
{
    static const uint8_t dark[3] = { 20, 20, 20 };
    marked_picture_ring(p, at, radius * p->canvas.dot, thickness + 2, dark);
    marked_picture_ring(p, at, radius * p->canvas.dot, thickness, marked_rgb);
}

void marked_picture_cross(const marked_picture *p, const double at[2])
{
    static const uint8_t light[3] = { 255, 255, 255 };
    const double hole = 9.0 * p->canvas.dot, end = 18.0 * p->canvas.dot;
    for (int k = 0; k < 8; k++) { /* outlines first */
        const int i = k % 4;
        const double x = i == 0 ? 1 : i == 1 ? -1 : 0, y = i == 2 ? 1 : i == 3 ? -1 : 0;
        const double from[2] = { at[0] + hole * x, at[1] + hole * y };
        const double to[2] = { at[0] + end * x, at[1] + end * y };
        marked_picture_line(p, from, to, k < 4 ? 4 : 2, k < 4 ? light : marked_ink);
    }
}

static bool find_place(const sl_view *view, const double point[3], double xy[2])
{
    sl_segment_d sight;
    return sl_view_sight(view, point, &sight) && sl_view_project(view, point, xy, NULL);
}

/* Where an end is behind the camera, in pieces, so that what is left out is little. */
void marked_picture_edge(const marked_picture *p, const sl_view *view, const double ends[2][3],
                         double thickness)
{
    const int pieces = 256;
    double whole[2][2];
    if (find_place(view, ends[0], whole[0]) && find_place(view, ends[1], whole[1])) {
        marked_picture_line(p, whole[0], whole[1], thickness, marked_rgb);
        return;
    }
    double before[2] = { 0, 0 }, start[2] = { 0, 0 };
    bool was_seen = false, seen = false;
    for (int i = 0; i <= pieces; i++) {
        double point[3], xy[2];
        for (int axis = 0; axis < 3; axis++) {
            point[axis] = ends[0][axis] + (ends[1][axis] - ends[0][axis]) * i / pieces;
        }
        seen = find_place(view, point, xy);
        if (was_seen && (!seen || i == pieces)) {
            marked_picture_line(p, start, seen ? xy : before, thickness, marked_rgb);
        }
        if (seen && !was_seen) {
            start[0] = xy[0];
            start[1] = xy[1];
        }
        if (seen) {
            before[0] = xy[0];
            before[1] = xy[1];
        }
        was_seen = seen;
    }
}

int marked_picture_write(const marked_picture *p, const char *path)
{
    return canvas_write(&p->canvas, path);
}
