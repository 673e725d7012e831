/* ray_kinds.h: rays and segments made to order, most of them to be awkward. */
#pragma once

#include "tools/generate/query_random.h"

#include <sightline/rays.h>

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

/* Which of the two functions below makes them. */
bool ray_kind_is_segments(ray_kind kind);

sl_ray ray_kinds_ray(const query_random *m, ray_kind kind, uint64_t index);
sl_segment ray_kinds_segment(const query_random *m, ray_kind kind, uint64_t index);
