/* los/sight.c: 'los --matrix', all points of a file with all of another, and 'los --viewshed', what
 * is seen from a point of the ground or of a plane. */
#include "tools/los/sight.h"

#include "tools/cli/report.h"
#include "tools/input/camera.h"
#include "tools/input/rays.h"
#include "tools/input/scene.h"
#include "tools/los/cells.h"
#include "tools/output/file_name.h"
#include "tools/output/output.h"

#include <sightline/sight.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACE(member) .offset = offsetof(sight_options, member)

static const char *const axis_words[] = { "y", "z", NULL };

const option_row sight_matrix_rows[] = {
    { .name = "matrix",
      .kind = OPTION_TEXT,
      PLACE(matrix),
      .value = "FILE",
      .main = true,
      .help =
          "instead of pairs: each of these points with each of --targets, one a line: x y z, or "
          "CSV whose header names these, or .npy, (N, 3); '-' is stdin. A row of 0 and 1 for "
          "each, in CSV; -o NAME.npy writes bool (N, M), -o NAME.png a picture, a pixel for "
          "each pair, light for those that see each other" },
    { .name = "targets",
      .kind = OPTION_TEXT,
      PLACE(targets),
      .value = "FILE",
      .main = true,
      .help = "the other points of --matrix; without it those of --matrix themselves" },
    { .name = NULL },
};

const option_row sight_view_rows[] = {
    { .name = "viewshed",
      .kind = OPTION_REALS,
      PLACE(viewshed),
      .length = 3,
      .value = "X,Y,Z",
      .main = true,
      .help =
          "instead of pairs: what is seen from this point, of the ground all over MESH, looked "
          "at from above. A number for each cell, 1 seen, 0 not, 2 where there is no ground, in "
          "CSV; -o NAME.npy writes uint8 (H, W), -o NAME.png a picture" },
    { .name = "size",
      .kind = OPTION_TEXT,
      PLACE(size),
      .value = "WxH",
      .fallback = "256x256",
      .help = "cells of --viewshed" },
    { .name = "rise",
      .kind = OPTION_REAL,
      PLACE(rise),
      .value = "UNITS",
      .fallback = "0",
      .min = 0,
      .max = 3e38,
      .help = "how far above the ground --viewshed looks, such as 1.7 for heads; 0: a thousandth "
              "of the size of MESH" },
    { .name = "plane",
      .kind = OPTION_REAL,
      PLACE(plane),
      .value = "HEIGHT",
      .min = -3e38,
      .max = 3e38,
      .help = "look at a plane at this height instead of the ground" },
    { .name = "up-axis",
      .kind = OPTION_CHOICE,
      PLACE(up_axis),
      .choices = axis_words,
      .fallback = "y",
      .help = "the axis that points up, for --viewshed" },
    { .name = NULL },
};

int sight_check(const invocation *call, const sight_options *o, const char *out, bool json)
{
    const bool view = options_given(call, "viewshed");
    static const char *const of_view[] = { "size", "rise", "plane", "up-axis" };
    static const char *const of_pairs[] = { "segments", "proxy", "stats", "part", "resume" };
    if (o->matrix == NULL && o->targets != NULL) {
        return report_usage(call->command, "--targets needs --matrix, the points that look");
    }
    for (size_t i = 0; i < sizeof of_view / sizeof of_view[0] && !view; i++) {
        if (options_given(call, of_view[i])) {
            return report_usage(call->command, "--%s is for --viewshed", of_view[i]);
        }
    }
    if (o->matrix == NULL && !view) {
        return EXIT_DONE;
    }
    if (o->matrix != NULL && view) {
        return report_usage(call->command, "--matrix and --viewshed exclude each other");
    }
    for (size_t i = 0; i < sizeof of_pairs / sizeof of_pairs[0]; i++) {
        if (options_given(call, of_pairs[i])) {
            return report_usage(call->command, "--%s and --%s exclude each other",
                                view ? "viewshed" : "matrix", of_pairs[i]);
        }
    }
    if (options_given(call, "rise") && options_given(call, "plane")) {
        return report_usage(call->command, "--rise is above the ground, and --plane has none");
    }
    if (json && !options_given(call, "summary")) {
        return report_usage(call->command, "--json is for --summary here; cells are CSV, .npy or "
                                           ".png");
    }
    return file_name_check(call, "out", out, ".csv .npy .png");
}

/* ---- what both share --------------------------------------------------------------------- */

/* Counts, and how many of them are seen. */
static int put_summary(const sight_job *job, const char *const *keys, const uint64_t *counts,
                       size_t count)
{
    output out;
    const output_format format = job->json ? OUTPUT_JSON : job->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    const int status = output_open(&out, job->out, format, "los", false);
    if (status != EXIT_DONE) {
        return status;
    }
    if (format == OUTPUT_CSV) {
        output_record_begin(&out, "count");
    }
    for (size_t i = 0; i < count; i++) {
        output_field(&out, keys[i], value_count(counts[i]));
    }
    if (format == OUTPUT_CSV) {
        output_record_end(&out);
    }
    return output_close(&out);
}

/* ---- all with all ------------------------------------------------------------------------ */

typedef struct end_list {
    sl_sight_end *ends; /* from malloc */
    size_t count, capacity;
} end_list;

static int read_ends(const char *path, end_list *to)
{
    enum { BLOCK = 1024 };
    double points[3 * BLOCK];
    rays_in in;
    size_t count = 0;
    int status = rays_in_open(&in, path, RAYS_IN_POINTS, 0, 0);
    in.doubles = true;
    while (status == EXIT_DONE) {
        status = rays_in_points_d(&in, points, BLOCK, &count);
        if (status != EXIT_DONE || count == 0) {
            break;
        }
        while (status == EXIT_DONE && to->count + count > to->capacity) {
            sl_sight_end *more =
                scene_in_grow(to->ends, to->capacity, &to->capacity, sizeof *to->ends);
            status = more != NULL ? EXIT_DONE : EXIT_FAILED;
            to->ends = more != NULL ? more : to->ends;
        }
        for (size_t i = 0; status == EXIT_DONE && i < count; i++) {
            sl_sight_end *end = &to->ends[to->count];
            *end = (sl_sight_end){ .id = (uint32_t)to->count };
            memcpy(end->at, points + 3 * i, sizeof end->at);
            to->count++;
        }
    }
    rays_in_close(&in);
    return status;
}

/* Rows that are asked together: bits of 16 MiB at most, but all rows of a symmetric matrix that has
 * up to 256 MiB, of which half is traced. */
static size_t rows_at_a_time(size_t eyes, size_t words, bool symmetric)
{
    const size_t row = 8 * (words > 0 ? words : 1);
    if (symmetric && eyes <= ((size_t)1 << 28) / row) {
        return eyes;
    }
    const size_t rows = ((size_t)1 << 24) / row;
    return rows < 1 ? 1 : rows < eyes ? rows : eyes;
}

typedef struct matrix_work {
    end_list eyes, others;
    uint64_t *bits;
    uint8_t *row;
    uint64_t seen;
    cells_out out;
} matrix_work;

static bool write_rows(matrix_work *w, size_t count, size_t targets, size_t words)
{
    bool written = true;
    for (size_t i = 0; written && i < count; i++) {
        const uint64_t *bits = w->bits + i * words;
        for (size_t k = 0; k < targets; k++) {
            w->row[k] = bits[k / 64] >> k % 64 & 1;
        }
        written = cells_out_row(&w->out, w->row);
    }
    return written;
}

static int ask_matrix(sight_job *job, matrix_work *w)
{
    const bool symmetric = job->options->targets == NULL;
    const end_list *targets = symmetric ? &w->eyes : &w->others;
    const size_t words = (targets->count + 63) / 64;
    const size_t step = rows_at_a_time(w->eyes.count, words, symmetric);
    const sl_query query = job->query;
    const sl_sight sight = { .flags = job->doubles ? SL_SIGHT_DOUBLES : 0, .query = &query };
    w->bits = malloc((step * words + 1) * sizeof *w->bits);
    w->row = malloc(targets->count + 1);
    if (w->bits == NULL || w->row == NULL) {
        return report_memory();
    }
    bool written = true;
    progress_begin(&job->in->bar, job->quiet);
    for (size_t first = 0; written && first < w->eyes.count; first += step) {
        const size_t left = w->eyes.count - first, count = left < step ? left : step;
        const sl_sight_ends ends = { .eyes = w->eyes.ends + first,
                                     .eye_count = count,
                                     .targets =
                                         symmetric && step == w->eyes.count ? NULL : targets->ends,
                                     .target_count = targets->count };
        progress_show(&job->in->bar, "looking", (double)first / (double)w->eyes.count);
        if (words > 0) { /* without targets there is no array, which would stand for the eyes */
            w->seen += sl_sight_matrix(job->scene, &ends, &sight, w->bits, 0, job->in->tasks);
        }
        written = job->summary || write_rows(w, count, targets->count, words);
    }
    progress_end(&job->in->bar);
    return EXIT_DONE;
}

int sight_matrix(sight_job *job)
{
    static const char *const keys[] = { "eye_count", "target_count", "seen_count" };
    const sight_options *o = job->options;
    matrix_work w = { .seen = 0 };
    int status = read_ends(o->matrix, &w.eyes);
    if (status == EXIT_DONE && o->targets != NULL) {
        status = read_ends(o->targets, &w.others);
    }
    const size_t targets = o->targets != NULL ? w.others.count : w.eyes.count;
    if (status == EXIT_DONE && !job->summary) {
        status = cells_out_open(&w.out, job->out, NPY_OUT_B1, targets, w.eyes.count);
    }
    if (status == EXIT_DONE) {
        status = ask_matrix(job, &w);
    }
    if (status == EXIT_DONE && job->summary) {
        const uint64_t counts[] = { w.eyes.count, targets, w.seen };
        status = put_summary(job, keys, counts, 3);
    } else if (status == EXIT_DONE) {
        status = cells_out_close(&w.out);
    }
    cells_out_discard(&w.out);
    free(w.eyes.ends);
    free(w.others.ends);
    free(w.bits);
    free(w.row);
    return status == EXIT_DONE && w.eyes.count == 1 && targets == 1 && w.seen == 0 ? EXIT_NO
                                                                                   : status;
}

/* ---- a viewshed -------------------------------------------------------------------------- */

/* Cells all over the bounds, looked at from above; the picture's first row is the farthest along
 * the axis that runs up in it: -z where y is up, y where z is. */
static sl_sight_grid make_grid(const sight_job *job, uint32_t width, uint32_t height)
{
    const sight_options *o = job->options;
    const int up = o->up_axis == 0 ? 1 : 2, across = 0, along = o->up_axis == 0 ? 2 : 1;
    sl_scene_info info;
    sl_scene_get_info(job->scene, &info, sizeof info);
    sl_sight_grid grid = { .width = width, .height = height };
    double low[3], side[3], most = 0;
    for (int axis = 0; axis < 3; axis++) {
        const bool empty = !(info.min[axis] <= info.max[axis]);
        low[axis] = empty ? 0 : info.min[axis];
        side[axis] = empty ? 1 : info.max[axis] - info.min[axis];
        most = fmax(most, side[axis]);
    }
    const double step_x = side[across] / width, step_y = side[along] / height;
    const bool downwards = along == 1; /* y is up in the picture */
    grid.origin[across] = low[across] + 0.5 * step_x;
    grid.origin[along] =
        downwards ? low[along] + side[along] - 0.5 * step_y : low[along] + 0.5 * step_y;
    grid.step_x[across] = step_x;
    grid.step_y[along] = downwards ? -step_y : step_y;
    if (options_given(job->call, "plane")) {
        grid.origin[up] = (double)o->plane;
    } else {
        const double margin = 0.01 * most;
        grid.origin[up] = low[up] + side[up] + margin;
        grid.down[up] = -(side[up] + 2 * margin);
        grid.rise[up] = o->rise > 0 ? (double)o->rise : most / 1000;
    }
    return grid;
}

int sight_viewshed(sight_job *job)
{
    static const char *const keys[] = { "cell_count", "seen_count", "no_ground_count" };
    const sight_options *o = job->options;
    uint32_t width, height;
    int status = camera_in_size(job->call, o->size, &width, &height);
    if (status != EXIT_DONE) {
        return status;
    }
    const size_t cells = (size_t)width * height;
    uint8_t *view = malloc(cells);
    if (view == NULL) {
        return report_memory();
    }
    const sl_sight_end eye = sl_sight_end_at(o->viewshed, 0);
    const sl_sight_grid grid = make_grid(job, width, height);
    const sl_query query = job->query;
    const sl_sight sight = { .flags = job->doubles ? SL_SIGHT_DOUBLES : 0, .query = &query };
    const size_t seen = sl_sight_viewshed(job->scene, &eye, &grid, &sight, view, job->in->tasks);
    cells_out out = { .path = NULL };
    if (job->summary) {
        uint64_t counts[3] = { cells, seen, 0 };
        for (size_t i = 0; i < cells; i++) {
            counts[2] += view[i] == SL_VIEW_NO_GROUND;
        }
        status = put_summary(job, keys, counts, 3);
    } else {
        status = cells_out_open(&out, job->out, NPY_OUT_U1, width, height);
        bool written = status == EXIT_DONE;
        for (uint32_t y = 0; written && y < height; y++) {
            written = cells_out_row(&out, view + (size_t)y * width);
        }
        status = status == EXIT_DONE ? cells_out_close(&out) : status;
    }
    cells_out_discard(&out);
    free(view);
    return status;
}
