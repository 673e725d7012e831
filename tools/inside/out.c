/* inside/out.c: the answers of 'inside', as CSV, JSON or an array. */
#include "tools/inside/inside.h"

static const out_column columns[] = {
    { "point", 0 },     { "inside", 0 }, { "parity", 0 },     { "winding", 20 },
    { "crossings", 0 }, { "differ", 0 }, { "on_surface", 0 },
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

void inside_sums_add(inside_sums *sums, const sl_inside *answers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sums->inside += answers[i].inside;
        sums->on_surface += answers[i].on_surface;
        sums->differ += answers[i].differ;
    }
    sums->points += count;
}

void inside_judged_put(output *out, const sl_boundary *boundary)
{
    sl_boundary_info info;
    sl_boundary_get_info(boundary, &info, sizeof info);
    output_field(out, "judged_by", value_text(info.odd_count == 0 ? "parity" : "winding"));
    output_field(out, "boundary_edges", value_count(info.edge_count));
}

static void put_sums(output *out, const inside_sums *sums, uint64_t before)
{
    output_field(out, "point_count", value_sum(sums->points - before));
    output_field(out, "inside_count", value_sum(sums->inside));
    output_field(out, "on_surface_count", value_sum(sums->on_surface));
    output_field(out, "differ_count", value_sum(sums->differ));
}

int inside_out_open(inside_out *out, const inside_options *o, const sl_boundary *boundary,
                    uint64_t point_count)
{
    *out = (inside_out){ .boundary = boundary,
                         .is_npy = npy_is_name(o->out),
                         .only_count = o->summary };
    const bool in_parts = parts_wanted(&o->parts);
    if (out->is_npy) {
        return in_parts ? npy_out_open_part(&out->array, &out->part, NPY_OUT_INSIDE, 0)
                        : npy_out_open(&out->array, o->out, NPY_OUT_INSIDE, 0, point_count);
    }
    const output_format format = o->common.json          ? OUTPUT_JSON
                                 : o->summary && !o->csv ? OUTPUT_TEXT
                                                         : OUTPUT_CSV;
    const int status = in_parts ? output_open_part(&out->text, &out->part, format, "inside")
                                : output_open(&out->text, o->out, format, "inside", false);
    if (status == EXIT_DONE && !o->summary) {
        output_table_begin(&out->text, "answers", columns, COLUMNS);
    }
    return status;
}

int inside_out_begin_part(inside_out *out, const inside_job *job, const invocation *call,
                          uint64_t total, uint64_t hash)
{
    part_out *part = &out->part;
    const part_question question = { .call = call,
                                     .options = &job->options->parts,
                                     .out = job->options->out,
                                     .in = &job->in,
                                     .total = total,
                                     .hash = hash,
                                     .quiet = job->options->common.quiet };
    const int status = part_out_start(part, &question);
    if (status != EXIT_DONE || part->complete) {
        return status;
    }
    out->sums = (inside_sums){ .points = part->first + part->done,
                               .inside = part->sums[0],
                               .on_surface = part->sums[1],
                               .differ = part->sums[2] };
    if (!out->is_npy && !out->only_count && out->sums.points > 0) {
        output_rows_before(&out->text);
    }
    return EXIT_DONE;
}

static bool write_rows(inside_out *out, const inside_block *block)
{
    for (size_t i = 0; i < block->count && !out->is_npy && !out->only_count; i++) {
        const sl_inside *answer = &block->answers[i];
        const out_value values[COLUMNS] = {
            value_count(out->sums.points + i), value_bool(answer->inside),
            value_bool(answer->by_parity),     value_double(answer->winding),
            value_count(answer->crossings),    value_bool(answer->differ),
            value_bool(answer->on_surface),
        };
        output_row(&out->text, values);
    }
    inside_sums_add(&out->sums, block->answers, block->count);
    if (out->is_npy) {
        return npy_out_write(&out->array, block->answers, block->count);
    }
    return !ferror(out->text.file.stream);
}

bool inside_out_write(inside_out *out, const inside_block *block)
{
    bool written = write_rows(out, block);
    if (written && out->part.format != NULL) {
        out->part.sums[0] = out->sums.inside;
        out->part.sums[1] = out->sums.on_surface;
        out->part.sums[2] = out->sums.differ;
        written = part_out_block(&out->part, block->count);
    }
    return written;
}

void inside_out_end(inside_out *out)
{
    if (out->is_npy) {
        return;
    }
    if (!out->only_count) {
        output_table_end(&out->text);
    }
    if (out->only_count || out->text.format == OUTPUT_JSON) {
        const bool csv = out->text.format == OUTPUT_CSV;
        if (csv) {
            output_record_begin(&out->text, "count");
        }
        put_sums(&out->text, &out->sums, out->part.first);
        inside_judged_put(&out->text, out->boundary);
        if (csv) {
            output_record_end(&out->text);
        }
    }
}

int inside_out_close(inside_out *out)
{
    const int status = out->is_npy ? npy_out_close(&out->array) : output_close(&out->text);
    return status == EXIT_DONE && out->part.format != NULL ? part_out_close(&out->part) : status;
}

void inside_out_discard(inside_out *out)
{
    if (out->is_npy) {
        npy_out_discard(&out->array);
    } else {
        output_discard(&out->text);
    }
    part_out_discard(&out->part);
}
