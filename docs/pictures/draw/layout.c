/* draw/layout.c: projects a scene onto the paper and orders its marks. */
#include "docs/pictures/draw/layout.h"

#include "docs/pictures/draw/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 640,
    HEIGHT = 420,
    HEAD = 58, /* the title, and what the inks are */
    TITLE = 26,
    KEYS = 50,
    MARGIN = 44,
    PANEL = 330, /* for the axes */
    PANEL_NAMES = 130,
    PANEL_ROW = 24,
    FOOT_ROW = 18, /* a line of the answer */
    ARROW = 38
};

static const pen pens[INK_COUNT] = {
    [INK_FIRST] = { { 90, 96, 104 }, { 150, 158, 168 }, 1.5, 0.22, false },
    [INK_SECOND] = { { 34, 94, 168 }, { 74, 134, 208 }, 1.5, 0.22, false },
    [INK_TOUCHED] = { { 168, 120, 0 }, { 250, 206, 60 }, 1.5, 0.45, false },
    [INK_PATH] = { { 190, 30, 150 }, { 190, 30, 150 }, 1.5, 1, false },
    [INK_HIDDEN] = { { 165, 170, 178 }, { 200, 204, 210 }, 1, 0.15, true },
    [INK_START] = { { 205, 40, 40 }, { 205, 40, 40 }, 1.5, 1, false },
    [INK_END] = { { 40, 70, 205 }, { 40, 70, 205 }, 1.5, 1, false },
    [INK_CONTACT] = { { 0, 135, 70 }, { 0, 160, 85 }, 3, 1, false },
    [INK_NORMAL] = { { 20, 20, 24 }, { 20, 20, 24 }, 1.5, 1, false },
    [INK_APART] = { { 215, 95, 0 }, { 240, 130, 20 }, 2, 0.5, false },
    [INK_TEXT] = { { 30, 32, 36 }, { 30, 32, 36 }, 1, 1, false },
};

/* Where what is on the paper's plane comes to lie in pixels: the middle, and pixels per unit. */
typedef struct layout {
    const draw_scene *scene;
    FILE *to;
    draw_labels *labels;
    double middle[2], scale;
} layout;

static void layout_flatten(const draw_scene *scene, const double p[3], double out[2])
{
    out[0] = dot3(p, scene->right);
    out[1] = dot3(p, scene->up);
}

static void layout_place(const layout *l, const spot *p, double out[2])
{
    layout_flatten(l->scene, p->at, out);
    out[0] = (double)WIDTH / 2 + (out[0] - l->middle[0]) * l->scale;
    out[1] = (double)(HEAD + HEIGHT / 2) - (out[1] - l->middle[1]) * l->scale;
}

/* A square of each plane, as large as what is drawn, around the point nearest to its middle. */
static void spread_planes(draw_scene *scene)
{
    double min[3], max[3];
    scene_bounds(scene, min, max);
    double size = 0;
    for (int i = 0; i < 3; i++) {
        size = fmax(size, max[i] - min[i]);
    }
    size = size > 0 ? 0.6 * size : 1;
    const size_t count = scene->mark_count;
    for (size_t m = 0; m < count; m++) {
        const draw_mark *mark = &scene->marks[m];
        if (mark->kind != MARK_PLANE) {
            continue;
        }
        double normal[3], x[3], y[3];
        memcpy(normal, scene->points[mark->first].at, sizeof normal);
        const double length = unit3(normal);
        const double offset = scene->points[mark->first + 1].at[0] / (length > 0 ? length : 1);
        spot middle;
        for (int i = 0; i < 3; i++) {
            middle.at[i] = (min[i] + max[i]) / 2;
        }
        middle = spot_along(middle, normal, offset - dot3(normal, middle.at));
        const bool steep = fabs(normal[1]) > 0.9;
        const double other[3] = { steep ? 1 : 0, steep ? 0 : 1, 0 };
        cross3(normal, other, x);
        unit3(x);
        cross3(x, normal, y);
        spot corners[5];
        for (int i = 0; i < 5; i++) {
            const double a = i % 4 == 0 || i == 3 ? -size : size;
            corners[i] = spot_along(spot_along(middle, x, a), y, i % 4 < 2 ? -size : size);
        }
        scene_area(scene, mark->ink, corners, 4);
        scene_lines(scene, mark->ink, corners, 5);
        scene_arrow(scene, mark->ink, middle, normal, "n");
    }
}

/* The scale at which everything but planes and paths without end fits. */
static void layout_fit(layout *l)
{
    double min[2] = { (double)INFINITY, (double)INFINITY };
    double max[2] = { (double)-INFINITY, (double)-INFINITY };
    for (size_t m = 0; m < l->scene->mark_count; m++) {
        const draw_mark *mark = &l->scene->marks[m];
        const bool free = mark->kind == MARK_PATH || mark->kind == MARK_PLANE;
        const size_t count = free ? 0 : mark->kind == MARK_ARROW ? 1 : mark->count;
        for (size_t p = mark->first; p < mark->first + count; p++) {
            double at[2];
            layout_flatten(l->scene, l->scene->points[p].at, at);
            for (int i = 0; i < 2; i++) {
                min[i] = fmin(min[i], at[i]);
                max[i] = fmax(max[i], at[i]);
            }
        }
    }
    const double room[2] = { WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN };
    l->scale = (double)INFINITY;
    for (int i = 0; i < 2; i++) {
        l->middle[i] = min[i] <= max[i] ? (min[i] + max[i]) / 2 : 0;
        if (max[i] > min[i]) {
            l->scale = fmin(l->scale, room[i] / (max[i] - min[i]));
        }
    }
    if (isinf(l->scale)) {
        l->scale = 100;
    }
}

static void draw_head(const layout *l, const pen *p, const double tip[2], const double dir[2])
{
    const double length = sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
    if (length > 0) {
        const double x = dir[0] / length, y = dir[1] / length;
        double head[3][2] = { { tip[0], tip[1] },
                              { tip[0] - 10 * x + 4 * y, tip[1] - 10 * y - 4 * x },
                              { tip[0] - 10 * x - 4 * y, tip[1] - 10 * y + 4 * x } };
        pen solid = { .width = p->width, .opacity = 1 };
        memcpy(solid.fill, p->line, sizeof solid.fill);
        svg_area(l->to, &solid, head, 3);
    }
}

/* A path as far as it lies within the frame; t0 and t1 may be infinite. */
static void draw_path(const layout *l, const draw_mark *mark)
{
    const spot *origin = &l->scene->points[mark->first];
    const spot ahead = spot_along(*origin, l->scene->points[mark->first + 1].at, 1);
    double from[2], dir[2], t0 = mark->t0, t1 = mark->t1;
    layout_place(l, origin, from);
    layout_place(l, &ahead, dir);
    const double low[2] = { 8, HEAD + 4 }, high[2] = { WIDTH - 8, HEAD + HEIGHT - 4 };
    for (int i = 0; i < 2; i++) {
        dir[i] -= from[i];
        if (dir[i] != 0) {
            const double a = (low[i] - from[i]) / dir[i];
            const double b = (high[i] - from[i]) / dir[i];
            t0 = fmax(t0, fmin(a, b));
            t1 = fmin(t1, fmax(a, b));
        }
    }
    if (!(t0 < t1) || isinf(t0) || isinf(t1)) {
        return;
    }
    double ends[2][2];
    for (int i = 0; i < 2; i++) {
        ends[0][i] = from[i] + t0 * dir[i];
        ends[1][i] = from[i] + t1 * dir[i];
    }
    svg_lines(l->to, &pens[mark->ink], ends, 2);
    draw_labels_avoid(l->labels, ends, 2);
    if (isinf(mark->t1)) {
        draw_head(l, &pens[mark->ink], ends[1], dir);
    }
}

/* Its length on paper is that of a fixed length in space, seen from the scene's side. */
static void draw_arrow(const layout *l, const draw_mark *mark)
{
    double ends[2][2], dir[2];
    layout_place(l, &l->scene->points[mark->first], ends[0]);
    layout_flatten(l->scene, l->scene->points[mark->first + 1].at, dir);
    dir[1] = -dir[1];
    for (int i = 0; i < 2; i++) {
        ends[1][i] = ends[0][i] + (double)ARROW * dir[i];
    }
    svg_lines(l->to, &pens[mark->ink], ends, 2);
    draw_labels_avoid(l->labels, ends, 2);
    draw_head(l, &pens[mark->ink], ends[1], dir);
    draw_labels_add(l->labels, ends[1], &pens[mark->ink], 13, mark->label);
}

static void draw_mark_on(const layout *l, const draw_mark *mark)
{
    const pen *p = &pens[mark->ink];
    double xy[128][2];
    if (mark->kind == MARK_PATH) {
        draw_path(l, mark);
        return;
    }
    if (mark->kind == MARK_ARROW) {
        draw_arrow(l, mark);
        return;
    }
    const size_t count = mark->count < 128 ? mark->count : 128;
    for (size_t i = 0; i < count; i++) {
        layout_place(l, &l->scene->points[mark->first + i], xy[i]);
    }
    if (mark->kind == MARK_AREA) {
        svg_area(l->to, p, xy, count);
    } else if (mark->kind == MARK_LINES) {
        svg_lines(l->to, p, xy, count);
        draw_labels_avoid(l->labels, xy, count);
    } else if (mark->kind == MARK_DOT) {
        svg_dot(l->to, p, xy[0], 4.5);
        draw_labels_add(l->labels, xy[0], p, 14, mark->label);
    }
}

static void draw_bar(FILE *to, draw_ink ink, double x0, double x1, double y)
{
    double bar[4][2] = { { x0, y }, { x1, y }, { x1, y + 6 }, { x0, y + 6 } };
    pen solid = pens[ink];
    solid.opacity = 0.9;
    if (x1 - x0 < 1.5) {
        bar[1][0] = bar[2][0] = x0 + 1.5;
    }
    svg_area(to, &solid, bar, 4);
}

/* One axis as a number line: above it what the first shape covers, below it the second, each in its
 * ink. */
static void draw_row_on(FILE *to, const draw_row *row, draw_ink second, double y)
{
    const double left = WIDTH + PANEL_NAMES, width = PANEL - PANEL_NAMES - 30;
    const double low = fmin(row->first[0], row->second[0]);
    const double span = fmax(row->first[1], row->second[1]) - low;
    const double scale = span > 0 ? width / span : 0;
    double line[2][2] = { { left - 6, y }, { left + width + 6, y } };
    const draw_ink ink = row->decisive ? INK_APART : INK_TEXT;
    svg_text(to, &pens[ink], WIDTH, y + 4, 12, row->name, false);
    svg_lines(to, &pens[INK_HIDDEN], line, 2);
    draw_bar(to, INK_FIRST, left + (row->first[0] - low) * scale,
             left + (row->first[1] - low) * scale, y - 7);
    draw_bar(to, second, left + (row->second[0] - low) * scale,
             left + (row->second[1] - low) * scale, y + 1);
    if (row->apart) {
        const bool above = row->first[0] > row->second[1];
        const double gap[2] = { above ? row->second[1] : row->first[1],
                                above ? row->first[0] : row->second[0] };
        double bar[4][2];
        for (int i = 0; i < 4; i++) {
            bar[i][0] = left + (gap[i == 1 || i == 2] - low) * scale;
            bar[i][1] = y + (i < 2 ? -9 : 9);
        }
        svg_area(to, &pens[INK_APART], bar, 4);
    }
}

static void draw_answer(FILE *to, const draw_scene *scene)
{
    double y = HEAD + HEIGHT + FOOT_ROW;
    for (size_t i = 0; i < scene->result_count; i++) {
        const draw_result *result = &scene->results[i];
        char words[200];
        char *end = words;
        snprintf(words, sizeof words, "%s: %s", result->key, result->words);
        for (; *end != ':'; end++) {
            *end = *end == '_' ? ' ' : *end;
        }
        svg_text(to, &pens[INK_TEXT], 20, y, 13, words, false);
        y += (double)FOOT_ROW;
    }
}

/* A square of each ink, and what it is. */
static void draw_keys(FILE *to, const draw_scene *scene)
{
    double x = 20;
    for (size_t i = 0; i < scene->key_count; i++) {
        const draw_key *key = &scene->keys[i];
        double square[5][2] = { { x, KEYS - 10 },
                                { x + 11, KEYS - 10 },
                                { x + 11, KEYS + 1 },
                                { x, KEYS + 1 },
                                { x, KEYS - 10 } };
        svg_area(to, &pens[key->ink], square, 4);
        svg_lines(to, &pens[key->ink], square, 5);
        svg_text(to, &pens[INK_TEXT], x + 17, KEYS, 13, key->words, false);
        x += 36 + 9 * (double)strlen(key->words);
    }
}

/* What the second shape is drawn in. */
static draw_ink second_ink(const draw_scene *scene)
{
    for (size_t i = 0; i < scene->mark_count; i++) {
        if (scene->marks[i].ink == INK_TOUCHED) {
            return INK_TOUCHED;
        }
    }
    return INK_SECOND;
}

static void draw_marks(const layout *l)
{
    for (int kind = MARK_AREA; kind <= MARK_DOT; kind++) {
        for (size_t m = 0; m < l->scene->mark_count; m++) {
            if ((int)l->scene->marks[m].kind == kind) {
                draw_mark_on(l, &l->scene->marks[m]);
            }
        }
    }
    draw_labels_put(l->labels, l->to);
}

void draw_svg(draw_scene *scene, const char *title, FILE *to)
{
    scene_frustum(scene);
    spread_planes(scene);
    draw_labels labels = { .low = { 4, HEAD }, .high = { WIDTH - 4, HEAD + HEIGHT } };
    layout l = { .scene = scene, .to = to, .labels = &labels };
    layout_fit(&l);
    const bool panel = scene->row_count > 0;
    const int foot = (int)scene->result_count * FOOT_ROW + 16;
    const int rows = (int)scene->row_count * PANEL_ROW + 24;
    const int width = WIDTH + (panel ? PANEL : 0);
    const int height = HEAD + (rows > HEIGHT + foot ? rows : HEIGHT + foot);
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            width, height, width, height, width, height);
    svg_text(to, &pens[INK_TEXT], 20, TITLE, 16, title, false);
    draw_keys(to, scene);
    draw_marks(&l);
    for (size_t i = 0; i < scene->row_count; i++) {
        draw_row_on(to, &scene->rows[i], second_ink(scene),
                    (double)(HEAD + 12 + PANEL_ROW * (int)i));
    }
    draw_answer(to, scene);
    fputs("</svg>\n", to);
}
