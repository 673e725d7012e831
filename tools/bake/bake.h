/* bake.h: numbers for many points of a mesh, from rays around their normals. */
#pragma once

#include <sightline/rays.h>

typedef enum bake_kind { BAKE_AO, BAKE_THICKNESS } bake_kind;

/* What is computed for each point. */
typedef struct bake_job {
    bake_kind kind;
    const sl_bvh *bvh;
    const sl_options *query; /* may be NULL */
    uint32_t rays;           /* a point */
    float distance, lift, spread;
    bool least;                    /* thickness: the smallest distance, not the mean */
    const float *points, *normals; /* three for each; a normal of no length: the value is NaN */
    uint64_t first; /* number of the first point, on which its rays depend; 0: they are all there */
} bake_job;

/* The buffers of one worker. */
typedef struct bake_scratch {
    float *targets;
    uint8_t *occluded;
    sl_ray *rays;
    sl_hit *hits;
} bake_scratch;

bool bake_scratch_make(bake_scratch *scratch, const bake_job *job); /* false: out of memory */
void bake_scratch_free(bake_scratch *scratch);                      /* a zeroed one is fine */

/* The value of a point.  ao: the share of the rays, from lift above it and distance long, that
 * nothing blocks.  thickness: how far rays go inwards until they meet the mesh; +inf where none
 * does. */
float bake_point(const bake_job *job, size_t point, const bake_scratch *scratch);

/* Of each vertex: the sum of the normals of its triangles, weighted by area, made unit length;
 * zeros where there is none.  NULL: out of memory; free it. */
float *bake_normals(const sl_mesh *mesh);
