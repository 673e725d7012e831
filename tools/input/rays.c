#include "tools/input/rays.h"

#include "tools/cli/report.h"
#include "tools/command.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 8 };

/* What a line holds: so many numbers, or so many; infinities only among those after the first. */
static const struct {
    const char *one, *plural, *line, *shapes;
    int count, most;
    const char *names[NUMBERS_MAX];
} kinds[] = {
    [RAYS_IN_RAYS] = { "ray",
                       "rays",
                       "ox oy oz dx dy dz [tmin tmax]",
                       "(N, 6) or (N, 8)",
                       6,
                       8,
                       { "ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax" } },
    [RAYS_IN_SEGMENTS] = { "segment",
                           "segments",
                           "px py pz qx qy qz",
                           "(N, 6)",
                           6,
                           6,
                           { "px", "py", "pz", "qx", "qy", "qz" } },
    [RAYS_IN_POINTS] = { "point", "points", "x y z", "(N, 3)", 3, 3, { "x", "y", "z" } },
};

static int check_array(const rays_in *in)
{
    const uint64_t columns = in->npy.columns;
    if (in->npy.type != NPY_F4 && in->npy.type != NPY_F8) {
        return report_input(in->text.name, 0,
                            "the array holds whole numbers; save it as float32 or float64");
    }
    if (columns != (uint64_t)kinds[in->kind].count && columns != (uint64_t)kinds[in->kind].most) {
        return report_input(in->text.name, 0,
                            "there %s %" PRIu64 " number%s in a row; %s must be of shape %s",
                            columns == 1 ? "is" : "are", columns, columns == 1 ? "" : "s",
                            kinds[in->kind].plural, kinds[in->kind].shapes);
    }
    return EXIT_DONE;
}

int rays_in_open(rays_in *in, const char *path, rays_in_kind kind, float tmin, float tmax)
{
    *in = (rays_in){ .kind = kind, .tmin = tmin, .tmax = tmax };
    const int opened = lines_open(&in->text, path, kinds[kind].one);
    if (opened != EXIT_DONE) {
        return opened;
    }
    FILE *stream = in->text.stream;
    const int first = fgetc(stream);
    if (first == EOF && ferror(stream)) {
        return report_failure(in->text.name, "cannot be read: %s; check the name", strerror(errno));
    }
    ungetc(first, stream);
    if (first != 0x93) {
        return EXIT_DONE;
    }
    in->is_npy = true;
    const int status = npy_in_open(&in->npy, stream, in->text.name);
    if (status != EXIT_DONE) {
        return status;
    }
    return check_array(in);
}

void rays_in_close(rays_in *in)
{
    lines_close(&in->text);
}

/* Whether number i may be what it is: limits may be infinite. */
static int check_number(const rays_in *in, uint64_t place, int i, float number, const char *text,
                        int size)
{
    const char *name = kinds[in->kind].names[i];
    if (isnan(number)) {
        return report_input(in->text.name, place, "%s is '%.*s'; write a number", name, size, text);
    }
    if (isinf(number) && i < kinds[in->kind].count) {
        return report_input(in->text.name, place,
                            "%s is '%.*s', beyond the range of a float; write a finite number",
                            name, size, text);
    }
    return EXIT_DONE;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Blanks, with at most one comma among them. */
static const char *skip_between(const char *at)
{
    while (is_blank(*at)) {
        at++;
    }
    if (*at == ',') {
        at++;
    }
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

/* Hexadecimal floats and infinities are numbers; everything else must look decimal. */
static int parse_line(const rays_in *in, const char *line, float numbers[NUMBERS_MAX], int *count)
{
    const char *at = line;
    const int most = kinds[in->kind].most;
    *count = 0;
    while (is_blank(*at)) {
        at++;
    }
    while (*at != '\0') {
        const size_t size = strcspn(at, ", \t\r");
        if (*count == most) {
            return report_input(in->text.name, in->text.line,
                                "there are more than %d numbers; write %s", most,
                                kinds[in->kind].line);
        }
        char *end;
        const float number = strtof(at, &end);
        if (size == 0 || end != at + size) {
            return report_input(in->text.name, in->text.line, "%s is '%.*s'; write a number",
                                kinds[in->kind].names[*count], size > 40 ? 40 : (int)size, at);
        }
        const int status = check_number(in, in->text.line, *count, number, at, (int)size);
        if (status != EXIT_DONE) {
            return status;
        }
        numbers[(*count)++] = number;
        at = skip_between(end);
    }
    if (*count != 0 && *count != kinds[in->kind].count && *count != most) {
        return report_input(in->text.name, in->text.line, "there are %d numbers; write %s", *count,
                            kinds[in->kind].line);
    }
    return EXIT_DONE;
}

/* The next line with numbers; *count 0 at the end. */
static int next_text(rays_in *in, float numbers[NUMBERS_MAX], int *count)
{
    char line[LINE_MAX_SIZE];
    *count = 0;
    bool end = false;
    while (*count == 0) {
        int status = lines_next(&in->text, line, &end);
        if (status == EXIT_DONE && end) {
            return EXIT_DONE;
        }
        if (status == EXIT_DONE) {
            status = parse_line(in, line, numbers, count);
        }
        if (status != EXIT_DONE) {
            return status;
        }
    }
    return EXIT_DONE;
}

static int next_npy(rays_in *in, float numbers[NUMBERS_MAX], int *count)
{
    const uint64_t row = in->npy.row;
    size_t rows;
    const int status = npy_in_floats(&in->npy, numbers, 1, &rows);
    *count = rows == 1 ? (int)in->npy.columns : 0;
    for (int i = 0; status == EXIT_DONE && i < *count; i++) {
        if (isnan(numbers[i]) || (isinf(numbers[i]) && i < kinds[in->kind].count)) {
            return report_input(in->text.name, 0,
                                "row %" PRIu64 ", counted from 0: %s is %s; write a finite number",
                                row, kinds[in->kind].names[i],
                                isnan(numbers[i]) ? "NaN" : "infinite");
        }
    }
    return status;
}

static int next_numbers(rays_in *in, float numbers[NUMBERS_MAX], int *count)
{
    return in->is_npy ? next_npy(in, numbers, count) : next_text(in, numbers, count);
}

int rays_in_rays(rays_in *in, sl_ray *to, size_t capacity, size_t *count)
{
    for (*count = 0; *count < capacity; (*count)++) {
        float numbers[NUMBERS_MAX] = { 0 };
        int used;
        const int status = next_numbers(in, numbers, &used);
        if (status != EXIT_DONE || used == 0) {
            return status;
        }
        sl_ray *ray = &to[*count];
        memcpy(ray->origin, numbers, sizeof ray->origin);
        memcpy(ray->dir, numbers + 3, sizeof ray->dir);
        ray->tmin = used == 8 ? numbers[6] : in->tmin;
        ray->tmax = used == 8 ? numbers[7] : in->tmax;
    }
    return EXIT_DONE;
}

int rays_in_segments(rays_in *in, sl_segment *to, size_t capacity, size_t *count)
{
    for (*count = 0; *count < capacity; (*count)++) {
        float numbers[NUMBERS_MAX] = { 0 };
        int used;
        const int status = next_numbers(in, numbers, &used);
        if (status != EXIT_DONE || used == 0) {
            return status;
        }
        memcpy(to[*count].p, numbers, sizeof to->p);
        memcpy(to[*count].q, numbers + 3, sizeof to->q);
    }
    return EXIT_DONE;
}

int rays_in_points(rays_in *in, float *to, size_t capacity, size_t *count)
{
    for (*count = 0; *count < capacity; (*count)++) {
        float numbers[NUMBERS_MAX] = { 0 };
        int used;
        const int status = next_numbers(in, numbers, &used);
        if (status != EXIT_DONE || used == 0) {
            return status;
        }
        memcpy(to + 3 * *count, numbers, 3 * sizeof *to);
    }
    return EXIT_DONE;
}
