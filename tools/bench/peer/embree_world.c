/* bench/peer/embree_world.c: Embree's instances: a scene of instances of a scene, in places that
 * may move. */
#include "tools/bench/peer/embree.h"

const char *const peer_way_names[PEER_WAY_COUNT] = {
    [PEER_WAY_LOW] = "low",
    [PEER_WAY_MEDIUM] = "medium",
    [PEER_WAY_DYNAMIC_LOW] = "dynamic low",
    [PEER_WAY_DYNAMIC_MEDIUM] = "dynamic medium",
};

/* The tree over the mesh. */
static RTCScene new_object(const bench_peer *peer, const sl_mesh *mesh, embree_kind kind)
{
    const bench_embree_api *embree = peer->embree;
    RTCScene scene = bench_embree_scene(peer, kind);
    RTCGeometry geometry = bench_embree_geometry(peer, mesh);
    embree->rtcAttachGeometry(scene, geometry);
    embree->rtcReleaseGeometry(geometry);
    embree->rtcCommitScene(scene);
    return scene;
}

/* Instances keep the object alive; they are numbered in their order. */
static RTCScene new_world(const bench_peer *peer, RTCScene object, const peer_world *world,
                          embree_kind kind)
{
    const bench_embree_api *embree = peer->embree;
    RTCScene scene = bench_embree_scene(peer, kind);
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

bool bench_peer_build_world(bench_peer *peer, const peer_world *world, peer_tree tree)
{
    const embree_kind kind = bench_embree_kind(tree);
    RTCScene object = new_object(peer, world->mesh, kind);
    RTCScene scene = new_world(peer, object, world, kind);
    peer->embree->rtcReleaseScene(object);
    peer->mesh = world->mesh;
    return bench_embree_put(peer, (int)tree, scene);
}

bool bench_peer_build_moving(bench_peer *peer, const peer_world *world)
{
    static const embree_kind kinds[PEER_WAY_COUNT] = {
        [PEER_WAY_LOW] = { RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_NONE },
        [PEER_WAY_MEDIUM] = { RTC_BUILD_QUALITY_MEDIUM, RTC_SCENE_FLAG_NONE },
        [PEER_WAY_DYNAMIC_LOW] = { RTC_BUILD_QUALITY_LOW, RTC_SCENE_FLAG_DYNAMIC },
        [PEER_WAY_DYNAMIC_MEDIUM] = { RTC_BUILD_QUALITY_MEDIUM, RTC_SCENE_FLAG_DYNAMIC },
    };
    RTCScene object = new_object(peer, world->mesh, kinds[PEER_WAY_MEDIUM]);
    bool made = true;
    for (int way = 0; way < PEER_WAY_COUNT; way++) {
        made = bench_embree_put(peer, (int)bench_peer_tree_of((peer_way)way),
                                new_world(peer, object, world, kinds[way])) &&
               made;
    }
    peer->embree->rtcReleaseScene(object);
    peer->mesh = world->mesh;
    return made;
}

void bench_peer_move(bench_peer *peer, peer_way way, const float (*places)[12], size_t count)
{
    const bench_embree_api *embree = peer->embree;
    RTCScene scene = peer->scenes[bench_peer_tree_of(way)];
    for (size_t i = 0; i < count; i++) {
        RTCGeometry instance = embree->rtcGetGeometry(scene, (unsigned)i);
        embree->rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, places[i]);
        embree->rtcCommitGeometry(instance);
    }
}

void bench_peer_commit(bench_peer *peer, peer_way way)
{
    peer->embree->rtcCommitScene(peer->scenes[bench_peer_tree_of(way)]);
}
