/* rays.h: rays and segments that are hard for a given mesh: aimed at vertices and edges, along
 * axes, in the planes of triangles, one float beside them, with limits exactly at hits. */
#pragma once

#include "test/support/input/random.h"

#include <sightline/mesh.h>
#include <sightline/rays.h>

typedef enum hard_kind {
    HARD_BOX,     /* between random points of the bounds, grown a little */
    HARD_VERTEX,  /* a segment that ends exactly in a vertex */
    HARD_BEYOND,  /* a ray whose direction is the rounded difference to a vertex */
    HARD_EDGE,    /* a segment that ends at the rounded midpoint of an edge */
    HARD_BESIDE,  /* towards a vertex that was moved by one step */
    HARD_AXIS,    /* along an axis, exactly through a vertex */
    HARD_INPLANE, /* from vertex to vertex of one triangle */
    HARD_KINDS
} hard_kind;

/* One of the two is made: segments for HARD_VERTEX, EDGE, BESIDE and INPLANE. */
typedef struct hard_ray {
    bool is_segment;
    sl_ray ray;
    sl_segment segment;
} hard_ray;

hard_ray hard_ray_make(const sl_mesh *mesh, hard_kind kind, test_random *random);

/* As an array of one. */
static inline sl_rays hard_ray_alone(const hard_ray *ray)
{
    return ray->is_segment ? sl_segments_of(&ray->segment, 1) : sl_rays_of(&ray->ray, 1);
}

/* A random point of the bounds, grown by a quarter. */
void hard_point(const sl_mesh *mesh, test_random *random, float point[3]);

/* A random triangle that is in the mesh. */
sl_triangle hard_triangle(const sl_mesh *mesh, test_random *random);
