/* judge/answers.c: reads what another tracer answered, row by row. */
#include "tools/judge/answers.h"

#include "tools/cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRIM, T, INSTANCE, RAY, NUMBERS };

static const char *const names[][COLUMNS_MAX] = {
    { "prim", "t", "instance", "ray" },
    { "primID", "t_hit", "instID", "ray_index" },
    { "index_tri", "tfar", "instance_id", "index_ray" },
};
static const column_names csv_names = { names, 3, 1, NUMBERS };

/* The columns of an array by how many there are; rays: how many of them are a ray's. */
static const struct {
    uint64_t columns;
    int rays, cells[NUMBERS];
} layouts[] = {
    { 2, 0, { [T] = 0, [PRIM] = 1, [INSTANCE] = -1, [RAY] = -1 } },
    { 3, 0, { [RAY] = 0, [T] = 1, [PRIM] = 2, [INSTANCE] = -1 } },
    { 4, 0, { [RAY] = 0, [T] = 1, [PRIM] = 2, [INSTANCE] = 3 } },
    { 8, 6, { [T] = 6, [PRIM] = 7, [INSTANCE] = -1, [RAY] = -1 } },
    { 10, 8, { [T] = 8, [PRIM] = 9, [INSTANCE] = -1, [RAY] = -1 } },
    { 11, 8, { [T] = 8, [PRIM] = 9, [INSTANCE] = 10, [RAY] = -1 } },
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static int open_array(answers_in *in, const char *path, bool own_rays)
{
    int status = npy_in_open(&in->array.npy, in->text.stream, in->text.name);
    if (status != EXIT_DONE) {
        return status;
    }
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (layouts[i].columns == in->array.npy.columns && (layouts[i].rays > 0) == own_rays) {
            memcpy(in->cells, layouts[i].cells, sizeof in->cells);
            in->names_rays = in->cells[RAY] >= 0;
            status = own_rays ? lines_open(&in->text_of_rays, path, "ray") : EXIT_DONE;
            return status == EXIT_DONE && own_rays
                       ? npy_in_open(&in->array_of_rays.npy, in->text_of_rays.stream, path)
                       : status;
        }
    }
    return report_input(in->text.name, 0,
                        own_rays ? "there are %" PRIu64 " numbers in a row; without --rays answers "
                                   "must be of shape (N, 8), (N, 10) or (N, 11): a ray, t and prim"
                                 : "there are %" PRIu64 " numbers in a row; beside --rays answers "
                                   "must be of shape (N, 2), (N, 3) or (N, 4): t and prim",
                        in->array.npy.columns);
}

static int read_header(answers_in *in)
{
    char line[LINE_MAX_SIZE];
    bool end = false, twice = false;
    do {
        const int status = lines_next(&in->text, line, &end);
        if (status != EXIT_DONE) {
            return status;
        }
    } while (!end && line[strspn(line, " \t\r")] == '\0');
    const char *name = names[0][PRIM];
    if (!end && columns_is_header(line)) {
        name = columns_find(&in->columns, line, &csv_names, &twice);
    }
    if (name != NULL) {
        return report_input(in->text.name, in->text.line,
                            twice ? "the header names the column %s twice; name it once"
                                  : "there is no header that names the column %s; write CSV with "
                                    "the columns t and prim, or .npy",
                            name);
    }
    in->names_rays = in->columns.cell[RAY] >= 0;
    return EXIT_DONE;
}

/* A cell that is empty, or a word for nothing, is not there. */
static int read_cell(const answers_in *in, int i, const char *cell, size_t size,
                     double numbers[NUMBERS], bool has[NUMBERS])
{
    char *end;
    numbers[i] = strtod(cell, &end);
    has[i] = size > 0;
    if (size > 0 && end != cell + size) {
        return report_input(in->text.name, in->text.line, "%s is '%.*s'; write a number",
                            names[0][i], size > 40 ? 40 : (int)size, cell);
    }
    return EXIT_DONE;
}

static int read_line(answers_in *in, double numbers[NUMBERS], bool has[NUMBERS], bool *end)
{
    char line[LINE_MAX_SIZE];
    int cells = 0, status;
    do {
        status = lines_next(&in->text, line, end);
    } while (status == EXIT_DONE && !*end && line[strspn(line, " \t\r")] == '\0');
    if (status != EXIT_DONE || *end) {
        return status;
    }
    const char *cell, *at = line;
    size_t size;
    for (; columns_next_cell(&in->columns, &at, &cell, &size); cells++) {
        for (int i = 0; i < NUMBERS && status == EXIT_DONE; i++) {
            if (in->columns.cell[i] == cells) {
                status = read_cell(in, i, cell, size, numbers, has);
            }
        }
    }
    return status == EXIT_DONE && cells != in->columns.cell_count
               ? report_input(in->text.name, in->text.line,
                              "there are %d cells, and the header names %d", cells,
                              in->columns.cell_count)
               : status;
}

/* NULL at the end. */
static int next_row(answers_rows *a, const double **row)
{
    int status = EXIT_DONE;
    if (a->at == a->count) {
        a->at = 0;
        status = npy_in_doubles(&a->npy, a->ahead, ANSWERS_AHEAD, &a->count);
    }
    *row = a->at < a->count ? a->ahead + a->at++ * a->npy.columns : NULL;
    return status;
}

static int read_row(answers_in *in, double numbers[NUMBERS], bool has[NUMBERS], bool *end)
{
    const double *row;
    if (!in->is_npy) {
        return read_line(in, numbers, has, end);
    }
    const int status = next_row(&in->array, &row);
    *end = row == NULL;
    for (int i = 0; i < NUMBERS && !*end; i++) {
        has[i] = in->cells[i] >= 0;
        numbers[i] = has[i] ? row[in->cells[i]] : 0;
    }
    return status;
}

/* Reads the row that comes next.  Rows are in the order of rays, so that they are read but once. */
static int read_ahead(answers_in *in)
{
    double numbers[NUMBERS] = { 0 };
    bool has[NUMBERS] = { false }, end = false;
    const uint64_t before = in->next.ray;
    const int status = read_row(in, numbers, has, &end);
    in->has_next = status == EXIT_DONE && !end;
    if (!in->has_next) {
        return status;
    }
    const double ray = in->names_rays ? numbers[RAY] : (double)in->rows;
    const uint64_t line = in->is_npy ? 0 : in->text.line;
    if (!(ray >= 0 && ray < 0x1p53) || ray != floor(ray)) {
        return report_input(in->text.name, line,
                            "row %" PRIu64 ", counted from 0: ray is %g; write which one, from 0",
                            in->rows, ray);
    }
    if (in->rows > 0 && (uint64_t)ray < before) {
        return report_input(in->text.name, line,
                            "row %" PRIu64 ", counted from 0: ray %g comes behind ray %" PRIu64
                            "; sort the rows by ray",
                            in->rows, ray, before);
    }
    in->next = (answer){ .t = numbers[T],
                         .prim = numbers[PRIM],
                         .instance = numbers[INSTANCE],
                         .has_t = has[T],
                         .has_prim = has[PRIM],
                         .ray = (uint64_t)ray };
    in->rows++;
    return EXIT_DONE;
}

int answers_open(answers_in *in, const char *path, const char *rays, bool doubles, float tmin,
                 float tmax)
{
    *in = (answers_in){ .is_npy = false };
    int status = lines_open(&in->text, path, "answer");
    if (status != EXIT_DONE) {
        return status;
    }
    const int first = fgetc(in->text.stream);
    ungetc(first, in->text.stream);
    in->is_npy = first == 0x93;
    status = in->is_npy ? open_array(in, path, rays == NULL) : read_header(in);
    if (status == EXIT_DONE && in->text_of_rays.stream == NULL) {
        status = rays_in_open(&in->rays, rays != NULL ? rays : path, RAYS_IN_RAYS, tmin, tmax);
    }
    in->rays.tmin = tmin;
    in->rays.tmax = tmax;
    in->rays.doubles = doubles;
    return status == EXIT_DONE ? read_ahead(in) : status;
}

int answers_fill_rays(answers_in *in, void *to, size_t capacity, size_t *count)
{
    if (in->text_of_rays.stream == NULL) {
        return rays_in_fill(&in->rays, to, capacity, count);
    }
    const size_t size = in->rays.doubles ? sizeof(sl_ray_d) : sizeof(sl_ray);
    for (*count = 0; *count < capacity; ++*count) {
        double numbers[COLUMNS_MAX] = { [6] = (double)in->rays.tmin, [7] = (double)in->rays.tmax };
        const double *row;
        const int status = next_row(&in->array_of_rays, &row);
        if (status != EXIT_DONE || row == NULL) {
            return status;
        }
        memcpy(numbers, row, (in->array.npy.columns == 8 ? 6 : 8) * sizeof *numbers);
        rays_in_store(RAYS_IN_RAYS, numbers, in->rays.doubles, (char *)to + *count * size);
    }
    return EXIT_DONE;
}

int answers_next(answers_in *in, uint64_t ray, answer *to, bool *found)
{
    *found = in->has_next && in->next.ray == ray;
    if (!*found) {
        return in->names_rays || in->has_next
                   ? EXIT_DONE
                   : report_input(in->text.name, 0,
                                  "there are only %" PRIu64 " answers; write one for each ray, or "
                                  "a column that says which ray",
                                  in->rows);
    }
    *to = in->next;
    return read_ahead(in);
}

int answers_end(answers_in *in, uint64_t rays)
{
    return in->has_next ? report_input(in->text.name, 0,
                                       "there is an answer about ray %" PRIu64 ", counted from 0, "
                                       "and there are %" PRIu64 " rays",
                                       in->next.ray, rays)
                        : EXIT_DONE;
}

void answers_close(answers_in *in)
{
    lines_close(&in->text);
    lines_close(&in->text_of_rays);
    rays_in_close(&in->rays);
}
