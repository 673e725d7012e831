/* overlap/scene.c: volumes against a scene: the triangles of its instances that they touch. */
#include "tools/input/scene.h"
#include "tools/cli/report.h"
#include "tools/output/npy_list.h"
#include "tools/overlap/overlap.h"

#include <sightline/scene_volumes.h>

#include <stdlib.h>

enum { BLOCK = 256, CELLS = 6 };

/* All that a run owns. */
typedef struct work {
    overlap_job *job;
    const sl_scene *scene;
    sl_volume *volumes;
    uint64_t *totals;
    uint8_t *touches;
    sl_triangle_ref *refs; /* of one volume; grows */
    size_t count, capacity;
    bool is_npy, is_field, has_names, has_parts;
    out_column columns[CELLS];
    output text;
    npy_out array; /* counts, or of one volume its triangles */
    npy_list list;
    uint64_t asked, touching;
} work;

static int refuse(const invocation *call, const overlap_job *job)
{
    static const char *const of_meshes[] = { "proxy", "generate", "verify", "brute", "box-filter" };
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < sizeof of_meshes / sizeof *of_meshes; i++) {
        status = mesh_in_refuse(&job->in, call, of_meshes[i]);
    }
    return status;
}

static void begin_table(work *w)
{
    const scene_in *scene = w->job->in.scene;
    const int mode = w->job->options->mode;
    size_t count = 0;
    if (w->job->is_many) {
        w->columns[count++] = (out_column){ "volume", 0 };
    }
    if (mode != OVERLAP_ALL) {
        w->columns[count++] = (out_column){ mode == OVERLAP_ANY ? "touches" : "count", 0 };
    } else {
        w->has_names = scene->has_names;
        w->has_parts = scene->has_parts;
        w->columns[count++] = (out_column){ "instance", 0 };
        w->columns[count++] = (out_column){ "prim", 0 };
        w->columns[count++] = (out_column){ "face", 0 };
        if (w->has_names) {
            w->columns[count++] = (out_column){ "name", 0 };
        }
        if (w->has_parts) {
            w->columns[count++] = (out_column){ "part", 0 };
        }
    }
    output_table_begin(&w->text, "answers", w->columns, count);
}

static int open_out(work *w)
{
    const overlap_options *o = w->job->options;
    w->is_npy = npy_is_name(o->out);
    if (w->is_npy && o->mode == OVERLAP_ALL) {
        return w->job->is_many ? npy_list_open(&w->list, o->out, NPY_OUT_REFS)
                               : npy_out_open(&w->array, o->out, NPY_OUT_REFS, 0, NPY_ROWS_UNKNOWN);
    }
    if (w->is_npy) {
        return npy_out_open(&w->array, o->out, o->mode == OVERLAP_ANY ? NPY_OUT_U1 : NPY_OUT_U8, 0,
                            NPY_ROWS_UNKNOWN);
    }
    w->is_field = !w->job->is_many && o->mode != OVERLAP_ALL && !o->csv;
    const output_format format = o->common.json ? OUTPUT_JSON
                                 : w->is_field  ? OUTPUT_TEXT
                                                : OUTPUT_CSV;
    const int status = output_open(&w->text, o->out, format, "overlap", false);
    if (status == EXIT_DONE && !w->is_field) {
        begin_table(w);
    }
    return status;
}

static void put_triangle(work *w, uint64_t volume, const sl_triangle_ref *ref)
{
    scene_in *scene = w->job->in.scene;
    out_value values[CELLS];
    for (int i = 0; i < CELLS; i++) {
        values[i] = value_nothing();
    }
    size_t used = 0;
    if (w->job->is_many) {
        values[used++] = value_count(volume);
    }
    if (ref != NULL) {
        const scene_mesh *of = scene_in_mesh(scene, ref->instance);
        const sl_mesh *mesh = of != NULL ? of->mesh : NULL;
        values[used++] = value_count(ref->instance);
        values[used++] = value_count(ref->prim);
        values[used++] = mesh != NULL ? mesh_in_face(mesh, ref->prim) : value_count(ref->prim);
        if (w->has_names) {
            const char *name = scene_in_name(scene, ref->instance);
            values[used++] = name != NULL ? value_text(name) : value_nothing();
        }
        if (w->has_parts && mesh != NULL) {
            values[used] = mesh_in_part(mesh, ref->prim);
        }
    }
    output_row(&w->text, values);
}

static int put_list(work *w, uint64_t volume, size_t total)
{
    if (w->is_npy) {
        const uint64_t rows = total;
        (void)(w->job->is_many ? npy_list_write(&w->list, w->refs, total, &rows, 1)
                               : npy_out_write(&w->array, w->refs, total));
        return EXIT_DONE;
    }
    for (size_t i = 0; i < total; i++) {
        put_triangle(w, volume, &w->refs[i]);
    }
    if (total == 0 && w->job->is_many) {
        put_triangle(w, volume, NULL);
    }
    return EXIT_DONE;
}

/* One volume after the other: a list may be as long as the scene, and is asked for again where it
 * is longer than those before. */
static int list_block(work *w)
{
    const sl_query *query = &w->job->target.query;
    int status = EXIT_DONE;
    for (size_t i = 0; status == EXIT_DONE && i < w->count; i++) {
        const double started = common_seconds();
        size_t total = sl_scene_overlap_all(w->scene, &w->volumes[i], query, w->refs, w->capacity);
        if (total > w->capacity) {
            free(w->refs);
            w->refs = malloc(total * sizeof *w->refs);
            w->capacity = w->refs != NULL ? total : 0;
            if (w->refs == NULL) {
                return report_memory();
            }
            total = sl_scene_overlap_all(w->scene, &w->volumes[i], query, w->refs, w->capacity);
        }
        w->job->seconds += common_seconds() - started;
        w->touching += total > 0;
        status = put_list(w, w->asked + i, total);
    }
    return status;
}

static void count_block(work *w)
{
    const overlap_job *job = w->job;
    const bool any = job->options->mode == OVERLAP_ANY;
    const double started = common_seconds();
    if (any) {
        sl_scene_overlap_any_many(w->scene, w->volumes, w->count, &job->target.query, w->touches,
                                  job->in.tasks);
    } else {
        sl_scene_overlap_all_many(w->scene, w->volumes, w->count, &job->target.query, NULL, 0,
                                  w->totals, job->in.tasks);
    }
    w->job->seconds += common_seconds() - started;
    for (size_t i = 0; i < w->count; i++) {
        const uint64_t found = any ? w->touches[i] : w->totals[i];
        const out_value values[] = { value_count(w->asked + i), value_count(found) };
        w->touching += found > 0;
        if (w->is_field) {
            output_field(&w->text, any ? "touches" : "count",
                         any ? value_bool(found > 0) : value_count(found));
        } else if (!w->is_npy) {
            output_row(&w->text, values + !job->is_many);
        }
    }
    if (w->is_npy) {
        (void)npy_out_write(&w->array, any ? (const void *)w->touches : (const void *)w->totals,
                            w->count);
    }
}

static int answer(work *w, volume_source *source)
{
    const bool list = w->job->options->mode == OVERLAP_ALL;
    int status = open_out(w);
    progress_begin(&w->job->in.bar, w->job->options->common.quiet);
    while (status == EXIT_DONE) {
        status = volume_source_fill(source, w->volumes, BLOCK, &w->count);
        if (status != EXIT_DONE || w->count == 0) {
            break;
        }
        if (list) {
            status = list_block(w);
        } else {
            count_block(w);
        }
        w->asked += w->count;
        progress_show(&w->job->in.bar, "overlapping", -1);
    }
    progress_end(&w->job->in.bar);
    return status;
}

static int close_out(work *w)
{
    const overlap_options *o = w->job->options;
    if (!w->is_npy && !w->is_field) {
        output_table_end(&w->text);
    }
    if (o->stats) {
        overlap_report_stats(w->job, w->is_npy ? NULL : &w->text);
    }
    if (!w->is_npy) {
        return output_close(&w->text);
    }
    return o->mode == OVERLAP_ALL && w->job->is_many ? npy_list_close(&w->list)
                                                     : npy_out_close(&w->array);
}

int overlap_scene(overlap_job *job, const invocation *call)
{
    work w = { .job = job, .scene = job->in.scene->scene };
    volume_source source = { .name = NULL };
    int status = refuse(call, job);
    w.volumes = calloc(BLOCK, sizeof *w.volumes);
    w.totals = calloc(BLOCK, sizeof *w.totals);
    w.touches = calloc(BLOCK, sizeof *w.touches);
    if (status == EXIT_DONE && (w.volumes == NULL || w.totals == NULL || w.touches == NULL)) {
        status = report_memory();
    }
    if (status == EXIT_DONE) {
        status = overlap_open_source(job, 0, &source);
    }
    if (status == EXIT_DONE) {
        status = answer(&w, &source);
    }
    if (status == EXIT_DONE) {
        status = close_out(&w);
    }
    output_discard(&w.text);
    npy_out_discard(&w.array);
    npy_list_discard(&w.list);
    volume_source_close(&source);
    free(w.volumes);
    free(w.totals);
    free(w.touches);
    free(w.refs);
    return status == EXIT_DONE && w.asked == 1 && w.touching == 0 ? EXIT_NO : status;
}
