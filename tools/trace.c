#include "tools/trace.h"

#include "tools/report.h"

#include <math.h>
#include <stdlib.h>

enum { TILE_RAYS = 1024, TILES_A_STEP = 64 };

/* What one worker needs for a tile. */
typedef struct scratch {
    sl_ray rays[TILE_RAYS];
    sl_hit hits[TILE_RAYS];
    uint32_t costs[TILE_RAYS];
} scratch;

typedef struct tracer {
    const trace_job *job;
    trace_fn *fn;
    void *context;
    scratch *workers;
    uint32_t side, across; /* pixels along a tile, tiles along the picture */
    size_t first;          /* tile of this step */
} tracer;

typedef struct tile {
    uint32_t x0, y0, x1, y1;
} tile;

static tile tile_at(const tracer *t, size_t index)
{
    const sl_camera *camera = &t->job->camera->camera;
    const uint32_t x0 = (uint32_t)(index % t->across) * t->side;
    const uint32_t y0 = (uint32_t)(index / t->across) * t->side;
    return (tile){ .x0 = x0,
                   .y0 = y0,
                   .x1 = camera->width - x0 < t->side ? camera->width : x0 + t->side,
                   .y1 = camera->height - y0 < t->side ? camera->height : y0 + t->side };
}

static size_t make_rays(const trace_job *job, const tile *at, sl_ray *rays)
{
    size_t count = 0;
    const float step = 1.0f / (float)job->samples;
    for (uint32_t y = at->y0; y < at->y1; y++) {
        for (uint32_t x = at->x0; x < at->x1; x++) {
            for (int i = 0; i < job->samples * job->samples; i++) {
                const float px = (float)x + ((float)(i % job->samples) + 0.5f) * step;
                const float py = (float)y + ((float)(i / job->samples) + 0.5f) * step;
                sl_ray *ray = &rays[count++];
                if (!sl_camera_ray(&job->camera->camera, px, py, ray)) {
                    *ray = (sl_ray){ .origin = { NAN, NAN, NAN } };
                }
            }
        }
    }
    return count;
}

/* One ray at a time, each with a count of its own. */
static void ask_with_costs(const trace_job *job, scratch *s, size_t count)
{
    sl_query query = job->query != NULL ? *job->query : (sl_query){ .flags = 0 };
    for (size_t i = 0; i < count; i++) {
        sl_stats stats = { .rays = 0 };
        query.stats = &stats;
        sl_bvh_closest(job->bvh, &s->rays[i], &query, &s->hits[i]);
        const uint64_t cost = stats.nodes + stats.triangles;
        s->costs[i] = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
    }
}

static void trace_tile(const tracer *t, const tile *at, int worker)
{
    const trace_job *job = t->job;
    scratch *s = &t->workers[worker];
    const size_t count = make_rays(job, at, s->rays);
    if (job->costs) {
        ask_with_costs(job, s, count);
    } else {
        sl_bvh_closest_many(job->bvh, s->rays, count, job->query, s->hits, NULL);
    }
    trace_pixel pixel = { .count = (size_t)(job->samples * job->samples) };
    size_t first = 0;
    for (pixel.y = at->y0; pixel.y < at->y1; pixel.y++) {
        for (pixel.x = at->x0; pixel.x < at->x1; pixel.x++) {
            pixel.rays = s->rays + first;
            pixel.hits = s->hits + first;
            pixel.costs = job->costs ? s->costs + first : NULL;
            t->fn(t->context, &pixel, worker);
            first += pixel.count;
        }
    }
}

static void trace_tiles(void *context, size_t begin, size_t end, int worker)
{
    const tracer *t = context;
    for (size_t i = begin; i < end; i++) {
        const tile at = tile_at(t, t->first + i);
        trace_tile(t, &at, worker);
    }
}

int trace_workers(const trace_job *job)
{
    return job->tasks != NULL ? job->tasks->worker_count : 1;
}

/* Steps are long enough to keep all workers busy, and short enough for a bar that moves. */
int trace_picture(const trace_job *job, trace_fn *fn, void *context)
{
    const size_t workers = (size_t)trace_workers(job);
    const sl_camera *camera = &job->camera->camera;
    uint32_t side = 32;
    while (side * side * (uint32_t)(job->samples * job->samples) > TILE_RAYS) {
        side--;
    }
    tracer t = { .job = job,
                 .fn = fn,
                 .context = context,
                 .workers = malloc(workers * sizeof *t.workers),
                 .side = side,
                 .across = (camera->width + side - 1) / side };
    if (t.workers == NULL) {
        return report_memory();
    }
    const size_t total = (size_t)t.across * ((camera->height + side - 1) / side);
    size_t step;
    for (t.first = 0; t.first < total; t.first += step) {
        progress_show(job->bar, job->stage, (double)t.first / (double)total);
        step = total - t.first < TILES_A_STEP * workers ? total - t.first : TILES_A_STEP * workers;
        if (job->tasks != NULL) {
            job->tasks->parallel_for(job->tasks->user, step, 1, trace_tiles, &t);
        } else {
            trace_tiles(&t, 0, step, 0);
        }
    }
    free(t.workers);
    return EXIT_DONE;
}
