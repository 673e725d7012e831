/* render/tiles.c: traces a picture in square tiles on all threads, for render and check
 * --picture. */
#include "tools/render/tiles.h"

#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>

enum { TILE_SIDE = 32, TILE_RAYS = TILE_SIDE * TILE_SIDE, TILES_A_STEP = 64 };

/* What one worker needs for a tile. */
typedef struct scratch {
    sl_ray row[TILE_SIDE];
    sl_ray rays[TILE_RAYS];
    sl_hit hits[TILE_RAYS];
    uint32_t costs[TILE_RAYS];
} scratch;

typedef struct tracer {
    const tiles_job *job;
    tiles_fn *fn;
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

/* The rays through row y of the tile's cells, in a picture as fine as the cells are. */
static void make_row(const tiles_job *job, const tile *at, uint32_t y, sl_ray *row)
{
    const uint32_t fine = (uint32_t)job->samples;
    const uint32_t count = (at->x1 - at->x0) * fine;
    sl_camera camera = job->camera->camera;
    camera.width *= fine;
    camera.height *= fine;
    if (sl_camera_row(&camera, at->x0 * fine, y, count, row)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const float x = (float)(at->x0 * fine + i) + 0.5f;
        if (!sl_camera_ray(&camera, x, (float)y + 0.5f, &row[i])) {
            row[i] = (sl_ray){ .origin = { NAN, NAN, NAN } };
        }
    }
}

/* Rays of one pixel stand together. */
static size_t make_rays(const tiles_job *job, const tile *at, scratch *s)
{
    const uint32_t fine = (uint32_t)job->samples;
    const uint32_t across = at->x1 - at->x0;
    for (uint32_t y = 0; y < (at->y1 - at->y0) * fine; y++) {
        make_row(job, at, at->y0 * fine + y, s->row);
        for (uint32_t x = 0; x < across * fine; x++) {
            const uint32_t pixel = y / fine * across + x / fine;
            s->rays[(pixel * fine + y % fine) * fine + x % fine] = s->row[x];
        }
    }
    return (size_t)across * (at->y1 - at->y0) * fine * fine;
}

/* One ray at a time, each with a count of its own. */
static void trace_with_costs(const tiles_job *job, scratch *s, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sl_stats stats = { .rays = 0 };
        sl_bvh_closest_many(job->in->bvh, sl_rays_of(&s->rays[i], 1), job->query,
                            sl_hits_of(&s->hits[i]), NULL, &stats);
        const uint64_t cost = stats.nodes + stats.triangles;
        s->costs[i] = cost < UINT32_MAX ? (uint32_t)cost : UINT32_MAX;
    }
}

static void trace_tile(const tracer *t, const tile *at, int worker)
{
    const tiles_job *job = t->job;
    scratch *s = &t->workers[worker];
    const size_t count = make_rays(job, at, s);
    if (job->costs) {
        trace_with_costs(job, s, count);
    } else {
        sl_bvh_closest_many(job->in->bvh, sl_rays_of(s->rays, count), job->query,
                            sl_hits_of(s->hits), NULL, NULL);
    }
    tiles_pixel pixel = { .count = (size_t)(job->samples * job->samples) };
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

int tiles_workers(const tiles_job *job)
{
    return job->tasks != NULL ? job->tasks->worker_count : 1;
}

/* Steps are long enough to keep all workers busy, and short enough for a bar that moves. */
int tiles_trace(const tiles_job *job, tiles_fn *fn, void *context)
{
    const size_t workers = (size_t)tiles_workers(job);
    const sl_camera *camera = &job->camera->camera;
    const uint32_t side = TILE_SIDE / (uint32_t)job->samples;
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
