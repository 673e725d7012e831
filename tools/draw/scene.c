/* draw/scene.c: collects the marks, results and axes of one picture, for draw. */
#include "tools/draw/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const int k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

double unit3(double v[3])
{
    const double length = sqrt(dot3(v, v));
    for (int i = 0; i < 3; i++) {
        v[i] = length > 0 ? v[i] / length : 0;
    }
    return length;
}

spot spot_of(const float p[3])
{
    return (spot){ .at = { (double)p[0], (double)p[1], (double)p[2] } };
}

spot spot_along(spot origin, const double dir[3], double t)
{
    for (int i = 0; i < 3; i++) {
        origin.at[i] += t * dir[i];
    }
    return origin;
}

/* Right and up of the paper as seen from towards; y, or z where one looks along y, is up. */
static void lay_paper(draw_scene *scene)
{
    unit3(scene->towards);
    const bool along_y = scene->towards[0] == 0 && scene->towards[2] == 0;
    const double up[3] = { 0, along_y ? 0 : 1, along_y ? 1 : 0 };
    cross3(up, scene->towards, scene->right);
    unit3(scene->right);
    cross3(scene->towards, scene->right, scene->up);
}

void scene_look_from(draw_scene *scene, const float from[3])
{
    for (int i = 0; i < 3; i++) {
        scene->towards[i] = (double)from[i];
    }
    lay_paper(scene);
}

void scene_look(draw_scene *scene, draw_view view)
{
    static const struct {
        double right[3], up[3];
    } flat[] = {
        [VIEW_XY] = { { 1, 0, 0 }, { 0, 1, 0 } },
        [VIEW_XZ] = { { 1, 0, 0 }, { 0, 0, 1 } },
        [VIEW_YZ] = { { 0, 1, 0 }, { 0, 0, 1 } },
    };
    static const float iso[3] = { 1, 1, 1 };
    static const float corner[3] = { 5, 3, 6 };
    if (view == VIEW_ISO || view == VIEW_CORNER) {
        scene_look_from(scene, view == VIEW_ISO ? iso : corner);
        return;
    }
    memcpy(scene->right, flat[view].right, sizeof scene->right);
    memcpy(scene->up, flat[view].up, sizeof scene->up);
    cross3(scene->right, scene->up, scene->towards);
}

/* A mark with space for its points, or NULL. */
static draw_mark *add(draw_scene *scene, mark_kind kind, draw_ink ink, const spot *points,
                      size_t count)
{
    if (scene->mark_count == SCENE_MARKS || count > SCENE_POINTS - scene->point_count) {
        return NULL;
    }
    draw_mark *mark = &scene->marks[scene->mark_count++];
    *mark = (draw_mark){ .kind = kind, .ink = ink, .first = scene->point_count, .count = count };
    memcpy(scene->points + mark->first, points, count * sizeof *points);
    scene->point_count += count;
    return mark;
}

static void set_label(draw_mark *mark, const char *label)
{
    if (mark != NULL && label != NULL) {
        snprintf(mark->label, sizeof mark->label, "%s", label);
    }
}

void scene_dot(draw_scene *scene, draw_ink ink, spot p, const char *label)
{
    set_label(add(scene, MARK_DOT, ink, &p, 1), label);
}

void scene_lines(draw_scene *scene, draw_ink ink, const spot *points, size_t count)
{
    add(scene, MARK_LINES, ink, points, count);
}

void scene_line(draw_scene *scene, draw_ink ink, spot a, spot b)
{
    add(scene, MARK_LINES, ink, (const spot[]){ a, b }, 2);
}

void scene_area(draw_scene *scene, draw_ink ink, const spot *points, size_t count)
{
    add(scene, MARK_AREA, ink, points, count);
}

static spot vector(const double v[3])
{
    return (spot){ .at = { v[0], v[1], v[2] } };
}

void scene_path(draw_scene *scene, draw_ink ink, spot origin, const double dir[3], double t0,
                double t1)
{
    draw_mark *mark = add(scene, MARK_PATH, ink, (const spot[]){ origin, vector(dir) }, 2);
    if (mark != NULL) {
        mark->t0 = t0;
        mark->t1 = t1;
    }
}

void scene_plane(draw_scene *scene, draw_ink ink, const double normal[3], double offset)
{
    add(scene, MARK_PLANE, ink, (const spot[]){ vector(normal), { .at = { offset, 0, 0 } } }, 2);
}

void scene_arrow(draw_scene *scene, draw_ink ink, spot tail, const double dir[3], const char *label)
{
    spot unit = vector(dir);
    unit3(unit.at);
    set_label(add(scene, MARK_ARROW, ink, (const spot[]){ tail, unit }, 2), label);
}

void scene_key(draw_scene *scene, draw_ink ink, const char *words)
{
    for (size_t i = 0; i < scene->key_count; i++) {
        if (scene->keys[i].ink == ink && strcmp(scene->keys[i].words, words) == 0) {
            return;
        }
    }
    if (scene->key_count == SCENE_KEYS) {
        return;
    }
    draw_key *key = &scene->keys[scene->key_count++];
    key->ink = ink;
    snprintf(key->words, sizeof key->words, "%s", words);
    for (size_t i = 0; i + 1 < scene->key_count; i++) {
        if (strcmp(scene->keys[i].words, words) == 0) {
            snprintf(scene->keys[i].words, sizeof key->words, "first %s", words);
            snprintf(key->words, sizeof key->words, "second %s", words);
        }
    }
}

draw_row *scene_row(draw_scene *scene, const char *name)
{
    if (scene->row_count == SCENE_ROWS) {
        return NULL;
    }
    draw_row *row = &scene->rows[scene->row_count++];
    *row = (draw_row){ .apart = false };
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

static void add_result(draw_scene *scene, const char *key, const out_value *v, size_t count)
{
    if (scene->result_count < SCENE_RESULTS) {
        draw_result *result = &scene->results[scene->result_count++];
        result->key = key;
        result->count = count;
        memcpy(result->values, v, count * sizeof *v);
    }
}

void scene_result(draw_scene *scene, const char *key, out_value value)
{
    add_result(scene, key, &value, 1);
}

void scene_result_vector(draw_scene *scene, const char *key, const float v[3])
{
    const out_value values[] = { value_float(v[0]), value_float(v[1]), value_float(v[2]) };
    add_result(scene, key, values, 3);
}

void scene_result_plane(draw_scene *scene, const char *key, const float v[2])
{
    const out_value values[] = { value_float(v[0]), value_float(v[1]) };
    add_result(scene, key, values, 2);
}
