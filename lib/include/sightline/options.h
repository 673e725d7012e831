/* options.h: what a query may vary: which triangles, instances and hits are there, which side of a
 * triangle counts, where segments end, and a simple shape that stands for a whole object.
 *
 *     sl_options options = { .cull = SL_CULL_BACK, .mask = VISIBLE_TO_RADAR };
 *     sl_bvh_closest(bvh, &ray, &options, &hit);
 *
 * Zero     zeroed options, or NULL, are the default and mean everything; so does each field that is
 *          zero.  A mask of 0 has all bits: here, in rows, and as the mask of a triangle, an
 *          instance or a mark.
 * Order    masks, skips, ignored instances and cull come first, then limits and open ends, then the
 *          filter: closest, any, all and next refer to what remains.
 * Lists    are read anew by each query, and belong to the caller.
 * Cost     what is zero costs nothing.  A mask saves time where it leaves out subtrees (bvh.h).
 *          Skips are compared one by one with each triangle that is hit, and ignored ranges with
 *          each instance that is met: dozens are cheap, thousands are for masks or a filter. */
#ifndef SIGHTLINE_OPTIONS_H
#define SIGHTLINE_OPTIONS_H

#include <sightline/shapes.h>

/* ---- Where a ray or a segment hits a triangle ---- */

/* Bits of sl_hit.flags; all exact. */
enum {
    SL_HIT_BACK = 1,   /* the back was hit; clear: the front */
    SL_HIT_EDGE = 2,   /* on an edge of the triangle, vertices included */
    SL_HIT_VERTEX = 4, /* on a vertex */
};

/* u, v are the weights of vertices 1 and 2 (vertex 0 weighs 1 - u - v).  A miss is
 * prim == SL_NONE: t = +inf may be a hit whose t is beyond the float range.  24 bytes. */
typedef struct sl_hit {
    float t, u, v;
    uint32_t prim;     /* index of the triangle in its mesh; 0 from the single-triangle tests */
    uint32_t instance; /* 0 where there are no instances */
    uint32_t flags;    /* SL_HIT_... */
} sl_hit;

/* As sl_hit, with t as a double.  32 bytes. */
typedef struct sl_hit_d {
    double t;
    float u, v;
    uint32_t prim;
    uint32_t instance;
    uint32_t flags;    /* SL_HIT_... */
    uint32_t reserved; /* 0 */
} sl_hit_d;

/* Which side of a triangle counts.  Its front is the side from which its vertices run
 * counter-clockwise; a ray with dir . normal < 0 meets the front, with > 0 the back, with = 0
 * neither. */
typedef enum sl_cull {
    SL_CULL_NONE = 0,
    SL_CULL_BACK = 1, /* only fronts are hit */
    SL_CULL_FRONT = 2 /* only backs are hit */
} sl_cull;

/* Bits of sl_options.flags. */
enum {
    SL_OPEN_START = 1, /* segments: a hit at t = 0 does not count */
    SL_OPEN_END = 2,   /* segments: a hit at t = 1 does not count */
    /* Surfaces crossed, not triangles touched: the ray counts as moved by (e, e^2, e^3) with an
     * infinitely small e, so a shared edge or vertex is one crossing, or none where it is only
     * grazed; a closed mesh is crossed an even number of times from outside.  A t that is exactly
     * tmin or tmax, or 0 or 1 of a segment, is within the limits where that of the moved ray is,
     * and open ends change nothing.  t, u and v stay those of the ray as it is.  Edelsbrunner and
     * Mucke, Simulation of Simplicity (1990). */
    SL_CROSSINGS = 4,
    /* sl_bvh_winding: what is asked for is where points are, not the winding number, which is NaN
     * wherever the mesh has a boundary (points.h). */
    SL_NO_WINDING = 8
};

/* Names one triangle.  Where there are no instances, as on a tree or a soup, instance is 0, and a
 * reference with any other instance names nothing; a prim of SL_NONE never names anything.  8
 * bytes. */
typedef struct sl_triangle_ref {
    uint32_t instance, prim;
} sl_triangle_ref;

/* The instances first .. first + count - 1 of a tree; those that it does not have are no fault.  An
 * instance of a tree over instances takes as many numbers as that tree has, and they follow one
 * another: so one range names a body of many parts.  8 bytes. */
typedef struct sl_instance_range {
    uint32_t first, count;
} sl_instance_range;

/* ---- Proxies ---- */

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

/* Before the tree it is tested, exactly, whether the item meets the proxy: whether the ray, the
 * segment or the volume touches it, whether it lies within max_distance of the point; for
 * sl_bvh_inside, whether it contains the point; for sl_bvh_winding, whether the ray along +x meets
 * it (points.h).  Items in doubles do not read a proxy.  Proxies are solid and closed: touching
 * counts, and a ray that starts inside meets the proxy where it starts.  Masks, skips, cull, open
 * ends and filters concern triangles, not the proxy.  Nothing meets a proxy that is not valid
 * (shapes.h).  To make one around a mesh, see sl_sphere_of_points and sl_obb_of_points (closest.h)
 * and sl_bvh_bounds. */
typedef struct sl_proxy {
    sl_proxy_kind kind;
    sl_proxy_mode mode;
    union {
        sl_sphere sphere;
        sl_aabb aabb;
        sl_obb obb;
    } shape;
} sl_proxy;

/* ---- Statistics ---- */

/* Work done by queries.  Queries only add to it: start with zeros.  Several threads may add at
 * once. The counts depend on the tree and may change between versions. */
typedef struct sl_stats {
    uint64_t rays;             /* traced, invalid ones included; also points, volumes, triangles */
    uint64_t nodes;            /* inner nodes entered */
    uint64_t boxes;            /* boxes tested */
    uint64_t triangles;        /* triangles tested */
    uint64_t float_stage;      /* of those: decided by the float filter */
    uint64_t double_stage;     /* decided by the double filter */
    uint64_t exact_stage;      /* decided by exact arithmetic */
    uint64_t hits;             /* exact hits found on the way, whether kept or not */
    uint64_t proxies_rejected; /* rays, points and volumes that did not meet the proxy */
    uint64_t instances;        /* entered */
} sl_stats;

/* ---- Options ---- */

/* What is there for one item of an array.  Zeroed: everything.  40 bytes. */
typedef struct sl_item_options {
    uint32_t mask;
    const sl_triangle_ref *skip;
    size_t skip_count;
    const sl_instance_range *ignore;
    size_t ignore_count;
} sl_item_options;

typedef struct sl_options {
    uint32_t mask; /* 0 takes all triangles, others those whose mask shares a bit */
    sl_cull cull;
    uint32_t flags;              /* SL_OPEN_..., SL_CROSSINGS, SL_NO_WINDING */
    const sl_triangle_ref *skip; /* triangles that are not there, such as that of the last hit */
    size_t skip_count;
    /* Whole instances that are not there, such as the bodies at both ends of a line of sight. */
    const sl_instance_range *ignore;
    size_t ignore_count;
    /* Row i has the mask, the skips and the ignored instances of item i of an array, instead of
     * those above; a single call reads row 0.  NULL: all items have the same. */
    const sl_item_options *items;
    const sl_proxy *proxy; /* before the tree, or instead; NULL: none */

    /* The hit filter: returns whether a hit of a ray or segment exists, for leaves that a texture
     * cuts out, glass, the caller's own list of triangles.  NULL: every hit exists.
     * index    the item's number in its array; 0 for a single call.
     * hit      exact and final: t, u, v, prim, instance, flags; a call whose t is a double shows it
     *          rounded to a float.  What mask, skip and cull leave out, and what lies outside the
     *          limits, is never shown; a proxy's hit is not shown either.
     * Pure     the answer depends on the arguments alone.  It may be called for any hit, in any
     *          order, more than once for one hit, and from several threads at once; it must not
     *          throw.  It runs in the library's floating-point environment: round to nearest,
     *          nothing trapped.
     * Cost     closest and any: a plain query, and for a ray whose hit the filter refuses another
     *          one on the reference path, several times slower; where most are refused, that path
     *          alone, as for other queries, where it is called for each hit nearer than the best
     *          so far. */
    bool (*filter)(void *user, size_t index, const sl_hit *hit);
    void *filter_user; /* passed to filter */
} sl_options;

#endif
