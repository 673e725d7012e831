/* draw/shape.c: parses shapes as they are typed, for draw. */
#include "tools/draw/shape.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"

#include <math.h>
#include <string.h>

/* Numbers by pattern: v is a vector, of two numbers in the flat form, s a number by itself. */
static const struct {
    const char *name, *numbers, *pattern;
    int most; /* how often the pattern may come */
} kinds[DRAW_KIND_COUNT] = {
    [DRAW_RAY] = { "ray", "ORIGIN DIR [TMIN TMAX]", "vv", 1 },
    [DRAW_SEGMENT] = { "segment", "P Q", "vv", 1 },
    [DRAW_LINE] = { "line", "POINT DIR", "vv", 1 },
    [DRAW_POINT] = { "point", "POINT", "v", 1 },
    [DRAW_AXIS] = { "axis", "DIR", "v", 1 },
    [DRAW_AABB] = { "box", "MIN MAX", "vv", 1 },
    [DRAW_OBB] = { "obb", "CENTRE AXIS0 AXIS1 AXIS2 HALF", "vvvvv", 1 },
    [DRAW_MATRIX] = { "matrix", "16 numbers, column by column", "ssssssssssssssss", 1 },
    [DRAW_SPHERE] = { "sphere", "CENTRE RADIUS", "vs", 1 },
    [DRAW_CAPSULE] = { "capsule", "P Q RADIUS", "vvs", 1 },
    [DRAW_TRIANGLE] = { "triangle", "V0 V1 V2", "vvv", 1 },
    [DRAW_PLANE] = { "plane", "NORMAL OFFSET", "vs", 1 },
    [DRAW_ACROSS] = { "across", "AXIS K (axis 0, 1 or 2)", "ss", 1 },
    [DRAW_FRUSTUM] = { "frustum", "NORMAL OFFSET ... (up to 8 planes)", "vs",
                       SL_FRUSTUM_PLANES_MAX },
    [DRAW_POINTS] = { "points", "POINT ... (up to 32)", "v", DRAW_POINTS_MAX },
};

const char *draw_kind_name(draw_kind kind)
{
    return kinds[kind].name;
}

const char *draw_kind_numbers(draw_kind kind)
{
    return kinds[kind].numbers;
}

/* How often the pattern fits into count numbers; 0: it does not. */
static int repeats(draw_kind kind, int count, int vector_length)
{
    int length = 0;
    for (const char *p = kinds[kind].pattern; *p != '\0'; p++) {
        length += *p == 'v' ? vector_length : 1;
    }
    const bool fits = count > 0 && count % length == 0 && count / length <= kinds[kind].most;
    return fits ? count / length : 0;
}

/* Puts a 0 behind every vector of two numbers; returns how many there are then. */
static int unflatten(draw_kind kind, int times, const float *flat, float *out)
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

static int bad_numbers(const invocation *call, const char *words, draw_kind kind)
{
    return report_usage(call->command, "'%s' is no shape; write '%s %s', vectors as x y z or x y",
                        words, kinds[kind].name, kinds[kind].numbers);
}

static bool all_finite(const float *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return false;
        }
    }
    return true;
}

/* Numbers in the order of the words are, but for the ray, the struct as it lies in memory. */
static bool fill(draw_shape *out, const float *numbers, int count)
{
    switch (out->kind) {
    case DRAW_ACROSS:
        out->across.axis = numbers[0] >= 0 && numbers[0] <= 2 ? (int)numbers[0] : 0;
        out->across.k = numbers[1];
        return (float)out->across.axis == numbers[0];
    case DRAW_FRUSTUM:
        memcpy(out->frustum.plane, numbers, (size_t)count * sizeof *numbers);
        out->frustum.count = (uint32_t)count / 4;
        return true;
    case DRAW_POINTS:
        memcpy(out->points.xyz, numbers, (size_t)count * sizeof *numbers);
        out->points.count = (size_t)count / 3;
        return true;
    case DRAW_RAY:
        out->ray = sl_ray_make(numbers, numbers + 3);
        return true;
    default:
        memcpy(&out->point, numbers, (size_t)count * sizeof *numbers);
        return true;
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

int draw_shape_parse(const invocation *call, const char *words, draw_shape *out)
{
    *out = (draw_shape){ .kind = DRAW_POINT };
    const size_t size = strcspn(words, " ,");
    if (!find_kind(words, size, &out->kind)) {
        return report_usage(call->command, "'%s' begins with no kind of shape", words);
    }
    float given[DRAW_NUMBERS_MAX];
    float numbers[DRAW_NUMBERS_MAX];
    int count = numbers_parse(words + size, given, DRAW_NUMBERS_MAX);
    const bool limits = out->kind == DRAW_RAY && count == 8;
    count -= limits ? 2 : 0;
    const int times = repeats(out->kind, count, 2);
    if (repeats(out->kind, count, 3) > 0) {
        memcpy(numbers, given, (size_t)count * sizeof *numbers);
    } else if (times > 0 && out->kind != DRAW_OBB) {
        out->flat = true;
        count = unflatten(out->kind, times, given, numbers);
    } else {
        return bad_numbers(call, words, out->kind);
    }
    if (!all_finite(numbers, count)) {
        return report_usage(call->command, "'%s' cannot be drawn: not every number is finite",
                            words);
    }
    if (!fill(out, numbers, count)) {
        return bad_numbers(call, words, out->kind);
    }
    if (limits) {
        out->ray.tmin = given[6];
        out->ray.tmax = given[7];
    }
    return EXIT_DONE;
}
