/* bench/peer/embree_calls.c: Embree's calls: one ray, a packet, or a stream of single rays. */
#include "tools/bench/peer/embree.h"

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
    [PEER_CHAIN] = "chain",
};

/* rtcOccluded16 and rtcOccluded1M of coherent rays do not return from scenes of instances
 * (3.13.5). */
bool bench_peer_has_call(peer_call call, bench_query query, bool instances)
{
    const bool hangs = call == PEER_COHERENT_16 || call == PEER_COHERENT_STREAM;
    if (instances && hangs && query != BENCH_CLOSEST) {
        return false;
    }
    return (query != BENCH_NEAREST || call == PEER_1) &&
           (query == BENCH_CLOSEST || call != PEER_CHAIN);
}

/* What a call needs. */
typedef struct calls {
    const bench_embree_api *embree;
    RTCScene scene;
    struct RTCIntersectContext context;
    bool closest, stream, chain;
    float link;           /* of the chain */
    size_t width, fields; /* rays of a packet, words of a ray */
} calls;

static void run_one(calls *c, embree_word *word)
{
    void *const ray = word;
    if (c->closest) {
        c->embree->rtcIntersect1(c->scene, &c->context, ray);
    } else {
        c->embree->rtcOccluded1(c->scene, &c->context, ray);
    }
}

static void run_link(calls *c, embree_word *ray)
{
    for (int axis = 0; axis < 3; axis++) {
        ray[FIELD_ORG + axis].f += c->link;
    }
    run_one(c, ray);
    c->link = bench_chain_link(ray[FIELD_TFAR].f);
}

static void run_stream(calls *c, void *rays, size_t count)
{
    const unsigned rays_there = (unsigned)count;
    const size_t size = c->fields * sizeof(embree_word);
    if (c->closest) {
        c->embree->rtcIntersect1M(c->scene, &c->context, rays, rays_there, size);
    } else {
        c->embree->rtcOccluded1M(c->scene, &c->context, rays, rays_there, size);
    }
}

static void run_packet(calls *c, const int *valid, void *packet)
{
    const bench_embree_api *embree = c->embree;
    if (c->width == 16 && c->closest) {
        embree->rtcIntersect16(valid, c->scene, &c->context, packet);
    } else if (c->width == 16) {
        embree->rtcOccluded16(valid, c->scene, &c->context, packet);
    } else if (c->width == 8 && c->closest) {
        embree->rtcIntersect8(valid, c->scene, &c->context, packet);
    } else if (c->width == 8) {
        embree->rtcOccluded8(valid, c->scene, &c->context, packet);
    } else if (c->closest) {
        embree->rtcIntersect4(valid, c->scene, &c->context, packet);
    } else {
        embree->rtcOccluded4(valid, c->scene, &c->context, packet);
    }
}

static void run_packets(calls *c, embree_word *packets, size_t count)
{
    _Alignas(64) int valid[16];
    for (size_t i = 0; i < count; i += c->width) {
        for (size_t lane = 0; lane < c->width; lane++) {
            valid[lane] = i + lane < count ? -1 : 0;
        }
        run_packet(c, valid, packets + i * c->fields);
    }
}

static void run_all(calls *c, embree_word *packets, size_t count)
{
    if (c->stream) {
        run_stream(c, packets, count);
    } else if (c->width > 1) {
        run_packets(c, packets, count);
    } else {
        for (size_t i = 0; i < count; i++) {
            (c->chain ? run_link : run_one)(c, packets + i * c->fields);
        }
    }
}

/* The rays from begin to end, one call after the other; of a stream as many as stay in the first
 * cache. */
static void run_all_packing(calls *c, const bench_peer *peer, size_t begin, size_t end)
{
    enum { STREAM = 256 };
    _Alignas(64) embree_word packet[STREAM * FIELDS] = { 0 };
    const size_t step = c->stream ? STREAM : c->width;
    for (size_t i = begin; i < end; i += step) {
        const size_t left = end - i, count = left < step ? left : step;
        bench_embree_pack(peer, c->width, i, count, packet);
        run_all(c, packet, count);
        bench_embree_unpack(peer, c->width, i, count, packet);
    }
}

/* One run asks about the rays in groups of this size, which are whole packets. */
enum { GROUP = 1024 };
typedef struct run_job {
    bench_peer *peer;
    peer_tree tree;
    peer_call call;
    bool packing;
} run_job;

static void run_rays(const run_job *job, size_t begin, size_t end)
{
    bench_peer *peer = job->peer;
    const peer_call call = job->call;
    calls c = { .embree = peer->embree,
                .scene = peer->scenes[job->tree],
                .closest = peer->rays->query == BENCH_CLOSEST,
                .stream = call == PEER_STREAM || call == PEER_COHERENT_STREAM,
                .chain = call == PEER_CHAIN,
                .width = bench_embree_width(call),
                .fields = bench_embree_fields(peer->rays) };
    rtcInitIntersectContext(&c.context);
    c.context.flags = call >= PEER_COHERENT_4 && call != PEER_CHAIN
                          ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT
                          : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    if (peer->rays->query == BENCH_NEAREST) {
        bench_embree_points(peer->embree, c.scene, peer->mesh, peer->rays->points + 3 * begin,
                            end - begin, peer->distances + begin);
    } else if (job->packing) {
        run_all_packing(&c, peer, begin, end);
    } else {
        run_all(&c, peer->packets + begin * c.fields, end - begin);
    }
}

/* With denormals flushed to zero, as Embree's manual recommends. */
static void run_groups(void *context, size_t begin, size_t end, int worker)
{
#if defined(__SSE2__)
    const unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040u);
#endif
    const run_job *job = context;
    const size_t count = job->peer->rays->count;
    (void)worker;
    run_rays(job, begin * GROUP, end * GROUP < count ? end * GROUP : count);
#if defined(__SSE2__)
    _mm_setcsr(saved);
#endif
}

static void run_call(bench_peer *peer, peer_tree tree, peer_call call, bool packing)
{
    run_job job = { peer, tree, call, packing };
    const size_t groups = (peer->rays->count + GROUP - 1) / GROUP;
    if (peer->tasks == NULL) {
        run_groups(&job, 0, groups, 0);
    } else {
        peer->tasks->parallel_for(peer->tasks->user, groups, 1, run_groups, &job);
    }
}

void bench_peer_run(bench_peer *peer, peer_tree tree, peer_call call)
{
    run_call(peer, tree, call, false);
}

void bench_peer_run_packing(bench_peer *peer, peer_tree tree, peer_call call)
{
    run_call(peer, tree, call, true);
}
