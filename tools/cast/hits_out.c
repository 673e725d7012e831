/* cast/hits_out.c: the answers of 'cast', as CSV, JSON or arrays. */
#include "tools/cast/hits_out.h"

#include "tools/command.h"
#include "tools/input/scene.h"
#include "tools/parts/part.h"

#include <assert.h>
#include <string.h>

/* Of a hit: what it is, then the names of its instance and its part where there are any, then on
 * request where it lies. */
enum { HIT_CELLS = 6, SURFACE_CELLS = 7, ROW_MAX = 3 + HIT_CELLS + 2 + SURFACE_CELLS };

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
    const scene_in *scene = out->mesh->scene;
    out->has_names = has_hits && scene != NULL && scene->has_names;
    out->has_parts =
        has_hits && (scene != NULL ? scene->has_parts : sl_mesh_part_count(out->mesh->mesh) > 0);
    if (out->has_names) {
        out->columns[count++] = (out_column){ "name", 0 };
    }
    if (out->has_parts) {
        out->columns[count++] = (out_column){ "part", 0 };
    }
    if (out->surface) {
        memcpy(out->columns + count, surface_columns, sizeof surface_columns);
        count += SURFACE_CELLS;
    }
    output_table_begin(&out->text, "answers", out->columns, count);
}

static int open_part(hits_out *out, const hits_out_def *def, npy_out_type type)
{
    if (out->is_npy) {
        return def->mode == RAY_MODE_ALL ? npy_list_open_part(&out->list, def->part, type)
                                         : npy_out_open_part(&out->array, def->part, type, 0);
    }
    return output_open_part(&out->text, def->part, def->json ? OUTPUT_JSON : OUTPUT_CSV, "cast");
}

static int open_file(hits_out *out, const hits_out_def *def, npy_out_type type)
{
    if (out->is_npy) {
        return def->mode == RAY_MODE_ALL ? npy_list_open(&out->list, def->path, type)
                                         : npy_out_open(&out->array, def->path, type, 0, def->rows);
    }
    return output_open(&out->text, def->path, def->json ? OUTPUT_JSON : OUTPUT_CSV, "cast", false);
}

int hits_out_open(hits_out *out, const hits_out_def *def)
{
    *out = (hits_out){ .is_npy = npy_is_name(def->path),
                       .mode = def->mode,
                       .mesh = def->mesh,
                       .scene = def->scene,
                       .doubles = def->doubles,
                       .surface = def->surface };
    npy_out_type type = layouts[def->mode].type;
    type = type == NPY_OUT_HITS && def->doubles ? NPY_OUT_HITS_D : type;
    const int status = def->part != NULL ? open_part(out, def, type) : open_file(out, def, type);
    if (status == EXIT_DONE && !out->is_npy) {
        if (def->json) {
            output_field(&out->text, "mode", value_text(ray_mode_words[def->mode]));
        }
        begin_table(out);
    }
    return status;
}

void hits_out_go_on(hits_out *out, const part_out *part)
{
    out->index = part->first + part->done;
    if (out->is_npy && out->mode == RAY_MODE_ALL) {
        npy_list_go_on(&out->list, part);
    } else if (!out->is_npy && out->index > 0) {
        output_rows_before(&out->text);
    }
}

/* The mesh that a hit is on; NULL for a tree file in a scene. */
static const sl_mesh *mesh_of(const mesh_in *in, const sl_hit_d *hit)
{
    const scene_mesh *mesh = in->scene != NULL ? scene_in_mesh(in->scene, hit->instance) : NULL;
    return in->scene == NULL ? in->mesh : mesh != NULL ? mesh->mesh : NULL;
}

static void put_vectors(out_value values[6], const double point[3], const double normal[3])
{
    for (int axis = 0; axis < 3; axis++) {
        values[axis] = value_double(point[axis]);
        values[3 + axis] = value_float((float)normal[axis]);
    }
}

/* The face, the point and the normal. */
static void put_surface(out_value values[SURFACE_CELLS], const hits_out *out, const sl_hit_d *hit)
{
    const mesh_in *in = out->mesh;
    const sl_mesh *mesh = mesh_of(in, hit);
    double point[3], normal[3];
    values[0] = mesh != NULL ? mesh_in_face(mesh, hit->prim) : value_count(hit->prim);
    if (out->scene != NULL) {
        const sl_triangle_ref triangle = { .prim = hit->prim, .instance = hit->instance };
        if (scene_in_surface_of(out->scene, in->scene, triangle, (double)hit->u, (double)hit->v,
                                point, normal)) {
            put_vectors(values + 1, point, normal);
        }
        return;
    }
    sl_surface surface;
    const sl_hit single = { .t = (float)hit->t,
                            .u = hit->u,
                            .v = hit->v,
                            .prim = hit->prim,
                            .instance = hit->instance,
                            .flags = hit->flags };
    if (!sl_bvh_surface(in->bvh, &single, &surface)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        values[1 + axis] = value_float(surface.point[axis]);
        values[4 + axis] = value_float(surface.normal[axis]);
    }
}

/* A miss leaves every cell empty. */
static void put_hit(const hits_out *out, out_value values[HIT_CELLS + 2 + SURFACE_CELLS],
                    const sl_hit_d *hit)
{
    for (int i = 0; i < HIT_CELLS + 2 + SURFACE_CELLS; i++) {
        values[i] = value_nothing();
    }
    if (hit == NULL || hit->prim == SL_NONE) {
        return;
    }
    values[0] = out->doubles ? value_double(hit->t) : value_float((float)hit->t);
    values[1] = value_float(hit->u);
    values[2] = value_float(hit->v);
    values[3] = value_count(hit->prim);
    values[4] = value_count(hit->instance);
    values[5] = value_count(hit->flags);
    int used = HIT_CELLS;
    if (out->has_names) {
        const char *name = scene_in_name(out->mesh->scene, hit->instance);
        values[used++] = name != NULL ? value_text(name) : value_nothing();
    }
    if (out->has_parts) {
        const sl_mesh *mesh = mesh_of(out->mesh, hit);
        values[used++] = mesh != NULL ? mesh_in_part(mesh, hit->prim) : value_nothing();
    }
    if (out->surface) {
        put_surface(values + used, out, hit);
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
        const sl_hit_d hit = ray_batch_hit(block, i * block->max_hits + k);
        put_hit(out, values + 3, &hit);
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
    sl_hit_d hit;
    switch (out->mode) {
    case RAY_MODE_CLOSEST:
        hit = ray_batch_hit(block, i);
        put_hit(out, values + 1, &hit);
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
    const void *hits = block->doubles ? (const void *)block->hits_d : (const void *)block->hits;
    if (out->is_npy && out->mode == RAY_MODE_ALL) {
        return npy_list_write(&out->list, hits, block->max_hits, block->totals, block->count);
    }
    if (out->is_npy) {
        const void *rows = out->mode == RAY_MODE_ANY     ? (const void *)block->yes
                           : out->mode == RAY_MODE_COUNT ? (const void *)block->totals
                                                         : hits;
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
