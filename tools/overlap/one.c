/* overlap/one.c: 'sightline overlap' of one volume. */
#include "tools/output/npy.h"
#include "tools/overlap/overlap.h"

static size_t ask_list(const overlap_job *s, bool brute, size_t capacity)
{
    return brute
               ? sl_soup_overlap_all(&s->target.soup, &s->volume, &s->target.query, s->touched,
                                     capacity)
               : sl_bvh_overlap_all(s->in.bvh, &s->volume, &s->target.query, s->touched, capacity);
}

static void ask(overlap_job *s, size_t *total)
{
    const overlap_options *o = s->options;
    const double started = common_seconds();
    if ((o->mode == OVERLAP_ANY) && !o->verify.brute) {
        *total = sl_bvh_overlap_any(s->in.bvh, &s->volume, &s->target.query);
    } else {
        const bool list = o->mode == OVERLAP_ALL;
        *total = ask_list(s, o->verify.brute, list ? s->target.soup.triangle_count : 0);
        overlap_take_prims(s, list ? *total : 0);
    }
    s->seconds = common_seconds() - started;
}

static int write_npy(const overlap_job *s, size_t total)
{
    npy_out out;
    const int status = npy_out_open(&out, s->options->out, NPY_OUT_U4, 0, total);
    if (status != EXIT_DONE) {
        return status;
    }
    (void)npy_out_write(&out, s->prims, total);
    if (s->options->stats) {
        overlap_report_stats(s, NULL);
    }
    return npy_out_close(&out);
}

static void put_list(const overlap_job *s, size_t total, output *out)
{
    static const out_column columns[] = { { "prim", 10 }, { "face", 10 }, { "part", 10 } };
    output_table_begin(out, "triangles", columns, mesh_in_columns(s->in.mesh, 3));
    for (size_t i = 0; i < total; i++) {
        const out_value values[] = { value_count(s->prims[i]),
                                     mesh_in_face(s->in.mesh, s->prims[i]),
                                     mesh_in_part(s->in.mesh, s->prims[i]) };
        output_row(out, values);
    }
    output_table_end(out);
}

static int print_answer(const overlap_job *s, size_t total)
{
    const overlap_options *o = s->options;
    const bool list = o->mode == OVERLAP_ALL, json = o->common.json;
    const output_format format = json ? OUTPUT_JSON : list || o->csv ? OUTPUT_CSV : OUTPUT_TEXT;
    output out;
    const int status = output_open(&out, o->out, format, "overlap", false);
    if (status != EXIT_DONE) {
        return status;
    }
    if (json) {
        output_field(&out, "volume", value_text(volume_spec_word(&s->volume)));
    }
    if (!list && format == OUTPUT_CSV) {
        output_record_begin(&out, "overlap");
    }
    if (json || (o->mode == OVERLAP_ANY)) {
        output_field(&out, "touches", value_bool(total > 0));
    }
    if (o->mode != OVERLAP_ANY && (json || o->mode == OVERLAP_COUNT)) {
        output_field(&out, "count", value_count(total));
    }
    if (!list && format == OUTPUT_CSV) {
        output_record_end(&out);
    }
    if (list) {
        put_list(s, total, &out);
    }
    if (o->stats) {
        overlap_report_stats(s, &out);
    }
    return output_close(&out);
}

int overlap_one(overlap_job *job)
{
    size_t total = 0;
    ask(job, &total);
    const int status =
        npy_is_name(job->options->out) ? write_npy(job, total) : print_answer(job, total);
    return status == EXIT_DONE && total == 0 ? EXIT_NO : status;
}
