/* draw/shape.c: reads shapes as they are written. */
#include "docs/pictures/draw/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers by pattern: v is a vector, of two numbers in the flat form, s a number by itself. */
static const struct {
    const char *name, *pattern;
    int most; /* how often the pattern may come */
} kinds[DRAW_KIND_COUNT] = {
    [DRAW_RAY] = { "ray", "vv", 1 },
    [DRAW_SEGMENT] = { "segment", "vv", 1 },
    [DRAW_LINE] = { "line", "vv", 1 },
    [DRAW_POINT] = { "point", "v", 1 },
    [DRAW_AXIS] = { "axis", "v", 1 },
    [DRAW_AABB] = { "box", "vv", 1 },
    [DRAW_OBB] = { "obb", "vvvvv", 1 },
    [DRAW_MATRIX] = { "matrix", "ssssssssssssssss", 1 },
    [DRAW_SPHERE] = { "sphere", "vs", 1 },
    [DRAW_CAPSULE] = { "capsule", "vvs", 1 },
    [DRAW_TRIANGLE] = { "triangle", "vvv", 1 },
    [DRAW_PLANE] = { "plane", "vs", 1 },
    [DRAW_FRUSTUM] = { "frustum", "vs", SL_FRUSTUM_PLANES_MAX },
    [DRAW_POINTS] = { "points", "v", DRAW_POINTS_MAX },
};

sl_line line_of(const draw_shape *shape)
{
    return shape->kind == DRAW_SEGMENT ? sl_line_of_segment(&shape->segment)
                                       : sl_line_of_ray(&shape->ray);
}

sl_volume volume_of(const draw_shape *shape)
{
    static const sl_volume_kind volume_kinds[DRAW_KIND_COUNT] = {
        [DRAW_AABB] = SL_VOLUME_AABB,       [DRAW_OBB] = SL_VOLUME_OBB,
        [DRAW_SPHERE] = SL_VOLUME_SPHERE,   [DRAW_CAPSULE] = SL_VOLUME_CAPSULE,
        [DRAW_FRUSTUM] = SL_VOLUME_FRUSTUM, [DRAW_TRIANGLE] = SL_VOLUME_TRIANGLE,
    };
    sl_volume volume = { .kind = volume_kinds[shape->kind] };
    memcpy(&volume.shape, &shape->point, sizeof volume.shape);
    return volume;
}

const char *draw_kind_name(draw_kind kind)
{
    return kinds[kind].name;
}

/* How often the pattern fits into count numbers; 0: it does not. */
static int shape_repeats(draw_kind kind, int count, int vector_length)
{
    int length = 0;
    for (const char *p = kinds[kind].pattern; *p != '\0'; p++) {
        length += *p == 'v' ? vector_length : 1;
    }
    const bool fits = count > 0 && count % length == 0 && count / length <= kinds[kind].most;
    return fits ? count / length : 0;
}

/* Puts a 0 behind every vector of two numbers; returns how many there are then. */
static int shape_unflatten(draw_kind kind, int times, const float *flat, float *out)
{
    int count = 0;
    for (int i = 0; i < times; i++) {
        for (const char *p = kinds[kind].pattern; *p != '\0'; p++) {
            out[count++] = *flat++;
            if (*p == 'v') {
                out[count++] = *flat++;
                out[count++] = 0;
            }
        }
    }
    return count;
}

/* Numbers in the order of the words are, but for the ray, the struct as it lies in memory. */
static void shape_fill(draw_shape *out, const float *numbers, int count)
{
    switch (out->kind) {
    case DRAW_FRUSTUM:
        memcpy(out->frustum.plane, numbers, (size_t)count * sizeof *numbers);
        out->frustum.count = (uint32_t)count / 4;
        break;
    case DRAW_POINTS:
        memcpy(out->points.xyz, numbers, (size_t)count * sizeof *numbers);
        out->points.count = (size_t)count / 3;
        break;
    case DRAW_LINE:
    case DRAW_RAY:
        out->ray = sl_ray_make(numbers, numbers + 3);
        out->ray.tmin = out->kind == DRAW_LINE ? -INFINITY : 0.0f;
        break;
    default:
        memcpy(&out->point, numbers, (size_t)count * sizeof *numbers);
        break;
    }
}

static bool find_kind(const char *words, size_t size, draw_kind *out)
{
    for (int kind = 0; kind < DRAW_KIND_COUNT; kind++) {
        if (strlen(kinds[kind].name) == size && memcmp(kinds[kind].name, words, size) == 0) {
            *out = (draw_kind)kind;
            return true;
        }
    }
    return false;
}

bool draw_shape_parse(const char *words, draw_shape *out)
{
    *out = (draw_shape){ .kind = DRAW_POINT };
    const size_t size = strcspn(words, " ");
    if (!find_kind(words, size, &out->kind)) {
        return false;
    }
    float given[DRAW_NUMBERS_MAX], numbers[DRAW_NUMBERS_MAX];
    int count = 0;
    char *end;
    for (words += size; count < DRAW_NUMBERS_MAX; words = end) {
        given[count] = strtof(words, &end);
        if (end == words) {
            break;
        }
        count++;
    }
    const bool solid = shape_repeats(out->kind, count, 3) > 0;
    const int times = shape_repeats(out->kind, count, solid ? 3 : 2);
    if (times == 0 || *words != '\0') {
        return false;
    }
    if (solid) {
        memcpy(numbers, given, (size_t)count * sizeof *numbers);
    } else {
        count = shape_unflatten(out->kind, times, given, numbers);
    }
    shape_fill(out, numbers, count);
    return true;
}
