/* render/tiles.h: all camera rays of a picture, pixel by pixel, on all threads of a pool.
 *
 * Rays are made and traced in square tiles, one batched call each; a callback turns the hits of a
 * pixel into whatever the caller wants.  It gets each pixel once, and the same hits whatever the
 * threads. */
#pragma once

#include "tools/input/camera.h"
#include "tools/input/mesh.h"

#include <sightline/rays.h>

enum { TILES_SAMPLES_MAX = 8 };

/* A pixel and what its rays met; ray i of samples * samples goes through the middle of cell
 * (i % samples, i / samples) of the pixel. */
typedef struct tiles_pixel {
    uint32_t x, y;
    size_t count;
    const sl_ray *rays; /* one that the camera cannot make is invalid, and so a miss */
    const sl_hit *hits;
    const uint32_t *costs; /* nodes entered and triangles looked at; NULL unless job.costs */
} tiles_pixel;

typedef void tiles_fn(void *context, const tiles_pixel *pixel, int worker);

typedef struct tiles_job {
    const mesh_in *in;
    const camera_in *camera;
    const sl_tasks *tasks;
    const sl_options *query; /* NULL: everything */
    int samples;             /* along each side of a pixel: 1 .. TILES_SAMPLES_MAX */
    bool costs;
    progress *bar;
    const char *stage;
} tiles_job;

/* EXIT_DONE, or EXIT_FAILED after a report.  fn is called from several threads at once, one pixel
 * at a time for each worker. */
int tiles_trace(const tiles_job *job, tiles_fn *fn, void *context);

/* How many workers fn will be told of: at least 1. */
int tiles_workers(const tiles_job *job);
