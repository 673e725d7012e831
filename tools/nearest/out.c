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

int nearest_out_open(nearest_out *out, const nearest_options *o, nearest_kind kind,
                     const sl_mesh *mesh, uint64_t point_count)
{
    *out = (nearest_out){ .mesh = mesh,
                          .is_npy = npy_is_name(o->out),
                          .only_count = o->mode == NEAREST_COUNT,
                          .list = kind == NEAREST_WITHIN || o->max_found > 1 };
    const bool count = out->only_count;
    out->is_packed = out->is_npy && !count && kind == NEAREST_WITHIN;
    if (out->is_packed) {
        return npy_list_open(&out->packed, o->out, NPY_OUT_NEAREST);
    }
    if (out->is_npy) {
        return npy_out_open(&out->array, o->out, count ? NPY_OUT_U8 : NPY_OUT_NEAREST,
                            out->list && !count ? o->max_found : 0, point_count);
    }
    const output_format format = o->common.json ? OUTPUT_JSON : OUTPUT_CSV;
    const char *command = kind == NEAREST_WITHIN ? "within" : "nearest";
    const int status = output_open(&out->text, o->out, format, command, false);
    if (status == EXIT_DONE) {
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

bool nearest_out_write(nearest_out *out, const nearest_block *block)
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

void nearest_out_end(nearest_out *out)
{
    if (!out->is_npy) {
        output_table_end(&out->text);
    }
}

int nearest_out_close(nearest_out *out)
{
    if (out->is_packed) {
        return npy_list_close(&out->packed);
    }
    return out->is_npy ? npy_out_close(&out->array) : output_close(&out->text);
}

void nearest_out_discard(nearest_out *out)
{
    if (out->is_npy) {
        npy_out_discard(&out->array);
        npy_list_discard(&out->packed);
    } else {
        output_discard(&out->text);
    }
}
