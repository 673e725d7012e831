/* ask/world.h: a mesh or a scene file, which are asked in the same way.  All calls of the library
 * that put queries to a tree stand in world.c and calls.c. */
#pragma once

#include "tools/ask/block.h"
#include "tools/ask/options.h"
#include "tools/verify/scene_soup.h"

typedef struct ask_world {
    mesh_in in;
    bool wide;             /* of a scene, and where doubles are asked: corners and points of hits
                            * are doubles */
    sl_soup soup;          /* all triangles of the mesh, for brute force */
    scene_soup triangles;  /* the same of what is wide */
    sl_boundary *boundary; /* of a mesh, for ASK_INSIDE */
    sl_proxy proxy;
    sl_triangle_ref skip[2]; /* of query */
    sl_options query;
    sl_stats stats;
    sl_stats *counts; /* with --stats, unless --verify: those; else NULL */
    const sl_tasks *tasks;
    float limit; /* of points */
    int by;      /* ASK_BY_ */
} ask_world;

/* What a subcommand needs to know of a mesh or a scene. */
typedef enum ask_needs {
    ASK_NEEDS_BOUNDARY = 1, /* of a mesh */
    ASK_VERIFIES_SCENES = 2 /* --generate, --verify and --brute are not for meshes only */
} ask_needs;

/* EXIT_DONE, or the status of a reported error; close it either way. */
int ask_world_open(ask_world *world, const invocation *call, unsigned needs);
void ask_world_close(ask_world *world);

bool ask_world_has_parts(const ask_world *world);

/* The triangles that brute force asks. */
uint64_t ask_world_triangles(const ask_world *world);

/* Where a hit lies: its point, its normal and whether there are any. */
void ask_world_surface(const ask_world *world, ask_row *hit);

/* One element of a block: how many rows there are, of which the first `keep` go to rows. */
size_t ask_world_one(const ask_world *world, ask_mode mode, const ask_block *block, size_t i,
                     void *rows, size_t keep);

/* The same for ASK_ALL without a tree; soup: the triangles of a mesh, or a part of them. */
size_t ask_world_in_turn(const ask_world *world, const sl_soup *soup, const ask_block *block,
                         size_t i, void *rows, size_t keep);

/* All elements of a block, in parallel, by the functions that take arrays; brute: without trees. */
void ask_world_block(const ask_world *world, ask_mode mode, bool brute, ask_block *block);
