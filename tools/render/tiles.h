/* render/tiles.h: a whole picture of camera rays, pixel by pixel, on as many threads as there are.
 *
 * Rays are made and asked in square tiles, one batched call each; what becomes of a pixel is the
 * caller's.  Each pixel is seen once, and what it is shown does not depend on threads or order. */
#ifndef TOOLS_TRACE_H
#define TOOLS_TRACE_H

#include "tools/cli/progress.h"
#include "tools/input/camera.h"

#include <sightline/ray_query.h>

enum { TRACE_SAMPLES_MAX = 8 };

/* A pixel and what its rays met; ray i of samples * samples goes through the middle of cell
 * (i % samples, i / samples) of the pixel. */
typedef struct trace_pixel {
    uint32_t x, y;
    size_t count;
    const sl_ray *rays; /* one that the camera cannot make is invalid, and so a miss */
    const sl_hit *hits;
    const uint32_t *costs; /* nodes entered and triangles looked at; NULL unless asked for */
} trace_pixel;

typedef void trace_fn(void *context, const trace_pixel *pixel, int worker);

typedef struct trace_job {
    const sl_bvh *bvh;
    const camera_in *camera;
    const sl_tasks *tasks;
    const sl_query *query; /* NULL: everything */
    int samples;           /* along each side of a pixel: 1 .. TRACE_SAMPLES_MAX */
    bool costs;
    progress *bar;
    const char *stage;
} trace_job;

/* EXIT_DONE, or EXIT_FAILED after a report.  fn is called from several threads at once, one pixel
 * at a time for each worker. */
int trace_picture(const trace_job *job, trace_fn *fn, void *context);

/* How many workers fn will be told of: at least 1. */
int trace_workers(const trace_job *job);

#endif
