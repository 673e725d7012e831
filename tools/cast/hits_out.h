/* hits_out.h: answers of verify/ray_batch.h to CSV, JSON or .npy, a block at a time. */
#ifndef TOOLS_CAST_HITS_OUT_H
#define TOOLS_CAST_HITS_OUT_H

#include "tools/input/mesh.h"
#include "tools/output/npy_list.h"
#include "tools/output/output.h"
#include "tools/verify/ray_batch.h"

enum { HITS_OUT_COLUMNS_MAX = 18 };

typedef struct hits_out {
    bool is_npy;
    ray_mode mode;
    const mesh_in *mesh;
    const sl_scene *scene; /* that was asked; NULL: the tree */
    bool doubles;
    bool surface, has_parts, has_names; /* columns of text: where hits lie; the part; the names of
                                         * the instance */
    out_column columns[HITS_OUT_COLUMNS_MAX];
    output text;
    npy_out array;  /* one answer for each ray */
    npy_list list;  /* of all hits */
    uint64_t index; /* of the next ray */
} hits_out;

typedef struct hits_out_def {
    const char *path; /* as for output_open */
    ray_mode mode;
    bool json;
    bool surface; /* text of closest hits and of all: also face, point and normal */
    bool doubles; /* t is one */
    const mesh_in *mesh;
    const sl_scene *scene; /* NULL: the tree of the mesh was asked */
    uint64_t rows;         /* as for npy_out_open */
    struct part_out *part; /* to write to instead of path; NULL: none */
} hits_out_def;

int hits_out_open(hits_out *out, const hits_out_def *def);

/* Behind part_out_start: rows of other parts, or of an earlier run, stand before the next one. */
void hits_out_go_on(hits_out *out, const struct part_out *part);

/* False when writing has failed, so that more is in vain; hits_out_close says why. */
bool hits_out_write(hits_out *out, const ray_batch *block);

/* Ends the table; for JSON, fields may follow in out->text until it is closed. */
void hits_out_end(hits_out *out);
int hits_out_close(hits_out *out);
void hits_out_discard(hits_out *out); /* a zeroed or closed one is fine */

#endif
