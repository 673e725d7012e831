/* bench/peer/embree.c: Embree 3 as the peer of bench, through the functions of embree_api.h: its
 * device and its trees. */
#include "tools/bench/peer/embree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const peer_tree_names[PEER_TREE_COUNT] = { "medium", "high", "robust medium",
                                                       "robust high", "low" };

const char *bench_peer_problem(void)
{
    return bench_embree_get() != NULL ? NULL
                                      : "Embree 3 is not on this machine; install libembree3-3 "
                                        "(its package in Debian), or "
                                        "leave --against out";
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
    for (int i = 0; i < EMBREE_SCENES; i++) {
        if (peer->scenes[i] != NULL) {
            peer->embree->rtcReleaseScene(peer->scenes[i]);
        }
    }
    peer->embree->rtcReleaseDevice(peer->device);
    bench_peer_set(peer, NULL, NULL);
    free(peer);
}

/* Triangles that were left out of the mesh become points, so that the numbers of others stay. */
RTCGeometry bench_embree_geometry(const bench_peer *peer, const sl_mesh *mesh)
{
    const bench_embree_api *embree = peer->embree;
    const size_t vertices = sl_mesh_soup(mesh).vertex_count,
                 indices = 3 * sl_mesh_soup(mesh).triangle_count;
    RTCGeometry geometry = embree->rtcNewGeometry(peer->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *v = embree->rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                               RTC_FORMAT_FLOAT3, 12, vertices);
    uint32_t *to = embree->rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                   RTC_FORMAT_UINT3, 12, indices / 3);
    if (v != NULL && to != NULL) {
        const uint32_t *from = sl_mesh_soup(mesh).indices;
        memcpy(v, sl_mesh_soup(mesh).xyz, 12 * vertices);
        for (size_t i = 0; i < indices; i++) {
            to[i] = from[i] == SL_NONE ? 0 : from[i];
        }
    }
    embree->rtcCommitGeometry(geometry);
    return geometry;
}

embree_kind bench_embree_kind(peer_tree tree)
{
    const bool robust = tree == PEER_ROBUST_MEDIUM || tree == PEER_ROBUST_HIGH;
    const bool high = tree == PEER_HIGH || tree == PEER_ROBUST_HIGH;
    return (embree_kind){ high               ? RTC_BUILD_QUALITY_HIGH
                          : tree == PEER_LOW ? RTC_BUILD_QUALITY_LOW
                                             : RTC_BUILD_QUALITY_MEDIUM,
                          robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE };
}

RTCScene bench_embree_scene(const bench_peer *peer, embree_kind kind)
{
    RTCScene scene = peer->embree->rtcNewScene(peer->device);
    peer->embree->rtcSetSceneBuildQuality(scene, kind.quality);
    peer->embree->rtcSetSceneFlags(scene, kind.flags);
    return scene;
}

bool bench_embree_put(bench_peer *peer, int at, RTCScene scene)
{
    if (peer->scenes[at] != NULL) {
        peer->embree->rtcReleaseScene(peer->scenes[at]);
    }
    peer->scenes[at] = scene;
    return peer->embree->rtcGetDeviceError(peer->device) == RTC_ERROR_NONE;
}

bool bench_peer_build(bench_peer *peer, const sl_mesh *mesh, peer_tree tree, double (*now)(void),
                      peer_build *cost)
{
    const bench_embree_api *embree = peer->embree;
    (void)bench_embree_put(peer, (int)tree, NULL);
    RTCScene scene = bench_embree_scene(peer, bench_embree_kind(tree));
    const ptrdiff_t without_mesh = peer->memory;
    RTCGeometry geometry = bench_embree_geometry(peer, mesh);
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
    peer->mesh = mesh;
    return bench_embree_put(peer, (int)tree, scene);
}
