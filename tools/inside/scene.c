/* inside/scene.c: which instances of a scene contain points, for 'inside'; points are doubles,
 * since scenes may be far from the origin. */
#include "tools/inside/scene.h"

#include "tools/cli/report.h"
#include "tools/input/scene.h"
#include "tools/output/stats.h"

#include <sightline/scene_points.h>

#include <stdlib.h>

enum { BLOCK_POINTS = 4096, MOST = 64 };

static const out_column columns[] = {
    { "point", 0 }, { "inside", 0 },   { "total", 0 },
    { "rank", 0 },  { "instance", 0 }, { "name", 0 },
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* All that a run owns. */
typedef struct work {
    inside_job *job;
    rays_in points;
    double *at;
    uint32_t *instances; /* MOST of them for each point */
    uint64_t *totals;
    size_t count;
    bool is_npy;
    output text;
    npy_out array;          /* of totals */
    part_out part;          /* --part or --resume; else zeroed */
    uint64_t asked, inside; /* asked: those of other parts, too, that come before */
} work;

static int make(work *w)
{
    w->at = calloc(BLOCK_POINTS, 3 * sizeof *w->at);
    w->instances = calloc(BLOCK_POINTS, MOST * sizeof *w->instances);
    w->totals = calloc(BLOCK_POINTS, sizeof *w->totals);
    return w->at != NULL && w->instances != NULL && w->totals != NULL ? EXIT_DONE : report_memory();
}

static int refuse(const invocation *call, const inside_job *job)
{
    static const char *const of_meshes[] = { "proxy", "generate", "verify", "brute" };
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < sizeof of_meshes / sizeof *of_meshes; i++) {
        status = mesh_in_refuse(&job->in, call, of_meshes[i]);
    }
    return status;
}

static int open_out(work *w)
{
    const inside_options *o = w->job->options;
    const bool in_parts = parts_wanted(&o->parts);
    w->is_npy = npy_is_name(o->out);
    if (w->is_npy) {
        const uint64_t rows = w->points.is_npy ? w->points.npy.rows : NPY_ROWS_UNKNOWN;
        return in_parts ? npy_out_open_part(&w->array, &w->part, NPY_OUT_U8, 0)
                        : npy_out_open(&w->array, o->out, NPY_OUT_U8, 0, rows);
    }
    const output_format format = o->common.json          ? OUTPUT_JSON
                                 : o->summary && !o->csv ? OUTPUT_TEXT
                                                         : OUTPUT_CSV;
    const int status = in_parts ? output_open_part(&w->text, &w->part, format, "inside")
                                : output_open(&w->text, o->out, format, "inside", false);
    if (status == EXIT_DONE && !o->summary) {
        output_table_begin(&w->text, "answers", columns, COLUMNS - !w->job->in.scene->has_names);
    }
    return status;
}

/* A row for each instance that contains the point; one where there is none. */
static void put_point(work *w, size_t i)
{
    const uint64_t total = w->totals[i];
    const size_t kept = total < MOST ? (size_t)total : MOST;
    for (size_t rank = 0; rank < (kept > 0 ? kept : 1); rank++) {
        const uint32_t instance = w->instances[i * MOST + rank];
        const char *name = kept > 0 ? scene_in_name(w->job->in.scene, instance) : NULL;
        const out_value values[COLUMNS] = {
            value_count(w->asked + i),
            value_bool(total > 0),
            value_count(total),
            kept > 0 ? value_count(rank) : value_nothing(),
            kept > 0 ? value_count(instance) : value_nothing(),
            name != NULL ? value_text(name) : value_nothing(),
        };
        output_row(&w->text, values);
    }
}

static bool write_rows(work *w)
{
    for (size_t i = 0; i < w->count; i++) {
        w->inside += w->totals[i] > 0;
        if (!w->is_npy && !w->job->options->summary) {
            put_point(w, i);
        }
    }
    w->asked += w->count;
    return w->is_npy ? npy_out_write(&w->array, w->totals, w->count) : !ferror(w->text.file.stream);
}

static bool write_block(work *w)
{
    bool written = write_rows(w);
    if (written && w->part.format != NULL) {
        w->part.sums[0] = w->inside;
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
    const inside_options *o = w->job->options;
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
    w->inside = part->sums[0];
    if (!w->is_npy && !o->summary && w->asked > 0) {
        output_rows_before(&w->text);
    }
    return rays_in_share(&w->points, w->asked, part->count - part->done);
}

static int answer(work *w)
{
    inside_job *job = w->job;
    bool written = true;
    int status = EXIT_DONE;
    progress_begin(&job->in.bar, job->options->common.quiet);
    while (status == EXIT_DONE && written) {
        status = rays_in_points_d(&w->points, w->at, BLOCK_POINTS, &w->count);
        if (status != EXIT_DONE || w->count == 0) {
            break;
        }
        const double started = common_seconds();
        sl_scene_inside_d_many(job->in.scene->scene, w->at, w->count, &job->query, w->instances,
                               MOST, w->totals, job->in.tasks);
        job->seconds += common_seconds() - started;
        written = write_block(w);
        progress_show(&job->in.bar, "asking", fraction(w));
    }
    progress_end(&job->in.bar);
    return status;
}

static int close_file(work *w)
{
    const inside_options *o = w->job->options;
    if (w->is_npy) {
        return npy_out_close(&w->array);
    }
    if (!o->summary) {
        output_table_end(&w->text);
    }
    if (o->summary || w->text.format == OUTPUT_JSON) {
        output_field(&w->text, "point_count", value_sum(w->asked - w->part.first));
        output_field(&w->text, "inside_count", value_sum(w->inside));
    }
    if (o->stats) {
        stats_out_put(&w->text, &(stats_out){ .what = "points",
                                              .asked = w->asked - w->part.first,
                                              .stats = &w->job->stats,
                                              .seconds = w->job->seconds });
    }
    return output_close(&w->text);
}

static int close_out(work *w)
{
    const int status = close_file(w);
    return status == EXIT_DONE && w->part.format != NULL ? part_out_close(&w->part) : status;
}

int inside_scene(inside_job *job, const invocation *call)
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
    part_out_discard(&w.part);
    rays_in_close(&w.points);
    free(w.at);
    free(w.instances);
    free(w.totals);
    return status == EXIT_DONE && !in_parts && w.asked == 1 && w.inside == 0 ? EXIT_NO : status;
}
