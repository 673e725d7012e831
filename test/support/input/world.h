/* world.h: random worlds of instances for tests of scenes: boxes, shells and triangles at random,
 * in places of many kinds. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/instances.h>
#include <sightline/rays.h>

typedef enum world_kind {
    WORLD_PLAIN,    /* turned, scaled, moved a little */
    WORLD_MIRRORED, /* the same with mirrors and shears */
    WORLD_TILED,    /* boxes on a lattice whose sides touch */
    WORLD_GRIDDED,  /* turned pieces on a grid, fine or coarse */
    WORLD_ILL,      /* conditions up to 2^19 */
    WORLD_TINY_FAR, /* a thousandth in size, 10^7 away */
    WORLD_HUGE,     /* up to 10^30 */
    WORLD_MOVED,    /* the first is where its tree is, the others beside it */
    WORLD_KINDS
} world_kind;

enum { WORLD_TREES = 4 };

typedef struct world_case {
    sl_bvh *trees[WORLD_TREES];
    sl_bvh *inner; /* that the outer one has instances of; NULL: it is not nested */
    sl_bvh *scene;
    size_t instances; /* numbers */
} world_case;

/* A world of count instances or somewhat more, half of them in an inner scene if nested; of
 * several, some are holes. */
void world_make(world_case *world, world_kind kind, size_t count, bool nested, test_random *random);
void world_destroy(world_case *world);

/* A random place of a kind. */
sl_instance world_instance(const sl_bvh *bvh, world_kind kind, size_t number, test_random *random);

/* A triangle of the scene, mostly of low numbers, and its corners in the world. */
sl_triangle_ref world_triangle(const sl_bvh *scene, test_random *random, double v[3][3]);

/* Takes it that instances are exactly where they are said to be, though they are not. */
void world_forget_margins(sl_bvh *scene);

/* Asks question i of a scene: how many of the answers are wrong. */
typedef size_t world_asker(sl_bvh *scene, test_random *random, size_t i);

/* Of that many questions to a world; the seed is that of the world, too. */
size_t world_wrong(world_kind kind, size_t instances, bool nested, bool no_margins, size_t queries,
                   uint64_t seed, world_asker *ask);

/* The same of worlds of 1, 2, 7 and 40 instances, nested or not; fails where an answer is wrong. */
void world_ask(world_kind kind, size_t queries, uint64_t seed, world_asker *ask);
