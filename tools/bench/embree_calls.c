/* bench/embree_calls.c: Embree's calls: one ray, a packet, or a stream of single rays. */
#include "tools/bench/embree.h"
#include "tools/bench/embree_point.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

const char *const peer_call_names[PEER_CALL_COUNT] = {
    [PEER_1] = "1",
    [PEER_4] = "4",
    [PEER_8] = "8",
    [PEER_16] = "16",
    [PEER_STREAM] = "stream",
    [PEER_COHERENT_4] = "4 coherent",
    [PEER_COHERENT_8] = "8 coherent",
    [PEER_COHERENT_16] = "16 coherent",
    [PEER_COHERENT_STREAM] = "stream coherent",
};

bool bench_peer_has_call(peer_call call, bench_query query)
{
    return query != BENCH_NEAREST || call == PEER_1;
}

static bool is_coherent(peer_call call)
{
    return call >= PEER_COHERENT_4;
}

static void run_one(const bench_peer *peer, RTCScene scene, struct RTCIntersectContext *context)
{
    const bench_embree_api *embree = peer->embree;
    const size_t fields = bench_embree_fields(peer->rays);
    for (size_t i = 0; i < peer->rays->count; i++) {
        void *packet = peer->packets + i * fields;
        if (fields == FIELDS) {
            embree->rtcIntersect1(scene, context, packet);
        } else {
            embree->rtcOccluded1(scene, context, packet);
        }
    }
}

static void run_stream(const bench_peer *peer, RTCScene scene, struct RTCIntersectContext *context)
{
    const bench_embree_api *embree = peer->embree;
    const unsigned count = (unsigned)peer->rays->count;
    void *packets = peer->packets;
    if (bench_embree_fields(peer->rays) == FIELDS) {
        embree->rtcIntersect1M(scene, context, packets, count, sizeof(struct RTCRayHit));
    } else {
        embree->rtcOccluded1M(scene, context, packets, count, sizeof(struct RTCRay));
    }
}

static void run_packet(const bench_embree_api *embree, RTCScene scene, size_t width, bool closest,
                       const int *valid, void *packet, struct RTCIntersectContext *context)
{
    if (width == 16 && closest) {
        embree->rtcIntersect16(valid, scene, context, packet);
    } else if (width == 16) {
        embree->rtcOccluded16(valid, scene, context, packet);
    } else if (width == 8 && closest) {
        embree->rtcIntersect8(valid, scene, context, packet);
    } else if (width == 8) {
        embree->rtcOccluded8(valid, scene, context, packet);
    } else if (closest) {
        embree->rtcIntersect4(valid, scene, context, packet);
    } else {
        embree->rtcOccluded4(valid, scene, context, packet);
    }
}

static void run_packets(const bench_peer *peer, RTCScene scene, size_t width,
                        struct RTCIntersectContext *context)
{
    const size_t fields = bench_embree_fields(peer->rays);
    _Alignas(64) int valid[16];
    for (size_t i = 0; i < peer->rays->count; i += width) {
        for (size_t lane = 0; lane < width; lane++) {
            valid[lane] = i + lane < peer->rays->count ? -1 : 0;
        }
        run_packet(peer->embree, scene, width, fields == FIELDS, valid, peer->packets + i * fields,
                   context);
    }
}

/* With denormals flushed to zero, as Embree's manual recommends. */
void bench_peer_run(bench_peer *peer, peer_tree tree, peer_call call)
{
#if defined(__SSE2__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040u);
#endif
    RTCScene scene = peer->scenes[tree];
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = is_coherent(call) ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                                      : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    if (peer->rays->query == BENCH_NEAREST) {
        bench_embree_points(peer->embree, scene, peer->mesh, peer->rays->points, peer->rays->count,
                            peer->distances);
    } else if (call == PEER_STREAM || call == PEER_COHERENT_STREAM) {
        run_stream(peer, scene, &context);
    } else if (bench_embree_width(call) == 1) {
        run_one(peer, scene, &context);
    } else {
        run_packets(peer, scene, bench_embree_width(call), &context);
    }
#if defined(__SSE2__)
    _mm_setcsr(saved);
#endif
}
