/* overlap.h: 'sightline overlap', shared by its jobs: one volume, many, and to verify. */
#ifndef TOOLS_OVERLAP_OVERLAP_H
#define TOOLS_OVERLAP_OVERLAP_H

#include "tools/generate/volume_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/input/volume_spec.h"
#include "tools/output/output.h"
#include "tools/verify/options.h"
#include "tools/verify/ray_batch.h"

typedef enum overlap_mode { OVERLAP_ALL, OVERLAP_ANY, OVERLAP_COUNT } overlap_mode;

typedef struct overlap_options {
    int mode; /* an overlap_mode */
    bool csv, stats;
    verify_options verify;
    const char *out;
    volume_options volume;
    volumes_options many;
    query_options query;
    proxy_options proxy;
    mesh_options mesh;
    common_options common;
} overlap_options;

/* All that a run owns. */
typedef struct overlap_job {
    const overlap_options *options;
    bool is_many, generates;
    mesh_in in;
    uint32_t *masks;
    query_target target;
    sl_volume volume; /* unless there are many */
    sl_stats stats;
    sl_proxy proxy;
    double seconds;
    uint32_t *prims;          /* of touched */
    sl_triangle_ref *touched; /* as many as there are triangles */
} overlap_job;

/* Puts the numbers of the first count triangles that were touched into prims. */
static inline void overlap_take_prims(overlap_job *job, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        job->prims[i] = job->touched[i].prim;
    }
}

/* kind: for --generate.  EXIT_DONE, or the status of a reported error. */
int overlap_open_source(const overlap_job *job, int kind, volume_source *source);

/* Work done: into JSON (out), else on stderr. */
void overlap_report_stats(const overlap_job *s, output *out);

int overlap_one(overlap_job *job);
int overlap_many(overlap_job *job);
int overlap_verify(overlap_job *job);
int overlap_scene(overlap_job *job, const invocation *call); /* where job->in is one */

#endif
