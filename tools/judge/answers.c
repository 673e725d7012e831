/* judge/answers.c: reads what another tracer answered, row by row. */
#include "tools/judge/answers.h"

#include "tools/cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PRIM, T, INSTANCE, RAY, NUMBERS, VISIBLE = T };

static const char *const names[][COLUMNS_MAX] = {
    { "prim", "t", "instance", "ray" },
    { "primID", "t_hit", "instID", "ray_index" },
    { "index_tri", "tfar", "instance_id", "index_ray" },
};
static const column_names csv_names = { names, 3, 1, NUMBERS };

/* Where answers are only blocked or free; t is not read then. */
static const char *const occluded_names[][COLUMNS_MAX] = {
    { "blocked", "visible", "instance", "ray" },
    { "occluded", "visible", "instance", "segment" },
    { "hit", "visible", "instance", "pair" },
};
static const column_names csv_occluded_names = { occluded_names, 3, 0, NUMBERS };

static const char *name_of(const answers_in *in, int i)
{
    return !in->def.occluded             ? names[0][i]
           : in->is_visible && i == PRIM ? occluded_names[0][VISIBLE]
                                         : occluded_names[0][i];
}

/* The columns of an array by how many there are; rays: how many of them are a ray's. */
static const struct {
    uint64_t columns, rays;
    int cells[NUMBERS];
} layouts[] = {
    { 1, 0, { [T] = -1, [PRIM] = 0, [INSTANCE] = -1, [RAY] = -1 } },
    { 2, 0, { [T] = 0, [PRIM] = 1, [INSTANCE] = -1, [RAY] = -1 } },
    { 3, 0, { [RAY] = 0, [T] = 1, [PRIM] = 2, [INSTANCE] = -1 } },
    { 4, 0, { [RAY] = 0, [T] = 1, [PRIM] = 2, [INSTANCE] = 3 } },
    { 7, 6, { [T] = -1, [PRIM] = 6, [INSTANCE] = -1, [RAY] = -1 } },
    { 8, 6, { [T] = 6, [PRIM] = 7, [INSTANCE] = -1, [RAY] = -1 } },
    { 9, 8, { [T] = -1, [PRIM] = 8, [INSTANCE] = -1, [RAY] = -1 } },
    { 10, 8, { [T] = 8, [PRIM] = 9, [INSTANCE] = -1, [RAY] = -1 } },
    { 11, 8, { [T] = 8, [PRIM] = 9, [INSTANCE] = 10, [RAY] = -1 } },
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* The shapes that are accepted: by whether answers are only blocked or free, and by whether rays
 * stand in the rows. */
static const char *const shapes[2][2] = {
    { "beside --rays answers must be of shape (N,), (N, 2), (N, 3) or (N, 4): prim; t, prim; ray, "
      "t, prim; or ray, t, prim, instance",
      "rows with a ray must be of shape (N, 7) to (N, 11): its six or eight numbers, then prim; t, "
      "prim; or behind eight t, prim, instance" },
    { "beside --rays or --segments answers must be of shape (N,): blocked",
      "rows with a ray must be of shape (N, 7) or (N, 9), with a segment (N, 7): their numbers, "
      "then blocked" },
};

/* *beside: how many numbers of a row are not those of a ray. */
static int open_array(answers_in *in, bool own_rays, uint64_t *beside)
{
    const answers_def *def = &in->def;
    int status = npy_in_open(&in->npy, in->text.stream, in->text.name);
    if (status != EXIT_DONE) {
        return status;
    }
    const uint64_t columns = in->npy.columns;
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (layouts[i].columns == columns && (layouts[i].rays > 0) == own_rays &&
            !(def->occluded && layouts[i].cells[T] >= 0) &&
            !(def->segments && layouts[i].rays == 8)) {
            memcpy(in->cells, layouts[i].cells, sizeof in->cells);
            in->names_rays = in->cells[RAY] >= 0;
            *beside = own_rays ? columns - layouts[i].rays : 0;
            return EXIT_DONE;
        }
    }
    return report_input(in->text.name, 0, "there %s %" PRIu64 " number%s in a row; %s",
                        columns == 1 ? "is" : "are", columns, columns == 1 ? "" : "s",
                        shapes[def->occluded][own_rays]);
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
    const bool occluded = in->def.occluded;
    int *cell = in->columns.cell;
    const char *name = name_of(in, PRIM);
    if (!end && columns_is_header(line)) {
        name =
            columns_find(&in->columns, line, occluded ? &csv_occluded_names : &csv_names, &twice);
        in->is_visible = occluded && name == NULL && cell[PRIM] < 0 && cell[VISIBLE] >= 0;
        cell[PRIM] = in->is_visible ? cell[VISIBLE] : cell[PRIM];
        cell[T] = occluded ? -1 : cell[T];
        name = name == NULL && cell[PRIM] < 0 ? name_of(in, PRIM) : name;
    }
    if (name != NULL) {
        return report_input(in->text.name, in->text.line,
                            twice      ? "the header names the column %s twice; name it once"
                            : occluded ? "there is no header that names the column %s; write CSV "
                                         "with the column blocked or visible, or .npy"
                                       : "there is no header that names the column %s; write CSV "
                                         "with the columns t and prim, or .npy; if only blocked "
                                         "is told, there is --mode occluded",
                            name);
    }
    in->names_rays = cell[RAY] >= 0;
    return EXIT_DONE;
}

/* A cell that is empty is not there. */
static int read_cell(const answers_in *in, int i, const char *cell, size_t size,
                     double numbers[NUMBERS], bool has[NUMBERS])
{
    static const char *const words[] = { "false", "true" };
    char *end;
    numbers[i] = strtod(cell, &end);
    has[i] = size > 0;
    for (int yes = 0; in->def.occluded && i == PRIM && yes < 2; yes++) {
        if (size == strlen(words[yes]) && strncasecmp(cell, words[yes], size) == 0) {
            numbers[i] = yes;
            return EXIT_DONE;
        }
    }
    if (size > 0 && end != cell + size) {
        return report_input(in->text.name, in->text.line, "%s is '%.*s'; write %s", name_of(in, i),
                            size > 40 ? 40 : (int)size, cell,
                            in->def.occluded && i == PRIM ? "0 or 1" : "a number");
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
static int next_row(answers_in *in, const double **row)
{
    const size_t columns = (size_t)in->npy.columns;
    int status = EXIT_DONE;
    if (in->at == in->ahead_count) {
        in->at = 0;
        status = npy_in_doubles(&in->npy, in->ahead, RAYS_IN_AHEAD / columns, &in->ahead_count);
    }
    *row = in->at < in->ahead_count ? in->ahead + columns * in->at++ : NULL;
    return status;
}

static int read_row(answers_in *in, double numbers[NUMBERS], bool has[NUMBERS], bool *end)
{
    const double *row;
    if (!in->is_npy) {
        return read_line(in, numbers, has, end);
    }
    const int status = next_row(in, &row);
    *end = row == NULL;
    for (int i = 0; i < NUMBERS && !*end; i++) {
        has[i] = in->cells[i] >= 0;
        numbers[i] = has[i] ? row[in->cells[i]] : 0;
    }
    return status;
}

/* Refuses a number of a ray that is not whole, or smaller than that of the row before.  Arrays of
 * float32 do not hold all numbers beyond 2^24. */
static int check_ray(const answers_in *in, uint64_t line, double ray)
{
    const double most = in->is_npy && in->npy.type == NPY_F4 ? 0x1p24 : 0x1p53;
    if (!(ray >= 0 && ray < 0x1p53) || ray != floor(ray)) {
        return report_input(in->text.name, line,
                            "row %" PRIu64 ", counted from 0: ray is %g; write which one, from 0",
                            in->rows, ray);
    }
    if (ray >= most && in->names_rays) {
        return report_input(in->text.name, line,
                            "float32 does not hold the numbers of more than 2^24 rays; save it as "
                            "float64");
    }
    if (in->rows > 0 && (uint64_t)ray < in->next.ray) {
        return report_input(in->text.name, line,
                            "row %" PRIu64 ", counted from 0: ray %" PRIu64
                            " comes behind ray %" PRIu64 "; sort the rows by ray",
                            in->rows, (uint64_t)ray, in->next.ray);
    }
    return EXIT_DONE;
}

/* Reads the row that comes next.  Rows are in the order of rays, so that they are read but once. */
static int read_ahead(answers_in *in)
{
    double numbers[NUMBERS] = { 0 };
    bool has[NUMBERS] = { false }, end = false;
    int status = read_row(in, numbers, has, &end);
    in->has_next = status == EXIT_DONE && !end;
    if (!in->has_next) {
        return status;
    }
    const double ray = in->names_rays ? numbers[RAY] : (double)in->rows;
    const uint64_t line = in->is_npy ? 0 : in->text.line;
    status = check_ray(in, line, ray);
    if (status != EXIT_DONE) {
        return status;
    }
    if (in->def.occluded) {
        if (!has[PRIM] || (numbers[PRIM] != 0 && numbers[PRIM] != 1)) {
            return report_input(in->text.name, line,
                                "row %" PRIu64 ", counted from 0: %s is %s; write 0 or 1", in->rows,
                                name_of(in, PRIM), has[PRIM] ? "neither 0 nor 1" : "empty");
        }
        has[PRIM] = (numbers[PRIM] != 0) != in->is_visible;
        numbers[PRIM] = 0;
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

int answers_open(answers_in *in, const answers_def *def)
{
    const bool own_rays = def->rays == NULL || strcmp(def->rays, def->path) == 0;
    uint64_t beside = 0;
    *in = (answers_in){ .def = *def };
    int status = lines_open(&in->text, def->path, "answer");
    if (status != EXIT_DONE) {
        return status;
    }
    const int first = fgetc(in->text.stream);
    ungetc(first, in->text.stream);
    in->is_npy = first == 0x93;
    status = in->is_npy ? open_array(in, own_rays, &beside) : read_header(in);
    if (status == EXIT_DONE) {
        status = rays_in_open(&in->rays, own_rays ? def->path : def->rays,
                              def->segments ? RAYS_IN_SEGMENTS : RAYS_IN_RAYS, beside);
    }
    in->rays.doubles = def->doubles;
    in->rays.tmin = def->tmin;
    in->rays.tmax = def->tmax;
    return status == EXIT_DONE ? read_ahead(in) : status;
}

int answers_next(answers_in *in, uint64_t ray, answer *to, bool *found)
{
    *found = in->has_next && in->next.ray == ray;
    if (!*found) {
        return in->names_rays || in->has_next
                   ? EXIT_DONE
                   : report_input(in->text.name, 0,
                                  "there are fewer answers than rays: %" PRIu64 "; write one for "
                                  "each, or a column that says which ray",
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
    rays_in_close(&in->rays);
}
