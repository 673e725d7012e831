/* scene.h: the mesh of a case in its place in the world, with its tree, and the rays of the case.
 * Both also moved back to the origin, by an exact subtraction. */
#ifndef TEST_CLIFFS_SCENE_H
#define TEST_CLIFFS_SCENE_H

#include "test/cliffs/shapes.h"

#include <sightline/bvh.h>
#include <sightline/point_query.h>
#include <sightline/ray_columns.h>
#include <sightline/ray_query.h>

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
/* Whether floats at its place still tell the corners of most triangles apart: all but a sixteenth
 * of those that have three corners where it was made. */
bool scene_is_resolved(const cliff_case *c, const cliff_shape *shape, const cliff_scene *scene);

/* What a call asks.  Each question is there as a ray, a segment and a point, of which the call
 * takes one. */
typedef struct cliff_rays {
    size_t count;
    sl_ray *rays;
    sl_segment *segments;
    float *points;         /* three for each; all others of nearest */
    float *dirs, *targets; /* three for each, of the calls from one point */
} cliff_rays;

bool rays_make(const cliff_case *c, const cliff_scene *scene, cliff_rays *out);
/* False where a coordinate less CASE_AT is no float. */
bool rays_move_back(const cliff_case *c, const cliff_rays *far_rays, cliff_rays *out);
void rays_free(cliff_rays *rays);

#endif
