/* worlds.h: the world of a case: instances of its mesh, in scenes that say the same in several
 * ways, and all their triangles in one mesh. */
#pragma once

#include "test/cliffs/scene.h"

#include <sightline/instances.h>

/* Scenes of the same triangles, but for WORLD_BACK, which is at the origin, and WORLD_CHOSEN, which
 * has only instances that CASE_SELECT leaves in. */
typedef enum world_way {
    WORLD_HERE, /* nested as the case says, and at its place */
    WORLD_LIST, /* one level: the products of the transforms */
    WORLD_NEXT, /* a later version of others, see CASE_FRAMES */
    WORLD_BACK,
    WORLD_CHOSEN,
    WORLD_WAYS
} world_way;

/* What a scene is built from: instances of the mesh, and of what the level before has built. */
enum { WORLD_LEVELS = 4 };
typedef struct world_parts {
    sl_instance *instances[WORLD_LEVELS];
    size_t count[WORLD_LEVELS], levels;
    sl_bvh *inner[WORLD_LEVELS];
} world_parts;

typedef struct cliff_world {
    cliff_shape *shape;
    cliff_scene object;
    world_parts parts;
    sl_instance *list, *moved; /* as many as there are numbers; moved: of the version before */
    size_t count;
    sl_bvh *scene[WORLD_WAYS]; /* NULL: not wanted so far */
    cliff_scene flat;          /* of WORLD_BACK */
} cliff_world;

/* The mesh, its instances, WORLD_BACK and the flat mesh.  False on failure, and where the world has
 * no triangles. */
bool world_make(const cliff_case *c, cliff_world *out);
void world_free(cliff_world *world);

/* The scene, which is built when it is wanted first.  NULL on failure. */
const sl_bvh *world_scene(const cliff_case *c, cliff_world *world, world_way way);

/* Builds the next version from `previous`, NULL for none; destroys it again. */
void world_rebuild(const cliff_case *c, const cliff_world *world, const sl_bvh *previous);

/* The versions before this one; the last of them comes out, NULL on failure. */
sl_bvh *world_before(const cliff_case *c, cliff_world *world);

/* How far the world is from the origin along an axis. */
double world_at(const cliff_case *c, size_t axis);

/* Whether CASE_SELECT leaves in an instance, and the mask that it has. */
bool world_selects(const cliff_case *c, const cliff_world *world, size_t instance);
