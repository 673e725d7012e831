/* The attributes of the instances' meshes, for the flattened mesh: corner by corner, mirrored as
 * triangles are, normals turned by the transform of their instance. */
#include "bvh/scene/flat_rows.h"

#include "bvh/scene/flat_walk.h"
#include "lib/base/error.h"
#include "lib/base/fpenv.h"
#include "lib/base/memory.h"

#include <sightline/mesh_format.h>

enum { NORMALS = 0 };

static const size_t widths[SLI_FLAT_KINDS] = { 3, 2, 4 };

/* The tables of the instance that the walk is in. */
typedef struct tables {
    uint32_t instance; /* SL_NONE: of none yet */
    const uint32_t *corners;
    sl_mesh_attribute kept[SLI_FLAT_KINDS]; /* values NULL: none */
    sli_upright upright;
} tables;

static void find_tables(const sl_bvh *bvh, const sl_flatten_def *def, uint32_t instance,
                        tables *out)
{
    const sl_mesh *mesh = def->meshes[instance];
    out->instance = instance;
    out->corners = mesh != NULL ? sl_mesh_soup(mesh).indices : NULL;
    for (int kind = 0; kind < SLI_FLAT_KINDS; kind++) {
        out->kept[kind].values = NULL;
        if (mesh != NULL) {
            (void)sl_mesh_get_attribute(mesh, 1u << kind, &out->kept[kind]);
        }
    }
    (void)sli_upright_make(&bvh->world.transformed[instance].transform, &out->upright);
}

/* The row of a corner of a triangle; NULL: it has none. */
static const float *find_row(const tables *at, int kind, uint32_t prim, size_t corner)
{
    const sl_mesh_attribute *kept = &at->kept[kind];
    if (kept->values == NULL) {
        return NULL;
    }
    const uint32_t *indices = kept->indices != NULL ? kept->indices : at->corners;
    const uint32_t row = indices[3 * (size_t)prim + corner];
    return row != SL_NONE ? kept->values + widths[kind] * row : NULL;
}

static void put_row(sli_flat_rows *rows, const tables *at, int kind, size_t to, const float *row)
{
    float *values = rows->values[kind] + widths[kind] * to;
    rows->indices[kind][to] = row != NULL ? (uint32_t)to : SL_NONE;
    rows->missing[kind] = rows->missing[kind] || row == NULL;
    if (row == NULL) {
        memset(values, 0, widths[kind] * sizeof *values);
    } else if (kind == NORMALS) {
        double n[3] = { (double)row[0], (double)row[1], (double)row[2] };
        sli_upright_unit(&at->upright, n);
        for (int axis = 0; axis < 3; axis++) {
            values[axis] = (float)n[axis];
        }
    } else {
        memcpy(values, row, widths[kind] * sizeof *values);
    }
}

static SLI_NOINLINE void put_all(const sl_bvh *bvh, const sl_flatten_def *def, sli_flat_rows *rows)
{
    sli_flat_walk walk = { .bvh = bvh };
    sl_triangle triangle;
    sl_triangle_ref ref;
    tables at = { .instance = SL_NONE };
    for (size_t to = 0; sli_flat_next(&walk, &triangle, &ref); to += 3) {
        if (ref.instance != at.instance) {
            find_tables(bvh, def, ref.instance, &at);
        }
        const bool mirrored = bvh->world.transformed[ref.instance].mirrored;
        for (int i = 0; i < 3 * SLI_FLAT_KINDS; i++) {
            const int kind = i / 3;
            const size_t corner = (size_t)(i % 3);
            const size_t from = mirrored && corner > 0 ? 3 - corner : corner;
            if (rows->values[kind] != NULL) {
                put_row(rows, &at, kind, to + corner, find_row(&at, kind, ref.prim, from));
            }
        }
    }
}

/* Which kinds there are; an error where a mesh cannot be that of its instance. */
static sl_result flat_rows_look(const sl_bvh *bvh, const sl_flatten_def *def, uint32_t *kinds,
                                sl_error *error)
{
    *kinds = 0;
    if (def->mesh_count != bvh->world.count) {
        return sli_refuse(error,
                          "sl_flatten_def.mesh_count is %zu, but the scene has %lu instances",
                          def->mesh_count, (unsigned long)bvh->world.count);
    }
    for (uint32_t i = 0; i < bvh->world.count; i++) {
        const sl_bvh *tree = bvh->world.transformed[i].tree;
        const sl_mesh *mesh = tree != NULL ? def->meshes[i] : NULL;
        if (mesh != NULL && sl_mesh_soup(mesh).triangle_count != tree->prim_count) {
            return sli_refuse(error,
                              "sl_flatten_def.meshes[%lu] has %zu triangles, but the tree of "
                              "that instance has %zu: it is of another mesh",
                              (unsigned long)i, sl_mesh_soup(mesh).triangle_count,
                              (size_t)tree->prim_count);
        }
        sl_mesh_attribute kept;
        for (int kind = 0; mesh != NULL && kind < SLI_FLAT_KINDS; kind++) {
            *kinds |= sl_mesh_get_attribute(mesh, 1u << kind, &kept) ? 1u << kind : 0;
        }
    }
    return SL_OK;
}

sl_result sli_flat_rows_make(const sl_bvh *bvh, const sl_flatten_def *def, size_t count,
                             const sl_allocator *allocator, sli_flat_rows *out, sl_error *error)
{
    uint32_t kinds;
    *out = (sli_flat_rows){ .corners = 3 * count };
    if (def->meshes == NULL) {
        return SL_OK;
    }
    const sl_result result = flat_rows_look(bvh, def, &kinds, error);
    for (int kind = 0; result == SL_OK && kind < SLI_FLAT_KINDS; kind++) {
        if ((kinds & 1u << kind) == 0) {
            continue;
        }
        out->values[kind] = sli_alloc_array(allocator, out->corners, widths[kind] * sizeof(float));
        out->indices[kind] = sli_alloc_array(allocator, out->corners, sizeof(uint32_t));
        if (out->values[kind] == NULL || out->indices[kind] == NULL) {
            sli_flat_rows_free(out, allocator);
            return sli_fail_memory(error);
        }
    }
    if (result == SL_OK && kinds != 0) {
        SLI_DO_IN_FPENV(put_all(bvh, def, out));
    }
    return result;
}

void sli_flat_rows_free(const sli_flat_rows *rows, const sl_allocator *allocator)
{
    for (int kind = 0; kind < SLI_FLAT_KINDS; kind++) {
        sli_free_array(allocator, rows->values[kind], rows->corners, widths[kind] * sizeof(float));
        sli_free_array(allocator, rows->indices[kind], rows->corners, sizeof(uint32_t));
    }
}

void sli_flat_rows_lend(const sli_flat_rows *rows, sl_mesh_def *def)
{
    sl_mesh_attribute *const to[SLI_FLAT_KINDS] = { &def->normals, &def->uvs, &def->colours };
    for (int kind = 0; kind < SLI_FLAT_KINDS; kind++) {
        if (rows->values[kind] != NULL) {
            to[kind]->values = rows->values[kind];
            to[kind]->count = rows->corners;
            to[kind]->indices = rows->missing[kind] ? rows->indices[kind] : NULL;
        }
    }
}
