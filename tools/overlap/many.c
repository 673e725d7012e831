/* overlap/many.c: 'sightline overlap' of many volumes: rows of a table, or an array. */
#include "tools/cli/report.h"
#include "tools/output/npy_list.h"
#include "tools/overlap/overlap.h"

#include <stdlib.h>

enum { BLOCK = 1024 };

static const out_column list_columns[] = {
    { "volume", 0 }, { "prim", 0 }, { "face", 0 }, { "part", 0 }
};
static const out_column count_columns[] = { { "volume", 0 }, { "count", 0 } };
static const out_column any_columns[] = { { "volume", 0 }, { "touches", 0 } };

/* Volumes that are read, asked and written together, and where the answers go. */
typedef struct many {
    overlap_job *job;
    sl_volume *volumes;
    size_t count;
    uint64_t *totals;
    uint8_t *touches;
    bool is_npy;
    output text;
    npy_out array;
    npy_list list;            /* of an array, for --mode all */
    uint64_t asked, touching; /* so far */
} many;

static void count_range(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    const many *m = context;
    const query_target *target = &m->job->target;
    for (size_t i = begin; i < end; i++) {
        m->totals[i] = sl_soup_overlap_all(&target->soup, &m->volumes[i], &target->query, NULL, 0);
        m->touches[i] = m->totals[i] > 0;
    }
}

/* Counts or whether, of the whole block. */
static void count_block(many *m)
{
    const overlap_options *o = m->job->options;
    const query_target *target = &m->job->target;
    if (o->verify.brute) {
        target->tasks->parallel_for(target->tasks->user, m->count, 1, count_range, m);
    } else if ((o->mode == OVERLAP_ANY)) {
        sl_bvh_overlap_any_many(target->bvh, m->volumes, m->count, &target->query, m->touches,
                                target->tasks);
    } else {
        sl_bvh_overlap_all_many(target->bvh, m->volumes, m->count, &target->query, NULL, 0,
                                m->totals, target->tasks);
    }
}

static void put_block(many *m)
{
    const bool any = (m->job->options->mode == OVERLAP_ANY);
    for (size_t i = 0; i < m->count; i++) {
        m->touching += any ? m->touches[i] != 0 : m->totals[i] > 0;
        const out_value values[] = { value_count(m->asked + i),
                                     any ? value_count(m->touches[i]) : value_count(m->totals[i]) };
        if (!m->is_npy) {
            output_row(&m->text, values);
        }
    }
    if (m->is_npy) {
        (void)npy_out_write(&m->array, any ? (const void *)m->touches : (const void *)m->totals,
                            m->count);
    }
}

/* The triangles that one volume touches. */
static void put_list(many *m, uint64_t volume, size_t total)
{
    const overlap_job *job = m->job;
    if (m->is_npy) {
        const uint64_t rows = total;
        (void)npy_list_write(&m->list, job->prims, total, &rows, 1);
        return;
    }
    out_value values[] = { value_count(volume), value_nothing(), value_nothing(), value_nothing() };
    for (size_t k = 0; k < total; k++) {
        values[1] = value_count(job->prims[k]);
        values[2] = mesh_in_face(job->in.mesh, job->prims[k]);
        values[3] = mesh_in_part(job->in.mesh, job->prims[k]);
        output_row(&m->text, values);
    }
    if (total == 0) {
        output_row(&m->text, values);
    }
}

/* One volume after the other: a list may be as long as the mesh. */
static void list_block(many *m)
{
    overlap_job *job = m->job;
    const query_target *target = &job->target;
    const size_t capacity = target->soup.triangle_count;
    for (size_t i = 0; i < m->count; i++) {
        const double started = common_seconds();
        const size_t total = job->options->verify.brute
                                 ? sl_soup_overlap_all(&target->soup, &m->volumes[i],
                                                       &target->query, job->touched, capacity)
                                 : sl_bvh_overlap_all(target->bvh, &m->volumes[i], &target->query,
                                                      job->touched, capacity);
        job->seconds += common_seconds() - started;
        overlap_take_prims(job, total);
        put_list(m, m->asked + i, total);
        m->touching += total > 0;
    }
}

static int open_out(many *m, const volume_source *source)
{
    const overlap_options *o = m->job->options;
    m->is_npy = npy_is_name(o->out);
    if (m->is_npy && o->mode == OVERLAP_ALL) {
        return npy_list_open(&m->list, o->out, NPY_OUT_U4);
    }
    if (m->is_npy) {
        return npy_out_open(&m->array, o->out, (o->mode == OVERLAP_ANY) ? NPY_OUT_U1 : NPY_OUT_U8,
                            0, source->random.count);
    }
    const int status =
        output_open(&m->text, o->out, o->common.json ? OUTPUT_JSON : OUTPUT_CSV, "overlap", false);
    if (status == EXIT_DONE) {
        const bool list = o->mode == OVERLAP_ALL;
        output_table_begin(&m->text, "answers",
                           list                       ? list_columns
                           : (o->mode == OVERLAP_ANY) ? any_columns
                                                      : count_columns,
                           list ? mesh_in_columns(m->job->in.mesh, 4) : 2);
    }
    return status;
}

static int close_out(many *m)
{
    const overlap_job *job = m->job;
    if (!m->is_npy) {
        output_table_end(&m->text);
    }
    if (job->options->stats) {
        overlap_report_stats(job, m->is_npy ? NULL : &m->text);
    }
    if (m->is_npy) {
        const bool list = job->options->mode == OVERLAP_ALL;
        return list ? npy_list_close(&m->list) : npy_out_close(&m->array);
    }
    return output_close(&m->text);
}

static int answer(many *m, volume_source *source)
{
    overlap_job *job = m->job;
    const bool list = job->options->mode == OVERLAP_ALL;
    int status = open_out(m, source);
    while (status == EXIT_DONE) {
        status = volume_source_fill(source, m->volumes, BLOCK, &m->count);
        if (status != EXIT_DONE || m->count == 0) {
            break;
        }
        if (list) {
            list_block(m);
        } else {
            const double started = common_seconds();
            count_block(m);
            job->seconds += common_seconds() - started;
            put_block(m);
        }
        m->asked += m->count;
        progress_show(&job->in.bar, "overlapping",
                      source->random.count > 0 ? (double)m->asked / (double)source->random.count
                                               : -1);
    }
    progress_end(&job->in.bar);
    return status == EXIT_DONE ? close_out(m) : status;
}

int overlap_many(overlap_job *job)
{
    many m = { .job = job };
    volume_source source;
    int status = overlap_open_source(job, job->options->many.generate.kind, &source);
    m.volumes = calloc(BLOCK, sizeof *m.volumes);
    m.totals = calloc(BLOCK, sizeof *m.totals);
    m.touches = calloc(BLOCK, sizeof *m.touches);
    if (m.volumes == NULL || m.totals == NULL || m.touches == NULL) {
        status = status == EXIT_DONE ? report_memory() : status;
    }
    if (status == EXIT_DONE) {
        progress_begin(&job->in.bar, job->options->common.quiet);
        status = answer(&m, &source);
    }
    output_discard(&m.text);
    npy_out_discard(&m.array);
    npy_list_discard(&m.list);
    volume_source_close(&source);
    free(m.volumes);
    free(m.totals);
    free(m.touches);
    return status == EXIT_DONE && m.asked == 1 && m.touching == 0 ? EXIT_NO : status;
}
