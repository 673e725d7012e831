/* program.h: what the programs of this room share, besides the harness of tools/bench: their
 * arguments, and what they measure made or the program ended. */
#pragma once

#include "test/support/own.h"
#include "tools/bench/harness/clock.h"
#include "tools/bench/harness/meshes.h"
#include "tools/bench/harness/spread.h"

#include <stdio.h>

enum { PICTURE_WIDTH = 1920, PICTURE_HEIGHT = 1080 };

/* Ends the program with words on stderr where something is not good. */
void must(bool good, const char *words);

/* Zeroed memory. */
void *memory_for(size_t count, size_t size);

/* The argument at a place, 1 the first; otherwise: where there is none. */
double number_at(int argc, char **argv, int at, double otherwise);

sl_mesh *shape_mesh(bench_shape shape, size_t triangles);
sl_mesh *file_mesh(const char *path);
sl_bvh *tree_of(const sl_mesh *mesh, const sl_build_def *def); /* def may be NULL */
sl_bvh *tree_of_only(sl_mesh *mesh);                           /* destroys the mesh */
sl_bvh *scene_of(const sl_instance *instances, size_t count);
sl_bvh *scene_of_one(const sl_bvh *tree);

/* In a picture of PICTURE_WIDTH x PICTURE_HEIGHT. */
sl_view view_of(sl_camera_def def);
sl_view view_of_box(const sl_aabb *box); /* all of it, from the side */
