/* attribute_rows.h: rows of attributes at corners of meshes, for their tests. */
#pragma once

#include "test/support/test.h"

enum { N = SL_MESH_NORMALS, T = SL_MESH_UVS, C = SL_MESH_COLOURS, ALL = N | T | C };

static const uint32_t kinds[3] = { N, T, C };
static const size_t components[3] = { 3, 2, 4 };

static inline uint32_t kept_of(const sl_mesh *mesh)
{
    sl_mesh_attribute table;
    uint32_t kept = 0;
    for (int k = 0; k < 3; k++) {
        kept |= sl_mesh_get_attribute(mesh, kinds[k], &table) ? kinds[k] : 0;
    }
    return kept;
}

/* The row of a corner of a triangle that is there, or NULL. */
static inline const float *corner_row(const sl_mesh *mesh, int k, size_t prim, size_t corner)
{
    sl_mesh_attribute table;
    if (!sl_mesh_get_attribute(mesh, kinds[k], &table)) {
        return NULL;
    }
    const uint32_t *indices = table.indices != NULL ? table.indices : sl_mesh_soup(mesh).indices;
    const uint32_t row = indices[3 * prim + corner];
    assert_true(row == SL_NONE || row < table.count);
    return row != SL_NONE ? table.values + components[k] * row : NULL;
}

static inline void expect_row(const sl_mesh *mesh, uint32_t kind, size_t prim, size_t corner,
                              const float wanted[4])
{
    const int k = kind == N ? 0 : kind == T ? 1 : 2;
    const float *row = corner_row(mesh, k, prim, corner);
    assert_non_null(row);
    for (size_t i = 0; i < components[k]; i++) {
        assert_true(row[i] == wanted[i]);
    }
}

static inline bool has_indices(const sl_mesh *mesh, uint32_t kind)
{
    sl_mesh_attribute table = { 0 };
    assert_true(sl_mesh_get_attribute(mesh, kind, &table));
    return table.indices != NULL;
}

static inline size_t row_count(const sl_mesh *mesh, uint32_t kind)
{
    sl_mesh_attribute table = { 0 };
    return sl_mesh_get_attribute(mesh, kind, &table) ? table.count : 0;
}
