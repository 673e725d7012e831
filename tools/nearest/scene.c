/* nearest/scene.c: points against a scene, for 'nearest' and 'within': they are read, asked and
 * answered in doubles, since scenes may be far from the origin. */
#include "tools/nearest/scene.h"

#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/output/stats.h"

#include <sightline/scene_points.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    part_out part;         /* --part or --resume; else zeroed */
    uint64_t asked, found; /* asked: those of other parts, too, that come before */
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

static int open_array(work *w)
{
    const nearest_options *o = w->job->options;
    const bool in_parts = parts_wanted(&o->parts);
    const npy_out_type type = w->only_count ? NPY_OUT_U8 : NPY_OUT_NEAREST_D;
    const uint64_t columns = w->is_list && !w->only_count ? o->max_found : 0;
    if (w->job->kind == NEAREST_WITHIN && !w->only_count) {
        return in_parts ? npy_list_open_part(&w->packed, &w->part, type)
                        : npy_list_open(&w->packed, o->out, type);
    }
    return in_parts ? npy_out_open_part(&w->array, &w->part, type, columns)
                    : npy_out_open(&w->array, o->out, type, columns,
                                   w->points.is_npy ? w->points.npy.rows : NPY_ROWS_UNKNOWN);
}

static int open_file(work *w)
{
    const nearest_options *o = w->job->options;
    const output_format format = o->common.json ? OUTPUT_JSON : OUTPUT_CSV;
    const char *command = w->job->kind == NEAREST_WITHIN ? "within" : "nearest";
    return w->is_npy                 ? open_array(w)
           : parts_wanted(&o->parts) ? output_open_part(&w->text, &w->part, format, command)
                                     : output_open(&w->text, o->out, format, command, false);
}

static int open_out(work *w)
{
    const nearest_options *o = w->job->options;
    const bool within = w->job->kind == NEAREST_WITHIN;
    w->is_npy = npy_is_name(o->out);
    w->is_list = within || o->max_found > 1;
    const int status = open_file(w);
    if (status == EXIT_DONE && !w->is_npy) {
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

static bool write_rows(work *w)
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

/* False when writing has failed; close_out says why. */
static bool write_block(work *w)
{
    bool written = write_rows(w);
    if (written && w->part.format != NULL) {
        w->part.sums[0] = w->found;
        written = part_out_block(&w->part, w->count);
    }
    return written;
}

static double fraction(const work *w)
{
    return w->part.format != NULL ? part_out_fraction(&w->part)
           : w->points.is_npy     ? (double)w->asked / (double)w->points.npy.rows
                                  : -1;
}

/* A part, or a run that can go on: which points are to be asked. */
static int begin_part(work *w, const invocation *call, uint64_t total, uint64_t hash)
{
    const nearest_options *o = w->job->options;
    part_out *part = &w->part;
    const part_question question = { .call = call,
                                     .options = &o->parts,
                                     .out = o->out,
                                     .in = &w->job->in,
                                     .total = total,
                                     .hash = hash,
                                     .quiet = o->common.quiet };
    const int status = part_out_start(part, &question);
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    w->asked = part->first + part->done;
    w->found = part->sums[0];
    if (strcmp(part->format, "lists") == 0) {
        npy_list_go_on(&w->packed, part);
    } else if (!w->is_npy && w->asked > 0) {
        output_rows_before(&w->text);
    }
    return rays_in_share(&w->points, w->asked, part->count - part->done);
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
        progress_show(&job->in.bar, "measuring", fraction(w));
    }
    progress_end(&job->in.bar);
    return status;
}

static int close_file(work *w)
{
    const nearest_job *job = w->job;
    if (!w->is_npy) {
        output_table_end(&w->text);
    }
    if (job->options->stats) {
        stats_out_put(w->is_npy ? NULL : &w->text, &(stats_out){ .what = "points",
                                                                 .asked = w->asked - w->part.first,
                                                                 .stats = &job->stats,
                                                                 .seconds = job->seconds });
    }
    if (!w->is_npy) {
        return output_close(&w->text);
    }
    return job->kind == NEAREST_WITHIN && !w->only_count ? npy_list_close(&w->packed)
                                                         : npy_out_close(&w->array);
}

static int close_out(work *w)
{
    const int status = close_file(w);
    return status == EXIT_DONE && w->part.format != NULL ? part_out_close(&w->part) : status;
}

int nearest_scene(nearest_job *job, const invocation *call)
{
    const bool in_parts = parts_wanted(&job->options->parts);
    uint64_t total = 0, hash = 0;
    work w = { .job = job };
    int status = refuse(call, job);
    if (status == EXIT_DONE) {
        status = make(&w);
    }
    if (status == EXIT_DONE) {
        status = rays_in_open(&w.points, job->options->from.points, RAYS_IN_POINTS, 0, 0);
        w.points.doubles = true;
    }
    if (status == EXIT_DONE && in_parts) {
        status = rays_in_measure(&w.points, &total, &hash);
    }
    if (status == EXIT_DONE) {
        status = open_out(&w);
    }
    if (status == EXIT_DONE && in_parts) {
        status = begin_part(&w, call, total, hash);
    }
    const bool complete = w.part.complete;
    if (status == EXIT_DONE && !complete) {
        status = answer(&w);
    }
    if (status == EXIT_DONE) {
        status = complete ? w.part.status : close_out(&w);
    }
    output_discard(&w.text);
    npy_out_discard(&w.array);
    npy_list_discard(&w.packed);
    part_out_discard(&w.part);
    rays_in_close(&w.points);
    free(w.at);
    free(w.rows);
    free(w.totals);
    return status == EXIT_DONE && !in_parts && w.asked == 1 && w.found == 0 ? EXIT_NO : status;
}
