/* crowd.h: worlds of some thousand triangles for selections: split trees, compact ones, meshes that
 * share corners, triangles with masks and without area, in instances and nested ones. */
#pragma once

#include "test/support/input/world.h"

#include <sightline/camera.h>
#include <sightline/select.h>
#include <sightline/topology.h>

enum { CROWD_TREES = 4, CROWD_INSTANCES = 10 };

typedef struct crowd {
    sl_bvh *trees[CROWD_TREES]; /* HIGH and split; compact; a sheet; FAST, with masks */
    sl_topology *features[CROWD_TREES];
    const sl_topology *topologies[CROWD_INSTANCES]; /* of each number, NULL for some */
    sl_bvh *inner;                                  /* NULL: it is not nested */
    sl_bvh *scene;
    uint32_t instances; /* numbers */
} crowd;

/* About that many triangles, in 2 to 9 instances of places of a kind. */
void crowd_make(crowd *made, world_kind kind, size_t triangles, test_random *random);
void crowd_destroy(crowd *made);

/* Any triangle. */
sl_triangle_ref crowd_triangle(const crowd *of, test_random *random, double v[3][3]);

/* From beside the crowd or from within, with any clip space and planes that cut, or not. */
sl_view crowd_view(const crowd *of, uint32_t width, uint32_t height, test_random *random);

/* A rectangle or a lasso in a picture of 300 by 200 pixels, and a little beyond. */
sl_region crowd_region(test_random *random, double corners[8]);
