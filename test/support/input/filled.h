/* filled.h: worlds of some thousand triangles that fill the picture, as an editor's do: blocks of
 * boxes, spheres behind walls, needles, things at one place; near by or far from zero; and
 * positions at their projected corners, sides and outlines. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/camera.h>
#include <sightline/instances.h>
#include <sightline/rays.h>
#include <sightline/topology.h>

typedef enum filled_kind {
    FILLED_BOXES,      /* blocks of boxes on a lattice: sides and corners of many, and ties */
    FILLED_WALL,       /* spheres behind walls of two triangles, or finer than a pixel */
    FILLED_NEEDLES,    /* thin and long, all through each other */
    FILLED_COINCIDENT, /* the same sphere several times at one place, mirrored ones among them */
    FILLED_SOUP,       /* triangles at random */
    FILLED_HEAP,       /* spheres in and before each other */
    FILLED_TERRAIN,    /* a rough sheet, mostly seen at a low angle */
    FILLED_KINDS
} filled_kind;

enum { FILLED_TREES = 3 };

typedef struct filled {
    sl_bvh *trees[FILLED_TREES];
    sl_topology *features[FILLED_TREES];
    const sl_topology **topologies; /* of each instance, NULL for some */
    sl_bvh *scene;
    uint32_t count;   /* instances */
    double centre[3]; /* of what fills the picture, */
    float size;       /* and how large it is */
} filled;

/* About this many triangles; far: millions of units from zero. */
void filled_make(filled *world, filled_kind kind, size_t triangles, bool far, test_random *random);
void filled_destroy(filled *world);

/* A picture that the world fills; its origin is at the centre. */
sl_view filled_view(const filled *world, test_random *random);

/* Within the picture, if something of the world is. */
void filled_position(const filled *world, const sl_view *view, test_random *random, double xy[2]);
