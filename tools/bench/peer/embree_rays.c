/* bench/peer/embree_rays.c: rays into Embree's layouts, and what was found back out of them. */
#include "tools/bench/peer/embree.h"

#include <math.h>
#include <stdlib.h>

size_t bench_embree_width(peer_call call)
{
    static const size_t widths[PEER_CALL_COUNT] = {
        [PEER_1] = 1,
        [PEER_4] = 4,
        [PEER_8] = 8,
        [PEER_16] = 16,
        [PEER_STREAM] = 1,
        [PEER_COHERENT_4] = 4,
        [PEER_COHERENT_8] = 8,
        [PEER_COHERENT_16] = 16,
        [PEER_COHERENT_STREAM] = 1,
        [PEER_CHAIN] = 1,
    };
    return widths[call];
}

size_t bench_embree_fields(const bench_rays *rays)
{
    return rays->query == BENCH_CLOSEST ? FIELDS : FIELD_HIT;
}

static void free_arrays(bench_peer *peer)
{
    free(peer->packets);
    free(peer->hits);
    free(peer->any);
    free(peer->distances);
    peer->packets = NULL;
    peer->hits = NULL;
    peer->any = NULL;
    peer->distances = NULL;
}

bool bench_peer_set(bench_peer *peer, const bench_rays *rays, const sl_tasks *tasks)
{
    free_arrays(peer);
    peer->rays = rays;
    peer->tasks = tasks;
    if (rays == NULL) {
        return true;
    }
    if (rays->query == BENCH_NEAREST) {
        return (peer->distances = malloc(rays->count * sizeof *peer->distances)) != NULL;
    }
    const size_t packets = (rays->count + 15) / 16;
    peer->packets = aligned_alloc(64, packets * 16 * FIELDS * sizeof(embree_word));
    if (rays->query == BENCH_CLOSEST) {
        peer->hits = malloc(rays->count * sizeof *peer->hits);
    } else {
        peer->any = malloc(rays->count * sizeof *peer->any);
    }
    return peer->packets != NULL && (peer->hits != NULL || peer->any != NULL);
}

/* A segment is the ray from one end to the other, up to t = 1. */
static inline sl_ray ray_at(const bench_rays *rays, size_t i)
{
    if (rays->query != BENCH_BLOCKED) {
        return rays->rays[i];
    }
    sl_ray ray = { .tmin = 0, .tmax = 1 };
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = rays->segments[i].p[axis];
        ray.dir[axis] = rays->segments[i].q[axis] - rays->segments[i].p[axis];
    }
    return ray;
}

/* All that Embree asks for, and no more. */
static inline void put_ray(embree_word *to, size_t width, const sl_ray *ray)
{
    for (size_t axis = 0; axis < 3; axis++) {
        to[(FIELD_ORG + axis) * width].f = ray->origin[axis];
        to[(FIELD_DIR + axis) * width].f = ray->dir[axis];
    }
    to[FIELD_TNEAR * width].f = ray->tmin;
    to[FIELD_TIME * width].f = 0;
    to[FIELD_TFAR * width].f = ray->tmax;
    to[FIELD_MASK * width].u = UINT32_MAX;
    to[FIELD_ID * width].u = 0;
    to[FIELD_FLAGS * width].u = 0;
}

/* Inlined for each width, so that the places of the fields are constants. */
static inline void embree_rays_pack(const bench_rays *rays, size_t width, size_t first,
                                    size_t count, embree_word *packets)
{
    const size_t fields = bench_embree_fields(rays);
    for (size_t i = 0; i < count; i++) {
        const sl_ray ray = ray_at(rays, first + i);
        embree_word *to = packets + i / width * width * fields + i % width;
        put_ray(to, width, &ray);
        if (fields == FIELDS) {
            to[FIELD_GEOM * width].u = UINT32_MAX;
        }
    }
}

void bench_embree_pack(const bench_peer *peer, size_t width, size_t first, size_t count,
                       embree_word *to)
{
    switch (width) {
    case 1:
        embree_rays_pack(peer->rays, 1, first, count, to);
        break;
    case 4:
        embree_rays_pack(peer->rays, 4, first, count, to);
        break;
    case 8:
        embree_rays_pack(peer->rays, 8, first, count, to);
        break;
    default:
        embree_rays_pack(peer->rays, 16, first, count, to);
    }
}

static inline void unpack_hits(const embree_word *packets, size_t width, size_t count,
                               embree_hit *hits)
{
    for (size_t i = 0; i < count; i++) {
        const embree_word *from = packets + i / width * width * FIELDS + i % width;
        const bool hit = from[FIELD_GEOM * width].u != UINT32_MAX;
        hits[i] = (embree_hit){ .t = from[FIELD_TFAR * width].f,
                                .u = from[FIELD_U * width].f,
                                .v = from[FIELD_V * width].f,
                                .prim = hit ? from[FIELD_PRIM * width].u : SL_NONE };
    }
}

static inline void embree_rays_unpack(const bench_peer *peer, size_t width, size_t first,
                                      size_t count, const embree_word *from)
{
    if (peer->hits != NULL) {
        unpack_hits(from, width, count, peer->hits + first);
        return;
    }
    for (size_t i = 0; i < count; i++) { /* Embree makes tfar negative where there is a hit */
        const size_t packet = i / width * width * FIELD_HIT;
        peer->any[first + i] = from[packet + FIELD_TFAR * width + i % width].f < 0;
    }
}

void bench_embree_unpack(const bench_peer *peer, size_t width, size_t first, size_t count,
                         const embree_word *from)
{
    switch (width) {
    case 1:
        embree_rays_unpack(peer, 1, first, count, from);
        break;
    case 4:
        embree_rays_unpack(peer, 4, first, count, from);
        break;
    case 8:
        embree_rays_unpack(peer, 8, first, count, from);
        break;
    default:
        embree_rays_unpack(peer, 16, first, count, from);
    }
}

void bench_peer_pack(bench_peer *peer, peer_call call)
{
    if (peer->packets != NULL) { /* points are asked for as they are */
        bench_embree_pack(peer, bench_embree_width(call), 0, peer->rays->count, peer->packets);
    }
}

void bench_peer_answers(const bench_peer *peer, float *t)
{
    for (size_t i = 0; i < peer->rays->count; i++) {
        if (peer->hits != NULL) {
            t[i] = peer->hits[i].prim != SL_NONE ? peer->hits[i].t : INFINITY;
        } else if (peer->any != NULL) {
            t[i] = peer->any[i] != 0 ? 0 : INFINITY;
        } else {
            t[i] = peer->distances[i];
        }
    }
}
