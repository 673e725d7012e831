/* flat_rows.h: texture coordinates, normals and colours of the instances' meshes as those of
 * the flattened mesh. */
#pragma once

#include <sightline/flatten.h>

enum { SLI_FLAT_KINDS = 3 }; /* the bit of kind i is 1 << i (SL_MESH_...) */

/* A row for each corner; NULL: no mesh has such rows. */
typedef struct sli_flat_rows {
    float *values[SLI_FLAT_KINDS];
    uint32_t *indices[SLI_FLAT_KINDS];
    bool missing[SLI_FLAT_KINDS]; /* some corner has none, so that the indices are needed */
    size_t corners;
} sli_flat_rows;

/* Of count triangles.  meshes and mesh_count as in sl_flatten_def, of which they are.  On failure
 * there is nothing to free. */
sl_result sli_flat_rows_make(const sl_bvh *bvh, const sl_flatten_def *def, size_t count,
                             const sl_allocator *allocator, sli_flat_rows *out, sl_error *error);
void sli_flat_rows_free(const sli_flat_rows *rows, const sl_allocator *allocator);

/* As the attributes of a def, which stay the rows'. */
void sli_flat_rows_lend(const sli_flat_rows *rows, sl_mesh_def *def);
