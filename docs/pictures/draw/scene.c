/* draw/scene.c: collects the marks, results and axes of one picture. */
#include "docs/pictures/draw/scene.h"

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
        const int j = (i + 1) % 3, k = (i + 2) % 3;
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

void scene_look(draw_scene *scene, draw_view view)
{
    static const double corner[3] = { 5, 3, 6 };
    static const double along_z[3] = { 0, 0, 1 };
    static const double up[3] = { 0, 1, 0 };
    memcpy(scene->towards, view == VIEW_CORNER ? corner : along_z, sizeof scene->towards);
    unit3(scene->towards);
    cross3(up, scene->towards, scene->right);
    unit3(scene->right);
    cross3(scene->towards, scene->right, scene->up);
}

/* A mark with space for its points, or NULL. */
static draw_mark *scene_add(draw_scene *scene, mark_kind kind, draw_ink ink, const spot *points,
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
    set_label(scene_add(scene, MARK_DOT, ink, &p, 1), label);
}

void scene_lines(draw_scene *scene, draw_ink ink, const spot *points, size_t count)
{
    scene_add(scene, MARK_LINES, ink, points, count);
}

void scene_line(draw_scene *scene, draw_ink ink, spot a, spot b)
{
    scene_add(scene, MARK_LINES, ink, (const spot[]){ a, b }, 2);
}

void scene_area(draw_scene *scene, draw_ink ink, const spot *points, size_t count)
{
    scene_add(scene, MARK_AREA, ink, points, count);
}

static spot scene_vector(const double v[3])
{
    return (spot){ .at = { v[0], v[1], v[2] } };
}

void scene_path(draw_scene *scene, draw_ink ink, spot origin, const double dir[3], double t0,
                double t1)
{
    draw_mark *mark =
        scene_add(scene, MARK_PATH, ink, (const spot[]){ origin, scene_vector(dir) }, 2);
    if (mark != NULL) {
        mark->t0 = t0;
        mark->t1 = t1;
    }
}

void scene_plane(draw_scene *scene, draw_ink ink, const double normal[3], double offset)
{
    scene_add(scene, MARK_PLANE, ink,
              (const spot[]){ scene_vector(normal), { .at = { offset, 0, 0 } } }, 2);
}

void scene_arrow(draw_scene *scene, draw_ink ink, spot tail, const double dir[3], const char *label)
{
    spot unit = scene_vector(dir);
    unit3(unit.at);
    set_label(scene_add(scene, MARK_ARROW, ink, (const spot[]){ tail, unit }, 2), label);
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

void scene_words(draw_scene *scene, const char *key, const char *words)
{
    if (scene->result_count < SCENE_RESULTS) {
        draw_result *result = &scene->results[scene->result_count++];
        result->key = key;
        snprintf(result->words, sizeof result->words, "%s", words);
    }
}

void scene_yes(draw_scene *scene, const char *key, bool yes)
{
    scene_words(scene, key, yes ? "yes" : "no");
}

void scene_numbers(draw_scene *scene, const char *key, int count, const float *numbers)
{
    char words[sizeof scene->results->words];
    int used = 0;
    for (int i = 0; i < count; i++) {
        used += snprintf(words + used, sizeof words - (size_t)used, "%s%.9g", i == 0 ? "" : " ",
                         (double)numbers[i]);
    }
    scene_words(scene, key, words);
}

void scene_number(draw_scene *scene, const char *key, float number)
{
    scene_numbers(scene, key, 1, &number);
}
