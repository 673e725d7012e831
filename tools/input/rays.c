/* input/rays.c: rays, segments and points from text, CSV or .npy, for every subcommand that asks
 * about many. */
#include "tools/input/rays.h"

#include "tools/cli/numbers.h"
#include "tools/cli/report.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = COLUMNS_MAX };

static const char *const ray_names[][COLUMNS_MAX] = {
    { "ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax" },
    { "origin_x", "origin_y", "origin_z", "dir_x", "dir_y", "dir_z", "tmin", "tmax" },
};
static const char *const segment_names[][COLUMNS_MAX] = {
    { "px", "py", "pz", "qx", "qy", "qz" },
    { "p_x", "p_y", "p_z", "q_x", "q_y", "q_z" },
};
static const char *const point_names[][COLUMNS_MAX] = {
    { "x", "y", "z" },
    { "point_x", "point_y", "point_z" },
};

/* What a line holds: names.needed numbers, or names.count; infinities only among those behind the
 * needed ones. */
static const struct {
    const char *one, *plural, *line, *shapes;
    column_names names;
} kinds[] = {
    [RAYS_IN_RAYS] = { "ray",
                       "rays",
                       "ox oy oz dx dy dz [tmin tmax]",
                       "(N, 6) or (N, 8)",
                       { ray_names, 2, 6, 8 } },
    [RAYS_IN_SEGMENTS] = { "segment",
                           "segments",
                           "px py pz qx qy qz",
                           "(N, 6)",
                           { segment_names, 2, 6, 6 } },
    [RAYS_IN_POINTS] = { "point", "points", "x y z", "(N, 3)", { point_names, 2, 3, 3 } },
};

static const char *name_of(const rays_in *in, int i)
{
    return kinds[in->kind].names.names[0][i];
}

static int check_array(const rays_in *in)
{
    const uint64_t columns = in->npy.columns - in->beside;
    if (in->npy.type != NPY_F4 && in->npy.type != NPY_F8) {
        return report_input(in->text.name, 0,
                            "the array holds whole numbers; save it as float32 or float64");
    }
    if (columns != (uint64_t)kinds[in->kind].names.needed &&
        columns != (uint64_t)kinds[in->kind].names.count) {
        return report_input(in->text.name, 0,
                            "there %s %" PRIu64 " number%s in a row; %s must be of shape %s",
                            columns == 1 ? "is" : "are", columns, columns == 1 ? "" : "s",
                            kinds[in->kind].plural, kinds[in->kind].shapes);
    }
    return EXIT_DONE;
}

int rays_in_open(rays_in *in, const char *path, rays_in_kind kind, uint64_t beside)
{
    *in = (rays_in){ .kind = kind, .beside = beside, .left = UINT64_MAX };
    const int opened = lines_open(&in->text, path, kinds[kind].one);
    if (opened != EXIT_DONE) {
        return opened;
    }
    FILE *stream = in->text.stream;
    const int first = fgetc(stream);
    if (first == EOF && ferror(stream)) {
        return report_failure(in->text.name, "cannot be read: %s; check the name",
                              report_why(errno));
    }
    ungetc(first, stream);
    if (first != 0x93) {
        return EXIT_DONE;
    }
    in->is_npy = true;
    const int status = npy_in_open(&in->npy, stream, in->text.name);
    return status == EXIT_DONE ? check_array(in) : status;
}

void rays_in_close(rays_in *in)
{
    lines_close(&in->text);
}

/* Whether number i may be what it is: limits may be infinite. */
static int check_number(const rays_in *in, uint64_t place, int i, double number, const char *text,
                        int size)
{
    const char *name = name_of(in, i);
    if (isnan(number)) {
        return report_input(in->text.name, place, "%s is '%.*s'; write a number", name, size, text);
    }
    if (!(fabs(number) <= FLT_MAX) && i < kinds[in->kind].names.needed) {
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

/* The nearest float, or the nearest double. */
static double parse_number(const rays_in *in, const char *at, char **end)
{
    return in->doubles ? strtod(at, end) : (double)strtof(at, end);
}

/* Hexadecimal floats and infinities are numbers; everything else must look decimal. */
static int parse_line(const rays_in *in, const char *line, double numbers[NUMBERS_MAX], int *count)
{
    const char *at = line;
    const int most = kinds[in->kind].names.count;
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
        const double number = parse_number(in, at, &end);
        if (size == 0 || end != at + size) {
            return report_input(in->text.name, in->text.line, "%s is '%.*s'; write a number",
                                name_of(in, *count), size > 40 ? 40 : (int)size, at);
        }
        const int status = check_number(in, in->text.line, *count, number, at, (int)size);
        if (status != EXIT_DONE) {
            return status;
        }
        numbers[(*count)++] = number;
        at = skip_between(end);
    }
    if (*count != 0 && *count != kinds[in->kind].names.needed && *count != most) {
        return report_input(in->text.name, in->text.line, "there are %d numbers; write %s", *count,
                            kinds[in->kind].line);
    }
    return EXIT_DONE;
}

static int read_header(rays_in *in, const char *line)
{
    bool twice;
    const char *name = columns_find(&in->columns, line, &kinds[in->kind].names, &twice);
    if (name == NULL) {
        return EXIT_DONE;
    }
    if (twice) {
        return report_input(in->text.name, in->text.line,
                            "the header names the column %s twice; name it once", name);
    }
    if (name == name_of(in, 0)) {
        return report_input(in->text.name, in->text.line,
                            "this is text, and no %s; write %s, one a line, or CSV whose header "
                            "names these",
                            kinds[in->kind].one, kinds[in->kind].line);
    }
    return report_input(in->text.name, in->text.line,
                        "the header names no column %s; name those of %s, or write numbers alone",
                        name, kinds[in->kind].line);
}

/* One cell that is number i. */
static int read_cell(const rays_in *in, int i, const char *cell, size_t size, double *number)
{
    const bool optional = i >= kinds[in->kind].names.needed;
    if (size == 0) {
        return optional ? EXIT_DONE
                        : report_input(in->text.name, in->text.line,
                                       "%s is empty; leave out lines without a %s", name_of(in, i),
                                       kinds[in->kind].one);
    }
    const int shown = size > 40 ? 40 : (int)size;
    char *end;
    *number = parse_number(in, cell, &end);
    if (end != cell + size) {
        return report_input(in->text.name, in->text.line, "%s is '%.*s'; write a number",
                            name_of(in, i), shown, cell);
    }
    return check_number(in, in->text.line, i, *number, cell, shown);
}

/* A line below a header: the numbers in the columns of their names. */
static int parse_cells(const rays_in *in, const char *line, double numbers[NUMBERS_MAX], int *count)
{
    const char *at = line;
    const char *cell;
    size_t size;
    int cells = 0;
    const int most = kinds[in->kind].names.count;
    const double limits[2] = { in->tmin, in->tmax };
    memcpy(numbers + 6, limits, sizeof limits);
    for (; columns_next_cell(&in->columns, &at, &cell, &size); cells++) {
        for (int i = 0; i < most; i++) {
            const int status = in->columns.cell[i] == cells
                                   ? read_cell(in, i, cell, size, &numbers[i])
                                   : EXIT_DONE;
            if (status != EXIT_DONE) {
                return status;
            }
        }
    }
    if (cells != in->columns.cell_count) {
        return report_input(in->text.name, in->text.line,
                            "there are %d cells, and the header names %d", cells,
                            in->columns.cell_count);
    }
    *count = most;
    return EXIT_DONE;
}

/* Reads the line if it is the header; *found becomes true for any other one that is not blank. */
static int sort_line(rays_in *in, const char *line, bool *found)
{
    const bool blank = line[strspn(line, " \t\r")] == '\0';
    const bool is_header = !blank && !in->begun && columns_is_header(line);
    in->begun = in->begun || !blank;
    *found = !blank && !is_header;
    return is_header ? read_header(in, line) : EXIT_DONE;
}

/* The next line with numbers; *count 0 at the end, or where it is not there yet and need not be
 * waited for. */
static int next_text(rays_in *in, bool wait, double numbers[NUMBERS_MAX], int *count)
{
    char line[LINE_MAX_SIZE];
    *count = 0;
    bool end = false;
    while (*count == 0 && (wait || lines_ready(&in->text))) {
        int status = lines_next(&in->text, line, &end);
        if (status != EXIT_DONE || end) {
            return status;
        }
        bool found;
        status = sort_line(in, line, &found);
        if (status == EXIT_DONE && found) {
            status = in->columns.found ? parse_cells(in, line, numbers, count)
                                       : parse_line(in, line, numbers, count);
        }
        if (status != EXIT_DONE) {
            return status;
        }
    }
    return EXIT_DONE;
}

/* More rows, as many as may be asked for.  A call of the system for each of them would take longer
 * than its answer. */
static int read_ahead(rays_in *in)
{
    float floats[RAYS_IN_AHEAD];
    const size_t fit = RAYS_IN_AHEAD / (size_t)in->npy.columns;
    const size_t most = in->left < fit ? (size_t)in->left : fit;
    in->at = in->ahead_count = 0;
    if (in->doubles) {
        return npy_in_doubles(&in->npy, in->ahead, most, &in->ahead_count);
    }
    const int status = npy_in_floats(&in->npy, floats, most, &in->ahead_count);
    for (size_t i = 0; i < in->ahead_count * in->npy.columns; i++) {
        in->ahead[i] = floats[i];
    }
    return status;
}

static int next_npy(rays_in *in, double numbers[NUMBERS_MAX], int *count)
{
    const size_t columns = (size_t)in->npy.columns;
    const int status = in->at == in->ahead_count ? read_ahead(in) : EXIT_DONE;
    if (status != EXIT_DONE || in->at == in->ahead_count) {
        return status;
    }
    const uint64_t row = in->npy.row - in->ahead_count + in->at;
    *count = (int)(columns - in->beside);
    memcpy(numbers, in->ahead + columns * in->at++, (size_t)*count * sizeof *numbers);
    for (int i = 0; i < *count; i++) {
        if (isnan(numbers[i]) ||
            (!(fabs(numbers[i]) <= FLT_MAX) && i < kinds[in->kind].names.needed)) {
            return report_input(in->text.name, 0,
                                "row %" PRIu64 ", counted from 0: %s is %s; write a finite number",
                                row, name_of(in, i),
                                isnan(numbers[i])   ? "NaN"
                                : isinf(numbers[i]) ? "infinite"
                                                    : "beyond the range of a float");
        }
    }
    return EXIT_DONE;
}

static int next_numbers(rays_in *in, bool wait, double numbers[NUMBERS_MAX], int *count)
{
    *count = 0;
    if (in->left == 0) {
        return EXIT_DONE;
    }
    const int status =
        in->is_npy ? next_npy(in, numbers, count) : next_text(in, wait, numbers, count);
    in->left -= *count > 0;
    return status;
}

int rays_in_skip_line(rays_in *in, bool *found)
{
    char line[LINE_MAX_SIZE];
    *found = false;
    for (bool end = false; !*found;) {
        int status = lines_next(&in->text, line, &end);
        if (status != EXIT_DONE || end) {
            return status;
        }
        status = sort_line(in, line, found);
        if (status != EXIT_DONE) {
            return status;
        }
    }
    return EXIT_DONE;
}

void rays_in_store(rays_in_kind kind, const double numbers[COLUMNS_MAX], bool doubles, void *to)
{
    const double ray[NUMBERS_MAX] = { numbers[0], numbers[1], numbers[2], numbers[6],
                                      numbers[3], numbers[4], numbers[5], numbers[7] };
    const double *from = kind == RAYS_IN_RAYS ? ray : numbers;
    const size_t count = (size_t)kinds[kind].names.count;
    if (doubles) {
        memcpy(to, from, count * sizeof *from);
        return;
    }
    float *floats = to;
    for (size_t i = 0; i < count; i++) {
        floats[i] = (float)from[i];
    }
}

int rays_in_parse(const invocation *call, const char *option, const char *text, rays_in_kind kind,
                  bool finite, bool doubles, double numbers[COLUMNS_MAX])
{
    float floats[COLUMNS_MAX];
    double read[COLUMNS_MAX];
    const int needed = kinds[kind].names.needed, most = kinds[kind].names.count;
    const int count =
        doubles ? numbers_parse_d(text, read, most) : numbers_parse(text, floats, most);
    bool good = count == needed || count == most;
    for (int i = 0; i < count && good; i++) {
        const double number = doubles ? read[i] : (double)floats[i];
        good = !finite || (!isnan(number) && (i >= needed || fabs(number) <= FLT_MAX));
        numbers[i] = number;
    }
    return good ? EXIT_DONE
                : report_usage(call->command, "--%s is '%s'; it must be %s, in one word", option,
                               text, kinds[kind].line);
}

int rays_in_fill(rays_in *in, void *to, size_t capacity, size_t *count)
{
    const int length = kinds[in->kind].names.count;
    const size_t size = (size_t)length * (in->doubles ? sizeof(double) : sizeof(float));
    for (*count = 0; *count < capacity; (*count)++) {
        double numbers[NUMBERS_MAX] = { [6] = (double)in->tmin, [7] = (double)in->tmax };
        int used;
        const int status = next_numbers(in, *count == 0, numbers, &used);
        if (status != EXIT_DONE || used == 0) {
            return status;
        }
        rays_in_store(in->kind, numbers, in->doubles, (char *)to + *count * size);
    }
    return EXIT_DONE;
}
