/* pick_worlds.h: worlds for what is slow to pick: groups of instances each, of hairs, fins, walls
 * with and without holes, spheres and soups, anywhere from before the near plane to far away,
 * spread over the picture or piled on a few pixels; given as such, or by a list of numbers.  Of
 * numbers some 30 instances at most are over a pixel on average: what there is to look at is no
 * more than in worlds that people make. */
#pragma once

#include "test/measure/program.h"

typedef enum pick_kind {
    PICK_HAIRS,
    PICK_FINS,
    PICK_WALL,
    PICK_HOLES,
    PICK_ROUGH,
    PICK_SPHERE,
    PICK_SOUP,
    PICK_KINDS
} pick_kind;

/* How the instances of a group are turned. */
typedef enum pick_turn { TURN_NOT, TURN_LITTLE, TURN_ANYHOW, TURN_EDGE_ON } pick_turn;

typedef struct pick_group {
    pick_kind kind;
    uint32_t size;      /* hairs, fins, triangles of a soup, or cuts of a side; 0: no group */
    double share;       /* thickness, missing triangles, and so on; 0 to 1 */
    uint32_t instances; /* none: 0 */
    double near, far;   /* how far away */
    double pixels;      /* of an instance from side to side */
    double spread;      /* of the picture's height: how far they lie from its middle */
    pick_turn turned;
    double grow;   /* each is larger than the one before by that share of the first */
    uint32_t side; /* of a lattice of instances that touch, whose middle is near; 0: anywhere */
    bool bare;     /* without edges and vertices to pick */
} pick_group;

enum {
    PICK_WORLD_GROUPS = 3,
    PICK_WORLD_OF_GROUP = 8,
    PICK_WORLD_NUMBERS = PICK_WORLD_GROUPS * PICK_WORLD_OF_GROUP + 2
};

typedef struct pick_world {
    sl_bvh *trees[PICK_WORLD_GROUPS];
    sl_topology *bare;              /* of the last group that is so */
    const sl_topology **topologies; /* of instances */
    sl_bvh *scene;
    sl_view view;
    double reach; /* pixels from the middle of the picture within which it may be */
    sl_pick_def def;
} pick_world;

/* false: not enough memory. */
bool pick_world_build(const pick_group groups[PICK_WORLD_GROUPS], pick_world *out);

/* numbers: each in [0, 1).  density: an instance has no more hairs, fins or triangles of a soup
 * than this for each pixel that it is wide, and no more cuts of a side than half of that.  false:
 * not enough memory. */
bool pick_world_make(const double numbers[PICK_WORLD_NUMBERS], double density, pick_world *out);
void pick_world_free(pick_world *world);

/* What the numbers stand for, in a line for each group. */
void pick_world_print(const double numbers[PICK_WORLD_NUMBERS], double density);

/* Seconds of a pick, the least of so many: what others do on the machine is not the call's. */
double pick_world_seconds(const pick_world *world, const double xy[2], int times);
