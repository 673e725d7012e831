/* bench/peer/no_embree.c: the peer in a build that did not find Embree's headers: there is none. */
#include "tools/bench/peer/peer.h"

/* None of them does anything with what it is given. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

const char *const peer_tree_names[PEER_TREE_COUNT] = { "" };
const char *const peer_call_names[PEER_CALL_COUNT] = { "" };

const char *bench_peer_problem(void)
{
    return "this sightline was built without Embree; install libembree-dev and build it anew, or "
           "leave --against out";
}

bool bench_peer_has_call(peer_call call, bench_query query, bool instances)
{
    return false;
}

bench_peer *bench_peer_open(int threads, const char *kernel)
{
    return NULL;
}

void bench_peer_close(bench_peer *peer)
{
}

bool bench_peer_build(bench_peer *peer, const sl_mesh *mesh, peer_tree tree, double (*now)(void),
                      peer_build *cost)
{
    return false;
}

bool bench_peer_build_world(bench_peer *peer, const peer_world *world, peer_tree tree)
{
    return false;
}

const char *const peer_way_names[PEER_WAY_COUNT] = { "" };

bool bench_peer_build_moving(bench_peer *peer, const peer_world *world)
{
    return false;
}

void bench_peer_move(bench_peer *peer, peer_way way, const float (*places)[12], size_t count)
{
}

void bench_peer_commit(bench_peer *peer, peer_way way)
{
}

bool bench_peer_set(bench_peer *peer, const bench_rays *rays, const sl_tasks *tasks)
{
    return false;
}

void bench_peer_pack(bench_peer *peer, peer_call call)
{
}

void bench_peer_run(bench_peer *peer, peer_tree tree, peer_call call)
{
}

void bench_peer_run_packing(bench_peer *peer, peer_tree tree, peer_call call)
{
}

void bench_peer_answers(const bench_peer *peer, float *t)
{
}
