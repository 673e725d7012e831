/* bench/input/sets.c: makes the sets of rays, segments and points that bench measures. */
#include "tools/bench/input/sets.h"
#include "tools/bench/input/meshes.h"

#include "tools/bench/input/primary.h"

#include <sightline/closest.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

bench_query bench_set_query(bench_set set)
{
    switch (set) {
    case SET_DIFFANY:
    case SET_AO:
        return BENCH_ANY;
    case SET_LOSBOX:
    case SET_LOSSURF:
    case SET_LOSLOCAL:
    case SET_LOSFAN:
        return BENCH_BLOCKED;
    case SET_PTNEAR:
    case SET_PTBOX:
        return BENCH_NEAREST;
    default:
        return BENCH_CLOSEST;
    }
}

static void add_scaled(const float p[3], const float dir[3], float length, float out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = p[axis] + length * dir[axis];
    }
}

static bool make_bounces(const bench_source *source, bench_set set, bench_rays *out)
{
    bench_point *hits;
    size_t hit_count;
    if (!bench_primary_hits(source, out->count, &hits, &hit_count)) {
        return false;
    }
    const bool is_ao = set == SET_AO;
    bench_random random = bench_random_make(source->seed, is_ao ? STREAM_AO : STREAM_BOUNCE);
    out->count = hit_count > 0 ? out->count : 0;
    for (size_t i = 0; i < out->count; i++) {
        const bench_point *from = &hits[i * hit_count / out->count];
        float dir[3];
        bench_random_cosine(&random, from->normal, dir);
        out->rays[i] = sl_ray_make(from->front_origin, dir);
        out->rays[i].tmax = is_ao ? 0.07f * source->diagonal : INFINITY;
    }
    free(hits);
    return true;
}

/* Fisher and Yates; Durstenfeld, Algorithm 235 (1964). */
static void shuffle_rays(const bench_source *source, bench_rays *out)
{
    bench_random random = bench_random_make(source->seed, STREAM_SHUFFLE);
    for (size_t i = out->count; i > 1; i--) {
        const size_t other = bench_random_below(&random, i);
        const sl_ray swapped = out->rays[i - 1];
        out->rays[i - 1] = out->rays[other];
        out->rays[other] = swapped;
    }
}

static void make_random(const bench_source *source, bench_random *random, bench_rays *out)
{
    float centre[3];
    memcpy(centre, sl_aabb_measure(&source->bounds).centre, sizeof centre);
    for (size_t i = 0; i < out->count; i++) {
        float dir[3], from[3], to[3], square = 0;
        bench_random_sphere(random, dir);
        add_scaled(centre, dir, 0.5f * source->diagonal, from);
        bench_random_point(random, &source->bounds, to);
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = to[axis] - from[axis];
            square += dir[axis] * dir[axis];
        }
        const float length = square > 0 ? sqrtf(square) : 1;
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] /= length;
        }
        out->rays[i] = sl_ray_make(from, dir);
    }
}

/* 0.1 % of the diagonal above the surface. */
static void lifted_point(const bench_source *source, bench_random *random, float out[3])
{
    const bench_point at = bench_surface_point(&source->surface, random);
    add_scaled(at.point, at.normal, 1e-3f * source->diagonal, out);
}

static void make_segments(const bench_source *source, bench_set set, bench_random *random,
                          bench_rays *out)
{
    const size_t targets = out->fan;
    for (size_t i = 0; i < out->count; i++) {
        sl_segment *segment = &out->segments[i];
        if (set == SET_LOSBOX) {
            bench_random_point(random, &source->bounds, segment->p);
            bench_random_point(random, &source->bounds, segment->q);
        } else if (set == SET_LOSSURF) {
            lifted_point(source, random, segment->p);
            lifted_point(source, random, segment->q);
        } else if (set == SET_LOSLOCAL) {
            const bench_point from = bench_surface_point(&source->surface, random);
            float dir[3];
            bench_random_hemisphere(random, from.normal, dir);
            add_scaled(from.front_origin, dir, 0, segment->p);
            add_scaled(segment->p, dir, bench_random_in(random, 0.01f, 0.05f) * source->diagonal,
                       segment->q);
        } else if (i % targets == 0) {
            bench_random_point(random, &source->bounds, segment->p);
            lifted_point(source, random, segment->q);
        } else {
            add_scaled(segment[-1].p, segment[-1].p, 0, segment->p);
            lifted_point(source, random, segment->q);
        }
    }
}

/* The same segments as SET_LOSBOX. */
static void make_lengths(const bench_source *source, bench_random *random, bench_rays *out)
{
    for (size_t i = 0; i < out->count; i++) {
        float p[3], q[3], dir[3];
        bench_random_point(random, &source->bounds, p);
        bench_random_point(random, &source->bounds, q);
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = q[axis] - p[axis];
        }
        out->rays[i] = sl_ray_make(p, dir);
        out->rays[i].tmax = 1;
    }
}

static void make_points(const bench_source *source, bench_set set, bench_random *random,
                        bench_rays *out)
{
    for (size_t i = 0; i < out->count; i++) {
        float *point = out->points + 3 * i;
        if (set == SET_PTBOX) {
            bench_random_point(random, &source->bounds, point);
        } else {
            const bench_point from = bench_surface_point(&source->surface, random);
            float dir[3];
            bench_random_sphere(random, dir);
            add_scaled(from.point, dir, bench_random_in(random, 0, 0.02f) * source->diagonal,
                       point);
        }
    }
}

/* From the middle of a cell along an axis, in the line of a lattice vertex (even rays) or of a
 * point on an edge, straight or diagonal. */
static void make_lattice(bench_random *random, bench_rays *out)
{
    for (size_t i = 0; i < out->count; i++) {
        const int axis = (int)bench_random_below(random, 3);
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        float origin[3], dir[3] = { 0 };
        for (int k = 0; k < 3; k++) {
            origin[k] = (float)bench_random_below(random, BENCH_LATTICE);
        }
        origin[axis] += 0.5f;
        if (i % 2 == 1) {
            const float along = (float)(1 + bench_random_below(random, 255)) * 0x1p-8f;
            const uint64_t kind = bench_random_below(random, 3);
            origin[next] += kind != 1 ? along : 0;
            origin[last] += kind != 0 ? along : 0;
        }
        dir[axis] = bench_random_below(random, 2) == 0 ? -1.0f : 1.0f;
        out->rays[i] = sl_ray_make(origin, dir);
    }
}

static bool allocate_set(bench_rays *out, bench_set set)
{
    enum { EYES = 64 };
    if (set == SET_LOSFAN) {
        out->fan = (out->count + EYES - 1) / EYES;
        out->targets = malloc(out->count * 3 * sizeof *out->targets);
        if (out->targets == NULL) {
            return false;
        }
    }
    switch (out->query) {
    case BENCH_CLOSEST:
    case BENCH_ANY:
        return (out->rays = malloc(out->count * sizeof *out->rays)) != NULL;
    case BENCH_BLOCKED:
        return (out->segments = malloc(out->count * sizeof *out->segments)) != NULL;
    default:
        return (out->points = malloc(out->count * 3 * sizeof *out->points)) != NULL;
    }
}

/* Of the sets that need no more than one. */
static uint64_t stream_of(bench_set set)
{
    static const uint64_t streams[SET_COUNT] = {
        [SET_RANDOM] = STREAM_RANDOM,   [SET_LOSBOX] = STREAM_LOSBOX,
        [SET_LOSSURF] = STREAM_LOSSURF, [SET_LOSLOCAL] = STREAM_LOSLOCAL,
        [SET_LOSFAN] = STREAM_LOSFAN,   [SET_PTNEAR] = STREAM_PTNEAR,
        [SET_PTBOX] = STREAM_PTBOX,     [SET_LATTICE] = STREAM_LATTICE,
        [SET_LOSCLOSE] = STREAM_LOSBOX,
    };
    return streams[set];
}

static void make_pictures(const bench_source *source, bench_set set, bench_rays *out)
{
    static const bench_pictures pictures[SET_COUNT] = {
        [SET_PRIMARY] = { .size = BENCH_PICTURE },
        [SET_PRIMARY256] = { .size = 256 },
        [SET_PRIMARY64] = { .size = 64 },
        [SET_ORTHO] = { .size = BENCH_PICTURE, .orthographic = true },
    };
    if (!bench_primary_rays(source, pictures[set], out->count, out->rays)) {
        out->count = 0;
    }
}

static bool fill_set(const bench_source *source, bench_set set, bench_rays *out)
{
    bench_random random = bench_random_make(source->seed, stream_of(set));
    switch (set) {
    case SET_PRIMARY:
    case SET_PRIMARY256:
    case SET_PRIMARY64:
    case SET_ORTHO:
        make_pictures(source, set, out);
        return true;
    case SET_DIFFUSE:
    case SET_AO:
        return make_bounces(source, set, out);
    case SET_DIFFSHUF:
    case SET_DIFFANY:
        if (!make_bounces(source, set, out)) {
            return false;
        }
        shuffle_rays(source, out);
        return true;
    case SET_RANDOM:
        make_random(source, &random, out);
        return true;
    case SET_LATTICE:
        make_lattice(&random, out);
        return true;
    case SET_LOSCLOSE:
        make_lengths(source, &random, out);
        return true;
    case SET_PTNEAR:
    case SET_PTBOX:
        make_points(source, set, &random, out);
        return true;
    default:
        make_segments(source, set, &random, out);
        for (size_t i = 0; i < out->count && out->targets != NULL; i++) {
            memcpy(out->targets + 3 * i, out->segments[i].q, sizeof out->segments[i].q);
        }
        return true;
    }
}

bool bench_rays_make(const bench_source *source, bench_set set, size_t count, bench_rays *out)
{
    *out = (bench_rays){ .query = bench_set_query(set), .count = count };
    if (out->query == BENCH_NEAREST) {
        out->count = (count + 3) / 4;
    }
    if (allocate_set(out, set) && fill_set(source, set, out)) {
        return true;
    }
    bench_rays_free(out);
    return false;
}
