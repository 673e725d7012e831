/* scene.h: the mesh of a case in its place in the world, with its tree, and the rays of the case.
 * Both also moved back to the origin, by an exact subtraction. */
#pragma once

#include "test/cliffs/shapes.h"

#include <sightline/bvh.h>

typedef struct cliff_scene {
    sl_mesh *mesh;
    sl_bvh *bvh;
    double centre[3], unit; /* of its box, as in cliff_shape */
} cliff_scene;

/* False on failure, which is reported on stderr. */
bool scene_make(const cliff_case *c, const cliff_shape *shape, cliff_scene *out);
/* Of count triangles that are in their places; frees xyz, nine numbers for each. */
bool scene_of_corners(const cliff_case *c, float *xyz, size_t count, cliff_scene *out);
/* False also where a coordinate less CASE_AT is no float, and where the mesh is not far. */
bool scene_move_back(const cliff_case *c, const cliff_scene *far_scene, cliff_scene *out);
void scene_free(cliff_scene *scene);
/* Moves count numbers, of the three axes in turn; false where one is no float then. */
bool numbers_move_back(const cliff_case *c, const float *from, size_t count, float *to);
/* Whether floats at its place still tell the corners of most triangles apart: all but a sixteenth
 * of those that have three corners where it was made. */
bool scene_is_resolved(const cliff_case *c, const cliff_shape *shape, const cliff_scene *scene);

/* Each question is there as a ray, a segment and a point, of which the query takes one.  False: not
 * enough memory. */
bool rays_make(const cliff_case *c, const cliff_scene *scene, bench_rays *out);
/* False also where a coordinate less CASE_AT is no float. */
bool rays_move_back(const cliff_case *c, const bench_rays *far_rays, bench_rays *out);
/* Rays and segments in another order, and the points that belong to them. */
void rays_shuffle(bench_rays *rays, test_random *random);
