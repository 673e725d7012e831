/* cast.h: the options of 'sightline cast', shared by its two jobs: to answer and to verify. */
#ifndef TOOLS_CAST_CAST_H
#define TOOLS_CAST_CAST_H

#include "tools/generate/options.h"
#include "tools/generate/ray_source.h"
#include "tools/input/mesh.h"
#include "tools/input/proxy.h"
#include "tools/input/query.h"
#include "tools/parts/options.h"
#include "tools/verify/options.h"
#include "tools/verify/ray_batch.h"
#include "tools/verify/scene_soup.h"

typedef struct cast_options {
    const char *rays, *segments; /* both NULL: generated */
    bool open_start, open_end;
    float tmin, tmax;
    generate_options generate; /* kind: a ray_kind, or RAY_KIND_COUNT for all of them */
    uint64_t pairs;
    verify_options verify;
    int mode; /* an ray_mode */
    uint64_t max_hits;
    const char *out;
    bool crossings, stats, csv, surface, doubles;
    uint64_t repeat;
    query_options query;
    proxy_options proxy;
    parts_options parts;
    mesh_options mesh;
    common_options common;
} cast_options;

extern const option_row cast_ray_rows[], cast_ask_rows[], cast_report_rows[];

/* A mesh with its tree, and how it is asked. */
typedef struct cast_job {
    const cast_options *options;
    mesh_in mesh;
    uint32_t *masks; /* from malloc, or NULL */
    query_target target;
    sl_scene *alone;      /* a mesh as a scene, for doubles; else NULL */
    scene_soup triangles; /* of a scene, for brute force */
    sl_proxy proxy;
} cast_job;

/* Opens the rays from a file, or of a kind.  EXIT_DONE, or the status of a reported error. */
int cast_open_source(cast_job *job, int kind, ray_source *source);

int cast_answer(cast_job *job, const invocation *call);
int cast_verify(cast_job *job);

#endif
