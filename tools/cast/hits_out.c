/* cast/hits_out.c: the answers of 'cast', as CSV, JSON or arrays. */
#include "tools/cast/hits_out.h"

#include "tools/command.h"

#include <assert.h>
#include <string.h>

/* Of a hit: what it is, then its part where the mesh has parts, then on request where it lies. */
enum { HIT_CELLS = 6, SURFACE_CELLS = 7, ROW_MAX = 3 + HIT_CELLS + 1 + SURFACE_CELLS };

static_assert((int)ROW_MAX <= (int)HITS_OUT_COLUMNS_MAX, "hits_out has space for a row");

static const out_column surface_columns[SURFACE_CELLS] = {
    { "face", 0 },     { "point_x", 0 },  { "point_y", 0 },  { "point_z", 0 },
    { "normal_x", 0 }, { "normal_y", 0 }, { "normal_z", 0 },
};
static const out_column closest_columns[] = {
    { "ray", 0 },  { "t", 0 },        { "u", 0 },     { "v", 0 },
    { "prim", 0 }, { "instance", 0 }, { "flags", 0 },
};
static const out_column any_columns[] = { { "ray", 0 }, { "hit", 0 } };
static const out_column count_columns[] = { { "ray", 0 }, { "count", 0 } };
static const out_column all_columns[] = {
    { "ray", 0 }, { "total", 0 }, { "hit", 0 },      { "t", 0 },     { "u", 0 },
    { "v", 0 },   { "prim", 0 },  { "instance", 0 }, { "flags", 0 },
};

static const struct {
    const out_column *columns;
    size_t count; /* part and surface not included */
    npy_out_type type;
} layouts[] = {
    [RAY_MODE_CLOSEST] = { closest_columns, 1 + HIT_CELLS, NPY_OUT_HITS },
    [RAY_MODE_ANY] = { any_columns, 2, NPY_OUT_U1 },
    [RAY_MODE_ALL] = { all_columns, 3 + HIT_CELLS, NPY_OUT_HITS },
    [RAY_MODE_COUNT] = { count_columns, 2, NPY_OUT_U8 },
};

/* The columns of a table: those of its mode, then of the part, then of the surface. */
static void begin_table(hits_out *out)
{
    const ray_mode mode = out->mode;
    const bool has_hits = mode == RAY_MODE_CLOSEST || mode == RAY_MODE_ALL;
    size_t count = layouts[mode].count;
    memcpy(out->columns, layouts[mode].columns, count * sizeof *out->columns);
    out->has_parts = has_hits && sl_mesh_part_count(out->mesh->mesh) > 0;
    if (out->has_parts) {
        out->columns[count++] = (out_column){ "part", 0 };
    }
    if (out->surface) {
        memcpy(out->columns + count, surface_columns, sizeof surface_columns);
        count += SURFACE_CELLS;
    }
    output_table_begin(&out->text, "answers", out->columns, count);
}

int hits_out_open(hits_out *out, const hits_out_def *def)
{
    *out = (hits_out){ .is_npy = npy_is_name(def->path),
                       .mode = def->mode,
                       .mesh = def->mesh,
                       .surface = def->surface };
    if (out->is_npy && def->mode == RAY_MODE_ALL) {
        return npy_list_open(&out->list, def->path, NPY_OUT_HITS);
    }
    if (out->is_npy) {
        return npy_out_open(&out->array, def->path, layouts[def->mode].type, 0, def->rows);
    }
    const int status =
        output_open(&out->text, def->path, def->json ? OUTPUT_JSON : OUTPUT_CSV, "cast", false);
    if (status == EXIT_DONE) {
        if (def->json) {
            output_field(&out->text, "mode", value_text(ray_mode_words[def->mode]));
        }
        begin_table(out);
    }
    return status;
}

/* The face, the point and the normal. */
static void put_surface(out_value values[SURFACE_CELLS], const mesh_in *in, const sl_hit *hit)
{
    sl_surface surface;
    values[0] = mesh_in_face(in->mesh, hit->prim);
    if (!sl_bvh_surface(in->bvh, hit, &surface)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        values[1 + axis] = value_float(surface.point[axis]);
        values[4 + axis] = value_float(surface.normal[axis]);
    }
}

/* A miss leaves every cell empty. */
static void put_hit(const hits_out *out, out_value values[HIT_CELLS + 1 + SURFACE_CELLS],
                    const sl_hit *hit)
{
    for (int i = 0; i < HIT_CELLS + 1 + SURFACE_CELLS; i++) {
        values[i] = value_nothing();
    }
    if (hit == NULL || hit->prim == SL_NONE) {
        return;
    }
    values[0] = value_float(hit->t);
    values[1] = value_float(hit->u);
    values[2] = value_float(hit->v);
    values[3] = value_count(hit->prim);
    values[4] = value_count(hit->instance);
    values[5] = value_count(hit->flags);
    if (out->has_parts) {
        values[HIT_CELLS] = mesh_in_part(out->mesh->mesh, hit->prim);
    }
    if (out->surface) {
        put_surface(values + HIT_CELLS + out->has_parts, out->mesh, hit);
    }
}

/* A row for each hit that was kept; one without a hit where there are none. */
static void write_all(hits_out *out, const ray_batch *block, size_t i)
{
    const uint64_t total = block->totals[i];
    const size_t kept = total < block->max_hits ? (size_t)total : block->max_hits;
    out_value values[ROW_MAX] = { value_count(out->index), value_count(total), value_nothing() };
    for (size_t k = 0; k < kept; k++) {
        values[2] = value_count(k);
        put_hit(out, values + 3, &block->hits[i * block->max_hits + k]);
        output_row(&out->text, values);
    }
    if (kept == 0) {
        put_hit(out, values + 3, NULL);
        output_row(&out->text, values);
    }
}

static void write_text(hits_out *out, const ray_batch *block, size_t i)
{
    out_value values[ROW_MAX] = { value_count(out->index) };
    switch (out->mode) {
    case RAY_MODE_CLOSEST:
        put_hit(out, values + 1, &block->hits[i]);
        output_row(&out->text, values);
        break;
    case RAY_MODE_ANY:
        values[1] = value_bool(block->yes[i] != 0);
        output_row(&out->text, values);
        break;
    case RAY_MODE_COUNT:
        values[1] = value_count(block->totals[i]);
        output_row(&out->text, values);
        break;
    case RAY_MODE_ALL:
        write_all(out, block, i);
        break;
    }
}

bool hits_out_write(hits_out *out, const ray_batch *block)
{
    if (out->is_npy && out->mode == RAY_MODE_ALL) {
        return npy_list_write(&out->list, block->hits, block->max_hits, block->totals,
                              block->count);
    }
    if (out->is_npy) {
        const void *rows = out->mode == RAY_MODE_ANY     ? (const void *)block->yes
                           : out->mode == RAY_MODE_COUNT ? (const void *)block->totals
                                                         : (const void *)block->hits;
        return npy_out_write(&out->array, rows, block->count);
    }
    for (size_t i = 0; i < block->count; i++) {
        write_text(out, block, i);
        out->index++;
    }
    return !ferror(out->text.file.stream);
}

void hits_out_end(hits_out *out)
{
    if (!out->is_npy) {
        output_table_end(&out->text);
    }
}

int hits_out_close(hits_out *out)
{
    if (out->is_npy) {
        return out->mode == RAY_MODE_ALL ? npy_list_close(&out->list) : npy_out_close(&out->array);
    }
    return output_close(&out->text);
}

void hits_out_discard(hits_out *out)
{
    if (out->is_npy) {
        npy_out_discard(&out->array);
        npy_list_discard(&out->list);
    } else {
        output_discard(&out->text);
    }
}
