/* bench/peer/peer.h: the library that bench compares ours with.
 *
 * embree*.c implement this for Embree, no_embree.c where Embree's headers were not found.  The peer
 * has layouts of its own for rays and hits, one for each width of a call; what bringing rays into
 * them and hits out of them costs is told apart from the rest. */
#pragma once

#include "tools/bench/input/sets.h"

typedef struct bench_peer bench_peer;

typedef enum peer_tree {
    PEER_MEDIUM,
    PEER_HIGH,
    PEER_ROBUST_MEDIUM,
    PEER_ROBUST_HIGH,
    PEER_LOW, /* of builds alone */
    PEER_TREE_COUNT
} peer_tree;

/* Ways to call it: the number of rays a call (a stream: all of them), and whether they are declared
 * coherent, which is nothing to a single ray.  Of closest hits also a chain: one ray a call, which
 * waits for the hit before (bench_ask_chained). */
typedef enum peer_call {
    PEER_1,
    PEER_4,
    PEER_8,
    PEER_16,
    PEER_STREAM,
    PEER_COHERENT_4,
    PEER_COHERENT_8,
    PEER_COHERENT_16,
    PEER_COHERENT_STREAM,
    PEER_CHAIN,
    PEER_CALL_COUNT
} peer_call;

extern const char *const peer_tree_names[PEER_TREE_COUNT];
extern const char *const peer_call_names[PEER_CALL_COUNT];

/* Point queries take one point a call.  instances: of a world. */
bool bench_peer_has_call(peer_call call, bench_query query, bool instances);

typedef struct peer_build {
    double seconds;     /* on a wall clock, or the program's processor time: what now() counts */
    size_t bytes, peak; /* of memory for the tree, when done and at most meanwhile */
    size_t held;        /* when done, with its copy of vertices and indices */
} peer_build;

/* Why there is no peer, and what to do, as part of a message; NULL: there is one. */
const char *bench_peer_problem(void);

/* threads 0: all there are.  It uses no more instructions than our kernel of that name
 * (sl_bvh_info): none but SSE2 beside "scalar".  NULL: it cannot be started. */
bench_peer *bench_peer_open(int threads, const char *kernel);
void bench_peer_close(bench_peer *peer); /* NULL is fine */

/* Makes one of the trees over a mesh, instead of an earlier one.  The mesh must stay.  now
 * and cost may be NULL.  False: out of memory. */
bool bench_peer_build(bench_peer *peer, const sl_mesh *mesh, peer_tree tree, double (*now)(void),
                      peer_build *cost);

/* Copies of a mesh in places: three rows of four, of a map that takes the mesh into the world. */
typedef struct peer_world {
    const sl_mesh *mesh;
    const float (*places)[12];
    size_t count;
} peer_world;

/* As bench_peer_build: a tree over instances of a tree over the mesh, both of that kind. */
bool bench_peer_build_world(bench_peer *peer, const peer_world *world, peer_tree tree);

/* Ways to build the tree over instances that move; the tree over the mesh is a MEDIUM one. */
typedef enum peer_way {
    PEER_WAY_LOW,
    PEER_WAY_MEDIUM,
    PEER_WAY_DYNAMIC_LOW,
    PEER_WAY_DYNAMIC_MEDIUM,
    PEER_WAY_COUNT
} peer_way;

extern const char *const peer_way_names[PEER_WAY_COUNT];

/* Makes a world in each way.  False: out of memory. */
bool bench_peer_build_moving(bench_peer *peer, const peer_world *world);

/* Tells the world of one way where its first count instances are now; then builds its tree anew. */
void bench_peer_move(bench_peer *peer, peer_way way, const float (*places)[12], size_t count);
void bench_peer_commit(bench_peer *peer, peer_way way);

/* To run calls on the world of a way instead of a tree. */
static inline peer_tree bench_peer_tree_of(peer_way way)
{
    return (peer_tree)((int)PEER_TREE_COUNT + (int)way);
}

/* Allocates for the rays of a set, which must stay until the next set, and runs them through tasks
 * (NULL: the calling thread alone).  False: out of memory. */
bool bench_peer_set(bench_peer *peer, const bench_rays *rays, const sl_tasks *tasks);

/* Brings the rays into the layout of a call: before each run, since answers are written there. */
void bench_peer_pack(bench_peer *peer, peer_call call);
void bench_peer_run(bench_peer *peer, peer_tree tree, peer_call call);

/* From our arrays into arrays like ours: packs and unpacks the rays of each call around it. */
void bench_peer_run_packing(bench_peer *peer, peer_tree tree, peer_call call);

/* What the last run that packs found.  A yes or no goes to t: 0 or INFINITY; a distance, too; a
 * miss is INFINITY. */
void bench_peer_answers(const bench_peer *peer, float *t);
