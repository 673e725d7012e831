/* bench/embree_rays.c: rays into Embree's layouts, and what was found back out of them. */
#include "tools/bench/embree.h"

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

bool bench_peer_set(bench_peer *peer, const bench_rays *rays)
{
    free_arrays(peer);
    peer->rays = rays;
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
static inline void pack(const bench_peer *peer, size_t width)
{
    const bench_rays *rays = peer->rays;
    const size_t fields = bench_embree_fields(rays);
    for (size_t i = 0; i < rays->count; i++) {
        const sl_ray ray = ray_at(rays, i);
        embree_word *to = peer->packets + i / width * width * fields + i % width;
        put_ray(to, width, &ray);
        if (fields == FIELDS) {
            to[FIELD_GEOM * width].u = UINT32_MAX;
        }
    }
}

static inline void unpack(const bench_peer *peer, size_t width)
{
    const bench_rays *rays = peer->rays;
    const size_t fields = bench_embree_fields(rays);
    for (size_t i = 0; i < rays->count; i++) {
        const embree_word *from = peer->packets + i / width * width * fields + i % width;
        if (fields == FIELDS) {
            const bool hit = from[FIELD_GEOM * width].u != UINT32_MAX;
            peer->hits[i] = (embree_hit){ .t = from[FIELD_TFAR * width].f,
                                          .u = from[FIELD_U * width].f,
                                          .v = from[FIELD_V * width].f,
                                          .prim = hit ? from[FIELD_PRIM * width].u : SL_NONE };
        } else {
            peer->any[i] = from[FIELD_TFAR * width].f < 0;
        }
    }
}

void bench_peer_pack(bench_peer *peer, peer_call call)
{
    const size_t width = peer->packets != NULL ? bench_embree_width(call) : 0;
    switch (width) {
    case 0: /* points are asked for as they are */
        break;
    case 1:
        pack(peer, 1);
        break;
    case 4:
        pack(peer, 4);
        break;
    case 8:
        pack(peer, 8);
        break;
    default:
        pack(peer, 16);
    }
}

void bench_peer_unpack(bench_peer *peer, peer_call call)
{
    const size_t width = peer->packets != NULL ? bench_embree_width(call) : 0;
    switch (width) {
    case 0:
        break;
    case 1:
        unpack(peer, 1);
        break;
    case 4:
        unpack(peer, 4);
        break;
    case 8:
        unpack(peer, 8);
        break;
    default:
        unpack(peer, 16);
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
