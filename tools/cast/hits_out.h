/* hits_out.h: answers of verify/ray_batch.h to CSV, JSON or .npy, a block at a time. */
#ifndef TOOLS_CAST_HITS_OUT_H
#define TOOLS_CAST_HITS_OUT_H

#include "tools/cli/npy.h"
#include "tools/cli/output.h"
#include "tools/input/mesh.h"
#include "tools/verify/ray_batch.h"

typedef struct hits_out {
    bool is_npy;
    ray_mode mode;
    output text;
    npy_out array;
    uint64_t index;         /* of the next ray */
    const mesh_in *surface; /* of text: where hits lie on it is told, too; NULL: not */
} hits_out;

/* max_hits: of RAY_MODE_ALL.  rows: as for npy_out_open.  surface: NULL, or the mesh of closest hits and
 * of all, whose faces, points and normals have columns of their own. */
int hits_out_open(hits_out *out, const char *path, ray_mode mode, bool json, size_t max_hits,
                  uint64_t rows, const mesh_in *surface);

/* False when writing has failed, so that more is in vain; hits_out_close says why. */
bool hits_out_write(hits_out *out, const ray_batch *block);

/* Ends the table; for JSON, fields may follow in out->text until it is closed. */
void hits_out_end(hits_out *out);
int hits_out_close(hits_out *out);
void hits_out_discard(hits_out *out); /* a zeroed or closed one is fine */

#endif
