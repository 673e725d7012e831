/* proxy.h: a simple shape that stands for a whole object: tested before the tree, or instead of it.
 *
 * A query with a proxy (sl_query.proxy) first tests whether the ray, the segment or the volume
 * meets the proxy, or whether the proxy lies within max_distance of the point; for
 * sl_bvh_inside, the ray from the point is tested.  Proxies are solid and closed: touching counts,
 * and a ray that starts inside meets the proxy where it starts.
 * Options  masks, skips, cull, open ends and hit filters concern triangles, not the proxy.
 * Trees    of either kind: a proxy is in the space of the rays, of instances that of the world, and
 *          its hit has instance 0.  Only rays, segments, points and volumes in floats are tested;
 *          those in doubles go to the tree as if there were no proxy.
 * Exact    whether the proxy is met is decided exactly, by the tests of intersect.h and overlap.h.
 * Fails    never; nothing meets a proxy that is not valid (shapes.h).
 * To make one around a mesh, see sl_sphere_of_soup and sl_obb_of_soup (closest.h) and
 * sl_bvh_bounds. */
#ifndef SIGHTLINE_PROXY_H
#define SIGHTLINE_PROXY_H

#include <sightline/shapes.h>

/* The prim of a hit on a proxy; no triangle has it. */
#define SL_PROXY_PRIM 0xFFFFFFFEu

typedef enum sl_proxy_mode {
    /* What does not meet the proxy meets nothing, and the tree is not entered (counted in
     * sl_stats.proxies_rejected); what meets it goes on to the tree.  A proxy that contains the
     * whole mesh changes no answer; a smaller one hides triangles from rays that pass beside it. */
    SL_PROXY_FIRST = 0,
    /* The tree is not entered at all: the proxy is the whole object, one hit with prim
     * SL_PROXY_PRIM and u, v, flags 0.  Rays and segments: t is where they enter, or where they
     * start inside. Points: the distance from the solid shape, rounded to nearest as in closest.h
     * (from a sphere within one part in 2^50 of the distance from its centre, and then rounded),
     * and the nearest point; inside it is the point itself, at 0. */
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
