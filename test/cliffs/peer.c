#include "test/cliffs/peer.h"

#include "tools/bench/peer/peer.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static const peer_tree trees[] = { PEER_MEDIUM, PEER_HIGH };
enum { TREES = sizeof trees / sizeof trees[0] };

struct cliff_peer {
    bench_peer *bench;
    bench_rays rays;
    peer_tree best;
};

cliff_peer *peer_open(const cliff_scene *scene)
{
    cliff_peer *peer = calloc(1, sizeof *peer);
    sl_bvh_info info;
    sl_bvh_get_info(scene->bvh, &info, sizeof info);
    if (peer == NULL || bench_peer_problem() != NULL) {
        free(peer);
        return NULL;
    }
    peer->bench = bench_peer_open(1, info.kernel);
    bool built = peer->bench != NULL;
    for (size_t i = 0; i < TREES && built; i++) {
        built = bench_peer_build(peer->bench, scene->mesh, trees[i], NULL, NULL);
    }
    if (!built) {
        peer_close(peer);
        return NULL;
    }
    return peer;
}

void peer_close(cliff_peer *peer)
{
    if (peer != NULL) {
        bench_peer_close(peer->bench);
        free(peer);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool take_rays(const cliff_question *q, bench_rays *out)
{
    *out = (bench_rays){ .count = q->rays->count };
    switch ((call_kind)case_int(q->c, CASE_CALL)) {
    case CALL_CLOSEST:
    case CALL_CLOSEST_COLUMNS:
        out->query = BENCH_CLOSEST;
        break;
    case CALL_ANY:
    case CALL_ANY_FROM:
    case CALL_ANY_COLUMNS:
        out->query = BENCH_ANY;
        break;
    case CALL_BLOCKED:
    case CALL_BLOCKED_FROM:
        out->query = BENCH_BLOCKED;
        break;
    case CALL_NEAREST:
        out->query = BENCH_NEAREST;
        break;
    default:
        return false;
    }
    out->rays = q->rays->rays;
    out->segments = q->rays->segments;
    out->points = q->rays->points;
    return true;
}

bool peer_set(cliff_peer *peer, const cliff_question *q)
{
    double least = INFINITY;
    for (size_t i = 0; i < q->rays->count; i++) {
        if (!(q->rays->rays[i].tmin >= 0)) {
            return false; /* Embree asserts it */
        }
    }
    if (!take_rays(q, &peer->rays) || !bench_peer_set(peer->bench, &peer->rays, NULL)) {
        return false;
    }
    for (size_t i = 0; i < TREES; i++) {
        bench_peer_run_packing(peer->bench, trees[i], PEER_1);
        const double start = seconds();
        bench_peer_run_packing(peer->bench, trees[i], PEER_1);
        const double spent = seconds() - start;
        if (spent < least) {
            least = spent;
            peer->best = trees[i];
        }
    }
    return true;
}

void peer_ask(cliff_peer *peer)
{
    bench_peer_run_packing(peer->bench, peer->best, PEER_1);
}
