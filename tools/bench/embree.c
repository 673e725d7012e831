/* bench/embree.c: Embree 3 as the peer of bench, through the functions of embree_api.h. */
#include "tools/bench/embree_api.h"
#include "tools/bench/embree_point.h"
#include "tools/bench/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

const char *const peer_tree_names[PEER_TREE_COUNT] = { "medium", "high", "robust medium",
                                                       "robust high" };
const char *const peer_call_names[PEER_CALL_COUNT] = { "1", "16", "8 coherent", "16 coherent" };

/* Offsets of the fields of RTCRayHit, RTCRayHit8 and RTCRayHit16 alike, in words for each ray of
 * the packet.  Any-hit queries have the fields before FIELD_HIT only. */
enum {
    FIELD_ORG = 0,
    FIELD_TNEAR = 3,
    FIELD_DIR = 4,
    FIELD_TFAR = 8,
    FIELD_MASK = 9,
    FIELD_HIT = 12,
    FIELD_GEOM = 18,
    FIELDS = 20
};
_Static_assert(sizeof(struct RTCRayHit) == FIELDS * 4, "one ray");
_Static_assert(sizeof(struct RTCRayHit8) == FIELDS * 4 * 8, "eight rays");
_Static_assert(sizeof(struct RTCRayHit16) == FIELDS * 4 * 16, "sixteen rays");
_Static_assert(sizeof(struct RTCRay16) == FIELD_HIT * 4 * 16, "sixteen rays, any hit");

static const size_t widths[PEER_CALL_COUNT] = { 1, 16, 8, 16 };

typedef union word {
    float f;
    uint32_t u;
} word;

struct bench_peer {
    const bench_embree_api *embree;
    RTCDevice device;
    RTCScene scenes[PEER_TREE_COUNT];
    const sl_mesh *mesh;
    const bench_rays *rays;
    word *packets;          /* of rays, 64-byte aligned */
    float *distances;       /* of points */
    ptrdiff_t memory, peak; /* that the device holds and has held, in bytes */
};

const char *bench_peer_problem(void)
{
    return bench_embree_get() != NULL ? NULL
                                      : "Embree 3 is not on this machine; install libembree3-3 "
                                        "(its package in Debian), or "
                                        "leave --against out";
}

bool bench_peer_has_call(peer_call call, bench_query query)
{
    return query != BENCH_NEAREST || call == PEER_1;
}

/* Builds with several threads call this from all of them. */
static bool count_memory(void *user, ssize_t bytes, bool post)
{
    bench_peer *peer = user;
    (void)post;
    const ptrdiff_t now = __atomic_add_fetch(&peer->memory, bytes, __ATOMIC_RELAXED);
    ptrdiff_t peak = __atomic_load_n(&peer->peak, __ATOMIC_RELAXED);
    while (now > peak && !__atomic_compare_exchange_n(&peer->peak, &peak, now, true,
                                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return true;
}

/* Embree's name for the instructions that a kernel of ours uses; NULL: no limit. */
static const char *limit_of(const char *kernel)
{
    static const struct {
        const char *kernel, *limit;
    } limits[] = { { "scalar", "sse2" }, { "sse42", "sse4.2" }, { "avx2", "avx2" } };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (strcmp(kernel, limits[i].kernel) == 0) {
            return limits[i].limit;
        }
    }
    return NULL;
}

bench_peer *bench_peer_open(int threads, const char *kernel)
{
    const bench_embree_api *embree = bench_embree_get();
    bench_peer *peer = embree != NULL ? calloc(1, sizeof *peer) : NULL;
    const char *limit = limit_of(kernel);
    char config[64];
    snprintf(config, sizeof config, "threads=%d%s%s", threads, limit != NULL ? ",max_isa=" : "",
             limit != NULL ? limit : "");
    if (peer != NULL) {
        peer->embree = embree;
        peer->device = embree->rtcNewDevice(config);
        if (peer->device == NULL) {
            free(peer);
            return NULL;
        }
        embree->rtcSetDeviceMemoryMonitorFunction(peer->device, count_memory, peer);
    }
    return peer;
}

void bench_peer_close(bench_peer *peer)
{
    if (peer == NULL) {
        return;
    }
    for (int tree = 0; tree < PEER_TREE_COUNT; tree++) {
        if (peer->scenes[tree] != NULL) {
            peer->embree->rtcReleaseScene(peer->scenes[tree]);
        }
    }
    peer->embree->rtcReleaseDevice(peer->device);
    free(peer->packets);
    free(peer->distances);
    free(peer);
}

/* Triangles that were left out of the mesh become points, so that the numbers of others stay. */
static RTCGeometry new_geometry(const bench_peer *peer, const sl_mesh *mesh)
{
    const bench_embree_api *embree = peer->embree;
    const size_t vertices = sl_mesh_vertex_count(mesh), indices = 3 * sl_mesh_triangle_count(mesh);
    RTCGeometry geometry = embree->rtcNewGeometry(peer->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *v = embree->rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                               RTC_FORMAT_FLOAT3, 12, vertices);
    uint32_t *to = embree->rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                   RTC_FORMAT_UINT3, 12, indices / 3);
    if (v != NULL && to != NULL) {
        const uint32_t *from = sl_mesh_indices(mesh);
        memcpy(v, sl_mesh_positions(mesh), 12 * vertices);
        for (size_t i = 0; i < indices; i++) {
            to[i] = from[i] == SL_NONE ? 0 : from[i];
        }
    }
    embree->rtcCommitGeometry(geometry);
    return geometry;
}

bool bench_peer_build(bench_peer *peer, const sl_mesh *mesh, peer_tree tree, double (*now)(void),
                      peer_build *cost)
{
    const bench_embree_api *embree = peer->embree;
    if (peer->scenes[tree] != NULL) {
        embree->rtcReleaseScene(peer->scenes[tree]);
    }
    const bool robust = tree == PEER_ROBUST_MEDIUM || tree == PEER_ROBUST_HIGH;
    const bool high = tree == PEER_HIGH || tree == PEER_ROBUST_HIGH;
    RTCScene scene = embree->rtcNewScene(peer->device);
    const ptrdiff_t without_mesh = peer->memory;
    RTCGeometry geometry = new_geometry(peer, mesh);
    embree->rtcSetSceneBuildQuality(scene,
                                    high ? RTC_BUILD_QUALITY_HIGH : RTC_BUILD_QUALITY_MEDIUM);
    embree->rtcSetSceneFlags(scene, robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
    embree->rtcAttachGeometry(scene, geometry);
    embree->rtcReleaseGeometry(geometry);
    const ptrdiff_t before = peer->memory;
    peer->peak = before;
    const double start = now != NULL ? now() : 0;
    embree->rtcCommitScene(scene);
    if (now != NULL && cost != NULL) {
        *cost = (peer_build){ .seconds = now() - start,
                              .bytes = (size_t)(peer->memory - before),
                              .held = (size_t)(peer->memory - without_mesh),
                              .peak = (size_t)(peer->peak - before) };
    }
    peer->scenes[tree] = scene;
    peer->mesh = mesh;
    return embree->rtcGetDeviceError(peer->device) == RTC_ERROR_NONE;
}

bool bench_peer_set(bench_peer *peer, const bench_rays *rays)
{
    const size_t packets = (rays->count + 15) / 16;
    free(peer->packets);
    free(peer->distances);
    peer->packets = NULL;
    peer->distances = NULL;
    peer->rays = rays;
    if (rays->query == BENCH_NEAREST) {
        peer->distances = malloc(rays->count * sizeof *peer->distances);
        return peer->distances != NULL;
    }
    peer->packets = aligned_alloc(64, packets * 16 * FIELDS * sizeof(word));
    return peer->packets != NULL;
}

static size_t field_count(const bench_rays *rays)
{
    return rays->query == BENCH_CLOSEST ? FIELDS : FIELD_HIT;
}

/* A segment is the ray from one end to the other, up to t = 1. */
static sl_ray ray_at(const bench_rays *rays, size_t i)
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

void bench_peer_prepare(bench_peer *peer, peer_call call)
{
    const bench_rays *rays = peer->rays;
    const size_t width = widths[call], fields = field_count(rays);
    for (size_t i = 0; i < rays->count && rays->query != BENCH_NEAREST; i++) {
        const sl_ray ray = ray_at(rays, i);
        word *to = peer->packets + i / width * width * fields + i % width;
        for (size_t field = FIELD_MASK; field < fields; field++) {
            to[field * width].u = field == FIELD_MASK || field == FIELD_GEOM ? UINT32_MAX : 0;
        }
        for (size_t axis = 0; axis < 3; axis++) {
            to[(FIELD_ORG + axis) * width].f = ray.origin[axis];
            to[(FIELD_DIR + axis) * width].f = ray.dir[axis];
        }
        to[FIELD_TNEAR * width].f = ray.tmin;
        to[(FIELD_TNEAR + 4) * width].f = 0;
        to[FIELD_TFAR * width].f = ray.tmax;
    }
}

static void run_one(const bench_peer *peer, RTCScene scene, struct RTCIntersectContext *context)
{
    const bench_embree_api *embree = peer->embree;
    const size_t fields = field_count(peer->rays);
    for (size_t i = 0; i < peer->rays->count; i++) {
        void *packet = peer->packets + i * fields;
        if (fields == FIELDS) {
            embree->rtcIntersect1(scene, context, packet);
        } else {
            embree->rtcOccluded1(scene, context, packet);
        }
    }
}

static void run_packets(const bench_peer *peer, RTCScene scene, size_t width,
                        struct RTCIntersectContext *context)
{
    const bench_embree_api *embree = peer->embree;
    const size_t fields = field_count(peer->rays);
    const bool closest = fields == FIELDS;
    for (size_t i = 0; i < peer->rays->count; i += width) {
        _Alignas(64) int valid[16];
        for (size_t lane = 0; lane < 16; lane++) {
            valid[lane] = i + lane < peer->rays->count ? -1 : 0;
        }
        void *packet = peer->packets + i * fields;
        if (width == 16 && closest) {
            embree->rtcIntersect16(valid, scene, context, packet);
        } else if (width == 16) {
            embree->rtcOccluded16(valid, scene, context, packet);
        } else if (closest) {
            embree->rtcIntersect8(valid, scene, context, packet);
        } else {
            embree->rtcOccluded8(valid, scene, context, packet);
        }
    }
}

/* With denormals flushed to zero, as Embree's manual recommends. */
void bench_peer_run(bench_peer *peer, peer_tree tree, peer_call call)
{
#if defined(__SSE2__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040u);
#endif
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    const bool coherent = call == PEER_COHERENT_8 || call == PEER_COHERENT_16;
    context.flags =
        coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    if (peer->rays->query == BENCH_NEAREST) {
        bench_embree_points(peer->embree, peer->scenes[tree], peer->mesh, peer->rays->points,
                            peer->rays->count, peer->distances);
    } else if (widths[call] == 1) {
        run_one(peer, peer->scenes[tree], &context);
    } else {
        run_packets(peer, peer->scenes[tree], widths[call], &context);
    }
#if defined(__SSE2__)
    _mm_setcsr(saved);
#endif
}

void bench_peer_answers(const bench_peer *peer, peer_call call, float *t)
{
    const bench_rays *rays = peer->rays;
    const size_t width = widths[call], fields = field_count(rays);
    for (size_t i = 0; i < rays->count; i++) {
        if (rays->query == BENCH_NEAREST) {
            t[i] = peer->distances[i];
            continue;
        }
        const word *from = peer->packets + i / width * width * fields + i % width;
        const float tfar = from[FIELD_TFAR * width].f;
        if (fields == FIELDS) {
            t[i] = from[FIELD_GEOM * width].u == UINT32_MAX ? INFINITY : tfar;
        } else {
            t[i] = tfar < 0 ? 0 : INFINITY;
        }
    }
}
