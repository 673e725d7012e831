/* ray_kinds.h: rays and segments made to order, most of them to be awkward.
 *
 * Each is a function of mesh, kind, seed and index alone: any part of a sequence can be made again,
 * on any machine and any number of threads, with the same bits. */
#ifndef TOOLS_RAY_KINDS_H
#define TOOLS_RAY_KINDS_H

#include <sightline/ray_query.h>

typedef enum ray_kind {
    RAYS_CAMERA,   /* a picture of the whole mesh, pixel by pixel */
    RAYS_BOX,      /* random through the bounds */
    RAYS_SURFACE,  /* from points on the surface in random directions */
    RAYS_VERTICES, /* segments that end in, or pass through, vertices */
    RAYS_EDGES,    /* the same with midpoints of edges */
    RAYS_NEARMISS, /* the same with vertices and midpoints moved by one step of a float */
    RAYS_AXIS,     /* parallel to an axis, most of them exactly through a vertex */
    RAYS_INPLANE,  /* in the plane of a triangle */
    RAYS_LIMITS,   /* with a limit exactly at, or one step beside, the t of the closest hit */
    RAY_KIND_COUNT
} ray_kind;

extern const char *const ray_kind_words[]; /* in this order, then "all"; ends with NULL */

typedef struct ray_maker {
    const sl_mesh *mesh;
    const sl_bvh *bvh; /* RAYS_LIMITS asks it where the hits are */
    sl_aabb bounds;
    uint64_t seed;
    uint64_t count; /* how many there will be: the size of the picture */
} ray_maker;

ray_maker ray_maker_make(const sl_mesh *mesh, const sl_bvh *bvh, uint64_t seed, uint64_t count);

/* Which of the two functions below makes them. */
bool ray_kind_is_segments(ray_kind kind);

sl_ray ray_maker_ray(const ray_maker *maker, ray_kind kind, uint64_t index);
sl_segment ray_maker_segment(const ray_maker *maker, ray_kind kind, uint64_t index);

/* A copy of a mesh on a lattice of 2^bits steps (each a power of two) across its largest extent,
 * around the origin: sums, differences and midpoints of its vertices are then exact. */
sl_result ray_kinds_snap(const sl_mesh *mesh, uint32_t bits, sl_mesh **out, sl_error *error);

#endif
