/* nearest/out.c: the answers of 'nearest' and 'within', as CSV, JSON or arrays. */
#include "tools/nearest/nearest.h"

enum { NEAREST_CELLS = 9 }; /* the last one, the part, only where the mesh has parts */
static const out_column one_columns[] = {
    { "point", 0 }, { "distance", 0 }, { "prim", 0 }, { "face", 0 }, { "x", 0 },
    { "y", 0 },     { "z", 0 },        { "u", 0 },    { "v", 0 },    { "part", 0 },
};
static const out_column list_columns[] = {
    { "point", 0 }, { "total", 0 }, { "rank", 0 }, { "distance", 0 }, { "prim", 0 }, { "face", 0 },
    { "x", 0 },     { "y", 0 },     { "z", 0 },    { "u", 0 },        { "v", 0 },    { "part", 0 },
};
static const out_column count_columns[] = { { "point", 0 }, { "count", 0 } };

static int open_array(nearest_out *out, const nearest_options *o, uint64_t point_count)
{
    const npy_out_type type = out->only_count ? NPY_OUT_U8 : NPY_OUT_NEAREST;
    const uint64_t columns = out->list && !out->only_count ? o->max_found : 0;
    if (parts_wanted(&o->parts)) {
        return out->is_packed ? npy_list_open_part(&out->packed, &out->part, type)
                              : npy_out_open_part(&out->array, &out->part, type, columns);
    }
    return out->is_packed ? npy_list_open(&out->packed, o->out, type)
                          : npy_out_open(&out->array, o->out, type, columns, point_count);
}

static int open_file(nearest_out *out, const nearest_options *o, nearest_kind kind,
                     uint64_t point_count)
{
    const output_format format = o->common.json ? OUTPUT_JSON : OUTPUT_CSV;
    const char *command = kind == NEAREST_WITHIN ? "within" : "nearest";
    return out->is_npy               ? open_array(out, o, point_count)
           : parts_wanted(&o->parts) ? output_open_part(&out->text, &out->part, format, command)
                                     : output_open(&out->text, o->out, format, command, false);
}

int nearest_out_open(nearest_out *out, const nearest_options *o, nearest_kind kind,
                     const sl_mesh *mesh, uint64_t point_count)
{
    *out = (nearest_out){ .mesh = mesh,
                          .is_npy = npy_is_name(o->out),
                          .only_count = o->mode == NEAREST_COUNT,
                          .list = kind == NEAREST_WITHIN || o->max_found > 1 };
    const bool count = out->only_count;
    out->is_packed = out->is_npy && !count && kind == NEAREST_WITHIN;
    const int status = open_file(out, o, kind, point_count);
    if (status == EXIT_DONE && !out->is_npy) {
        const size_t list_count = mesh_in_columns(mesh, 3 + NEAREST_CELLS);
        const size_t one_count = mesh_in_columns(mesh, 1 + NEAREST_CELLS);
        output_table_begin(&out->text, "answers",
                           count       ? count_columns
                           : out->list ? list_columns
                                       : one_columns,
                           count       ? 2
                           : out->list ? list_count
                                       : one_count);
    }
    return status;
}

int nearest_out_begin_part(nearest_out *out, const nearest_job *job, const invocation *call,
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
    out->points = part->first + part->done;
    out->found = part->sums[0];
    if (out->is_packed) {
        npy_list_go_on(&out->packed, part);
    } else if (!out->is_npy && out->points > 0) {
        output_rows_before(&out->text);
    }
    return EXIT_DONE;
}

static void put_nearest(const nearest_out *out, out_value *values, const sl_nearest *nearest)
{
    for (int i = 0; i < NEAREST_CELLS; i++) {
        values[i] = value_nothing();
    }
    if (nearest->prim == SL_NONE) {
        return;
    }
    values[0] = value_float(nearest->distance);
    values[1] = value_count(nearest->prim);
    values[2] = mesh_in_face(out->mesh, nearest->prim);
    for (int axis = 0; axis < 3; axis++) {
        values[3 + axis] = value_float(nearest->point[axis]);
    }
    values[6] = value_float(nearest->u);
    values[7] = value_float(nearest->v);
    values[8] = mesh_in_part(out->mesh, nearest->prim);
}

/* A row for each triangle that was kept; one that is empty where there are none. */
static void write_list(nearest_out *out, const nearest_block *block, size_t i)
{
    static const sl_nearest none = { .prim = SL_NONE };
    const uint64_t total = block->totals[i];
    const size_t kept = total < block->max_found ? (size_t)total : block->max_found;
    out_value values[3 + NEAREST_CELLS] = { value_count(out->points), value_count(total),
                                            value_nothing() };
    for (size_t rank = 0; rank < kept; rank++) {
        values[2] = value_count(rank);
        put_nearest(out, values + 3, &block->rows[i * block->max_found + rank]);
        output_row(&out->text, values);
    }
    if (kept == 0) {
        put_nearest(out, values + 3, &none);
        output_row(&out->text, values);
    }
}

static bool write_rows(nearest_out *out, const nearest_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        out_value values[1 + NEAREST_CELLS] = { value_count(out->points) };
        if (out->is_npy) {
            /* Written together below. */
        } else if (out->only_count) {
            values[1] = value_count(block->totals[i]);
            output_row(&out->text, values);
        } else if (out->list) {
            write_list(out, block, i);
        } else {
            put_nearest(out, values + 1, &block->rows[i]);
            output_row(&out->text, values);
        }
        out->points++;
        out->found += block->totals[i] > 0;
    }
    if (out->is_packed) {
        return npy_list_write(&out->packed, block->rows, block->max_found, block->totals,
                              block->count);
    }
    if (out->is_npy) {
        const void *rows =
            out->only_count ? (const void *)block->totals : (const void *)block->rows;
        return npy_out_write(&out->array, rows, block->count);
    }
    return !ferror(out->text.file.stream);
}

bool nearest_out_write(nearest_out *out, const nearest_block *block)
{
    bool written = write_rows(out, block);
    if (written && out->part.format != NULL) {
        out->part.sums[0] = out->found;
        written = part_out_block(&out->part, block->count);
    }
    return written;
}

void nearest_out_end(nearest_out *out)
{
    if (!out->is_npy) {
        output_table_end(&out->text);
    }
}

static int close_file(nearest_out *out)
{
    if (out->is_packed) {
        return npy_list_close(&out->packed);
    }
    return out->is_npy ? npy_out_close(&out->array) : output_close(&out->text);
}

int nearest_out_close(nearest_out *out)
{
    const int status = close_file(out);
    return status == EXIT_DONE && out->part.format != NULL ? part_out_close(&out->part) : status;
}

void nearest_out_discard(nearest_out *out)
{
    if (out->is_npy) {
        npy_out_discard(&out->array);
        npy_list_discard(&out->packed);
    } else {
        output_discard(&out->text);
    }
    part_out_discard(&out->part);
}
