/* ray_sets.h: the rays and segments that rates are quoted for, made from a mesh and its tree.
 *
 * Cameras stand outside and inside by turns and look at random points of the surface.  Everything
 * else that begins on a surface begins where their rays meet one. */
#ifndef TEST_MEASURE_RAY_SETS_H
#define TEST_MEASURE_RAY_SETS_H

#include <sightline/bvh.h>
#include <sightline/ray_query.h>

typedef enum set_kind {
    SET_PRIMARY,  /* camera rays in rows of pixels; closest */
    SET_DIFFUSE,  /* one bounce, cosine-weighted, in the order of the pixels; closest */
    SET_SHUFFLED, /* the same in random order; closest */
    SET_ANY,      /* the same in random order; any */
    SET_AO,     /* four each, as long as a tenth of the diagonal, in the order of the pixels; any */
    SET_RANDOM, /* from a random point of the box through another; closest */
    SET_BOX,    /* segments between random points of the box; any */
    SET_SURFACE, /* segments between points a little off the surface; any */
    SET_KINDS
} set_kind;

typedef struct ray_set {
    const char *name;
    bool any, segments;
    sl_ray *rays;        /* for segments: dir = q - p, tmax 1 */
    sl_segment *segment; /* of a set of segments */
    size_t count;
} ray_set;

/* Memory that runs out ends the program. */
ray_set ray_set_make(set_kind kind, const sl_mesh *mesh, const sl_bvh *bvh, size_t count);
void ray_set_free(ray_set *set);

#endif
