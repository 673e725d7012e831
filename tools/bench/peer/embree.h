/* bench/peer/embree.h: what the files share that make Embree the peer of bench. */
#pragma once

#include "tools/bench/peer/embree_api.h"
#include "tools/bench/peer/peer.h"

/* Offsets of the fields of RTCRayHit and of its packets alike, in words for each ray of the packet.
 * Any-hit queries have the fields before FIELD_HIT only. */
enum {
    FIELD_ORG = 0,
    FIELD_TNEAR = 3,
    FIELD_DIR = 4,
    FIELD_TIME = 7,
    FIELD_TFAR = 8,
    FIELD_MASK = 9,
    FIELD_ID = 10,
    FIELD_FLAGS = 11,
    FIELD_HIT = 12,
    FIELD_U = 15,
    FIELD_V = 16,
    FIELD_PRIM = 17,
    FIELD_GEOM = 18,
    FIELDS = 20
};
_Static_assert(sizeof(struct RTCRayHit) == FIELDS * 4, "one ray");
_Static_assert(sizeof(struct RTCRayHit4) == FIELDS * 4 * 4, "four rays");
_Static_assert(sizeof(struct RTCRayHit8) == FIELDS * 4 * 8, "eight rays");
_Static_assert(sizeof(struct RTCRayHit16) == FIELDS * 4 * 16, "sixteen rays");
_Static_assert(sizeof(struct RTCRay) == FIELD_HIT * 4, "one ray, any hit");
_Static_assert(sizeof(struct RTCRay16) == FIELD_HIT * 4 * 16, "sixteen rays, any hit");

typedef union embree_word {
    float f;
    uint32_t u;
} embree_word;

/* What a caller keeps of a hit. */
typedef struct embree_hit {
    float t, u, v;
    uint32_t prim; /* SL_NONE: a miss */
} embree_hit;

enum { EMBREE_SCENES = (int)PEER_TREE_COUNT + (int)PEER_WAY_COUNT };

struct bench_peer {
    const bench_embree_api *embree;
    RTCDevice device;
    RTCScene scenes[EMBREE_SCENES]; /* trees, then worlds that move */
    const sl_mesh *mesh;
    const bench_rays *rays;
    const sl_tasks *tasks; /* NULL: the calling thread alone */
    embree_word *packets;  /* all rays, 64-byte aligned */
    /* What was found, unpacked: one of these, by the query. */
    embree_hit *hits;
    uint8_t *any;
    float *distances;
    ptrdiff_t memory, peak; /* that the device holds and has held, in bytes */
};

/* How scenes are built. */
typedef struct embree_kind {
    enum RTCBuildQuality quality;
    enum RTCSceneFlags flags;
} embree_kind;

embree_kind bench_embree_kind(peer_tree tree);
RTCScene bench_embree_scene(const bench_peer *peer, embree_kind kind);

/* Puts a scene in place of what was there.  False: a device that had no memory. */
bool bench_embree_put(bench_peer *peer, int at, RTCScene scene);

/* A geometry of the mesh's triangles, committed. */
RTCGeometry bench_embree_geometry(const bench_peer *peer, const sl_mesh *mesh);

/* Rays in a packet of a call. */
size_t bench_embree_width(peer_call call);

/* Words of a ray. */
size_t bench_embree_fields(const bench_rays *rays);

/* count rays from the first on into packets that begin at to, and what was found there back. */
void bench_embree_pack(const bench_peer *peer, size_t width, size_t first, size_t count,
                       embree_word *to);
void bench_embree_unpack(const bench_peer *peer, size_t width, size_t first, size_t count,
                         const embree_word *from);

/* ---- embree_point.c: nearest points through Embree's rtcPointQuery ---- */

/* points: three floats each. */
void bench_embree_points(const bench_embree_api *embree, RTCScene scene, const sl_mesh *mesh,
                         const float *points, size_t count, float *distances);
