/* world.h: the class SightlineWorld: meshes, instances of them that move, and the version of the
 * scene that queries see.
 *
 * Methods  are those of the table in class.c, called as Godot calls by pointers: arguments are
 *          pointers to values, and the result is one that is there already.  Each tells Godot what
 *          it refuses, and then returns what no answer is. */
#pragma once

#include "tools/godot/engine.h"

/* Instances by number, where a row without a tree is free.  A mesh is kept as an instance of it
 * where it stands. */
typedef struct table {
    sl_instance *rows;
    size_t count;
    size_t lowest; /* no row before it is free */
} table;

typedef struct world {
    table meshes, instances;
    sl_bvh *scene; /* the instances as of the last update; NULL before the first */
    bool changed;  /* since then */
    sl_pool *pool; /* NULL: the calling thread alone */
} world;

typedef void method(world *w, const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result);

method add_mesh, remove_mesh, add_instance, move_instance, remove_instance, set_threads, update;
method sight, cast, pick;

/* Bits of the argument flags, which are constants of the class.  Godot's fronts are clockwise. */
enum {
    OPEN_START = SL_OPEN_START,
    OPEN_END = SL_OPEN_END,
    CULL_BACK = 16,
    CULL_FRONT = 32,
    SEGMENTS = 64 /* cast: directions are the other ends of segments */
};

void destroy_world(world *w);
/* The tasks of the world's pool. */
const sl_tasks *tasks_of(const world *w);
/* A Transform3D. */
sl_transform transform_of(GDExtensionConstTypePtr argument);
/* Whether a mask has 32 bits; 0 stands for all of them. */
bool check_mask(int64_t mask);
/* The instances of a PackedInt32Array, as ranges that options ignore; negative numbers are none.
 * To be freed; NULL: no memory. */
sl_instance_range *ignored(GDExtensionConstTypePtr argument, sl_options *options);

/* Types as methods are given them. */
static inline int64_t int_of(GDExtensionConstTypePtr argument)
{
    return *(const int64_t *)argument;
}

static inline double float_of(GDExtensionConstTypePtr argument)
{
    return *(const double *)argument;
}
