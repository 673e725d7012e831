/* bench/peer/embree_world.c: Embree's instances: a scene of instances of a scene, in places that
 * may move. */
#include "tools/bench/peer/embree.h"

const char *const peer_way_names[PEER_WAY_COUNT] = {
    [PEER_WAY_LOW] = "low",
    [PEER_WAY_MEDIUM] = "medium",
    [PEER_WAY_DYNAMIC_LOW] = "dynamic low",
    [PEER_WAY_DYNAMIC_MEDIUM] = "dynamic medium",
};

typedef struct scene_kind {
    enum RTCBuildQuality quality;
    enum RTCSceneFlags flags;
} scene_kind;

static RTCScene new_scene(const bench_peer *peer, scene_kind kind)
{
    RTCScene scene = peer->embree->rtcNewScene(peer->device);
    peer->embree->rtcSetSceneBuildQuality(scene, kind.quality);
    peer->embree->rtcSetSceneFlags(scene, kind.flags);
    return scene;
}

/* The tree over the mesh. */
static RTCScene new_object(const bench_peer *peer, const sl_mesh *mesh, scene_kind kind)
{
    const bench_embree_api *embree = peer->embree;
    RTCScene scene = new_scene(peer, kind);
    RTCGeometry geometry = bench_embree_geometry(peer, mesh);
    embree->rtcAttachGeometry(scene, geometry);
    embree->rtcReleaseGeometry(geometry);
    embree->rtcCommitScene(scene);
    return scene;
}

/* Instances keep the object alive; they are numbered in their order. */
static RTCScene new_world(const bench_peer *peer, RTCScene object, const peer_world *world,
                          scene_kind kind)
{
    const bench_embree_api *embree = peer->embree;
    RTCScene scene = new_scene(peer, kind);
    for (size_t i = 0; i < world->count; i++) {
        RTCGeometry instance = embree->rtcNewGeometry(peer->device, RTC_GEOMETRY_TYPE_INSTANCE);
        embree->rtcSetGeometryInstancedScene(instance, object);
        embree->rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR,
                                        world->places[i]);
        embree->rtcCommitGeometry(instance);
        embree->rtcAttachGeometry(scene, instance);
        embree->rtcReleaseGeometry(instance);
    }
    embree->rtcCommitScene(scene);
    return scene;
}

static void put_scene(bench_peer *peer, int at, RTCScene scene)
{
    if (peer->scenes[at] != NULL) {
        peer->embree->rtcReleaseScene(peer->scenes[at]);
    }
    peer->scenes[at] = scene;
}

bool bench_peer_build_world(bench_peer *peer, const peer_world *world, peer_tree tree)
{
    const bool robust = tree == PEER_ROBUST_MEDIUM || tree == PEER_ROBUST_HIGH;
    const bool high = tree == PEER_HIGH || tree == PEER_ROBUST_HIGH;
    const scene_kind kind = { high ? RTC_BUILD_QUALITY_HIGH : RTC_BUILD_QUALITY_MEDIUM,
                              robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE };
    RTCScene object = new_object(peer, world->mesh, kind);
    put_scene(peer, (int)tree, new_world(peer, object, world, kind));
    peer->embree->rtcReleaseScene(object);
    peer->mesh = world->mesh;
    return peer->embree->rtcGetDeviceError(peer->device) == RTC_ERROR_NONE;
}

bool bench_peer_build_moving(bench_peer *peer, const peer_world *world)
{
    static const scene_kind kinds[PEER_WAY_COUNT] = {
        [PEER_WAY_LOW] = { RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_NONE },
        [PEER_WAY_MEDIUM] = { RTC_BUILD_QUALITY_MEDIUM, RTC_SCENE_FLAG_NONE },
        [PEER_WAY_DYNAMIC_LOW] = { RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_DYNAMIC },
        [PEER_WAY_DYNAMIC_MEDIUM] = { RTC_BUILD_QUALITY_MEDIUM, RTC_SCENE_FLAG_DYNAMIC },
    };
    RTCScene object = new_object(peer, world->mesh, kinds[PEER_WAY_MEDIUM]);
    for (int way = 0; way < PEER_WAY_COUNT; way++) {
        put_scene(peer, (int)bench_peer_tree_of((peer_way)way),
                  new_world(peer, object, world, kinds[way]));
    }
    peer->embree->rtcReleaseScene(object);
    peer->mesh = world->mesh;
    peer->instance_count = world->count;
    return peer->embree->rtcGetDeviceError(peer->device) == RTC_ERROR_NONE;
}

void bench_peer_move(bench_peer *peer, peer_way way, const float (*places)[12])
{
    const bench_embree_api *embree = peer->embree;
    RTCScene scene = peer->scenes[bench_peer_tree_of(way)];
    for (size_t i = 0; i < peer->instance_count; i++) {
        RTCGeometry instance = embree->rtcGetGeometry(scene, (unsigned)i);
        embree->rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, places[i]);
        embree->rtcCommitGeometry(instance);
    }
}

void bench_peer_commit(bench_peer *peer, peer_way way)
{
    peer->embree->rtcCommitScene(peer->scenes[bench_peer_tree_of(way)]);
}
