/* proxy.h: a simple shape that stands for a whole object: asked before it, or instead of it.
 *
 * A query that carries one (sl_query.proxy) asks it whatever it asks the tree: whether the ray (of
 * inside or not: the one from the point), the segment or the volume meets it, or whether it lies
 * within max_distance of the point.  Proxies are solid and closed: touching counts, and who starts
 * inside meets it where it starts.
 * Options  Masks, skips, cull and open ends are of triangles: the proxy is not concerned.
 * Exact    whether it is met is decided exactly, by the tests of intersect.h and overlap.h.
 * Fails    never; a proxy that is not valid (shapes.h) is met by nothing.
 * To make one around a mesh, see sl_sphere_of_soup and sl_obb_of_soup (closest.h) and
 * sl_bvh_bounds. */
#ifndef SIGHTLINE_PROXY_H
#define SIGHTLINE_PROXY_H

#include <sightline/shapes.h>

/* The prim of whatever was answered by a proxy; no triangle has it. */
#define SL_PROXY_PRIM 0xFFFFFFFEu

typedef enum sl_proxy_mode {
    /* Who does not meet the proxy meets nothing, and the tree is not entered (counted in
     * sl_stats.proxies_rejected); everybody else asks the tree.  Around all of a mesh a proxy
     * changes no answer; a smaller one hides triangles from those that pass beside it. */
    SL_PROXY_FIRST = 0,
    /* The tree is not entered at all: the proxy is the only thing there, one hit with prim
     * SL_PROXY_PRIM and u, v, flags 0.  Rays and segments: t is where they enter, or start inside.
     * Points: the distance from the solid shape, rounded to nearest as in closest.h (from a sphere
     * within one part in 2^50 of the distance from its centre, and then rounded), and the nearest
     * point; inside it is the point itself, at 0. */
    SL_PROXY_INSTEAD = 1
} sl_proxy_mode;

typedef enum sl_proxy_kind {
    SL_PROXY_SPHERE = 0,
    SL_PROXY_AABB = 1,
    SL_PROXY_OBB = 2
} sl_proxy_kind;

typedef struct sl_proxy {
    sl_proxy_kind kind;
    sl_proxy_mode mode;
    union {
        sl_sphere sphere;
        sl_aabb aabb;
        sl_obb obb;
    } shape;
} sl_proxy;

#endif
