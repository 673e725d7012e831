#include "test/cliffs/peer.h"

#include "tools/bench/harness/clock.h"
#include "tools/bench/peer/peer.h"

#include <math.h>
#include <stdlib.h>

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
    const sl_bvh_info info = sl_bvh_get_info(scene->bvh);
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

bool peer_set(cliff_peer *peer, const bench_rays *queries)
{
    double least = INFINITY;
    for (size_t i = 0; i < queries->count; i++) {
        if (!(queries->rays[i].tmin >= 0)) {
            return false; /* Embree asserts it */
        }
    }
    peer->rays = *queries;
    peer->rays.query = query_plain(queries->query);
    if (peer->rays.query == BENCH_CLOSEST_SEGMENT ||
        !bench_peer_set(peer->bench, &peer->rays, NULL)) {
        return false;
    }
    for (size_t i = 0; i < TREES; i++) {
        bench_peer_run_packing(peer->bench, trees[i], PEER_1);
        const double start = bench_cpu_seconds();
        bench_peer_run_packing(peer->bench, trees[i], PEER_1);
        const double spent = bench_cpu_seconds() - start;
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
