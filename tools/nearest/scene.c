/* nearest/scene.c: points against a scene, for 'nearest' and 'within': they are read, asked and
 * answered in doubles, since scenes may be far from the origin. */
#include "tools/nearest/scene.h"

#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/output/stats.h"

#include <sightline/scene_points.h>

#include <math.h>
#include <stdlib.h>

enum { BLOCK_POINTS = 4096, BLOCK_ROWS = 1 << 16, CELLS_MAX = 15 };

/* All that a run owns. */
typedef struct work {
    nearest_job *job;
    rays_in points;
    size_t capacity, keep, count;
    double *at;         /* three for each point of a block */
    sl_nearest_d *rows; /* keep of them for each */
    uint64_t *totals;
    bool is_npy, is_list, only_count, has_names, has_parts;
    out_column columns[CELLS_MAX];
    output text;
    npy_out array;
    npy_list packed;
    uint64_t asked, found;
} work;

static int refuse(const invocation *call, const nearest_job *job)
{
    static const char *const of_meshes[] = { "proxy", "generate", "verify", "brute", "box-filter" };
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < sizeof of_meshes / sizeof *of_meshes; i++) {
        status = mesh_in_refuse(&job->in, call, of_meshes[i]);
    }
    return status;
}

static int make(work *w)
{
    const nearest_options *o = w->job->options;
    w->only_count = o->mode == NEAREST_COUNT;
    w->keep = w->only_count ? 0 : (size_t)o->max_found;
    const size_t most = w->keep > 0 ? BLOCK_ROWS / w->keep : BLOCK_POINTS;
    w->capacity = most == 0 ? 1 : most < BLOCK_POINTS ? most : BLOCK_POINTS;
    w->at = calloc(w->capacity, 3 * sizeof *w->at);
    w->rows = calloc(w->capacity, (w->keep + 1) * sizeof *w->rows);
    w->totals = calloc(w->capacity, sizeof *w->totals);
    return w->at != NULL && w->rows != NULL && w->totals != NULL ? EXIT_DONE : report_memory();
}

static void add(work *w, size_t *count, const char *name)
{
    w->columns[(*count)++] = (out_column){ name, 0 };
}

static void begin_table(work *w)
{
    static const char *const names[] = { "distance", "prim", "face", "x",       "y",
                                         "z",        "u",    "v",    "instance" };
    const scene_in *scene = w->job->in.scene;
    size_t count = 0;
    add(w, &count, "point");
    if (w->only_count) {
        add(w, &count, "count");
        output_table_begin(&w->text, "answers", w->columns, count);
        return;
    }
    if (w->is_list) {
        add(w, &count, "total");
        add(w, &count, "rank");
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        add(w, &count, names[i]);
    }
    w->has_names = scene->has_names;
    w->has_parts = scene->has_parts;
    if (w->has_names) {
        add(w, &count, "name");
    }
    if (w->has_parts) {
        add(w, &count, "part");
    }
    output_table_begin(&w->text, "answers", w->columns, count);
}

static int open_out(work *w)
{
    const nearest_options *o = w->job->options;
    const bool within = w->job->kind == NEAREST_WITHIN;
    w->is_npy = npy_is_name(o->out);
    w->is_list = within || o->max_found > 1;
    if (w->is_npy && within && !w->only_count) {
        return npy_list_open(&w->packed, o->out, NPY_OUT_NEAREST_D);
    }
    if (w->is_npy) {
        const uint64_t rows = w->points.is_npy ? w->points.npy.rows : NPY_ROWS_UNKNOWN;
        return npy_out_open(&w->array, o->out, w->only_count ? NPY_OUT_U8 : NPY_OUT_NEAREST_D,
                            w->is_list && !w->only_count ? o->max_found : 0, rows);
    }
    const int status = output_open(&w->text, o->out, o->common.json ? OUTPUT_JSON : OUTPUT_CSV,
                                   within ? "within" : "nearest", false);
    if (status == EXIT_DONE) {
        begin_table(w);
    }
    return status;
}

static void ask(work *w)
{
    const sl_nearest_d none = { .distance = INFINITY, .prim = SL_NONE };
    const sl_scene *scene = w->job->in.scene->scene;
    const float limit = w->job->options->limit;
    for (size_t i = 0; i < w->count * w->keep; i++) {
        w->rows[i] = none;
    }
    if (w->job->kind == NEAREST_WITHIN) {
        sl_scene_within_d_many(scene, w->at, w->count, limit, &w->job->query, w->rows, w->keep,
                               w->totals, w->job->in.tasks);
    } else {
        sl_scene_nearest_k_d_many(scene, w->at, w->count, limit, &w->job->query, w->rows, w->keep,
                                  w->totals, w->job->in.tasks);
    }
}

static void put_row(work *w, out_value *values, const sl_nearest_d *row)
{
    scene_in *scene = w->job->in.scene;
    const scene_mesh *mesh = scene_in_mesh(scene, row->instance);
    const sl_mesh *of = mesh != NULL ? mesh->mesh : NULL;
    size_t used = 0;
    values[used++] = value_float(row->distance);
    values[used++] = value_count(row->prim);
    values[used++] = of != NULL ? mesh_in_face(of, row->prim) : value_count(row->prim);
    for (int axis = 0; axis < 3; axis++) {
        values[used++] = value_double(row->point[axis]);
    }
    values[used++] = value_float(row->u);
    values[used++] = value_float(row->v);
    values[used++] = value_count(row->instance);
    if (w->has_names) {
        const char *name = scene_in_name(scene, row->instance);
        values[used++] = name != NULL ? value_text(name) : value_nothing();
    }
    if (w->has_parts && of != NULL) {
        values[used] = mesh_in_part(of, row->prim);
    }
}

/* A row for each triangle that was kept; one that is empty where there are none. */
static void put_point(work *w, size_t i)
{
    const uint64_t total = w->totals[i];
    const size_t kept = total < w->keep ? (size_t)total : w->keep;
    const size_t rows = kept > 0 ? kept : 1;
    for (size_t rank = 0; rank < rows; rank++) {
        out_value values[CELLS_MAX];
        for (int k = 0; k < CELLS_MAX; k++) {
            values[k] = value_nothing();
        }
        values[0] = value_count(w->asked + i);
        if (w->only_count) {
            values[1] = value_count(total);
        } else if (w->is_list) {
            values[1] = value_count(total);
            values[2] = kept > 0 ? value_count(rank) : value_nothing();
        }
        if (kept > 0) {
            put_row(w, values + (w->is_list ? 3 : 1), &w->rows[i * w->keep + rank]);
        }
        output_row(&w->text, values);
    }
}

/* False when writing has failed; close_out says why. */
static bool write_block(work *w)
{
    bool written = true;
    for (size_t i = 0; i < w->count; i++) {
        w->found += w->totals[i] > 0;
        if (!w->is_npy) {
            put_point(w, i);
        }
    }
    w->asked += w->count;
    if (!w->is_npy) {
        return !ferror(w->text.file.stream);
    }
    if (w->only_count) {
        written = npy_out_write(&w->array, w->totals, w->count);
    } else if (w->job->kind == NEAREST_WITHIN) {
        written = npy_list_write(&w->packed, w->rows, w->keep, w->totals, w->count);
    } else {
        written = npy_out_write(&w->array, w->rows, w->count);
    }
    return written;
}

static int answer(work *w)
{
    nearest_job *job = w->job;
    bool written = true;
    int status = EXIT_DONE;
    progress_begin(&job->in.bar, job->options->common.quiet);
    while (status == EXIT_DONE && written) {
        status = rays_in_points_d(&w->points, w->at, w->capacity, &w->count);
        if (status != EXIT_DONE || w->count == 0) {
            break;
        }
        const double started = common_seconds();
        ask(w);
        job->seconds += common_seconds() - started;
        written = write_block(w);
        progress_show(&job->in.bar, "measuring",
                      w->points.is_npy ? (double)w->asked / (double)w->points.npy.rows : -1);
    }
    progress_end(&job->in.bar);
    return status;
}

static int close_out(work *w)
{
    const nearest_job *job = w->job;
    if (!w->is_npy) {
        output_table_end(&w->text);
    }
    if (job->options->stats) {
        stats_out_put(w->is_npy ? NULL : &w->text, &(stats_out){ .what = "points",
                                                                 .asked = w->asked,
                                                                 .stats = &job->stats,
                                                                 .seconds = job->seconds });
    }
    if (!w->is_npy) {
        return output_close(&w->text);
    }
    return job->kind == NEAREST_WITHIN && !w->only_count ? npy_list_close(&w->packed)
                                                         : npy_out_close(&w->array);
}

int nearest_scene(nearest_job *job, const invocation *call)
{
    work w = { .job = job };
    int status = refuse(call, job);
    if (status == EXIT_DONE) {
        status = make(&w);
    }
    if (status == EXIT_DONE) {
        status = rays_in_open(&w.points, job->options->from.points, RAYS_IN_POINTS, 0, 0);
        w.points.doubles = true;
    }
    if (status == EXIT_DONE) {
        status = open_out(&w);
    }
    if (status == EXIT_DONE) {
        status = answer(&w);
    }
    if (status == EXIT_DONE) {
        status = close_out(&w);
    }
    output_discard(&w.text);
    npy_out_discard(&w.array);
    npy_list_discard(&w.packed);
    rays_in_close(&w.points);
    free(w.at);
    free(w.rows);
    free(w.totals);
    return status == EXIT_DONE && w.asked == 1 && w.found == 0 ? EXIT_NO : status;
}
