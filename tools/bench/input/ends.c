/* bench/input/ends.c: lines that end on a surface: what photogrammetry, baking and selection ask
 * about vertices, and what begins where another ray has hit. */
#include "tools/bench/input/ends.h"

#include <stdlib.h>
#include <string.h>

static const float off = 1e-4f, tiny = 1e-6f; /* shares of the way */

/* A surface has an area, so that some triangle is valid. */
static sl_triangle random_triangle(const bench_surface *surface, bench_random *random)
{
    const size_t count = sl_mesh_soup(surface->mesh).triangle_count;
    sl_triangle t;
    while (!sl_mesh_triangle(surface->mesh, (uint32_t)bench_random_below(random, count), &t)) {
    }
    return t;
}

/* The mean of the first `corners` corners. */
static void put_mean(const sl_triangle *t, int corners, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        float sum = 0;
        for (int k = 0; k < corners; k++) {
            sum += t->v[k][axis];
        }
        out[axis] = sum / (float)corners;
    }
}

static void put_end(const bench_surface *surface, bench_end end, bench_random *random, float out[3])
{
    if (end == END_HIT) {
        const bench_point at = bench_surface_point(surface, random);
        memcpy(out, at.point, sizeof at.point);
    } else {
        const sl_triangle t = random_triangle(surface, random);
        put_mean(&t, end == END_EDGE ? 2 : end == END_FACE ? 3 : 1, out);
    }
}

static sl_segment draw_segment(const bench_surface *surface, bench_end end, bench_random *random,
                               const float eye[3])
{
    sl_segment s;
    memcpy(s.p, eye, sizeof s.p);
    put_end(surface, end, random, s.q);
    if (end == END_BOTH) {
        put_end(surface, end, random, s.p);
    }
    if (end == END_AXIS) {
        const size_t axis = bench_random_below(random, 3);
        s.p[axis] = s.q[axis];
    }
    return s;
}

/* t of the way from p to q, in floats. */
static void put_between(const sl_segment *s, float t, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = s->p[axis] + t * (s->q[axis] - s->p[axis]);
    }
}

/* From the vertex to the eye. */
static sl_ray ray_back(const sl_segment *s, float tmin)
{
    sl_ray ray = { .tmin = tmin, .tmax = 1 };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = s->q[axis];
        ray.dir[axis] = s->p[axis] - s->q[axis];
    }
    return ray;
}

static void put_line(const sl_segment *s, bench_end end, size_t i, bench_rays *out,
                     bench_rays *keep)
{
    if (end == END_FROM) {
        out->rays[i] = ray_back(s, tiny);
        keep->rays[i] = ray_back(s, off);
        return;
    }
    out->segments[i] = keep->segments[i] = *s;
    put_between(s, 1 - off, keep->segments[i].q);
    if (end == END_BOTH) {
        put_between(s, off, keep->segments[i].p);
    }
}

static bool allocate_lines(bench_rays *r, bench_end end, size_t count)
{
    *r = (bench_rays){ .query = end == END_FROM ? BENCH_ANY : BENCH_BLOCKED, .count = count };
    if (end == END_FROM) {
        return (r->rays = malloc(count * sizeof *r->rays)) != NULL;
    }
    return (r->segments = malloc(count * sizeof *r->segments)) != NULL;
}

bool bench_ends_make(const bench_source *source, bench_end end, size_t count, bench_rays *out,
                     bench_rays *keep)
{
    enum { EYES = 64 };
    const size_t each = (count + EYES - 1) / EYES;
    bench_random random = bench_random_make(source->seed, STREAM_ENDS + (uint64_t)end);
    float eye[3] = { 0 };
    *keep = (bench_rays){ .count = 0 };
    if (!allocate_lines(out, end, count) || !allocate_lines(keep, end, count)) {
        bench_rays_free(out);
        bench_rays_free(keep);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (i % each == 0) {
            bench_random_point(&random, &source->bounds, eye);
        }
        const sl_segment s = draw_segment(&source->surface, end, &random, eye);
        put_line(&s, end, i, out, keep);
    }
    return true;
}
